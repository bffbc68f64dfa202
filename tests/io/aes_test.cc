#include "io/aes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/bytes.h"

namespace mintmark::io {
namespace {

using Block = std::array<std::byte, 16>;

/// 00 11 22 ... ff, the block of FIPS 197 appendix C.
Block fips_block() {
  Block block{};
  for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<std::byte>(i * 0x11);
  return block;
}

/// 00 01 02 ..., the keys of FIPS 197 appendix C.
std::vector<std::byte> fips_key(std::size_t size) {
  std::vector<std::byte> key(size);
  for (std::size_t i = 0; i < size; ++i) key[i] = static_cast<std::byte>(i);
  return key;
}

TEST(Aes, GivesTheAnswersOfFips197) {
  struct Known {
    std::size_t key_bytes;
    std::uint64_t high;
    std::uint64_t low;
  };
  for (const Known& known : {Known{16, 0x69c4e0d86a7b0430, 0xd8cdb78070b4c55a},
                             Known{24, 0xdda97ca4864cdfe0, 0x6eaf70a0ec0d7191},
                             Known{32, 0x8ea2b7ca516745bf, 0xeafc49904b496089}}) {
    const auto aes = Aes::make(fips_key(known.key_bytes));
    ASSERT_TRUE(aes);
    // Again and again: a context carries nothing over from block to block.
    for (int i = 0; i < 3; ++i) {
      Block block = fips_block();
      (*aes)->encrypt_block(block);
      const std::span<const std::byte> bytes{block};
      EXPECT_EQ(load_be<std::uint64_t>(bytes), known.high);
      EXPECT_EQ(load_be<std::uint64_t>(bytes.subspan(8)), known.low);
    }
  }
}

TEST(Aes, RefusesKeysOfAnotherSize) {
  for (std::size_t size = 0; size <= 64; ++size) {
    const auto aes = Aes::make(fips_key(size));
    EXPECT_EQ(aes.has_value(), size == 16 || size == 24 || size == 32) << size;
    if (aes) continue;
    EXPECT_EQ(aes.error().error.fault(), Fault::invalid_argument);
    EXPECT_TRUE(aes.error().detail.contains(std::to_string(size))) << aes.error().detail;
  }
}

TEST(Aes, ManyThreadsShareOne) {
  const auto aes = Aes::make(fips_key(16));
  ASSERT_TRUE(aes);
  // More threads than it keeps contexts for.
  constexpr std::size_t kThreads = 12;
  constexpr int kBlocks = 5'000;
  const auto chain = [&aes](std::size_t start) {
    Block block = fips_block();
    block[0] = static_cast<std::byte>(start);
    for (int i = 0; i < kBlocks; ++i) (*aes)->encrypt_block(block);
    return block;
  };
  std::vector<Block> apart(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] { apart[i] = chain(i); });
    }
  }
  for (std::size_t i = 0; i < kThreads; ++i) {
    EXPECT_TRUE(apart[i] == chain(i)) << i;
    EXPECT_EQ(std::ranges::count(apart, apart[i]), 1) << i;
  }
}

}  // namespace
}  // namespace mintmark::io
