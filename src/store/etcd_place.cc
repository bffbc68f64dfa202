#include "store/etcd_place.h"

#include <fmt/format.h>

#include "mintmark/base/error.h"

namespace mintmark::store::etcd {
namespace {

using Proof = io::TlsOptions::Proof;
template <class T>
using OrWords = std::expected<T, std::string>;

constexpr std::uint16_t kPort = 2379;  // of clients (etcd documentation, "Configuration options")

OrWords<std::vector<Member>> members_of(const io::ServiceUrl& url) {
  std::vector<io::Endpoint> hosts = url.hosts;
  if (hosts.empty()) hosts.push_back({"127.0.0.1", kPort});
  std::vector<Member> members;
  for (io::Endpoint& endpoint : hosts) {
    if (endpoint.host.empty()) return std::unexpected("a host without a name");
    if (endpoint.host.starts_with('/')) {
      return std::unexpected("a path for a host: etcd is reached by name or address, and port");
    }
    endpoint.port = endpoint.port.value_or(kPort);
    members.push_back({endpoint.host, *endpoint.port, endpoint.words()});
  }
  return members;
}

OrWords<std::string> prefix_of(const io::ServiceUrl& url) {
  if (url.path.empty()) return "mintmark";
  if (url.path.starts_with('/') || url.path.ends_with('/') || url.path.contains("//")) {
    return std::unexpected(
        "the path is what keys begin with: names with one / in between, as in a/b");
  }
  return url.path;
}

OrWords<void> set_tls(io::TlsOptions& tls, std::string_view name, const std::string& value) {
  if (name == "sslmode") {
    if (value != "verify-full" && value != "require") {
      return std::unexpected("sslmode is verify-full or require");
    }
    tls.proof = value == "require" ? Proof::none : Proof::named;
  } else if (name == "sslrootcert") {
    tls.authorities = value;
  } else if (name == "sslcert") {
    tls.certificate = value;
  } else if (name == "sslkey") {
    tls.key = value;
  } else {
    return std::unexpected(fmt::format(
        "{}: no such parameter; there are sslmode, sslrootcert, sslcert and sslkey", name));
  }
  return {};
}

OrWords<std::optional<io::TlsOptions>> tls_of(const io::ServiceUrl& url) {
  io::TlsOptions tls;
  for (const auto& [name, value] : url.parameters) {
    if (auto set = set_tls(tls, name, value); !set) return std::unexpected(std::move(set.error()));
    if (url.scheme == "etcd") {
      return std::unexpected(
          fmt::format("{} is for TLS, and etcd:// has none: say etcds://", name));
    }
  }
  if (tls.certificate.empty() != tls.key.empty()) {
    return std::unexpected("sslcert and sslkey go together");
  }
  if (url.scheme == "etcd") return std::nullopt;
  return tls;
}

}  // namespace

OrWords<Place> place_of(const io::ServiceUrl& url) {
  if (url.scheme != "etcd" && url.scheme != "etcds") {
    return std::unexpected("the URL of an etcd cluster begins with etcd:// or etcds://");
  }
  Place place;
  MINTMARK_TRY(members, members_of(url));
  MINTMARK_TRY(prefix, prefix_of(url));
  MINTMARK_TRY(tls, tls_of(url));
  if (url.password && !url.user) return std::unexpected("a password without a user");
  if (url.user && url.user->empty()) return std::unexpected("a user without a name");
  place.members = std::move(members);
  place.prefix = std::move(prefix);
  place.tls = std::move(tls);
  place.user = url.user.value_or("");
  place.password = url.password.value_or("");
  return place;
}

}  // namespace mintmark::store::etcd
