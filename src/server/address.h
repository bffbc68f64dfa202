// Addresses to listen on, as a person writes them. Names are not resolved: which machines can reach the
// server shall be seen in the configuration, not decided by a name server.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <boost/asio/generic/stream_protocol.hpp>

namespace mintmark::server {

struct Address {
  enum class Form : std::uint8_t { off, tcp, unix_path };
  Form form = Form::off;
  boost::asio::generic::stream_protocol::endpoint endpoint;  ///< tcp and unix_path
  std::string path;                                          ///< unix_path
  /// Only this machine can reach it.
  [[nodiscard]] bool local() const;
};

/// "127.0.0.1:8080", "[::1]:8080", ":8080" (127.0.0.1), "localhost:8080" (127.0.0.1), "unix:/path",
/// "off". Otherwise words that say what is wrong.
[[nodiscard]] std::expected<Address, std::string> parse_address(std::string_view text);

/// As parse_address reads it; "unix:" alone for a peer that has no path.
[[nodiscard]] std::string describe(const boost::asio::generic::stream_protocol::endpoint& endpoint);

}  // namespace mintmark::server
