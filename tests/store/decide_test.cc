// The steps of advance: their order, and what holds after any sequence of claims (protocol 2.6).

#include "store/decide.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seed.h"

namespace mintmark::store {
namespace {

constexpr Duration kTick = std::chrono::milliseconds{1};

SpaceMeta meta_of(Marks marks) {
  SpaceMeta meta;
  meta.marks = marks;
  meta.slot_count = marks == Marks::slots ? 1 : 0;
  meta.unit = kTick;
  meta.horizon_max = std::chrono::seconds{10};
  meta.skew = std::chrono::seconds{5};
  return meta;
}

Claim window(std::uint64_t floor, std::uint64_t length) {
  Claim claim{.space = "s", .marks = Marks::slots, .slot = 0, .floor = floor};
  claim.end = floor + length;
  claim.floor_time = Instant{kTick * static_cast<std::int64_t>(floor)};
  return claim;
}

Fault fault_of(const Answer& answer) {
  const auto* no = std::get_if<Refused>(&answer);
  return no == nullptr ? Fault::closed : no->failure.error.fault();
}

TEST(Decide, TakesItsStepsInTheirOrder) {
  // Everything is wrong at once; what is named is mended, and the next step speaks.
  auto meta = meta_of(Marks::slots);
  meta.epoch = 3;
  meta.suspect = "seen";
  Claim claim = window(100, 20'000);
  claim.my_end = 50;
  claim.life[0] = std::byte{1};
  Standing standing{.meta = meta, .mark = {}, .engine = {}, .now = Instant{}};
  standing.engine = Failure{Error{Fault::incarnation_changed}, "replaced"};
  standing.now = Instant{} - std::chrono::seconds{20};

  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::epoch_mismatch);
  claim.epoch = 3;
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::store_regressed);
  meta.suspect.reset();
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::incarnation_changed);
  standing.engine.reset();
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::invalid_argument);
  claim.end = claim.floor + 10'000;
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::store_regressed);
  standing.mark = Mark{.slot = 0, .high_water = 49};
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::store_regressed);
  standing.mark->high_water = 20'000;
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::clock_ahead);
  standing.now.reset();
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::fenced);
  claim.life = {};
  EXPECT_TRUE(std::holds_alternative<NotYet>(decide(claim, standing)));
  standing.mark->high_water = 10'000;
  ASSERT_TRUE(std::holds_alternative<Grant>(decide(claim, standing)));
  EXPECT_EQ(std::get<Grant>(decide(claim, standing)).start, 10'000U);
}

TEST(Decide, StartsNoWindowBeforeTheFence) {
  auto meta = meta_of(Marks::slots);
  meta.not_before = 5000;
  Standing standing{.meta = meta, .mark = Mark{}, .engine = {}, .now = {}};
  EXPECT_EQ(std::get<Grant>(decide(window(1000, 10'000), standing)).start, 5000U);
  const auto early = decide(window(1000, 4000), standing);
  EXPECT_EQ(std::get<NotYet>(early).high_water, 5000U);
}

TEST(Decide, StartsNoRangeBelowTheFloorOfTheSpace) {
  auto meta = meta_of(Marks::counter);
  meta.range_floor = 1000;
  const Standing standing{.meta = meta, .mark = Mark{.high_water = 5}, .engine = {}, .now = {}};
  Claim claim{.space = "s", .marks = Marks::counter};
  claim.length = 10;
  claim.limit = 1010;
  EXPECT_EQ(std::get<Grant>(decide(claim, standing)).start, 1000U);
  claim.limit = 1009;
  EXPECT_EQ(fault_of(decide(claim, standing)), Fault::key_space_exhausted);
}

TEST(Decide, KeepsGrantsApartAndPoisonBounded) {
  std::mt19937_64 random{test_seed()};
  const auto up_to = [&](std::uint64_t most) { return random() % (most + 1); };
  for (int round = 0; round < 200; ++round) {
    const auto meta = meta_of(Marks::slots);
    Standing standing{.meta = meta, .mark = Mark{}, .engine = {}, .now = {}};
    std::uint64_t last_end = 0;
    std::uint64_t grants = 0;
    std::uint64_t now = 100'000;
    for (int i = 0; i < 200; ++i) {
      now += up_to(3000);
      standing.now = Instant{kTick * static_cast<std::int64_t>(now)};
      // Clocks up to 30 s off, windows up to a bit above H_max, owners that are right or wrong.
      auto claim = window(now + up_to(60'000) - 30'000, up_to(10'100));
      if (up_to(1) == 1) claim.my_end = up_to(last_end);
      claim.life[0] = std::byte{static_cast<unsigned char>(up_to(2))};
      const auto answer = decide(claim, standing);
      const auto* grant = std::get_if<Grant>(&answer);
      if (grant == nullptr) continue;
      EXPECT_GE(grant->start, last_end);
      EXPECT_GE(grant->start, claim.floor);
      EXPECT_LT(grant->start, grant->end);
      EXPECT_LE(grant->end, now + 10'000 + 10'000);  // A2: store_now + 2E + H
      EXPECT_EQ(grant->grants, ++grants);
      last_end = grant->end;
      standing.mark =
          Mark{.slot = 0, .high_water = grant->end, .grants = grants, .owner = claim.life};
    }
    EXPECT_GT(grants, 0U);
  }
}

TEST(NewMeta, StartsAfterTheLastTickOfALostGrant) {
  SpaceSetup setup{.name = "s", .slot_count = 1};
  setup.epoch = Instant{} + std::chrono::seconds{100};
  setup.unit = std::chrono::milliseconds{10};
  const Instant now = setup.epoch + std::chrono::milliseconds{4001};
  const auto not_before = [&](Instant at, Duration skew, Past past) {
    return new_meta(setup, {}, at, skew, past, "here")->not_before;
  };
  EXPECT_EQ(not_before(now, setup.skew, Past::none), 0U);
  EXPECT_EQ(not_before(now, Duration::zero(), Past::possible), 1401U);
  EXPECT_EQ(not_before(now, std::chrono::seconds{5}, Past::possible), 2401U);
  EXPECT_EQ(not_before(Instant{}, Duration::zero(), Past::possible), 0U);
  setup.marks = Marks::counter;
  EXPECT_EQ(not_before(now, setup.skew, Past::possible), 0U);
}

TEST(Fenced, SkipsWhatACounterMayHaveGivenInItsLife) {
  auto meta = meta_of(Marks::counter);
  meta.created_at = Instant{} + std::chrono::hours{1};
  meta.suspect = "seen";
  const Mark mark{.high_water = 1000, .grants = 3};
  const auto at = [&](Duration life, const FenceOrder& order = {}) {
    return fenced("s", meta, mark, order, meta.created_at + life, "here");
  };
  constexpr std::uint64_t kRate = std::uint64_t{1} << 24;
  const auto soon = at(std::chrono::seconds{90});
  EXPECT_EQ(soon->counter->high_water, 1000 + (90 + 10) * kRate);  // 2E on top
  EXPECT_EQ(soon->meta.range_floor, soon->counter->high_water);
  EXPECT_EQ(soon->counter->grants, 3U);
  EXPECT_EQ(soon->meta.epoch, 1U);
  EXPECT_FALSE(soon->meta.suspect);
  // The same backup restored again is fenced later, and further.
  EXPECT_GT(at(std::chrono::seconds{91})->counter->high_water, soon->counter->high_water);
  // A clock that went back, and lives that no mark can count.
  EXPECT_EQ(at(-std::chrono::hours{9})->counter->high_water, 1000 + 10 * kRate);
  EXPECT_EQ(at(std::chrono::hours{24 * 365 * 20'000}).error().error.fault(),
            Fault::key_space_exhausted);
  EXPECT_EQ(at({}, {.at_least = 1000})->counter->high_water, 1000U);
  EXPECT_EQ(at({}, {.at_least = 999}).error().error.fault(), Fault::invalid_argument);
  EXPECT_EQ(fenced("s", meta, {}, {}, meta.created_at, "here").error().error.fault(),
            Fault::store_regressed);
}

TEST(Fenced, StartsNoWindowBeforeThoseThatMayHaveBeenLost) {
  auto meta = meta_of(Marks::slots);
  const Instant now = Instant{} + std::chrono::seconds{1000};
  EXPECT_EQ(fenced("s", meta, {}, {}, now, "here")->meta.not_before, 1'020'000U);  // H + 2E
  meta.not_before = 2'000'000;
  EXPECT_EQ(fenced("s", meta, {}, {}, now, "here")->meta.not_before, 2'000'000U);
}

}  // namespace
}  // namespace mintmark::store
