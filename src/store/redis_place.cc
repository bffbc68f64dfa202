#include "store/redis_place.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace mintmark::store {
namespace {

std::unexpected<Failure> wrong(std::string words) {
  return failure(Fault::invalid_argument, std::move(words));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Outcome<void> set_host(RedisPlace& place, const io::ServiceUrl& url) {
  if (url.hosts.size() > 1) {
    return wrong("redis: one host, not a list: Redis Cluster and Sentinel are not supported");
  }
  if (url.hosts.empty()) return {};
  const io::Endpoint& endpoint = url.hosts.front();
  if (!endpoint.host.empty()) place.host = endpoint.host;
  if (endpoint.port) place.port = *endpoint.port;
  return {};
}

Outcome<void> set_database(RedisPlace& place, const io::ServiceUrl& url) {
  constexpr std::size_t kMostDigits = 9;
  if (url.path.empty()) return {};
  if (url.path.size() > kMostDigits || !std::ranges::all_of(url.path, is_digit)) {
    return wrong("redis: the path is the number of a database, as in redis://localhost/0");
  }
  place.database = url.path;
  return {};
}

Outcome<void> set_prefix(RedisPlace& place, const std::string& value) {
  constexpr std::size_t kMost = 100;
  const bool good = std::ranges::all_of(value, [](char c) {
    return is_digit(c) || is_letter(c) || std::string_view{"-_.:"}.contains(c);
  });
  if (!good || value.empty() || value.size() > kMost) {
    return wrong("redis: prefix: 1 to 100 letters, digits, '-', '_', '.' and ':'");
  }
  place.prefix = value;
  return {};
}

Outcome<void> set_socket(RedisPlace& place, const io::ServiceUrl& url, const std::string& value) {
  if (!value.starts_with('/')) {
    return wrong("redis: host as a parameter is the absolute path of a Unix socket");
  }
  if (!url.hosts.empty()) return wrong("redis: a host, or the path of a Unix socket, not both");
  if (place.tls) return wrong("redis: a Unix socket has no TLS: use redis://");
  place.host = value;
  return {};
}

Outcome<void> set_tls(io::TlsOptions& tls, std::string_view name, const std::string& value) {
  if (name == "sslmode") {
    if (value != "verify-full" && value != "require") {
      return wrong("redis: sslmode is verify-full or require");
    }
    tls.proof = value == "require" ? io::TlsOptions::Proof::none : io::TlsOptions::Proof::named;
    return {};
  }
  if (value.empty()) return wrong(fmt::format("redis: {} is the name of a file", name));
  (name == "sslrootcert" ? tls.authorities : name == "sslcert" ? tls.certificate : tls.key) = value;
  return {};
}

Outcome<void> set_parameter(RedisPlace& place, const io::ServiceUrl& url, const std::string& name,
                            const std::string& value) {
  if (name == "prefix") return set_prefix(place, value);
  if (name == "host") return set_socket(place, url, value);
  if (name == "sslmode" || name == "sslrootcert" || name == "sslcert" || name == "sslkey") {
    if (!place.tls) return wrong(fmt::format("redis: {} is for rediss://", name));
    return set_tls(*place.tls, name, value);
  }
  // Not shown: a name may be a piece of a password with a '?' that was not written as %3F.
  return wrong(
      "redis: a parameter that it does not know; it knows prefix, host, sslmode, sslrootcert, "
      "sslcert "
      "and sslkey");
}

}  // namespace

Outcome<RedisPlace> redis_place(const io::ServiceUrl& url) {
  RedisPlace place{.user = url.user, .password = url.password};
  if (url.scheme != "redis" && url.scheme != "rediss") {
    return wrong("redis: the URL begins with redis:// or, for TLS, rediss://");
  }
  if (url.scheme == "rediss") place.tls.emplace();
  if (const auto hosted = set_host(place, url); !hosted) return std::unexpected(hosted.error());
  if (const auto numbered = set_database(place, url); !numbered)
    return std::unexpected(numbered.error());
  for (auto one = url.parameters.begin(); one != url.parameters.end(); ++one) {
    const auto same = [&](const auto& other) { return other.first == one->first; };
    if (std::any_of(url.parameters.begin(), one, same)) {
      return wrong("redis: a parameter stands there twice");
    }
    if (const auto set = set_parameter(place, url, one->first, one->second); !set)
      return std::unexpected(set.error());
  }
  if (place.tls && place.tls->certificate.empty() != place.tls->key.empty()) {
    return wrong("redis: sslcert and sslkey belong together");
  }
  if (!place.password) {
    if (const char* password = std::getenv("REDISCLI_AUTH")) place.password = password;
  }
  place.words = place.host.starts_with('/') ? "redis:" + place.host : url.words();
  return place;
}

}  // namespace mintmark::store
