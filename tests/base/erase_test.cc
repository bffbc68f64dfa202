#include "mintmark/base/erase.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace mintmark {
namespace {

bool is_zero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte each) { return each == std::byte{0}; });
}

TEST(Erase, LeavesNothingOfWhatItIsGiven) {
  std::array<std::byte, 40> bytes;
  bytes.fill(std::byte{0xa5});
  erase(std::span{bytes}.subspan(4, 32));
  EXPECT_TRUE(is_zero(std::span{bytes}.subspan(4, 32)));
  EXPECT_EQ(bytes[3], std::byte{0xa5});
  EXPECT_EQ(bytes[36], std::byte{0xa5});
  erase({});
}

TEST(Erase, HappensOnEveryWayOut) {
  std::array<std::byte, 16> bytes;
  bytes.fill(std::byte{0xa5});
  const auto leave_early = [&bytes](bool early) {
    const EraseAtExit erasing{bytes};
    if (early) return 1;
    bytes[0] = std::byte{1};
    return 2;
  };
  EXPECT_EQ(leave_early(true), 1);
  EXPECT_TRUE(is_zero(bytes));
  EXPECT_EQ(leave_early(false), 2);
  EXPECT_TRUE(is_zero(bytes));
}

}  // namespace
}  // namespace mintmark
