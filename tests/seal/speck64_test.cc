#include "mintmark/seal/speck64.h"

#include <cstdint>
#include <random>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seal/hex_key.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

// permutation_test.cc checks the published vectors.

TEST(Speck64, OpensWhatItSeals) {
  std::mt19937_64 random{test_seed()};
  for (const std::size_t size : {12U, 16U}) {
    std::vector<std::byte> key(size);
    for (std::byte& byte : key) byte = static_cast<std::byte>(random() & 0xff);
    const auto speck = Speck64::make(key);
    ASSERT_TRUE(speck);
    std::unordered_set<std::uint64_t> sealed;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      const std::uint64_t value = i % 2 == 0 ? i : random() | std::uint64_t{1} << 63;
      const auto made = speck->seal(value);
      ASSERT_TRUE(made);
      EXPECT_TRUE(sealed.insert(*made).second);
      ASSERT_EQ(speck->open(*made), value);
    }
    EXPECT_TRUE(speck->open(*speck->seal(~std::uint64_t{0})) == ~std::uint64_t{0});
  }
}

TEST(Speck64, EveryBitOfTheKeyMatters) {
  std::vector<std::byte> key(16);
  std::unordered_set<std::uint64_t> sealed{*Speck64::make(key)->seal(1)};
  for (std::size_t bit = 0; bit < 128; ++bit) {
    auto other = key;
    other[bit / 8] = static_cast<std::byte>(1U << bit % 8);
    EXPECT_TRUE(sealed.insert(*Speck64::make(other)->seal(1)).second) << bit;
  }
}

TEST(Speck64, RefusesKeysOfAnotherSize) {
  for (std::size_t size = 0; size < 40; ++size) {
    const auto made = Speck64::make(std::vector<std::byte>(size));
    EXPECT_EQ(made.has_value(), size == 12 || size == 16) << size;
    if (!made) {
      EXPECT_EQ(made.error(), Error::at(Fault::wrong_length, size));
    }
  }
}

}  // namespace
}  // namespace mintmark
