// What a member of an etcd cluster must be before it serves as a store (protocol 2.7).
//
// No API of etcd says whether --unsafe-no-fsync is on, which may stand on its command line, in its
// environment or in a file. What it does can be seen: the member answers writes, and its count of fsyncs
// stands still.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/failure.h"
#include "store/etcd_messages.h"

namespace mintmark::store::etcd {

/// Whether the member can be asked at all. Errors: StoreUnavailable (no leader, a learner, the alarm
/// NOSPACE), IncarnationChanged (the alarm CORRUPT). `where` names the member.
[[nodiscard]] Outcome<void> check_role(std::string_view where, const Status& status);

/// How often the member has synced its log to its disk, before it answered two writes and after; nothing: its
/// page /metrics does not tell.
struct Fsyncs {
  std::optional<std::uint64_t> before;
  std::optional<std::uint64_t> after;
};
[[nodiscard]] std::optional<std::uint64_t> fsync_count(std::string_view metrics);

/// The settings that safety needs and that are off, in words: found, and wanted.
[[nodiscard]] std::vector<std::string> unsafe_settings(const Status& status, const Fsyncs& fsyncs);

}  // namespace mintmark::store::etcd
