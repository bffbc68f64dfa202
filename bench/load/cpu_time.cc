// Reads /proc for the server and getrusage(2) for ourselves.
#include "bench/load/cpu_time.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <sys/resource.h>

namespace mintmark::bench {

std::expected<ThreadTimes, std::string> thread_times(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid) + "/task";
  std::error_code fault;
  std::filesystem::directory_iterator threads{folder, fault};
  if (fault) return std::unexpected(folder + ": " + fault.message());

  ThreadTimes times;
  for (; threads != std::filesystem::directory_iterator{}; threads.increment(fault)) {
    const std::string name = threads->path().filename().string();
    pid_t tid = 0;
    std::from_chars(name.data(), name.data() + name.size(), tid);
    std::uint64_t ns = 0;
    // A thread may end between the listing and the reading; then it is simply not in the answer.
    if (std::ifstream file{threads->path() / "schedstat"}; file >> ns) times[tid] = ns;
    if (fault) break;
  }
  if (times.empty()) return std::unexpected(folder + ": no schedstat to read");
  return times;
}

std::uint64_t used_between(const ThreadTimes& before, const ThreadTimes& after) {
  std::uint64_t used = 0;
  for (const auto& [tid, ns] : after) {
    const auto earlier = before.find(tid);
    const std::uint64_t base = earlier == before.end() ? 0 : earlier->second;
    if (ns > base) used += ns - base;
  }
  return used;
}

std::uint64_t own_cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto in_ns = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(time.tv_usec) * 1'000;
  };
  return in_ns(usage.ru_utime) + in_ns(usage.ru_stime);
}

}  // namespace mintmark::bench
