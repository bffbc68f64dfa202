// The shuffles of x86-64 against slice.h, for each alphabet that they take; tests/io/text_kernels_test.cc
// holds them to UUID and ULID.

#include "mintmark/text/x86.h"

#if defined(__x86_64__)

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/text/slice.h"
#include "tests/seed.h"

namespace mintmark::x86 {
namespace {

constexpr std::size_t kChars = 26;

/// What a reader gives: the bytes in its order, and whether they count.
struct Answer {
  std::array<std::byte, 16> bytes;
  bool valid;
};

struct Sse4 {
  static bool runs() { return __builtin_cpu_supports("sse4.1") != 0; }
  template <const Alphabet& A, ByteOrder kOrder>
  [[gnu::target("sse4.1")]] static void write(const std::byte* bytes, char* out) {
    write_base32<A, kOrder>(load(bytes), out);
  }
  template <const Alphabet& A, ByteOrder kOrder>
  [[gnu::target("sse4.1")]] static void read(const char* text, Answer& answer) {
    const Read read = read_base32<A, kOrder>(text);
    store(answer.bytes.data(), read.bytes);
    answer.valid = read.valid;
  }
};

struct Avx2 {
  static bool runs() { return __builtin_cpu_supports("avx2") != 0; }
  template <const Alphabet& A, ByteOrder kOrder>
  [[gnu::target("avx2")]] static void write(const std::byte* bytes, char* out) {
    write_base32_avx2<A, kOrder>(load(bytes), out);
  }
  template <const Alphabet& A, ByteOrder kOrder>
  [[gnu::target("avx2")]] static void read(const char* text, Answer& answer) {
    const Read read = read_base32_avx2<A, kOrder>(text);
    store(answer.bytes.data(), read.bytes);
    answer.valid = read.valid;
  }
};

template <ByteOrder kOrder>
std::array<std::byte, 16> in_order(U128 value) {
  if constexpr (kOrder == ByteOrder::little) return std::bit_cast<std::array<std::byte, 16>>(value);
  std::array<std::byte, 16> bytes{};
  store_be(bytes, value);
  return bytes;
}

template <const Alphabet& A>
std::string text_of(U128 value) {
  std::string text(kChars, '?');
  write_slices<A, kChars>(value, std::span{text});
  return text;
}

/// Takes and refuses what parse_slices does, but for a first character that has too many bits.
template <class Kernel, const Alphabet& A, ByteOrder kOrder>
void expect_read(std::string_view text) {
  const auto expected = parse_slices<A, 128>(text);
  Answer answer{};
  Kernel::template read<A, kOrder>(text.data(), answer);
  if (!expected && expected.error().fault() == Fault::value_overflow) return;
  ASSERT_EQ(answer.valid, expected.has_value()) << text;
  if (expected) {
    ASSERT_EQ(answer.bytes, in_order<kOrder>(*expected)) << text;
  }
}

template <class Kernel, const Alphabet& A, ByteOrder kOrder>
void expect_the_same() {
  if (!Kernel::runs()) GTEST_SKIP() << "this CPU cannot run it";
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 2'000; ++i) {
    const U128 value = static_cast<U128>(*entropy.word()) << 64 | *entropy.word();
    const std::string text = text_of<A>(value);
    std::string written(kChars, '?');
    Kernel::template write<A, kOrder>(in_order<kOrder>(value).data(), written.data());
    ASSERT_EQ(written, text);
    expect_read<Kernel, A, kOrder>(text);
    if (testing::Test::HasFatalFailure()) return;
    std::string changed = text;
    const std::uint64_t word = *entropy.word();
    changed[word % kChars] = static_cast<char>(word >> 32);
    expect_read<Kernel, A, kOrder>(changed);
  }
  const std::string text = text_of<A>(static_cast<U128>(*entropy.word()) << 64);
  for (std::size_t at = 0; at < kChars; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      expect_read<Kernel, A, kOrder>(changed);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class Kernel>
void expect_the_same_in_each_alphabet() {
  expect_the_same<Kernel, kCrockford, ByteOrder::little>();
  expect_the_same<Kernel, kCrockford, ByteOrder::big>();
  expect_the_same<Kernel, kCrockfordLower, ByteOrder::little>();
  expect_the_same<Kernel, kCrockfordLower, ByteOrder::big>();
  expect_the_same<Kernel, kCrockfordAliased, ByteOrder::little>();
  expect_the_same<Kernel, kBase32HexLower, ByteOrder::little>();
}

TEST(X86, Sse4ReadsAndWritesBase32AsSlicesDo) { expect_the_same_in_each_alphabet<Sse4>(); }
TEST(X86, Avx2ReadsAndWritesBase32AsSlicesDo) { expect_the_same_in_each_alphabet<Avx2>(); }

// Upper case alone, and characters that are neither digits nor letters, are for the look-ups of slice.h.
constexpr Alphabet kUpper{"0123456789ABCDEFGHJKMNPQRSTVWXYZ"};
constexpr Alphabet kDashed{"-0123456789abcdefghjkmnpqrstvwxy"};
static_assert(kBase32Rows<kCrockford>.complete && kBase32Rows<kCrockfordLower>.complete);
static_assert(kBase32Rows<kCrockford>.letters == LetterCase::either &&
              kBase32Rows<kCrockfordLower>.letters == LetterCase::strict);
static_assert(!kBase32Rows<kUpper>.complete && !kBase32Rows<kDashed>.complete &&
              !kBase32Rows<kHexLower>.complete && !kBase32Rows<kBase64Url>.complete);

}  // namespace
}  // namespace mintmark::x86

#endif
