#include "store/redis_place.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "store/redis.h"

namespace mintmark::store {
namespace {

TEST(RedisPlace, ChecksTheUrl) {
  const auto words = [](const std::string& url) {
    const auto parsed = io::parse_service_url(url);
    if (!parsed) return parsed.error();
    const auto checked = check_redis_url(*parsed);
    if (checked) return std::string{"none"};
    return std::string{checked.error().error.row().name} + ": " + checked.error().detail;
  };
  for (const std::string url :
       {"redis://", "redis://me:p@db.example:6380/15?prefix=a-b_c.d:e", "redis:///?host=/run/redis",
        "rediss://db.example?sslmode=require&sslcert=a&sslkey=b", "rediss://db?sslrootcert=x"}) {
    EXPECT_EQ(words(url), "none") << url;
  }
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"http://a", "redis://"},
      {"redis://a,b", "not a list"},
      {"redis://a/x", "number of a database"},
      {"redis://a/-1", "number of a database"},
      {"redis://a?prefix=", "prefix"},
      {"redis://a?prefix=a%20b", "prefix"},
      {"redis://a?host=/s", "not both"},
      {"redis:///?host=s", "absolute path"},
      {"rediss:///?host=/s", "no TLS"},
      {"redis://a?sslmode=require", "for rediss://"},
      {"rediss://a?sslmode=prefer", "verify-full or require"},
      {"rediss://a?sslcert=x", "belong together"},
      {"rediss://a?sslcert=&sslkey=", "name of a file"},
      {"redis://a?prefix=a&prefix=b", "twice"},
      {"redis://me:secret@a?colour=secret", "knows prefix, host"},
  };
  for (const auto& [url, part] : wrong) {
    EXPECT_TRUE(words(url).starts_with("InvalidArgument: redis: ")) << url << ": " << words(url);
    EXPECT_TRUE(words(url).contains(part)) << url << ": " << words(url);
    EXPECT_FALSE(words(url).contains("secret")) << words(url);
  }
}

TEST(RedisPlace, FillsInWhatTheUrlLeavesOut) {
  const auto place_of = [](const std::string& url) {
    return redis_place(*io::parse_service_url(url)).value_or(RedisPlace{});
  };
  ::unsetenv("REDISCLI_AUTH");
  const RedisPlace least = place_of("redis://");
  EXPECT_EQ(least.host, "127.0.0.1");
  EXPECT_EQ(least.port, 6379);
  EXPECT_EQ(least.database, "0");
  EXPECT_EQ(least.prefix, "mintmark");
  EXPECT_FALSE(least.tls || least.user || least.password);
  const RedisPlace most = place_of(
      "rediss://me:p%40ss@db.example:6380/7?prefix=ids&sslrootcert=/ca&sslcert=/c&sslkey=/k");
  EXPECT_EQ(most.user, "me");
  EXPECT_EQ(most.password, "p@ss");
  EXPECT_EQ(most.words, "rediss://db.example:6380/7");
  ASSERT_TRUE(most.tls);
  EXPECT_EQ(most.tls->proof, io::TlsOptions::Proof::named);
  EXPECT_EQ(most.tls->authorities + most.tls->certificate + most.tls->key, "/ca/c/k");
  const RedisPlace local = place_of("redis:///?host=/run/redis.sock");
  EXPECT_EQ(local.host, "/run/redis.sock");
  EXPECT_EQ(local.words, "redis:/run/redis.sock");
  ::setenv("REDISCLI_AUTH", "from outside", 1);
  EXPECT_EQ(place_of("redis://a").password, "from outside");
  EXPECT_EQ(place_of("redis://:mine@a").password, "mine");
  ::unsetenv("REDISCLI_AUTH");
}

}  // namespace
}  // namespace mintmark::store
