#include "lease/window.h"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace mintmark::lease {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);
constexpr Duration kHorizon = seconds{10};

WindowConfig config() {
  WindowConfig config;
  config.scale = {from_unix_ms(1'288'834'974'657), milliseconds{1}};
  config.horizon = kHorizon;
  config.slot_count = 4;
  config.last_tick = (std::uint64_t{1} << 41) - 1;
  config.seed = 1;
  return config;
}

std::uint64_t tick(Instant time) { return config().scale.tick(time); }

TimeEvidence store_says(Instant now) {
  TimeEvidence evidence;
  evidence.store_now = now;
  return evidence;
}

std::vector<SlotMark> marks(std::initializer_list<std::uint64_t> high_waters) {
  std::vector<SlotMark> result;
  for (const std::uint64_t high_water : high_waters) result.push_back({result.size(), high_water});
  return result;
}

/// Brings a machine to Active with the window [now, now + H) of some slot.
WindowClaim acquire(WindowMachine& machine, Instant now) {
  EXPECT_TRUE(machine.step(Wake{}, now).scan);
  const auto free = marks({0, 0, 0, 0});
  const auto claimed = machine.step(Scanned{free, store_says(now)}, now);
  EXPECT_TRUE(claimed.claim.has_value());
  const WindowClaim claim = *claimed.claim;
  const auto done = machine.step(Granted{claim.request, claim.floor, claim.end}, now);
  EXPECT_TRUE(done.install.has_value());
  EXPECT_EQ(machine.state(), WindowState::active);
  return claim;
}

TEST(WindowMachine, AcquiresAFreeSlotWithTheFloorInTheClaim) {
  WindowMachine machine{config()};
  const WindowClaim claim = acquire(machine, kNow);
  EXPECT_EQ(claim.floor, tick(kNow));
  EXPECT_EQ(claim.end, tick(kNow + kHorizon));
  EXPECT_EQ(claim.floor_time, kNow);
  EXPECT_FALSE(claim.my_end.has_value());
  EXPECT_LT(machine.wake_at(), kNow + kHorizon / 2);
}

TEST(WindowMachine, TakesOnlySlotsWhoseMarkHasPassed) {
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    WindowConfig seeded = config();
    seeded.seed = seed;
    WindowMachine machine{seeded};
    ASSERT_TRUE(machine.step(Wake{}, kNow).scan);
    const auto seen = marks({tick(kNow) + 1, tick(kNow), tick(kNow) + 9'000, 0});
    const auto actions = machine.step(Scanned{seen, store_says(kNow)}, kNow);
    ASSERT_TRUE(actions.claim.has_value());
    EXPECT_TRUE(actions.claim->slot == 1 || actions.claim->slot == 3);
  }
}

TEST(WindowMachine, ChoosesAmongFreeSlotsAtRandom) {
  std::map<std::uint64_t, int> chosen;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    WindowConfig seeded = config();
    seeded.seed = seed * 7919;
    WindowMachine machine{seeded};
    ++chosen[acquire(machine, kNow).slot];
  }
  ASSERT_EQ(chosen.size(), 4u);
  for (const auto& [slot, count] : chosen) EXPECT_GT(count, 60) << slot;
}

TEST(WindowMachine, SaysWhenASlotComesFree) {
  WindowMachine machine{config()};
  static_cast<void>(machine.step(Wake{}, kNow));
  const auto seen = marks({tick(kNow) + 700, tick(kNow) + 300, tick(kNow) + 900, tick(kNow) + 800});
  const auto actions = machine.step(Scanned{seen, store_says(kNow)}, kNow);
  EXPECT_FALSE(actions.claim.has_value());
  EXPECT_EQ(machine.trouble(), Error::retry(Fault::no_free_slot, 300'000));
  EXPECT_GT(machine.wake_at(), kNow);
  EXPECT_LE(machine.wake_at(), kNow + milliseconds{300});
}

TEST(WindowMachine, APinnedSlotThatIsInUseIsTaken) {
  WindowConfig pinned = config();
  pinned.pinned = 2;
  WindowMachine machine{pinned};
  static_cast<void>(machine.step(Wake{}, kNow));
  const auto seen = marks({0, 0, tick(kNow) + 5'000, 0});
  const auto actions = machine.step(Scanned{seen, store_says(kNow)}, kNow);
  EXPECT_FALSE(actions.claim.has_value());
  EXPECT_EQ(machine.trouble(), Error::retry(Fault::slot_taken, 5'000'000));
}

TEST(WindowMachine, RenewsWithItsOwnEndAndExtends) {
  WindowMachine machine{config()};
  const WindowClaim first = acquire(machine, kNow);
  const Instant later = kNow + seconds{4};
  const auto renewal = machine.step(Wake{}, later);
  ASSERT_TRUE(renewal.claim.has_value());
  EXPECT_EQ(renewal.claim->slot, first.slot);
  EXPECT_EQ(renewal.claim->my_end, first.end);
  const auto done =
      machine.step(Granted{renewal.claim->request, first.end, renewal.claim->end}, later);
  EXPECT_FALSE(done.install.has_value());
  EXPECT_EQ(done.extend, tick(later + kHorizon));
}

TEST(WindowMachine, DoesNotRenewBeforeAThirdOfTheWindowIsUsed) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  EXPECT_FALSE(machine.step(Wake{}, kNow + seconds{2}).claim.has_value());
  EXPECT_TRUE(machine.step(Wake{}, kNow + seconds{4}).claim.has_value());
}

TEST(WindowMachine, IgnoresRepliesThatAreNotTheOutstandingOne) {
  WindowMachine machine{config()};
  const WindowClaim first = acquire(machine, kNow);
  // A duplicate of the reply that was used.
  const auto again = machine.step(Granted{first.request, first.floor, first.end}, kNow);
  EXPECT_FALSE(again.install || again.extend);
  // The reply of a claim that was given up.
  const auto renewal = machine.step(Wake{}, kNow + seconds{4});
  ASSERT_TRUE(renewal.claim.has_value());
  static_cast<void>(machine.step(Unknown{renewal.claim->request}, kNow + seconds{5}));
  const auto late = machine.step(Granted{renewal.claim->request, first.end, first.end + 4'000},
                                 kNow + seconds{6});
  EXPECT_FALSE(late.install || late.extend);
  EXPECT_EQ(machine.grant()->end, first.end);
}

TEST(WindowMachine, AfterALostRenewalAnotherSlotServes) {
  WindowMachine machine{config()};
  const WindowClaim first = acquire(machine, kNow);
  const auto renewal = machine.step(Wake{}, kNow + seconds{4});
  static_cast<void>(machine.step(Unknown{renewal.claim->request}, kNow + seconds{5}));
  ASSERT_TRUE(machine.step(Wake{}, kNow + seconds{6}).scan);
  auto seen = marks({0, 0, 0, 0});
  seen[first.slot].high_water = tick(kNow + seconds{14});
  const auto actions =
      machine.step(Scanned{seen, store_says(kNow + seconds{6})}, kNow + seconds{6});
  ASSERT_TRUE(actions.claim.has_value());
  EXPECT_NE(actions.claim->slot, first.slot);
  const auto done = machine.step(
      Granted{actions.claim->request, actions.claim->floor, actions.claim->end}, kNow + seconds{6});
  ASSERT_TRUE(done.install.has_value());
  EXPECT_NE(done.install->slot, first.slot);
}

TEST(WindowMachine, AWindowAfterAGapReplacesTheGenerator) {
  WindowMachine machine{config()};
  const WindowClaim first = acquire(machine, kNow);
  const Instant much_later = kNow + seconds{60};  // paused for longer than a window
  const auto renewal = machine.step(Wake{}, much_later);
  EXPECT_EQ(renewal.entered, WindowState::renewing);
  ASSERT_TRUE(renewal.claim.has_value());
  const auto done = machine.step(
      Granted{renewal.claim->request, renewal.claim->floor, renewal.claim->end}, much_later);
  ASSERT_TRUE(done.install.has_value());
  EXPECT_EQ(done.install->slot, first.slot);
  EXPECT_GE(done.install->start, first.end);
}

TEST(WindowMachine, LosesItsSlotToAnotherOwnerWithoutLosingItsWindow) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  const auto renewal = machine.step(Wake{}, kNow + seconds{60});
  const auto fenced =
      machine.step(Refused{renewal.claim->request, Error{Fault::fenced}}, kNow + seconds{60});
  EXPECT_EQ(fenced.entered, WindowState::fenced);
  EXPECT_TRUE(machine.step(Wake{}, kNow + seconds{60}).scan);
}

TEST(WindowMachine, AClockAheadOfTheStoreIsRefusedBeforeAnythingIsWritten) {
  WindowMachine machine{config()};
  static_cast<void>(machine.step(Wake{}, kNow + hours{24 * 365}));
  const auto free = marks({0, 0, 0, 0});
  const auto actions = machine.step(Scanned{free, store_says(kNow)}, kNow + hours{24 * 365});
  EXPECT_FALSE(actions.claim.has_value());
  EXPECT_EQ(machine.state(), WindowState::suspect);
  EXPECT_EQ(machine.trouble()->fault(), Fault::clock_ahead);
  // The clock is put right: the machine comes back by itself.
  ASSERT_TRUE(machine.step(Wake{}, kNow + seconds{1}).scan);
  EXPECT_TRUE(machine.step(Scanned{free, store_says(kNow + seconds{1})}, kNow + seconds{1}).claim);
}

TEST(WindowMachine, AConfirmedStepBackTakesAnotherSlotInsteadOfWaiting) {
  WindowMachine machine{config()};
  const WindowClaim first = acquire(machine, kNow);
  const Instant back = kNow - hours{1};
  ASSERT_TRUE(machine.step(Wake{}, back).scan);
  auto seen = marks({0, 0, 0, 0});
  seen[first.slot].high_water = first.end;
  const auto actions = machine.step(Scanned{seen, store_says(back)}, back);
  ASSERT_TRUE(actions.claim.has_value());
  EXPECT_NE(actions.claim->slot, first.slot);
}

TEST(WindowMachine, AnUnconfirmedStepBackIsClockBehind) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  const Instant back = kNow - hours{1};
  ASSERT_TRUE(machine.step(Wake{}, back).scan);
  const auto free = marks({0, 0, 0, 0});
  const auto actions = machine.step(Scanned{free, store_says(kNow)}, back);
  EXPECT_FALSE(actions.claim.has_value());
  EXPECT_EQ(machine.trouble()->fault(), Fault::clock_behind);
}

TEST(WindowMachine, ARegressedStoreStopsAllClaimsAndIsMarked) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  const auto renewal = machine.step(Wake{}, kNow + seconds{4});
  const auto actions = machine.step(Refused{renewal.claim->request, Error{Fault::store_regressed}},
                                    kNow + seconds{4});
  EXPECT_TRUE(actions.set_suspect);
  EXPECT_EQ(machine.state(), WindowState::suspect);
  EXPECT_FALSE(machine.step(Wake{}, kNow + seconds{9}).claim.has_value());
  static_cast<void>(machine.step(Wake{}, kNow + seconds{11}));
  EXPECT_EQ(machine.state(), WindowState::quarantined);
  EXPECT_FALSE(machine.step(Wake{}, kNow + hours{5}).claim.has_value());
}

TEST(WindowMachine, GoesOnInANewIncarnationAndRenewsNothingOfTheOldOne) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  const auto renewal = machine.step(Wake{}, kNow + seconds{4});
  static_cast<void>(machine.step(Refused{renewal.claim->request, Error{Fault::epoch_mismatch}},
                                 kNow + seconds{4}));
  EXPECT_TRUE(machine.stopped());
  const std::uint64_t first = tick(kNow + seconds{25});
  static_cast<void>(machine.step(Readmitted{first}, kNow + seconds{5}));
  EXPECT_FALSE(machine.stopped());
  // No window of the new incarnation begins before the fence says so: nothing is claimed until then.
  Instant now = kNow + seconds{5};
  while (now < kNow + seconds{25}) {
    const auto looked = machine.step(Wake{}, now);
    ASSERT_TRUE(looked.scan);
    const auto all = marks({0, 0, 0, 0});
    EXPECT_FALSE(machine.step(Scanned{all, store_says(now)}, now).claim.has_value());
    EXPECT_EQ(machine.trouble()->fault(), Fault::not_ready);
    ASSERT_GT(machine.wake_at(), now);
    now = machine.wake_at();
  }
  ASSERT_TRUE(machine.step(Wake{}, now).scan);
  const auto all = marks({0, 0, 0, 0});
  const auto claimed = machine.step(Scanned{all, store_says(now)}, now);
  ASSERT_TRUE(claimed.claim.has_value());
  EXPECT_FALSE(claimed.claim->my_end.has_value());
  EXPECT_TRUE(
      machine.step(Granted{claimed.claim->request, claimed.claim->floor, claimed.claim->end}, now)
          .install.has_value());
}

TEST(WindowMachine, RenewsOnceTheStoreIsItselfAgain) {
  WindowMachine machine{config()};
  const auto first = acquire(machine, kNow);
  const auto renewal = machine.step(Wake{}, kNow + seconds{4});
  static_cast<void>(machine.step(Refused{renewal.claim->request, Error{Fault::incarnation_changed}},
                                 kNow + seconds{4}));
  EXPECT_FALSE(machine.step(Wake{}, kNow + seconds{5}).claim.has_value());
  static_cast<void>(machine.step(Readmitted{}, kNow + seconds{5}));
  EXPECT_EQ(machine.state(), WindowState::active);
  const auto again = machine.step(Wake{}, kNow + seconds{5});
  ASSERT_TRUE(again.claim.has_value());
  EXPECT_EQ(again.claim->my_end, first.end);
}

TEST(WindowMachine, AMissingSlotRowIsARegression) {
  WindowMachine machine{config()};
  static_cast<void>(machine.step(Wake{}, kNow));
  const auto three = marks({0, 0, 0});
  const auto actions = machine.step(Scanned{three, store_says(kNow)}, kNow);
  EXPECT_TRUE(actions.set_suspect);
  EXPECT_EQ(machine.trouble()->fault(), Fault::store_regressed);
}

TEST(WindowMachine, BacksOffWhileTheStoreIsAwayAndDrains) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  Instant now = kNow + seconds{4};
  int tries = 0;
  while (now < kNow + seconds{20}) {
    const auto actions = machine.step(Wake{}, now);
    if (actions.claim) {
      ++tries;
      static_cast<void>(
          machine.step(Refused{actions.claim->request, Error{Fault::store_unavailable}}, now));
    }
    now = std::max(machine.wake_at(), now + milliseconds{1});
  }
  EXPECT_GT(tries, 10);
  EXPECT_LT(tries, 30);
  EXPECT_TRUE(machine.state() == WindowState::drained || machine.state() == WindowState::renewing);
  EXPECT_EQ(machine.trouble()->fault(), Fault::store_unavailable);
}

TEST(WindowMachine, WaitsForTheFenceOfANewSpace) {
  WindowConfig fenced = config();
  fenced.not_before = tick(kNow + seconds{10});
  WindowMachine machine{fenced};
  static_cast<void>(machine.step(Wake{}, kNow));
  const auto free = marks({0, 0, 0, 0});
  EXPECT_FALSE(machine.step(Scanned{free, store_says(kNow)}, kNow).claim.has_value());
  EXPECT_EQ(machine.trouble(), Error::retry(Fault::not_ready, 10'000'000));
}

TEST(WindowMachine, AClockBeforeTheEpochClaimsNothing) {
  WindowMachine machine{config()};
  const Instant early = config().scale.epoch - seconds{1};
  static_cast<void>(machine.step(Wake{}, early));
  const auto free = marks({0, 0, 0, 0});
  EXPECT_FALSE(machine.step(Scanned{free, store_says(early)}, early).claim.has_value());
  EXPECT_EQ(machine.trouble()->fault(), Fault::clock_before_epoch);
}

TEST(WindowMachine, AForkedChildHasNoGrantAndAsksForNothing) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  static_cast<void>(machine.step(Forked{}, kNow));
  EXPECT_FALSE(machine.grant().has_value());
  const auto actions = machine.step(Wake{}, kNow + hours{1});
  EXPECT_FALSE(actions.scan || actions.claim);
}

TEST(WindowMachine, NothingHappensAfterClose) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  static_cast<void>(machine.step(Close{}, kNow));
  EXPECT_EQ(machine.state(), WindowState::closed);
  const auto actions = machine.step(Wake{}, kNow + hours{1});
  EXPECT_FALSE(actions.scan || actions.claim);
}

TEST(WindowMachine, APinnedSlotUsesUpItsWindowBeforeOneThatBeginsLater) {
  WindowConfig pinned = config();
  pinned.pinned = 2;
  WindowMachine machine{pinned};
  const WindowClaim first = acquire(machine, kNow);
  const auto lost = machine.step(Wake{}, kNow + seconds{4});
  static_cast<void>(machine.step(Unknown{lost.claim->request}, kNow + seconds{5}));
  const auto again = machine.step(Wake{}, kNow + seconds{6});
  ASSERT_TRUE(again.claim.has_value());
  // The lost claim had moved the mark to four seconds behind the end of the first window.
  const std::uint64_t start = first.end + 4'000;
  const auto granted =
      machine.step(Granted{again.claim->request, start, again.claim->end}, kNow + seconds{6});
  EXPECT_FALSE(granted.install || granted.extend);
  EXPECT_EQ(machine.wake_at(), kNow + kHorizon);
  const auto later = machine.step(Wake{}, kNow + kHorizon);
  ASSERT_TRUE(later.install.has_value());
  EXPECT_EQ(later.install->start, start);
}

TEST(WindowMachine, AClockPastTheLayoutsEndIsNotTheEndOfTheProcess) {
  WindowMachine machine{config()};
  acquire(machine, kNow);
  const Instant far = kNow + hours{24 * 365 * 60};
  EXPECT_FALSE(machine.step(Wake{}, far).claim.has_value());
  EXPECT_EQ(machine.trouble()->fault(), Fault::timestamp_overflow);
  EXPECT_TRUE(machine.step(Wake{}, kNow + seconds{5}).claim.has_value());
}

TEST(WindowMachine, ASlotWithLongTicksIsNotPolledUntilAClaimCanSucceed) {
  WindowConfig slow = config();
  slow.scale.unit = seconds{10};
  WindowMachine machine{slow};
  const Instant begin = slow.scale.time(slow.scale.tick(kNow));
  ASSERT_TRUE(machine.step(Wake{}, begin).scan);
  const auto free = marks({0, 0, 0, 0});
  const auto claimed = machine.step(Scanned{free, store_says(begin)}, begin);
  static_cast<void>(machine.step(
      Granted{claimed.claim->request, claimed.claim->floor, claimed.claim->end}, begin));
  const auto renewal = machine.step(Wake{}, begin + seconds{5});
  ASSERT_TRUE(renewal.claim.has_value());
  static_cast<void>(
      machine.step(NotYet{renewal.claim->request, claimed.claim->end}, begin + seconds{5}));
  EXPECT_EQ(machine.wake_at(), begin + seconds{10});
}

}  // namespace
}  // namespace mintmark::lease
