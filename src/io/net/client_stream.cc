#include "io/net/client_stream.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "io/net/client_tls.h"
#include "io/net/service_url.h"
#include "io/net/stream_socket.h"
#include "io/os_clock.h"
#include "io/wait.h"

namespace mintmark::io {
namespace {

using Cause = NetFailure::Cause;

std::unexpected<NetFailure> failed(Cause cause, std::string_view where, std::string_view why) {
  return std::unexpected(NetFailure{cause, fmt::format("{}: {}", where, why)});
}

class PlainStream final : public ClientStream {
 public:
  PlainStream(StreamSocket socket, std::string words)
      : socket_(std::move(socket)), words_(std::move(words)) {}

  NetResult<std::size_t> read_some(std::span<char> to, BootInstant deadline) override {
    return move_some([&] { return socket_.read(to); }, POLLIN, deadline);
  }

  NetResult<void> write_all(std::string_view bytes, BootInstant deadline) override {
    while (!bytes.empty()) {
      const auto written = move_some([&] { return socket_.write(bytes); }, POLLOUT, deadline);
      if (!written) return std::unexpected(written.error());
      bytes.remove_prefix(*written);
    }
    return {};
  }

 private:
  template <class Move>
  NetResult<std::size_t> move_some(const Move& move, short events, BootInstant deadline) {
    for (;;) {
      const StreamSocket::Moved moved = move();
      if (moved.state == StreamSocket::State::moved) return moved.size;
      if (moved.state == StreamSocket::State::ended) {
        return failed(Cause::lost, words_, "the connection has ended");
      }
      if (wait_until(socket_.descriptor(), events, deadline) == 0) {
        return failed(Cause::late, words_, "no answer in time");
      }
    }
  }

  StreamSocket socket_;
  std::string words_;
};

/// One address, and how to show it.
struct Address {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  std::string words;

  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

NetResult<std::vector<Address>> socket_address(const std::string& path) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (path.size() >= sizeof name.sun_path) {
    return failed(Cause::unreachable, path, "the path is too long for a Unix socket");
  }
  std::memcpy(name.sun_path, path.data(), path.size());
  Address address{.bytes = {}, .size = sizeof name, .words = path};
  std::memcpy(&address.bytes, &name, sizeof name);
  return std::vector{std::move(address)};
}

NetResult<std::vector<Address>> host_addresses(const std::string& host, std::uint16_t port,
                                               const std::string& words) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0) {
    return failed(Cause::unreachable, words,
                  error == EAI_SYSTEM ? std::strerror(errno) : ::gai_strerror(error));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner{found, ::freeaddrinfo};
  std::vector<Address> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    Address& address = addresses.emplace_back();
    address.size = one->ai_addrlen;
    std::memcpy(&address.bytes, one->ai_addr, one->ai_addrlen);
    char digits[NI_MAXHOST] = "";
    ::getnameinfo(one->ai_addr, one->ai_addrlen, digits, sizeof digits, nullptr, 0, NI_NUMERICHOST);
    address.words = digits == host ? words : fmt::format("{} ({})", words, digits);
  }
  return addresses;
}

NetResult<StreamSocket> connect_address(const Address& address, BootInstant deadline) {
  const auto refused = [&](int error) {
    return failed(Cause::unreachable, address.words, std::strerror(error));
  };
  const int descriptor =
      ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return refused(errno);
  StreamSocket socket{descriptor};
  if (address.get()->sa_family != AF_UNIX) {
    // A request is one packet, and its answer is waited for: nothing to collect (RFC 896).
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  }
  if (::connect(descriptor, address.get(), address.size) == 0) return socket;
  if (errno != EINPROGRESS && errno != EINTR) return refused(errno);
  if (wait_until(descriptor, POLLOUT, deadline) == 0) {
    return failed(Cause::late, address.words, "no connection in time");
  }
  int error = 0;
  socklen_t size = sizeof error;
  ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return refused(error);
  return socket;
}

/// Each address gets its share of the time that is left: one that swallows packets must not take it all.
NetResult<StreamSocket> connect_any(const std::vector<Address>& addresses, BootInstant deadline) {
  NetFailure all;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const BootInstant now = os_clock().boot();
    const auto share = (deadline - now) / static_cast<std::int64_t>(addresses.size() - i);
    auto socket = connect_address(addresses[i], now + share);
    if (socket) return socket;
    all.cause = socket.error().cause;
    all.detail += (all.detail.empty() ? "" : "; ") + socket.error().detail;
  }
  return std::unexpected(std::move(all));
}

}  // namespace

NetResult<std::unique_ptr<ClientStream>> connect_stream(const std::string& host, std::uint16_t port,
                                                        const std::optional<TlsOptions>& tls,
                                                        BootInstant deadline) {
  const bool local = host.starts_with('/');
  const std::string words = local ? host : Endpoint{host, port}.words();
  if (local && tls && tls->proof == TlsOptions::Proof::named) {
    return failed(Cause::unreachable, words, "a Unix socket has no name to prove by a certificate");
  }
  const auto addresses = local ? socket_address(host) : host_addresses(host, port, words);
  if (!addresses) return std::unexpected(addresses.error());
  auto socket = connect_any(*addresses, deadline);
  if (!socket) return std::unexpected(socket.error());
  if (tls) return start_tls(std::move(*socket), host, words, *tls, deadline);
  return std::make_unique<PlainStream>(std::move(*socket), words);
}

}  // namespace mintmark::io
