// The card of an ID: its fields, and its bits with a letter for each field below them, so that they are told
// apart without color too.
#pragma once

#include <string>

#include "cli/color.h"
#include "mint/inspect.h"

namespace mintmark::cli {

enum class Bits : std::uint8_t { hidden, shown };

struct CardStyle {
  Color color = Color::off;
  Bits bits = Bits::hidden;
};

/// Several lines, each with its end.
[[nodiscard]] std::string card_of(const mint::Reading& reading, const CardStyle& style);

}  // namespace mintmark::cli
