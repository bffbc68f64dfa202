// What both SQL engines promise beyond the contract: a typed suite as contract.h is one.
#pragma once

#include <mutex>
#include <set>
#include <thread>

#include "tests/store/contract.h"
#include "tests/store/sql_engine.h"

namespace mintmark::store {

template <class Traits>
class SqlContract : public StoreContract<SqlEngine<Traits>> {
 protected:
  Outcome<std::unique_ptr<Store>> open_only_what_is_there() {
    return this->engine_.open(this->clock_, this->soon(), Unsafe::refuse, Absent::refuse);
  }
  [[nodiscard]] BootInstant shortly() const {
    return this->clock_.boot() + std::chrono::milliseconds{300};
  }
};

TYPED_TEST_SUITE_P(SqlContract);

TYPED_TEST_P(SqlContract, MakesNoTablesWhereItMayNot) {
  const auto looked = this->open_only_what_is_there();
  this->expect_fault(looked, Fault::store_unavailable);
  EXPECT_TRUE(looked.error().detail.contains("no store")) << looked.error().detail;
  EXPECT_TRUE(this->open());
  EXPECT_TRUE(this->open_only_what_is_there().has_value());
}

TYPED_TEST_P(SqlContract, IsMadeByManyAtOnce) {
  std::vector<std::jthread> threads;
  std::mutex mutex;
  std::set<Nonce> ids;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const auto opened = this->open();
      if (!opened) return;
      const auto meta = opened->open_space(this->slots(), this->soon());
      ASSERT_TRUE(meta.has_value()) << meta.error().detail;
      const std::lock_guard lock{mutex};
      ids.insert(meta->store_id);
    });
  }
  threads.clear();
  EXPECT_EQ(ids.size(), 1U);
}

TYPED_TEST_P(SqlContract, WaitsBeforeTheFirstWindowOfASpace) {
  auto store = this->open();
  const auto meta = store->open_space(this->slots(), this->soon());
  ASSERT_TRUE(meta.has_value());
  // A store of that name may have been lost (protocol 2.2).
  const auto wait = (meta->horizon_max + 2 * meta->skew) / std::chrono::milliseconds{1};
  EXPECT_GE(meta->not_before, this->tick() + static_cast<std::uint64_t>(wait));
  this->expect_not_yet(store->advance(this->window(*meta, 0), this->soon()), meta->not_before);
}

TYPED_TEST_P(SqlContract, GrantsNothingThatAFenceHasNotSeen) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  // A fence that has begun and is not committed: the grant must wait for its end.
  auto fencing = this->engine_.connection();
  this->engine_.run(*fencing, "START TRANSACTION");
  this->engine_.run(*fencing, "UPDATE mintmark_meta SET epoch = epoch + 1");
  std::optional<Answer> answer;
  {
    std::jthread claiming{[&] { answer = store->advance(this->range(meta, 10), this->soon()); }};
    io::pause_for(std::chrono::milliseconds{200});
    this->engine_.run(*fencing, "COMMIT");
  }
  this->expect_refused(*answer, Fault::epoch_mismatch);
  EXPECT_EQ(this->marks(*store, "counter")[0].grants, 0U);
}

TYPED_TEST_P(SqlContract, BurnsAClaimWhoseEndIsNotKnown) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  // The row is held: the claim is read, decided and sent, and no answer comes in time.
  auto holder = this->engine_.connection();
  this->engine_.run(*holder, "START TRANSACTION");
  this->engine_.run(*holder, "UPDATE mintmark_marks SET gseq = gseq");
  this->expect_refused(store->advance(this->range(meta, 10), this->shortly()),
                       Fault::outcome_unknown);
  this->engine_.run(*holder, "COMMIT");
  holder.reset();
  // The next call connects anew, and is above whatever became of that one.
  const auto grant = this->granted(store->advance(this->range(meta, 10), this->soon()));
  EXPECT_TRUE(grant.start == 7 || grant.start == 17) << grant.start;
}

TYPED_TEST_P(SqlContract, KnowsAnotherStoreInTheSamePlace) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  this->granted(store->advance(this->range(meta, 10), this->soon()));
  this->engine_.raw("DELETE FROM mintmark_store");
  this->engine_.raw("INSERT INTO mintmark_store VALUES (1, 1, '" + std::string(32, 'e') + "')");
  this->engine_.end_sessions();
  // The first call may still use the session that was ended.
  static_cast<void>(store->identity(this->soon()));
  this->expect_refused(store->advance(this->range(meta, 10), this->soon()),
                       Fault::incarnation_changed);
}

TYPED_TEST_P(SqlContract, StopsOnAnEngineThatItsSpaceWasNotGrantedBy) {
  auto store = this->open();
  const auto meta = this->make(*store, this->counter());
  this->engine_.raw("UPDATE mintmark_meta SET engine_ident = 'another'");
  this->expect_refused(store->advance(this->range(meta, 10), this->soon()),
                       Fault::incarnation_changed);
  const auto fenced = store->fence("counter", {}, this->soon());
  ASSERT_TRUE(fenced.has_value()) << fenced.error().detail;
  this->granted(store->advance(this->range(*fenced, 10), this->soon()));
}

TYPED_TEST_P(SqlContract, NeedsNoRightToMakeTables) {
  ASSERT_TRUE(this->open());
  const auto url = this->engine_.url_of_user_without_tables();
  auto store = open_sql(TypeParam::dialect(), io::sql::parse_database_url(url).value(),
                        {.clock = this->clock_}, this->soon())
                   .value();
  const auto meta = this->make(*store, this->counter());
  this->granted(store->advance(this->range(meta, 10), this->soon()));
  EXPECT_EQ(store->put_new("a", "b", this->soon()).value(), true);
}

REGISTER_TYPED_TEST_SUITE_P(SqlContract, MakesNoTablesWhereItMayNot, IsMadeByManyAtOnce,
                            WaitsBeforeTheFirstWindowOfASpace, GrantsNothingThatAFenceHasNotSeen,
                            BurnsAClaimWhoseEndIsNotKnown, KnowsAnotherStoreInTheSamePlace,
                            StopsOnAnEngineThatItsSpaceWasNotGrantedBy, NeedsNoRightToMakeTables);

}  // namespace mintmark::store
