// Arguments: from the words of a command line to what a command runs with, and the help texts.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace mintmark::cli {

/// Reads the words behind the command's name. Error: a sentence for the user.
[[nodiscard]] std::expected<Arguments, std::string> parse_arguments(
    const Command& command, std::span<const char* const> words);

/// Examples first, then usage and options.
[[nodiscard]] std::string help_of(const Command& command);

}  // namespace mintmark::cli
