#include "mintmark/scheme/snowflake_layout.h"

#include <string>

#include <gtest/gtest.h>

#include "mintmark/scheme/snowflake.h"

namespace mintmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::string text_of(const SnowflakeLayout& layout) {
  std::array<char, SnowflakeLayout::kMostText> out{};
  return {out.data(), layout.write(out)};
}

Error parse_error(std::string_view text) { return SnowflakeLayout::parse(text).error(); }

TEST(SnowflakeLayout, PresetsEndWhenTheirSourcesSay) {
  EXPECT_EQ(TimeText{layouts::twitter.end() - milliseconds{1}}.view(), "2080-07-10T17:30:30.208Z");
  EXPECT_EQ(TimeText{layouts::discord.end() - milliseconds{1}}.view(), "2154-05-15T07:35:11.103Z");
  EXPECT_EQ(TimeText{layouts::sonyflake.end() - milliseconds{10}}.view(),
            "2188-11-16T03:28:58.870Z");
  // Where the original turns negative in a signed bigint.
  EXPECT_EQ(TimeText{layouts::instagram.end()}.view(), "2046-06-27T17:00:49.497Z");
  EXPECT_EQ(TimeText{layouts::sonyflake2.end() - milliseconds{10}}.view(),
            "2199-03-19T03:28:58.870Z");
  EXPECT_EQ(TimeText{layouts::mastodon.end() - milliseconds{1}}.view(), "6429-10-17T02:45:55.327Z");
  EXPECT_EQ(TimeText{layouts::leaf.end() - milliseconds{1}}.view(), "2080-07-10T17:30:30.208Z");
  EXPECT_EQ(TimeText{layouts::baidu.end() - seconds{1}}.view(), "2024-11-20T13:24:15.000Z");
  EXPECT_EQ(TimeText{layouts::js53.end() - milliseconds{1}}.view(), "2089-09-06T15:47:35.551Z");
}

TEST(SnowflakeLayout, OnlyTheUnsignedPresetUsesTheSignBit) {
  for (const auto& preset : layouts::kPresets) {
    EXPECT_EQ(preset.layout.largest() >> 63 != 0, preset.name == "discord") << preset.name;
    EXPECT_EQ(is_exact_in_javascript(preset.layout.largest()), preset.name == "js53")
        << preset.name;
    EXPECT_EQ(layouts::find(preset.name), &preset.layout);
  }
  EXPECT_EQ(layouts::js53.largest(), low_bits(53));
  EXPECT_EQ(layouts::find("tsid"), nullptr);
}

TEST(SnowflakeLayout, TextReadsBackAsTheSameLayout) {
  for (const auto& preset : layouts::kPresets) {
    const std::string text = text_of(preset.layout);
    const auto again = SnowflakeLayout::parse(text);
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_EQ(*again, preset.layout) << text;
  }
  EXPECT_EQ(text_of(layouts::sonyflake),
            "time:39 seq:8 machine:16 unit=10ms epoch=2014-09-01T00:00:00.000Z signed");
}

TEST(SnowflakeLayout, LongestTextFitsItsBuffer) {
  const auto layout = SnowflakeLayout::parse(
      "time:40 abcdefghijk:4 bbcdefghijk:4 cbcdefghijk:4 dbcdefghijk:4 sequence:8 unit=86400000us "
      "epoch=1999-12-31T23:59:59.9999999Z unsigned");
  ASSERT_FALSE(layout.has_value());  // 40 bits of days end too late
  const auto shorter = SnowflakeLayout::parse(
      "time:24 abcdefghijk:4 bbcdefghijk:4 cbcdefghijk:4 dbcdefghijk:4 sequence:8 unit=86399999us "
      "epoch=1999-12-31T23:59:59.9999999Z unsigned");
  ASSERT_TRUE(shorter.has_value());
  EXPECT_LE(text_of(*shorter).size(), SnowflakeLayout::kMostText);
  EXPECT_EQ(SnowflakeLayout::parse(text_of(*shorter)), *shorter);
}

TEST(SnowflakeLayout, RefusesWhatIsNoLayoutAndSaysWhere) {
  EXPECT_EQ(parse_error("time:41").fault(), Fault::bad_layout);           // nothing but a time
  EXPECT_EQ(parse_error("worker:10 seq:12").fault(), Fault::bad_layout);  // no time
  EXPECT_EQ(parse_error("time:41 seq:6 inc:6 worker:10").fault(),
            Fault::bad_layout);                                                   // two sequences
  EXPECT_EQ(parse_error("time:41 worker:12 seq:12").fault(), Fault::bad_layout);  // 65 bits
  EXPECT_EQ(parse_error("worker:10 time:42 seq:12 signed").fault(), Fault::bad_layout);  // sign bit
  EXPECT_EQ(parse_error("time:41 worker:0 seq:12"), Error::at(Fault::bad_layout, 8));
  EXPECT_EQ(parse_error("time:41 worker:10 worker:1 seq:11"), Error::at(Fault::bad_layout, 18));
  EXPECT_EQ(parse_error("time:41 Worker:10 seq:12"), Error::at(Fault::bad_layout, 8));
  EXPECT_EQ(parse_error("time:4x worker:10 seq:12"), Error::at(Fault::bad_character, 6));
  EXPECT_EQ(parse_error("time:41 worker:10 seq:12 unit=1min"), Error::at(Fault::bad_layout, 30));
  EXPECT_EQ(parse_error("time:41 worker:10 seq:12 unit=0ms"), Error::at(Fault::bad_layout, 30));
  EXPECT_EQ(parse_error("time:41 worker:10 seq:12 epoch=2020-13-01"),
            Error::at(Fault::value_overflow, 36));
  EXPECT_EQ(parse_error("time:41 worker:10 seq:12 color=red"), Error::at(Fault::bad_layout, 25));
  EXPECT_EQ(parse_error("time:41 worker:99999999999999999999999 seq:12").fault(),
            Fault::bad_layout);
  EXPECT_FALSE(SnowflakeLayout::parse("").has_value());
}

TEST(SnowflakeLayout, RefusesAnEndThatNoInstantHolds) {
  EXPECT_FALSE(SnowflakeLayout::parse("time:50 worker:2 seq:8 unit=1s").has_value());
  EXPECT_TRUE(SnowflakeLayout::parse("time:39 worker:2 seq:8 unit=1s").has_value());
}

TEST(SnowflakeLayout, SlotsArePlacedFieldByField) {
  const auto slot = layouts::twitter.slot(11 << 5 | 26);
  ASSERT_TRUE(slot.has_value());
  EXPECT_EQ(slot->bits(), 11u << 17 | 26u << 12);
  EXPECT_EQ(layouts::twitter.slot_of(slot->bits()), 11u << 5 | 26u);
  EXPECT_EQ(layouts::twitter.slot(1024).error().fault(), Fault::value_overflow);
  // Node fields that do not lie side by side are still one number.
  const auto apart = SnowflakeLayout::parse("dc:3 time:41 seq:8 worker:5");
  ASSERT_TRUE(apart.has_value());
  for (std::uint64_t number = 0; number < apart->slot_count(); ++number) {
    EXPECT_EQ(apart->slot_of(apart->slot(number)->bits()), number);
  }
  EXPECT_FALSE(apart->sorts_by_time());
}

TEST(SnowflakeLayout, SlotsAreFoundByTheNamesOfTheirFields) {
  const auto slot = layouts::twitter.slot_of_fields({{"worker", 26}, {"dc", 11}});
  ASSERT_TRUE(slot.has_value());
  EXPECT_EQ(slot->number(), 11u << 5 | 26u);
  EXPECT_EQ(layouts::instagram.slot_of_fields({{"shard", 1341}})->number(), 1341u);
  const auto apart = *SnowflakeLayout::parse("dc:3 time:41 seq:8 worker:5");
  for (std::uint64_t number = 0; number < apart.slot_count(); ++number) {
    const auto named = apart.slot_of_fields({{"dc", number >> 5}, {"worker", number & 31}});
    ASSERT_TRUE(named.has_value());
    EXPECT_EQ(named->number(), number);
    EXPECT_EQ(named->bits(), apart.slot(number)->bits());
  }
  EXPECT_EQ(layouts::mastodon.slot_of_fields({})->number(), 0u);
}

TEST(SnowflakeLayout, RefusesFieldsThatAreNotItsOwnAndSaysWhich) {
  const SnowflakeLayout& twitter = layouts::twitter;
  EXPECT_EQ(twitter.slot_of_fields({{"dc", 1}}).error(), Error::at(Fault::invalid_argument, 1));
  EXPECT_EQ(twitter.slot_of_fields({}).error(), Error::at(Fault::invalid_argument, 0));
  EXPECT_EQ(twitter.slot_of_fields({{"dc", 1}, {"shard", 1}}).error(),
            Error::at(Fault::invalid_argument, 1));
  EXPECT_EQ(twitter.slot_of_fields({{"dc", 1}, {"worker", 1}, {"dc", 1}}).error(),
            Error::at(Fault::invalid_argument, 2));
  EXPECT_EQ(twitter.slot_of_fields({{"dc", 1}, {"worker", 32}}).error(),
            Error::at(Fault::value_overflow, 1));
  EXPECT_EQ(twitter.slot_of_fields({{"dc", 1}, {"worker", ~std::uint64_t{0}}}).error(),
            Error::at(Fault::value_overflow, 1));
  // The time and the sequence are nobody's to choose.
  for (const std::string_view name : {"time", "seq", ""}) {
    EXPECT_EQ(twitter.slot_of_fields({{name, 0}}).error(), Error::at(Fault::invalid_argument, 0));
  }
}

TEST(SnowflakeLayout, ADatacenterIsASetOfSlots) {
  const std::array given{FieldValue{"dc", 11}};
  const auto set = layouts::twitter.slots_of_fields(given);
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(*set, (SlotSet{.mask = 31u << 5, .value = 11u << 5}));
  for (std::uint64_t number = 0; number < layouts::twitter.slot_count(); ++number) {
    EXPECT_EQ(set->holds(number), number >> 5 == 11) << number;
  }
  EXPECT_TRUE(layouts::twitter.slots_of_fields({})->holds(1023));
}

TEST(SnowflakeLayout, AnotherEpochChangesNothingElse) {
  const Instant epoch = *parse_time("2026-01-01");
  const auto moved = layouts::sonyflake.with_epoch(epoch);
  ASSERT_TRUE(moved.has_value());
  EXPECT_EQ(moved->epoch(), epoch);
  EXPECT_EQ(text_of(*moved),
            "time:39 seq:8 machine:16 unit=10ms epoch=2026-01-01T00:00:00.000Z signed");
  EXPECT_EQ(moved->last_tick(), layouts::sonyflake.last_tick());
  EXPECT_EQ(moved->end() - epoch, layouts::sonyflake.end() - layouts::sonyflake.epoch());
  EXPECT_EQ(*moved->with_epoch(layouts::sonyflake.epoch()), layouts::sonyflake);
  // An end that no Instant holds, and epochs that the text form cannot say.
  const auto wide = *SnowflakeLayout::parse("time:39 worker:2 seq:8 unit=1600ms");
  EXPECT_EQ(wide.with_epoch(*parse_time("9999-01-01")).error().fault(), Fault::bad_layout);
  const auto late = layouts::twitter.with_epoch(*parse_time("31000-01-01"));
  ASSERT_TRUE(late.has_value());
  EXPECT_EQ(SnowflakeLayout::parse(text_of(*late)), *late);
  EXPECT_TRUE(layouts::twitter.with_epoch(*parse_time("0000-01-01")));
  EXPECT_FALSE(layouts::twitter.with_epoch(*parse_time("0000-01-01") - Duration{1}));
  EXPECT_FALSE(layouts::twitter.with_epoch(Instant::min()));
  EXPECT_FALSE(layouts::twitter.with_epoch(Instant::max()));
}

TEST(SnowflakeLayout, TimesAreTotalAtTheEndsOfAllTime) {
  const auto early = *layouts::twitter.with_epoch(*parse_time("0000-01-01"));
  EXPECT_EQ(early.tick_at(Instant::max()).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(layouts::twitter.tick_at(Instant::max()).error().fault(), Fault::timestamp_overflow);
  const auto late = *layouts::twitter.with_epoch(*parse_time("9999-12-31"));
  EXPECT_EQ(late.tick_at(Instant::min()).error(),
            Error::retry(Fault::clock_before_epoch, ~std::uint64_t{0}));
}

TEST(SnowflakeLayout, NeedsNoSequence) {
  const auto layout = SnowflakeLayout::parse("time:48 node:15 unit=10us epoch=2015-01-01");
  ASSERT_TRUE(layout.has_value());
  EXPECT_EQ(layout->sequence_bits(), 0u);
  EXPECT_EQ(layout->time_shift(), 15u);
  EXPECT_EQ(layout->largest(), low_bits(63));
  EXPECT_EQ(layout->sequence_of(layout->largest()), 0u);
  EXPECT_EQ(text_of(*layout), "time:48 node:15 unit=10us epoch=2015-01-01T00:00:00.000Z signed");
  EXPECT_EQ(SnowflakeLayout::parse(text_of(*layout)), *layout);
}

TEST(SnowflakeLayout, EveryWidthKeepsItsFieldsApart) {
  for (unsigned time = 20; time <= 44; ++time) {
    for (unsigned seq = 1; time + seq < 63; ++seq) {
      const unsigned node = std::min(63 - time - seq, SnowflakeLayout::kMostNodeBits);
      const auto layout =
          SnowflakeLayout::make({.fields = {{"time", time}, {"w", node}, {"seq", seq}},
                                 .unit = milliseconds{1},
                                 .epoch = from_unix_ms(0)});
      ASSERT_TRUE(layout.has_value()) << time << ' ' << seq;
      const std::uint64_t id = layout->join(layout->last_tick(), *layout->slot(0), 0);
      EXPECT_EQ(layout->tick_of(id), low_bits(time));
      EXPECT_EQ(layout->slot_of(id), 0u);
      EXPECT_EQ(layout->sequence_of(id), 0u);
      EXPECT_LT(layout->largest(), std::uint64_t{1} << 63);
      EXPECT_FALSE(layout->slot(layout->slot_count()).has_value());
    }
  }
}

TEST(SnowflakeLayout, TimeOutsideTheFieldIsATypedError) {
  const Instant epoch = layouts::twitter.epoch();
  EXPECT_EQ(layouts::twitter.tick_at(epoch), 0u);
  const auto before = layouts::twitter.tick_at(epoch - milliseconds{3});
  EXPECT_EQ(before.error(), Error::retry(Fault::clock_before_epoch, 3'000));
  EXPECT_EQ(layouts::twitter.tick_at(layouts::twitter.end() - Duration{1}), low_bits(41));
  EXPECT_EQ(layouts::twitter.tick_at(layouts::twitter.end()).error().fault(),
            Fault::timestamp_overflow);
}

TEST(SnowflakeLayout, CountsInItsOwnUnit) {
  EXPECT_EQ(layouts::sonyflake.tick_at(layouts::sonyflake.epoch() + milliseconds{19}), 1u);
  EXPECT_EQ(layouts::sonyflake.ticks_in(std::chrono::seconds{2}), 200u);
  EXPECT_EQ(layouts::sonyflake.ticks_in(milliseconds{9}), 0u);
  EXPECT_EQ(layouts::sonyflake.ticks_in(milliseconds{-9}), 0u);
}

}  // namespace
}  // namespace mintmark
