#include "store/zookeeper_multi.h"

#include <utility>

namespace mintmark::store {

ZookeeperMulti::ZookeeperMulti(const ZookeeperPlace& place, std::span<const Condition> conditions,
                               std::span<const Change> changes)
    : place_(place) {
  for (const Condition& condition : conditions) touch(condition.key);
  for (const Change& change : changes) touch(change.key).change = &change;
}

ZookeeperMulti::Node& ZookeeperMulti::touch(const Key& key) {
  Node& node = nodes_[place_.node(key)];
  node.folder = &folders_[place_.folder(key.folder)];
  return node;
}

std::vector<std::string> ZookeeperMulti::paths() const {
  std::vector<std::string> paths;
  for (const auto& [path, folder] : folders_) paths.push_back(path);
  for (const auto& [path, node] : nodes_) paths.push_back(path);
  return paths;
}

void ZookeeperMulti::take(std::span<ZookeeperReply> replies) {
  auto reply = replies.begin();
  for (auto& [path, folder] : folders_) {
    if (reply->code == ZOK) folder.version = reply->stat.version;
    ++reply;
  }
  for (auto& [path, node] : nodes_) {
    if (reply->code == ZOK) {
      node.kept = Kept{std::move(reply->value), reply->stat.mzxid};
      node.version = reply->stat.version;
      if (node.change != nullptr && !node.change->value) node.folder->loses = true;
    }
    ++reply;
  }
}

bool ZookeeperMulti::holds(std::span<const Condition> conditions) const {
  for (const Condition& condition : conditions) {
    const std::optional<Kept>& kept = nodes_.at(place_.node(condition.key)).kept;
    if (kept.has_value() != condition.kept.has_value()) return false;
    if (!kept) continue;
    if (kept->value != condition.kept->value || kept->version != condition.kept->version)
      return false;
  }
  return true;
}

std::vector<std::string> ZookeeperMulti::missing_folders() const {
  std::vector<std::string> missing;
  for (const auto& [path, folder] : folders_) {
    if (!folder.version) missing.push_back(path);
  }
  return missing;
}

std::vector<zoo_op_t> ZookeeperMulti::operations(const ACL_vector& acl) const {
  std::vector<zoo_op_t> all;
  for (const auto& [path, folder] : folders_) {
    zoo_op_t& op = all.emplace_back();
    if (folder.loses) {
      zoo_.set_op(&op, path.c_str(), "", 0, *folder.version, nullptr);
    } else {
      zoo_.check_op(&op, path.c_str(), *folder.version);
    }
  }
  for (const auto& [path, node] : nodes_) operate(path, node, acl, all);
  return all;
}

void ZookeeperMulti::operate(const std::string& path, const Node& node, const ACL_vector& acl,
                             std::vector<zoo_op_t>& to) const {
  const std::string* value =
      node.change != nullptr && node.change->value ? &*node.change->value : nullptr;
  if (node.kept) {
    zoo_op_t& op = to.emplace_back();
    if (value != nullptr) {
      zoo_.set_op(&op, path.c_str(), value->data(), static_cast<int>(value->size()), node.version,
                  nullptr);
    } else if (node.change != nullptr) {
      zoo_.delete_op(&op, path.c_str(), node.version);
    } else {
      zoo_.check_op(&op, path.c_str(), node.version);
    }
    return;
  }
  // Whether a node is not there is not among the checks: it is made, which fails if it is there, and goes
  // again in the same step.
  const std::string_view made = value != nullptr ? std::string_view{*value} : std::string_view{""};
  zoo_.create_op(&to.emplace_back(), path.c_str(), made.data(), static_cast<int>(made.size()), &acl,
                 0, nullptr, 0);
  if (value == nullptr) zoo_.delete_op(&to.emplace_back(), path.c_str(), 0);
}

std::size_t ZookeeperMulti::size() const {
  // Of one operation, beside path and value: header, lengths, version or flags, one ACL with its names.
  constexpr std::size_t kOperation = 150;
  std::size_t bytes = 0;
  for (const auto& [path, folder] : folders_) bytes += path.size() + kOperation;
  for (const auto& [path, node] : nodes_) {
    const bool writes = node.change != nullptr && node.change->value;
    const std::size_t operations = node.kept || writes ? 1 : 2;
    bytes += operations * (path.size() + kOperation);
    if (writes) bytes += node.change->value->size();
  }
  return bytes;
}

}  // namespace mintmark::store
