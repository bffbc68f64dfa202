// store: shows what a store remembers, and lets an operator vouch for this host's clock.
#include "store/store.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "io/file.h"
#include "io/os_clock.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

constexpr Duration kDeadline = std::chrono::seconds{5};

BootInstant deadline() { return io::os_clock().boot() + kDeadline; }

/// One space as the store has it.
struct Shown {
  std::string name;
  store::SpaceMeta meta;
  std::vector<store::Mark> marks;
  const SnowflakeLayout* layout = nullptr;  ///< of the configuration; null for a counter

  [[nodiscard]] std::uint64_t highest() const {
    std::uint64_t high = 0;
    for (const store::Mark& mark : marks) high = std::max(high, mark.high_water);
    return high;
  }
  [[nodiscard]] std::size_t used() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(marks, [](const store::Mark& mark) { return mark.grants > 0; }));
  }
  /// Slots whose mark lies ahead of the clock: held, or waiting to be free again.
  [[nodiscard]] std::size_t held(Instant now) const {
    if (layout == nullptr) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(marks, [&](const store::Mark& mark) {
      return mark.grants > 0 && layout->instant_of(mark.high_water) > now;
    }));
  }
};

std::string hex(const store::Nonce& nonce) {
  std::string out;
  for (const std::byte byte : nonce) out += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return out;
}

/// Opens a store that is there: looking at one must not make it.
OrExit<std::unique_ptr<store::Store>> open_existing(const Settings& settings) {
  const auto url = store_url(settings);
  if (!url) return std::unexpected(url.error());
  constexpr std::string_view kSqlite = "sqlite:";
  if (url->starts_with(kSqlite)) {
    if (const auto facts = io::facts_of(url->substr(kSqlite.size())); !facts) {
      return std::unexpected(report({Error{Fault::store_unavailable}, facts.error().detail}));
    }
  }
  auto opened = store::open(*url, {.clock = io::os_clock()}, deadline());
  if (!opened) return std::unexpected(report(opened.error()));
  return std::move(*opened);
}

/// The space, or nothing if the store does not know it.
store::Outcome<std::optional<Shown>> look_at(store::Store& store, const mint::SpaceConfig& space) {
  auto marks = store.scan(space.name, deadline());
  if (!marks && marks.error().error.fault() == Fault::unknown_space) return std::nullopt;
  if (!marks) return std::unexpected(marks.error());
  if (marks->empty()) return std::nullopt;
  const auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  // The rows are there, so that this only reads the meta row.
  store::SpaceSetup setup{.name = space.name, .definition = space.definition()};
  setup.marks = snowflake != nullptr ? store::Marks::slots : store::Marks::counter;
  setup.slot_count = snowflake != nullptr ? marks->size() : 0;
  if (snowflake != nullptr) {
    setup.epoch = snowflake->layout.epoch();
    setup.unit = snowflake->layout.unit();
  }
  auto meta = store.open_space(setup, deadline());
  if (!meta) return std::unexpected(meta.error());
  return Shown{space.name, std::move(*meta), std::move(*marks),
               snowflake != nullptr ? &snowflake->layout : nullptr};
}

std::string to_text(const Shown& space, Instant now) {
  std::string out =
      fmt::format("space {}\n  definition {}\n  made       {}\n  epoch      {}\n", space.name,
                  space.meta.definition, TimeText{space.meta.created_at}.view(), space.meta.epoch);
  if (space.meta.suspect) out += fmt::format("  SUSPECT    {}\n", *space.meta.suspect);
  if (space.layout != nullptr) {
    const std::string newest =
        space.used() == 0 ? "none"
                          : std::string{TimeText{space.layout->instant_of(space.highest())}.view()};
    out += fmt::format("  workers    {} in all, {} ever used, {} held now\n  newest     {}\n",
                       space.marks.size(), space.used(), space.held(now), newest);
  } else {
    out += fmt::format("  next       {}\n", space.highest());
  }
  return out;
}

std::string to_json(const Shown& space, Instant now) {
  std::string out = fmt::format(
      "{{\"name\":{},\"definition\":{},\"created_at\":\"{}\",\"epoch\":{},\"suspect\":{}",
      mint::json_text(space.name), mint::json_text(space.meta.definition),
      TimeText{space.meta.created_at}.view(), space.meta.epoch,
      space.meta.suspect ? mint::json_text(*space.meta.suspect) : "null");
  if (space.layout != nullptr) {
    out += fmt::format(",\"workers\":{},\"used\":{},\"held\":{}", space.marks.size(), space.used(),
                       space.held(now));
  }
  return out + fmt::format(",\"high_water\":\"{}\"}}", space.highest());
}

int show(const Arguments& arguments) {
  const auto settings = load_settings(arguments);
  if (!settings) return settings.error();
  auto opened = open_existing(*settings);
  if (!opened) return opened.error();
  store::Store& store = **opened;
  const auto identity = store.identity(deadline());
  if (!identity) return report(identity.error());
  const Instant now = io::wall_now();
  std::string text;
  std::string json;
  std::string store_id;
  for (const mint::SpaceConfig& config : settings->config.spaces) {
    if (config.definition().empty()) continue;
    const auto space = look_at(store, config);
    if (!space) return report(space.error());
    if (!*space) continue;
    store_id = hex((*space)->meta.store_id);
    text += to_text(**space, now);
    if (!json.empty()) json += ',';
    json += to_json(**space, now);
  }
  const std::string time = identity->now ? std::string{TimeText{*identity->now}.view()} : "unknown";
  if (arguments.has("json")) {
    return print(fmt::format("{{\"schema\":1,\"store\":{},\"engine\":{},\"identity\":{},\"id\":{},"
                             "\"progress\":{},\"time\":{},\"spaces\":[{}]}}\n",
                             mint::json_text(settings->store), mint::json_text(identity->engine),
                             mint::json_text(identity->ident), mint::json_text(store_id),
                             identity->progress, mint::json_text(time), json),
                 kDone);
  }
  if (text.empty()) text = "no space of this configuration has been used yet\n";
  return print(
      fmt::format("store {}\n  engine     {}\n  identity   {}\n  id         {}\n  progress   {}\n"
                  "  time       {}\n{}",
                  settings->store, identity->engine, identity->ident, store_id, identity->progress,
                  time, text),
      kDone);
}

int accept_time(const Arguments& arguments) {
  const auto settings = load_settings(arguments);
  if (!settings) return settings.error();
  auto opened = open_existing(*settings);
  if (!opened) return opened.error();
  if (auto accepted = (*opened)->accept_time(deadline()); !accepted)
    return report(accepted.error());
  say(fmt::format("accepted: it is {} now", TimeText{io::wall_now()}.view()));
  return kDone;
}

int run(const Arguments& arguments) {
  const std::string& act = arguments.operands.front();
  if (act == "show") return show(arguments);
  if (act == "accept-time") return accept_time(arguments);
  constexpr std::array<std::string_view, 2> kActs{"show", "accept-time"};
  return usage_error(fmt::format("store can show or accept-time, not '{}'{}", act,
                                 mint::did_you_mean(act, kActs)));
}

constexpr std::array kOptions{kStoreOption, kConfigOption, kJsonOption};
constexpr std::array kExamples{
    Example{"mintmark store show", "the spaces, their marks, the store itself"},
    Example{"mintmark store show --store sqlite:data/ids.db --json", "another store, for a script"},
    Example{"mintmark store accept-time", "this host's clock is right: go on from it"},
};

}  // namespace

const Command kStore{
    .name = "store",
    .summary = "shows what a store remembers",
    .operands = "show | accept-time",
    .fewest_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "accept-time is for an error ClockUnverified: look at the clock first, the store then "
        "takes\n"
        "it for the truth.\n",
    .run = run,
};

}  // namespace mintmark::cli
