#include "io/net/service_url.h"

#include <charconv>

#include <fmt/format.h>

namespace mintmark::io {
namespace {

template <class T>
using OrWords = std::expected<T, std::string>;

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// `%2F` as `/`. `part` names the part in the words.
OrWords<std::string> decoded(std::string_view text, std::string_view part) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') return std::unexpected(fmt::format("a NUL in the {}", part));
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? digit_of(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? digit_of(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return std::unexpected(
          fmt::format("a % in the {} without two hexadecimal digits; a % itself is %25", part));
    }
    if (high == 0 && low == 0) return std::unexpected(fmt::format("a NUL in the {}", part));
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

OrWords<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  // Not shown: behind a forgotten @ it is a password.
  if (error != std::errc{} || stop != text.data() + text.size() || port == 0) {
    return std::unexpected("the port is no number from 1 to 65535");
  }
  return port;
}

/// `host:port`, `[::1]:port`
OrWords<Endpoint> endpoint_of(std::string_view text) {
  std::string_view host = text;
  std::string_view behind;
  if (text.starts_with('[')) {  // RFC 3986, 3.2.2: an address of IPv6
    const std::size_t end = text.find(']');
    if (end == text.npos) return std::unexpected("a [ without ] in the host");
    host = text.substr(1, end - 1);
    behind = text.substr(end + 1);
    if (!behind.empty() && behind[0] != ':')
      return std::unexpected("words behind the ] of the host");
  } else if (const std::size_t colon = text.find(':'); colon != text.npos) {
    host = text.substr(0, colon);
    behind = text.substr(colon);
  }
  auto name = decoded(host, "host");
  if (!name) return std::unexpected(name.error());
  Endpoint endpoint{.host = *std::move(name), .port = {}};
  if (behind.size() <= 1) return endpoint;
  const auto port = port_of(behind.substr(1));
  if (!port) return std::unexpected(port.error());
  endpoint.port = *port;
  return endpoint;
}

/// `user:password`
OrWords<void> set_credentials(ServiceUrl& url, std::string_view text) {
  const std::size_t colon = text.find(':');
  auto user = decoded(text.substr(0, colon), "user");
  if (!user) return std::unexpected(user.error());
  if (!user->empty()) url.user = *std::move(user);
  if (colon == text.npos) return {};
  auto password = decoded(text.substr(colon + 1), "password");
  if (!password) return std::unexpected(password.error());
  url.password = *std::move(password);
  return {};
}

/// `user:password@host:port,host:port`
OrWords<void> set_authority(ServiceUrl& url, std::string_view text) {
  if (const std::size_t at = text.rfind('@'); at != text.npos) {
    if (auto set = set_credentials(url, text.substr(0, at)); !set) return set;
    text.remove_prefix(at + 1);
  }
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    auto endpoint = endpoint_of(text.substr(0, comma));
    if (!endpoint) return std::unexpected(endpoint.error());
    url.hosts.push_back(*std::move(endpoint));
    if (comma == text.npos) break;
    text.remove_prefix(comma + 1);
    if (text.empty()) return std::unexpected("no host behind the last comma");
  }
  for (const Endpoint& host : url.hosts) {
    if (host.host.empty() && url.hosts.size() > 1) return std::unexpected("a host without a name");
  }
  return {};
}

OrWords<void> set_parameter(ServiceUrl& url, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    return std::unexpected("a parameter behind the ? is not name=value");
  }
  auto name = decoded(text.substr(0, equals), "name of a parameter");
  if (!name) return std::unexpected(name.error());
  auto value = decoded(text.substr(equals + 1), "parameter");
  if (!value) return std::unexpected(value.error());
  url.parameters.emplace_back(*std::move(name), *std::move(value));
  return {};
}

}  // namespace

std::string Endpoint::words() const {
  std::string text = host.contains(':') ? "[" + host + "]" : host;
  if (port) text += fmt::format(":{}", *port);
  return text;
}

std::string ServiceUrl::words() const {
  std::string text = scheme + "://";
  for (std::size_t i = 0; i < hosts.size(); ++i) text += (i == 0 ? "" : ",") + hosts[i].words();
  return path.empty() ? text : text + "/" + path;
}

std::expected<ServiceUrl, std::string> parse_service_url(std::string_view text) {
  const std::size_t slashes = text.find("://");
  if (slashes == text.npos || slashes == 0) {
    return std::unexpected("a URL is scheme://host:port/path");
  }
  ServiceUrl url;
  url.scheme = text.substr(0, slashes);
  std::string_view rest = text.substr(slashes + 3);
  std::string_view parameters;
  if (const std::size_t mark = rest.find('?'); mark != rest.npos) {
    parameters = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  const std::size_t slash = rest.find('/');
  if (auto set = set_authority(url, rest.substr(0, slash)); !set) {
    return std::unexpected(set.error());
  }
  if (slash != rest.npos) {
    auto path = decoded(rest.substr(slash + 1), "path");
    if (!path) return std::unexpected(path.error());
    // A password with a slash in it ends here; its rest must not become a name that is shown.
    if (path->contains('@'))
      return std::unexpected("an @ behind the host; a / in a password is %2F");
    url.path = *std::move(path);
  }
  while (!parameters.empty()) {
    const std::size_t end = parameters.find('&');
    const std::string_view one = parameters.substr(0, end);
    parameters.remove_prefix(end == parameters.npos ? parameters.size() : end + 1);
    if (one.empty()) continue;
    if (auto set = set_parameter(url, one); !set) return std::unexpected(set.error());
  }
  return url;
}

}  // namespace mintmark::io
