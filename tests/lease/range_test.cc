#include "lease/range.h"

#include <vector>

#include <gtest/gtest.h>

namespace mintmark::lease {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr BootInstant kStart{std::chrono::hours{1}};

RangeConfig config() { return {.block_min = 1'000, .block_max = 64'000}; }

/// Claims and is granted the next block; returns its length.
std::uint64_t lease(RangeMachine& machine, std::uint64_t& high_water, BootInstant now) {
  const auto asked = machine.step(RangeLevel{0, 0}, now);
  if (!asked.claim) return 0;
  const std::uint64_t start = high_water;
  high_water += asked.claim->length;
  const auto done = machine.step(RangeGranted{asked.claim->request, start, high_water}, now);
  EXPECT_TRUE(done.deliver.has_value());
  return asked.claim->length;
}

TEST(RangeMachine, FetchesTheNextBlockAtOneFifthLeft) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  ASSERT_EQ(lease(machine, high_water, kStart), 1'000u);
  EXPECT_FALSE(machine.step(RangeLevel{201, 0}, kStart + minutes{1}).claim);
  EXPECT_TRUE(machine.step(RangeLevel{200, 0}, kStart + minutes{1}).claim);
}

TEST(RangeMachine, HasOneClaimInFlight) {
  RangeMachine machine{config()};
  const auto first = machine.step(RangeLevel{0, 0}, kStart);
  ASSERT_TRUE(first.claim);
  EXPECT_FALSE(machine.step(RangeLevel{0, 0}, kStart).claim);
  // A slow reply to the live request counts; a second copy of it does not.
  EXPECT_TRUE(
      machine.step(RangeGranted{first.claim->request, 1, 1'001}, kStart + minutes{5}).deliver);
  EXPECT_FALSE(
      machine.step(RangeGranted{first.claim->request, 1, 1'001}, kStart + minutes{5}).deliver);
}

TEST(RangeMachine, BlocksGrowUnderLoadAndShrinkWhenIdle) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  BootInstant now = kStart;
  EXPECT_EQ(lease(machine, high_water, now), 1'000u);
  for (const std::uint64_t length : {2'000u, 4'000u, 8'000u, 16'000u, 32'000u, 64'000u, 64'000u}) {
    EXPECT_EQ(lease(machine, high_water, now += seconds{1}), length);
  }
  EXPECT_EQ(lease(machine, high_water, now += seconds{60}), 64'000u);
  EXPECT_EQ(lease(machine, high_water, now += minutes{10}), 32'000u);
  for (int i = 0; i < 10; ++i) lease(machine, high_water, now += minutes{10});
  EXPECT_EQ(lease(machine, high_water, now += minutes{10}), 1'000u);
}

TEST(RangeMachine, FetchesEarlierWhenTheRestWouldNotOutlastTheStoresDeadlines) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  lease(machine, high_water, kStart);
  lease(machine, high_water, kStart + seconds{10});  // 2,000 numbers last 10 s at this pace
  EXPECT_EQ(machine.refill_below(), 600u);           // three deadlines of 1 s
}

TEST(RangeMachine, LeasesARunThatSomebodyWaitsFor) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  lease(machine, high_water, kStart);
  const auto asked = machine.step(RangeLevel{1'000, 5'000}, kStart + minutes{1});
  ASSERT_TRUE(asked.claim);
  EXPECT_EQ(asked.claim->length, 5'000u);
}

TEST(RangeMachine, AnUnknownOutcomeIsBurntAndAskedAnew) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  lease(machine, high_water, kStart);
  const auto first = machine.step(RangeLevel{0, 0}, kStart + seconds{50});
  ASSERT_TRUE(first.claim);
  EXPECT_EQ(first.claim->my_end, 1'001u);
  static_cast<void>(machine.step(RangeUnknown{first.claim->request}, kStart + seconds{51}));
  EXPECT_EQ(machine.trouble()->fault(), Fault::outcome_unknown);
  EXPECT_FALSE(machine.step(RangeLevel{0, 0}, kStart + seconds{51}).claim);
  const auto second = machine.step(RangeLevel{0, 0}, machine.wake_at());
  ASSERT_TRUE(second.claim);
  EXPECT_NE(second.claim->request, first.claim->request);
  EXPECT_EQ(second.claim->my_end, 1'001u);
}

TEST(RangeMachine, ARegressedStoreIsMarkedAndAskedNoMore) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  lease(machine, high_water, kStart);
  const auto asked = machine.step(RangeLevel{0, 0}, kStart + seconds{50});
  const auto actions = machine.step(
      RangeRefused{asked.claim->request, Error{Fault::store_regressed}}, kStart + seconds{50});
  EXPECT_TRUE(actions.set_suspect);
  EXPECT_FALSE(machine.step(RangeLevel{0, 0}, kStart + minutes{50}).claim);
}

TEST(RangeMachine, RetriesOfAnOutageDoNotMakeBlocksLonger) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  lease(machine, high_water, kStart);
  BootInstant now = kStart + std::chrono::hours{1};
  for (int i = 0; i < 24; ++i) {
    const auto asked = machine.step(RangeLevel{0, 0}, now);
    ASSERT_TRUE(asked.claim);
    EXPECT_EQ(asked.claim->length, 1'000u);
    static_cast<void>(
        machine.step(RangeRefused{asked.claim->request, Error{Fault::store_unavailable}}, now));
    now = machine.wake_at();
  }
}

TEST(RangeMachine, NearTheEndOfTheCounterSmallerClaimsAreTried) {
  RangeMachine machine{config()};
  std::vector<std::uint64_t> lengths;
  for (;;) {
    const auto asked = machine.step(RangeLevel{0, 0}, kStart);
    if (!asked.claim) break;
    lengths.push_back(asked.claim->length);
    static_cast<void>(machine.step(
        RangeRefused{asked.claim->request, Error{Fault::key_space_exhausted}}, kStart));
  }
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{1'000, 500, 250, 125, 62, 31, 15, 7, 3, 1}));
  EXPECT_EQ(machine.trouble()->fault(), Fault::key_space_exhausted);
}

TEST(RangeMachine, ARunThatDoesNotFitIsRefusedAloneAndTheCounterGoesOn) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  lease(machine, high_water, kStart);
  const auto run = machine.step(RangeLevel{1'000, 50'000}, kStart);
  ASSERT_TRUE(run.claim);
  const auto actions =
      machine.step(RangeRefused{run.claim->request, Error{Fault::key_space_exhausted}}, kStart);
  EXPECT_TRUE(actions.run_refused);
  EXPECT_FALSE(machine.trouble().has_value());
  EXPECT_TRUE(machine.step(RangeLevel{0, 0}, kStart).claim);
}

TEST(RangeMachine, GoesOnInANewIncarnationWithoutWhatTheOldOneGranted) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  ASSERT_EQ(lease(machine, high_water, kStart), 1'000u);
  const auto asked = machine.step(RangeLevel{0, 0}, kStart);
  EXPECT_EQ(asked.claim->my_end, high_water);
  static_cast<void>(
      machine.step(RangeRefused{asked.claim->request, Error{Fault::epoch_mismatch}}, kStart));
  EXPECT_TRUE(machine.stopped());
  EXPECT_FALSE(machine.step(RangeLevel{0, 0}, kStart + minutes{1}).claim);
  static_cast<void>(
      machine.step(RangeReadmitted{RangeReadmitted::Incarnation::fenced}, kStart + minutes{1}));
  const auto again = machine.step(RangeLevel{0, 0}, kStart + minutes{1});
  ASSERT_TRUE(again.claim);
  EXPECT_FALSE(again.claim->my_end.has_value());
}

TEST(RangeMachine, RefusesNumbersThatItWasGrantedBefore) {
  RangeMachine machine{config()};
  std::uint64_t high_water = 1;
  ASSERT_EQ(lease(machine, high_water, kStart), 1'000u);
  const auto asked = machine.step(RangeLevel{0, 0}, kStart);
  // A fence that was set too low, or a store that forgot and was not noticed.
  const auto done =
      machine.step(RangeGranted{asked.claim->request, high_water - 1, high_water + 99}, kStart);
  EXPECT_FALSE(done.deliver);
  EXPECT_TRUE(done.set_suspect);
  EXPECT_EQ(machine.trouble()->fault(), Fault::store_regressed);
  EXPECT_TRUE(machine.stopped());
}

}  // namespace
}  // namespace mintmark::lease
