// The functions of ZooKeeper's client library that are used, opened at run time (io/shared_library.h).
//
// Only the asynchronous ones: the others wait for as long as the library pleases.
#pragma once

#include <optional>
#include <string>

#include <zookeeper/zookeeper.h>

namespace mintmark::store {

/// The functions and constants of libzookeeper_mt.so.2; their types are those of its header.
struct ZookeeperLibrary {
  decltype(&::zookeeper_init2) init = nullptr;
  decltype(&::zookeeper_close) close = nullptr;
  decltype(&::zerror) words = nullptr;
  decltype(&::zoo_add_auth) add_auth = nullptr;
  decltype(&::zoo_async) sync = nullptr;
  decltype(&::zoo_aexists) exists = nullptr;
  decltype(&::zoo_aget) get = nullptr;
  decltype(&::zoo_aget_children) children = nullptr;
  decltype(&::zoo_acreate) create = nullptr;
  decltype(&::zoo_aset) set = nullptr;
  decltype(&::zoo_amulti) multi = nullptr;
  decltype(&::zoo_create_op_init) create_op = nullptr;
  decltype(&::zoo_delete_op_init) delete_op = nullptr;
  decltype(&::zoo_set_op_init) set_op = nullptr;
  decltype(&::zoo_check_op_init) check_op = nullptr;
  const int* session_event = nullptr;
  const int* connected_state = nullptr;
  const ACL_vector* open_acl = nullptr;
  const ACL_vector* creator_acl = nullptr;
  std::optional<std::string> missing;  ///< why the library cannot be used
};

/// Opens it at the first call. Thread-safe.
[[nodiscard]] const ZookeeperLibrary& zookeeper_library();

}  // namespace mintmark::store
