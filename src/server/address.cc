#include "server/address.h"

#include <charconv>
#include <cstring>
#include <optional>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <sys/socket.h>
#include <sys/un.h>

namespace mintmark::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

std::optional<tcp::endpoint> tcp_part(const asio::generic::stream_protocol::endpoint& endpoint) {
  tcp::endpoint result;
  if (endpoint.protocol().family() != AF_INET && endpoint.protocol().family() != AF_INET6) {
    return std::nullopt;
  }
  result.resize(endpoint.size());
  std::memcpy(result.data(), endpoint.data(), endpoint.size());
  return result;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
    return std::nullopt;
  }
  return port;
}

std::unexpected<std::string> wrong(std::string_view text, std::string_view why) {
  return std::unexpected("address '" + std::string{text} + "': " + std::string{why});
}

}  // namespace

bool Address::local() const {
  if (form != Form::tcp) return true;
  return tcp_part(endpoint)->address().is_loopback();
}

std::expected<Address, std::string> parse_address(std::string_view text) {
  if (text == "off") return Address{};
  if (text.starts_with("unix:")) {
    const std::string path{text.substr(5)};
    // The kernel's limit, with the zero at the end (unix(7)).
    if (path.empty() || path.size() >= sizeof(sockaddr_un::sun_path)) {
      return wrong(text, "the path must have 1 to 107 bytes");
    }
    return Address{Address::Form::unix_path, asio::local::stream_protocol::endpoint{path}, path};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return wrong(text, "write IP:PORT, :PORT for this machine only, unix:/path, or off");
  }
  const auto port = parse_port(text.substr(colon + 1));
  if (!port) return wrong(text, "the port must be a number from 0 to 65535");
  std::string host{text.substr(0, colon)};
  if (host.empty() || host == "localhost") host = "127.0.0.1";
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(host, error);
  if (error || ip.is_v6() != bracketed) {
    return wrong(text, "write the IP address, IPv6 in brackets; names are not resolved");
  }
  return Address{Address::Form::tcp, tcp::endpoint{ip, *port}, {}};
}

std::string describe(const asio::generic::stream_protocol::endpoint& endpoint) {
  if (const auto tcp = tcp_part(endpoint)) {
    const std::string ip = tcp->address().to_string();
    const std::string port = std::to_string(tcp->port());
    return tcp->address().is_v6() ? "[" + ip + "]:" + port : ip + ":" + port;
  }
  const auto* const name = reinterpret_cast<const sockaddr_un*>(endpoint.data());
  if (endpoint.size() <= offsetof(sockaddr_un, sun_path)) return "unix:";
  const std::size_t most = endpoint.size() - offsetof(sockaddr_un, sun_path);
  return "unix:" + std::string{name->sun_path, ::strnlen(name->sun_path, most)};
}

}  // namespace mintmark::server
