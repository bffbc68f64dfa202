// The processor time of the server under load and of the load client itself.
//
// Why it is the figure to trust: requests per second depend on who else used the machine. What one
// request costs the server does so far less, and it is what decides how many machines are paid for.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>

#include <sys/types.h>

namespace mintmark::bench {

/// Processor time by thread, in ns.
using ThreadTimes = std::map<pid_t, std::uint64_t>;

/// What each thread of process `pid` has used so far, user and system together: the first number of
/// /proc/PID/task/TID/schedstat (proc(5); the kernel brings it up to date at least once a tick, so a
/// difference is off by at most one tick, 1 to 10 ms, a thread). Fails with words when the process is
/// not there or the kernel keeps no such file.
[[nodiscard]] std::expected<ThreadTimes, std::string> thread_times(pid_t pid);

/// What was used between two readings, in ns. Threads that ended in between are not in it.
[[nodiscard]] std::uint64_t used_between(const ThreadTimes& before, const ThreadTimes& after);

/// What this process has used so far, in ns.
[[nodiscard]] std::uint64_t own_cpu_time();

}  // namespace mintmark::bench
