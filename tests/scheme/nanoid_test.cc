#include "mintmark/scheme/nanoid.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/nanoid_form.h"
#include "mintmark/text/radix.h"
#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

std::string text(const Nanoid& id) {
  std::string out(Nanoid::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

/// The bytes that a vector lists: each draw begins with the first of them again.
class ListedEntropy final : public Entropy {
 public:
  explicit ListedEntropy(std::string_view list) {
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      bytes_.push_back(static_cast<std::byte>(*parse_decimal(list.substr(0, comma))));
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
  }
  [[nodiscard]] Result<void> fill(std::span<std::byte> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = bytes_[i % bytes_.size()];
    return {};
  }

 private:
  std::vector<std::byte> bytes_;
};

/// A size as a command line would take it: a number first, then a form.
Result<NanoidForm> form_of(std::string_view alphabet, std::string_view size) {
  MINTMARK_TRY(number, parse_decimal(size));
  return NanoidForm::make(alphabet, number);
}

void expect_custom(const Line& line) {
  const auto form = form_of(line.parameters.at(0), line.input.substr(std::string{"size "}.size()));
  ASSERT_TRUE(form);
  ListedEntropy entropy{line.parameter("bytes", "")};
  std::string out(form->size(), '?');
  EXPECT_EQ(form->write(entropy, out), out.size());
  EXPECT_EQ(out, line.expected);
}

void expect_size(const Line& line) {
  const auto form = form_of("0123456789", line.input);
  ASSERT_EQ(form.has_value(), !line.fails());
  if (!form) return;
  BreakableEntropy entropy{test_seed()};
  std::string out(form->size(), '?');
  EXPECT_EQ(form->write(entropy, out), out.size());
  EXPECT_EQ(out, line.expected);
  EXPECT_EQ(entropy.calls, 0u);
}

void expect_alphabet(const Line& line) {
  std::string alphabet(std::stoul(line.input), '?');
  for (std::size_t i = 0; i < alphabet.size(); ++i) alphabet[i] = static_cast<char>(i);
  const auto form = NanoidForm::make(alphabet, 21);
  ASSERT_TRUE(line.fails());
  EXPECT_EQ(form.error().fault(), Fault::wrong_length);
}

TEST(Nanoid, GivesTheKnownAnswers) {
  vectors::check_all("nanoid", {{"nanoidcustom", expect_custom},
                                {"nanoidsize", expect_size},
                                {"nanoidalphabet", expect_alphabet}});
}

TEST(Nanoid, NamesEachWrongByteAtEachPosition) {
  for (std::size_t at = 0; at < 21; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed(21, '-');
      changed[at] = static_cast<char>(byte);
      const auto read = Nanoid::parse(changed);
      const std::uint8_t value = kBase64Push.value_of(changed[at]);
      if (value == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else {
        ASSERT_TRUE(read) << byte;
        ASSERT_TRUE(read->integer() == static_cast<U128>(value) << 6 * (20 - at)) << byte;
      }
    }
  }
  EXPECT_EQ(Nanoid::parse("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(Nanoid::parse(std::string(20, 'a')).error(), Error::at(Fault::wrong_length, 20));
  EXPECT_EQ(Nanoid::parse(std::string(22, 'a')).error(), Error::at(Fault::wrong_length, 21));
}

TEST(Nanoid, PacksWhatFitsAndRefusesTheRest) {
  const U128 largest = (U128{1} << 126) - 1;
  EXPECT_EQ(text(*Nanoid::pack({.random = largest})), std::string(21, 'z'));
  EXPECT_EQ(text(*Nanoid::pack({})), std::string(21, '-'));
  EXPECT_EQ(Nanoid::pack({.random = largest + 1}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(Nanoid::pack({.random = ~U128{0}}).error().fault(), Fault::value_overflow);
}

TEST(Nanoid, RefusesBytesWithATopBit) {
  for (unsigned top = 0; top < 256; ++top) {
    std::array<std::byte, 16> bytes{};
    bytes[0] = static_cast<std::byte>(top);
    const auto id = Nanoid::from_bytes(bytes);
    ASSERT_EQ(id.has_value(), top < 64) << top;
    if (!id) {
      EXPECT_EQ(id.error(), Error::at(Fault::value_overflow, 0));
    }
  }
  EXPECT_EQ(Nanoid::from_bytes(std::array<std::byte, 15>{}).error(),
            Error::at(Fault::wrong_length, 15));
}

TEST(Nanoid, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  Nanoid::Generator generator{entropy};
  Nanoid before;
  std::array<std::byte, 16> bytes_before{};
  for (int round = 0; round < 5000; ++round) {
    const Nanoid id = *generator.next();
    EXPECT_EQ(Nanoid::parse(text(id)), id);
    EXPECT_EQ(Nanoid::pack(id.unpack()), id);
    std::array<std::byte, 16> bytes{};
    id.to_bytes(bytes);
    EXPECT_EQ(Nanoid::from_bytes(bytes), id);
    EXPECT_EQ(id < before, text(id) < text(before));
    EXPECT_EQ(id < before, bytes < bytes_before);
    before = id;
    bytes_before = bytes;
  }
}

TEST(NanoidGenerator, EveryBitIsRandom) {
  SeededEntropy entropy{test_seed()};
  Nanoid::Generator generator{entropy};
  std::vector<Nanoid> ids(4096);
  ASSERT_EQ(generator.fill(ids), ids.size());
  for (unsigned bit = 0; bit < Nanoid::facts.random_bits; ++bit) {
    unsigned ones = 0;
    for (const Nanoid& id : ids) ones += static_cast<unsigned>(id.integer() >> bit) & 1;
    // Half of 4096 within 10 standard deviations of 32.
    EXPECT_GT(ones, 2048u - 320);
    EXPECT_LT(ones, 2048u + 320);
  }
}

TEST(NanoidGenerator, NeverRepeatsAcrossNextAndFill) {
  SeededEntropy entropy{test_seed()};
  Nanoid::Generator generator{entropy};
  std::unordered_set<Nanoid> seen;
  std::size_t made = 0;
  for (const std::size_t size : {1u, 63u, 64u, 65u, 1000u, 0u}) {
    std::vector<Nanoid> ids(size);
    ASSERT_EQ(generator.fill(ids), size);
    seen.insert(ids.begin(), ids.end());
    seen.insert(*generator.next());
    made += size + 1;
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(NanoidGenerator, SaysWhenTheEntropyFails) {
  BreakableEntropy entropy{test_seed()};
  Nanoid::Generator generator{entropy};
  std::vector<Nanoid> ids(200);
  entropy.calls_until_broken = 2;
  EXPECT_EQ(generator.fill(ids), 128u);
  EXPECT_NE(ids[127], Nanoid{});
  EXPECT_EQ(ids[128], Nanoid{});
  EXPECT_EQ(generator.fill(ids).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next().error().fault(), Fault::entropy_unavailable);
}

static_assert(!std::is_copy_constructible_v<Nanoid::Generator> &&
              !std::is_move_constructible_v<Nanoid::Generator> &&
              !std::is_copy_assignable_v<Nanoid::Generator>);

}  // namespace
}  // namespace mintmark
