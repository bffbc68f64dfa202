// One conditional write as a multi of ZooKeeper: which nodes it has to look at, whether its conditions hold,
// and the operations that carry it out on just what was seen (zookeeper.cc says why).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/key_value.h"
#include "store/zookeeper_place.h"
#include "store/zookeeper_session.h"

namespace mintmark::store {

/// One thread at a time. REQUIRES: place and changes outlive it.
class ZookeeperMulti {
 public:
  /// What a server takes in one request is 1,048,575 bytes (ZooKeeper Administrator's Guide,
  /// jute.maxbuffer); the rest is for what the operations are wrapped in.
  static constexpr std::size_t kMostBytes = 1'000'000;

  ZookeeperMulti(const ZookeeperPlace& place, std::span<const Condition> conditions,
                 std::span<const Change> changes);

  /// The nodes to look at.
  [[nodiscard]] std::vector<std::string> paths() const;
  /// What was there, in the order of paths().
  void take(std::span<ZookeeperReply> replies);

  [[nodiscard]] bool holds(std::span<const Condition> conditions) const;
  /// Which have to be made first.
  [[nodiscard]] std::vector<std::string> missing_folders() const;
  /// They point into this object and into the changes. REQUIRES: no folder is missing.
  [[nodiscard]] std::vector<zoo_op_t> operations(const ACL_vector& acl) const;
  /// Bytes of the operations, not less than they have when sent.
  [[nodiscard]] std::size_t size() const;

 private:
  struct Folder {
    std::optional<std::int32_t> version{};  ///< counts the keys that were removed from it
    bool loses = false;                     ///< a key in it is removed
  };
  struct Node {
    Folder* folder = nullptr;
    const Change* change = nullptr;
    std::optional<Kept> kept{};
    std::int32_t version = 0;
  };

  Node& touch(const Key& key);
  void operate(const std::string& path, const Node& node, const ACL_vector& acl,
               std::vector<zoo_op_t>& to) const;

  const ZookeeperLibrary& zoo_ = zookeeper_library();
  const ZookeeperPlace& place_;
  std::map<std::string, Folder> folders_;  ///< by path, like the nodes
  std::map<std::string, Node> nodes_;
};

}  // namespace mintmark::store
