// Sockets and the event loop of the load client.
#include "bench/load/client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace mintmark::bench {
namespace {

using Done = std::expected<void, std::string>;

constexpr std::size_t kReadSize = std::size_t{256} << 10;
static_assert(kReadSize > 2 * ReplyReader::kMostUnread);
constexpr timeval kConnectTimeout{.tv_sec = 5, .tv_usec = 0};

std::unexpected<std::string> system_fault(std::string_view what) {
  return std::unexpected(std::string{what} + ": " + std::generic_category().message(errno));
}

std::expected<int, std::string> connect_to(const sockaddr& address, socklen_t size,
                                           std::string_view name) {
  const int fd = ::socket(address.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return system_fault("socket");
  // Linux bounds connect(2) by the send timeout (socket(7)).
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &kConnectTimeout, sizeof kConnectTimeout);
  if (::connect(fd, &address, size) != 0) {
    auto fault = system_fault(std::string{"connect to "}.append(name));
    ::close(fd);
    return fault;
  }
  if (address.sa_family != AF_UNIX) {
    constexpr int kOn = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &kOn, sizeof kOn);
  }
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  return fd;
}

std::expected<int, std::string> connect_unix(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return std::unexpected("the socket path is longer than the system allows");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return connect_to(reinterpret_cast<const sockaddr&>(address), sizeof address, path);
}

std::expected<int, std::string> connect_tcp(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string service = std::to_string(port);
  const std::string name = std::string{host}.append(":").append(service);
  if (const int code = ::getaddrinfo(host.c_str(), service.c_str(), &hints, &found); code != 0) {
    return std::unexpected(std::string{host}.append(": ").append(::gai_strerror(code)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{found, &::freeaddrinfo};
  std::expected<int, std::string> result = std::unexpected(host + ": no address");
  for (const addrinfo* one = found; one != nullptr && !result; one = one->ai_next) {
    result = connect_to(*one->ai_addr, one->ai_addrlen, name);
  }
  return result;
}

}  // namespace

/// Feeds what the reader finds into the tally, the check and the connection's count.
class Client::Sink {
 public:
  Sink(Client& client, std::size_t index) : client_(client), index_(index) {}

  void integer(std::int64_t value) {
    ++client_.tally_.values;
    if (client_.work_.check != nullptr) client_.work_.check->add(index_, value);
  }
  void text(std::string_view value) {
    ++client_.tally_.values;
    if (client_.work_.check != nullptr) client_.work_.check->add_text(index_, value);
  }
  void null() {
    if (client_.work_.check != nullptr) client_.work_.check->add_other();
  }
  void error(std::string_view text) {
    if (client_.errors_ == 0) client_.first_error_ = text;
    ++client_.errors_;
    ++client_.tally_.errors;
  }
  void reply() {
    Connection& connection = client_.connections_[index_];
    if (connection.awaited == 0) {
      surplus_ = true;
      return;
    }
    --connection.awaited;
    ++client_.tally_.requests;
  }

  /// The server sent a reply to no request.
  [[nodiscard]] bool saw_surplus() const { return surplus_; }

 private:
  Client& client_;
  std::size_t index_;
  bool surplus_ = false;
};

Client::~Client() {
  for (const Connection& connection : connections_) ::close(connection.fd);
  if (epoll_ >= 0) ::close(epoll_);
}

Done Client::open(const Target& target, std::uint32_t connections) {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_ < 0) return system_fault("epoll_create1");
  buffer_.resize(kReadSize);
  connections_.reserve(connections);
  for (std::uint32_t i = 0; i < connections; ++i) {
    const auto fd = target.unix_path.empty() ? connect_tcp(target.host, target.port)
                                             : connect_unix(target.unix_path);
    if (!fd) return std::unexpected(fd.error());
    connections_.emplace_back().fd = *fd;
    watch(i, EPOLLIN, EPOLL_CTL_ADD);
  }
  return {};
}

std::expected<Tally, std::string> Client::run(const Work& work) {
  work_ = work;
  batch_.clear();
  for (std::uint32_t i = 0; i < work.depth; ++i) batch_ += work.request;
  unsent_ = work.requests;
  tally_ = {};

  const SteadyTime started = std::chrono::steady_clock::now();
  const SteadyTime until = started + work.time;
  newest_reply_ = started;
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    if (auto begun = start_batch(i, std::chrono::steady_clock::now()); !begun) {
      return std::unexpected(begun.error());
    }
  }
  SteadyTime now = started;
  while (active_ > 0 && now < until) {
    if (auto waited = wait_for_events(until); !waited) return std::unexpected(waited.error());
    now = std::chrono::steady_clock::now();
  }
  tally_.elapsed = now - started;
  return tally_;
}

Done Client::drain() {
  unsent_ = 0;
  while (active_ > 0) {
    if (auto waited = wait_for_events(SteadyTime::max()); !waited) return waited;
  }
  return {};
}

Done Client::wait_for_events(SteadyTime until) {
  const SteadyTime give_up = newest_reply_ + work_.stall;
  std::array<epoll_event, 256> events;
  int timeout_ms = 0;
  if (work_.waiting == Waiting::asleep) {
    const auto left = std::min(until, give_up) - std::chrono::steady_clock::now();
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    timeout_ms = static_cast<int>(std::clamp<std::int64_t>(whole, 0, 60'000));
  }
  const int count =
      ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout_ms);
  if (count < 0 && errno != EINTR) return system_fault("epoll_wait");
  if (count <= 0 && std::chrono::steady_clock::now() >= give_up) {
    return std::unexpected("no reply for too long; " + std::to_string(active_) +
                           " connections still wait");
  }
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    const auto index = static_cast<std::size_t>(event.data.u64);
    if ((event.events & EPOLLOUT) != 0) {
      if (auto written = write_batch(index); !written) return written;
    }
    if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
      if (auto read = read_replies(index); !read) return read;
    }
  }
  return {};
}

Done Client::read_replies(std::size_t index) {
  Connection& connection = connections_[index];
  const std::size_t kept = connection.unread.size();
  std::memcpy(buffer_.data(), connection.unread.data(), kept);
  const ssize_t got = ::recv(connection.fd, buffer_.data() + kept, buffer_.size() - kept, 0);
  if (got == 0) return std::unexpected("the server closed a connection");
  if (got < 0) {
    if (errno == EAGAIN || errno == EINTR) return {};
    return system_fault("recv");
  }
  const std::string_view bytes{buffer_.data(), kept + static_cast<std::size_t>(got)};
  Sink sink{*this, index};
  const auto used = connection.reader.feed(bytes, sink);
  if (!used) return std::unexpected("the reply is not RESP: " + std::string{used.error()});
  if (sink.saw_surplus()) return std::unexpected("the server sent more replies than requests");
  connection.unread = bytes.substr(*used);

  if (connection.awaited > 0 || connection.batch_size == 0) return {};
  if (connection.written < connection.batch_size) {
    return std::unexpected("the server answered requests that were not sent yet");
  }
  const SteadyTime now = std::chrono::steady_clock::now();
  const auto took = std::chrono::nanoseconds{now - connection.started}.count();
  tally_.batches.add(static_cast<std::uint64_t>(took));
  newest_reply_ = now;
  connection.batch_size = 0;
  --active_;
  return start_batch(index, now);
}

Done Client::start_batch(std::size_t index, SteadyTime now) {
  const std::uint64_t count = std::min<std::uint64_t>(work_.depth, unsent_);
  if (count == 0) return {};
  unsent_ -= count;
  ++active_;
  Connection& connection = connections_[index];
  connection.awaited = static_cast<std::uint32_t>(count);
  connection.batch_size = static_cast<std::size_t>(count) * work_.request.size();
  connection.written = 0;
  connection.started = now;
  return write_batch(index);
}

Done Client::write_batch(std::size_t index) {
  Connection& connection = connections_[index];
  const ssize_t put = ::send(connection.fd, batch_.data() + connection.written,
                             connection.batch_size - connection.written, MSG_NOSIGNAL);
  if (put < 0 && errno != EAGAIN && errno != EINTR) return system_fault("send");
  if (put > 0) connection.written += static_cast<std::size_t>(put);
  const bool is_blocked = connection.written < connection.batch_size;
  if (is_blocked != connection.blocked) {
    watch(index, is_blocked ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
    connection.blocked = is_blocked;
  }
  return {};
}

void Client::watch(std::size_t index, std::uint32_t events, int operation) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = index;
  ::epoll_ctl(epoll_, operation, connections_[index].fd, &event);
}

}  // namespace mintmark::bench
