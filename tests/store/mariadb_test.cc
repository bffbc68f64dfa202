// The engine for MariaDB and MySQL, on MariaDB: the contract, and what is its own.

#include "store/mariadb.h"

#include <array>

#include "tests/store/sql_contract.h"

namespace mintmark::store {
namespace {

struct Mariadb {
  static constexpr const char* kAnyDatabase = "mysql";
  static constexpr std::array<std::string_view, 1> kLock{
      "LOCK TABLES mintmark_store WRITE, mintmark_meta WRITE, mintmark_marks WRITE, mintmark_items "
      "WRITE"};
  static const SqlDialect& dialect() { return mariadb_dialect(); }
  static void end_sessions(io::sql::Connection& by, const std::string& database) {
    const auto sessions =
        by.query("SELECT id FROM information_schema.processlist WHERE db = '" + database + "'",
                 in_a_minute());
    ASSERT_TRUE(sessions.has_value());
    for (const auto& row : *sessions) {
      static_cast<void>(by.query("KILL " + row[0].value_or("0"), in_a_minute()));
    }
  }
  static std::vector<std::string> make_user(const std::string& database) {
    return {"CREATE USER IF NOT EXISTS clerk@localhost",
            "GRANT SELECT, INSERT, UPDATE ON " + database + ".* TO clerk@localhost"};
  }
  static MariadbServer& server() {
    static MariadbServer one;
    return one;
  }
};
using MariadbEngine = SqlEngine<Mariadb>;

INSTANTIATE_TYPED_TEST_SUITE_P(Mariadb, StoreContract, MariadbEngine);
INSTANTIATE_TYPED_TEST_SUITE_P(Mariadb, SqlContract, Mariadb);

Outcome<std::unique_ptr<Store>> open_on(const MariadbServer& server,
                                        Unsafe unsafe = Unsafe::refuse) {
  return open_sql(mariadb_dialect(), io::sql::parse_database_url(server.url("test")).value(),
                  {.clock = io::os_clock(), .unsafe = unsafe}, in_a_minute());
}

TEST(MariadbStore, RefusesByNameWhatMayLoseCommits) {
  const MariadbServer server{Listen::socket, {"log-bin=log", "sync-binlog=0"}};
  ASSERT_EQ(server.run("CREATE DATABASE test;").code, 0);
  const auto expect_refused = [&](std::string_view words) {
    const auto refused = open_on(server);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().error.fault(), Fault::unsafe_store_config);
    EXPECT_TRUE(refused.error().detail.contains(words)) << refused.error().detail;
  };
  expect_refused("sync_binlog: found 0, wanted 1");
  ASSERT_EQ(server.run("SET GLOBAL innodb_flush_log_at_trx_commit = 2;").code, 0);
  expect_refused("innodb_flush_log_at_trx_commit: found 2, wanted 1");
  EXPECT_EQ(open_on(server, Unsafe::allow).value()->identity(in_a_minute())->unsafe.size(), 2U);
  ASSERT_EQ(
      server.run("SET GLOBAL innodb_flush_log_at_trx_commit = 1; SET GLOBAL sync_binlog = 1;").code,
      0);
  EXPECT_TRUE(open_on(server).has_value());
  ASSERT_EQ(server.run("SET GLOBAL read_only = 1;").code, 0);
  const auto standby = open_on(server);
  ASSERT_FALSE(standby.has_value());
  EXPECT_EQ(standby.error().error.fault(), Fault::incarnation_changed);
  EXPECT_TRUE(standby.error().detail.contains("read_only")) << standby.error().detail;
}

TEST(MariadbStore, GoesOnAfterTheServerWasKilledAndLosesNothing) {
  MariadbServer server;
  ASSERT_EQ(server.run("CREATE DATABASE test;").code, 0);
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

}  // namespace
}  // namespace mintmark::store
