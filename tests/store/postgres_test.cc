// The PostgreSQL engine: the contract, and what is its own.

#include "store/postgres.h"

#include <array>
#include <thread>

#include "tests/store/sql_contract.h"

namespace mintmark::store {
namespace {

struct Postgres {
  static constexpr const char* kAnyDatabase = "postgres";
  static constexpr std::array<std::string_view, 2> kLock{
      "BEGIN",
      "LOCK TABLE mintmark_store, mintmark_meta, mintmark_marks, mintmark_items IN ACCESS "
      "EXCLUSIVE "
      "MODE"};
  static const SqlDialect& dialect() { return postgres_dialect(); }
  static void end_sessions(io::sql::Connection& by, const std::string& database) {
    const auto ended = by.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database + "'",
        in_a_minute());
    EXPECT_TRUE(ended.has_value());
  }
  static std::vector<std::string> make_user(const std::string&) {
    return {"DO $$ BEGIN CREATE ROLE clerk LOGIN; EXCEPTION WHEN duplicate_object THEN END $$",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
            "GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO clerk"};
  }
  static PostgresServer& server() {
    static PostgresServer one;
    return one;
  }
};
using PostgresEngine = SqlEngine<Postgres>;

INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, StoreContract, PostgresEngine);
INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, SqlContract, Postgres);

/// Looks at the meta row without keeping others from changing it.
struct UnguardedPostgres : Postgres {
  static constexpr bool kMutant = true;
  static const SqlDialect& dialect() {
    static const SqlDialect kDialect = [] {
      SqlDialect dialect = postgres_dialect();
      dialect.grant =
          "UPDATE mintmark_marks k SET {} FROM (SELECT 1 FROM mintmark_meta m WHERE {}) s WHERE ";
      return dialect;
    }();
    return kDialect;
  }
};
INSTANTIATE_TYPED_TEST_SUITE_P(UnguardedPostgres, SqlContract, UnguardedPostgres);

TEST(PostgresContract, NoticesAGrantThatOutrunsAFence) {
  const std::string failures = failures_of("UnguardedPostgres/*GrantsNothingThatAFenceHasNotSeen");
  EXPECT_TRUE(failures.contains("GrantsNothingThatAFenceHasNotSeen")) << "it passes";
}

Outcome<std::unique_ptr<Store>> open_on(const PostgresServer& server,
                                        Unsafe unsafe = Unsafe::refuse) {
  return open_sql(postgres_dialect(), io::sql::parse_database_url(server.url()).value(),
                  {.clock = io::os_clock(), .unsafe = unsafe}, in_a_minute());
}

TEST(PostgresStore, RefusesAServerThatDoesNotSync) {
  const PostgresServer server{Listen::socket, {"fsync=off"}};
  const auto refused = open_on(server);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.fault(), Fault::unsafe_store_config);
  EXPECT_TRUE(refused.error().detail.contains("fsync: found off, wanted on"))
      << refused.error().detail;
  const auto allowed = open_on(server, Unsafe::allow);
  ASSERT_TRUE(allowed.has_value()) << allowed.error().detail;
  EXPECT_EQ((*allowed)->identity(in_a_minute())->unsafe,
            std::vector<std::string>{"fsync: found off, wanted on"});
}

TEST(PostgresStore, SyncsEachCommitWhateverTheServersDefaultIs) {
  const PostgresServer server{Listen::socket, {"synchronous_commit=off"}};
  EXPECT_TRUE(open_on(server).has_value());
}

TEST(PostgresStore, RefusesSessionsThatOnlyRead) {
  const PostgresServer server{Listen::socket, {"default_transaction_read_only=on"}};
  const auto refused = open_on(server);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.fault(), Fault::incarnation_changed);
}

TEST(PostgresStore, GoesOnAfterTheServerWasKilledAndLosesNothing) {
  PostgresServer server;
  auto store = open_on(server).value();
  const SpaceSetup setup{.name = "n", .definition = "d", .marks = Marks::counter};
  const auto meta = store->open_space(setup, in_a_minute()).value();
  Claim claim{.space = "n", .marks = Marks::counter, .length = 10, .limit = kMostValue};
  claim.incarnation = meta.incarnation;
  ASSERT_TRUE(std::holds_alternative<Grant>(store->advance(claim, in_a_minute())));
  server.kill();
  const auto away = store->advance(claim, in_a_minute());
  const Fault fault = std::get<Refused>(away).failure.error.fault();
  EXPECT_TRUE(fault == Fault::store_unavailable || fault == Fault::outcome_unknown);
  server.start();
  const auto grant = store->advance(claim, in_a_minute());
  ASSERT_TRUE(std::holds_alternative<Grant>(grant)) << std::get<Refused>(grant).failure.detail;
  EXPECT_EQ(std::get<Grant>(grant).start, 11U);
}

TEST(PostgresStore, BurnsACommitThatItsStandbyDidNotConfirm) {
  PostgresServer server;
  auto store = open_on(server).value();
  const SpaceSetup setup{.name = "n", .definition = "d", .marks = Marks::counter};
  const auto meta = store->open_space(setup, in_a_minute()).value();
  Claim claim{.space = "n", .marks = Marks::counter, .length = 10, .limit = kMostValue};
  claim.incarnation = meta.incarnation;
  ASSERT_TRUE(std::holds_alternative<Grant>(store->advance(claim, in_a_minute())));
  // A standby that is not there: each commit waits for it, until somebody ends the wait.
  ASSERT_EQ(server
                .run("ALTER SYSTEM SET synchronous_standby_names = 'nobody';\n"
                     "SELECT pg_reload_conf();\n")
                .code,
            0);
  Answer answer;
  {
    std::jthread claiming{[&] { answer = store->advance(claim, in_a_minute()); }};
    for (int tries = 0; tries < 300; ++tries) {
      const auto waiting = server.run(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep';\n");
      if (waiting.out.starts_with("t")) break;
      io::pause_for(std::chrono::milliseconds{50});
    }
  }
  ASSERT_TRUE(std::holds_alternative<Refused>(answer));
  EXPECT_EQ(std::get<Refused>(answer).failure.error.fault(), Fault::outcome_unknown)
      << std::get<Refused>(answer).failure.detail;
}

}  // namespace
}  // namespace mintmark::store
