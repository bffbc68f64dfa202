// The command line of the load client.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <sys/types.h>

#include "bench/load/client.h"
#include "bench/load/value_check.h"

namespace mintmark::bench {

enum class Output : std::uint8_t { words, json };

/// Everything that a person can choose.
struct Options {
  Target target;
  std::uint32_t connections = 50;
  std::uint32_t depth = 1;
  std::uint64_t requests = 0;  ///< 0: measure for `time`
  std::chrono::nanoseconds time{};
  std::chrono::nanoseconds warmup{};
  std::chrono::nanoseconds stall{};
  std::string command;
  int protocol = 2;      ///< of RESP; 3 is asked for with HELLO
  pid_t server_pid = 0;  ///< 0: the server's processor time is not measured
  std::optional<Rule> rule;
  std::size_t most_checked = 0;
  Waiting waiting = Waiting::asleep;
  Output output = Output::words;
};

/// Reads the command line. Otherwise gives the exit code: 0 after --help, 2 after a mistake, which it
/// has explained on stderr.
[[nodiscard]] std::expected<Options, int> read_options(int argc, char** argv);

}  // namespace mintmark::bench
