// Which space a name means, and which one a layout: the same for every face that is told names.
//
// A layout is known by its values, not by how it was written: IDs of equal bits, unit and epoch come from one
// space, so that two ways to say one layout cannot make one ID twice.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "mint/space_config.h"

namespace mintmark::mint {

/// Whether both make IDs out of one set of values: time and sequence in the same place, in the same unit
/// since the same epoch. The names of the node fields do not matter.
[[nodiscard]] bool same_values(const SnowflakeLayout& a, const SnowflakeLayout& b);

/// The space as it is, if the layout is its own; else the space of that other layout, which has a name and a
/// definition of its own. The error is words: no such layout, or a scheme that has one layout only.
[[nodiscard]] std::expected<SpaceConfig, std::string> with_layout(SpaceConfig space,
                                                                  std::string_view layout);

/// A space of the configuration, or the one that every configuration has for a scheme; a layout's name is
/// short for `snowflake` with it. Nothing for a name that is none.
[[nodiscard]] std::optional<SpaceConfig> find_space(std::string_view name, const Config& config);

}  // namespace mintmark::mint
