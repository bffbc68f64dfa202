#include <algorithm>
#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/snowflake.h"

namespace mintmark {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);
const SnowflakeLayout& kTwitter = layouts::twitter;

std::uint64_t tick(Instant time) { return *kTwitter.tick_at(time); }
TickWindow window(Instant from, Duration length) { return {tick(from), tick(from + length)}; }
SnowflakeSlot slot(std::uint64_t number) { return *kTwitter.slot(number); }
SnowflakePolicy policy_2010() {
  return {.max_lead = Duration::zero(), .max_borrow = Duration::zero()};
}

TEST(SnowflakeGenerator, StampsOnlyInsideItsWindow) {
  SnowflakeGenerator generator{kTwitter,
                               slot(7),
                               window(kNow, milliseconds{5}),
                               {.max_lead = seconds{2}, .max_borrow = seconds{1}}};
  std::vector<Snowflake> ids(6 * 4096);
  const auto made = generator.fill(ids, kNow);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(*made, 5u * 4096);
  for (std::size_t i = 0; i < *made; ++i) {
    ASSERT_GE(kTwitter.tick_of(ids[i].value()), tick(kNow));
    ASSERT_LT(kTwitter.tick_of(ids[i].value()), tick(kNow) + 5);
    ASSERT_EQ(kTwitter.slot_of(ids[i].value()), 7u);
  }
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::window_exhausted);
  EXPECT_EQ(generator.next(kNow + seconds{9}).error().fault(), Fault::window_exhausted);
  generator.extend(tick(kNow) + 6);
  EXPECT_TRUE(generator.next(kNow).has_value());
  generator.extend(tick(kNow) + 2);  // never down
  EXPECT_EQ(generator.window().end, tick(kNow) + 6);
}

TEST(SnowflakeGenerator, WaitsForAWindowThatBeginsInTheFuture) {
  SnowflakeGenerator generator{kTwitter, slot(7), window(kNow + seconds{5}, seconds{10})};
  EXPECT_EQ(generator.next(kNow).error(), Error::retry(Fault::clock_behind, 3'000'000));
  const auto id = generator.next(kNow + seconds{3});  // within max_lead
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(kTwitter.instant_of(kTwitter.tick_of(id->value())), kNow + seconds{5});
}

// twitter-archive/snowflake #6, bwmarrin/snowflake #20: the sequence was reset before the check.
TEST(SnowflakeGenerator, DoesNotRepeatWhenTheClockStepsBackInsideAMillisecond) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10}), policy_2010()};
  std::vector<std::uint64_t> ids;
  for (const int offset : {100, 100, 100, 99, 100, 100}) {
    const auto id = generator.next(kNow + milliseconds{offset});
    if (offset == 99) {
      EXPECT_EQ(id.error(), Error::retry(Fault::clock_behind, 1'000));
    } else {
      ASSERT_TRUE(id.has_value());
      EXPECT_TRUE(ids.empty() || id->value() == ids.back() + 1);
      ids.push_back(id->value());
    }
  }
  EXPECT_EQ(ids.size(), 5u);
}

// dustinrouillard/snowflake-id #3, aevitas/flakeid #23: the 4097th ID got the old timestamp.
TEST(SnowflakeGenerator, TheIdAfterAFullSequenceHasTheNextTick) {
  SnowflakeGenerator generator{kTwitter,
                               slot(1),
                               window(kNow, seconds{10}),
                               {.max_lead = Duration::zero(),
                                .max_borrow = Duration::zero(),
                                .sequence_start = SnowflakePolicy::SequenceStart::zero}};
  for (std::uint64_t i = 0; i < 4096; ++i) {
    const auto id = generator.next(kNow);
    ASSERT_TRUE(id.has_value());
    ASSERT_EQ(kTwitter.sequence_of(id->value()), i);
  }
  EXPECT_EQ(generator.next(kNow).error(), Error::retry(Fault::sequence_exhausted, 1'000));
  EXPECT_EQ(generator.next(kNow).error().fault(),
            Fault::sequence_exhausted);  // refusing changes nothing
  const auto id = generator.next(kNow + milliseconds{1});
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(kTwitter.tick_of(id->value()), tick(kNow) + 1);
  EXPECT_EQ(kTwitter.sequence_of(id->value()), 0u);
}

TEST(SnowflakeGenerator, BorrowsFromComingTicksUpToItsBound) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10})};
  std::vector<Snowflake> ids(100'000);
  const auto made = generator.fill(ids, kNow);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(*made, 11u * 4096);  // this tick and max_borrow = 10 ms
  const auto refused = generator.next(kNow);
  EXPECT_EQ(refused.error(), Error::retry(Fault::sequence_exhausted, 1'000));
  EXPECT_EQ(generator.next(kNow + Duration{3'000}).error().retry_after_us(), 700u);
  EXPECT_TRUE(generator.next(kNow + milliseconds{1}).has_value());
}

TEST(SnowflakeGenerator, GoesOnThroughASmallStepBackAndRefusesALargeOne) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10})};
  const auto first = generator.next(kNow + seconds{4});
  const auto second = generator.next(kNow + seconds{3});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->value(), first->value() + 1);
  const auto refused = generator.next(kNow + seconds{4} - hours{1});
  EXPECT_EQ(refused.error().fault(), Fault::clock_behind);
  EXPECT_EQ(refused.error().retry_after_us(),
            (hours{1} - seconds{2}) / std::chrono::microseconds{1});
  const auto third = generator.next(kNow + seconds{4});
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(third->value(), second->value() + 1);
}

TEST(SnowflakeGenerator, AReadingThatWasRefusedDoesNotLoosenTheBorrow) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10})};
  EXPECT_EQ(generator.next(kNow + hours{24 * 365}).error().fault(), Fault::window_exhausted);
  std::vector<Snowflake> ids(100'000);
  EXPECT_EQ(generator.fill(ids, kNow), 11u * 4096);
}

TEST(SnowflakeGenerator, SlowTrafficSpreadsOverTheLowestBits) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, hours{2})};
  std::array<int, 8> residues{};
  for (int i = 0; i < 3'600; ++i) {
    const auto id = generator.next(kNow + i * seconds{1});
    ASSERT_TRUE(id.has_value());
    ++residues[id->value() % residues.size()];
  }
  double chi_square = 0;
  for (const int count : residues) chi_square += (count - 450.0) * (count - 450.0) / 450.0;
  EXPECT_LT(chi_square, 24.3);  // 7 degrees of freedom, p = 0.001
}

TEST(SnowflakeGenerator, ACarriedSequenceLeavesMostOfTheTickWhenNothingMayBeAhead) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10}), policy_2010()};
  std::vector<Snowflake> ids(8'192);
  ASSERT_TRUE(generator.fill(std::span{ids}.first(4'000), kNow).has_value());
  const auto made = generator.fill(ids, kNow + milliseconds{1});
  ASSERT_TRUE(made.has_value());
  EXPECT_GE(*made, 3u * 1024);
  EXPECT_EQ(kTwitter.tick_of(ids[*made - 1].value()), tick(kNow) + 1);
}

// RobThree/IdGen #53, ppn-systems/nalix #310: a busy wait under a lock held up everybody.
TEST(SnowflakeGenerator, AFullSequenceIsARefusalWithAWaitAndNeverABusyWait) {
  SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10}), policy_2010()};
  std::vector<Snowflake> ids(8'192);
  ASSERT_EQ(generator.fill(ids, kNow), 4'096u);
  // The clock is an argument and stands: a call that waited for it would never come back.
  for (int i = 0; i < 1'000; ++i) {
    const Instant now = kNow + Duration{i * 10};
    ASSERT_EQ(generator.next(now).error(),
              Error::retry(Fault::sequence_exhausted, static_cast<std::uint64_t>(1'000 - i)));
    ASSERT_EQ(generator.fill(ids, now).error().fault(), Fault::sequence_exhausted);
  }
  EXPECT_TRUE(generator.next(kNow + milliseconds{1}).has_value());
}

// ordo-one/frostflake #23: a forced tick did not reset the sequence, so that capacity fell with time.
TEST(SnowflakeGenerator, KeepsItsCapacityHoweverManyTicksWereFull) {
  for (const bool borrows : {false, true}) {
    SnowflakePolicy policy = policy_2010();
    policy.sequence_start = SnowflakePolicy::SequenceStart::zero;
    if (borrows) policy = {};
    SnowflakeGenerator generator{kTwitter, slot(1), window(kNow, seconds{10}), policy};
    std::vector<Snowflake> ids(8'192);
    while (generator.fill(ids, kNow)) {
    }
    for (int tick = 1; tick <= 2'000; ++tick) {
      const auto made = generator.fill(ids, kNow + milliseconds{tick});
      ASSERT_EQ(made, 4'096u) << tick << ' ' << borrows;
    }
  }
}

// baidu/uid-generator #100: with the default widths the time has been full since 2024.
TEST(SnowflakeGenerator, BaidusDefaultWidthsReadButMintNoMore) {
  BaiduId::Generator generator{*layouts::baidu.slot(4)};
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::timestamp_overflow);
  const Instant last = *parse_time("2024-11-20T13:24:15Z");
  const auto id = generator.next(last);
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(id->time(), last);
  EXPECT_EQ(id->unpack().slot, 4u);
  EXPECT_LT(id->value(), std::uint64_t{1} << 63);
  EXPECT_EQ(generator.next(last + seconds{1}).error().fault(), Fault::timestamp_overflow);
}

TEST(SnowflakeGenerator, MastodonHasOneSlotAnd65536IdsAMillisecond) {
  EXPECT_FALSE(layouts::mastodon.slot(1).has_value());
  MastodonId::Generator generator{*layouts::mastodon.slot(0), TickWindow::whole(layouts::mastodon),
                                  policy_2010()};
  std::vector<MastodonId> ids(100'000);
  EXPECT_EQ(generator.fill(ids, kNow), 65'536u);
  EXPECT_EQ(ids[0].time(), kNow);
}

TEST(SnowflakeGenerator, WithoutASequenceEachIdHasItsOwnTick) {
  const auto layout = *SnowflakeLayout::parse("time:48 node:15 unit=10us epoch=2015-01-01");
  SnowflakeGenerator generator{layout, *layout.slot(9), TickWindow::whole(layout)};
  const std::uint64_t now = *layout.tick_at(kNow);
  const auto tick_of = [&](Instant time) { return layout.tick_of(generator.next(time)->value()); };
  EXPECT_EQ(tick_of(kNow), now);
  EXPECT_EQ(tick_of(kNow), now + 1);  // max(prev + 1, now)
  EXPECT_EQ(tick_of(kNow + std::chrono::microseconds{10}), now + 2);
  EXPECT_EQ(tick_of(kNow + std::chrono::microseconds{30}), now + 3);
  EXPECT_EQ(tick_of(kNow + std::chrono::microseconds{90}), now + 9);
  EXPECT_EQ(tick_of(kNow), now + 10);  // a small step back goes on
  // max_borrow is 10 ms, 1,000 ticks past the newest reading, which is 9.
  std::vector<Snowflake> ids(2'000);
  const auto made = generator.fill(ids, kNow + std::chrono::microseconds{90});
  ASSERT_EQ(made, 999u);
  EXPECT_EQ(layout.tick_of(ids[998].value()), now + 1'009);
  EXPECT_EQ(layout.slot_of(ids[998].value()), 9u);
  EXPECT_EQ(generator.next(kNow + std::chrono::microseconds{90}).error(),
            Error::retry(Fault::sequence_exhausted, 10));
}

TEST(SnowflakeGenerator, WithoutASequenceNothingIsBorrowedWhereThatIsForbidden) {
  const auto layout = *SnowflakeLayout::parse("time:48 node:15 unit=10us epoch=2015-01-01");
  SnowflakeGenerator generator{layout, *layout.slot(9), TickWindow::whole(layout), policy_2010()};
  ASSERT_TRUE(generator.next(kNow).has_value());
  EXPECT_EQ(generator.next(kNow).error(), Error::retry(Fault::sequence_exhausted, 10));
  EXPECT_TRUE(generator.next(kNow + std::chrono::microseconds{10}).has_value());
  EXPECT_EQ(generator.next(kNow).error(), Error::retry(Fault::clock_behind, 20));
  EXPECT_TRUE(generator.next(layout.end() - Duration{1}).has_value());
  EXPECT_EQ(generator.next(layout.end() - Duration{1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(layout.end()).error().fault(), Fault::timestamp_overflow);
}

// Meituan-Dianping/Leaf #106: one unit past the last one gave a negative ID.
TEST(SnowflakeGenerator, TheEndOfTheTimeFieldIsATypedError) {
  const Instant end = kTwitter.end();
  SnowflakeGenerator generator{kTwitter, slot(1), TickWindow::whole(kTwitter)};
  std::vector<Snowflake> ids(8'192);
  const auto last = generator.fill(ids, end - milliseconds{1});
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(*last, 4'096u);  // no borrowing past the end
  EXPECT_EQ(ids[4'095].value(), kTwitter.join(low_bits(41), slot(1), 4'095));
  EXPECT_EQ(generator.next(end - milliseconds{1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(end).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(kTwitter.epoch() - seconds{1}).error(),
            Error::retry(Fault::clock_before_epoch, 1'000'000));
}

TEST(SnowflakeGenerator, ALayoutOf64BitsEndsWithoutWrapping) {
  const auto layout = SnowflakeLayout::parse("time:40 seq:24 unit=1ms epoch=2020-01-01 unsigned");
  ASSERT_TRUE(layout.has_value());
  SnowflakeGenerator generator{*layout, *layout->slot(0), TickWindow::whole(*layout)};
  std::vector<Snowflake> ids(1 << 20);
  std::uint64_t last = 0;
  for (;;) {
    const auto made = generator.fill(ids, layout->end() - milliseconds{1});
    if (!made) {
      EXPECT_EQ(made.error().fault(), Fault::timestamp_overflow);
      break;
    }
    for (std::size_t i = 0; i < *made; ++i) {
      ASSERT_GT(ids[i].value(), last);
      last = ids[i].value();
    }
  }
  EXPECT_GE(last, low_bits(64) - (1 << 20));
}

TEST(SnowflakeGenerator, KeepsTheSequenceAboveTheMachineInSonyflake) {
  const SnowflakeLayout& layout = layouts::sonyflake;
  const Instant now = layout.epoch() + hours{24};
  SnowflakeGenerator generator{layout, *layout.slot(2927), TickWindow::whole(layout)};
  const auto first = generator.next(now);
  const auto second = generator.next(now);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->value() - first->value(), std::uint64_t{1} << 16);
  EXPECT_EQ(second->value() & low_bits(16), 2927u);
}

TEST(SnowflakeGenerator, ThreadsNeverGetTheSameId) {
  constexpr int kThreads = 8;
  constexpr std::size_t kEach = 100'000;
  SnowflakeGenerator generator{kTwitter, slot(1), TickWindow::whole(kTwitter)};
  std::vector<std::vector<std::uint64_t>> made(kThreads);
  {
    std::vector<std::jthread> threads;
    for (auto& ids : made) {
      threads.emplace_back([&generator, &ids] {
        Instant now = kNow;
        std::array<Snowflake, 7> batch;
        while (ids.size() < kEach) {
          if (ids.size() % 2 == 0) {
            if (const auto id = generator.next(now)) {
              ids.push_back(id->value());
              continue;
            }
          } else if (const auto count = generator.fill(batch, now)) {
            for (std::size_t i = 0; i < *count; ++i) ids.push_back(batch[i].value());
            continue;
          }
          now += milliseconds{1};
        }
      });
    }
  }
  std::vector<std::uint64_t> all;
  for (const auto& ids : made) {
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

// dustinrouillard/snowflake-id #3 and its like, at the size of the reports.
TEST(SnowflakeGenerator, EightThreadsGetAMillionDistinctIdsEach) {
  constexpr std::size_t kThreads = 8;
  constexpr std::size_t kEach = 1'000'000;
  constexpr std::size_t kAll = kThreads * kEach;
  SnowflakeGenerator generator{kTwitter, slot(1), TickWindow::whole(kTwitter)};
  const std::uint64_t first = kTwitter.join(tick(kNow), slot(1), 0);
  // One bit an ID: tick and sequence as one number, which has no gaps while every tick is full.
  std::vector<std::atomic<std::uint64_t>> seen(2 * kAll / 64);
  std::atomic<std::size_t> twice = 0;
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        Instant now = kNow;
        std::array<Snowflake, 1'000> batch;
        for (std::size_t made = 0; made < kEach;) {
          const auto count =
              generator.fill(std::span{batch}.first(std::min(batch.size(), kEach - made)), now);
          if (!count) {
            now += milliseconds{1};
            continue;
          }
          made += *count;
          for (std::size_t i = 0; i < *count; ++i) {
            const std::uint64_t past = batch[i].value() - first;
            const std::uint64_t index = (past >> 22) << 12 | (past & low_bits(12));
            const std::uint64_t bit = std::uint64_t{1} << index % 64;
            if ((seen.at(index / 64).fetch_or(bit, std::memory_order_relaxed) & bit) != 0) ++twice;
          }
        }
      });
    }
  }
  EXPECT_EQ(twice, 0u);
}

TEST(SnowflakeGenerator, TheTypedGeneratorFillsWhatTheLimitsAllow) {
  TwitterId::Generator generator{slot(3)};
  std::vector<TwitterId> ids(100'000);
  EXPECT_EQ(generator.fill(ids, kNow), 11u * 4096);
  EXPECT_EQ(ids[0].unpack().slot, 3u);
  EXPECT_EQ(ids[0].time(), kNow);
  EXPECT_EQ(generator.fill(ids, kNow).error().fault(), Fault::sequence_exhausted);
  EXPECT_EQ(generator.fill({}, kNow), 0u);
}

}  // namespace
}  // namespace mintmark
