// The engine on etcd: keys and values of a cluster, through the JSON gateway that each of its members has.
//
// Why not gRPC, which is etcd's own: it would come into libmintmark with everything it needs, and what is
// asked for is two messages. Why not etcd's locks and leases: they end by a clock (protocol 2.7.4).
//
// What a new connection is checked for, after the login: the cluster's id, a leader, no learner, no alarm,
// the version, that the member syncs its log (etcd_checks.h), and the revision. Not checked: whether the
// other members sync theirs.
//
// The clock is the header `Date` of the answer: that of the member that was asked, in whole seconds,
// rounded down. It is up to a second too low, so a claim whose clock is ahead is refused up to a second too
// early, and none too late (protocol R8).
#pragma once

#include <memory>

#include "io/net/service_url.h"
#include "mintmark/base/time.h"
#include "store/key_value.h"
#include "store/store.h"

namespace mintmark::store {

/// Whether the URL is one of an etcd cluster (etcd_place.h has its form). Opens nothing. Errors:
/// InvalidArgument. Thread-safe.
[[nodiscard]] Outcome<void> check_etcd_url(const io::ServiceUrl& url);

/// A handle with a first connection that was found safe. Errors: InvalidArgument, StoreUnavailable,
/// UnsafeStoreConfig, IncarnationChanged (the members believe that their data is corrupt). Thread-safe.
[[nodiscard]] Outcome<std::unique_ptr<KeyValue>> connect_etcd(const io::ServiceUrl& url,
                                                              Unsafe unsafe, BootInstant deadline);

}  // namespace mintmark::store
