// The URL of a service: where it is, and as whom to come. One form for all of them (RFC 3986).
//
//   scheme://user:password@host:port,host:port/path?name=value&name=value
//
// Every part but the scheme may be left out and may hold %XX (2.1); an address of IPv6 stands in brackets.
// Words about a wrong URL repeat no part of it that may be secret.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mintmark::io {

struct Endpoint {
  std::string host;
  std::optional<std::uint16_t> port;

  /// As a URL writes it: `host`, `host:port`, `[::1]:port`.
  [[nodiscard]] std::string words() const;
};

struct ServiceUrl {
  std::string scheme;
  std::optional<std::string> user;
  std::optional<std::string> password;
  std::vector<Endpoint> hosts;  ///< none if the URL names none
  std::string path;             ///< what stands between the first / and the ?, without that /
  std::vector<std::pair<std::string, std::string>> parameters;  ///< in their order

  /// Fit to be shown: without user, password and parameters.
  [[nodiscard]] std::string words() const;
};

/// The URL apart. The error says what is wrong.
[[nodiscard]] std::expected<ServiceUrl, std::string> parse_service_url(std::string_view text);

}  // namespace mintmark::io
