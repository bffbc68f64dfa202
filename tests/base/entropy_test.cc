#include "mintmark/base/entropy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seed.h"

namespace mintmark {
namespace {

TEST(Entropy, SeededGivesTheSameForTheSameSeed) {
  SeededEntropy a{test_seed()};
  SeededEntropy b{test_seed()};
  SeededEntropy other{test_seed() + 1};
  for (int i = 0; i < 100; ++i) {
    const auto word = a.word();
    EXPECT_EQ(word, b.word());
    EXPECT_NE(word, other.word());
  }
}

TEST(Entropy, SeededIsSplitMix64) {
  // The first words of SplitMix64 from seed 0 (Steele, Lea, Flood 2014; Vigna's splitmix64.c).
  SeededEntropy entropy{0};
  EXPECT_EQ(entropy.word(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(entropy.word(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(entropy.word(), 0x06c45d188009454fu);
}

TEST(Entropy, SeededFillsEveryByteOfAnySize) {
  for (std::size_t size = 0; size < 40; ++size) {
    // A byte that stays as it was in 20 fills was not written: by chance once in 256^20.
    std::vector<bool> changed(size);
    SeededEntropy entropy{test_seed()};
    for (int round = 0; round < 20; ++round) {
      std::vector<std::byte> bytes(size + 1, std::byte{0x5a});
      ASSERT_TRUE(entropy.fill(std::span{bytes}.first(size)));
      for (std::size_t i = 0; i < size; ++i) changed[i] = changed[i] || bytes[i] != std::byte{0x5a};
      EXPECT_EQ(bytes.back(), std::byte{0x5a});
    }
    EXPECT_TRUE(std::ranges::all_of(changed, std::identity{}));
  }
}

TEST(Entropy, AWordOfABrokenSourceIsAnError) {
  class Broken final : public Entropy {
    Result<void> fill(std::span<std::byte>) override { return fail(Fault::entropy_unavailable); }

   public:
    using Entropy::word;
  } broken;
  EXPECT_EQ(broken.word().error().fault(), Fault::entropy_unavailable);
}

static_assert(!std::is_copy_constructible_v<SeededEntropy> &&
              !std::is_move_constructible_v<SeededEntropy>);

}  // namespace
}  // namespace mintmark
