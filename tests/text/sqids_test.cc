#include "mintmark/text/sqids.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
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

constexpr std::array<std::uint8_t, 5> kLengths{0, 1, 7, 62, 255};
constexpr std::uint64_t kLargest = ~std::uint64_t{0};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    parts.emplace_back(text.substr(0, text.find(at)));
    text.remove_prefix(std::min(parts.back().size() + 1, text.size()));
  }
  return parts;
}

/// `[1,2,3]`
Numbers numbers_of(std::string_view list) {
  Numbers numbers;
  for (const std::string& digits : split(list.substr(1, list.size() - 2), ',')) {
    numbers.push_back(*parse_decimal(digits));
  }
  return numbers;
}

std::string text(const Sqids& sqids, const Numbers& numbers) {
  std::string out(sqids.size_of(numbers), '?');
  const auto size = sqids.encode(numbers, out);
  EXPECT_TRUE(size);
  EXPECT_EQ(size, out.size());
  EXPECT_LE(out.size(), sqids.longest(numbers.size()));
  return out;
}

Result<Numbers> decoded(const Sqids& sqids, std::string_view text) {
  Numbers numbers(text.size() / 2);
  const auto count = sqids.decode(text, numbers);
  if (!count) return fail(count.error());
  numbers.resize(*count);
  return numbers;
}

void expect_both_ways(const Sqids& sqids, const Numbers& numbers) {
  const std::string out = text(sqids, numbers);
  ASSERT_EQ(decoded(sqids, out), numbers) << out;
  ASSERT_TRUE(sqids.is_canonical(out)) << out;
}

void expect_sqids(const Line& line) {
  const std::string alphabet =
      line.parameter("alphabet", std::string{kBase62LowerUpperDigit.chars()});
  const std::vector<std::string> words = split(line.parameter("blocklist", ""), ',');
  const std::vector<std::string_view> views{words.begin(), words.end()};
  SqidsOptions options{
      .alphabet = alphabet,
      .min_length = static_cast<std::uint8_t>(std::stoi(line.parameter("minlength", "0")))};
  if (line.parameter("blocklist", "?") != "?") options.blocklist = views;
  const auto sqids = Sqids::make(options);
  ASSERT_TRUE(sqids);
  const Numbers numbers = numbers_of(line.input);
  if (line.fails()) {
    std::string out(sqids->size_of(numbers), '?');
    EXPECT_EQ(sqids->encode(numbers, out).error().fault(), Fault::invalid_argument);
    return;
  }
  EXPECT_EQ(text(*sqids, numbers), line.expected);
  EXPECT_EQ(decoded(*sqids, line.expected), numbers);
  EXPECT_TRUE(sqids->is_canonical(line.expected));
}

void expect_decoded(const Line& line) {
  const auto numbers = decoded(kSqids, line.input);
  if (line.expected == "[]") {
    EXPECT_FALSE(numbers);
  } else {
    EXPECT_EQ(numbers, numbers_of(line.expected));
  }
}

TEST(Sqids, GiveTheKnownAnswers) {
  vectors::check_all("sqids", {{"sqids", expect_sqids}, {"sqidsdecode", expect_decoded}});
}

TEST(Sqids, GoThereAndBackInEachAlphabet) {
  SeededEntropy entropy{test_seed()};
  std::string ascii(128, '?');
  for (std::size_t i = 0; i < ascii.size(); ++i) ascii[i] = static_cast<char>(i);
  const std::vector<std::string> alphabets{"abc", "0123456789abcdef", ascii,
                                           std::string{kBase62LowerUpperDigit.chars()}};
  for (const std::string& alphabet : alphabets) {
    for (const std::uint8_t min_length : kLengths) {
      const auto sqids = Sqids::make({.alphabet = alphabet, .min_length = min_length});
      ASSERT_TRUE(sqids);
      for (unsigned round = 0; round < 60; ++round) {
        Numbers numbers(round % 7);
        for (std::uint64_t& number : numbers) number = *entropy.word() >> (*entropy.word() % 64);
        // Three letters can only spell texts of which some are words, and then there may be none left.
        std::string out(sqids->size_of(numbers), '?');
        if (!sqids->encode(numbers, out)) continue;
        expect_both_ways(*sqids, numbers);
      }
    }
  }
  expect_both_ways(kSqids, {});
  expect_both_ways(kSqids, {0});
  expect_both_ways(kSqids, {kLargest, kLargest, 0, kLargest});
  EXPECT_EQ(kSqids.longest(1), 12u);
  EXPECT_EQ(kSqids.longest(0), 0u);
  EXPECT_EQ(Sqids::make({.alphabet = "abc", .min_length = 0, .blocklist = {}})->longest(1), 65u);
  EXPECT_EQ(
      text(*Sqids::make({.alphabet = "abc", .min_length = 0, .blocklist = {}}), {kLargest}).size(),
      65u);
}

TEST(Sqids, EveryNumberHasItsOwnText) {
  std::set<std::string> seen;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    seen.insert(text(kSqids, {i}));
    seen.insert(text(kSqids, {i, i}));
  }
  EXPECT_EQ(seen.size(), 40'000u);
}

TEST(Sqids, NoTextHoldsAWordOfTheList) {
  std::size_t avoided = 0;
  const Sqids free = *Sqids::make({.min_length = 0, .blocklist = {}});
  const SqidsBlocklist blocklist{sqids::kDefaultBlocklist};
  for (std::uint64_t i = 0; i < 300'000; ++i) {
    const std::string out = text(kSqids, {i});
    ASSERT_FALSE(blocklist.blocks(out)) << out;
    if (text(free, {i}) == out) continue;
    ++avoided;
    ASSERT_TRUE(blocklist.blocks(text(free, {i})));
    ASSERT_EQ(decoded(kSqids, text(free, {i})), Numbers{i}) << "an old text still decodes";
    ASSERT_FALSE(kSqids.is_canonical(text(free, {i})));
  }
  EXPECT_GT(avoided, 0u);
}

TEST(Sqids, DecodeIsNotInjectiveAndTheCanonicalOneIs) {
  Numbers numbers(8);
  EXPECT_EQ(kSqids.decode("aho1e", numbers), 1u);
  EXPECT_EQ(numbers[0], 4572721u);
  EXPECT_EQ(kSqids.decode_canonical("aho1e", numbers).error(), Error::at(Fault::not_canonical, 0));
  EXPECT_EQ(kSqids.decode_canonical("JExTR", numbers), 1u);
  // A prefix alone, a prefix and a separator, and a surplus behind two separators are no other numbers.
  EXPECT_EQ(decoded(kSqids, "8"), Numbers{});
  EXPECT_FALSE(kSqids.is_canonical("8"));
  EXPECT_EQ(decoded(kSqids, "86Rf07xd4z"), (Numbers{1, 2, 3}));
  EXPECT_EQ(kSqids.decode_canonical("86Rf07xd4z", numbers).error(),
            Error::at(Fault::not_canonical, 6));
  // A leading zero digit is another text of the same number.
  std::size_t others = 0;
  for (const char zero : kBase62LowerUpperDigit.chars()) {
    const std::string longer = std::string{"Uk"}.insert(1, 1, zero);
    if (decoded(kSqids, longer) != Numbers{1}) continue;
    ++others;
    EXPECT_EQ(kSqids.decode_canonical(longer, numbers).error(), Error::at(Fault::not_canonical, 1));
  }
  EXPECT_EQ(others, 1u);
}

TEST(Sqids, OneTextOfAllPerListIsCanonical) {
  const Sqids small = *Sqids::make({.alphabet = "abcd", .min_length = 0, .blocklist = {}});
  std::set<Numbers> seen;
  std::size_t canonical = 0;
  for (std::size_t size = 0; size <= 6; ++size) {
    for (std::size_t which = 0; which < std::size_t{1} << 2 * size; ++which) {
      std::string spelled(size, '?');
      for (std::size_t i = 0; i < size; ++i) spelled[i] = "abcd"[which >> 2 * i & 3];
      if (!small.is_canonical(spelled)) continue;
      ++canonical;
      const Numbers numbers = *decoded(small, spelled);
      EXPECT_EQ(text(small, numbers), spelled);
      EXPECT_TRUE(seen.insert(numbers).second) << spelled;
    }
  }
  EXPECT_GT(canonical, 100u);
}

TEST(Sqids, NameEachWrongByteAtEachPosition) {
  const std::string right = text(kSqids, {1, 2, 3});
  Numbers numbers(8);
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      if (kBase62LowerUpperDigit.value_of(changed[at]) == Alphabet::kNone) {
        ASSERT_EQ(kSqids.decode(changed, numbers).error(), Error::at(Fault::bad_character, at));
        ASSERT_FALSE(kSqids.is_canonical(changed));
      } else {
        ASSERT_TRUE(kSqids.decode(changed, numbers));
        ASSERT_EQ(kSqids.is_canonical(changed), text(kSqids, *decoded(kSqids, changed)) == changed);
      }
    }
  }
}

TEST(Sqids, NameTheNumberThatHasNoRoom) {
  const std::string right = text(kSqids, {kLargest, 7});
  Numbers numbers(2);
  EXPECT_EQ(kSqids.decode(right, numbers), 2u);
  EXPECT_EQ(kSqids.decode(right, std::span{numbers}.first(1)).error(),
            Error::at(Fault::too_many, right.size() - 1));
  EXPECT_EQ(kSqids.decode(right, {}).error(), Error::at(Fault::too_many, 1));
}

TEST(Sqids, NameTheDigitThatLeavesSixtyFourBits) {
  const Sqids two = *Sqids::make({.alphabet = "abc", .min_length = 0, .blocklist = {}});
  Numbers numbers(40);
  std::string longest = text(two, {kLargest});
  ASSERT_EQ(two.decode(longest, numbers), 1u);
  longest += longest.back();
  EXPECT_EQ(two.decode(longest, numbers).error(), Error::at(Fault::value_overflow, 65));
}

TEST(Sqids, CanonicalTextsHaveALimit) {
  const Numbers many(700, 0);
  const std::string longest = text(kSqids, many);
  ASSERT_GT(longest.size(), Sqids::kLongestCanonical);
  EXPECT_EQ(decoded(kSqids, longest), many);
  Numbers numbers(many.size());
  EXPECT_EQ(kSqids.decode_canonical(longest, numbers).error(),
            Error::at(Fault::wrong_length, Sqids::kLongestCanonical));
}

TEST(Sqids, RefuseAlphabetsThatAreNone) {
  EXPECT_EQ(Sqids::make({.alphabet = ""}).error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(Sqids::make({.alphabet = "ab"}).error(), Error::at(Fault::wrong_length, 2));
  EXPECT_EQ(Sqids::make({.alphabet = "aabcdefg"}).error(), Error::at(Fault::invalid_argument, 1));
  EXPECT_EQ(Sqids::make({.alphabet = "\xc3\xab"
                                     "1092"})
                .error(),
            Error::at(Fault::bad_character, 0));
}

TEST(SqidsBlocklist, HasTheWordsOfTheSpecification) {
  EXPECT_EQ(sqids::kDefaultBlocklist.size(), 560u);
  std::size_t characters = 0;
  std::size_t with_digits = 0;
  for (const std::string_view word : sqids::kDefaultBlocklist) {
    characters += word.size();
    with_digits += word.find_first_of("0123456789") != std::string_view::npos ? 1U : 0U;
    EXPECT_GE(word.size(), 3u);
    EXPECT_LE(word.size(), 13u);
    EXPECT_TRUE(std::ranges::all_of(word, [](char c) {
      return kBase36Lower.value_of(c) != Alphabet::kNone;
    })) << word;
  }
  // Counted in the published list.
  EXPECT_EQ(characters, 3744u);
  EXPECT_EQ(with_digits, 361u);
}

TEST(SqidsBlocklist, MatchesByTheRulesOfTheSpecification) {
  const auto blocks = [](std::vector<std::string_view> words, std::string_view text) {
    return SqidsBlocklist{words}.blocks(text);
  };
  EXPECT_TRUE(blocks({"abcd"}, "xxabcdxx"));
  EXPECT_TRUE(blocks({"ABcd"}, "xxabCDxx"));
  EXPECT_FALSE(blocks({"abcd"}, "xxabcxx"));
  EXPECT_FALSE(blocks({"abc"}, "xxabcxx")) << "three characters match as a whole only";
  EXPECT_TRUE(blocks({"abc"}, "aBc"));
  EXPECT_FALSE(blocks({"ab"}, "ab")) << "two characters do not count";
  EXPECT_FALSE(blocks({""}, "ab"));
  EXPECT_TRUE(blocks({"ab1d"}, "ab1dxx")) << "with a digit, at either end";
  EXPECT_TRUE(blocks({"ab1d"}, "xxab1d"));
  EXPECT_FALSE(blocks({"ab1d"}, "xab1dx"));
  EXPECT_FALSE(blocks({"abcdefgh"}, "abcdefg"));
  EXPECT_FALSE(blocks({"abcd"}, ""));
  EXPECT_FALSE(blocks({}, "abcd"));
  // Order and other characters make no difference.
  EXPECT_TRUE(blocks({"zzzz", "Abcd", "mmmm"}, "xabcdx"));
  EXPECT_TRUE(blocks({"Abcd", "mmmm", "zzzz"}, "xmmmmx"));
  EXPECT_TRUE(blocks({"", "\xc3\xab\xc3\xab", "abcd"}, "xabcdx"));
  EXPECT_FALSE(blocks({"\xc3\xab\xc3\xab"}, "xabcdx"));
}

}  // namespace
}  // namespace mintmark
