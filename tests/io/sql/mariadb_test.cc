#include "io/sql/mariadb.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>
#include <signal.h>

#include "database_server.h"
#include "io/sql/live_connection.h"

namespace mintmark::io::sql {
namespace {

std::string substituted(std::string_view text, const std::vector<Value>& parameters) {
  return with_parameters(text, parameters).value_or("nothing");
}

/// Stops the server. Its threads do not stop at once: the last of them when it answers nobody any more.
void pause(const MariadbServer& server) {
  server.signal(SIGSTOP);
  for (int tries = 0; tries < 100; ++tries) {
    const auto connection = connect_to(server.url(), in(std::chrono::milliseconds{100}));
    if (!connection && connection.error().trouble == Trouble::late) return;
  }
  ADD_FAILURE() << "the server does not stop";
}

TEST(MariadbParameters, AreHexadecimalDigits) {
  EXPECT_EQ(substituted("SELECT ?, ?", {"a'", std::nullopt}), "SELECT _utf8mb4 X'6127', NULL");
  EXPECT_EQ(substituted("SELECT ?", {""}), "SELECT _utf8mb4 X''");
  EXPECT_EQ(substituted("SELECT 1", {}), "SELECT 1");
  EXPECT_EQ(substituted("SELECT ?", {}), "nothing");
  EXPECT_EQ(substituted("SELECT ?", {"1", "2"}), "nothing");
}

TEST(Mariadb, CarriesValuesAndWordsBothWays) {
  const MariadbServer server{Listen::loopback};
  auto connection = connected(server.url());
  ASSERT_TRUE(connection);
  ASSERT_TRUE(connection->query("CREATE DATABASE test", ample()));
  ASSERT_TRUE(connection->query("USE test", ample()));

  const std::string hard = "a'b\"c\\d ? $1 \n\t\x7f \xf0\x9f\xa6\x8a";
  for (const std::string mode : {"", "NO_BACKSLASH_ESCAPES,ANSI_QUOTES"}) {
    ASSERT_TRUE(connection->query("SET sql_mode = ?", std::vector<Value>{mode}, ample()));
    EXPECT_EQ(ask(*connection, "SELECT ?", {hard}), hard);
    EXPECT_EQ(ask(*connection, "SELECT ?", {""}), "");
    EXPECT_EQ(ask(*connection, "SELECT ? IS NULL", {std::nullopt}), "1");
  }
  EXPECT_EQ(ask(*connection, "SELECT CAST(? AS UNSIGNED) + 1", {"18446744073709551614"}),
            "18446744073709551615");
  EXPECT_EQ(ask(*connection, "SELECT X'00ff00'"), std::string("\0\xff\0", 3));
  const std::string long_one(3'000'000, 'x');
  EXPECT_EQ(ask(*connection, "SELECT CONCAT(?, 'y')", {long_one}), long_one + "y");
  EXPECT_EQ(ask(*connection, "SELECT @@character_set_client"), "utf8mb4");

  const auto rows = connection->query("SELECT seq, NULLIF(seq, 2) FROM seq_1_to_3", ample());
  ASSERT_TRUE(rows);
  EXPECT_EQ(*rows, (Rows{{"1", "1"}, {"2", std::nullopt}, {"3", "3"}}));
  const auto none = connection->query("CREATE TABLE t (id INT PRIMARY KEY)", ample());
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());

  // The server's words, and the connection is as good as before.
  const SqlFailure missing = failure_of(*connection, "SELECT * FROM nowhere");
  EXPECT_EQ(missing.trouble, Trouble::refused);
  EXPECT_EQ(missing.state, "42S02");
  EXPECT_EQ(missing.detail, "Table 'test.nowhere' doesn't exist");
  ASSERT_TRUE(connection->query("INSERT INTO t VALUES (1)", ample()));
  EXPECT_EQ(failure_of(*connection, "INSERT INTO t VALUES (1)").state, "23000");
  EXPECT_EQ(failure_of(*connection, "SELECT 1; SELECT 2").trouble, Trouble::refused);
  EXPECT_EQ(failure_of(*connection, "SELECT ?").trouble, Trouble::refused);
  ASSERT_TRUE(connection->query("SET max_statement_time = 0.05", ample()));
  EXPECT_EQ(failure_of(*connection, "SELECT SLEEP(60) FROM t").trouble, Trouble::cancelled);
  ASSERT_TRUE(connection->query("SET max_statement_time = 0", ample()));
  // A server must not be able to ask for a file of this machine.
  EXPECT_EQ(failure_of(*connection, "LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t").trouble,
            Trouble::refused);
  ASSERT_TRUE(connection->query("CREATE USER reader@'%'", ample()));
  ASSERT_TRUE(connection->query("GRANT SELECT (id) ON test.t TO reader@'%'", ample()));
  auto reader = connected(server.url("test", "reader"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(failure_of(*reader, "INSERT INTO t VALUES (2)").trouble, Trouble::not_permitted);
  EXPECT_EQ(failure_of(*reader, "USE mysql").trouble, Trouble::not_permitted);
  expect_left_alone_by_a_child(connection);

  ASSERT_TRUE(reader->query("DO 1", ample()));
  const std::string session = ask(*reader, "SELECT CONNECTION_ID()");
  ASSERT_TRUE(connection->query("KILL " + session, ample()));
  EXPECT_EQ(failure_of(*reader, "SELECT 1").trouble, Trouble::lost);
  EXPECT_EQ(failure_of(*reader, "SELECT 1").trouble, Trouble::lost);
}

TEST(Mariadb, SaysWhyThereIsNoConnection) {
  const MariadbServer server{Listen::loopback};
  const std::string place = "@127.0.0.1:" + std::to_string(server.port()) + "/";
  auto administrator = connected("mariadb://root@/?host=" + server.socket());
  ASSERT_TRUE(administrator);
  ASSERT_TRUE(administrator->query("CREATE USER me@'%' IDENTIFIED BY 'p@ss:word'", ample()));
  EXPECT_TRUE(connected("mariadb://me:p%40ss%3Aword" + place));
  ::setenv("MYSQL_PWD", "p@ss:word", 1);
  EXPECT_TRUE(connected("mysql://me" + place));
  ::unsetenv("MYSQL_PWD");

  const auto wrong = connect_to("mariadb://me:secret" + place);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().trouble, Trouble::unreachable);
  EXPECT_TRUE(wrong.error().detail.contains("Access denied for user 'me'")) << wrong.error().detail;
  EXPECT_FALSE(wrong.error().detail.contains("secret"));
  const auto nowhere = connect_to(server.url("nowhere"));
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.error().detail.contains("Unknown database 'nowhere'"));
  // What the library calls enforcing takes a server without TLS.
  ServerFiles files{"mysql"};
  files.make_certificate();
  for (const std::string& mode :
       {std::string{"require"}, "verify-full&sslrootcert=" + files.certificate()}) {
    const auto tls = connect_to(server.url() + "?sslmode=" + mode);
    ASSERT_FALSE(tls) << mode;
    EXPECT_EQ(tls.error().trouble, Trouble::unreachable);
    EXPECT_TRUE(tls.error().detail.contains("server does not")) << tls.error().detail;
  }
  for (const std::string parameter :
       {"?sslmode=prefer", "?charset=latin1", "?sslrootcert=/x", "?sslmode=verify-full"}) {
    const auto unknown = connect_to(server.url() + parameter);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().trouble, Trouble::bad_url) << unknown.error().detail;
  }
  // A port on localhost means TCP, not the socket of the machine's own server.
  const auto nobody = connect_to("mariadb://localhost:" + std::to_string(free_port()));
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().trouble, Trouble::unreachable);
  EXPECT_TRUE(nobody.error().detail.contains("Can't connect to server on 'localhost'"))
      << nobody.error().detail;
}

TEST(Mariadb, SpeaksTls) {
  ServerFiles files{"mysql"};
  ServerFiles another{"mysql"};
  files.make_certificate();
  another.make_certificate();
  const MariadbServer server{Listen::loopback,
                             {"ssl-cert=" + files.certificate(), "ssl-key=" + files.key()}};
  const std::string asked =
      "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE "
      "VARIABLE_NAME = 'Ssl_cipher'";
  auto plain = connected(server.url());
  auto encrypted = connected(server.url() + "?sslmode=require");
  auto proven = connected(server.url() + "?sslmode=verify-full&sslrootcert=" + files.certificate());
  ASSERT_TRUE(plain && encrypted && proven);
  EXPECT_EQ(ask(*plain, asked), "0");
  EXPECT_EQ(ask(*encrypted, asked), "1");
  EXPECT_EQ(ask(*proven, asked), "1");
  EXPECT_EQ(ask(*proven, "SELECT LENGTH(?)", {std::string(3'000'000, 'x')}), "3000000");
  const auto forged =
      connect_to(server.url() + "?sslmode=verify-full&sslrootcert=" + another.certificate());
  ASSERT_FALSE(forged);
  EXPECT_TRUE(forged.error().detail.contains("certificate")) << forged.error().detail;
  pause(server);
  expect_late([&](BootInstant deadline) { return failure_of(*proven, "SELECT 1", deadline); });
  const std::string much = "SELECT '" + std::string(12'000'000, 'x') + "'";
  expect_late([&](BootInstant deadline) { return failure_of(*encrypted, much, deadline); });
  expect_late([&](BootInstant deadline) {
    const auto late = connect_to(server.url() + "?sslmode=require", deadline);
    return late ? SqlFailure{} : late.error();
  });
  server.signal(SIGCONT);
}

TEST(Mariadb, ReturnsByItsDeadline) {
  const MariadbServer server{Listen::loopback};
  const std::string socket = "mariadb://root@/?host=" + server.socket();
  auto connection = connected(server.url());
  auto other = connected(socket);
  ASSERT_TRUE(connection && other);
  pause(server);
  expect_late([&](BootInstant deadline) { return failure_of(*connection, "SELECT 1", deadline); });
  // More than the buffers of a socket hold: it cannot even be sent.
  const std::string much = "SELECT '" + std::string(12'000'000, 'x') + "'";
  expect_late([&](BootInstant deadline) { return failure_of(*other, much, deadline); });
  for (const std::string& url : {server.url(), socket}) {
    expect_late([&](BootInstant deadline) {
      const auto late = connect_to(url, deadline);
      return late ? SqlFailure{} : late.error();
    });
  }
  server.signal(SIGCONT);
  // Its answer may be under way: nobody may take it for that of another statement.
  EXPECT_EQ(failure_of(*connection, "SELECT 2").trouble, Trouble::lost);
}

}  // namespace
}  // namespace mintmark::io::sql
