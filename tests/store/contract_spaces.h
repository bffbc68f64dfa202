// The part of the contract about spaces, items and calls as such. Include contract.h.
#pragma once

#include <atomic>
#include <set>

#include "tests/child_process.h"
#include "tests/store/contract.h"

namespace mintmark::store {

TYPED_TEST_P(StoreContract, KeepsTheDefinitionOfASpace) {
  auto store = this->open();
  const auto first = this->make(*store, this->slots());
  EXPECT_EQ(first.definition, "snowflake unit=1ms");
  EXPECT_EQ(first.epoch, 0U);
  this->expect_same_time(first.created_at, this->clock_.wall());
  EXPECT_EQ(first.slot_base, 0U);
  EXPECT_EQ(first.slot_count, 4U);
  EXPECT_EQ(first.horizon_max, SpaceSetup{}.horizon_max);
  EXPECT_EQ(first.skew, this->slots().skew);
  EXPECT_EQ(first.layout_epoch, this->slots().epoch);
  EXPECT_EQ(first.unit, this->slots().unit);
  EXPECT_FALSE(first.suspect.has_value());
  EXPECT_NE(first.incarnation, Nonce{});
  EXPECT_NE(first.store_id, Nonce{});
  this->clock_.advance(std::chrono::seconds{5});
  auto other = this->slots();
  other.definition = "snowflake unit=10ms";
  other.slot_count = 9;
  other.horizon_max = std::chrono::seconds{1};
  const auto second = this->make(*this->open(), other);
  EXPECT_EQ(second.definition, first.definition);
  EXPECT_EQ(second.slot_count, first.slot_count);
  EXPECT_EQ(second.horizon_max, first.horizon_max);
  EXPECT_EQ(second.created_at, first.created_at);
  EXPECT_EQ(second.incarnation, first.incarnation);
  EXPECT_EQ(second.store_id, first.store_id);
  EXPECT_EQ(second.not_before, first.not_before);
  // Nor is one kind of marks taken for the other.
  EXPECT_EQ(this->make(*store, this->counter("slots")).marks, Marks::slots);
}

TYPED_TEST_P(StoreContract, MakesTheRowsOfASpace) {
  auto store = this->open();
  this->make(*store, this->slots());
  const auto marks = this->marks(*store, "slots");
  ASSERT_EQ(marks.size(), 4U);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    EXPECT_EQ(marks[i].slot, i);
    EXPECT_EQ(marks[i].high_water, 0U);
    EXPECT_EQ(marks[i].grants, 0U);
    EXPECT_EQ(marks[i].owner, Nonce{});
  }
  EXPECT_EQ(this->make(*store, this->counter()).marks, Marks::counter);
  const auto counter = this->marks(*store, "counter");
  ASSERT_EQ(counter.size(), 1U);
  EXPECT_EQ(counter[0].high_water, 7U);
}

TYPED_TEST_P(StoreContract, MakesOneSpaceForManyAtOnce) {
  constexpr std::size_t kThreads = 8;
  std::vector<SpaceMeta> metas(kThreads);
  this->at_once(kThreads, [&](std::size_t thread, Store& store) {
    metas[thread] = this->make(store, this->slots());
  });
  for (const auto& meta : metas) {
    EXPECT_EQ(meta.incarnation, metas[0].incarnation);
    EXPECT_NE(meta.incarnation, Nonce{});
  }
  EXPECT_EQ(this->marks(*this->open(), "slots").size(), 4U);
}

TYPED_TEST_P(StoreContract, RefusesSetupsThatMakeNoSense) {
  auto store = this->open();
  const auto refuse = [&](auto change, SpaceSetup setup) {
    change(setup);
    this->expect_fault(store->open_space(setup, this->soon()), Fault::invalid_argument);
  };
  refuse([](SpaceSetup& s) { s.name.clear(); }, this->slots());
  refuse([](SpaceSetup& s) { s.name.assign(kMostNameBytes + 1, 'a'); }, this->slots());
  refuse([](SpaceSetup& s) { s.name.push_back('\0'); }, this->slots());
  refuse([](SpaceSetup& s) { s.definition.assign(kMostDefinitionBytes + 1, 'a'); }, this->slots());
  refuse([](SpaceSetup& s) { s.slot_count = 0; }, this->slots());
  refuse([](SpaceSetup& s) { s.slot_count = kMostSlots + 1; }, this->slots());
  refuse([](SpaceSetup& s) { s.unit = Duration::zero(); }, this->slots());
  refuse([](SpaceSetup& s) { s.horizon_max = Duration::zero(); }, this->slots());
  refuse([](SpaceSetup& s) { s.skew = std::chrono::milliseconds{1499}; }, this->slots());
  refuse([](SpaceSetup& s) { s.first_value = kMostValue + 1; }, this->counter());
  auto longest = this->slots(std::string(kMostNameBytes, 'a'));
  longest.definition.assign(kMostDefinitionBytes, 'd');
  EXPECT_EQ(this->make(*store, longest).definition, longest.definition);
}

TYPED_TEST_P(StoreContract, HoldsTheMostSlots) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots("slots", kMostSlots));
  EXPECT_EQ(this->marks(*store, "slots").size(), kMostSlots);
  this->granted(store->advance(this->window(meta, kMostSlots - 1), this->soon()));
}

TYPED_TEST_P(StoreContract, KeepsSpacesApart) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto other = this->make(*store, this->slots("other"));
  EXPECT_NE(meta.incarnation, other.incarnation);
  EXPECT_EQ(meta.store_id, other.store_id);
  this->granted(store->advance(this->window(meta, 0), this->soon()));
  auto claim = this->window(other, 0);
  claim.space = "other";
  this->granted(store->advance(claim, this->soon()));
  this->engine_.remove_mark("other", 3);
  this->expect_refused(store->advance(
                           [&] {
                             claim.slot = 3;
                             return claim;
                           }(),
                           this->soon()),
                       Fault::store_regressed);
  this->granted(store->advance(this->window(meta, 1), this->soon()));
}

TYPED_TEST_P(StoreContract, StopsAllHandlesOfASuspectSpace) {
  auto store = this->open();
  auto other = this->open();
  const auto meta = this->make(*store, this->slots());
  ASSERT_TRUE(store->set_suspect("slots", "seen by a witness", this->soon()).has_value());
  ASSERT_TRUE(other->set_suspect("slots", "too late", this->soon()).has_value());
  this->expect_refused(other->advance(this->window(meta, 0), this->soon()), Fault::store_regressed);
  EXPECT_EQ(this->make(*other, this->slots()).suspect, "seen by a witness");
}

TYPED_TEST_P(StoreContract, KnowsNoSpaceThatWasNotMade) {
  auto store = this->open();
  this->expect_fault(store->scan("nowhere", this->soon()), Fault::unknown_space);
  this->expect_fault(store->set_suspect("nowhere", "why", this->soon()), Fault::unknown_space);
  this->expect_refused(store->advance(this->window({}, 0), this->soon()), Fault::store_regressed);
}

TYPED_TEST_P(StoreContract, InsertsAnItemOnce) {
  auto store = this->open();
  const std::string bytes{"a\0b\xff", 4};
  EXPECT_EQ(store->put_new(bytes, bytes, this->soon()).value(), true);
  EXPECT_EQ(store->put_new(bytes, "other", this->soon()).value(), false);
  EXPECT_EQ(store->put_new("a", "", this->soon()).value(), true);
  EXPECT_EQ(this->open()->put_new("a", "", this->soon()).value(), false);
}

TYPED_TEST_P(StoreContract, LetsOneOfManyInsertAnItem) {
  std::atomic<int> winners{0};
  this->at_once(8, [&](std::size_t, Store& store) {
    for (int item = 0; item < 10; ++item) {
      const auto inserted = store.put_new("item " + std::to_string(item), "x", this->soon());
      ASSERT_TRUE(inserted.has_value()) << inserted.error().detail;
      if (*inserted) ++winners;
    }
  });
  EXPECT_EQ(winners, 10);
}

TYPED_TEST_P(StoreContract, RefusesItemsOutOfBounds) {
  auto store = this->open();
  const auto refuse = [&](const std::string& key, const std::string& value) {
    this->expect_fault(store->put_new(key, value, this->soon()), Fault::invalid_argument);
  };
  refuse("", "x");
  refuse(std::string(kMostKeyBytes + 1, 'k'), "x");
  refuse("k", std::string(kMostItemBytes + 1, 'v'));
  EXPECT_EQ(
      store
          ->put_new(std::string(kMostKeyBytes, 'k'), std::string(kMostItemBytes, 'v'), this->soon())
          .value(),
      true);
}

TYPED_TEST_P(StoreContract, TellsWhoItIs) {
  auto store = this->open();
  const auto before = store->identity(this->soon()).value();
  EXPECT_FALSE(before.engine.empty());
  EXPECT_FALSE(before.ident.empty());
  EXPECT_TRUE(before.unsafe.empty());
  this->expect_same_time(before.now, this->clock_.wall());
  const auto meta = this->make(*store, this->slots());
  const auto numbers = this->make(*store, this->counter());
  this->granted(store->advance(this->window(meta, 0), this->soon()));
  this->granted(store->advance(this->range(numbers, 5), this->soon()));
  const auto after = this->open()->identity(this->soon()).value();
  EXPECT_EQ(after.engine, before.engine);
  EXPECT_EQ(after.ident, before.ident);
  EXPECT_GE(after.progress, before.progress + 2);
  if (this->kOwnClock) return;
  this->clock_.advance(std::chrono::minutes{3});
  this->clock_.step_wall(std::chrono::hours{1});
  EXPECT_EQ(this->open()->identity(this->soon())->now, this->clock_.wall() - std::chrono::hours{1});
}

TYPED_TEST_P(StoreContract, EndsACallByItsDeadline) {
  const Clock& clock = io::os_clock();
  auto patient = this->open();
  auto store = this->open(clock);
  const auto meta = this->make(*patient, this->slots());
  const auto claim = this->window(meta, 0);
  this->engine_.lock();
  const auto deadline = clock.boot() + std::chrono::milliseconds{30};
  this->expect_refused(store->advance(claim, deadline), Fault::store_unavailable);
  EXPECT_GE(clock.boot(), deadline);
  // A read comes before the write of a claim; an item is written at once, and where the write was sent nobody
  // knows what became of it.
  const auto item = store->put_new("key", "x", clock.boot() + std::chrono::milliseconds{30});
  ASSERT_FALSE(item.has_value());
  if (item.error().error.fault() != Fault::outcome_unknown) {
    this->expect_fault(item, Fault::store_unavailable);
  }
  this->engine_.unlock();
  this->granted(patient->advance(claim, this->soon()));
}

TYPED_TEST_P(StoreContract, RefusesACallAfterItsDeadline) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  const auto over = this->clock_.boot();
  this->engine_.lock();
  this->expect_refused(store->advance(this->window(meta, 0), over), Fault::store_unavailable);
  this->expect_fault(store->open_space(this->slots("late"), over), Fault::store_unavailable);
  this->expect_fault(store->put_new("key", "x", over), Fault::store_unavailable);
  this->expect_fault(store->set_suspect("slots", "x", over), Fault::store_unavailable);
  this->expect_fault(store->accept_time(over), Fault::store_unavailable);
  this->engine_.unlock();
  EXPECT_EQ(this->marks(*store, "slots")[0].grants, 0U);
}

TYPED_TEST_P(StoreContract, ServesNoForkedChild) {
  auto store = this->open();
  const auto meta = this->make(*store, this->slots());
  ChildProcess child{[&](int) {
    const auto forked = [](const Failure& failure) {
      return failure.error.fault() == Fault::forked;
    };
    const auto answer = store->advance(this->window(meta, 0), this->soon());
    const auto* no = std::get_if<Refused>(&answer);
    if (no == nullptr || !forked(no->failure)) return 1;
    if (!forked(store->open_space(this->slots(), this->soon()).error())) return 2;
    if (!forked(store->put_new("k", "v", this->soon()).error())) return 3;
    if (!forked(store->scan("slots", this->soon()).error())) return 4;
    if (!forked(store->identity(this->soon()).error())) return 5;
    if (!forked(store->set_suspect("slots", "x", this->soon()).error())) return 6;
    if (!forked(store->accept_time(this->soon()).error())) return 7;
    store.reset();
    return 0;
  }};
  EXPECT_EQ(child.status(), 0);
  this->granted(store->advance(this->window(meta, 0), this->soon()));
}

}  // namespace mintmark::store
