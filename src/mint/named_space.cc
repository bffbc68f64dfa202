#include "mint/named_space.h"

#include <algorithm>

#include <fmt/format.h>

namespace mintmark::mint {
namespace {

constexpr std::string_view kSnowflake = "snowflake";

/// FNV-1a of 64 bits: a short name for values without one.
std::uint64_t short_name(const SnowflakeLayout& layout) {
  const std::string values = fmt::format(
      "{} {} {} {} {} {}", layout.time_shift(), layout.sequence_shift(), layout.sequence_bits(),
      layout.slot_count(), layout.unit().count(), layout.epoch().time_since_epoch().count());
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : values) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

bool same_values(const SnowflakeLayout& a, const SnowflakeLayout& b) {
  // An empty sequence has no place.
  const bool sequence = a.sequence_bits() == b.sequence_bits() &&
                        (a.sequence_bits() == 0 || a.sequence_shift() == b.sequence_shift());
  return sequence && a.time_shift() == b.time_shift() && a.slot_count() == b.slot_count() &&
         a.unit() == b.unit() && a.epoch() == b.epoch();
}

std::expected<SpaceConfig, std::string> with_layout(SpaceConfig space, std::string_view layout) {
  auto* snowflake = std::get_if<SnowflakeConfig>(&space.kind);
  if (snowflake == nullptr || snowflake->scheme != kSnowflake) {
    return std::unexpected(
        fmt::format("'{}' is {}, which has one layout only", space.name, space.scheme()));
  }
  const auto read = read_layout(layout);
  if (!read) return std::unexpected(read.error());
  if (*read == snowflake->layout) return space;
  if (same_values(*read, snowflake->layout)) {
    // Only written another way: the definition in the store is that of the space. What ends elsewhere because
    // of its sign has another one, and is refused there.
    if (read->signedness() != snowflake->layout.signedness()) snowflake->layout = *read;
    return space;
  }
  for (const layouts::Named& preset : layouts::kPresets) {
    if (!same_values(*read, preset.layout)) continue;
    snowflake->layout = read->signedness() == preset.layout.signedness() ? preset.layout : *read;
    space.name += fmt::format(":{}", preset.name);
    return space;
  }
  snowflake->layout = *read;
  space.name += fmt::format(":{:016x}", short_name(*read));
  return space;
}

std::optional<SpaceConfig> find_space(std::string_view name, const Config& config) {
  const auto found = std::ranges::find(config.spaces, name, &SpaceConfig::name);
  if (found != config.spaces.end()) return *found;
  if (layouts::find(name) != nullptr) {
    const auto base = find_space(kSnowflake, config);
    if (!base) return std::nullopt;
    auto space = with_layout(*base, name);
    if (!space) return std::nullopt;
    return std::move(*space);
  }
  if (const auto kind = kind_of(name)) return SpaceConfig{std::string{name}, *kind};
  return std::nullopt;
}

}  // namespace mintmark::mint
