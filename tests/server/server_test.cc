#include "server/server.h"

#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "running_server.h"
#include "server/address.h"
#include "temp_folder.h"

namespace mintmark::server {
namespace {

TEST(Address, ReadsItsForms) {
  const struct {
    std::string text;
    std::string bound;
    bool local;
  } cases[] = {
      {"127.0.0.1:8080", "127.0.0.1:8080", true},  {":8080", "127.0.0.1:8080", true},
      {"localhost:1", "127.0.0.1:1", true},        {"[::1]:8080", "[::1]:8080", true},
      {"0.0.0.0:80", "0.0.0.0:80", false},         {"[::]:0", "[::]:0", false},
      {"10.1.2.3:65535", "10.1.2.3:65535", false}, {"unix:/tmp/x", "unix:/tmp/x", true},
  };
  for (const auto& [text, bound, local] : cases) {
    const auto address = parse_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(describe(address->endpoint), bound);
    EXPECT_EQ(address->local(), local) << text;
  }
  EXPECT_EQ(parse_address("off")->form, Address::Form::off);
}

TEST(Address, RefusesEverythingElse) {
  for (const std::string& text :
       {std::string{}, std::string{"8080"}, std::string{"127.0.0.1"}, std::string{"127.0.0.1:"},
        std::string{"127.0.0.1:65536"}, std::string{"127.0.0.1:-1"}, std::string{"example.com:80"},
        std::string{"::1:8080"}, std::string{"[127.0.0.1]:80"}, std::string{"*:80"},
        std::string{"unix:"}, "unix:/" + std::string(107, 'x')}) {
    const auto address = parse_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_TRUE(contains(address.error(), "'" + text + "'")) << address.error();
  }
}

TEST(Server, NamesAPortThatIsTaken) {
  RunningServer first;
  const std::string taken = first.server().resp_address();
  const auto second =
      Server::open(first.mint(), {.http = "off", .resp = taken, .on_signal = OnSignal::ignore});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().error.fault(), Fault::invalid_argument);
  EXPECT_EQ(second.error().detail, "cannot listen on " + taken + ": Address already in use");
}

TEST(Server, WarnsWhenTheNetworkCanReachIt) {
  RunningServer open{{.http = "off", .resp = "0.0.0.0:0"}};
  ASSERT_EQ(open.server().warnings().size(), 1U);
  EXPECT_EQ(open.server().http_address(), "off");
  EXPECT_TRUE(contains(open.server().warnings()[0], open.server().resp_address()));
  RunningServer closed;
  EXPECT_TRUE(closed.server().warnings().empty());
}

TEST(Server, ServesAUnixSocket) {
  const TempFolder folder;
  const std::string path = folder / "resp.sock";
  {
    RunningServer server{{.resp = "unix:" + path}};
    EXPECT_EQ(run("redis-cli -s " + path + " PING").output, "PONG\n");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(Server, FinishesWhatItReadBeforeItStops) {
  RunningServer server{{.threads = 1}};
  const Wire busy{server.resp_port()};
  const Wire resting{server.http_port()};
  // The first is answered, so both were read: 80 ms of waiting are left when the stop comes.
  busy.send("PING\r\nMINT slow COUNT 2048\r\nPING\r\n");
  ASSERT_EQ(busy.read(7), "+PONG\r\n");
  server.stop();
  const std::string rest = busy.read_all();
  EXPECT_TRUE(rest.starts_with("*2048\r\n")) << rest.substr(0, 100);
  EXPECT_TRUE(rest.ends_with("+PONG\r\n"));
  EXPECT_TRUE(resting.at_end());
}

TEST(Server, StopsAtOnceWhenAskedTwice) {
  RunningServer server{{.drain = std::chrono::hours{1}}};
  const Wire lazy{server.resp_port()};
  for (int i = 0; i < 100; ++i) lazy.send("MINT uuid4 COUNT 100000\r\n");
  ASSERT_EQ(lazy.read(1), "*");  // the rest is never read, so a drain would last for ever
  server.server().stop();
  server.stop();
}

TEST(Server, LosesNoReplyAndRepeatsNoNumberOverAStop) {
  RunningServer server;
  std::vector<std::thread> clients;
  std::atomic<int> broken{0};
  std::atomic<int> replies{0};
  const std::string port = server.resp_port();
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      const Wire wire{port};
      while (true) {
        wire.send("INCR block\r\nINCR block\r\n");
        const std::string first = wire.read_to("\r\n");
        if (first.empty()) return;
        const std::string second = wire.read_to("\r\n");
        // Both were sent in one piece, so both are answered or neither.
        if (!first.ends_with("\r\n") || !second.ends_with("\r\n")) ++broken;
        ++replies;
      }
    });
  }
  while (replies < 1000) std::this_thread::yield();
  server.stop();
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(broken, 0);
}

TEST(Server, StopsOnSignals) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto mint = mint::Mint::open({.spaces = {{.name = "ulid", .kind = mint::PlainConfig{"ulid"}}},
                                  .open_store = {},
                                  .observer = {}},
                                 io::os_clock(), io::os_entropy());
    if (!mint) ::_exit(2);
    auto server =
        Server::open(**mint, {.http = "127.0.0.1:0", .resp = "127.0.0.1:0", .threads = 2});
    if (!server) ::_exit(3);
    ::raise(SIGTERM);  // handled from open() on
    (*server)->run();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace mintmark::server
