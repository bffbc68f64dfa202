#include "mintmark/seal/permutation.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/seal/ff1.h"
#include "mintmark/seal/optimus.h"
#include "mintmark/seal/skip32.h"
#include "mintmark/seal/speck64.h"
#include "tests/seal/hex_key.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using Aes = io::Aes;
using vectors::Line;

std::uint64_t number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  EXPECT_TRUE(error == std::errc{} && end == text.data() + text.size()) << text;
  return value;
}

std::vector<std::string> parts(std::string_view text, char separator) {
  std::vector<std::string> found{""};
  for (const char c : text) {
    if (c == separator) {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

std::vector<std::uint16_t> numerals(std::string_view text) {
  std::vector<std::uint16_t> values;
  for (const char c : text) values.push_back(kBase36Lower.value_of(c));
  return values;
}

void expect_ff1(const Line& line) {
  const std::size_t bytes = number(line.parameters.at(0).substr(3), 10) / 8;
  const auto cipher = aes(kNistKey.substr(0, 2 * bytes));
  const auto tweak = from_hex(line.parameter("tweak", "none"));
  const auto ff1 = Ff1<Aes>::make(
      *cipher, {.radix = static_cast<std::uint32_t>(number(line.parameter("radix", ""), 10)),
                .length = static_cast<std::uint32_t>(line.input.size()),
                .tweak = tweak});
  ASSERT_TRUE(ff1);
  auto text = numerals(line.input);
  ASSERT_TRUE(ff1->seal(text));
  EXPECT_EQ(text, numerals(line.expected));
  ASSERT_TRUE(ff1->open(text));
  EXPECT_EQ(text, numerals(line.input));
}

/// Two words of 32 bits as one number.
std::uint64_t words(std::string_view text) {
  const auto both = parts(text, ' ');
  return number(both.at(0), 16) << 32 | number(both.at(1), 16);
}

void expect_speck64(const Line& line) {
  std::string key;
  for (const std::string& word : parts(line.parameters.at(0), ',')) key += word;
  const auto speck = Speck64::make(from_hex(key));
  ASSERT_TRUE(speck);
  EXPECT_EQ(speck->seal(words(line.input)), words(line.expected));
  EXPECT_EQ(speck->open(words(line.expected)), words(line.input));
}

void expect_skip32(const Line& line) {
  const auto cipher = Skip32::make(from_hex(line.parameters.at(0)));
  ASSERT_TRUE(cipher);
  const auto plain = static_cast<std::uint32_t>(number(line.input, 16));
  const auto sealed = static_cast<std::uint32_t>(number(line.expected, 16));
  EXPECT_EQ(cipher->seal(plain), sealed);
  EXPECT_EQ(cipher->open(sealed), plain);
}

void expect_optimus(const Line& line) {
  const auto constants = parts(line.parameters.at(0), ',');
  const auto optimus = Optimus::make({.prime = number(constants.at(0), 10),
                                      .inverse = number(constants.at(1), 10),
                                      .random = number(constants.at(2), 10)});
  ASSERT_TRUE(optimus);
  EXPECT_EQ(optimus->seal(number(line.input, 10)), number(line.expected, 10));
  EXPECT_EQ(optimus->open(number(line.expected, 10)), number(line.input, 10));
}

TEST(Permutation, PassesThePublishedVectors) {
  vectors::check_all("permutation", {{"ff1", expect_ff1},
                                     {"speck64", expect_speck64},
                                     {"skip32", expect_skip32},
                                     {"optimus", expect_optimus}});
}

TEST(Permutation, IsFf1OfRadixTwo) {
  std::mt19937_64 random{test_seed()};
  const auto cipher = aes();
  for (unsigned bits = 20; bits <= 128; ++bits) {
    const U128 largest = ~U128{0} >> (128 - bits);
    const std::string tweak(random() % 40, 't');
    const auto bytes = std::as_bytes(std::span{tweak});
    const auto permutation = Permutation<Aes>::make(*cipher, {.largest = largest, .tweak = bytes});
    const auto ff1 = Ff1<Aes>::make(*cipher, {.radix = 2, .length = bits, .tweak = bytes});
    ASSERT_TRUE(permutation && ff1);
    const U128 value = (static_cast<U128>(random()) << 64 | random()) & largest;
    const auto sealed = permutation->seal(value);
    ASSERT_TRUE(sealed);
    std::vector<std::uint16_t> text(bits);
    for (unsigned i = 0; i < bits; ++i) text[i] = value >> (bits - 1 - i) & 1;
    ASSERT_TRUE(ff1->seal(text));
    U128 expected = 0;
    for (const std::uint16_t bit : text) expected = expected << 1 | bit;
    ASSERT_TRUE(*sealed == expected) << bits << " bits";
    ASSERT_TRUE(permutation->open(*sealed) == value) << bits << " bits";
  }
}

/// Every number once, both ways.
void expect_bijection(const Permutation<Aes>& permutation) {
  const auto size = static_cast<std::size_t>(permutation.largest()) + 1;
  std::vector<bool> seen(size);
  for (std::size_t value = 0; value < size; ++value) {
    const auto sealed = permutation.seal(value);
    ASSERT_TRUE(sealed && *sealed < size);
    const auto at = static_cast<std::size_t>(*sealed);
    ASSERT_FALSE(seen[at]) << value;
    seen[at] = true;
    ASSERT_TRUE(permutation.open(*sealed) == U128{value}) << value;
  }
}

TEST(Permutation, IsABijectionOfADomainThatIsNoPowerOfTwo) {
  const auto cipher = aes(kNistKey);
  const std::string tweak = "orders";
  // Just above 2^20: nearly every second number has to walk.
  expect_bijection(*Permutation<Aes>::make(
      *cipher, {.largest = (1U << 20) + 2, .tweak = std::as_bytes(std::span{tweak})}));
}

TEST(Permutation, IsABijectionOfAMillionAndThree) {
  const auto cipher = aes();
  const std::string tweak = "a name that is longer than one block of the cipher";
  expect_bijection(*Permutation<Aes>::make(
      *cipher, {.largest = 1'000'002, .tweak = std::as_bytes(std::span{tweak})}));
}

TEST(Permutation, SealsAll64Bits) {
  std::mt19937_64 random{test_seed()};
  const auto cipher = aes();
  const auto permutation = Permutation<Aes>::make(*cipher, {});
  ASSERT_TRUE(permutation);
  EXPECT_TRUE(permutation->largest() == ~std::uint64_t{0});
  std::unordered_set<std::uint64_t> sealed;
  std::unordered_set<std::uint64_t> steps;
  std::uint64_t before = 0;
  const auto check = [&](std::uint64_t value) {
    const auto made = permutation->seal(value);
    ASSERT_TRUE(made && *made >> 64 == 0);
    ASSERT_TRUE(permutation->open(*made) == U128{value}) << value;
    const auto low = static_cast<std::uint64_t>(*made);
    EXPECT_TRUE(sealed.insert(low).second) << value;
    // Neighbours are no neighbours any more, nor the same distance apart twice.
    EXPECT_TRUE(steps.insert(low - before).second) << value;
    before = low;
  };
  for (std::uint64_t value = 0; value < 10'000; ++value) check(value);
  for (unsigned bit = 14; bit < 64; ++bit) check(std::uint64_t{1} << bit);
  check(~std::uint64_t{0});
  for (int i = 0; i < 10'000; ++i) check(random() | std::uint64_t{1} << 63);
}

TEST(Permutation, RoundTripsInDomainsOfAnySize) {
  std::mt19937_64 random{test_seed()};
  const auto cipher = aes();
  for (unsigned bits = 20; bits <= 128; ++bits) {
    for (int i = 0; i < 8; ++i) {
      const U128 top = U128{1} << (bits - 1);
      const U128 largest =
          std::max<U128>(top | ((static_cast<U128>(random()) << 64 | random()) & (top - 1)),
                         Permutation<Aes>::kSmallestLargest);
      const auto permutation = Permutation<Aes>::make(*cipher, {.largest = largest});
      ASSERT_TRUE(permutation);
      for (const U128 value : {U128{0}, U128{1}, largest, largest - 1,
                               (static_cast<U128>(random()) << 64 | random()) % largest}) {
        const auto sealed = permutation->seal(value);
        ASSERT_TRUE(sealed && *sealed <= largest);
        ASSERT_TRUE(permutation->open(*sealed) == value) << bits;
      }
      if (~largest != 0) {
        EXPECT_EQ(permutation->seal(largest + 1).error().fault(), Fault::value_overflow);
        EXPECT_EQ(permutation->open(largest + 1).error().fault(), Fault::value_overflow);
      }
    }
  }
}

TEST(Permutation, RefusesDomainsBelowAMillion) {
  const auto cipher = aes();
  for (const std::uint64_t largest : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{999'998}}) {
    const auto made = Permutation<Aes>::make(*cipher, {.largest = largest});
    ASSERT_FALSE(made) << largest;
    EXPECT_EQ(made.error().fault(), Fault::invalid_argument);
  }
  EXPECT_TRUE(Permutation<Aes>::make(*cipher, {.largest = 999'999}));
}

TEST(Permutation, AnotherKeyOrTweakIsAnotherPermutation) {
  const auto cipher = aes();
  const auto other = aes("2B7E151628AED2A6ABF7158809CF4F3D");
  const std::string orders = "orders";
  const std::string users = "users";
  std::vector<Permutation<Aes>> permutations;
  for (const Aes* key : {cipher.get(), other.get()}) {
    for (const std::string_view tweak :
         {std::string_view{}, std::string_view{orders}, std::string_view{users}}) {
      permutations.push_back(
          *Permutation<Aes>::make(*key, {.tweak = std::as_bytes(std::span{tweak})}));
    }
  }
  for (std::uint64_t value = 0; value < 1'000; ++value) {
    std::unordered_set<std::uint64_t> sealed;
    for (const auto& permutation : permutations) {
      sealed.insert(static_cast<std::uint64_t>(*permutation.seal(value)));
    }
    EXPECT_EQ(sealed.size(), permutations.size()) << value;
  }
}

/// Counts what a permutation asks of its cipher.
struct CountingCipher {
  const Aes* aes;
  mutable std::atomic<std::size_t> blocks{0};
  void encrypt_block(CipherBlock& block) const {
    ++blocks;
    aes->encrypt_block(block);
  }
};

TEST(Permutation, CostsTenBlocksAndWalksLessThanTwiceOnAverage) {
  const auto cipher = aes();
  const CountingCipher counting{cipher.get()};
  const auto plain = Permutation<CountingCipher>::make(counting, {});
  const std::size_t to_make = counting.blocks;
  EXPECT_EQ(to_make, 1U);
  for (std::uint64_t value = 0; value < 100; ++value) EXPECT_TRUE(plain->seal(value));
  EXPECT_EQ(counting.blocks - to_make, 1'000U);
  // The worst domain: half of what the bits can hold, plus one.
  const auto walking =
      Permutation<CountingCipher>::make(counting, {.largest = std::uint64_t{1} << 40});
  const std::size_t before = counting.blocks;
  for (std::uint64_t value = 0; value < 10'000; ++value) EXPECT_TRUE(walking->seal(value));
  const auto average = static_cast<double>(counting.blocks - before) / 100'000;
  EXPECT_GT(average, 1.8);
  EXPECT_LT(average, 2.2);
}

TEST(BlockCipher, ACheckValueTellsKeysApart) {
  EXPECT_EQ(key_check_value(*aes()), key_check_value(*aes()));
  EXPECT_NE(key_check_value(*aes()), key_check_value(*aes("2B7E151628AED2A6ABF7158809CF4F3D")));
  // NIST AESAVS: the all-zero key and block give 66e94bd4ef8a2c3b884cfa59ca342b2e.
  EXPECT_EQ(key_check_value(*aes("00000000000000000000000000000000")), 0x66e94bd4U);
}

}  // namespace
}  // namespace mintmark
