#include <gtest/gtest.h>

#include "cli/sql_dialect.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(SqlShape, TakesItsConstantsFromTheLibrary) {
  const auto uuid7 = shape_of("uuid7", std::nullopt, true);
  ASSERT_TRUE(uuid7.has_value());
  EXPECT_EQ(uuid7->form, ColumnForm::uuid);
  EXPECT_EQ(uuid7->least, "00000000000070008000000000000000");
  EXPECT_EQ(uuid7->largest, "0000000000007fffbfffffffffffffff");
  EXPECT_EQ(uuid7->last_us, 281'474'976'710'655'999);
  const auto xid = shape_of("xid", ColumnForm::text, false);
  EXPECT_EQ(xid->least, "00000000000000000000");
  EXPECT_EQ(xid->largest, "0000007vvvvvvvvvvvvg");
  const auto twitter = shape_of("snowflake", std::nullopt, true);
  EXPECT_EQ(twitter->largest, "4194303");
  EXPECT_EQ(twitter->epoch_us, 1'288'834'974'657'000);
  EXPECT_FALSE(shape_of("uuid1", std::nullopt, true)->sorts);
  EXPECT_EQ(decimal_power_of_2(128), "340282366920938463463374607431768211456");
  EXPECT_EQ(decimal_power_of_62(3), "238328");
}

TEST(SqlShape, AFormIsRefusedWhereThereIsNone) {
  EXPECT_FALSE(shape_of("uuid7", ColumnForm::uuid, false).has_value());
  EXPECT_FALSE(shape_of("ksuid", ColumnForm::uuid, true).has_value());
  EXPECT_FALSE(shape_of("uuid7", ColumnForm::integer, true).has_value());
  EXPECT_FALSE(shape_of("twitter", ColumnForm::text, true).has_value());
  EXPECT_FALSE(shape_of("pushid", ColumnForm::bytes, true).has_value());
  for (const std::string_view scheme : {"uuid4", "nanoid", "cuid2", "typeid", "nothing", "uuid"}) {
    EXPECT_FALSE(shape_of(scheme, std::nullopt, true).has_value()) << scheme;
  }
  for (const std::string_view scheme : shaped_schemes()) {
    EXPECT_TRUE(shape_of(scheme, std::nullopt, true).has_value()) << scheme;
  }
}

TEST(Sql, WritesEveryDialectForEveryScheme) {
  const Shell shell;
  for (const SqlDialect* dialect : sql_dialects()) {
    for (const std::string_view scheme : shaped_schemes()) {
      std::string form;
      if (dialect->name() == "sqlserver" && scheme == "ksuid") form = " --form bytes";
      if (dialect->name() == "mariadb" && scheme == "ulid") form = " --form bytes";
      const Ran ran = shell.run("mintmark sql " + std::string{dialect->name()} + " " +
                                std::string{scheme} + form);
      EXPECT_EQ(ran.code, 0) << ran.err;
      EXPECT_TRUE(has(ran.out, "id_time")) << ran.out;
      EXPECT_EQ(has(ran.out, "id_floor"), scheme != "uuid1") << ran.out;
    }
  }
}

// In a signed column the upper half of 64 bits without a sign is negative, and its IDs are IDs all the same.
TEST(Sql, ANegativeNumberIsAnIdWhereAll64BitsAreUsed) {
  const Shell shell;
  for (const std::string scheme : {"tsid", "discord"}) {
    for (const std::string dialect : {"postgresql", "mysql", "mariadb", "sqlite"}) {
      const Ran ran = shell.run("mintmark sql " + dialect + " " + scheme);
      EXPECT_TRUE(has(ran.out, "id IS NOT NULL")) << ran.out;
      EXPECT_FALSE(has(ran.out, "id >= 0")) << ran.out;
    }
  }
  EXPECT_TRUE(has(shell.run("mintmark sql postgresql rowid").out, "id >= 0"));
}

TEST(Sql, NamesWhatIsAskedFor) {
  const Shell shell;
  const Ran ran = shell.run("mintmark sql postgres uuid7 -p order_id --table orders --column key");
  EXPECT_TRUE(
      has(ran.out, "CREATE OR REPLACE FUNCTION order_id_floor(moment timestamptz) RETURNS uuid"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "SELECT * FROM orders WHERE key BETWEEN order_id_floor(")) << ran.out;
  const Ran view = shell.run("mintmark sql sqlite twitter --table orders --column key");
  EXPECT_TRUE(has(view.out, "CREATE VIEW IF NOT EXISTS orders_id_time AS")) << view.out;
  EXPECT_TRUE(has(view.out, "FROM (SELECT key AS id FROM orders)")) << view.out;
  const Ran json = shell.run("mintmark sql mysql ulid --json");
  EXPECT_TRUE(
      json.out.starts_with("{\"schema\":1,\"dialect\":\"mysql\",\"scheme\":\"ulid\",\"form\":"
                           "\"bytes\",\"sorts_by_time\":true,"));
}

TEST(Sql, TakesALayoutOfOnesOwn) {
  const Shell shell;
  const Ran ran =
      shell.run("mintmark sql postgresql 'time:32 worker:8 seq:8 unit=1s epoch=2020-01-01'");
  EXPECT_TRUE(has(ran.out, "timestamp '2020-01-01 00:00:00.000000'")) << ran.out;
  EXPECT_TRUE(has(ran.out, "(us / 1000000) * 65536 + 65535")) << ran.out;
  // A worker above the time: a reader, and no bounds.
  const Ran shards = shell.run("mintmark sql postgresql 'shard:8 time:41 seq:10 epoch=2020-01-01'");
  EXPECT_TRUE(has(shards.out, "id_time")) << shards.out;
  EXPECT_FALSE(has(shards.out, "id_floor")) << shards.out;
}

TEST(Sql, RefusesWithAHint) {
  const Shell shell;
  EXPECT_TRUE(has(shell.run("mintmark sql postgresq uuid7").err, "did you mean 'postgresql'?"));
  EXPECT_TRUE(has(shell.run("mintmark sql sqlite uuif7").err, "did you mean 'uuid7'?"));
  EXPECT_TRUE(has(shell.run("mintmark sql sqlite typeid").err, "it is a uuid7"));
  EXPECT_TRUE(has(shell.run("mintmark sql sqlserver ksuid").err, "--form bytes"));
  for (const std::string call :
       {"", "postgresql", "postgresql uuid4", "postgresql uuid7 --form blob",
        "postgresql uuid7 --prefix 'a; DROP TABLE x'", "postgresql uuid7 --table ''",
        "postgresql uuid7 --column 'a b'", "postgresql uuid7 --prefix 1a"}) {
    const Ran ran = shell.run("mintmark sql " + call);
    EXPECT_EQ(ran.code, 2) << call;
    EXPECT_EQ(ran.out, "") << call;
  }
}

}  // namespace
}  // namespace mintmark::cli
