#include "cli/source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/moments.h"
#include "cli/readiness.h"
#include "cli/space_options.h"
#include "cli/unguarded.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/request.h"

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

/// Little more than is wanted: what a command leaves of a window or block is lost to others.
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
    // One block of what is wanted, or blocks of the configured sizes for more than the largest holds.
    if (count <= block->block_max) {
      block->block_max = std::max<std::uint64_t>(count, 1);
      block->block_min = block->block_max;
    }
  }
}

/// A layout whose time field has ended, before anything is asked of a store.
int refuse_ended(const mint::SpaceConfig& space) {
  const auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  if (snowflake == nullptr) return kDone;
  const auto tick = snowflake->layout.tick_at(io::wall_now());
  if (tick || tick.error().fault() != Fault::timestamp_overflow) return kDone;
  const Instant last = snowflake->layout.instant_of(snowflake->layout.last_tick());
  return report({tick.error(), fmt::format("the time field of '{}' ended {}", space.name,
                                           TimeText{last}.view())});
}

bool needs_store(const mint::SpaceConfig& space) {
  return std::holds_alternative<mint::SnowflakeConfig>(space.kind) ||
         std::holds_alternative<mint::BlockConfig>(space.kind);
}

/// A space whose worker number nobody but the caller guards. REQUIRES: a worker is set.
std::unique_ptr<mint::Space> unguarded(mint::SpaceConfig space) {
  const auto& snowflake = std::get<mint::SnowflakeConfig>(space.kind);
  const SnowflakeSlot slot = *snowflake.layout.slot(*snowflake.worker);
  return std::make_unique<UnguardedSpace>(std::move(space), slot);
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
  return unguarded(std::move(space));
}

/// Waits for the first grant, but not for a pinned worker that somebody else holds.
int wait_for_grant(const mint::Space& space) {
  const Clock& clock = io::os_clock();
  const BootInstant start = clock.boot();
  const auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.config().kind);
  // A grant begins with a whole tick.
  const Duration deadline =
      kReadyDeadline + (snowflake == nullptr ? Duration::zero() : 3 * snowflake->layout.unit());
  bool told = false;
  for (;;) {
    const mint::SpaceHealth health =
        wait_ready(space, std::min(clock.boot() + kReadyStep, start + deadline));
    if (health.ready) return kDone;
    const Error error = trouble_of(health);
    const bool final = !error.row().retryable || error.fault() == Fault::slot_taken;
    if (final || clock.boot() >= start + deadline) return report({error, health.detail});
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
  auto named = space_named(name, settings->config);
  if (!named) return std::unexpected(named.error());
  mint::SpaceConfig& space = *named;
  if (layouts::find(name) != nullptr && arguments.has("layout")) {
    return std::unexpected(
        usage_error(fmt::format("'{}' is a layout already, without --layout", name)));
  }
  if (auto applied = apply_options(space, arguments); !applied)
    return std::unexpected(applied.error());
  if (!arguments.has("now")) {
    if (const int code = refuse_ended(space); code != kDone) return std::unexpected(code);
  }
  claim_only(space, count);

  Source source;
  if (arguments.has("seed") || arguments.has("now")) {
    if (auto made = source.open_reproducible(std::move(space), arguments); !made)
      return std::unexpected(made.error());
    return source;
  }
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
    options.open_store = store_opener(*settings, *url);
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

OrExit<void> Source::open_reproducible(mint::SpaceConfig space, const Arguments& arguments) {
  if (std::holds_alternative<mint::BlockConfig>(space.kind)) {
    return std::unexpected(usage_error(fmt::format(
        "'{}' takes its numbers from a store: --seed and --now do not change them", space.name)));
  }
  moment_ = io::wall_now();
  if (const auto text = arguments.value("now")) {
    const auto moment = parse_moment(*text, *moment_);
    if (!moment) return std::unexpected(usage_error("--now: " + moment.error()));
    moment_ = *moment;
  }
  Entropy* entropy = &io::os_entropy();
  if (const auto text = arguments.value("seed")) {
    const auto seed = parse_decimal(*text);
    if (!seed)
      return std::unexpected(usage_error(fmt::format("--seed: {} is no number", shown(*text))));
    entropy_ = std::make_unique<SeededEntropy>(*seed);
    entropy = entropy_.get();
  }
  say(arguments.has("seed")
          ? "these IDs can be made a second time: for tests and documents, not for production"
          : "these IDs carry another time than they were made at: not for production");
  if (auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind)) {
    if (!snowflake->worker) snowflake->worker = 0;
    unguarded_ = unguarded(std::move(space));
    space_ = unguarded_.get();
    return {};
  }
  mint::MintOptions options;
  options.spaces.push_back(std::move(space));
  auto opened = mint::Mint::open(std::move(options), io::os_clock(), *entropy);
  if (!opened) return std::unexpected(cli::report(opened.error()));
  mint_ = std::move(*opened);
  space_ = mint_->spaces().front().get();
  return {};
}

Result<std::size_t> Source::fill_at_moment(std::span<std::byte> out) {
  for (;;) {
    const auto made = space_->fill(out, *moment_);
    // The clock stands still, and only a full tick moves it on: the same call always gives the same IDs.
    const bool full = !made && (made.error().fault() == Fault::sequence_exhausted ||
                                made.error().fault() == Fault::clock_behind);
    if (!full || made.error().retry_after_us() == 0) return made;
    *moment_ += std::chrono::microseconds{made.error().retry_after_us()};
  }
}

Result<std::size_t> Source::fill(std::span<std::byte> out) {
  if (moment_) return fill_at_moment(out);
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
