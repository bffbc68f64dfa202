#include "mintmark/seal/skip32.h"

#include <cstdint>
#include <random>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seal/hex_key.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

// permutation_test.cc checks the published vector.

TEST(Skip32, TheTableIsOneOfAllBytes) {
  std::unordered_set<unsigned> seen;
  for (const std::byte byte : skip32::kTable) seen.insert(static_cast<unsigned>(byte));
  EXPECT_EQ(seen.size(), 256U);
  EXPECT_EQ(skip32::kTable.front(), std::byte{0xa3});
  EXPECT_EQ(skip32::kTable.back(), std::byte{0x46});
}

TEST(Skip32, OpensWhatItSeals) {
  std::mt19937_64 random{test_seed()};
  std::vector<std::byte> key(10);
  for (std::byte& byte : key) byte = static_cast<std::byte>(random() & 0xff);
  const auto cipher = Skip32::make(key);
  ASSERT_TRUE(cipher);
  std::unordered_set<std::uint32_t> sealed;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    const std::uint32_t value = i < 50'000 ? i : ~i;
    const auto made = cipher->seal(value);
    ASSERT_TRUE(made);
    EXPECT_TRUE(sealed.insert(*made).second);
    ASSERT_EQ(cipher->open(*made), value);
  }
}

TEST(Skip32, EveryByteOfTheKeyMatters) {
  std::unordered_set<std::uint32_t> sealed;
  for (std::size_t i = 0; i < 10; ++i) {
    std::vector<std::byte> key(10);
    key[i] = std::byte{1};
    EXPECT_TRUE(sealed.insert(*Skip32::make(key)->seal(7)).second) << i;
  }
}

TEST(Skip32, RefusesKeysOfAnotherSize) {
  for (std::size_t size = 0; size < 20; ++size) {
    const auto made = Skip32::make(std::vector<std::byte>(size));
    EXPECT_EQ(made.has_value(), size == 10) << size;
    if (!made) {
      EXPECT_EQ(made.error(), Error::at(Fault::wrong_length, size));
    }
  }
}

}  // namespace
}  // namespace mintmark
