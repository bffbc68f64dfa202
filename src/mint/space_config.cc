#include "mint/space_config.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mint/did_you_mean.h"

namespace mintmark::mint {
namespace {

template <class... Callables>
struct Overloaded : Callables... {
  using Callables::operator()...;
};

constexpr std::size_t kMostName = 64;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string_view SpaceConfig::scheme() const {
  return std::visit(Overloaded{[](const SnowflakeConfig&) { return "snowflake"; },
                               [](const Uuid4Config&) { return "uuid4"; },
                               [](const Uuid7Config&) { return "uuid7"; },
                               [](const UlidConfig&) { return "ulid"; },
                               [](const BlockConfig&) { return "block"; }},
                    kind);
}

std::string SpaceConfig::definition() const {
  if (const auto* snowflake = std::get_if<SnowflakeConfig>(&kind)) {
    std::array<char, SnowflakeLayout::kMostText> text{};
    const std::size_t size = snowflake->layout.write(text);
    return fmt::format("snowflake {}", std::string_view{text.data(), size});
  }
  if (const auto* block = std::get_if<BlockConfig>(&kind)) {
    return fmt::format("block first={}", block->first);
  }
  return {};
}

bool is_space_name(std::string_view name) {
  if (name.empty() || name.size() > kMostName || !is_alphanumeric(name[0])) return false;
  return std::ranges::all_of(name, [](char c) {
    return is_alphanumeric(c) || std::string_view{"_-.:"}.find(c) != std::string_view::npos;
  });
}

std::vector<SpaceConfig> default_spaces() {
  std::vector<SpaceConfig> spaces;
  spaces.push_back({"snowflake", SnowflakeConfig{}});
  spaces.push_back({"uuid4", Uuid4Config{}});
  spaces.push_back({"uuid7", Uuid7Config{}});
  spaces.push_back({"ulid", UlidConfig{}});
  spaces.push_back({"block", BlockConfig{}});
  return spaces;
}

std::expected<SnowflakeLayout, std::string> read_layout(std::string_view text) {
  if (const SnowflakeLayout* preset = layouts::find(text)) return *preset;
  const auto layout = SnowflakeLayout::parse(text);
  if (layout) return *layout;
  if (text.contains(':')) {
    return std::unexpected(fmt::format("{} at character {} of \"{}\"",
                                       layout.error().row().sentence, layout.error().position() + 1,
                                       text));
  }
  std::vector<std::string_view> names;
  for (const layouts::Named& preset : layouts::kPresets) names.push_back(preset.name);
  return std::unexpected(
      fmt::format("there is no layout '{}'{}; there are {}, or spell one out: time:41 worker:10 "
                  "seq:12 epoch=2020-01-01",
                  text, did_you_mean(text, names), fmt::join(names, ", ")));
}

}  // namespace mintmark::mint
