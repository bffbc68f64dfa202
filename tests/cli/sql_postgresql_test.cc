// The functions for PostgreSQL, run by a real server and held against the library.
#include <gtest/gtest.h>

#include "database_server.h"
#include "shell.h"
#include "sql_cases.h"

namespace mintmark::cli {
namespace {

constexpr std::array kCases{
    SqlCase{"uuid7", "uuid"},        SqlCase{"uuid7", "bytes"},
    SqlCase{"uuid7", "text"},        SqlCase{"uuid6", "uuid"},
    SqlCase{"uuid6", "text"},        SqlCase{"uuid1", "uuid"},
    SqlCase{"uuid1", "bytes"},       SqlCase{"ulid", "uuid"},
    SqlCase{"ulid", "bytes"},        SqlCase{"ulid", "text"},
    SqlCase{"objectid", "bytes"},    SqlCase{"objectid", "text"},
    SqlCase{"ksuid", "bytes"},       SqlCase{"ksuid", "text"},
    SqlCase{"xid", "bytes"},         SqlCase{"xid", "text"},
    SqlCase{"pushid", "text"},       SqlCase{"twitter", "integer"},
    SqlCase{"discord", "integer"},   SqlCase{"instagram", "integer"},
    SqlCase{"sonyflake", "integer"}, SqlCase{"mastodon", "integer"},
    SqlCase{"baidu", "integer"},     SqlCase{"tsid", "integer"},
    SqlCase{"rowid", "integer"},
};

/// A value of the form, cast so that the right function is found.
std::string value(const std::string& id, std::string_view form) {
  if (form == "integer") return "(" + id + ")::bigint";
  if (form == "bytes") return "'\\x" + id + "'::bytea";
  return "'" + id + "'::" + std::string{form};
}

std::string shown(const std::string& expression, std::string_view form) {
  return form == "bytes" ? "encode(" + expression + ", 'hex')" : expression + "::text";
}

std::string utc(const std::string& expression) {
  return "coalesce(to_char(" + expression +
         " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), 'none')";
}

std::string script_of(const Shell& shell, const SqlCase& given) {
  const Ran ran = shell.run("mintmark sql postgresql " + std::string{given.scheme} + " --form " +
                            std::string{given.form});
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.out;
}

void check(const PostgresServer& server, const Shell& shell, const SqlCase& given) {
  SqlSamples samples{given, *parse_time("0001-01-01"),
                     last_of_signed(given, *parse_time("9999-12-31T23:59:59.999999Z") +
                                               std::chrono::hours{24 * 365 * 2'000})};
  std::string script = script_of(shell, given);
  // No function may depend on what the session thinks of times.
  script += "SET TimeZone = 'America/St_Johns'; SET DateStyle = 'German, DMY';\n";
  const std::vector<SqlSample> all = samples.make(80);
  std::vector<std::string> expected;
  for (const SqlSample& sample : all) {
    script += "SELECT " + utc("id_time(" + value(sample.id, given.form) + ")") + ";\n";
    expected.push_back(sample.time_of_id);
    if (sample.floor.empty()) continue;
    for (const std::string function : {"id_floor", "id_ceil"}) {
      script +=
          "SELECT " + shown(function + "('" + sample.time + "Z'::timestamptz)", given.form) + ";\n";
      expected.push_back(function == "id_floor" ? sample.floor : sample.ceil);
    }
  }
  for (const std::string& stranger : sql_strangers(given, all[3].id)) {
    script += "SELECT " + utc("id_time(" + value(stranger, given.form) + ")") + ";\n";
    expected.emplace_back("none");
  }
  const SqlReply reply = server.run(script);
  ASSERT_EQ(reply.code, 0) << reply.err;
  EXPECT_EQ(lines_of(reply.out), expected);
  if (all[0].floor.empty()) return;
  for (const Instant time : {samples.first() - std::chrono::microseconds{1},
                             samples.last() + std::chrono::microseconds{1}}) {
    const SqlReply wrong = server.run("SELECT id_floor('" + sql_time(time) + "Z');");
    EXPECT_EQ(wrong.code, 3) << wrong.out;
    EXPECT_TRUE(has(wrong.err, std::string{given.scheme} + " has no such time")) << wrong.err;
  }
  EXPECT_EQ(server.run("SELECT id_ceil(NULL) IS NULL, id_time(NULL) IS NULL;").out, "t\tt\n");
}

TEST(SqlPostgresql, AgreesWithTheLibrary) {
  const PostgresServer server;
  const Shell shell;
  for (const SqlCase& given : kCases) {
    SCOPED_TRACE(std::string{given.scheme} + " as " + std::string{given.form});
    const SqlReply clean = server.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;");
    ASSERT_EQ(clean.code, 0) << clean.err;
    check(server, shell, given);
  }

  // The rest is about one of them, and needs no server of its own.
  ASSERT_EQ(
      server.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + script_of(shell, kCases[0]))
          .code,
      0);
  EXPECT_EQ(server
                .run("SELECT count(*) FROM pg_proc WHERE proname LIKE 'id\\_%' AND pronamespace = "
                     "'public'::regnamespace AND provolatile = 'i' AND proparallel = 's';")
                .out,
            "3\n");
  const SqlReply table = server.run(
      "CREATE TABLE things (id uuid PRIMARY KEY, made timestamptz GENERATED ALWAYS AS "
      "(id_time(id)) STORED);\n"
      "CREATE INDEX ON things (id_time(id));\n"
      "INSERT INTO things SELECT id_floor(timestamptz '2026-12-01Z' + n * interval '1 minute') "
      "FROM generate_series(0, 2879) AS n;\n"
      "ANALYZE things;\n"
      "SELECT count(*), min(made) AT TIME ZONE 'UTC' FROM things WHERE id BETWEEN "
      "id_floor('2026-12-01Z') "
      "AND id_ceil('2026-12-01T23:59:59.999999Z');\n"
      "SET enable_seqscan = off;\n"
      "EXPLAIN SELECT * FROM things WHERE id BETWEEN id_floor('2026-12-01Z') AND "
      "id_ceil('2026-12-01T00:30:00Z');\n");
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(table.out.starts_with("1440\t2026-12-01 00:00:00\n")) << table.out;
  // Both bounds were worked out before the scan.
  const CatalogueRow& row = *find_scheme("uuid7");
  const CatalogueId floor = *row.floor(*parse_time("2026-12-01"));
  const CatalogueId ceil = *row.ceil(*parse_time("2026-12-01T00:30:00Z"));
  EXPECT_TRUE(has(table.out, "Index Cond: ((id >= '" + std::string{floor.text()} +
                                 "'::uuid) AND (id <= '" + std::string{ceil.text()} + "'::uuid))"))
      << table.out;
  EXPECT_FALSE(has(table.out, "id_floor")) << table.out;
}

}  // namespace
}  // namespace mintmark::cli
