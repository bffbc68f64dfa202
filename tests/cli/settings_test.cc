#include "cli/settings.h"

#include <gtest/gtest.h>

#include "mintmark/scheme/snowflake.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

// Meituan-Dianping/Leaf#106, baidu/uid-generator#100: the time field was full, and nobody had been told.
TEST(LayoutRemarks, WarnOfTheLastYearAndOfTheEnd) {
  constexpr Duration kYear = std::chrono::hours{24 * 365};
  const Instant end = layouts::baidu.end();
  mint::SnowflakeConfig orders;
  orders.layout = layouts::baidu;
  mint::Config config;
  config.spaces = mint::default_spaces();
  config.spaces.push_back({.name = "orders", .kind = orders});

  EXPECT_TRUE(layout_remarks(config, end - kYear - Duration{1}).empty());
  for (const Instant now : {end - kYear, end - std::chrono::hours{1}, end - Duration{1}}) {
    const auto remarks = layout_remarks(config, now);
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_FALSE(remarks[0].ended);
    EXPECT_EQ(remarks[0].words,
              "space 'orders': the time field of its layout ends on 2024-11-20T13:24:16.000Z; move "
              "to another layout");
  }
  for (const Instant now : {end, end + kYear}) {
    const auto remarks = layout_remarks(config, now);
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_TRUE(remarks[0].ended);
    EXPECT_TRUE(has(remarks[0].words, "its layout has ended on 2024-11-20")) << remarks[0].words;
  }
}

TEST(LayoutRemarks, ThereAreAsManyAsSpacesThatEnd) {
  mint::Config config;
  for (const layouts::Named& preset : layouts::kPresets) {
    mint::SnowflakeConfig kind;
    kind.layout = preset.layout;
    config.spaces.push_back({.name = std::string{preset.name}, .kind = kind});
  }
  // Long after Twitter's end in 2080, and before those of Discord and Sonyflake.
  const auto remarks = layout_remarks(config, *parse_time("2085-01-01"));
  std::size_t ended = 0;
  for (const layouts::Named& preset : layouts::kPresets) {
    ended += preset.layout.end() < *parse_time("2085-01-01") ? 1U : 0U;
  }
  EXPECT_EQ(remarks.size(), ended);
  EXPECT_TRUE(ended > 1 && ended < std::size(layouts::kPresets));
}

}  // namespace
}  // namespace mintmark::cli
