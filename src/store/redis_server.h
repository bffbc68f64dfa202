// What a Redis says about itself, and whether a store may rest on it (docs/internals/protocol.md, 2.7).
//
// INFO says most of it, and may be asked everywhere. CONFIG, which managed servers rename or forbid, is asked
// only for what INFO does not say; a setting that cannot be read counts as off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/failure.h"
#include "io/net/resp_client.h"
#include "mintmark/base/time.h"

namespace mintmark::store {

/// One look at a server that is a master, and can write.
struct RedisServer {
  std::string run_id;                 ///< another one after each start
  std::string replication_id;         ///< another one when it takes up, or begins, another history
  std::size_t replicas = 0;           ///< those that follow; not those that still copy
  std::uint64_t writes = 0;           ///< the counter of our own
  Instant now{};                      ///< its clock
  std::vector<std::string> unsafe{};  ///< "<setting>: found X, wanted Y"
};

/// Puts the commands of a look into the next exchange, at whose end its replies are.
void add_look(io::RespClient& client, std::string_view writes_key);
inline constexpr std::size_t kLookReplies = 5;

/// What the replies say. Errors: StoreUnavailable (it is loading, or its disk fails), IncarnationChanged (it
/// is a replica), UnsafeStoreConfig (Redis Cluster). Details without the address.
[[nodiscard]] Outcome<RedisServer> look_of(std::span<const io::RespReply, kLookReplies> replies);

/// The reply of TIME, if it is one.
[[nodiscard]] std::optional<Instant> redis_time(const io::RespReply& reply);

}  // namespace mintmark::store
