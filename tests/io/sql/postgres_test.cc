#include "io/sql/postgres.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <signal.h>

#include "database_server.h"
#include "io/sql/live_connection.h"

namespace mintmark::io::sql {
namespace {

TEST(Postgres, CarriesValuesAndWordsBothWays) {
  const PostgresServer server{Listen::loopback};
  auto connection = connected(server.url());
  ASSERT_TRUE(connection);

  const std::string hard = "a'b\"c\\d ? $1 \n\t\x7f \xf0\x9f\xa6\x8a";
  EXPECT_EQ(ask(*connection, "SELECT $1::text", {hard}), hard);
  EXPECT_EQ(ask(*connection, "SELECT $1::text", {""}), "");
  EXPECT_EQ(ask(*connection, "SELECT $1::text IS NULL", {std::nullopt}), "t");
  EXPECT_EQ(ask(*connection, "SELECT $1::int8 + $2::int8", {"9223372036854775806", "1"}),
            "9223372036854775807");
  const std::string long_one(3'000'000, 'x');
  EXPECT_EQ(ask(*connection, "SELECT $1 || 'y'", {long_one}), long_one + "y");
  EXPECT_EQ(ask(*connection, "SHOW client_encoding"), "UTF8");
  EXPECT_EQ(ask(*connection, "SHOW application_name"), "mintmark");

  const auto rows =
      connection->query("SELECT i, nullif(i, 2) FROM generate_series(1, 3) i", ample());
  ASSERT_TRUE(rows);
  EXPECT_EQ(*rows, (Rows{{"1", "1"}, {"2", std::nullopt}, {"3", "3"}}));
  const auto none = connection->query("CREATE TABLE t (id int PRIMARY KEY)", ample());
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());

  // The server's words, and the connection is as good as before.
  const SqlFailure missing = failure_of(*connection, "SELECT * FROM nowhere");
  EXPECT_EQ(missing.trouble, Trouble::refused);
  EXPECT_EQ(missing.state, "42P01");
  EXPECT_EQ(missing.detail, "relation \"nowhere\" does not exist");
  ASSERT_TRUE(connection->query("INSERT INTO t VALUES (1)", ample()));
  const SqlFailure twice = failure_of(*connection, "INSERT INTO t VALUES (1)");
  EXPECT_EQ(twice.state, "23505");
  EXPECT_EQ(
      twice.detail,
      "duplicate key value violates unique constraint \"t_pkey\"; Key (id)=(1) already exists.");
  EXPECT_EQ(failure_of(*connection, "SELECT 1; SELECT 2").state, "42601");
  EXPECT_EQ(failure_of(*connection, "").trouble, Trouble::refused);
  const std::vector<Value> cut{std::string{"a\0b", 3}};
  ASSERT_FALSE(connection->query("SELECT $1::text", cut, ample()));
  ASSERT_TRUE(connection->query("SET statement_timeout = 50", ample()));
  EXPECT_EQ(failure_of(*connection, "SELECT pg_sleep(60)").trouble, Trouble::cancelled);
  ASSERT_TRUE(connection->query("CREATE ROLE reader", ample()));
  ASSERT_TRUE(connection->query("SET ROLE reader", ample()));
  EXPECT_EQ(failure_of(*connection, "SELECT * FROM t").trouble, Trouble::not_permitted);
  ASSERT_TRUE(connection->query("RESET ROLE", ample()));
  expect_left_alone_by_a_child(connection);

  // COPY would leave the protocol of statements.
  EXPECT_EQ(failure_of(*connection, "COPY t TO STDOUT").trouble, Trouble::lost);
  EXPECT_EQ(failure_of(*connection, "SELECT 1").trouble, Trouble::lost);
}

TEST(Postgres, SaysWhyThereIsNoConnection) {
  ServerFiles files{"postgres"};
  const std::string rules =
      files.write("rules", "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
  const PostgresServer server{Listen::loopback, {"hba_file=" + rules}};
  const std::string place = "127.0.0.1:" + std::to_string(server.port()) + "/";
  const std::string socket = "postgresql://postgres@/postgres?host=" + server.folder() +
                             "&port=" + std::to_string(server.port());
  auto administrator = connected(socket);
  ASSERT_TRUE(administrator);
  ASSERT_TRUE(administrator->query("CREATE ROLE me LOGIN PASSWORD 'p@ss:word'", ample()));
  const std::string url = "postgresql://me:p%40ss%3Aword@" + place;
  EXPECT_TRUE(connected(url + "postgres"));
  ::setenv("PGPASSWORD", "p@ss:word", 1);
  EXPECT_TRUE(connected("postgresql://me@" + place + "postgres"));
  ::unsetenv("PGPASSWORD");

  const auto wrong = connect_to("postgresql://me:secret@" + place + "postgres");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().trouble, Trouble::unreachable);
  EXPECT_TRUE(wrong.error().detail.contains("password authentication failed"))
      << wrong.error().detail;
  EXPECT_FALSE(wrong.error().detail.contains("secret"));
  const auto nowhere = connect_to(url + "nowhere");
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.error().detail.contains("database \"nowhere\" does not exist"));
  const auto tls = connect_to(url + "postgres?sslmode=require");
  ASSERT_FALSE(tls);
  EXPECT_TRUE(tls.error().detail.contains("does not support SSL")) << tls.error().detail;
  for (const std::string parameter : {"?sslmode=sometimes", "?colour=1"}) {
    const auto unknown = connect_to(url + "postgres" + parameter);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().trouble, Trouble::bad_url) << unknown.error().detail;
  }
  const auto nobody =
      connect_to("postgresql://127.0.0.1:" + std::to_string(free_port()) + "/postgres");
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().trouble, Trouble::unreachable);
  EXPECT_TRUE(nobody.error().detail.contains("Connection refused")) << nobody.error().detail;
}

TEST(Postgres, SpeaksTls) {
  ServerFiles files{"postgres"};
  ServerFiles another{"postgres"};
  files.make_certificate();
  another.make_certificate();
  const PostgresServer server{
      Listen::loopback,
      {"ssl=on", "ssl_cert_file=" + files.certificate(), "ssl_key_file=" + files.key()}};
  const std::string asked = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
  auto plain = connected(server.url() + "?sslmode=disable");
  auto encrypted = connected(server.url() + "?sslmode=require");
  auto proven = connected(server.url() + "?sslmode=verify-full&sslrootcert=" + files.certificate());
  ASSERT_TRUE(plain && encrypted && proven);
  EXPECT_EQ(ask(*plain, asked), "f");
  EXPECT_EQ(ask(*encrypted, asked), "t");
  EXPECT_EQ(ask(*proven, asked), "t");
  const auto forged =
      connect_to(server.url() + "?sslmode=verify-full&sslrootcert=" + another.certificate());
  ASSERT_FALSE(forged);
  EXPECT_TRUE(forged.error().detail.contains("certificate verify failed")) << forged.error().detail;
}

TEST(Postgres, ReturnsByItsDeadline) {
  const PostgresServer server{Listen::loopback};
  auto connection = connected(server.url());
  auto other = connected(server.url());
  ASSERT_TRUE(connection && other);
  // Each session is a process of its own.
  const ::pid_t session = std::stoi(ask(*connection, "SELECT pg_backend_pid()"));
  ::kill(session, SIGSTOP);
  expect_late([&](BootInstant deadline) { return failure_of(*connection, "SELECT 1", deadline); });
  // More than the buffers of a socket hold: it cannot even be sent.
  const ::pid_t second = std::stoi(ask(*other, "SELECT pg_backend_pid()"));
  ::kill(second, SIGSTOP);
  const std::string much = "SELECT '" + std::string(30'000'000, 'x') + "'";
  expect_late([&](BootInstant deadline) { return failure_of(*other, much, deadline); });
  ::kill(session, SIGCONT);
  ::kill(second, SIGCONT);
  // Its answer may be under way: nobody may take it for that of another statement.
  EXPECT_EQ(failure_of(*connection, "SELECT 2").trouble, Trouble::lost);

  server.signal(SIGSTOP);
  expect_late([&](BootInstant deadline) {
    const auto late = connect_to(server.url(), deadline);
    return late ? SqlFailure{} : late.error();
  });
  server.signal(SIGCONT);
}

TEST(Postgres, NoticesThatTheServerHasGone) {
  const PostgresServer server{Listen::loopback};
  auto connection = connected(server.url());
  auto killer = connected(server.url());
  ASSERT_TRUE(connection && killer);
  const std::string session = ask(*connection, "SELECT pg_backend_pid()");
  EXPECT_EQ(ask(*killer, "SELECT pg_terminate_backend($1::int, 10000)", {session}), "t");
  const SqlFailure gone = failure_of(*connection, "SELECT 1");
  EXPECT_EQ(gone.trouble, Trouble::lost);
  EXPECT_TRUE(gone.detail.contains("terminat")) << gone.detail;
}

}  // namespace
}  // namespace mintmark::io::sql
