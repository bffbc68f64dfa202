#include "store/zookeeper_place.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

namespace mintmark::store {
namespace {

constexpr std::uint16_t kPort = 2181;  // ZooKeeper Administrator's Guide, clientPort
constexpr std::size_t kMostRootBytes = 255;
constexpr std::string_view kDefaultRoot = "mintmark";

std::unexpected<Failure> wrong(const io::ServiceUrl& url, std::string_view why) {
  return failure(Fault::invalid_argument, fmt::format("{}: {}", url.words(), why));
}

/// Narrower than what a server takes: no control characters, none that are not ASCII, no '.' and '..'
/// (ZooKeeper Programmer's Guide, chapter The ZooKeeper Data Model).
bool is_root(std::string_view path) {
  if (path.size() > kMostRootBytes) return false;
  const auto is_plain = [](char c) { return c > ' ' && c < 0x7f; };
  return std::ranges::all_of(std::views::split(path, '/'), [&](const auto& part) {
    const std::string_view name{part.begin(), part.end()};
    return !name.empty() && name != "." && name != ".." && std::ranges::all_of(name, is_plain);
  });
}

/// The library splits its text at ',' and takes what follows a '/' for a path.
bool is_host(std::string_view host) {
  return !host.empty() && host.find_first_of(",/ ") == host.npos;
}

}  // namespace

std::vector<std::string> ZookeeperPlace::way_to_root() const {
  std::vector<std::string> way;
  for (std::size_t end = root.find('/', 1); end != root.npos; end = root.find('/', end + 1)) {
    way.push_back(root.substr(0, end));
  }
  way.push_back(root);
  return way;
}

std::string ZookeeperPlace::folder(std::string_view folder) const {
  std::string path = root + '/';
  std::ranges::replace_copy(folder, std::back_inserter(path), '/', ':');
  return path;
}

std::string ZookeeperPlace::node(const Key& key) const {
  return folder(key.folder) + '/' + key.name;
}

Outcome<ZookeeperPlace> zookeeper_place(const io::ServiceUrl& url) {
  ZookeeperPlace place{.words = url.words(), .hosts = {}, .digest = {}, .root = {}};
  if (!url.parameters.empty()) {
    return wrong(url, fmt::format("there is no parameter {}; ZooKeeper's URL has none",
                                  url.parameters.front().first));
  }
  if (url.hosts.empty()) return wrong(url, "no host is named; write zookeeper://host:2181/root");
  for (const io::Endpoint& endpoint : url.hosts) {
    if (!is_host(endpoint.host)) return wrong(url, "a host is a name or an address");
    if (!place.hosts.empty()) place.hosts += ',';
    // An address of IPv6 too stands there as it is: the last ':' ends it.
    place.hosts += fmt::format("{}:{}", endpoint.host, endpoint.port.value_or(kPort));
  }
  if (url.user.has_value() != url.password.has_value()) {
    return wrong(url, "user and password come together");
  }
  if (url.user) {
    if (url.user->empty() || url.user->contains(':')) return wrong(url, "a user has no ':'");
    place.digest = *url.user + ':' + *url.password;
  }
  const std::string_view root = url.path.empty() ? kDefaultRoot : std::string_view{url.path};
  if (!is_root(root)) {
    return wrong(url,
                 fmt::format("the path is that of a node: names with a '/' between, at most {} "
                             "printable characters",
                             kMostRootBytes));
  }
  if (root == "zookeeper" || root.starts_with("zookeeper/")) {
    return wrong(url, "/zookeeper belongs to the server");
  }
  place.root = fmt::format("/{}", root);
  return place;
}

}  // namespace mintmark::store
