#include "io/net/event_loop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/net/stream_socket.h"

namespace mintmark::io {
namespace {

using Interest = EventLoop::Interest;
using State = StreamSocket::State;

/// Two connected sockets that do not block.
struct Pair {
  Pair() : Pair(make()) {}
  static std::array<int, 2> make() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends.data()), 0);
    return ends;
  }
  explicit Pair(std::array<int, 2> ends) : near(ends[0]), far(ends[1]) {}
  StreamSocket near;
  StreamSocket far;
};

struct Counter final : EventLoop::Member {
  explicit Counter(std::function<void()> act) : act_(std::move(act)) {}
  void ready() override {
    ++calls;
    act_();
  }
  int calls = 0;

 private:
  std::function<void()> act_;
};

TEST(EventLoop, RunsPostedWorkOfOtherThreadsInOrder) {
  EventLoop loop;
  std::vector<int> order;
  std::thread other{[&] {
    for (int i = 0; i < 100; ++i) loop.post([&, i] { order.push_back(i); });
    loop.post([&] { loop.end(); });
  }};
  loop.run();
  other.join();
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST(EventLoop, RunsTimersInOrderAndNotBefore) {
  EventLoop loop;
  const Steady start = std::chrono::steady_clock::now();
  std::string order;
  loop.at(start + std::chrono::milliseconds{20}, [&] {
    order += "b";
    EXPECT_GE(std::chrono::steady_clock::now(), start + std::chrono::milliseconds{20});
    loop.end();
  });
  loop.at(start + std::chrono::milliseconds{10}, [&] { order += "a"; });
  loop.at(start + std::chrono::hours{1}, [&] { order += "c"; });
  loop.run();
  EXPECT_EQ(order, "ab");
}

TEST(EventLoop, TellsAgainAsLongAsThereIsInput) {
  EventLoop loop;
  Pair pair;
  std::string got;
  Counter counter{[&] {
    char c = 0;
    if (pair.near.read({&c, 1}).state == State::moved) got += c;
    if (got.size() == 3) loop.end();
  }};
  ASSERT_TRUE(loop.watch(pair.near.descriptor(), counter, Interest::none, Interest::read));
  EXPECT_EQ(pair.far.write("abc").size, 3U);
  loop.run();
  EXPECT_EQ(got, "abc");
  EXPECT_EQ(counter.calls, 3);
}

TEST(EventLoop, IsSilentAboutSocketsOfNoInterestEvenAtTheirEnd) {
  EventLoop loop;
  Pair pair;
  Counter counter{[] {}};
  ASSERT_TRUE(loop.watch(pair.near.descriptor(), counter, Interest::none, Interest::read));
  ASSERT_TRUE(loop.watch(pair.near.descriptor(), counter, Interest::read, Interest::none));
  pair.far.close();
  loop.at(std::chrono::steady_clock::now() + std::chrono::milliseconds{5}, [&] { loop.end(); });
  loop.run();
  EXPECT_EQ(counter.calls, 0);
}

TEST(EventLoop, TellsWhenWritingGoesOn) {
  EventLoop loop;
  Pair pair;
  const std::string much(1024 * 1024, 'x');
  std::size_t written = 0;
  while (true) {
    const auto moved = pair.near.write(much);
    if (moved.state != State::moved) break;
    written += moved.size;
  }
  Counter counter{[&] { loop.end(); }};
  ASSERT_TRUE(loop.watch(pair.near.descriptor(), counter, Interest::none, Interest::write));
  loop.post([&] {
    EXPECT_EQ(counter.calls, 0);
    std::string piece(64 * 1024, '\0');
    for (std::size_t got = 0; got < written;) got += pair.far.read(piece).size;
  });
  loop.run();
  EXPECT_EQ(counter.calls, 1);
}

TEST(EventLoop, RefusesWhatIsNoSocket) {
  EventLoop loop;
  Counter counter{[] {}};
  EXPECT_FALSE(loop.watch(-1, counter, Interest::none, Interest::read));
}

TEST(StreamSocket, TellsNothingYetFromTheEnd) {
  Pair pair;
  char c = 0;
  EXPECT_EQ(pair.near.read({&c, 1}).state, State::would_block);
  EXPECT_FALSE(pair.near.has_input());
  EXPECT_EQ(pair.far.write("x").state, State::moved);
  EXPECT_TRUE(pair.near.has_input());
  EXPECT_TRUE(pair.far.finish_writing());
  EXPECT_EQ(pair.near.read({&c, 1}).state, State::moved);
  EXPECT_EQ(pair.near.read({&c, 1}).state, State::ended);
  pair.near.close();
  EXPECT_EQ(pair.far.write("x").state, State::ended) << "and no signal";
}

}  // namespace
}  // namespace mintmark::io
