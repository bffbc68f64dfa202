#include "mintmark/seal/dress.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "mintmark/text/radix.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

std::string written(const FixedDigits& digits, U128 value) {
  std::string text(digits.width(), '?');
  digits.write(value, text);
  return text;
}

TEST(Dress, RoundTripsInEveryAlphabetAndWidth) {
  std::mt19937_64 random{test_seed()};
  for (const DressRow& row : kDresses) {
    for (unsigned bits = 1; bits <= 128; ++bits) {
      const U128 largest =
          (static_cast<U128>(random()) << 64 | random()) >> (128 - bits) | U128{1} << (bits - 1);
      const FixedDigits digits{*row.alphabet, largest};
      for (const U128 value : {U128{0}, largest, largest / 2, largest / 3}) {
        const std::string text = written(digits, value);
        const auto read = digits.parse(text);
        ASSERT_TRUE(read) << text;
        ASSERT_TRUE(*read == value) << text;
      }
      EXPECT_NE(written(digits, largest).front(), (*row.alphabet)[0]);
    }
  }
}

TEST(Dress, WritesAsTheRadixHeaderDoes) {
  std::mt19937_64 random{test_seed()};
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t value = random() >> random() % 64;
    const FixedDigits digits{kBase62DigitUpperLower, ~std::uint64_t{0}};
    std::string expected(11, '?');
    write_fixed<kBase62DigitUpperLower>(value, std::span{expected});
    EXPECT_EQ(written(digits, value), expected);
  }
}

TEST(Dress, RefusesWhatIsAboveTheLargestNumber) {
  const FixedDigits digits{kDecimal, 4'095};
  EXPECT_TRUE(digits.parse("4095") == U128{4'095});
  EXPECT_EQ(digits.parse("4096").error(), Error::at(Fault::value_overflow, 3));
  EXPECT_EQ(digits.parse("4100").error(), Error::at(Fault::value_overflow, 1));
  EXPECT_EQ(digits.parse("5000").error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(digits.parse("9x99").error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(digits.parse("x999").error(), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(digits.parse("409").error(), Error::at(Fault::wrong_length, 3));
  EXPECT_EQ(digits.parse("40955").error(), Error::at(Fault::wrong_length, 4));
  EXPECT_EQ(digits.parse("").error(), Error::at(Fault::wrong_length, 0));
}

TEST(Dress, EveryByteAtEveryPositionIsReadOrRefusedThere) {
  for (const DressRow& row : kDresses) {
    const FixedDigits digits{*row.alphabet, 999'999};
    for (std::size_t at = 0; at < digits.width(); ++at) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        std::string text(digits.width(), (*row.alphabet)[0]);
        text[at] = static_cast<char>(byte);
        const auto read = digits.parse(text);
        const std::uint8_t digit = row.alphabet->value_of(text[at]);
        U128 value = digit;
        for (std::size_t i = at + 1; i < digits.width(); ++i) value *= row.alphabet->size();
        if (digit == Alphabet::kNone) {
          EXPECT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
        } else if (value > 999'999) {
          EXPECT_EQ(read.error(), Error::at(Fault::value_overflow, at)) << byte;
        } else {
          ASSERT_TRUE(read) << byte;
          EXPECT_TRUE(*read == value) << byte;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mintmark
