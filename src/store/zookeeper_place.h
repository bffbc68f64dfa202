// Where a store lies in ZooKeeper: the URL's parts, as the client library and the server's paths want them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/net/service_url.h"
#include "store/key_value.h"

namespace mintmark::store {

struct ZookeeperPlace {
  std::string words;                  ///< fit to be shown
  std::string hosts;                  ///< as zookeeper_init takes them
  std::optional<std::string> digest;  ///< user:password
  std::string root;                   ///< with a '/' in front

  /// The root and what it lies in, from the top.
  [[nodiscard]] std::vector<std::string> way_to_root() const;
  /// A node that is written to learn the server's time. No folder begins with a ':'.
  [[nodiscard]] std::string clock() const { return root + "/:clock"; }
  [[nodiscard]] std::string folder(std::string_view folder) const;
  [[nodiscard]] std::string node(const Key& key) const;
};

/// Errors: InvalidArgument.
[[nodiscard]] Outcome<ZookeeperPlace> zookeeper_place(const io::ServiceUrl& url);

}  // namespace mintmark::store
