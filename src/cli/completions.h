// Completions: scripts that teach a shell the commands and their options, made from the rows. Pure.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace mintmark::cli {

using Commands = std::span<const Command* const>;

/// What may stand where a usage line has its operands: its words in lower case as they are, the schemes
/// for SCHEME (only those that can be made beside SPACE), the presets for LAYOUT, the commands for COMMAND.
/// `files` is for FILE.
struct OperandWords {
  std::vector<std::string> words;
  bool files = false;
};
[[nodiscard]] OperandWords operand_words(const Command& command, Commands all);

/// To be sourced by bash, or put where bash-completion looks.
[[nodiscard]] std::string bash_completion(Commands all);
/// To be sourced by zsh after compinit, or put into a folder of its fpath as `_mintmark`.
[[nodiscard]] std::string zsh_completion(Commands all);
/// To be sourced by fish, or put into its completions folder as `mintmark.fish`.
[[nodiscard]] std::string fish_completion(Commands all);

}  // namespace mintmark::cli
