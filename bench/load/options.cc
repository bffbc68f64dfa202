// The option table and its help.
#include "bench/load/options.h"

#include <CLI/CLI.hpp>

namespace mintmark::bench {
namespace {

std::chrono::nanoseconds in_ns(double seconds) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>{seconds});
}

}  // namespace

std::expected<Options, int> read_options(int argc, char** argv) {
  Options options;
  options.target.host = "127.0.0.1";
  options.target.port = 6379;
  options.command = "PING";
  double seconds = 1;
  double warmup_seconds = 0.2;
  double stall_seconds = 10;
  options.most_checked = std::size_t{32} << 20;
  std::string rule;
  constexpr double kLongest = 86'400;

  CLI::App app{
      "Puts a closed-loop load on a server that speaks the Redis protocol, and measures it.\n"
      "Exit code: 0 all well; 1 error replies or a failed check; 2 usage, connection or protocol."};
  auto* host =
      app.add_option("--host", options.target.host, "host name or address")->capture_default_str();
  auto* port = app.add_option("--port", options.target.port, "TCP port")->capture_default_str();
  app.add_option("--unix", options.target.unix_path, "path of a Unix socket instead of a port")
      ->excludes(host)
      ->excludes(port);
  app.add_option("--connections", options.connections, "connections, all served by one thread")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  app.add_option("--depth", options.depth, "requests in one write (pipelining)")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  auto* requests = app.add_option("--requests", options.requests, "end after so many replies")
                       ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 50));
  app.add_option("--seconds", seconds, "end after so long")
      ->capture_default_str()
      ->check(CLI::Range(0.001, kLongest))
      ->excludes(requests);
  app.add_option("--warmup", warmup_seconds, "seconds of load before the measurement; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0.0, kLongest));
  app.add_option("--stall", stall_seconds, "give up after so many seconds without a reply")
      ->capture_default_str()
      ->check(CLI::Range(0.001, kLongest));
  app.add_option("--command", options.command, "the request: words, separated by spaces")
      ->capture_default_str();
  app.add_option("--protocol", options.protocol, "RESP version; 3 begins with HELLO 3")
      ->capture_default_str()
      ->check(CLI::IsMember({2, 3}));
  app.add_option("--pid", options.server_pid, "the server's process, to measure its CPU time")
      ->check(CLI::PositiveNumber);
  app.add_option(
         "--check", rule,
         "what the replies' numbers must be: unique (over all connections) or rising (that, "
         "and in order on each connection)")
      ->check(CLI::IsMember({"unique", "rising"}));
  app.add_option("--check-most", options.most_checked, "values the check holds, 8 bytes each")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1} << 31));
  app.add_flag_callback(
      "--spin", [&] { options.waiting = Waiting::spinning; },
      "ask for replies without a pause instead of sleeping");
  app.add_flag_callback(
      "--json", [&] { options.output = Output::json; }, "print one JSON object");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return std::unexpected(app.exit(fault) == 0 ? 0 : 2);
  }
  options.time = in_ns(seconds);
  options.warmup = in_ns(warmup_seconds);
  options.stall = in_ns(stall_seconds);
  if (!rule.empty()) options.rule = rule == "rising" ? Rule::rising : Rule::unique;
  return options;
}

}  // namespace mintmark::bench
