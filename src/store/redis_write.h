// A conditional write on Redis: one Lua script, which looks at everything before it changes anything.
//
// Why so strict about the order: Redis does not roll a script back. What comes before the first change may
// fail; behind it nothing can: the keys are of the right type, and Redis itself checks memory, replicas and
// its disk only before the first change of a script.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/net/resp_reply.h"
#include "store/key_value.h"

namespace mintmark::store {

/// What a write rests on beside its conditions.
struct RedisGround {
  std::string_view replication_id{};  ///< the history that this handle knows
  std::uint64_t writes = 0;           ///< what the counter of writes is at least
  std::string_view writes_key{};
};

/// The arguments of the script, without EVAL and the script itself. `key_of` makes the key of a folder.
[[nodiscard]] std::vector<std::string> redis_write_arguments(
    const RedisGround& ground, std::span<const Condition> conditions,
    std::span<const Change> changes, const std::function<std::string(std::string_view)>& key_of);

[[nodiscard]] std::string_view redis_write_script();
/// Its SHA-1 in hexadecimal digits, by which a server that has seen it knows it.
[[nodiscard]] const std::string& redis_write_digest();

struct RedisWritten {
  bool written = false;      ///< false: a condition does not hold
  std::uint64_t writes = 0;  ///< the counter, if it was written
  std::size_t replicas = 0;  ///< that follow, if it was written
};
/// What the script answered. Errors: OutcomeUnknown, unless the answer proves that nothing was written:
/// then StoreUnavailable, IncarnationChanged, StoreRegressed or UnsafeStoreConfig. Details without the
/// address.
[[nodiscard]] Outcome<RedisWritten> redis_written(const io::RespReply& reply);

}  // namespace mintmark::store
