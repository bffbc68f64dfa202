#include "io/sql/url.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "io/net/service_url.h"

namespace mintmark::io::sql {
namespace {

constexpr std::array<std::pair<std::string_view, Engine>, 4> kSchemes{{
    {"postgresql", Engine::postgres},
    {"postgres", Engine::postgres},
    {"mariadb", Engine::mariadb},
    {"mysql", Engine::mariadb},
}};

/// What may stand in front of the path or behind the ?. Words about what is wrong, or none.
std::string take_parameter(DatabaseUrl& url, std::pair<std::string, std::string> parameter) {
  auto& [name, value] = parameter;
  if (name == "host") {
    if (value.contains(',')) return "one host, not a list of them";
    url.host = std::move(value);
  } else if (name == "port") {
    std::uint16_t port = 0;
    const auto [stop, error] = std::from_chars(value.data(), value.data() + value.size(), port);
    if (error != std::errc{} || stop != value.data() + value.size() || port == 0) {
      return "the port is no number from 1 to 65535";
    }
    url.port = port;
  } else if (name == "user") {
    url.user = std::move(value);
  } else if (name == "password") {
    url.password = std::move(value);
  } else {
    url.parameters.push_back(std::move(parameter));
  }
  return {};
}

}  // namespace

std::string DatabaseUrl::words() const {
  std::string text = engine == Engine::postgres ? "postgresql://" : "mariadb://";
  const bool socket = host.starts_with('/');
  if (!socket) text += Endpoint{.host = host, .port = port}.words();
  text += "/" + database;
  return socket ? text + "?host=" + host : text;
}

std::expected<DatabaseUrl, std::string> parse_database_url(std::string_view text) {
  const auto* const scheme = std::ranges::find(kSchemes, text.substr(0, text.find("://")),
                                               [](const auto& row) { return row.first; });
  if (scheme == kSchemes.end() || !text.contains("://")) {
    return std::unexpected("a database is postgresql://... or mariadb://...");
  }
  auto service = parse_service_url(text);
  if (!service) return std::unexpected(service.error());
  if (service->hosts.size() > 1) return std::unexpected("one host, not a list of them");
  DatabaseUrl url;
  url.engine = scheme->second;
  url.user = std::move(service->user);
  url.password = std::move(service->password);
  url.database = std::move(service->path);
  if (!service->hosts.empty()) {
    url.host = std::move(service->hosts.front().host);
    url.port = service->hosts.front().port;
  }
  if (url.host.contains(',')) return std::unexpected("one host, not a list of them");
  for (auto& parameter : service->parameters) {
    if (auto wrong = take_parameter(url, std::move(parameter)); !wrong.empty()) {
      return std::unexpected(std::move(wrong));
    }
  }
  return url;
}

}  // namespace mintmark::io::sql
