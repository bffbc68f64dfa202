// mintmark's load client for servers that speak the Redis protocol: mintmark, Redis, Valkey.
//
// Why not redis-benchmark: above about 1 M requests/s it is itself the limit, it does not look at
// what the replies say, and it does not say what a request cost the server. This one encodes a batch
// once, reads replies without copying them, proves that the IDs differ, and reads the server's
// processor time over the same interval.
//
// It refuses to be generous: an error reply counts as an error and fails the run, and bytes that are
// not RESP end it. Numbers are printed as measured; ratios are the business of the script around it.
#include <cstdio>
#include <exception>
#include <optional>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "bench/load/cpu_time.h"
#include "bench/load/options.h"

namespace mintmark::bench {
namespace {

struct Measurement {
  Tally tally;
  std::uint64_t errors = 0;  // of all phases
  std::string first_error;
  std::uint64_t own_cpu_ns = 0;
  std::optional<std::uint64_t> server_cpu_ns;
  std::optional<Findings> findings;
};

std::string encode(const std::string& command) {
  std::istringstream words{command};
  std::string body;
  std::size_t count = 0;
  for (std::string word; words >> word; ++count) {
    body += fmt::format("${}\r\n{}\r\n", word.size(), word);
  }
  return count == 0 ? std::string{} : fmt::format("*{}\r\n{}", count, body);
}

/// The load before the measurement: the greeting of RESP3, then the same requests unmeasured.
std::expected<void, std::string> prepare(Client& client, const Options& options, const Work& work) {
  if (options.protocol == 3) {
    // The first batch goes to each connection before any reply is read, so each greets once.
    const Work greeting{.request = encode("HELLO 3"),
                        .requests = options.connections,
                        .stall = options.stall,
                        .waiting = options.waiting};
    if (auto greeted = client.run(greeting); !greeted) return std::unexpected(greeted.error());
    if (client.errors() > 0) {
      return std::unexpected("HELLO 3 was refused: " + std::string{client.first_error()});
    }
  }
  if (options.warmup.count() == 0) return {};
  Work warmup = work;
  warmup.requests = Work{}.requests;
  warmup.time = options.warmup;
  if (auto warmed = client.run(warmup); !warmed) return std::unexpected(warmed.error());
  return client.drain();
}

std::expected<Measurement, std::string> measure(const Options& options) {
  std::optional<ValueCheck> check;
  if (options.rule) check.emplace(*options.rule, options.connections, options.most_checked);
  Work work{.request = encode(options.command),
            .depth = options.depth,
            .time = options.time,
            .stall = options.stall,
            .waiting = options.waiting,
            .check = check ? &*check : nullptr};
  if (work.request.empty()) return std::unexpected("--command has no words");
  if (options.requests > 0) {
    work.requests = options.requests;
    work.time = Work{}.time;
  }

  Client client;
  if (auto opened = client.open(options.target, options.connections); !opened) {
    return std::unexpected(opened.error());
  }
  if (auto ready = prepare(client, options, work); !ready) return std::unexpected(ready.error());

  ThreadTimes before;
  if (options.server_pid > 0) {
    auto times = thread_times(options.server_pid);
    if (!times) return std::unexpected(times.error());
    before = std::move(*times);
  }
  Measurement result;
  const std::uint64_t own_before = own_cpu_time();
  auto tally = client.run(work);
  if (!tally) return std::unexpected(tally.error());
  result.own_cpu_ns = own_cpu_time() - own_before;
  if (options.server_pid > 0) {
    const auto after = thread_times(options.server_pid);
    if (!after) return std::unexpected(after.error());
    result.server_cpu_ns = used_between(before, *after);
  }
  result.tally = *tally;
  if (auto drained = client.drain(); !drained) return std::unexpected(drained.error());
  result.errors = client.errors();
  result.first_error = client.first_error();
  if (check) result.findings = check->finish();
  return result;
}

double in_us(std::uint64_t ns) { return static_cast<double>(ns) / 1e3; }

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

void print_words(const Options& options, const Measurement& found) {
  const Tally& tally = found.tally;
  const auto elapsed_ns = static_cast<double>(tally.elapsed.count());
  const auto requests = static_cast<double>(tally.requests);
  fmt::print("{} x {}  {}: {:.0f} requests/s  ({} in {:.3f} s, {:.0f} values/s)\n",
             options.connections, options.depth, options.command, ratio(requests * 1e9, elapsed_ns),
             tally.requests, elapsed_ns / 1e9,
             ratio(static_cast<double>(tally.values) * 1e9, elapsed_ns));
  fmt::print("  batch round trip  p50 {:.1f} us  p99 {:.1f} us  p99.9 {:.1f} us\n",
             in_us(tally.batches.percentile(0.50)), in_us(tally.batches.percentile(0.99)),
             in_us(tally.batches.percentile(0.999)));
  fmt::print("  CPU  client {:.0f} %",
             100 * ratio(static_cast<double>(found.own_cpu_ns), elapsed_ns));
  if (found.server_cpu_ns) {
    const auto used = static_cast<double>(*found.server_cpu_ns);
    fmt::print("  server {:.0f} %, {:.3f} us/request", 100 * ratio(used, elapsed_ns),
               ratio(used / 1e3, requests));
  }
  fmt::print("\n");
  if (found.findings) {
    const Findings& check = *found.findings;
    fmt::print(
        "  check  {}: {} values, {} duplicate, {} not rising, {} not integers, {} unchecked\n",
        check.are_clean() ? "passed" : "FAILED", check.checked, check.duplicates, check.not_rising,
        check.not_integers, check.unchecked);
  }
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

void print_json(const Options& options, const Measurement& found) {
  const Tally& tally = found.tally;
  const auto elapsed_ns = static_cast<double>(tally.elapsed.count());
  const auto requests = static_cast<double>(tally.requests);
  fmt::print(
      "{{\"command\":{},\"connections\":{},\"depth\":{},\"seconds\":{:.6f},\"requests\":{},"
      "\"requests_per_s\":{:.1f},\"values_per_s\":{:.1f},\"errors\":{},"
      "\"batch_p50_us\":{:.2f},\"batch_p99_us\":{:.2f},\"batch_p999_us\":{:.2f},"
      "\"client_cpu_share\":{:.4f}",
      quoted(options.command), options.connections, options.depth, elapsed_ns / 1e9, tally.requests,
      ratio(requests * 1e9, elapsed_ns), ratio(static_cast<double>(tally.values) * 1e9, elapsed_ns),
      found.errors, in_us(tally.batches.percentile(0.50)), in_us(tally.batches.percentile(0.99)),
      in_us(tally.batches.percentile(0.999)),
      ratio(static_cast<double>(found.own_cpu_ns), elapsed_ns));
  if (found.server_cpu_ns) {
    const auto used = static_cast<double>(*found.server_cpu_ns);
    fmt::print(",\"server_cpu_share\":{:.4f},\"server_cpu_us_per_request\":{:.5f}",
               ratio(used, elapsed_ns), ratio(used / 1e3, requests));
  }
  if (found.findings) {
    const Findings& check = *found.findings;
    fmt::print(
        ",\"check\":{{\"passed\":{},\"values\":{},\"duplicates\":{},\"not_rising\":{},"
        "\"not_integers\":{},\"unchecked\":{}}}",
        check.are_clean(), check.checked, check.duplicates, check.not_rising, check.not_integers,
        check.unchecked);
  }
  fmt::print("}}\n");
}

int run(int argc, char** argv) {
  const auto options = read_options(argc, argv);
  if (!options) return options.error();
  const auto found = measure(*options);
  if (!found) {
    fmt::print(stderr, "load: {}\n", found.error());
    return 2;
  }
  if (options->output == Output::json) {
    print_json(*options, *found);
  } else {
    print_words(*options, *found);
  }
  bool is_clean = true;
  if (found->errors > 0) {
    fmt::print(stderr, "load: {} error replies, the first: {}\n", found->errors,
               found->first_error);
    is_clean = false;
  }
  const std::optional<Findings>& findings = found->findings;
  if (findings && !findings->are_clean()) {
    fmt::print(stderr, "load: the check of the values failed\n");
    is_clean = false;
  }
  return is_clean ? 0 : 1;
}

}  // namespace
}  // namespace mintmark::bench

int main(int argc, char** argv) {
  try {
    return mintmark::bench::run(argc, argv);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "load: %s\n", fault.what());
    return 2;
  }
}
