// The view and the query for SQLite, run by its command-line program and held against the library.
#include <gtest/gtest.h>

#include "shell.h"
#include "sql_cases.h"

namespace mintmark::cli {
namespace {

constexpr std::array kCases{
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
    SqlCase{"baidu", "integer"},     SqlCase{"tsid", "integer"},
    SqlCase{"rowid", "integer"},
};

std::string value(const std::string& id, std::string_view form) {
  if (form == "integer") return id;
  return form == "bytes" ? "x'" + id + "'" : "'" + id + "'";
}

/// The script in two: the view, and the query of the bounds, empty for a scheme that does not sort.
std::pair<std::string, std::string> parts_of(const std::string& script) {
  const std::size_t query = script.find("\n-- The smallest");
  return {script.substr(0, query), query == std::string::npos ? "" : script.substr(query)};
}

void check(const SqlCase& given) {
  SCOPED_TRACE(std::string{given.scheme} + " as " + std::string{given.form});
  const Shell shell;
  SqlSamples samples{given, *parse_time("0001-01-01"),
                     last_of_signed(given, *parse_time("9999-12-31T23:59:59.999999Z"))};
  const Ran written = shell.run("mintmark sql sqlite " + std::string{given.scheme} + " --form " +
                                std::string{given.form});
  ASSERT_EQ(written.code, 0) << written.err;
  const auto [view, query] = parts_of(written.out);
  const std::vector<SqlSample> all = samples.make(60);
  const bool blobs = given.form == "bytes";
  std::string script = "CREATE TABLE things (n INTEGER PRIMARY KEY, id);\n" + view;
  std::vector<std::string> expected;
  const auto insert = [&](const std::string& id) {
    script += "INSERT INTO things (id) VALUES (" + value(id, given.form) + ");\n";
  };
  for (const SqlSample& sample : all) {
    insert(sample.id);
    expected.push_back(sample.time_of_id);
  }
  for (const std::string& stranger : sql_strangers(given, all[3].id)) {
    insert(stranger);
    expected.emplace_back("none");
  }
  script += ".nullvalue none\nSELECT id_time FROM things_id_time;\n";
  for (const SqlSample& sample : all) {
    if (query.empty()) break;
    // sqlite3 would read a value that looks like a number as one.
    script += ".parameter set :time \"'" + sample.time + "'\"\n";
    script += blobs ? "SELECT lower(hex(id_floor)), lower(hex(id_ceil)), typeof(id_floor) FROM (" +
                          query.substr(0, query.rfind(';')) + ");\n"
                    : query;
    expected.push_back(sample.floor + "|" + sample.ceil + (blobs ? "|blob" : ""));
  }
  shell.write("script.sql", script);
  const Ran ran = shell.run("sqlite3 -bail :memory: <script.sql");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(lines_of(ran.out), expected);
  if (query.empty()) return;
  std::vector<Instant> outside{samples.first() - std::chrono::microseconds{1}};
  if (samples.ends_itself()) outside.push_back(samples.last() + std::chrono::microseconds{1});
  for (const Instant time : outside) {
    shell.write("script.sql", ".parameter set :time \"'" + sql_time(time) + "'\"\n" + query);
    const Ran wrong = shell.run("sqlite3 -bail :memory: <script.sql");
    EXPECT_EQ(wrong.code, 1) << wrong.out;
    EXPECT_TRUE(has(wrong.err, std::string{given.scheme} + " has no such time")) << wrong.err;
  }
}

TEST(SqlSqlite, AgreesWithTheLibrary) {
  for (const SqlCase& given : kCases) check(given);
}

TEST(SqlSqlite, TakesTimesWithFewerDigits) {
  const Shell shell;
  const auto [view, query] = parts_of(shell.run("mintmark sql sqlite ulid --form text").out);
  for (const std::string time :
       {"2016-07-30 23:54:10.259", "2016-07-30T23:54:10.259Z", "2016-07-30 23:54:10.2590"}) {
    shell.write("script.sql", ".parameter set :time \"'" + time + "'\"\n" + query);
    EXPECT_EQ(shell.run("sqlite3 -bail :memory: <script.sql").out,
              "01ARZ3NDEK0000000000000000|01ARZ3NDEKZZZZZZZZZZZZZZZZ\n")
        << time;
  }
  shell.write("script.sql", query);
  EXPECT_EQ(shell.run("sqlite3 -bail :memory: <script.sql").out, "");  // no time, no bounds
}

}  // namespace
}  // namespace mintmark::cli
