#include "mintmark/text/digits.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"

namespace mintmark::digits {
namespace {

std::string padded(std::uint64_t value, std::size_t width) {
  const std::string text = std::to_string(value);
  return std::string(width - text.size(), '0') + text;
}

void expect_eight(std::uint32_t value) {
  std::string text(8, '?');
  store_eight(eight_of(value), text.data());
  ASSERT_EQ(text, padded(value, 8));
  const std::uint64_t chars = load_eight(text.data());
  ASSERT_TRUE(are_digits(chars));
  ASSERT_EQ(number_of(chars), value);
}

TEST(Digits, AreEightAtATime) {
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 100'000; ++i) {
    expect_eight(static_cast<std::uint32_t>(*entropy.word() % kTenTo8));
  }
  for (std::uint32_t value = 0; value < 20'000; ++value) {
    expect_eight(value);
    expect_eight(99'999'999 - value);
  }
}

TEST(Digits, AreDigitsAndNothingElseAtEachOfEightPlaces) {
  for (std::size_t place = 0; place < 8; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      for (const char around : {'0', '5', '9'}) {
        std::string text(8, around);
        text[place] = static_cast<char>(byte);
        ASSERT_EQ(are_digits(load_eight(text.data())), byte >= '0' && byte <= '9')
            << place << ' ' << byte;
      }
    }
  }
}

void expect_sixteen(std::uint64_t value) {
  std::string text(16, '?');
  store_sixteen(value, text.data());
  ASSERT_EQ(text, padded(value, 16));
  const Number number = load_sixteen(text.data());
  ASSERT_TRUE(number.valid);
  ASSERT_EQ(number.value, value);
}

TEST(Digits, AreSixteenAtATime) {
  if constexpr (std::endian::native != std::endian::little) GTEST_SKIP();
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 100'000; ++i) {
    expect_sixteen((*entropy.word() >> (*entropy.word() % 64)) % kTenTo16);
  }
  for (std::uint64_t value = 0; value < 20'000; ++value) {
    expect_sixteen(value);
    expect_sixteen(kTenTo16 - 1 - value);
    expect_sixteen(value * kTenTo8 + 99'999'999);
  }
}

TEST(Digits, AreDigitsAndNothingElseAtEachOfSixteenPlaces) {
  if constexpr (std::endian::native != std::endian::little) GTEST_SKIP();
  for (std::size_t place = 0; place < 16; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      for (const char around : {'0', '5', '9'}) {
        std::string text(16, around);
        text[place] = static_cast<char>(byte);
        const Number number = load_sixteen(text.data());
        ASSERT_EQ(number.valid, byte >= '0' && byte <= '9') << place << ' ' << byte;
        if (number.valid) {
          ASSERT_EQ(number.value, std::stoull(text));
        }
      }
    }
  }
}

}  // namespace
}  // namespace mintmark::digits
