// Keys and values on Redis 7.0 or newer: a folder is a hash, its names are the fields.
//
//   redis://user:password@host:6379/0?prefix=mintmark
//   rediss://host:6379/0?sslrootcert=FILE&sslcert=FILE&sslkey=FILE&sslmode=verify-full     or require
//   redis:///0?host=/run/redis/redis-server.sock                                           a Unix socket
//
// The key of a folder is <prefix>:<folder>. Beside them stands <prefix>:.writes, a counter of our own: the
// replication offset, which would be the measure of progress, stays 0 on a server that never had a replica.
// The password may come from the environment variable REDISCLI_AUTH, as redis-cli takes it.
//
// Best effort (docs/internals/protocol.md, 2.7): replication is asynchronous, and a failover may lose what
// was acknowledged. So it refuses a server that may forget by itself (no AOF, or not synced with every
// write; eviction; a key with a time to live), one that is no master, and Redis Cluster.
#pragma once

#include <memory>

#include "io/net/service_url.h"
#include "store/key_value.h"

namespace mintmark::store {

/// Whether connect_redis can make something of this URL. Connects to nothing. Errors: InvalidArgument.
[[nodiscard]] Outcome<void> check_redis_url(const io::ServiceUrl& url);

/// Connects and checks the server. `unsafe` lets settings pass that may lose marks, and nothing else. Errors:
/// InvalidArgument, StoreUnavailable, UnsafeStoreConfig, IncarnationChanged (a replica).
[[nodiscard]] Outcome<std::unique_ptr<KeyValue>> connect_redis(const io::ServiceUrl& url,
                                                               Unsafe unsafe, BootInstant deadline);

}  // namespace mintmark::store
