// What keysize says about engines, and the tables that choose proposes, held against the engines themselves.
#include <gtest/gtest.h>

#include "cli/chooser.h"
#include "cli/key_size.h"
#include "database_server.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

constexpr double kRows = 100'000;

/// Bytes of a row's entry in the index of the key, the empty room included.
double entry_of(Engine engine, std::string_view form) {
  const KeyCost cost = key_cost(engine, *find_key_form(form), kRows);
  return cost.key_entry / cost.fill;
}

TEST(Engines, PostgresqlPaysForAKeyWhatKeysizeSays) {
  const PostgresServer server;
  struct Key {
    std::string_view form;
    std::string_view type;
    std::string_view value;  ///< of row n
  };
  // 10,000 rising UUIDs a second would be one clock; md5 spreads like chance, and is the same each time.
  constexpr std::array kKeys{
      Key{"bigint", "bigint", "n"},
      Key{"uuid7", "uuid", "lpad(to_hex(n), 32, '0')::uuid"},
      Key{"uuid4", "uuid", "md5(n::text)::uuid"},
      Key{"uuid7:text", "text COLLATE \"C\"", "lpad(n::text, 36, '0')"},
      Key{"uuid4:text", "text COLLATE \"C\"", "md5(n::text)::uuid::text"},
      Key{"ulid:text", "text COLLATE \"C\"", "lpad(n::text, 26, '0')"},
  };
  for (const Key& key : kKeys) {
    const std::string type{key.type};
    const std::string value{key.value};
    const SqlReply reply = server.run(
        "DROP TABLE IF EXISTS things;\nCREATE TABLE things (id " + type +
        " PRIMARY KEY);\nINSERT INTO things SELECT " + value +
        " FROM generate_series(1, 100000) AS n;\n"
        "SELECT pg_relation_size('things_pkey'), avg(pg_column_size(id)) FROM things;\n");
    ASSERT_EQ(reply.code, 0) << reply.err;
    const double measured = std::stod(reply.out) / kRows;
    // In a random order the pages split in waves, and the fill swings around its mean.
    const bool random = find_key_form(key.form)->order == KeyOrder::random;
    EXPECT_NEAR(measured / entry_of(Engine::postgresql, key.form), 1, random ? 0.15 : 0.03)
        << key.form << ' ' << measured;
    const double in_row = std::stod(reply.out.substr(reply.out.find('\t')));
    EXPECT_DOUBLE_EQ(in_row, key_cost(Engine::postgresql, *find_key_form(key.form), kRows).in_row)
        << key.form;
  }
}

TEST(Engines, SqlitePaysForAKeyWhatKeysizeSays) {
  const Shell shell;
  const auto bytes_a_row = [&shell](const std::string& column, const std::string& value) {
    // A value that is as long for every key, so that only the key makes a difference.
    const Ran ran = shell.run(
        "sqlite3 :memory: \"CREATE TABLE things (id " + column +
        " PRIMARY KEY, v TEXT); "
        "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < 100000) "
        "INSERT INTO things SELECT " +
        value +
        ", 'twenty characters ...' FROM r; "
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size;\"");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return std::stod(ran.out) / kRows;
  };
  const auto said = [](std::string_view form) {
    return key_cost(Engine::sqlite, *find_key_form(form), kRows).a_row(0, 0);
  };
  const double number = bytes_a_row("INTEGER", "n");
  EXPECT_NEAR(bytes_a_row("INTEGER", "n + (1 << 62)") - number, said("snowflake") - said("bigint"),
              1);
  EXPECT_NEAR(bytes_a_row("BLOB", "randomblob(16)") - number, said("uuid4") - said("bigint"), 3);
  EXPECT_NEAR(bytes_a_row("TEXT", "lower(hex(randomblob(18)))") - number,
              said("uuid4:text") - said("bigint"), 5);
  EXPECT_NEAR(bytes_a_row("TEXT", "printf('%026d', n)") - number,
              said("ulid:text") - said("bigint"), 5);
}

/// The tables that choose proposes for a store, one after another.
std::string all_tables(std::string_view store) {
  std::string script;
  for (const Verdict& verdict :
       rank_choices({.needs = {}, .maker = {}, .store = store, .rate = {}})) {
    EXPECT_FALSE(verdict.ddl.empty()) << verdict.choice->name;
    script += "DROP TABLE IF EXISTS things;\n" + verdict.ddl + "\n";
  }
  return script;
}

TEST(Engines, TakeTheTablesThatChooseProposes) {
  const Shell shell;
  shell.write("tables.sql", all_tables("sqlite"));
  const Ran sqlite = shell.run("sqlite3 -bail :memory: <tables.sql");
  EXPECT_EQ(sqlite.code, 0) << sqlite.err;
  const PostgresServer postgresql;
  const SqlReply in_postgresql = postgresql.run(all_tables("postgresql"));
  EXPECT_EQ(in_postgresql.code, 0) << in_postgresql.err;
  const MariadbServer mariadb;
  for (const char* store : {"mariadb", "mysql"}) {
    const SqlReply reply =
        mariadb.run("CREATE DATABASE IF NOT EXISTS test; USE test;\n" + all_tables(store));
    EXPECT_EQ(reply.code, 0) << reply.err;
  }
}

}  // namespace
}  // namespace mintmark::cli
