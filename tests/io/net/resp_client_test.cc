#include "io/net/resp_client.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "io/os_clock.h"
#include "redis_server.h"

namespace mintmark::io {
namespace {

using Type = RespReply::Type;

BootInstant ample() { return os_clock().boot() + std::chrono::minutes{1}; }

TEST(RespClient, GivesTheRepliesOfManyCommandsInTheirOrder) {
  const RedisServer server;
  auto stream = connect_stream(server.socket(), 0, {}, ample());
  ASSERT_TRUE(stream) << stream.error().detail;
  RespClient client{std::move(*stream), "here"};
  std::string every;
  for (int i = 0; i < 300'000; ++i) every += static_cast<char>(i % 256);
  client.add({"SET", "key", every});
  client.add({"GET", "key"});
  client.add({"GET", "nowhere"});
  client.add({"STRLEN", "key"});
  client.add({"HGET", "key", "x"});
  client.add({"EVAL", "return {1, {'a', {}, false}, redis.status_reply('fine')}", "0"});
  const auto replies = client.exchange(ample());
  ASSERT_TRUE(replies) << replies.error().detail;
  ASSERT_EQ(replies->size(), 6U);
  EXPECT_EQ((*replies)[0].text, "OK");
  EXPECT_TRUE((*replies)[1].is(Type::bulk));
  EXPECT_EQ((*replies)[1].text, every);
  EXPECT_TRUE((*replies)[2].is(Type::null));
  EXPECT_EQ((*replies)[3].number, 300'000);
  EXPECT_TRUE((*replies)[4].is(Type::error));
  EXPECT_TRUE((*replies)[4].text.starts_with("WRONGTYPE "));
  const RespReply& nested = (*replies)[5];
  ASSERT_EQ(nested.items.size(), 3U);
  ASSERT_EQ(nested.items[1].items.size(), 3U);
  EXPECT_EQ(nested.items[1].items[0].text, "a");
  EXPECT_TRUE(nested.items[1].items[1].is(Type::array));
  EXPECT_TRUE(nested.items[1].items[2].is(Type::null));
  EXPECT_EQ(nested.items[2].text, "fine");

  for (int i = 0; i < 5'000; ++i) client.add({"ECHO", std::to_string(i)});
  const auto many = client.exchange(ample());
  ASSERT_TRUE(many) << many.error().detail;
  ASSERT_EQ(many->size(), 5'000U);
  for (std::size_t i = 0; i < many->size(); ++i) EXPECT_EQ((*many)[i].text, std::to_string(i));
  const auto none = client.exchange(ample());
  ASSERT_TRUE(none) << none.error().detail;
  EXPECT_TRUE(none->empty());
}

TEST(RespClient, EndsByItsDeadlineAndWithItsServer) {
  RedisServer server;
  const auto client = [&] {
    auto stream = connect_stream(server.socket(), 0, {}, ample());
    return std::make_unique<RespClient>(std::move(*stream), "here");
  };
  const auto patient = client();
  const auto hasty = client();
  server.signal(SIGSTOP);
  hasty->add({"PING"});
  const auto late = hasty->exchange(os_clock().boot() + std::chrono::milliseconds{200});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().cause, NetFailure::Cause::late);
  patient->add({"PING"});
  server.kill();
  const auto lost = patient->exchange(ample());
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().cause, NetFailure::Cause::lost);
}

}  // namespace
}  // namespace mintmark::io
