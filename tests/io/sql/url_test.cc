#include "io/sql/url.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "io/one_line.h"
#include "io/sql/connection.h"

namespace mintmark::io::sql {
namespace {

TEST(DatabaseUrl, TakesEveryPart) {
  const auto url = parse_database_url(
      "postgresql://me%40here:p%3Ass@db.example:6543/my%20shop?sslmode=require&options=-c%20a%3Db");
  ASSERT_TRUE(url) << url.error();
  EXPECT_EQ(url->engine, Engine::postgres);
  EXPECT_EQ(url->user, "me@here");
  EXPECT_EQ(url->password, "p:ss");
  EXPECT_EQ(url->host, "db.example");
  EXPECT_EQ(url->port, 6543);
  EXPECT_EQ(url->database, "my shop");
  using Parameter = std::pair<std::string, std::string>;
  ASSERT_EQ(url->parameters.size(), 2U);
  EXPECT_EQ(url->parameters[0], (Parameter{"sslmode", "require"}));
  EXPECT_EQ(url->parameters[1], (Parameter{"options", "-c a=b"}));
}

TEST(DatabaseUrl, EveryPartMayBeMissing) {
  for (const auto& [text, engine] :
       {std::pair{"postgres://", Engine::postgres}, std::pair{"postgresql:///", Engine::postgres},
        std::pair{"mysql://", Engine::mariadb}, std::pair{"mariadb:///?", Engine::mariadb}}) {
    const auto url = parse_database_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_EQ(url->engine, engine);
    EXPECT_FALSE(url->user || url->password || url->port);
    EXPECT_TRUE(url->host.empty() && url->database.empty() && url->parameters.empty());
  }
  const auto empty = parse_database_url("mysql://root:@h");
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->password, "");
}

TEST(DatabaseUrl, KnowsAddressesAndSockets) {
  const auto six = parse_database_url("mariadb://u:p@[::1]:3307/d");
  ASSERT_TRUE(six);
  EXPECT_EQ(six->host, "::1");
  EXPECT_EQ(six->port, 3307);
  EXPECT_EQ(six->words(), "mariadb://[::1]:3307/d");
  for (const std::string text : {"postgres://u:p@/d?host=/run/postgresql&port=5433",
                                 "postgres://u:p@%2Frun%2Fpostgresql:5433/d"}) {
    const auto socket = parse_database_url(text);
    ASSERT_TRUE(socket) << text;
    EXPECT_EQ(socket->host, "/run/postgresql");
    EXPECT_EQ(socket->port, 5433);
    EXPECT_EQ(socket->words(), "postgresql:///d?host=/run/postgresql");
  }
}

TEST(DatabaseUrl, NeverShowsWhatMayBeSecret) {
  const auto url = parse_database_url("mysql://user:secret@h/d?password=secret&sslkey=secret");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->words(), "mariadb://h/d");
  EXPECT_EQ(url->password, "secret");
  // Each of them is wrong because its author did not know that a character has to be written as %XX.
  for (const std::string text :
       {"postgres://user:secret/a@h/d", "postgres://user:sec#ret%@h/d", "postgres://user:secret",
        "postgres://h:secret/d", "postgres://user:a?secret@h/d", "postgres://[secret", "secret://h",
        "postgres://h/d?secret", "postgres://h,secret/d", "postgres://u:p@[::1]secret"}) {
    const auto wrong = parse_database_url(text);
    ASSERT_FALSE(wrong) << text;
    EXPECT_FALSE(wrong.error().contains("secret")) << wrong.error();
  }
}

TEST(DatabaseUrl, RefusesWhatNoServerHas) {
  for (const std::string text :
       {"", "postgres", "postgres:", "postgres:/h", "sqlite:///x", "Postgres://h", "mysql://h:0",
        "mysql://h:65536", "mysql://h:1x", "mysql://h/%00", "mysql://h/%0", "mysql://h/%zz",
        "mysql://h1,h2/d", "mysql://h/d?port=-1", "mysql://h/d?=1"}) {
    EXPECT_FALSE(parse_database_url(text)) << text;
  }
}

TEST(QuotedName, KeepsEveryNameInItsQuotes) {
  EXPECT_EQ(quoted_name(Engine::postgres, "id"), "\"id\"");
  EXPECT_EQ(quoted_name(Engine::postgres, "a\"; DROP TABLE b; --"), "\"a\"\"; DROP TABLE b; --\"");
  EXPECT_EQ(quoted_name(Engine::mariadb, "a`b\"c"), "`a``b\"c`");
}

TEST(OneLine, FoldsTheWordsOfAServer) {
  EXPECT_EQ(one_line("failed: refused\n\tIs it there?\n"), "failed: refused; Is it there?");
  EXPECT_EQ(one_line("a\x1b[2Jb\tc"), "a?[2Jb c");
}

}  // namespace
}  // namespace mintmark::io::sql
