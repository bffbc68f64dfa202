// What every engine promises, as tests that each of them inherits.
//
// An engine's test file says how to open its store and how to do to it what must never happen, and
// instantiates StoreContract with that:
//
//   struct Engine {                      // one store of its own for each object
//     static constexpr Clocks kClocks;     // whose clock it believes
//     store::Outcome<std::unique_ptr<store::Store>> open(const Clock&, BootInstant deadline);
//     void set_mark(space, slot, high_water);  void remove_mark(space, slot);
//     void remove_meta(space);                 void fence(space);
//     void age(space);                       // as if it had been made long ago (protocol 2.2, not_before)
//     void lock();  void unlock();           // nobody else gets through in between
//   };
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/os_clock.h"
#include "store/decide.h"
#include "store/store.h"
#include "tests/fake_clock.h"
#include "tests/store/clocks.h"
#include "tests/store/mutant.h"

namespace mintmark::store {

/// Fresh handles on one store, and claims that it would grant. The clock stands still; where an
/// engine has one of its own, it began at the engine's time.
template <class Engine>
class StoreContract : public ::testing::Test {
 protected:
  static constexpr bool kOwnClock = Engine::kClocks == Clocks::of_the_engine;

  StoreContract() {
    if (kOwnClock) clock_.set_wall(io::os_clock().wall());
  }
  void SetUp() override {
    if (is_skipped<Engine>()) GTEST_SKIP() << "a mutant";
  }

  using Opened = std::unique_ptr<Store>;
  static constexpr std::uint64_t kWindow = 10'000;  ///< H_max in ticks

  Opened open() { return open(clock_); }
  Opened open(const Clock& clock) {
    auto opened = engine_.open(clock, clock.boot() + std::chrono::seconds{60});
    if (!opened) {
      ADD_FAILURE() << opened.error().detail;
      return nullptr;
    }
    return std::move(*opened);
  }

  [[nodiscard]] BootInstant soon() const { return clock_.boot() + std::chrono::seconds{60}; }

  static SpaceSetup slots(std::string name = "slots", std::uint64_t count = 4) {
    return {.name = std::move(name),
            .definition = "snowflake unit=1ms",
            .marks = Marks::slots,
            .slot_count = count,
            .epoch = kEpoch,
            .unit = std::chrono::milliseconds{1},
            // The tests move the clock by some seconds, and an engine's own clock does not follow.
            .skew = std::chrono::seconds{30}};
  }
  static SpaceSetup counter(std::string name = "counter") {
    return {
        .name = std::move(name), .definition = "block", .marks = Marks::counter, .first_value = 7};
  }
  SpaceMeta make(Store& store, const SpaceSetup& setup) {
    auto meta = store.open_space(setup, soon());
    if (kOwnClock && meta) {
      engine_.age(setup.name);
      meta = store.open_space(setup, soon());
    }
    if (!meta) {
      ADD_FAILURE() << meta.error().detail;
      return {};
    }
    return *meta;
  }

  /// Two readings of one moment, by clocks that may be of two hosts.
  static void expect_same_time(std::optional<Instant> time, Instant wanted) {
    ASSERT_TRUE(time.has_value());
    const Duration apart = std::chrono::abs(*time - wanted);
    EXPECT_LE(apart, kOwnClock ? Duration{std::chrono::seconds{25}} : Duration::zero());
  }

  /// The clock as a tick of the space `slots`.
  [[nodiscard]] std::uint64_t tick() const {
    return static_cast<std::uint64_t>((clock_.wall() - kEpoch) / std::chrono::milliseconds{1});
  }
  static Nonce nonce(std::uint8_t last) {
    Nonce value{};
    value.back() = std::byte{last};
    return value;
  }
  Claim window(const SpaceMeta& meta, std::uint64_t slot, std::uint8_t life = 1) {
    Claim claim{.space = "slots", .marks = Marks::slots, .slot = slot};
    claim.floor = tick();
    claim.end = claim.floor + kWindow;
    claim.floor_time = clock_.wall();
    claim.epoch = meta.epoch;
    claim.incarnation = meta.incarnation;
    claim.request = nonce(++requests_);
    claim.life = nonce(life);
    return claim;
  }
  Claim range(const SpaceMeta& meta, std::uint64_t length) {
    Claim claim{.space = "counter", .marks = Marks::counter};
    claim.length = length;
    claim.limit = ~std::uint64_t{0};
    claim.epoch = meta.epoch;
    claim.incarnation = meta.incarnation;
    claim.request = nonce(++requests_);
    claim.life = nonce(1);
    return claim;
  }

  static Grant granted(const Answer& answer) {
    if (const auto* grant = std::get_if<Grant>(&answer)) return *grant;
    if (const auto* no = std::get_if<Refused>(&answer)) ADD_FAILURE() << no->failure.detail;
    if (const auto* later = std::get_if<NotYet>(&answer)) ADD_FAILURE() << later->high_water;
    return {};
  }
  static void expect_not_yet(const Answer& answer, std::uint64_t high_water) {
    const auto* later = std::get_if<NotYet>(&answer);
    ASSERT_NE(later, nullptr);
    EXPECT_EQ(later->high_water, high_water);
  }
  static void expect_refused(const Answer& answer, Fault fault) {
    const auto* no = std::get_if<Refused>(&answer);
    ASSERT_NE(no, nullptr);
    EXPECT_EQ(no->failure.error.row().name, row_of(fault).name) << no->failure.detail;
    EXPECT_FALSE(no->failure.detail.empty());
  }
  template <class T>
  static void expect_fault(const Outcome<T>& outcome, Fault fault) {
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().error.row().name, row_of(fault).name) << outcome.error().detail;
    EXPECT_FALSE(outcome.error().detail.empty());
  }
  std::vector<Mark> marks(Store& store, std::string_view space) {
    auto scanned = store.scan(space, soon());
    if (!scanned) ADD_FAILURE() << scanned.error().detail;
    return scanned.value_or(std::vector<Mark>{});
  }

  /// Runs `body(thread, handle)` in threads that each have a handle of their own.
  template <class Body>
  void at_once(std::size_t threads, Body body) {
    std::vector<Opened> handles;
    for (std::size_t i = 0; i < threads; ++i) handles.push_back(open());
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      running.emplace_back([&, i] { body(i, *handles[i]); });
    }
  }

  static constexpr Instant kEpoch = from_unix_ms(1'767'225'600'000);

  FakeClock clock_;
  Engine engine_;
  std::uint8_t requests_ = 0;
};

TYPED_TEST_SUITE_P(StoreContract);

}  // namespace mintmark::store

#include "tests/store/contract_claims.h"
#include "tests/store/contract_spaces.h"

namespace mintmark::store {

REGISTER_TYPED_TEST_SUITE_P(
    StoreContract,
    // contract_claims.h
    GrantsAWindowFromTheFloor, RenewsFromTheMark, GivesAHeldSlotToNobody,
    FindsTheSlotFreeAfterwards, AnswersARepeatedWindowClaimWithNotYet,
    AnswersARepeatedRangeClaimWithTheNextRange, LeavesOnlyAGapForALostReply,
    RefusesAnotherEpochAndAnotherIncarnation, TellsAnOwnerThatTheSlotHasAnother,
    StopsWhenAMarkWasLowered, StopsWhenARowIsMissing, StopsWhenTheMetaRowIsMissing,
    RefusesAClockThatIsAhead, TakesTheKernelsWordForAStep, AcceptsTheTimeOnAnOperatorsWord,
    EndsACounterAtItsLimit, EndsACounterAtTheLargestMark, RefusesClaimsThatNoStateCouldGrant,
    GrantsRangesToManyAtOnce, GrantsASlotToOneOfManyAtOnce, FencesWindowsByTime,
    FencesCountersByNumbers, GrantsNothingOfAnEpochThatIsOver,
    // contract_spaces.h
    KeepsTheDefinitionOfASpace, MakesTheRowsOfASpace, MakesOneSpaceForManyAtOnce,
    RefusesSetupsThatMakeNoSense, HoldsTheMostSlots, KeepsSpacesApart,
    StopsAllHandlesOfASuspectSpace, KnowsNoSpaceThatWasNotMade, InsertsAnItemOnce,
    LetsOneOfManyInsertAnItem, RefusesItemsOutOfBounds, TellsWhoItIs, EndsACallByItsDeadline,
    RefusesACallAfterItsDeadline, ServesNoForkedChild);

}  // namespace mintmark::store
