// man: the manual pages.
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/man_pages.h"
#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

int run(const Arguments& arguments) {
  std::string page;
  std::string name = "mintmark";
  if (arguments.operands.empty()) {
    page = man_page(all_commands(), MINTMARK_VERSION);
  } else {
    const std::string& wanted = arguments.operands.front();
    const Command* command = find_command(wanted);
    if (command == nullptr) {
      std::vector<std::string_view> names;
      for (const Command* each : all_commands()) names.push_back(each->name);
      return usage_error(fmt::format("there is no command {}{}", shown(wanted),
                                     mint::did_you_mean(wanted, names)));
    }
    page = man_page(*command, MINTMARK_VERSION);
    name += fmt::format("-{}", command->name);
  }
  if (!arguments.has("json")) return print(page, kDone);
  return print(fmt::format("{{\"schema\":1,\"name\":{},\"section\":1,\"page\":{}}}\n",
                           mint::json_text(name), mint::json_text(page)),
               kDone);
}

constexpr std::array kOptions{kJsonOption};
constexpr std::array kExamples{
    Example{"mintmark man", "mintmark(1); to read it: mintmark man | man -l -"},
    Example{"mintmark man new >mintmark-new.1", "the page of one command"},
};

}  // namespace

const Command kMan{
    .name = "man",
    .summary = "writes the manual pages",
    .operands = "[COMMAND]",
    .fewest_operands = 0,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes = "",
    .run = run,
};

}  // namespace mintmark::cli
