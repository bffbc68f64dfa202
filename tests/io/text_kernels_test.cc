// The kernels against the headers, and at the edge of memory.

#include "io/text_kernels.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mintmark/base/entropy.h"
#include "tests/io/text_kernel_checks.h"
#include "tests/seed.h"

namespace mintmark::io {
namespace {

IdBytes random_id(Entropy& entropy) {
  IdBytes id{};
  EXPECT_TRUE(entropy.fill(id));
  return id;
}

template <class Text>
class TextKernels : public ::testing::Test {};
using Texts = ::testing::Types<UuidText, UlidText>;
TYPED_TEST_SUITE(TextKernels, Texts);

TYPED_TEST(TextKernels, WriteWhatTheHeadersWrite) {
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(check_write<TypeParam>(random_id(entropy)), "");
  }
  // Every bit alone, and every byte at every place.
  for (std::size_t place = 0; place < 16; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      IdBytes id{};
      id[place] = static_cast<std::byte>(byte);
      ASSERT_EQ(check_write<TypeParam>(id), "");
      id.fill(std::byte{0xff});
      id[place] = static_cast<std::byte>(byte);
      ASSERT_EQ(check_write<TypeParam>(id), "");
    }
  }
}

TYPED_TEST(TextKernels, ReadWhatTheyWroteInEitherCase) {
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 20'000; ++i) {
    std::string text = text_of<TypeParam>(random_id(entropy));
    ASSERT_EQ(check_read<TypeParam>(text), "");
    const std::uint64_t cases = entropy.word().value_or(0);
    for (std::size_t at = 0; at < text.size(); ++at) {
      const auto c = static_cast<unsigned char>(text[at]);
      text[at] = static_cast<char>((cases >> at & 1) != 0 ? std::toupper(c) : std::tolower(c));
    }
    ASSERT_TRUE(TypeParam::Scheme::parse(text)) << text;
    ASSERT_EQ(check_read<TypeParam>(text), "");
  }
}

TYPED_TEST(TextKernels, AgreeOnEveryByteAtEveryPosition) {
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 8; ++i) {
    const std::string text = text_of<TypeParam>(random_id(entropy));
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[at] = static_cast<char>(byte);
        ASSERT_EQ(check_read<TypeParam>(changed), "") << at << ' ' << byte;
      }
    }
  }
}

TYPED_TEST(TextKernels, AgreeOnManyChangesAtOnce) {
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 50'000; ++i) {
    std::string text = text_of<TypeParam>(random_id(entropy));
    const std::uint64_t changes = entropy.word().value_or(0);
    for (std::uint64_t left = changes % 5; left > 0; --left) {
      const std::uint64_t word = entropy.word().value_or(0);
      text[word % text.size()] = static_cast<char>(word >> 32);
    }
    ASSERT_EQ(check_read<TypeParam>(text), "");
  }
}

TYPED_TEST(TextKernels, RefuseEveryOtherLength) {
  const std::string text = text_of<TypeParam>(IdBytes{}) + text_of<TypeParam>(IdBytes{});
  for (std::size_t size = 0; size <= text.size(); ++size) {
    ASSERT_EQ(check_read<TypeParam>(std::string_view{text}.substr(0, size)), "") << size;
  }
}

TYPED_TEST(TextKernels, HandleManyAsTheyHandleOne) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<IdBytes> ids(count);
    for (IdBytes& id : ids) id = random_id(entropy);
    const std::uint64_t word = entropy.word().value_or(0);
    for (const char after : {'\n', '\0', ',', '7'}) {
      ASSERT_EQ(check_many<TypeParam>(ids, word % 100'000, after), "");
    }
  }
}

TYPED_TEST(TextKernels, ReadNoMoreThanThereIsRoomFor) {
  const auto& codec = TypeParam::codec(TextKernel::best());
  const std::array<IdBytes, 4> ids{};
  std::string text((codec.kChars + 1) * ids.size(), '~');
  ASSERT_EQ(codec.write_all(std::as_bytes(std::span{ids}), '\n', std::span{text}), text.size());
  std::array<IdBytes, 3> three{};
  EXPECT_EQ(codec.read_all(text, '\n', std::as_writable_bytes(std::span{three})), 3U);
  // The separator is a part of each: without the last one, the last ID is not read.
  text.pop_back();
  std::array<IdBytes, 9> nine{};
  EXPECT_EQ(codec.read_all(text, '\n', std::as_writable_bytes(std::span{nine})), 3U);
  EXPECT_EQ(codec.read_all({}, '\n', std::as_writable_bytes(std::span{nine})), 0U);
  EXPECT_EQ(codec.read_all(text, ',', std::as_writable_bytes(std::span{nine})), 0U);
}

/// A page with nothing behind it and nothing in front: what is touched outside of it ends the program.
class LonelyPage {
 public:
  LonelyPage() : size_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) {
    void* pages = ::mmap(nullptr, 3 * size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) std::abort();
    begin_ = static_cast<char*>(pages) + size_;
    if (::mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  LonelyPage(const LonelyPage&) = delete;
  LonelyPage& operator=(const LonelyPage&) = delete;
  ~LonelyPage() { ::munmap(begin_ - size_, 3 * size_); }

  [[nodiscard]] std::span<char> first(std::size_t size) const { return {begin_, size}; }
  [[nodiscard]] std::span<char> last(std::size_t size) const {
    return {begin_ + size_ - size, size};
  }

 private:
  std::size_t size_;
  char* begin_ = nullptr;
};

TYPED_TEST(TextKernels, TouchNothingAroundTheText) {
  constexpr std::size_t kChars = TypeParam::Scheme::facts.text_size;
  const LonelyPage text_page;
  const LonelyPage id_page;
  SeededEntropy entropy{test_seed()};
  for (const auto kind : running_kernels()) {
    const auto& codec = TypeParam::codec(TextKernel::of(kind));
    for (const auto text : {text_page.first(kChars), text_page.last(kChars)}) {
      for (const auto place : {id_page.first(16), id_page.last(16)}) {
        const IdBytes id = random_id(entropy);
        std::memcpy(place.data(), id.data(), id.size());
        codec.write(std::as_bytes(place).template first<16>(), text.template first<kChars>());
        std::memset(place.data(), 0, place.size());
        ASSERT_TRUE(codec.read({text.data(), text.size()},
                               std::as_writable_bytes(place).template first<16>()));
        ASSERT_EQ(std::memcmp(place.data(), id.data(), id.size()), 0);
      }
    }
    constexpr std::size_t kCount = 7;
    const auto texts = text_page.last(kCount * (kChars + 1));
    const auto ids = id_page.last(kCount * 16);
    ASSERT_EQ(codec.write_all(std::as_bytes(ids), '\n', texts), texts.size());
    ASSERT_EQ(codec.read_all({texts.data(), texts.size()}, '\n', std::as_writable_bytes(ids)),
              kCount);
  }
}

TEST(TextKernel, BestIsTheLastThatRuns) {
  const auto kinds = running_kernels();
  ASSERT_FALSE(kinds.empty());
  EXPECT_EQ(kinds.front(), TextKernel::Kind::portable);
  EXPECT_EQ(&TextKernel::best(), &TextKernel::of(kinds.back()));
}

}  // namespace
}  // namespace mintmark::io
