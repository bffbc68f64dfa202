// The ZooKeeper engine: keys and values as nodes of an ensemble of 3.5 or later (docs/internals/protocol.md,
// 2.7.5).
//
//   zookeeper://user:password@host:2181,host:2181/root
//
// A folder is a node under the root, its '/' written as ':', and a name is a node under that:
// /mintmark/spaces:orders/meta. So no folder is taken for a name of another one. All nodes are persistent;
// nothing rests on a session. With a user (digest) only that user may touch the nodes; else everybody may.
//
// What a server says about itself is little: it serves no session that writes while it has no quorum, which
// is all that is needed, but forceSync=no, with which a loss of power takes back what was answered, shows
// neither in the protocol nor in the commands `conf` and `envi`. It is for the operator to leave it on.
#pragma once

#include <memory>

#include "io/net/service_url.h"
#include "store/key_value.h"
#include "store/store.h"

namespace mintmark::store {

/// Whether the parts of the URL can be right. Connects to nobody. Errors: InvalidArgument.
[[nodiscard]] Outcome<void> check_zookeeper_url(const io::ServiceUrl& url);

/// Connects, and makes the root if it is not there. Nothing of what `unsafe` is about can be seen of a
/// server of ZooKeeper. Errors: InvalidArgument (check_zookeeper_url), StoreUnavailable, also if the client
/// library is not installed. Thread-safe.
[[nodiscard]] Outcome<std::unique_ptr<KeyValue>> connect_zookeeper(const io::ServiceUrl& url,
                                                                   Unsafe unsafe,
                                                                   BootInstant deadline);

}  // namespace mintmark::store
