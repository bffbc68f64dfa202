#include "store/zookeeper_library.h"

#include "io/shared_library.h"

namespace mintmark::store {
namespace {

ZookeeperLibrary load() {
  ZookeeperLibrary zoo;
  io::SharedLibrary library{"libzookeeper_mt.so.2", "libzookeeper-mt2"};
  library.find("zookeeper_init2", zoo.init);
  library.find("zookeeper_close", zoo.close);
  library.find("zerror", zoo.words);
  library.find("zoo_add_auth", zoo.add_auth);
  library.find("zoo_async", zoo.sync);
  library.find("zoo_aexists", zoo.exists);
  library.find("zoo_aget", zoo.get);
  library.find("zoo_aget_children", zoo.children);
  library.find("zoo_acreate", zoo.create);
  library.find("zoo_aset", zoo.set);
  library.find("zoo_amulti", zoo.multi);
  library.find("zoo_create_op_init", zoo.create_op);
  library.find("zoo_delete_op_init", zoo.delete_op);
  library.find("zoo_set_op_init", zoo.set_op);
  library.find("zoo_check_op_init", zoo.check_op);
  library.find("ZOO_SESSION_EVENT", zoo.session_event);
  library.find("ZOO_CONNECTED_STATE", zoo.connected_state);
  library.find("ZOO_OPEN_ACL_UNSAFE", zoo.open_acl);
  library.find("ZOO_CREATOR_ALL_ACL", zoo.creator_acl);
  zoo.missing = library.missing();
  return zoo;
}

}  // namespace

const ZookeeperLibrary& zookeeper_library() {
  static const ZookeeperLibrary zoo = load();
  return zoo;
}

}  // namespace mintmark::store
