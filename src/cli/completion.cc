// completion: the scripts that complete command lines, from the rows of the commands.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/completions.h"
#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

struct ShellRow {
  std::string_view name;
  std::string (*script)(Commands all);
};
constexpr std::array kShells{ShellRow{"bash", bash_completion}, ShellRow{"zsh", zsh_completion},
                             ShellRow{"fish", fish_completion}};

int run(const Arguments& arguments) {
  const std::string& name = arguments.operands.front();
  const auto shell = std::ranges::find(kShells, name, &ShellRow::name);
  if (shell == kShells.end()) {
    constexpr std::array<std::string_view, 3> kNames{"bash", "zsh", "fish"};
    return usage_error(fmt::format("completion for bash, zsh or fish, not {}{}", shown(name),
                                   mint::did_you_mean(name, kNames)));
  }
  const std::string script = shell->script(all_commands());
  if (!arguments.has("json")) return print(script, kDone);
  return print(fmt::format("{{\"schema\":1,\"shell\":\"{}\",\"script\":{}}}\n", shell->name,
                           mint::json_text(script)),
               kDone);
}

constexpr std::array kOptions{kJsonOption};
constexpr std::array kExamples{
    Example{"mintmark completion bash",
            "the script; to use it: source <(mintmark completion bash)"},
    Example{"mintmark completion zsh >_mintmark", "for a folder of fpath"},
    Example{"mintmark completion fish >mintmark.fish", "for ~/.config/fish/completions"},
};

}  // namespace

const Command kCompletion{
    .name = "completion",
    .summary = "completes command lines in bash, zsh and fish",
    .operands = "bash|zsh|fish",
    .fewest_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes = "",
    .run = run,
};

}  // namespace mintmark::cli
