// Which machine this is, and which of its starts: what binds a SQLite store to one host (protocol 2.7).
//
// Neither is ever a source of an ID: containers and clones share both (protocol 3.3).
#pragma once

#include <string>

namespace mintmark::io {

/// /etc/machine-id (machine-id(5)); empty where there is none.
[[nodiscard]] std::string machine_id();

/// /proc/sys/kernel/random/boot_id: another one after each start of the kernel; empty where there is
/// no /proc.
[[nodiscard]] std::string boot_id();

}  // namespace mintmark::io
