#include <gtest/gtest.h>

#include "cli/key_size.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

KeyCost cost_of(Engine engine, std::string_view form, double rows = 1e6) {
  return key_cost(engine, *find_key_form(form), rows);
}

TEST(KeySize, PostgresqlHasTheEntriesOfItsPages) {
  // 8,152 bytes of a page are for entries: 407 of a bigint, 291 of a uuid.
  const double room = 8'192.0 / 8'152;
  EXPECT_DOUBLE_EQ(cost_of(Engine::postgresql, "bigint").key_entry, 20 * room);
  EXPECT_DOUBLE_EQ(cost_of(Engine::postgresql, "uuid7").key_entry, 28 * room);
  EXPECT_DOUBLE_EQ(cost_of(Engine::postgresql, "uuid7:text").key_entry, 52 * room);
  EXPECT_DOUBLE_EQ(cost_of(Engine::postgresql, "ulid:text").key_entry, 44 * room);
  EXPECT_DOUBLE_EQ(cost_of(Engine::postgresql, "uuid4:text").in_row, 37);
  EXPECT_DOUBLE_EQ(cost_of(Engine::postgresql, "uuid4").in_secondary, 0);
}

TEST(KeySize, PostgresqlAgreesWithWhatWasMeasured) {
  // 2 million rows, MiB of the index of the key: measured 42.9, 60.2, 76.4 and 146.
  const auto index = [](std::string_view form) {
    const KeyCost cost = cost_of(Engine::postgresql, form);
    return 2e6 * cost.key_entry / cost.fill / (1 << 20);
  };
  EXPECT_NEAR(index("bigint"), 42.9, 0.02 * 42.9);
  EXPECT_NEAR(index("uuid7"), 60.2, 0.02 * 60.2);
  EXPECT_NEAR(index("uuid4"), 76.4, 0.02 * 76.4);
  EXPECT_NEAR(index("uuid4:text"), 146, 0.04 * 146);
}

TEST(KeySize, InnodbKeepsTheKeyInEveryIndex) {
  const KeyCost number = cost_of(Engine::innodb, "bigint");
  const KeyCost uuid = cost_of(Engine::innodb, "uuid7");
  EXPECT_DOUBLE_EQ(number.in_secondary, 8);
  EXPECT_DOUBLE_EQ(uuid.in_secondary, 16);
  EXPECT_DOUBLE_EQ(uuid.key_entry, 0);  // the table is that index
  EXPECT_DOUBLE_EQ(uuid.a_row(3, 0) - uuid.a_row(0, 0), 48);
  EXPECT_DOUBLE_EQ(cost_of(Engine::innodb, "uuid4:text").in_secondary, 36);
}

TEST(KeySize, SqlServerComparesAUuidInItsOwnOrder) {
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlserver, "bigint").fill, 1);
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlserver, "uuid7").fill,
                   cost_of(Engine::sqlserver, "uuid4").fill);
}

TEST(KeySize, SqliteWritesSmallNumbersShort) {
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlite, "bigint", 100).in_row, 2);
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlite, "bigint", 1e6).in_row, 4);
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlite, "snowflake", 1e6).in_row, 10);
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlite, "bigint", 1e6).key_entry, 0);
  EXPECT_DOUBLE_EQ(cost_of(Engine::sqlite, "uuid7", 1e6).key_entry, 25);
}

TEST(KeySize, TakesFormsOfAnySize) {
  EXPECT_EQ(find_key_form("text:40")->size, 40U);
  EXPECT_EQ(find_key_form("binary:12")->type, KeyType::binary);
  for (const std::string_view bad :
       {"", "text", "text:", "text:0", "text:127", "text:4x", "binary:-1", "uuid"}) {
    EXPECT_FALSE(find_key_form(bad).has_value()) << bad;
  }
}

TEST(Keysize, ShowsEveryEngineSideBySide) {
  const Shell shell;
  const Ran all = shell.run("mintmark keysize --rows 100M --indexes 3");
  EXPECT_EQ(all.code, 0) << all.err;
  for (const char* engine : {"\npostgresql ", "\ninnodb ", "\nsqlserver ", "\nsqlite "})
    EXPECT_TRUE(has(all.out, engine)) << all.out;
  const Ran two = shell.run("mintmark keysize bigint uuid7 --engine mysql");
  EXPECT_TRUE(has(
      two.out, "\nuuid7                16         -         16   92%     49.4   49.4 MB  2.0x\n"))
      << two.out;
  const Ran json = shell.run("mintmark keysize uuid4 -e postgres --rows 1G --json");
  EXPECT_TRUE(json.out.starts_with("{\"schema\":1,\"rows\":\"1000000000\",")) << json.out;
  EXPECT_TRUE(has(json.out, "\"engine\":\"postgresql\",\"key\":\"uuid4\",\"bytes_in_row\":16,"))
      << json.out;
}

TEST(Keysize, RefusesWithAHint) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark keysize uuid9").err,
            "mintmark: there is no form of a key 'uuid9'; did you mean 'uuid7'?\n");
  for (const std::string call :
       {"--rows 0", "--rows 1.5", "--indexes 1001", "--engine oracle", "--engine", "text:0"}) {
    EXPECT_EQ(shell.run("mintmark keysize " + call).code, 2) << call;
  }
}

}  // namespace
}  // namespace mintmark::cli
