#include "mintmark/text/crockford_check.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

template <class T>
std::string text(T value) {
  std::array<char, 32> out{};
  return {out.data(), write_crockford_check(value, out)};
}

TEST(CrockfordCheck, GivesTheKnownAnswers) {
  vectors::check_all("encodings",
                     {{"crock",
                       [](const Line& line) {
                         const U128 value = *parse_radix<kDecimal, U128>(line.input);
                         const std::string checked = line.answer("check");
                         EXPECT_EQ(text(value), checked);
                         EXPECT_TRUE(*parse_crockford_check<U128>(checked) == value);
                         EXPECT_TRUE(*parse_crockford_check_lenient<U128>(checked) == value);
                         if (value >> 64 != 0) {
                           EXPECT_FALSE(parse_crockford_check<std::uint64_t>(checked));
                           EXPECT_FALSE(parse_crockford_check_lenient<std::uint64_t>(checked));
                         } else {
                           EXPECT_EQ(parse_crockford_check<std::uint64_t>(checked),
                                     static_cast<std::uint64_t>(value));
                         }
                       }}},
                     {"crockint", "crock26", "b58", "b58flickr", "b58int", "b62", "b62u64reject",
                      "b64url", "b32hexlower"});
}

TEST(CrockfordCheck, GoesThereAndBack) {
  SeededEntropy entropy{test_seed()};
  for (unsigned round = 0; round < 5000; ++round) {
    const std::uint64_t value = *entropy.word() >> round % 64;
    ASSERT_EQ(parse_crockford_check<std::uint64_t>(text(value)), value);
    ASSERT_EQ(parse_crockford_check_lenient<std::uint64_t>("00-" + text(value) + "--"), value);
  }
}

TEST(CrockfordCheck, FindsEachWrongCharacterAndEachChangeOfPlaces) {
  const std::string right = text(std::uint64_t{0x0123'4567'89ab'cdef});
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      const bool last = at + 1 == right.size();
      const Alphabet& alphabet = last ? kCrockfordChecks : kCrockford;
      const std::uint8_t digit = alphabet.value_of(changed[at]);
      const auto read = parse_crockford_check<std::uint64_t>(changed);
      if (digit == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (digit == alphabet.value_of(right[at])) {
        ASSERT_TRUE(read) << byte;
      } else if (at == 0 && digit == 0) {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, 0)) << byte;
      } else if (read.error().fault() == Fault::value_overflow) {
        ASSERT_EQ(at, 0u);
      } else {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, right.size() - 1)) << byte;
      }
    }
    if (at + 2 >= right.size() || right[at] == right[at + 1]) continue;
    std::string changed = right;
    std::swap(changed[at], changed[at + 1]);
    ASSERT_FALSE(parse_crockford_check<std::uint64_t>(changed)) << changed;
  }
}

TEST(CrockfordCheck, TheLenientReaderForgivesWhatPeopleType) {
  const auto lenient = [](std::string_view typed) {
    return parse_crockford_check_lenient<std::uint64_t>(typed);
  };
  EXPECT_EQ(lenient("16JD"), 1234u);
  EXPECT_EQ(lenient("i6jd"), 1234u);
  EXPECT_EQ(lenient("L-6-J-D"), 1234u);
  EXPECT_EQ(lenient("O016JD-"), 1234u);
  EXPECT_EQ(lenient("14u"), 36u);
  EXPECT_EQ(lenient("1I"), Result<std::uint64_t>{1u}) << "the symbol has aliases as well";
  EXPECT_EQ(lenient("00"), 0u);
  EXPECT_EQ(lenient("oO"), 0u);
  EXPECT_EQ(lenient("16JE").error(), Error::at(Fault::not_canonical, 3));
  EXPECT_EQ(lenient("1-6-J-E-").error(), Error::at(Fault::not_canonical, 6));
  EXPECT_EQ(lenient("1-U-J-D").error(), Error::at(Fault::bad_character, 2));
  EXPECT_EQ(lenient("1*D").error(), Error::at(Fault::bad_character, 1));
  EXPECT_EQ(lenient("16J!").error(), Error::at(Fault::bad_character, 3));
  EXPECT_EQ(lenient("-").error(), Error::at(Fault::wrong_length, 1));
  EXPECT_EQ(lenient("--D").error(), Error::at(Fault::wrong_length, 3));
  EXPECT_EQ(lenient("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(lenient("-G0000-00000000-0").error(), Error::at(Fault::value_overflow, 14));
}

TEST(CrockfordCheck, TheStrictReaderForgivesNothing) {
  for (const std::string_view typed : {"i6JD", "16J-D", "016JD", "O16JD", "16JD-", " 16JD"}) {
    EXPECT_FALSE(parse_crockford_check<std::uint64_t>(typed)) << typed;
  }
  EXPECT_EQ(parse_crockford_check<std::uint64_t>("16jd"), 1234u) << "but either case";
  EXPECT_EQ(parse_crockford_check<std::uint64_t>("14u"), 36u);
  EXPECT_EQ(parse_crockford_check<std::uint64_t>("0").error(), Error::at(Fault::wrong_length, 1));
  EXPECT_EQ(parse_crockford_check<std::uint64_t>("").error(), Error::at(Fault::wrong_length, 0));
}

}  // namespace
}  // namespace mintmark
