#include "mintmark/seal/optimus.h"

#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seed.h"

namespace mintmark {
namespace {

// permutation_test.cc checks the published vector.

TEST(Optimus, OpensWhatItSealsInEveryWidth) {
  std::mt19937_64 random{test_seed()};
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const std::uint64_t mask = low_bits(bits);
    const auto optimus =
        Optimus::make({.prime = (random() & mask) | 1, .random = random() & mask, .bits = bits});
    ASSERT_TRUE(optimus) << bits;
    for (int i = 0; i < 100; ++i) {
      const std::uint64_t value = random() & mask;
      const auto sealed = optimus->seal(value);
      ASSERT_TRUE(sealed && *sealed <= mask);
      ASSERT_EQ(optimus->open(*sealed), value) << bits;
    }
    if (bits < 64) {
      EXPECT_EQ(optimus->seal(mask + 1).error().fault(), Fault::value_overflow);
      EXPECT_EQ(optimus->open(mask + 1).error().fault(), Fault::value_overflow);
    }
  }
}

TEST(Optimus, IsABijection) {
  const auto optimus = Optimus::make({.prime = 4'097 + 14, .random = 1'234, .bits = 16});
  ASSERT_TRUE(optimus);
  std::vector<bool> seen(1U << 16);
  for (std::uint64_t value = 0; value < seen.size(); ++value) {
    const auto sealed = optimus->seal(value);
    ASSERT_TRUE(sealed);
    ASSERT_FALSE(seen[*sealed]);
    seen[*sealed] = true;
  }
}

TEST(Optimus, GivesItsKeyAwayAsItsPageSays) {
  const auto optimus = Optimus::make({.prime = 1'580'030'173, .random = 1'163'945'558});
  ASSERT_TRUE(optimus);
  const std::uint64_t random = *optimus->seal(0);
  EXPECT_EQ(random, 1'163'945'558U);
  EXPECT_EQ(*optimus->seal(1) ^ random, 1'580'030'173U);
}

TEST(Optimus, RefusesConstantsThatHaveNoInverse) {
  const auto refused = [](const Optimus::Options& options) {
    const auto made = Optimus::make(options);
    return !made && made.error().fault() == Fault::invalid_argument;
  };
  EXPECT_TRUE(refused({.prime = 0}));
  EXPECT_TRUE(refused({.prime = 2}));
  EXPECT_TRUE(refused({.prime = (std::uint64_t{1} << 31) + 1}));
  EXPECT_TRUE(refused({.prime = 3, .random = std::uint64_t{1} << 31}));
  EXPECT_TRUE(refused({.prime = 3, .bits = 0}));
  EXPECT_TRUE(refused({.prime = 3, .bits = 65}));
  EXPECT_TRUE(refused({.prime = 1'580'030'173, .inverse = 59'260'788}));
  EXPECT_EQ(Optimus::make({.prime = 1'580'030'173})->inverse(), 59'260'789U);
}

}  // namespace
}  // namespace mintmark
