// Color: when it is used, and the codes for it. Nothing is said by color alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/command.h"
#include "cli/settings.h"

namespace mintmark::cli {

inline constexpr Option kColorOption{"color", "", "WHEN",
                                     "auto, always or never; also NO_COLOR, CLICOLOR_FORCE"};

enum class Color : std::uint8_t { off, on };

/// Whether a descriptor gets color: --color decides; else NO_COLOR (no-color.org) forbids it and
/// CLICOLOR_FORCE demands it if they are not empty; else a terminal that is not `dumb` gets it. What is wrong
/// with --color was said.
[[nodiscard]] OrExit<Color> color_for(const Arguments& arguments, int descriptor);

/// The text in the color number `which`; neighbours differ. As it is where there is no color.
[[nodiscard]] std::string in_color(Color color, std::size_t which, std::string_view text);

}  // namespace mintmark::cli
