// The part of the contract about advance. Include contract.h.
#pragma once

#include <algorithm>
#include <mutex>

#include "tests/store/contract.h"

namespace mintmark::store {

TYPED_TEST_P(StoreContract, GrantsAWindowFromTheFloor) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto claim = this->window(meta, 2);
  const auto grant = this->granted(store->advance(claim, this->soon()));
  EXPECT_EQ(grant.start, claim.floor);
  EXPECT_EQ(grant.end, claim.end);
  EXPECT_EQ(grant.grants, 1U);
  EXPECT_EQ(grant.request, claim.request);
  const auto marks = this->marks(*this->open(), "slots");
  ASSERT_EQ(marks.size(), 4U);
  EXPECT_EQ(marks[2].high_water, claim.end);
  EXPECT_EQ(marks[2].grants, 1U);
  EXPECT_EQ(marks[2].owner, claim.life);
  EXPECT_EQ(marks[1].high_water, 0U);
}

TYPED_TEST_P(StoreContract, RenewsFromTheMark) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto first = this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->clock_.advance(std::chrono::milliseconds{3000});
  auto renewal = this->window(meta, 0);
  renewal.my_end = first.end;
  const auto second = this->granted(store->advance(renewal, this->soon()));
  EXPECT_EQ(second.start, first.end);
  EXPECT_EQ(second.end, first.end + 3000);
  EXPECT_EQ(second.grants, 2U);
}

TYPED_TEST_P(StoreContract, GivesAHeldSlotToNobody) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto first = this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->clock_.advance(std::chrono::milliseconds{9999});
  // One tick is left of the window: not even its own last owner acquires it again.
  this->expect_not_yet(store->advance(this->window(meta, 0, 1), this->soon()), first.end);
  this->expect_not_yet(store->advance(this->window(meta, 0, 2), this->soon()), first.end);
  EXPECT_EQ(this->marks(*store, "slots")[0].high_water, first.end);
  EXPECT_EQ(this->marks(*store, "slots")[0].owner, this->nonce(1));
}

TYPED_TEST_P(StoreContract, FindsTheSlotFreeAfterwards) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto first = this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->clock_.advance(std::chrono::milliseconds{10'000});
  const auto second = this->granted(store->advance(this->window(meta, 0, 2), this->soon()));
  EXPECT_EQ(second.start, first.end);
  EXPECT_EQ(this->marks(*store, "slots")[0].owner, this->nonce(2));
}

TYPED_TEST_P(StoreContract, AnswersARepeatedWindowClaimWithNotYet) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto acquiring = this->window(meta, 0);
  const auto first = this->granted(store->advance(acquiring, this->soon()));
  this->expect_not_yet(store->advance(acquiring, this->soon()), first.end);
  this->clock_.advance(std::chrono::seconds{1});
  auto renewal = this->window(meta, 0);
  renewal.my_end = first.end;
  const auto second = this->granted(store->advance(renewal, this->soon()));
  this->expect_not_yet(store->advance(renewal, this->soon()), second.end);
  EXPECT_EQ(this->marks(*store, "slots")[0].grants, 2U);
}

TYPED_TEST_P(StoreContract, AnswersARepeatedRangeClaimWithTheNextRange) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  const auto claim = this->range(meta, 100);
  const auto first = this->granted(store->advance(claim, this->soon()));
  const auto second = this->granted(store->advance(claim, this->soon()));
  EXPECT_EQ(first.start, 7U);
  EXPECT_EQ(first.end, 107U);
  EXPECT_EQ(second.start, 107U);
  EXPECT_EQ(second.end, 207U);
  EXPECT_EQ(second.grants, 2U);
}

TYPED_TEST_P(StoreContract, LeavesOnlyAGapForALostReply) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto first = this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->clock_.advance(std::chrono::seconds{2});
  auto lost = this->window(meta, 0);
  lost.my_end = first.end;
  const auto burnt = this->granted(store->advance(lost, this->soon()));
  // The claimant still knows the first end only; that is no regression.
  this->clock_.advance(std::chrono::seconds{2});
  auto again = this->window(meta, 0);
  again.my_end = first.end;
  EXPECT_EQ(this->granted(store->advance(again, this->soon())).start, burnt.end);
}

TYPED_TEST_P(StoreContract, RefusesAnotherEpochAndAnotherIncarnation) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  auto claim = this->window(meta, 0);
  claim.epoch += 1;
  this->expect_refused(store->advance(claim, this->soon()), Fault::epoch_mismatch);
  claim = this->window(meta, 0);
  claim.incarnation[5] ^= std::byte{1};
  this->expect_refused(store->advance(claim, this->soon()), Fault::epoch_mismatch);
  this->engine_.fence("slots");
  this->expect_refused(store->advance(this->window(meta, 0), this->soon()), Fault::epoch_mismatch);
  EXPECT_EQ(this->marks(*store, "slots")[0].grants, 0U);
  const auto fenced = this->make(*store, this->slots());
  EXPECT_EQ(fenced.epoch, meta.epoch + 1);
  this->granted(store->advance(this->window(fenced, 0), this->soon()));
}

TYPED_TEST_P(StoreContract, TellsAnOwnerThatTheSlotHasAnother) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto first = this->granted(store->advance(this->window(meta, 0, 1), this->soon()));
  this->clock_.advance(std::chrono::seconds{11});
  const auto other = this->granted(store->advance(this->window(meta, 0, 2), this->soon()));
  this->clock_.advance(std::chrono::seconds{1});
  auto renewal = this->window(meta, 0, 1);
  renewal.my_end = first.end;
  this->expect_refused(store->advance(renewal, this->soon()), Fault::fenced);
  EXPECT_EQ(this->marks(*store, "slots")[0].high_water, other.end);
}

TYPED_TEST_P(StoreContract, StopsWhenAMarkWasLowered) {
  auto store = this->open();
  auto witness = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto first = this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->engine_.set_mark("slots", 0, first.end - 1);
  this->clock_.advance(std::chrono::seconds{1});
  auto renewal = this->window(meta, 0);
  renewal.my_end = first.end;
  this->expect_refused(store->advance(renewal, this->soon()), Fault::store_regressed);
  // Also those who could not have seen it, of all slots.
  this->expect_refused(witness->advance(this->window(meta, 3), this->soon()),
                       Fault::store_regressed);
  EXPECT_TRUE(this->make(*witness, this->slots()).suspect.has_value());
  EXPECT_EQ(this->marks(*store, "slots")[0].high_water, first.end - 1);
}

TYPED_TEST_P(StoreContract, StopsWhenARowIsMissing) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  this->engine_.remove_mark("slots", 1);
  this->expect_refused(store->advance(this->window(meta, 1), this->soon()), Fault::store_regressed);
  this->expect_refused(store->advance(this->window(meta, 2), this->soon()), Fault::store_regressed);
  this->expect_fault(store->open_space(this->slots(), this->soon()), Fault::store_regressed);

  const auto numbers = this->make(*store, this->counter());
  this->engine_.remove_mark("counter", 0);
  this->expect_refused(store->advance(this->range(numbers, 1), this->soon()),
                       Fault::store_regressed);
}

TYPED_TEST_P(StoreContract, StopsWhenTheMetaRowIsMissing) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  this->engine_.remove_meta("slots");
  this->expect_refused(store->advance(this->window(meta, 0), this->soon()), Fault::store_regressed);
  this->expect_fault(store->open_space(this->slots(), this->soon()), Fault::store_regressed);
  this->expect_fault(this->open()->open_space(this->slots(), this->soon()), Fault::store_regressed);
}

TYPED_TEST_P(StoreContract, RefusesAClockThatIsAhead) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  this->granted(store->advance(this->window(meta, 0), this->soon()));
  const Instant right = this->clock_.wall();
  // An engine's own clock has gone on since this one began to stand still.
  const Duration gone = this->kOwnClock ? Duration{std::chrono::seconds{25}} : Duration{1};
  this->clock_.step_wall(2 * meta.skew + gone);
  const auto answer = store->advance(this->window(meta, 1), this->soon());
  this->expect_refused(answer, Fault::clock_ahead);
  this->expect_same_time(std::get<Refused>(answer).store_now, right);
  EXPECT_EQ(this->marks(*store, "slots")[1].high_water, 0U);
  EXPECT_FALSE(this->make(*store, this->slots()).suspect.has_value());
  // Exactly 2E apart is what two right clocks may be.
  this->clock_.step_wall(this->kOwnClock ? -2 * gone : -gone);
  this->granted(store->advance(this->window(meta, 1), this->soon()));
  // And that grant was no evidence for the step: it cannot be repeated.
  this->clock_.step_wall(2 * meta.skew);
  this->expect_refused(store->advance(this->window(meta, 2), this->soon()), Fault::clock_ahead);
}

TYPED_TEST_P(StoreContract, TakesTheKernelsWordForAStep) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->clock_.step_wall(std::chrono::hours{24});
  this->expect_refused(store->advance(this->window(meta, 1), this->soon()), Fault::clock_ahead);
  this->clock_.gain_synchronization();
  const auto answer = store->advance(this->window(meta, 1), this->soon());
  // Not against a clock of the engine's own.
  if (this->kOwnClock) return this->expect_refused(answer, Fault::clock_ahead);
  this->granted(answer);
}

TYPED_TEST_P(StoreContract, AcceptsTheTimeOnAnOperatorsWord) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->clock_.step_wall(std::chrono::hours{24});
  this->expect_refused(store->advance(this->window(meta, 1), this->soon()), Fault::clock_ahead);
  ASSERT_TRUE(store->accept_time(this->soon()).has_value());
  const auto answer = this->open()->advance(this->window(meta, 1), this->soon());
  // Not against a clock of the engine's own.
  if (this->kOwnClock) return this->expect_refused(answer, Fault::clock_ahead);
  EXPECT_EQ(store->identity(this->soon())->now, this->clock_.wall());
  this->granted(answer);
}

TYPED_TEST_P(StoreContract, EndsACounterAtItsLimit) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  auto claim = this->range(meta, 94);
  claim.limit = 100;
  this->expect_refused(store->advance(claim, this->soon()), Fault::key_space_exhausted);
  claim.length = 93;
  EXPECT_EQ(this->granted(store->advance(claim, this->soon())).end, 100U);
  claim.length = 1;
  this->expect_refused(store->advance(claim, this->soon()), Fault::key_space_exhausted);
  claim.limit = 50;
  this->expect_refused(store->advance(claim, this->soon()), Fault::key_space_exhausted);
  EXPECT_EQ(this->marks(*store, "counter")[0].high_water, 100U);
}

TYPED_TEST_P(StoreContract, EndsACounterAtTheLargestMark) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  this->engine_.set_mark("counter", 0, kMostValue - 10);
  this->expect_refused(store->advance(this->range(meta, 11), this->soon()),
                       Fault::key_space_exhausted);
  this->expect_refused(store->advance(this->range(meta, ~std::uint64_t{0}), this->soon()),
                       Fault::key_space_exhausted);
  EXPECT_EQ(this->granted(store->advance(this->range(meta, 10), this->soon())).end, kMostValue);
}

TYPED_TEST_P(StoreContract, RefusesClaimsThatNoStateCouldGrant) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto numbers = this->make(*store, this->counter());
  const auto refuse = [&](const Claim& claim) {
    this->expect_refused(store->advance(claim, this->soon()), Fault::invalid_argument);
  };
  refuse(this->window(meta, 4));
  refuse(this->window(meta, ~std::uint64_t{0}));
  auto claim = this->window(meta, 0);
  claim.end += 1;  // longer than H_max
  refuse(claim);
  claim = this->window(meta, 0);
  claim.floor = kMostValue - 5;
  claim.end = kMostValue + 1;
  refuse(claim);
  refuse(this->range(numbers, 0));
  claim = this->range(numbers, 1);
  claim.slot = 1;
  refuse(claim);
  claim = this->range(meta, 1);
  claim.space = "slots";
  refuse(claim);
  claim = this->window(numbers, 0);
  claim.space = "counter";
  refuse(claim);
  // None of that is the store's fault.
  EXPECT_FALSE(this->make(*store, this->slots()).suspect.has_value());
  claim = this->window(meta, 0);
  claim.end = claim.floor;
  this->expect_not_yet(store->advance(claim, this->soon()), 0);
}

TYPED_TEST_P(StoreContract, GrantsRangesToManyAtOnce) {
  constexpr std::size_t kThreads = 8;
  constexpr std::uint64_t kClaims = 25;
  const auto meta = this->make(*this->open(), this->counter());
  std::mutex mutex;
  std::vector<Grant> grants;
  const auto claim = this->range(meta, 3);
  this->at_once(kThreads, [&](std::size_t thread, Store& store) {
    for (std::uint64_t i = 0; i < kClaims; ++i) {
      auto mine = claim;
      mine.length = 1 + thread;
      const auto grant = this->granted(store.advance(mine, this->soon()));
      EXPECT_EQ(grant.end - grant.start, mine.length);
      const std::lock_guard lock{mutex};
      grants.push_back(grant);
    }
  });
  std::ranges::sort(grants, {}, &Grant::grants);
  ASSERT_EQ(grants.size(), kThreads * kClaims);
  std::uint64_t next = 7;
  for (std::size_t i = 0; i < grants.size(); ++i) {
    EXPECT_EQ(grants[i].grants, i + 1);
    EXPECT_EQ(grants[i].start, next);
    next = grants[i].end;
  }
}

TYPED_TEST_P(StoreContract, GrantsASlotToOneOfManyAtOnce) {
  constexpr std::size_t kThreads = 8;
  const auto meta = this->make(*this->open(), this->slots());
  std::vector<Claim> claims;
  for (std::size_t i = 0; i < kThreads; ++i) {
    claims.push_back(this->window(meta, 0, static_cast<std::uint8_t>(i + 1)));
  }
  std::vector<Answer> answers(kThreads);
  this->at_once(kThreads, [&](std::size_t thread, Store& store) {
    answers[thread] = store.advance(claims[thread], this->soon());
  });
  std::size_t winners = 0;
  std::size_t losers = 0;
  for (const auto& answer : answers) {
    if (std::holds_alternative<Grant>(answer)) ++winners;
    if (std::holds_alternative<NotYet>(answer)) ++losers;
  }
  EXPECT_EQ(winners, 1U);
  EXPECT_EQ(losers, kThreads - 1);
}

TYPED_TEST_P(StoreContract, FencesWindowsByTime) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto old = this->granted(store->advance(this->window(meta, 0), this->soon()));
  ASSERT_TRUE(store->set_suspect("slots", "a backup was restored", this->soon()).has_value());
  const auto fenced = store->fence("slots", {}, this->soon());
  ASSERT_TRUE(fenced.has_value()) << fenced.error().detail;
  EXPECT_EQ(fenced->epoch, meta.epoch + 1);
  EXPECT_NE(fenced->incarnation, meta.incarnation);
  EXPECT_EQ(fenced->store_id, meta.store_id);
  EXPECT_EQ(fenced->definition, meta.definition);
  EXPECT_FALSE(fenced->suspect.has_value());
  // What the old incarnation may have granted, by a clock that is E off, ends before (protocol 2.6).
  const auto wait =
      static_cast<std::uint64_t>((meta.horizon_max + 2 * meta.skew) / std::chrono::milliseconds{1});
  EXPECT_GE(fenced->not_before, this->tick() + wait);
  EXPECT_GT(fenced->not_before, old.end);
  this->expect_not_yet(store->advance(this->window(*fenced, 1), this->soon()), fenced->not_before);
  EXPECT_EQ(this->open()->open_space(this->slots(), this->soon())->incarnation,
            fenced->incarnation);
}

TYPED_TEST_P(StoreContract, FencesCountersByNumbers) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  const auto old = this->granted(store->advance(this->range(meta, 100), this->soon()));
  const auto once = store->fence("counter", {}, this->soon());
  ASSERT_TRUE(once.has_value()) << once.error().detail;
  const auto first = this->granted(store->advance(this->range(*once, 1), this->soon()));
  // 2^24 numbers for each second of its life, which began E ago at the least.
  EXPECT_GE(first.start, old.end + (std::uint64_t{1} << 24));
  EXPECT_EQ(first.start, once->range_floor);
  this->expect_fault(store->fence("counter", {.at_least = first.end - 1}, this->soon()),
                     Fault::invalid_argument);
  this->expect_fault(store->fence("counter", {.at_least = kMostValue + 1}, this->soon()),
                     Fault::invalid_argument);
  const auto twice = store->fence("counter", {.at_least = first.end + 5}, this->soon());
  ASSERT_TRUE(twice.has_value()) << twice.error().detail;
  EXPECT_EQ(twice->epoch, meta.epoch + 2);
  EXPECT_EQ(this->granted(store->advance(this->range(*twice, 1), this->soon())).start,
            first.end + 5);
  // More than a skip by time is sure to pass.
  this->engine_.set_mark("counter", 0, kMostValue / 2);
  this->expect_fault(store->fence("counter", {}, this->soon()), Fault::key_space_exhausted);
  this->expect_fault(store->fence("nowhere", {}, this->soon()), Fault::unknown_space);
}

TYPED_TEST_P(StoreContract, GrantsNothingOfAnEpochThatIsOver) {
  auto store = this->open();
  auto other = this->open();
  const auto slots = this->make(*store, this->slots());
  const auto numbers = this->make(*store, this->counter());
  ASSERT_TRUE(other->fence("slots", {}, this->soon()).has_value());
  ASSERT_TRUE(other->fence("counter", {}, this->soon()).has_value());
  this->expect_refused(store->advance(this->window(slots, 0), this->soon()), Fault::epoch_mismatch);
  this->expect_refused(store->advance(this->range(numbers, 1), this->soon()),
                       Fault::epoch_mismatch);
}

}  // namespace mintmark::store
