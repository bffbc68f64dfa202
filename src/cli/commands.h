// The commands there are: the only list of them. The overview, the completions and the man pages read it.
#pragma once

#include <span>
#include <string_view>

#include "cli/command.h"

namespace mintmark::cli {

/// In the order of the help. Constant; any thread may read it.
[[nodiscard]] std::span<const Command* const> all_commands();

/// The command of that name, or null.
[[nodiscard]] const Command* find_command(std::string_view name);

}  // namespace mintmark::cli
