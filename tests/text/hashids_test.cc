#include "mintmark/text/hashids.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/text/radix.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;
using Numbers = std::vector<std::uint64_t>;

constexpr std::array<std::uint8_t, 5> kLengths{0, 1, 8, 30, 255};
constexpr std::uint64_t kLargest = ~std::uint64_t{0};
constexpr std::string_view kOwnAlphabet = "xzal86grmb4jhysfoqp3we7291kuct5iv0nd";

/// `[1,2,3]`
Numbers numbers_of(std::string_view list) {
  Numbers numbers;
  list = list.substr(1, list.size() - 2);
  while (!list.empty()) {
    const std::string_view digits = list.substr(0, list.find(','));
    numbers.push_back(*parse_decimal(digits));
    list.remove_prefix(std::min(digits.size() + 1, list.size()));
  }
  return numbers;
}

std::string text(const Hashids& hashids, const Numbers& numbers) {
  std::string out(hashids.size_of(numbers), '?');
  EXPECT_EQ(hashids.encode(numbers, out), out.size());
  EXPECT_LE(out.size(), hashids.longest(numbers.size()));
  return out;
}

Result<Numbers> decoded(const Hashids& hashids, std::string_view text) {
  Numbers numbers(text.size() / 2);
  const auto count = hashids.decode(text, numbers);
  if (!count) return fail(count.error());
  numbers.resize(*count);
  return numbers;
}

std::string hex_text(const Hashids& hashids, std::string_view hex) {
  std::string out(hashids.longest((hex.size() + 11) / 12), '?');
  const auto size = hashids.encode_hex(hex, out);
  EXPECT_TRUE(size);
  return out.substr(0, size.value_or(0));
}

Result<std::string> hex_of(const Hashids& hashids, std::string_view text) {
  std::string hex(2 * text.size(), '?');
  const auto size = hashids.decode_hex(text, hex);
  if (!size) return fail(size.error());
  return hex.substr(0, *size);
}

void expect_hashids(const Line& line) {
  const std::string salt = line.parameter("salt", "");
  const HashidsOptions standard;
  const std::string alphabet = line.parameter("alphabet", std::string{standard.alphabet});
  const auto hashids =
      Hashids::make({.salt = salt,
                     .min_length = static_cast<std::uint8_t>(std::stoi(line.parameter("min", "0"))),
                     .alphabet = alphabet});
  ASSERT_TRUE(hashids);
  const Numbers numbers = numbers_of(line.input);
  EXPECT_EQ(text(*hashids, numbers), line.expected);
  EXPECT_EQ(decoded(*hashids, line.expected), numbers);
}

TEST(Hashids, GiveTheKnownAnswers) {
  vectors::check_all("hashids", {{"hashids", expect_hashids},
                                 {"hashidshex", [](const Line& line) {
                                    EXPECT_EQ(hex_text(kHashids, line.input), line.expected);
                                    EXPECT_EQ(hex_of(kHashids, line.expected), line.input);
                                  }}});
}

TEST(Hashids, GoThereAndBackWithEachSetUp) {
  SeededEntropy entropy{test_seed()};
  std::string ascii(127, '?');
  for (std::size_t i = 0; i < ascii.size(); ++i) ascii[i] = static_cast<char>(i + 1);
  const std::vector<std::string> alphabets{ascii, std::string{kOwnAlphabet}, "0123456789abcdef",
                                           "cfhistuCFHISTUab", "cfhistuCFHISTUabc"};
  for (const std::string& alphabet : alphabets) {
    for (const std::string& salt : {std::string{}, std::string{"this is my salt"},
                                    std::string(500, 'x'), std::string{"\xc3\xa4\xe2\x82\xac"}}) {
      for (const std::uint8_t min_length : kLengths) {
        const auto hashids =
            Hashids::make({.salt = salt, .min_length = min_length, .alphabet = alphabet});
        ASSERT_TRUE(hashids);
        for (unsigned round = 0; round < 20; ++round) {
          Numbers numbers(round % 6);
          for (std::uint64_t& number : numbers) number = *entropy.word() >> (*entropy.word() % 64);
          const std::string out = text(*hashids, numbers);
          ASSERT_EQ(decoded(*hashids, out), numbers) << out;
          if (!numbers.empty()) {
            ASSERT_GE(out.size(), min_length);
          }
        }
      }
    }
  }
  EXPECT_EQ(decoded(kHashids, ""), Numbers{});
  EXPECT_EQ(kHashids.longest(1), 13u);
  EXPECT_EQ(text(kHashids, {kLargest}).size(), 13u);
}

TEST(Hashids, SaltsOfOtherScriptsCountByCharacter) {
  // Computed with hashids.js 2.3.
  const auto salted = [](std::string_view salt) {
    return text(*Hashids::make({.salt = salt, .min_length = 12}), {1, 2, 3});
  };
  EXPECT_EQ(salted("\xc3\xa4\xc3\xb6\xc3\xbc"), "xpAKmHecB6Z8");
  EXPECT_EQ(salted("\xe2\x82\xac \xf0\x9f\x98\x80"), "B8nxKUVs6Zjv");
}

TEST(Hashids, RefuseSaltsThatAreNoText) {
  const auto error = [](std::string_view salt) { return Hashids::make({.salt = salt}).error(); };
  EXPECT_EQ(error("ab\xff"), Error::at(Fault::bad_character, 2));
  EXPECT_EQ(error("\xc3"), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(error("a\xc3("), Error::at(Fault::bad_character, 1));
  EXPECT_EQ(error("\xc0\x80"), Error::at(Fault::bad_character, 0)) << "overlong";
  EXPECT_EQ(error("\xed\xa0\x80"), Error::at(Fault::bad_character, 0)) << "half a character";
  EXPECT_EQ(error("\xf4\x90\x80\x80"), Error::at(Fault::bad_character, 0)) << "above the last";
  EXPECT_EQ(error("\x80"), Error::at(Fault::bad_character, 0)) << "in the middle of one";
}

TEST(Hashids, ALongSaltsEndDoesNothing) {
  const std::string front(128, 's');
  EXPECT_EQ(text(*Hashids::make({.salt = front + "secret"}), {42}),
            text(*Hashids::make({.salt = front + "public"}), {42}));
  EXPECT_NE(text(*Hashids::make({.salt = "secret"}), {42}),
            text(*Hashids::make({.salt = "public"}), {42}));
}

TEST(Hashids, RefuseEveryTextThatTheyWouldNotWrite) {
  const auto hashids = Hashids::make({.salt = "salt", .min_length = 6});
  ASSERT_TRUE(hashids);
  std::size_t accepted = 0;
  for (const Numbers& numbers : {Numbers{7}, Numbers{1, 2}, Numbers{123456789}, Numbers{0, 0, 0}}) {
    const std::string right = text(*hashids, numbers);
    for (std::size_t at = 0; at < right.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = right;
        changed[at] = static_cast<char>(byte);
        const auto read = decoded(*hashids, changed);
        if (kBase62DigitUpperLower.value_of(changed[at]) == Alphabet::kNone) {
          ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
        } else if (read) {
          ++accepted;
          ASSERT_EQ(text(*hashids, *read), changed);
        } else {
          ASSERT_EQ(read.error().fault(), Fault::not_canonical) << changed;
        }
      }
    }
    for (const char last : kBase62DigitUpperLower.chars()) {
      EXPECT_FALSE(decoded(*hashids, right + last) == numbers) << last;
    }
  }
  EXPECT_GE(accepted, 4u);
}

TEST(Hashids, NameWhereATextGoesWrong) {
  Numbers numbers(8);
  EXPECT_EQ(kHashids.decode("o2fXh*", numbers).error(), Error::at(Fault::bad_character, 5));
  EXPECT_EQ(kHashids.decode("gY", std::span<std::uint64_t>{}).error(),
            Error::at(Fault::too_many, 1));
  EXPECT_EQ(kHashids.decode("o2fXhV", std::span{numbers}.first(2)).error(),
            Error::at(Fault::too_many, 5));
  EXPECT_EQ(kHashids.decode("o2fXhv", numbers).error().fault(), Fault::not_canonical);
  EXPECT_EQ(kHashids.decode(std::string(Hashids::kLongest + 1, 'a'), numbers).error(),
            Error::at(Fault::wrong_length, Hashids::kLongest));
  // 64 bits are 11 digits of 44; a digit more does not fit.
  const auto overflow = kHashids.decode("AOo9Ql5nQR1VOO", numbers);
  EXPECT_EQ(overflow.error(), Error::at(Fault::value_overflow, 13));
}

TEST(Hashids, TextsHaveALimit) {
  const Numbers many(512, 0);
  std::string out(2000, '?');
  EXPECT_EQ(kHashids.encode(many, out), Hashids::kLongest);
  Numbers numbers(many.size());
  EXPECT_EQ(kHashids.decode(std::string_view{out}.substr(0, Hashids::kLongest), numbers), 512u);
  EXPECT_EQ(numbers, many);
  EXPECT_EQ(kHashids.encode(Numbers(513, 0), out).error().fault(), Fault::too_many);
  EXPECT_EQ(kHashids.encode_hex(std::string(2000, 'f'), out).error().fault(), Fault::too_many);
  EXPECT_EQ(kHashids.longest(1'000'000), Hashids::kLongest);
}

TEST(HashidsHex, GoesThereAndBackAtEachLength) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t size = 0; size < 100; ++size) {
    std::string hex(size, '0');
    for (char& digit : hex) digit = kHexLower[*entropy.word() % 16];
    EXPECT_EQ(hex_of(kHashids, hex_text(kHashids, hex)), hex);
    const std::string zeros(size, '0');
    EXPECT_EQ(hex_of(kHashids, hex_text(kHashids, zeros)), zeros) << "zeros stay";
  }
  EXPECT_EQ(hex_text(kHashids, "DEADBEEF"), hex_text(kHashids, "deadbeef"));
}

TEST(HashidsHex, RefusesWhatIsNone) {
  std::string out(64, '?');
  EXPECT_EQ(kHashids.encode_hex("dead-beef", out).error(), Error::at(Fault::bad_character, 4));
  EXPECT_EQ(kHashids.decode_hex("wpVL4j9", out).error().fault(), Fault::not_canonical);
  EXPECT_EQ(kHashids.decode_hex("wpVL4j9g", std::span{out}.first(7)).error(),
            Error::at(Fault::too_many, 1));
  // A number in whose hex no 1 stands in front, and two numbers where one would do.
  EXPECT_EQ(hex_of(kHashids, text(kHashids, {0x2345})).error(), Error::at(Fault::not_canonical, 1));
  EXPECT_EQ(hex_of(kHashids, text(kHashids, {0})).error(), Error::at(Fault::not_canonical, 1));
  EXPECT_EQ(hex_of(kHashids, text(kHashids, {0x1a, 0x1b})).error().fault(), Fault::not_canonical);
  EXPECT_EQ(hex_of(kHashids, text(kHashids, {0x1'0000'0000'0000'0})).error().fault(),
            Fault::not_canonical);
}

TEST(Hashids, RefuseSetUpsThatCanNotWork) {
  const auto error = [](const HashidsOptions& options) { return Hashids::make(options).error(); };
  EXPECT_EQ(error({.alphabet = "abcdefghijklmno"}), Error::at(Fault::wrong_length, 15));
  EXPECT_EQ(error({.alphabet = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}),
            Error::at(Fault::wrong_length, 1));
  EXPECT_EQ(error({.alphabet = "abcdefghijklmnop\xc3\xab"}), Error::at(Fault::bad_character, 16));
  EXPECT_EQ(error({.alphabet = std::string_view{"abcdefghijklmnop\0", 17}}),
            Error::at(Fault::bad_character, 16));
  EXPECT_EQ(error({.separators = "abca"}), Error::at(Fault::invalid_argument, 3));
  EXPECT_EQ(error({.alphabet = "abcdefghijklmnop", .separators = "abcdefghijklmno"}).fault(),
            Fault::invalid_argument);
  EXPECT_TRUE(Hashids::make({.alphabet = "abcdefghijklmnop", .separators = "abcdefghijklmn"}));
  EXPECT_TRUE(Hashids::make({.separators = ""}));
  EXPECT_TRUE(Hashids::make({.separators = "!?"})) << "those outside the alphabet do not count";
  // A letter that comes again does not count, as in the reference.
  EXPECT_EQ(text(*Hashids::make({.alphabet = "abcdefghijklmnopabcdefghijklmnop"}), {1, 2, 3}),
            text(*Hashids::make({.alphabet = "abcdefghijklmnop"}), {1, 2, 3}));
}

}  // namespace
}  // namespace mintmark
