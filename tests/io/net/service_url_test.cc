#include "io/net/service_url.h"

#include <gtest/gtest.h>

namespace mintmark::io {
namespace {

TEST(ServiceUrl, TakesAUrlApart) {
  const auto url = parse_service_url("etcd://me:p%40ss@h1:2379,[::1]:23,h3/a/b?x=%26&y=");
  ASSERT_TRUE(url.has_value()) << url.error();
  EXPECT_EQ(url->scheme, "etcd");
  EXPECT_EQ(url->user, "me");
  EXPECT_EQ(url->password, "p@ss");
  ASSERT_EQ(url->hosts.size(), 3U);
  EXPECT_EQ(url->hosts[0].words(), "h1:2379");
  EXPECT_EQ(url->hosts[1].words(), "[::1]:23");
  EXPECT_EQ(url->hosts[2].words(), "h3");
  EXPECT_EQ(url->path, "a/b");
  ASSERT_EQ(url->parameters.size(), 2U);
  EXPECT_EQ(url->parameters[0], (std::pair<std::string, std::string>{"x", "&"}));
  EXPECT_EQ(url->parameters[1], (std::pair<std::string, std::string>{"y", ""}));
  EXPECT_EQ(url->words(), "etcd://h1:2379,[::1]:23,h3/a/b");
}

TEST(ServiceUrl, LeavesOutWhatIsNotThere) {
  for (const char* text : {"redis://", "redis:///"}) {
    const auto url = parse_service_url(text);
    ASSERT_TRUE(url.has_value()) << url.error();
    EXPECT_TRUE(url->hosts.empty());
    EXPECT_FALSE(url->user || url->password);
    EXPECT_EQ(url->path, "");
    EXPECT_EQ(url->words(), "redis://");
  }
  const auto url = parse_service_url("redis://:secret@h");
  EXPECT_FALSE(url->user);
  EXPECT_EQ(url->password, "secret");
}

TEST(ServiceUrl, RefusesWithoutShowingWhatMayBeSecret) {
  for (const std::string text :
       {"h", "://h", "a://h:secret", "a://h:0", "a://h:65536", "a://u:secret/x@h", "a://[secret",
        "a://[::1]secret", "a://h/%0", "a://h/%00", "a://h?secret", "a://h?=secret", "a://h,",
        "a://h,,i", "a://u:%zz@secret", "a://,h"}) {
    const auto wrong = parse_service_url(text);
    ASSERT_FALSE(wrong.has_value()) << text;
    EXPECT_FALSE(wrong.error().contains("secret")) << text << ": " << wrong.error();
  }
}

}  // namespace
}  // namespace mintmark::io
