// store: sets a store up, shows and checks it, fences it after a restore, and lets an operator vouch for the
// clock of this host.
#include "store/store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/settings.h"
#include "cli/store_report.h"
#include "cli/words.h"
#include "io/file.h"
#include "io/os_clock.h"
#include "mint/did_you_mean.h"
#include "mint/mint.h"

namespace mintmark::cli {
namespace {

constexpr Duration kDeadline = std::chrono::seconds{5};
/// Of making a space: some engines take a write for each hundred rows of it.
constexpr Duration kMakingDeadline = std::chrono::minutes{1};

BootInstant deadline() { return io::os_clock().boot() + kDeadline; }

using Opened = OrExit<std::unique_ptr<store::Store>>;

Opened open_store(const Settings& settings, store::Absent absent) {
  const auto url = store_url(settings);
  if (!url) return std::unexpected(url.error());
  auto opened = store_opener(settings, *url, absent)(deadline());
  if (!opened) return std::unexpected(report(opened.error()));
  return std::move(*opened);
}

/// Opens a store that is there: looking at one must not make it.
Opened open_existing(const Settings& settings) {
  return open_store(settings, store::Absent::refuse);
}

std::vector<const mint::SpaceConfig*> kept_spaces(const Settings& settings) {
  std::vector<const mint::SpaceConfig*> spaces;
  for (const mint::SpaceConfig& space : settings.config.spaces) {
    if (!space.definition().empty()) spaces.push_back(&space);
  }
  return spaces;
}

/// All that the store has of this configuration.
OrExit<std::vector<Shown>> look(store::Store& store, const Settings& settings) {
  std::vector<Shown> spaces;
  for (const mint::SpaceConfig* config : kept_spaces(settings)) {
    auto space = look_at(store, *config, deadline());
    if (!space) return std::unexpected(report(space.error()));
    if (*space) spaces.push_back(std::move(**space));
  }
  return spaces;
}

int show(const Settings& settings, const Arguments& arguments) {
  auto opened = open_existing(settings);
  if (!opened) return opened.error();
  const auto identity = (*opened)->identity(deadline());
  if (!identity) return report(identity.error());
  const auto spaces = look(**opened, settings);
  if (!spaces) return spaces.error();
  const StoreReport words = report_on(settings, *identity, *spaces, io::wall_now());
  return print(arguments.has("json") ? words.json : words.text, kDone);
}

/// Opening a store checks its role and settings; looking at a space, that its rows are whole.
int check(const Settings& settings, const Arguments&) {
  auto opened = open_existing(settings);
  if (!opened) return opened.error();
  const auto identity = (*opened)->identity(deadline());
  if (!identity) return report(identity.error());
  const auto spaces = look(**opened, settings);
  if (!spaces) return spaces.error();
  int code = kDone;
  for (const std::string& setting : identity->unsafe) say(fmt::format("unsafe: {}", setting));
  for (const Shown& space : *spaces) {
    const auto config =
        std::ranges::find(settings.config.spaces, space.name, &mint::SpaceConfig::name);
    if (space.meta.suspect) {
      code = report({Error{Fault::store_regressed},
                     fmt::format("space '{}' is suspect: {}", space.name, *space.meta.suspect)});
    } else if (space.meta.definition != config->definition()) {
      code = report({Error{Fault::layout_mismatch},
                     fmt::format("space '{}': the store has '{}', the configuration says '{}'",
                                 space.name, space.meta.definition, config->definition())});
    }
  }
  if (code != kDone) return code;
  return print(fmt::format("{}: {}, {} of {} spaces set up\n", shown_store(settings.store),
                           identity->unsafe.empty() ? "safe" : "UNSAFE", spaces->size(),
                           kept_spaces(settings).size()),
               kDone);
}

int init(const Settings& settings, const Arguments& arguments) {
  const auto url = store_url(settings);
  if (!url) return url.error();
  if (arguments.has("print")) {
    const auto schema = store::schema(*url);
    return schema ? print(*schema, kDone) : report(schema.error());
  }
  auto opened = open_store(settings, store::Absent::make);
  if (!opened) return opened.error();
  for (const mint::SpaceConfig* config : kept_spaces(settings)) {
    const BootInstant until = io::os_clock().boot() + kMakingDeadline;
    const auto meta = (*opened)->open_space(mint::store_setup(*config), until);
    if (!meta) return report(meta.error());
  }
  return check(settings, arguments);
}

int fence(const Settings& settings, const Arguments& arguments) {
  if (arguments.operands.size() != 2) {
    return usage_error("fence needs a space: mintmark store fence SPACE");
  }
  store::FenceOrder order;
  if (const auto text = arguments.value("at-least")) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc{} || end != text->data() + text->size()) {
      return usage_error(fmt::format("--at-least: '{}' is not a number", *text));
    }
    order.at_least = number;
  }
  auto opened = open_existing(settings);
  if (!opened) return opened.error();
  const std::string& space = arguments.operands[1];
  const auto meta = (*opened)->fence(space, order, deadline());
  if (!meta) return report(meta.error());
  const std::string from =
      meta->marks == store::Marks::counter
          ? fmt::format("its next number is {}", meta->range_floor)
          : fmt::format("no window starts before {}",
                        TimeText{meta->layout_epoch +
                                 static_cast<std::int64_t>(meta->not_before) * meta->unit}
                            .view());
  say(fmt::format("space '{}' is fenced: epoch {}, {}", space, meta->epoch, from));
  return kDone;
}

int accept_time(const Settings& settings, const Arguments&) {
  auto opened = open_existing(settings);
  if (!opened) return opened.error();
  if (auto accepted = (*opened)->accept_time(deadline()); !accepted)
    return report(accepted.error());
  say(fmt::format("accepted: it is {} now", TimeText{io::wall_now()}.view()));
  return kDone;
}

struct Act {
  std::string_view name;
  int (*run)(const Settings& settings, const Arguments& arguments);
};
constexpr std::array kActs{Act{"init", init}, Act{"show", show}, Act{"check", check},
                           Act{"fence", fence}, Act{"accept-time", accept_time}};

int run(const Arguments& arguments) {
  const std::string& name = arguments.operands.front();
  const auto* act = std::ranges::find(kActs, name, &Act::name);
  if (act == kActs.end()) {
    std::array<std::string_view, kActs.size()> names;
    std::ranges::transform(kActs, names.begin(), &Act::name);
    return usage_error(fmt::format("store can init, show, check, fence or accept-time, not '{}'{}",
                                   name, mint::did_you_mean(name, names)));
  }
  if (arguments.operands.size() > 1 && act->run != fence) {
    return usage_error(fmt::format("store {} takes no more words", name));
  }
  const auto settings = load_settings(arguments);
  if (!settings) return settings.error();
  return act->run(*settings, arguments);
}

constexpr std::array kOptions{
    kStoreOption,
    kAllowUnsafeOption,
    Option{"print", "", "", "init: only print the SQL that makes the tables"},
    Option{"at-least", "", "N", "fence: the next number of a counter, from the application's data"},
    kConfigOption,
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark store show", "the spaces, their marks, the store itself"},
    Example{"mintmark store show --store sqlite:data/ids.db --json", "another store, for a script"},
    Example{"mintmark store init", "make the store and the spaces of the configuration"},
    Example{"mintmark store init --print --store postgres://db/ids", "the SQL, for a DBA to apply"},
    Example{"mintmark store check", "its settings, and whether all rows are there"},
    Example{"mintmark store fence snowflake", "after a restore, before anybody mints again"},
    Example{"mintmark store accept-time", "this host's clock is right: go on from it"},
};

}  // namespace

const Command kStore{
    .name = "store",
    .summary = "sets a store up, shows, checks and fences it",
    .operands = "init | show | check | fence SPACE | accept-time",
    .fewest_operands = 1,
    .most_operands = 2,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "fence begins a new incarnation of a space, so that IDs granted before a backup was made\n"
        "and lost with it are never granted again. Make sure first that the old store is dead: "
        "two\n"
        "that live cannot be told apart. A counter skips what it may have given since it was "
        "made;\n"
        "--at-least says it exactly.\n"
        "\n"
        "accept-time is for an error ClockUnverified: look at the clock first, the store then "
        "takes\n"
        "it for the truth.\n",
    .run = run,
};

}  // namespace mintmark::cli
