// The functions for MariaDB and those for MySQL, run by a real MariaDB and held against the library.
#include <gtest/gtest.h>

#include "database_server.h"
#include "shell.h"
#include "sql_cases.h"

namespace mintmark::cli {
namespace {

constexpr std::array kBoth{
    SqlCase{"uuid7", "bytes"},       SqlCase{"uuid7", "text"},
    SqlCase{"uuid6", "bytes"},       SqlCase{"uuid6", "text"},
    SqlCase{"uuid1", "bytes"},       SqlCase{"uuid1", "text"},
    SqlCase{"ulid", "bytes"},        SqlCase{"ulid", "text"},
    SqlCase{"objectid", "bytes"},    SqlCase{"objectid", "text"},
    SqlCase{"ksuid", "bytes"},       SqlCase{"ksuid", "text"},
    SqlCase{"xid", "bytes"},         SqlCase{"xid", "text"},
    SqlCase{"pushid", "text"},       SqlCase{"twitter", "integer"},
    SqlCase{"discord", "integer"},   SqlCase{"instagram", "integer"},
    SqlCase{"sonyflake", "integer"}, SqlCase{"mastodon", "integer"},
    SqlCase{"baidu", "integer"},     SqlCase{"rowid", "integer"},
};
constexpr std::array kMariadbOnly{SqlCase{"uuid7", "uuid"}, SqlCase{"uuid6", "uuid"},
                                  SqlCase{"uuid1", "uuid"}};

std::string value(const std::string& id, std::string_view form) {
  if (form == "integer") return id;
  return form == "bytes" ? "x'" + id + "'" : "'" + id + "'";
}

std::string shown(const std::string& expression, std::string_view form) {
  return form == "bytes" ? "LOWER(HEX(" + expression + "))" : expression;
}

void check(const MariadbServer& server, const Shell& shell, const std::string& dialect,
           const SqlCase& given) {
  SCOPED_TRACE(dialect + ": " + std::string{given.scheme} + " as " + std::string{given.form});
  // DATETIME ends with the year 9999, and is meant to begin with 1000.
  SqlSamples samples{given, *parse_time("1000-01-01"), *parse_time("9999-12-31T23:59:59.999999Z")};
  const Ran written = shell.run("mintmark sql " + dialect + " " + std::string{given.scheme} +
                                " --form " + std::string{given.form});
  ASSERT_EQ(written.code, 0) << written.err;
  std::string script = "USE test;\nSET time_zone = '+05:45';\n" + written.out;
  const std::vector<SqlSample> all = samples.make(80);
  std::vector<std::string> expected;
  for (const SqlSample& sample : all) {
    script += "SELECT id_time(" + value(sample.id, given.form) + ");\n";
    expected.push_back(sample.time_of_id);
    if (sample.floor.empty()) continue;
    for (const std::string function : {"id_floor", "id_ceil"}) {
      script += "SELECT " + shown(function + "('" + sample.time + "')", given.form) + ";\n";
      expected.push_back(function == "id_floor" ? sample.floor : sample.ceil);
    }
  }
  for (const std::string& stranger : sql_strangers(given, all[3].id)) {
    script += "SELECT id_time(" + value(stranger, given.form) + ");\n";
    expected.emplace_back("NULL");
  }
  const SqlReply reply = server.run(script);
  ASSERT_EQ(reply.code, 0) << reply.err;
  EXPECT_EQ(lines_of(reply.out), expected);
  if (all[0].floor.empty()) return;
  std::vector<Instant> outside{samples.first() - std::chrono::microseconds{1}};
  if (samples.ends_itself()) outside.push_back(samples.last() + std::chrono::microseconds{1});
  for (const Instant time : outside) {
    const SqlReply wrong = server.run("USE test; SELECT id_floor('" + sql_time(time) + "');");
    EXPECT_EQ(wrong.code, 1) << wrong.out;
    EXPECT_TRUE(has(wrong.err, std::string{given.scheme} + " has no such time")) << wrong.err;
  }
  EXPECT_EQ(server.run("USE test; SELECT id_ceil(NULL) IS NULL, id_time(NULL) IS NULL;").out,
            "1\t1\n");
}

TEST(SqlMariadb, AgreesWithTheLibrary) {
  const MariadbServer server;
  const Shell shell;
  ASSERT_EQ(server.run("CREATE DATABASE test;").code, 0);
  for (const SqlCase& given : kBoth) check(server, shell, "mariadb", given);
  for (const SqlCase& given : kMariadbOnly) check(server, shell, "mariadb", given);
  // MySQL's script holds nothing that MariaDB has not; its own server is in no package of Debian.
  for (const SqlCase& given : kBoth) check(server, shell, "mysql", given);

  // A range of times is a range of the key.
  const Ran written = shell.run("mintmark sql mariadb uuid7");
  const SqlReply table = server.run(
      "USE test;\n" + written.out +
      "CREATE TABLE things (id UUID PRIMARY KEY, n INT);\n"
      "INSERT INTO things SELECT id_floor('2026-12-01' + INTERVAL seq MINUTE), seq FROM "
      "seq_0_to_2879;\n"
      "SELECT count(*), min(id_time(id)) FROM things WHERE id BETWEEN id_floor('2026-12-01') "
      "AND id_ceil('2026-12-01 23:59:59.999999');\n"
      "EXPLAIN SELECT * FROM things WHERE id BETWEEN id_floor('2026-12-01') AND "
      "id_ceil('2026-12-01 00:30:00');\n");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(table.out.starts_with("1440\t2026-12-01 00:00:00.000000\n")) << table.out;
  EXPECT_TRUE(has(table.out, "\trange\tPRIMARY\t")) << table.out;
}

TEST(SqlMariadb, RefusesAUlidInAUuid) {
  const Shell shell;
  const Ran ran = shell.run("mintmark sql mariadb ulid --form uuid");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "turns around")) << ran.err;
}

}  // namespace
}  // namespace mintmark::cli
