#include "mint/mint.h"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "mint/plain_schemes.h"
#include "mint/range_space.h"
#include "mint/window_space.h"

namespace mintmark::mint {
namespace {

constexpr Duration kOpenDeadline = std::chrono::seconds{5};
// Layouts with wide worker fields get a slot range of bounded size (protocol, clarification 11).
constexpr std::uint64_t kMostSlots = 1'024;

/// What this process wants must lie within what the store allows the space (protocol R12).
Outcome<void> check_allowed(const SpaceConfig& config, const store::SpaceMeta& meta) {
  const auto* snowflake = std::get_if<SnowflakeConfig>(&config.kind);
  if (snowflake == nullptr) return {};
  if (snowflake->horizon > meta.horizon_max) {
    const auto most = std::chrono::floor<std::chrono::milliseconds>(meta.horizon_max).count();
    return failure(Fault::invalid_argument,
                   "space " + config.name + ": horizon is longer than the " + std::to_string(most) +
                       " ms that the space was made with in the store");
  }
  const std::uint64_t last = meta.slot_base + meta.slot_count - 1;
  if (snowflake->worker && (*snowflake->worker < meta.slot_base || *snowflake->worker > last)) {
    return failure(Fault::invalid_argument,
                   "space " + config.name + ": there is no worker " +
                       std::to_string(*snowflake->worker) + ", the store has " +
                       std::to_string(meta.slot_base) + " to " + std::to_string(last));
  }
  return {};
}

/// Opens a connection of its own for the space, sets the space up and compares the definitions.
Outcome<LeaseSupply> supply_for(const SpaceConfig& config, const MintOptions& options,
                                const Clock& clock, Entropy& entropy, store::Nonce life) {
  if (!options.open_store) {
    return failure(Fault::invalid_argument, "space " + config.name + " needs a store");
  }
  const BootInstant deadline = clock.boot() + kOpenDeadline;
  auto opened = options.open_store(deadline);
  if (!opened) return std::unexpected(opened.error());
  auto meta = (*opened)->open_space(store_setup(config), deadline);
  if (!meta) return std::unexpected(meta.error());
  if (meta->definition != config.definition()) {
    return failure(Fault::layout_mismatch, "space " + config.name + ": the store has '" +
                                               meta->definition + "', the configuration says '" +
                                               config.definition() + "'");
  }
  if (auto allowed = check_allowed(config, *meta); !allowed)
    return std::unexpected(allowed.error());
  auto identity = (*opened)->identity(deadline);
  if (!identity) return std::unexpected(identity.error());
  for (const std::string& setting : identity->unsafe) {
    if (options.observer) options.observer(config.name, "UNSAFE store: " + setting);
  }
  const auto seed = entropy.word();
  if (!seed) return failure(seed.error().fault(), "no random bytes for space " + config.name);
  return LeaseSupply{.open_store = options.open_store,
                     .setup = store_setup(config),
                     .store = std::move(*opened),
                     .meta = std::move(*meta),
                     .unsafe = std::move(identity->unsafe),
                     .life = life,
                     .seed = *seed,
                     .clock = clock,
                     .entropy = entropy,
                     .observer = options.observer};
}

Outcome<std::unique_ptr<Space>> make_space(const SpaceConfig& config, const MintOptions& options,
                                           const Clock& clock, Entropy& entropy,
                                           store::Nonce life) {
  if (auto plain = make_plain_space(config, entropy)) return plain;
  auto supply = supply_for(config, options, clock, entropy, life);
  if (!supply) return std::unexpected(supply.error());
  if (std::holds_alternative<SnowflakeConfig>(config.kind)) {
    return std::make_unique<WindowSpace>(config, std::move(*supply));
  }
  return std::make_unique<RangeSpace>(config, std::move(*supply));
}

/// One call of the observer at a time, from whichever keeper.
Observer one_at_a_time(Observer observer) {
  if (!observer) return {};
  return [observer = std::move(observer), mutex = std::make_shared<std::mutex>()](
             std::string_view space, std::string_view words) {
    const std::lock_guard lock{*mutex};
    observer(space, words);
  };
}

}  // namespace

store::SpaceSetup store_setup(const SpaceConfig& config) {
  store::SpaceSetup setup{.name = config.name, .definition = config.definition()};
  if (const auto* snowflake = std::get_if<SnowflakeConfig>(&config.kind)) {
    setup.marks = store::Marks::slots;
    setup.slot_count = std::min(snowflake->layout.slot_count(), kMostSlots);
    setup.epoch = snowflake->layout.epoch();
    setup.unit = snowflake->layout.unit();
    setup.horizon_max = std::max(setup.horizon_max, snowflake->horizon);
  } else {
    setup.marks = store::Marks::counter;
    setup.first_value = std::get<BlockConfig>(config.kind).first;
  }
  return setup;
}

struct Mint::Inside {
  explicit Inside(const Clock& the_clock) : clock(the_clock) {}

  const Clock& clock;
  std::vector<std::unique_ptr<Space>> spaces;
  std::map<std::string_view, Space*, std::less<>> by_name;
  std::atomic<bool> closed{false};
};

Outcome<std::unique_ptr<Mint>> Mint::open(MintOptions options, const Clock& clock,
                                          Entropy& entropy) {
  options.observer = one_at_a_time(std::move(options.observer));
  store::Nonce life{};
  if (const auto drawn = entropy.fill(life); !drawn) {
    return failure(drawn.error().fault(), "no random bytes to name this process");
  }
  auto inside = std::make_unique<Inside>(clock);
  for (const SpaceConfig& config : options.spaces) {
    if (inside->by_name.contains(config.name)) {
      return failure(Fault::invalid_argument, "two spaces are named " + config.name);
    }
    auto space = make_space(config, options, clock, entropy, life);
    if (!space) return std::unexpected(space.error());
    inside->spaces.push_back(std::move(*space));
    Space* const added = inside->spaces.back().get();
    inside->by_name.emplace(added->name(), added);
  }
  return std::unique_ptr<Mint>(new Mint(std::move(inside)));
}

Mint::Mint(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Mint::~Mint() = default;

Space* Mint::find(std::string_view name) const {
  const auto found = inside_->by_name.find(name);
  return found == inside_->by_name.end() ? nullptr : found->second;
}

const std::vector<std::unique_ptr<Space>>& Mint::spaces() const { return inside_->spaces; }

Result<void> Mint::mint(Batch& batch, Instant now) {
  if (inside_->closed.load(std::memory_order_relaxed)) return fail(Fault::closed);
  const std::size_t width = batch.space->width();
  while (batch.made < batch.wanted) {
    const auto rest = std::span{batch.bytes}.subspan(batch.made * width);
    MINTMARK_TRY(count, batch.space->fill(rest, now));
    batch.made += count;
  }
  return {};
}

Result<Run> Mint::take(Space& space, std::uint64_t count, Instant now) {
  if (inside_->closed.load(std::memory_order_relaxed)) return fail(Fault::closed);
  return space.take(count, now);
}

void Mint::close() { inside_->closed.store(true, std::memory_order_relaxed); }

}  // namespace mintmark::mint
