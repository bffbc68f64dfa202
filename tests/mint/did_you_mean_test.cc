#include "mint/did_you_mean.h"

#include <array>

#include <gtest/gtest.h>

namespace mintmark::mint {
namespace {

constexpr std::array<std::string_view, 4> kWords{"inspect", "new", "serve", "snowflake"};

TEST(DidYouMean, FindsTheClosestWord) {
  EXPECT_EQ(closest("inpsect", kWords), "inspect");  // swapped neighbours are one change
  EXPECT_EQ(closest("snowfalke", kWords), "snowflake");
  EXPECT_EQ(closest("nwe", kWords), "new");
  EXPECT_EQ(did_you_mean("serv", kWords), "; did you mean 'serve'?");
}

TEST(DidYouMean, IsSilentAboutOtherWords) {
  EXPECT_EQ(closest("frobnicate", kWords), "");
  EXPECT_EQ(closest(std::string(1000, 'a'), kWords), "");
  EXPECT_EQ(did_you_mean("", kWords), "");
}

}  // namespace
}  // namespace mintmark::mint
