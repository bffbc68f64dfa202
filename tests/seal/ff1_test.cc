#include "mintmark/seal/ff1.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seal/ff1_reference.h"
#include "tests/seal/hex_key.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

using Aes = io::Aes;
using reference::Numerals;

std::vector<std::byte> some_bytes(std::mt19937_64& random, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0xff);
  return bytes;
}

Numerals some_numerals(std::mt19937_64& random, std::uint32_t radix, std::size_t length) {
  Numerals numerals(length);
  for (std::uint16_t& numeral : numerals) numeral = static_cast<std::uint16_t>(random() % radix);
  return numerals;
}

struct Case {
  std::uint32_t radix;
  std::uint32_t length;
};

TEST(Ff1, IsTheStandardsAlgorithmInEveryFormat) {
  std::mt19937_64 random{test_seed()};
  // Halves of 2 to 64 bytes: those of 15, 16 and 17 change how they fall into blocks.
  for (const Case& format :
       {Case{2, 20},     Case{2, 64},    Case{2, 127},  Case{2, 240},   Case{2, 241},
        Case{2, 256},    Case{2, 257},   Case{2, 1024}, Case{10, 6},    Case{10, 19},
        Case{10, 73},    Case{10, 80},   Case{10, 307}, Case{36, 4},    Case{36, 99},
        Case{62, 11},    Case{256, 3},   Case{255, 61}, Case{65535, 2}, Case{65536, 2},
        Case{65536, 63}, Case{65536, 64}}) {
    for (const std::size_t tweak_size : {0U, 1U, 7U, 11U, 12U, 15U, 16U, 17U, 33U}) {
      const auto key = some_bytes(random, tweak_size % 2 == 0 ? 16 : 32);
      const auto tweak = some_bytes(random, tweak_size);
      const auto cipher = Aes::make(key);
      ASSERT_TRUE(cipher);
      const auto ff1 = Ff1<Aes>::make(
          **cipher, {.radix = format.radix, .length = format.length, .tweak = tweak});
      ASSERT_TRUE(ff1) << format.radix << '^' << format.length;
      const Numerals plain = some_numerals(random, format.radix, format.length);
      Numerals text = plain;
      ASSERT_TRUE(ff1->seal(text));
      ASSERT_EQ(text, reference::ff1(key, tweak, format.radix, plain))
          << format.radix << '^' << format.length << " tweak of " << tweak_size;
      ASSERT_TRUE(ff1->open(text));
      ASSERT_EQ(text, plain);
    }
  }
}

TEST(Ff1, IsABijectionOfAllStrings) {
  const auto cipher = aes();
  const auto ff1 = Ff1<Aes>::make_small_for_tests(*cipher, {.radix = 7, .length = 5});
  ASSERT_TRUE(ff1);
  constexpr std::size_t kStrings = 16'807;
  std::vector<bool> seen(kStrings);
  for (std::size_t i = 0; i < kStrings; ++i) {
    Numerals plain(5);
    std::size_t rest = i;
    for (std::uint16_t& numeral : plain) {
      numeral = static_cast<std::uint16_t>(rest % 7);
      rest /= 7;
    }
    Numerals text = plain;
    ASSERT_TRUE(ff1->seal(text));
    std::size_t number = 0;
    for (const std::uint16_t numeral : text) {
      ASSERT_LT(numeral, 7);
      number = number * 7 + numeral;
    }
    ASSERT_FALSE(seen[number]);
    seen[number] = true;
    ASSERT_TRUE(ff1->open(text));
    ASSERT_EQ(text, plain);
  }
}

TEST(Ff1, RefusesFewerThanAMillionStrings) {
  const auto cipher = aes();
  for (const Case& format : {Case{10, 5}, Case{2, 19}, Case{999, 2}, Case{31, 4}}) {
    const auto made = Ff1<Aes>::make(*cipher, {.radix = format.radix, .length = format.length});
    ASSERT_FALSE(made) << format.radix << '^' << format.length;
    EXPECT_EQ(made.error().fault(), Fault::invalid_argument);
  }
  for (const Case& format : {Case{10, 6}, Case{2, 20}, Case{1000, 2}, Case{32, 4}}) {
    EXPECT_TRUE(Ff1<Aes>::make(*cipher, {.radix = format.radix, .length = format.length}))
        << format.radix << '^' << format.length;
  }
}

TEST(Ff1, RefusesFormatsOutsideItsLimits) {
  const auto cipher = aes();
  for (const Case& format :
       {Case{0, 8}, Case{1, 8}, Case{1, 4'000'000'000}, Case{65'537, 8}, Case{10, 1}, Case{10, 0},
        Case{65'536, 1}, Case{2, 1025}, Case{10, 309}, Case{65'536, 65}, Case{10, 4'000'000'000}}) {
    for (const bool small : {false, true}) {
      const Ff1<Aes>::Format limits{.radix = format.radix, .length = format.length};
      const auto made =
          small ? Ff1<Aes>::make_small_for_tests(*cipher, limits) : Ff1<Aes>::make(*cipher, limits);
      EXPECT_FALSE(made) << format.radix << '^' << format.length;
    }
  }
}

TEST(Ff1, RefusesStringsOfAnotherFormatAndLeavesThem) {
  const auto cipher = aes();
  const auto ff1 = Ff1<Aes>::make(*cipher, {.radix = 10, .length = 8});
  ASSERT_TRUE(ff1);
  Numerals shorter(7);
  EXPECT_EQ(ff1->seal(shorter).error(), Error::at(Fault::wrong_length, 7));
  Numerals longer(9);
  EXPECT_EQ(ff1->open(longer).error(), Error::at(Fault::wrong_length, 8));
  for (std::size_t at = 0; at < 8; ++at) {
    for (const int numeral : {10, 11, 65'535}) {
      Numerals wrong(8, 9);
      wrong[at] = static_cast<std::uint16_t>(numeral);
      const Numerals before = wrong;
      EXPECT_EQ(ff1->seal(wrong).error(), Error::at(Fault::value_overflow, at));
      EXPECT_EQ(ff1->open(wrong).error(), Error::at(Fault::value_overflow, at));
      EXPECT_EQ(wrong, before);
    }
  }
}

TEST(Ff1, DependsOnKeyTweakAndLength) {
  const auto cipher = aes();
  const auto other = aes(kNistKey);
  const auto tweak = from_hex("00");
  const Numerals plain(12, 3);
  std::vector<Numerals> sealed;
  const auto seal = [&](const Aes& key, std::span<const std::byte> by, std::uint32_t length) {
    const auto ff1 = Ff1<Aes>::make(key, {.radix = 10, .length = length, .tweak = by});
    Numerals text(length, 3);
    EXPECT_TRUE(ff1->seal(text));
    text.resize(12);
    EXPECT_EQ(std::ranges::count(sealed, text), 0);
    sealed.push_back(text);
  };
  seal(*cipher, {}, 12);
  seal(*other, {}, 12);
  seal(*cipher, tweak, 12);
  seal(*cipher, {}, 13);
}

}  // namespace
}  // namespace mintmark
