#include "io/sql/url.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace mintmark::io::sql {
namespace {

template <class T>
using OrWords = std::expected<T, std::string>;

constexpr std::array<std::pair<std::string_view, Engine>, 4> kSchemes{{
    {"postgresql", Engine::postgres},
    {"postgres", Engine::postgres},
    {"mariadb", Engine::mariadb},
    {"mysql", Engine::mariadb},
}};

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

OrWords<void> set_port(DatabaseUrl& url, std::string_view text) {
  std::uint16_t port = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  // Not shown: behind a forgotten @ it is a password.
  if (error != std::errc{} || stop != text.data() + text.size() || port == 0) {
    return std::unexpected("the port is no number from 1 to 65535; one host, and one port");
  }
  url.port = port;
  return {};
}

OrWords<void> set_host(DatabaseUrl& url, std::string_view text) {
  const auto host = decoded(text, "host");
  if (!host) return std::unexpected(host.error());
  if (host->contains(',')) return std::unexpected("one host, not a list of them");
  url.host = *host;
  return {};
}

/// `user:password@host:port`
OrWords<void> set_authority(DatabaseUrl& url, std::string_view text) {
  if (const std::size_t at = text.rfind('@'); at != text.npos) {
    const std::string_view who = text.substr(0, at);
    const std::size_t colon = who.find(':');
    const auto user = decoded(who.substr(0, colon), "user");
    if (!user) return std::unexpected(user.error());
    if (!user->empty()) url.user = *user;
    if (colon != who.npos) {
      const auto password = decoded(who.substr(colon + 1), "password");
      if (!password) return std::unexpected(password.error());
      url.password = *password;
    }
    text.remove_prefix(at + 1);
  }
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
  if (const auto set = set_host(url, host); !set) return set;
  return behind.size() > 1 ? set_port(url, behind.substr(1)) : OrWords<void>{};
}

OrWords<void> set_parameter(DatabaseUrl& url, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) {
    return std::unexpected("a parameter behind the ? is not name=value");
  }
  const auto name = decoded(text.substr(0, equals), "name of a parameter");
  if (!name) return std::unexpected(name.error());
  const std::string_view raw = text.substr(equals + 1);
  if (*name == "host") return set_host(url, raw);
  if (*name == "port") return set_port(url, raw);
  const auto value = decoded(raw, "parameter");
  if (!value) return std::unexpected(value.error());
  if (*name == "user") {
    url.user = *value;
  } else if (*name == "password") {
    url.password = *value;
  } else {
    url.parameters.emplace_back(*name, *value);
  }
  return {};
}

}  // namespace

std::string DatabaseUrl::words() const {
  std::string text = engine == Engine::postgres ? "postgresql://" : "mariadb://";
  const bool socket = host.starts_with('/');
  if (!socket) text += host.contains(':') ? "[" + host + "]" : host;
  if (!socket && port) text += fmt::format(":{}", *port);
  text += "/" + database;
  return socket ? text + "?host=" + host : text;
}

std::expected<DatabaseUrl, std::string> parse_database_url(std::string_view text) {
  const std::size_t slashes = text.find("://");
  const std::string_view scheme = text.substr(0, slashes);
  DatabaseUrl url;
  bool known = false;
  for (const auto& [name, engine] : kSchemes) {
    if (slashes == text.npos || scheme != name) continue;
    url.engine = engine;
    known = true;
  }
  if (!known) return std::unexpected("a database is postgresql://... or mariadb://...");
  std::string_view rest = text.substr(slashes + 3);
  std::string_view parameters;
  if (const std::size_t mark = rest.find('?'); mark != rest.npos) {
    parameters = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  const std::size_t slash = rest.find('/');
  if (const auto set = set_authority(url, rest.substr(0, slash)); !set) {
    return std::unexpected(set.error());
  }
  if (slash != rest.npos) {
    const auto database = decoded(rest.substr(slash + 1), "database");
    if (!database) return std::unexpected(database.error());
    // A password with a slash in it ends here; its rest must not become a name that is shown.
    if (database->contains('@'))
      return std::unexpected("an @ behind the host; a / in a password is %2F");
    url.database = *database;
  }
  while (!parameters.empty()) {
    const std::size_t end = parameters.find('&');
    const std::string_view one = parameters.substr(0, end);
    parameters.remove_prefix(end == parameters.npos ? parameters.size() : end + 1);
    if (one.empty()) continue;
    if (const auto set = set_parameter(url, one); !set) return std::unexpected(set.error());
  }
  return url;
}

}  // namespace mintmark::io::sql
