// The layouts that are in public use, by name. Which bits they have is drawn in snowflake.h.
//
// Why each carries its signedness: the bits of an ID outlive the column that they were meant for. A layout
// of 64 bits in a signed column ends when the sign bit would be set; one that is unsigned goes on, and
// turns negative there. Where the original is kept in a signed column, the preset is signed.
//
// Sources: twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala; discord/discord-api-docs,
// reference, "Snowflakes"; Instagram engineering blog, "Sharding & IDs"; sony/sonyflake, sonyflake.go and v2;
// mastodon/mastodon, lib/mastodon/snowflake.rb; Meituan-Dianping/Leaf, SnowflakeIDGenImpl.java;
// baidu/uid-generator, BitsAllocator.java and DefaultUidGenerator.java.
#pragma once

#include <chrono>
#include <string_view>

#include "mintmark/base/time.h"
#include "mintmark/scheme/snowflake_layout.h"

namespace mintmark::layouts {

/// Twitter 2010. Its last millisecond is 2080-07-10T17:30:30.208Z.
inline constexpr SnowflakeLayout twitter =
    *SnowflakeLayout::make({.fields = {{"time", 41}, {"dc", 5}, {"worker", 5}, {"seq", 12}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(1'288'834'974'657)});

/// Discord. An unsigned 64-bit value: in a signed column it turns negative in 2084. Its last
/// millisecond is 2154-05-15T07:35:11.103Z.
inline constexpr SnowflakeLayout discord =
    *SnowflakeLayout::make({.fields = {{"time", 42}, {"worker", 5}, {"pid", 5}, {"inc", 12}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(1'420'070'400'000),
                            .signedness = Signedness::is_unsigned});

/// Instagram. Its 64 bits live in a signed bigint, so that its last millisecond is
/// 2046-06-27T17:00:49.496Z; there the original turns negative.
inline constexpr SnowflakeLayout instagram =
    *SnowflakeLayout::make({.fields = {{"time", 41}, {"shard", 13}, {"seq", 10}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(1'314'220'021'721)});

/// Sonyflake v1: the sequence stands above the machine. Its last 10 ms begin 2188-11-16T03:28:58.870Z.
inline constexpr SnowflakeLayout sonyflake =
    *SnowflakeLayout::make({.fields = {{"time", 39}, {"seq", 8}, {"machine", 16}},
                            .unit = std::chrono::milliseconds{10},
                            .epoch = from_unix_ms(1'409'529'600'000)});

/// Sonyflake v2 with its default widths and unit; v2 can set both, which is then a layout spelled out. Its
/// last 10 ms begin 2199-03-19T03:28:58.870Z.
inline constexpr SnowflakeLayout sonyflake2 =
    *SnowflakeLayout::make({.fields = {{"time", 39}, {"seq", 8}, {"machine", 16}},
                            .unit = std::chrono::milliseconds{10},
                            .epoch = from_unix_ms(1'735'689'600'000)});

/// Mastodon: milliseconds since 1970 above 16 bits. There the low 16 bits are a hash of the table plus its
/// sequence; here they are the sequence of the one slot. A signed bigint, so that the 48 bits lose one: its
/// last millisecond is 6429-10-17T02:45:55.327Z.
inline constexpr SnowflakeLayout mastodon =
    *SnowflakeLayout::make({.fields = {{"time", 48}, {"seq", 16}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(0)});

/// Meituan Leaf: Twitter's bits and epoch with one worker field, so that a value alone is of both. Its last
/// millisecond is 2080-07-10T17:30:30.208Z.
inline constexpr SnowflakeLayout leaf =
    *SnowflakeLayout::make({.fields = {{"time", 41}, {"worker", 10}, {"seq", 12}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(1'288'834'974'657)});

/// Baidu uid-generator with its default widths. To read only: its last second was 2024-11-20T13:24:15Z, and
/// minting is TimestampOverflow. The epoch is 2016-05-20 of the local time +08:00.
inline constexpr SnowflakeLayout baidu =
    *SnowflakeLayout::make({.fields = {{"time", 28}, {"worker", 22}, {"seq", 13}},
                            .unit = std::chrono::seconds{1},
                            .epoch = from_unix_ms(1'463'673'600'000)});

/// Stays below 2^53, so that a JavaScript number holds every ID. Of the 53 bits, 41 are milliseconds, which
/// last as long as everybody else's: until 2089-09-06T15:47:35.551Z. Of the 12 that remain, 7 count (128,000
/// IDs a second and worker, where fewer would be felt) and 5 are the worker: 32 of them.
inline constexpr SnowflakeLayout js53 =
    *SnowflakeLayout::make({.fields = {{"time", 41}, {"worker", 5}, {"seq", 7}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(1'577'836'800'000)});

struct Named {
  std::string_view name;
  const SnowflakeLayout& layout;
};
/// Every preset, by the name that configuration and command line use. Where a value is as likely of one as
/// of another, the first stands first.
inline constexpr Named kPresets[] = {
    {"twitter", twitter},     {"discord", discord},       {"instagram", instagram},
    {"sonyflake", sonyflake}, {"sonyflake2", sonyflake2}, {"mastodon", mastodon},
    {"leaf", leaf},           {"baidu", baidu},           {"js53", js53}};

/// The preset of that name, or null.
[[nodiscard]] constexpr const SnowflakeLayout* find(std::string_view name) {
  for (const Named& preset : kPresets) {
    if (preset.name == name) return &preset.layout;
  }
  return nullptr;
}

static_assert(is_exact_in_javascript(js53.largest()) &&
              !is_exact_in_javascript(js53.largest() + 1));

}  // namespace mintmark::layouts
