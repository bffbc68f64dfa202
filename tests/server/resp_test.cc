#include "server/resp.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>

#include "mint/request.h"
#include "running_server.h"

namespace mintmark::server {
namespace {

/// A conversation without a socket.
class RespTalk : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<RunningServer>(); }
  static void TearDownTestSuite() { server_.reset(); }

  /// The replies to a stream that comes in the given pieces; waits as a connection would, but without
  /// the wait: time is an argument.
  std::string talk(const std::vector<std::string>& pieces) {
    Tallies tallies{1, io::wall_now(), "1.2.3"};
    Surroundings around{server_->mint(), tallies.of(0), tallies};
    RespConversation conversation{around, {.number = 7, .address = "a:1", .local = "b:2"}};
    io::OutBuffer out;
    std::string input;
    closed_ = false;
    for (const std::string& piece : pieces) {
      input += piece;
      Moment moment{.wall = io::wall_now()};
      while (!closed_) {
        const Turn turn = conversation.turn(input, out, moment);
        input.erase(0, turn.consumed);
        closed_ = turn.next == Turn::Next::close;
        if (turn.next == Turn::Next::read) break;
        moment = {.wall = io::wall_now(), .waited = turn.wait};
      }
    }
    return std::string{out.view()};
  }
  std::string ask(const std::string& line) { return talk({line + "\r\n"}); }

  bool closed_ = false;
  static inline std::unique_ptr<RunningServer> server_;
};

TEST_F(RespTalk, AnswersTheHandshakesOfStockClients) {
  EXPECT_EQ(ask("PING"), "+PONG\r\n");
  EXPECT_EQ(ask("ping hello"), "$5\r\nhello\r\n");
  EXPECT_EQ(ask("ECHO 'a b'"), "$3\r\na b\r\n");
  EXPECT_EQ(ask("SELECT 0"), "+OK\r\n");
  EXPECT_EQ(ask("SELECT 1"), "-ERR DB index is out of range\r\n");
  EXPECT_EQ(ask("CLIENT ID"), ":7\r\n");
  EXPECT_EQ(ask("CLIENT GETNAME"), "$-1\r\n");
  EXPECT_EQ(talk({"CLIENT SETNAME x\r\nCLIENT GETNAME\r\n"}), "+OK\r\n$1\r\nx\r\n");
  EXPECT_EQ(ask("CLIENT SETINFO lib-name redis-py"), "+OK\r\n");
  EXPECT_EQ(ask("CLIENT NO-EVICT on"), "+OK\r\n");
  EXPECT_TRUE(contains(ask("CLIENT LIST"), "id=7 addr=a:1"));
  EXPECT_EQ(ask("RESET"), "+RESET\r\n");
  EXPECT_EQ(ask("CONFIG GET save"), "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
  EXPECT_EQ(ask("CONFIG GET app*only"), "*2\r\n$10\r\nappendonly\r\n$2\r\nno\r\n");
  EXPECT_EQ(ask("CONFIG GET nothing"), "*0\r\n");
  EXPECT_EQ(ask("COMMAND COUNT"),
            ":" + std::to_string(RespConversation::commands().size()) + "\r\n");
  EXPECT_EQ(ask("COMMAND INFO nothing"), "*1\r\n$-1\r\n");
  EXPECT_TRUE(contains(ask("INFO"), "mintmark_version:1.2.3"));
  EXPECT_TRUE(contains(ask("INFO mintmark"), "space_block:scheme=block,ready=1"));
  EXPECT_FALSE(contains(ask("INFO clients"), "mintmark"));
}

TEST_F(RespTalk, GreetsInBothVersions) {
  EXPECT_TRUE(ask("HELLO").starts_with("*14\r\n"));
  EXPECT_TRUE(ask("HELLO 3").starts_with("%7\r\n"));
  EXPECT_TRUE(ask("HELLO 3 AUTH default x SETNAME me").starts_with("%7\r\n"));
  EXPECT_EQ(ask("HELLO 4"), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_EQ(ask("HELLO x"), "-ERR Protocol version is not an integer or out of range\r\n");
  EXPECT_EQ(ask("HELLO 3 FOO"), "-ERR Syntax error in HELLO option 'FOO'\r\n");
  EXPECT_TRUE(ask("AUTH x").starts_with("-ERR AUTH <password> called without any password"));
  EXPECT_TRUE(ask("HELLO 3 AUTH somebody x").starts_with("-WRONGPASS"));
  // A greeting that failed changes nothing.
  EXPECT_TRUE(talk({"HELLO 3 FOO\r\nCLIENT GETNAME\r\n"}).ends_with("$-1\r\n"));
  EXPECT_TRUE(talk({"HELLO 3\r\nCLIENT GETNAME\r\n"}).ends_with("_\r\n"));
}

TEST_F(RespTalk, TakesNumbers) {
  const auto number = [](const std::string& reply) { return std::stoull(reply.substr(1)); };
  const auto first = number(ask("INCR block"));
  EXPECT_EQ(ask("incr block"), ":" + std::to_string(first + 1) + "\r\n");
  EXPECT_EQ(ask("INCRBY block 10"), ":" + std::to_string(first + 11) + "\r\n");
  EXPECT_EQ(talk({"INCR block\r\nINCR block\r\n"}),
            ":" + std::to_string(first + 12) + "\r\n:" + std::to_string(first + 13) + "\r\n");
}

TEST_F(RespTalk, MintsOneOrMany) {
  EXPECT_TRUE(ask("MINT uuid7").starts_with("$36\r\n"));
  EXPECT_TRUE(ask("MINT ulid COUNT 1").starts_with("*1\r\n$26\r\n"));
  const std::string many = ask("MINT snowflake COUNT 3");
  EXPECT_TRUE(many.starts_with("*3\r\n$"));
  EXPECT_EQ(std::ranges::count(many, '$'), 3);
}

TEST_F(RespTalk, RefusesInRedisWords) {
  EXPECT_EQ(ask("INCR"), "-ERR wrong number of arguments for 'incr' command\r\n");
  EXPECT_EQ(ask("PING a b"), "-ERR wrong number of arguments for 'ping' command\r\n");
  EXPECT_EQ(ask("FOO a b"), "-ERR unknown command 'FOO', with args beginning with: 'a' 'b' \r\n");
  EXPECT_EQ(ask("INCRBY block abc"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(ask("INCRBY block 1e18"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(ask("INCRBY block ''"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(ask("INCRBY block 99999999999999999999"),
            "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(ask("MINT ulid COUNT abc"), "-ERR value is not an integer or out of range\r\n");
  EXPECT_EQ(ask("MINT ulid 3"), "-ERR syntax error\r\n");
  EXPECT_EQ(ask("MINT ulid COUNT"), "-ERR syntax error\r\n");
}

TEST_F(RespTalk, RefusesWithTheNameOfTheFault) {
  EXPECT_TRUE(ask("INCR nothing").starts_with("-ERR UnknownSpace: "));
  EXPECT_TRUE(ask("INCR ulid").starts_with("-WRONGTYPE WrongType: "));
  EXPECT_TRUE(ask("INCRBY block 0").starts_with("-ERR InvalidArgument: "));
  EXPECT_TRUE(ask("INCRBY block -1").starts_with("-ERR InvalidArgument: "));
  EXPECT_TRUE(ask("INCRBY block 1000001").starts_with("-ERR TooMany: "));
  EXPECT_TRUE(ask("INCRBY block 1000000000000000000").starts_with("-ERR TooMany: "));
  EXPECT_TRUE(ask("MINT ulid COUNT 0").starts_with("-ERR InvalidArgument: "));
  EXPECT_TRUE(ask("MINT ulid COUNT -1").starts_with("-ERR InvalidArgument: "));
  EXPECT_TRUE(ask("MINT ulid COUNT 100001").starts_with("-ERR TooMany: "));
  const std::string strict = ask("MINT strict COUNT 100000");
  EXPECT_TRUE(strict.starts_with("-REFUSED SequenceExhausted: ")) << strict;
  EXPECT_TRUE(contains(strict, "retry in ")) << strict;
  EXPECT_TRUE(ask("INSPECT '?'").starts_with("-ERR ")) << ask("INSPECT '?'");
}

TEST_F(RespTalk, NothingOfThePeerBreaksAnErrorLine) {
  for (const std::string& command :
       {std::string{"*1\r\n$4\r\na\r\nb\r\n"}, std::string{"*2\r\n$4\r\nINCR\r\n$3\r\n\r\nx\r\n"},
        std::string{"*2\r\n$3\r\nFOO\r\n$3\r\n\r\nx\r\n"}}) {
    const std::string reply = talk({command});
    EXPECT_EQ(reply.find("\r\n"), reply.size() - 2) << reply;
    EXPECT_EQ(reply.front(), '-');
  }
}

TEST_F(RespTalk, GoesOnAfterAnError) {
  EXPECT_TRUE(talk({"FOO\r\nINCR nothing\r\nPING\r\n"}).ends_with("+PONG\r\n"));
  EXPECT_FALSE(closed_);
}

TEST_F(RespTalk, EndsAfterAProtocolErrorOrQuit) {
  EXPECT_EQ(talk({"PING\r\n*1\r\n$-5\r\nPING\r\n"}),
            "+PONG\r\n-ERR Protocol error: invalid bulk length\r\n");
  EXPECT_TRUE(closed_);
  EXPECT_EQ(talk({"QUIT\r\nPING\r\n"}), "+OK\r\n");
  EXPECT_TRUE(closed_);
  talk({"POST / HTTP/1.1\r\nHost: x\r\n\r\nINCR block\r\n"});
  EXPECT_TRUE(closed_) << "a page in a browser must not reach a command";
}

TEST_F(RespTalk, SaysTheSameHoweverTheStreamIsCut) {
  const std::string stream =
      "*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nINCR\r\n$7\r\nnothing\r\nECHO x\r\nCLIENT ID\r\n";
  const std::string expected = talk({stream});
  ASSERT_EQ(std::ranges::count(expected, '\n'), 5);
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    ASSERT_EQ(talk({stream.substr(0, i), stream.substr(i)}), expected) << "cut at " << i;
  }
}

TEST_F(RespTalk, KnowsEveryVerbOfTheTable) {
  for (const mint::VerbRow& row : mint::kVerbs) {
    if (row.resp.empty()) continue;
    std::string name{row.resp.substr(0, row.resp.find(' '))};
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    EXPECT_TRUE(
        std::ranges::find(RespConversation::commands(), name, &RespConversation::Command::name) !=
        RespConversation::commands().end())
        << name;
  }
}

/// Bytes of the heap. Zero under the sanitizers, which have a heap of their own.
std::size_t memory_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// A real server and real sockets.
TEST(Resp, ServesPipelinesOverASocket) {
  RunningServer server;
  const Wire wire{server.resp_port()};
  std::string requests;
  constexpr int kRequests = 20'000;
  for (int i = 0; i < kRequests; ++i) requests += "*2\r\n$4\r\nINCR\r\n$5\r\nblock\r\n";
  std::thread sender{[&] { wire.send(requests + "PING\r\n"); }};
  const std::string replies = wire.read_to("+PONG\r\n");
  sender.join();
  std::set<std::string> numbers;
  for (std::size_t at = 0; replies[at] == ':';) {
    const std::size_t end = replies.find('\n', at);
    numbers.insert(replies.substr(at, end - at));
    at = end + 1;
  }
  EXPECT_EQ(numbers.size(), static_cast<std::size_t>(kRequests));
}

TEST(Resp, WaitsInOrderAndServesOthersMeanwhile) {
  RunningServer server{{.threads = 1}};
  const Wire slow{server.resp_port()};
  const Wire other{server.resp_port()};
  // 256 IDs in 10 ms: about 80 ms of waiting.
  slow.send("MINT slow COUNT 2048\r\nPING\r\n");
  other.send("PING\r\n");
  EXPECT_EQ(other.read(7), "+PONG\r\n");
  const std::string reply = slow.read_to("+PONG\r\n");
  ASSERT_TRUE(reply.starts_with("*2048\r\n")) << reply.substr(0, 200);
  std::set<std::string> ids;
  std::size_t at = reply.find('$');
  while (reply[at] == '$') {
    const std::size_t start = reply.find('\n', at) + 1;
    const std::size_t end = reply.find('\r', start);
    ids.insert(reply.substr(start, end - start));
    at = end + 2;
  }
  EXPECT_EQ(ids.size(), 2048U);
}

TEST(Resp, WaitsAsLongAsTheBatchGrows) {
  RunningServer server;
  const Wire slow{server.resp_port()};
  // 25,600 IDs in a second, which is as long as a caller waits without progress.
  slow.send("MINT slow COUNT 30000\r\nPING\r\n");
  const std::string reply = slow.read_to("+PONG\r\n");
  EXPECT_TRUE(reply.starts_with("*30000\r\n")) << reply.substr(0, 200);
}

TEST(Resp, KeepsLittleForPeersThatDoNotRead) {
  constexpr std::size_t kMegabyte = 1024UL * 1024;
  constexpr std::size_t kPeers = 8;
  RunningServer server{{.threads = 1}};
  const Wire other{server.resp_port()};
  const auto wait_a_turn = [&] {
    other.send("PING\r\n");
    ASSERT_EQ(other.read(7), "+PONG\r\n");
  };
  wait_a_turn();
  const std::size_t before = memory_in_use();
  std::string requests;
  for (int i = 0; i < 4; ++i) requests += "MINT uuid4 COUNT 100000\r\n";
  std::vector<std::unique_ptr<Wire>> peers;
  for (std::size_t i = 0; i < kPeers; ++i) {
    peers.push_back(std::make_unique<Wire>(server.resp_port()));
    peers.back()->send(requests + "PING\r\n");
  }
  for (const auto& peer : peers) ASSERT_EQ(peer->read(1), "*");
  for (int i = 0; i < 100; ++i) wait_a_turn();
  EXPECT_LT(memory_in_use(), before + 10 * kMegabyte * kPeers);
  for (const auto& peer : peers) {
    std::string end;
    while (!end.ends_with("+PONG\r\n")) {
      const std::string more = peer->read_some();
      ASSERT_FALSE(more.empty());
      end += more;
      end.erase(0, end.size() - std::min<std::size_t>(end.size(), 16));
    }
  }
  wait_a_turn();
  // The buffer of the thread, and next to nothing for a connection.
  EXPECT_LT(memory_in_use(), before + 2 * kMegabyte);
}

TEST(Resp, StopsReadingWhenThePeerDoesNot) {
  RunningServer server{{.threads = 1}};
  const Wire lazy{server.resp_port()};
  // Each asks for some MB; unread, they would be gigabytes.
  std::string requests;
  for (int i = 0; i < 1000; ++i) requests += "MINT uuid4 COUNT 100000\r\n";
  lazy.send(requests);
  const Wire other{server.resp_port()};
  other.send("PING\r\n");
  EXPECT_EQ(other.read(7), "+PONG\r\n");
  EXPECT_TRUE(lazy.read(100).starts_with("*100000\r\n$36\r\n"));
}

TEST(Resp, AnswersWhatWasSentBeforeTheEndOfInput) {
  RunningServer server;
  const Wire wire{server.resp_port()};
  wire.send("PING\r\nINCR block\r\n");
  wire.finish_sending();
  EXPECT_TRUE(wire.read_all().starts_with("+PONG\r\n:"));
}

TEST(Resp, TellsTheProblemBeforeItCloses) {
  RunningServer server;
  const Wire wire{server.resp_port()};
  wire.send("*1\r\n$99999999\r\n" + std::string(200'000, 'x'));
  EXPECT_EQ(wire.read_all(), "-ERR Protocol error: invalid bulk length, at most 65536\r\n");
}

TEST(Resp, ServesRedisCli) {
  RunningServer server;
  const std::string cli = "redis-cli -p " + server.resp_port() + " ";
  EXPECT_EQ(run(cli + "PING").output, "PONG\n");
  EXPECT_EQ(run(cli + "INCR block").code, 0);
  EXPECT_EQ(run(cli + "-3 MINT uuid7").output.size(), 37U);
  EXPECT_TRUE(contains(run(cli + "-3 HELLO 3").output, "proto"));
  EXPECT_TRUE(contains(run(cli + "SPACES").output, "\"name\":\"snowflake\""));
  EXPECT_TRUE(contains(run(cli + "INSPECT 01ARZ3NDEKTSV4RRFFQ69G5FAV").output, "\"readings\""));
  EXPECT_TRUE(contains(run(cli + "COMMAND DOCS incr").output, "block space"));
  EXPECT_TRUE(contains(run("printf 'INCR block\\nINCRBY block 5\\n' | " + cli).output, "\n"));
}

TEST(Resp, ServesRedisBenchmark) {
  RunningServer server;
  const Ran ran =
      run("redis-benchmark -q -p " + server.resp_port() + " -c 10 -n 20000 -P 16 INCR block");
  EXPECT_EQ(ran.code, 0) << ran.output;
  EXPECT_TRUE(contains(ran.output, "requests per second")) << ran.output;
  EXPECT_FALSE(contains(ran.output, "WARNING")) << ran.output;
  EXPECT_FALSE(contains(ran.output, "rror")) << ran.output;
}

}  // namespace
}  // namespace mintmark::server
