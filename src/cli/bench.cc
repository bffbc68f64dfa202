// bench: what making IDs costs on this machine.
//
// It measures the whole path of an embedded mint, clock reading included. The limits that a layout sets
// (4,096 IDs a millisecond) are lifted for it: a machine's speed is asked for, not a layout's.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/readiness.h"
#include "cli/settings.h"
#include "cli/unguarded.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/did_you_mean.h"
#include "mint/mint.h"
#include "store/store.h"

namespace mintmark::cli {
namespace {

constexpr Duration kLength = std::chrono::milliseconds{200};
/// A clock reading around each call would cost more than the call.
constexpr std::size_t kCallsAReading = 32;
constexpr std::size_t kFill = 1024;
constexpr std::array<unsigned, 2> kThreads{1, 2};

using Stopwatch = std::chrono::steady_clock;

struct Figures {
  std::string scheme;
  unsigned threads = 0;
  double next_ns = 0;    ///< one by one, a call an ID
  double fill_ns = 0;    ///< in batches, an ID
  double next_rate = 0;  ///< IDs a second, all threads
  double fill_rate = 0;
  double p50_ns = 0;  ///< of a call for one ID
  double p99_ns = 0;
};

/// One thread's share of a measurement.
struct Share {
  std::uint64_t ids = 0;
  double seconds = 0;
  std::vector<double> samples;  ///< ns a call, the mean of kCallsAReading calls
  bool failed = false;
};

Share measure(mint::Space& space, std::size_t batch) {
  Share share;
  std::vector<std::byte> bytes(batch * space.width());
  const auto length = std::chrono::duration_cast<Stopwatch::duration>(kLength);
  const Stopwatch::time_point start = Stopwatch::now();
  Stopwatch::time_point last = start;
  while (last - start < length) {
    for (std::size_t i = 0; i < kCallsAReading; ++i) {
      const auto made = space.fill(bytes, io::wall_now());
      if (!made) {
        // A scheme with a limit is measured at its limit: the wait belongs to what an ID costs.
        if (space.patience(made.error()) > Duration::zero()) continue;
        share.failed = true;
        return share;
      }
      share.ids += *made;
    }
    const Stopwatch::time_point now = Stopwatch::now();
    share.samples.push_back(std::chrono::duration<double, std::nano>(now - last).count() /
                            kCallsAReading);
    last = now;
  }
  share.seconds = std::chrono::duration<double>(last - start).count();
  return share;
}

std::vector<Share> measure_together(mint::Space& space, std::size_t batch, unsigned threads) {
  std::vector<Share> shares(threads);
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) {
    others.emplace_back([&, i] { shares[i] = measure(space, batch); });
  }
  shares[0] = measure(space, batch);
  for (std::thread& other : others) other.join();
  return shares;
}

double rate_of(const std::vector<Share>& shares) {
  double rate = 0;
  for (const Share& share : shares) rate += static_cast<double>(share.ids) / share.seconds;
  return rate;
}

OrExit<Figures> measure_space(mint::Space& space, unsigned threads) {
  Figures figures{.scheme = std::string{space.config().scheme()}, .threads = threads};
  const std::vector<Share> singles = measure_together(space, 1, threads);
  const std::vector<Share> batches = measure_together(space, kFill, threads);
  std::vector<double> samples;
  for (const std::vector<Share>* shares : {&singles, &batches}) {
    for (const Share& share : *shares) {
      if (!share.failed) continue;
      say(fmt::format("{}: it refused while it was measured", space.name()));
      return std::unexpected(kInvalid);
    }
  }
  for (const Share& share : singles)
    samples.insert(samples.end(), share.samples.begin(), share.samples.end());
  std::ranges::sort(samples);
  figures.next_rate = rate_of(singles);
  figures.fill_rate = rate_of(batches);
  figures.next_ns = 1e9 * threads / figures.next_rate;
  figures.fill_ns = 1e9 * threads / figures.fill_rate;
  figures.p50_ns = samples[samples.size() / 2];
  figures.p99_ns = samples[samples.size() * 99 / 100];
  return figures;
}

/// A space without the limits of its layout and of its store.
OrExit<std::unique_ptr<mint::Space>> unlimited_snowflake(mint::SpaceConfig config) {
  auto& snowflake = std::get<mint::SnowflakeConfig>(config.kind);
  snowflake.policy.max_lead = std::chrono::hours{24 * 365 * 20};
  snowflake.policy.max_borrow = snowflake.policy.max_lead;
  const SnowflakeSlot slot = *snowflake.layout.slot(0);
  return std::make_unique<UnguardedSpace>(std::move(config), slot);
}

OrExit<std::unique_ptr<mint::Mint>> open_mint(mint::SpaceConfig config) {
  if (auto* block = std::get_if<mint::BlockConfig>(&config.kind)) {
    block->block_min = block->block_max = std::uint64_t{1} << 50;
  }
  mint::MintOptions options;
  options.spaces.push_back(std::move(config));
  options.open_store = [](BootInstant deadline) {
    return store::open("memory:bench", {.clock = io::os_clock()}, deadline);
  };
  auto opened = mint::Mint::open(std::move(options), io::os_clock(), io::os_entropy());
  if (!opened) return std::unexpected(report(opened.error()));
  const mint::SpaceHealth health =
      wait_ready(*(*opened)->spaces().front(), io::os_clock().boot() + std::chrono::seconds{5});
  if (!health.ready) return std::unexpected(report({trouble_of(health), health.detail}));
  return std::move(*opened);
}

OrExit<std::vector<Figures>> measure_scheme(const mint::SpaceConfig& config) {
  std::unique_ptr<mint::Mint> mint;
  std::unique_ptr<mint::Space> unguarded;
  if (std::holds_alternative<mint::SnowflakeConfig>(config.kind)) {
    auto opened = unlimited_snowflake(config);
    if (!opened) return std::unexpected(opened.error());
    unguarded = std::move(*opened);
  } else {
    auto opened = open_mint(config);
    if (!opened) return std::unexpected(opened.error());
    mint = std::move(*opened);
  }
  mint::Space& space = unguarded ? *unguarded : *mint->spaces().front();
  std::vector<Figures> all;
  for (const unsigned threads : kThreads) {
    auto figures = measure_space(space, threads);
    if (!figures) return std::unexpected(figures.error());
    all.push_back(std::move(*figures));
  }
  return all;
}

std::string to_text(const std::vector<Figures>& all) {
  std::string out =
      fmt::format("{:<10} {:>7} {:>9} {:>9} {:>9} {:>9} {:>12} {:>12}\n", "scheme", "threads",
                  "next ns", "p50 ns", "p99 ns", "fill ns", "next IDs/s", "fill IDs/s");
  for (const Figures& each : all) {
    out += fmt::format("{:<10} {:>7} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.2f} {:>12.0f} {:>12.0f}\n",
                       each.scheme, each.threads, each.next_ns, each.p50_ns, each.p99_ns,
                       each.fill_ns, each.next_rate, each.fill_rate);
  }
  return out;
}

std::string to_json(const std::vector<Figures>& all) {
  std::string out = "[";
  for (const Figures& each : all) {
    if (out.back() != '[') out += ",\n";
    out += fmt::format(
        "{{\"schema\":1,\"scheme\":\"{}\",\"threads\":{},\"next_ns\":{:.2f},\"p50_ns\":{:.2f},"
        "\"p99_ns\":{:.2f},\"fill_ns\":{:.3f},\"next_per_second\":{:.0f},"
        "\"fill_per_second\":{:.0f}}}",
        each.scheme, each.threads, each.next_ns, each.p50_ns, each.p99_ns, each.fill_ns,
        each.next_rate, each.fill_rate);
  }
  return out + "]\n";
}

int run(const Arguments& arguments) {
  const std::vector<mint::SpaceConfig> defaults = mint::default_spaces();
  std::vector<std::string_view> names;
  for (const mint::SpaceConfig& space : defaults) names.push_back(space.name);
  for (const std::string& wanted : arguments.operands) {
    if (std::ranges::find(names, std::string_view{wanted}) == names.end()) {
      return usage_error(
          fmt::format("bench knows no '{}'{}", wanted, mint::did_you_mean(wanted, names)));
    }
  }
  std::vector<Figures> all;
  for (const mint::SpaceConfig& space : defaults) {
    const bool wanted =
        arguments.operands.empty() ||
        std::ranges::find(arguments.operands, space.name) != arguments.operands.end();
    if (!wanted) continue;
    auto measured = measure_scheme(space);
    if (!measured) return measured.error();
    all.insert(all.end(), measured->begin(), measured->end());
  }
  return print(arguments.has("json") ? to_json(all) : to_text(all), kDone);
}

constexpr std::array kOptions{Option{"json", "", "", "one array, an object for each row"}};
constexpr std::array kExamples{
    Example{"mintmark bench", "every scheme, with one thread and with two"},
    Example{"mintmark bench uuid7 --json", "one of them, for a script"},
};

}  // namespace

const Command kBench{
    .name = "bench",
    .summary = "measures what making IDs costs on this machine",
    .operands = "[SCHEME...]",
    .fewest_operands = 0,
    .most_operands = 16,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "next: a call an ID. fill: 1024 IDs a call. ns are those of one thread; p50 and p99 are of "
        "means\n"
        "over 32 calls. Threads share one generator. The limits of the Snowflake layout are "
        "lifted.\n",
    .run = run,
};

}  // namespace mintmark::cli
