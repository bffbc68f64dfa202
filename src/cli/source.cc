#include "cli/source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/amounts.h"
#include "cli/readiness.h"
#include "cli/unguarded.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/did_you_mean.h"
#include "mint/request.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {
namespace {

/// A window shorter than a start and a few round trips would end before its first ID; a longer one than
/// H_max is refused by the store (protocol R7).
constexpr Duration kLeastHorizon = std::chrono::milliseconds{20};
constexpr Duration kMostHorizon = std::chrono::seconds{10};
/// A store that was lost and made anew holds claims back for H_max (protocol 2.2, not_before): so long,
/// and a little more.
constexpr Duration kReadyDeadline = std::chrono::seconds{12};
constexpr Duration kReadyStep = std::chrono::milliseconds{20};
constexpr Duration kSilence = std::chrono::seconds{1};
/// Shorter waits than this cost more in wake-ups than they give.
constexpr Duration kLeastPause = std::chrono::microseconds{200};

int unknown_space(const std::string& name, const mint::Config& config) {
  for (const CatalogueRow& row : kCatalogue) {
    if (row.scheme.name == name && row.minting == Minting::reads_only) {
      return usage_error(
          fmt::format("'{}' is read, not made; make a version of it: uuid7, uuid4", name));
    }
  }
  std::vector<std::string> known;
  for (const mint::SpaceConfig& space : config.spaces) known.push_back(space.name);
  for (const mint::SpaceConfig& space : mint::default_spaces()) {
    if (std::ranges::find(known, space.name) == known.end()) known.push_back(space.name);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string words = fmt::format("there is no scheme or space '{}'", name);
  const std::string hint = mint::did_you_mean(name, names);
  if (!hint.empty()) return usage_error(words + hint);
  words += "; there are";
  for (const std::string& each : known) words += ' ' + each;
  return usage_error(words);
}

const mint::SpaceConfig* find(const std::vector<mint::SpaceConfig>& spaces,
                              const std::string& name) {
  const auto found = std::ranges::find(spaces, name, &mint::SpaceConfig::name);
  return found == spaces.end() ? nullptr : &*found;
}

/// FNV-1a of 64 bits: a short name for a layout without one.
std::uint64_t short_name(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Another layout than the space's is another namespace: it gets a space of its own.
OrExit<void> apply_layout(mint::SpaceConfig& space, const std::string& text) {
  auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  if (snowflake == nullptr) {
    return std::unexpected(usage_error(
        fmt::format("--layout is for snowflakes, '{}' is {}", space.name, space.scheme())));
  }
  const auto layout = mint::read_layout(text);
  if (!layout) return std::unexpected(usage_error("--layout: " + layout.error()));
  if (*layout == snowflake->layout) return {};
  snowflake->layout = *layout;
  space.name += layouts::find(text) != nullptr
                    ? fmt::format(":{}", text)
                    : fmt::format(":{:016x}", short_name(space.definition()));
  return {};
}

OrExit<void> apply_worker(mint::SpaceConfig& space, const std::string& text) {
  auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  if (snowflake == nullptr) {
    return std::unexpected(usage_error(
        fmt::format("--worker is for snowflakes, '{}' is {}", space.name, space.scheme())));
  }
  const auto worker = parse_decimal(text);
  if (!worker || !snowflake->layout.slot(*worker)) {
    return std::unexpected(usage_error(
        fmt::format("--worker: '{}' is not in 0 to {}", text, snowflake->layout.slot_count() - 1)));
  }
  snowflake->worker = *worker;
  return {};
}

/// No more than is wanted: what a command leaves of a window or block is lost to others.
void claim_only(mint::SpaceConfig& space, std::uint64_t count) {
  if (auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind)) {
    const double ticks = static_cast<double>(count) /
                         static_cast<double>(std::uint64_t{1} << snowflake->layout.sequence_bits());
    const double most = static_cast<double>(kMostHorizon / snowflake->layout.unit());
    const auto needed = static_cast<std::int64_t>(std::min(ticks, most)) * snowflake->layout.unit();
    snowflake->horizon =
        std::clamp(needed + std::max(kLeastHorizon, 2 * snowflake->layout.unit()), kLeastHorizon,
                   std::min(kMostHorizon, std::max(snowflake->horizon, kLeastHorizon)));
  } else if (auto* block = std::get_if<mint::BlockConfig>(&space.kind)) {
    block->block_max = std::clamp<std::uint64_t>(count, 1, block->block_max);
    block->block_min = std::min(block->block_min, block->block_max);
    if (count < block->block_max) block->block_min = block->block_max;
  }
}

bool needs_store(const mint::SpaceConfig& space) {
  return std::holds_alternative<mint::SnowflakeConfig>(space.kind) ||
         std::holds_alternative<mint::BlockConfig>(space.kind);
}

OrExit<std::unique_ptr<mint::Space>> open_unguarded(mint::SpaceConfig space) {
  const auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  if (snowflake == nullptr) {
    return std::unexpected(
        usage_error(fmt::format("'{}' cannot do without a store: it is what makes its "
                                "numbers distinct",
                                space.name)));
  }
  if (!snowflake->worker) {
    return std::unexpected(
        usage_error("--store none needs --worker N: without a store nobody else chooses one"));
  }
  say(fmt::format(
      "worker {} is guarded by nothing: another process with this number makes the same IDs",
      *snowflake->worker));
  const SnowflakeSlot slot = *snowflake->layout.slot(*snowflake->worker);
  return std::make_unique<UnguardedSpace>(std::move(space), slot);
}

/// Waits for the first grant, but not for a pinned worker that somebody else holds.
int wait_for_grant(const mint::Space& space) {
  const Clock& clock = io::os_clock();
  const BootInstant start = clock.boot();
  bool told = false;
  for (;;) {
    const mint::SpaceHealth health =
        wait_ready(space, std::min(clock.boot() + kReadyStep, start + kReadyDeadline));
    if (health.ready) return kDone;
    const Error error = trouble_of(health);
    const bool final = !error.row().retryable || error.fault() == Fault::slot_taken;
    if (final || clock.boot() >= start + kReadyDeadline) return report({error, health.detail});
    if (!told && clock.boot() - start > kSilence) {
      told = true;
      say(fmt::format("waiting for '{}': {}", space.name(), words_of({error, health.detail})));
    }
  }
}

}  // namespace

OrExit<Source> Source::open(const std::string& name, const Arguments& arguments,
                            std::uint64_t count) {
  auto settings = load_settings(arguments);
  if (!settings) return std::unexpected(settings.error());
  const std::vector<mint::SpaceConfig> defaults = mint::default_spaces();
  const mint::SpaceConfig* found = find(settings->config.spaces, name);
  if (found == nullptr) found = find(defaults, name);
  if (found == nullptr) return std::unexpected(unknown_space(name, settings->config));
  mint::SpaceConfig space = *found;
  if (const auto layout = arguments.value("layout")) {
    if (auto applied = apply_layout(space, *layout); !applied)
      return std::unexpected(applied.error());
  }
  if (const auto worker = arguments.value("worker")) {
    if (auto applied = apply_worker(space, *worker); !applied)
      return std::unexpected(applied.error());
  }
  claim_only(space, count);

  Source source;
  if (needs_store(space) && settings->store == kNoStore) {
    auto unguarded = open_unguarded(std::move(space));
    if (!unguarded) return std::unexpected(unguarded.error());
    source.unguarded_ = std::move(*unguarded);
    source.space_ = source.unguarded_.get();
    return source;
  }
  mint::MintOptions options;
  if (needs_store(space)) {
    const auto url = store_url(*settings);
    if (!url) return std::unexpected(url.error());
    options.open_store = [url = *url](BootInstant deadline) {
      return store::open(url, {.clock = io::os_clock()}, deadline);
    };
  }
  options.spaces.push_back(std::move(space));
  auto opened = mint::Mint::open(std::move(options), io::os_clock(), io::os_entropy());
  if (!opened) return std::unexpected(cli::report(opened.error()));
  source.mint_ = std::move(*opened);
  source.space_ = source.mint_->spaces().front().get();
  if (const int code = wait_for_grant(*source.space_); code != kDone) {
    return std::unexpected(code);
  }
  return source;
}

Result<std::size_t> Source::fill(std::span<std::byte> out) const {
  std::optional<BootInstant> since;
  for (;;) {
    const auto made = space_->fill(out, io::wall_now());
    if (made) return made;
    const Duration patience = space_->patience(made.error());
    const BootInstant now = io::os_clock().boot();
    if (!since) since = now;
    if (now - *since >= patience) return made;
    const Duration asked = std::chrono::microseconds{made.error().retry_after_us()};
    io::pause_for(std::min(std::max(asked, kLeastPause), patience - (now - *since)));
  }
}

int Source::report(const Error& error) const {
  return cli::report({error, space_->health(io::wall_now()).detail});
}

}  // namespace mintmark::cli
