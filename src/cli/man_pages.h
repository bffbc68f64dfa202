// Manual pages, in the language of man(7), made from the rows of the commands. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace mintmark::cli {

/// mintmark(1): what there is.
[[nodiscard]] std::string man_page(std::span<const Command* const> all, std::string_view version);
/// mintmark-NAME(1): one command.
[[nodiscard]] std::string man_page(const Command& command, std::string_view version);

}  // namespace mintmark::cli
