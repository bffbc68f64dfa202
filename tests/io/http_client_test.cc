#include "io/net/http_client.h"

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/os_clock.h"

namespace mintmark::io {
namespace {

using Sent = HttpFailure::Sent;
using Cause = NetFailure::Cause;

BootInstant within(Duration length) { return os_clock().boot() + length; }
BootInstant soon() { return within(std::chrono::seconds{30}); }

/// The other end of one connection: for each request that has come whole, the next bytes of its list; then
/// it ends the connection, or holds it until it goes.
class Peer {
 public:
  enum class Last : std::uint8_t { ends, holds };
  Peer(std::vector<std::string> replies, Last last) : replies_(std::move(replies)), last_(last) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* name = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listener_, name, size), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    EXPECT_EQ(::getsockname(listener_, name, &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread{[this] { serve(); }};
  }
  ~Peer() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    ::close(listener_);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  HttpClient client(std::size_t most_bytes = 1'000) const {
    auto stream = connect_stream("127.0.0.1", port_, std::nullopt, soon());
    EXPECT_TRUE(stream.has_value());
    return HttpClient{std::move(*stream), "here:80", most_bytes};
  }
  /// What came, after the client has gone.
  const std::string& heard() {
    thread_.join();
    return heard_;
  }

 private:
  void serve() {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    for (const std::string& reply : replies_) {
      while (!whole()) {
        if (!hear(connection)) break;
      }
      taken_ = heard_.size();
      static_cast<void>(!::send(connection, reply.data(), reply.size(), MSG_NOSIGNAL));
    }
    while (last_ == Last::holds && hear(connection)) {
    }
    ::close(connection);
  }
  /// Requests of these tests end with their header, or with the body "body".
  [[nodiscard]] bool whole() const {
    const std::string fresh = heard_.substr(taken_);
    return fresh.starts_with("GET") ? fresh.ends_with("\r\n\r\n") : fresh.ends_with("\r\n\r\nbody");
  }
  bool hear(int connection) {
    char piece[4096];
    const ssize_t size = ::recv(connection, piece, sizeof piece, 0);
    if (size > 0) heard_.append(piece, static_cast<std::size_t>(size));
    return size > 0;
  }

  std::vector<std::string> replies_;
  Last last_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::string heard_;
  std::size_t taken_ = 0;
  std::thread thread_;
};

const HttpRequest kPost{.method = HttpRequest::Method::post,
                        .target = "/a?b=c",
                        .headers = {{"Authorization", "word"}},
                        .body = "body"};

TEST(HttpClient, AsksTwiceOverOneConnection) {
  Peer peer{{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-One: 1\r\n\r\nhello",
             "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"},
            Peer::Last::holds};
  {
    HttpClient client = peer.client();
    const auto first = client.exchange(kPost, soon());
    ASSERT_TRUE(first.has_value()) << first.error().why.detail;
    EXPECT_EQ(first->status, 200U);
    EXPECT_EQ(first->body, "hello");
    EXPECT_EQ(first->header("x-one"), "1");
    EXPECT_FALSE(first->header("x-two").has_value());
    const auto second = client.exchange({.target = "/"}, soon());
    ASSERT_TRUE(second.has_value()) << second.error().why.detail;
    EXPECT_EQ(second->status, 404U);
    EXPECT_EQ(second->body, "");
    EXPECT_TRUE(client.usable());
  }
  EXPECT_EQ(peer.heard(),
            "POST /a?b=c HTTP/1.1\r\nHost: here:80\r\nAuthorization: word\r\nContent-Length: 4\r\n"
            "\r\nbodyGET / HTTP/1.1\r\nHost: here:80\r\n\r\n");
}

TEST(HttpClient, ReadsChunksTrailersAndInterimReplies) {
  Peer peer{{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
             "HTTP/1.1 400 Bad Request\r\nTrailer: T\r\nTransfer-Encoding: chunked\r\n\r\n"
             "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n"},
            Peer::Last::holds};
  HttpClient client = peer.client();
  const auto reply = client.exchange(kPost, soon());
  ASSERT_TRUE(reply.has_value()) << reply.error().why.detail;
  EXPECT_EQ(reply->status, 400U);
  EXPECT_EQ(reply->body, "abcde");
  EXPECT_TRUE(client.usable());
}

TEST(HttpClient, IsOfNoUseAfterTheLastReply) {
  for (const std::string reply :
       {"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
        "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1"}) {
    const Peer peer{{reply}, Peer::Last::holds};
    HttpClient client = peer.client();
    const auto last = client.exchange(kPost, soon());
    ASSERT_TRUE(last.has_value()) << reply;
    EXPECT_EQ(last->body, "a");
    EXPECT_FALSE(client.usable()) << reply;
    const auto none = client.exchange(kPost, soon());
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().sent, Sent::nothing);
  }
}

TEST(HttpClient, RefusesRepliesThatAreNotWhole) {
  for (const std::string reply :
       {"", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", "hello\r\n\r\n"}) {
    const Peer peer{{reply}, Peer::Last::ends};
    HttpClient client = peer.client();
    const auto refused = client.exchange(kPost, soon());
    ASSERT_FALSE(refused.has_value()) << reply;
    EXPECT_EQ(refused.error().sent, Sent::perhaps);
    EXPECT_EQ(refused.error().why.cause, Cause::lost);
    EXPECT_FALSE(client.usable());
  }
}

TEST(HttpClient, RefusesABodyAboveItsLimit) {
  for (const std::string head :
       {"Content-Length: 1001\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e9\r\n"}) {
    const Peer peer{{"HTTP/1.1 200 OK\r\n" + head + std::string(1'001, 'a') + "\r\n0\r\n\r\n"},
                    Peer::Last::holds};
    HttpClient client = peer.client();
    const auto refused = client.exchange(kPost, soon());
    ASSERT_FALSE(refused.has_value()) << head;
    EXPECT_TRUE(refused.error().why.detail.starts_with("here:80: ")) << refused.error().why.detail;
  }
}

TEST(HttpClient, EndsByItsDeadline) {
  const Peer peer{{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"}, Peer::Last::holds};
  HttpClient client = peer.client();
  const auto late = client.exchange(kPost, within(std::chrono::milliseconds{200}));
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().why.cause, Cause::late);
  EXPECT_EQ(late.error().sent, Sent::perhaps);
}

TEST(HttpClient, SendsNothingThatIsLateOrBroken) {
  Peer peer{{}, Peer::Last::holds};
  {
    HttpClient client = peer.client();
    const auto late = client.exchange(kPost, os_clock().boot());
    ASSERT_FALSE(late.has_value());
    EXPECT_EQ(late.error().sent, Sent::nothing);
    HttpRequest split = kPost;
    split.headers[0].second = "a\r\nB: c";
    EXPECT_EQ(client.exchange(split, soon()).error().sent, Sent::nothing);
    split = kPost;
    split.target = "/ HTTP/1.1\r\n";
    EXPECT_EQ(client.exchange(split, soon()).error().sent, Sent::nothing);
    EXPECT_TRUE(client.usable());
  }
  EXPECT_EQ(peer.heard(), "");
}

TEST(HttpDate, ReadsTheOneFormThatIsWritten) {
  EXPECT_EQ(parse_http_date("Tue, 01 Dec 2026 09:48:21 GMT"), *parse_time("2026-12-01T09:48:21Z"));
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), *parse_time("1994-11-06T08:49:37Z"));
  for (const std::string text : {"", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
                                 "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 nov 1994 08:49:37 GMT",
                                 "Sun, 06 anF 1994 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
                                 "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, -6 Nov 1994 08:49:37 GMT",
                                 "Sun, 06 Nov 19x4 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_http_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mintmark::io
