// The part of the contract about calls as such: identity, deadlines, fork. Include key_value_contract.h.
#pragma once

#include "tests/child_process.h"
#include "tests/store/key_value_contract.h"

namespace mintmark::store {

TYPED_TEST_P(KeyValueContract, TellsWhoItIs) {
  auto store = this->open();
  const auto before = store->identity(this->soon());
  ASSERT_TRUE(before.has_value()) << before.error().detail;
  EXPECT_FALSE(before->engine.empty());
  EXPECT_FALSE(before->ident.empty());
  EXPECT_TRUE(before->unsafe.empty());
  this->expect_now(before->now);
  this->put(*store, this->key_, "a");
  const auto after = this->open()->identity(this->soon());
  ASSERT_TRUE(after.has_value()) << after.error().detail;
  EXPECT_EQ(after->engine, before->engine);
  EXPECT_EQ(after->ident, before->ident);
  EXPECT_GT(after->progress, before->progress);
  this->put(*store, this->key_, "b");
  const auto later = store->identity(this->soon());
  ASSERT_TRUE(later.has_value()) << later.error().detail;
  EXPECT_EQ(later->ident, before->ident);
  EXPECT_GT(later->progress, after->progress);
}

TYPED_TEST_P(KeyValueContract, SendsNothingAfterTheDeadline) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  const auto over = io::os_clock().boot();
  const auto changes = std::vector<Change>{{this->key_, "b"}};
  this->expect_fault(store->write({}, changes, over), Fault::store_unavailable);
  this->expect_fault(store->read(std::vector{this->key_}, over), Fault::store_unavailable);
  this->expect_fault(store->list("folder", over), Fault::store_unavailable);
  this->expect_fault(store->identity(over), Fault::store_unavailable);
  this->expect_fault(this->engine_.open(over), Fault::store_unavailable);
  EXPECT_EQ(this->value(*store, this->key_), "a");
}

TYPED_TEST_P(KeyValueContract, EndsAReadByItsDeadline) {
  auto store = this->open();
  auto lister = this->open();
  auto asker = this->open();
  this->put(*store, this->key_, "a");
  this->engine_.pause();
  for (int again = 0; again < 2; ++again) {  // on an open connection, then on none
    auto deadline = this->shortly();
    this->expect_fault(store->read(std::vector{this->key_}, deadline), Fault::store_unavailable);
    this->expect_in_time(deadline);
    deadline = this->shortly();
    this->expect_fault(lister->list("folder", deadline), Fault::store_unavailable);
    this->expect_in_time(deadline);
    deadline = this->shortly();
    this->expect_fault(asker->identity(deadline), Fault::store_unavailable);
    this->expect_in_time(deadline);
  }
  const auto deadline = this->shortly();
  this->expect_fault(this->engine_.open(deadline), Fault::store_unavailable);
  this->expect_in_time(deadline);
  this->engine_.resume();
  EXPECT_EQ(this->value(*store, this->key_), "a");
  EXPECT_EQ(this->list(*lister, "folder").size(), 1U);
  EXPECT_TRUE(asker->identity(this->soon()).has_value());
}

TYPED_TEST_P(KeyValueContract, EndsAWriteByItsDeadline) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  this->engine_.pause();
  const auto changes = std::vector<Change>{{this->key_, "b"}};
  auto deadline = this->shortly();
  const auto first = store->write({}, changes, deadline);
  this->expect_in_time(deadline);
  deadline = this->shortly();
  // There is no connection now, and none comes about.
  this->expect_fault(store->write({}, changes, deadline), Fault::store_unavailable);
  this->expect_in_time(deadline);
  this->engine_.resume();
  // An engine that reads before it writes still knows that it wrote nothing.
  ASSERT_FALSE(first.has_value());
  const bool definite = first.error().error.fault() == Fault::store_unavailable;
  this->expect_fault(first, definite ? Fault::store_unavailable : Fault::outcome_unknown);
  const auto now = this->value(*store, this->key_);
  EXPECT_TRUE(now == "a" || (now == "b" && !definite)) << now.value_or("nothing");
  this->put(*store, this->key_, "c");
  EXPECT_EQ(this->value(*this->open(), this->key_), "c");
}

TYPED_TEST_P(KeyValueContract, ServesNoForkedChild) {
  auto store = this->open();
  this->put(*store, this->key_, "a");
  const auto changes = std::vector<Change>{{this->key_, "b"}};
  ChildProcess child{[&](int) {
    const auto forked = [](const auto& outcome) {
      return !outcome && outcome.error().error.fault() == Fault::forked;
    };
    if (!forked(store->read(std::vector{this->key_}, this->soon()))) return 1;
    if (!forked(store->list("folder", this->soon()))) return 2;
    if (!forked(store->write({}, changes, this->soon()))) return 3;
    if (!forked(store->identity(this->soon()))) return 4;
    store.reset();
    return 0;
  }};
  EXPECT_EQ(child.status(), 0);
  EXPECT_EQ(this->value(*store, this->key_), "a");
  this->put(*store, this->key_, "c");
  EXPECT_EQ(this->value(*store, this->key_), "c");
}

}  // namespace mintmark::store
