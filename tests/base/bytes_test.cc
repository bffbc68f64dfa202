#include "mintmark/base/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

template <UnsignedWord T>
void expect_big_endian(T value) {
  std::array<std::byte, sizeof(T) + 2> bytes{};
  bytes.fill(std::byte{0xee});
  store_be(std::span{bytes}.subspan(1), value);
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    EXPECT_EQ(bytes[1 + i], static_cast<std::byte>(value >> 8 * (sizeof(T) - 1 - i) & 0xff));
  }
  EXPECT_EQ(bytes.front(), std::byte{0xee});
  EXPECT_EQ(bytes.back(), std::byte{0xee});
  EXPECT_TRUE(load_be<T>(std::span<const std::byte>{bytes}.subspan(1)) == value);
}

TEST(Bytes, StoreTheMostSignificantFirst) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 100; ++round) {
    const std::uint64_t word = *entropy.word();
    expect_big_endian(static_cast<std::uint16_t>(word));
    expect_big_endian(static_cast<std::uint32_t>(word));
    expect_big_endian(word);
    expect_big_endian(static_cast<U128>(word) << 64 | *entropy.word());
  }
}

TEST(Bytes, MeanTheSameToTheCompiler) {
  constexpr U128 kValue = static_cast<U128>(0x0001020304050607) << 64 | 0x08090a0b0c0d0e0f;
  constexpr auto kBytes = [] {
    std::array<std::byte, 16> bytes{};
    store_be(bytes, kValue);
    return bytes;
  }();
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(kBytes[i], static_cast<std::byte>(i));
  static_assert(load_be<U128>(kBytes) == kValue);
  EXPECT_TRUE(load_be<U128>(kBytes) == kValue);
}

TEST(Bytes, LowBitsReachTheWholeWord) {
  EXPECT_EQ(low_bits(0), 0u);
  EXPECT_EQ(low_bits(1), 1u);
  EXPECT_EQ(low_bits(63), 0x7fff'ffff'ffff'ffff);
  EXPECT_EQ(low_bits(64), 0xffff'ffff'ffff'ffff);
}

}  // namespace
}  // namespace mintmark
