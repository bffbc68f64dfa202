#include "c/space_choice.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "mint/did_you_mean.h"
#include "mint/named_space.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::c {
namespace {

constexpr std::string_view kUsualSpace = "snowflake";
// As the key `horizon` of a configuration.
constexpr Duration kLeastHorizon = std::chrono::milliseconds{20};
constexpr Duration kMostHorizon = std::chrono::minutes{1};

std::unexpected<Failure> wrong(std::string words) {
  return failure(Fault::invalid_argument, std::move(words));
}

Outcome<mint::Config> read_config(std::string_view toml) {
  mint::Config config;
  if (toml.empty()) {
    config.spaces = mint::default_spaces();
    return config;
  }
  auto read = mint::parse_config(toml, "config");
  if (read) return std::move(*read);
  const mint::ConfigMistake& first = read.error().front();
  return wrong(fmt::format("{}:{}:{}: {}", first.file, first.line, first.column, first.words));
}

std::unexpected<Failure> unknown(std::string_view name, const mint::Config& config) {
  std::vector<std::string_view> known;
  for (const mint::SpaceConfig& space : config.spaces) known.push_back(space.name);
  for (const std::string_view scheme : mint::mintable_schemes()) known.push_back(scheme);
  return failure(Fault::unknown_space, fmt::format("there is no scheme or space '{}'{}", name,
                                                   mint::did_you_mean(name, known)));
}

Outcome<void> apply_lease(mint::SpaceConfig& space, const SpaceChoice& choice) {
  if (!choice.worker && !choice.horizon) return {};
  auto* snowflake = std::get_if<mint::SnowflakeConfig>(&space.kind);
  if (snowflake == nullptr) {
    return wrong(fmt::format("'{}' has no worker numbers and no windows", space.name));
  }
  if (choice.worker) {
    if (!snowflake->layout.slot(*choice.worker)) {
      return wrong(fmt::format("worker {} is not in 0 to {}", *choice.worker,
                               snowflake->layout.slot_count() - 1));
    }
    snowflake->worker = choice.worker;
  }
  if (choice.horizon) {
    if (*choice.horizon < kLeastHorizon || *choice.horizon > kMostHorizon) {
      return wrong("the horizon is not in 20 ms to 60 s");
    }
    snowflake->horizon = *choice.horizon;
  }
  return {};
}

}  // namespace

bool needs_store(const mint::SpaceKind& kind) {
  return std::holds_alternative<mint::SnowflakeConfig>(kind) ||
         std::holds_alternative<mint::BlockConfig>(kind);
}

Outcome<ChosenSpace> choose_space(const SpaceChoice& choice) {
  auto config = read_config(choice.config);
  if (!config) return std::unexpected(std::move(config.error()));
  std::string name{choice.space};
  if (name.empty()) name = config->spaces.size() == 1 ? config->spaces.front().name : kUsualSpace;
  auto space = mint::find_space(name, *config);
  if (!space) return unknown(name, *config);
  if (!choice.layout.empty()) {
    if (layouts::find(name) != nullptr) return wrong("'" + name + "' is a layout already");
    auto other = mint::with_layout(std::move(*space), choice.layout);
    if (!other) return wrong("layout: " + other.error());
    space = std::move(*other);
  }
  if (auto applied = apply_lease(*space, choice); !applied)
    return std::unexpected(std::move(applied.error()));
  return ChosenSpace{std::move(*space), std::move(config->store)};
}

}  // namespace mintmark::c
