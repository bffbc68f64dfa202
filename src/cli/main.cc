// The command line: finds the row of the subcommand and runs it.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "mint/did_you_mean.h"

namespace mintmark::cli {
namespace {

int overview() {
  std::string text =
      "mintmark makes unique IDs and explains them.\n\n"
      "  mintmark new uuid7                                    one UUIDv7\n"
      "  mintmark new snowflake -n 1000                        Snowflakes of a worker number of "
      "its own\n"
      "  mintmark inspect 01ARZ3NDEKTSV4RRFFQ69G5FAV           what an ID is and when it was made\n"
      "  mintmark new ulid -n 1M | mintmark verify             counts, order and duplicates\n"
      "  mintmark serve                                        IDs for others, by HTTP and Redis "
      "protocol\n"
      "\nusage: mintmark COMMAND [options]\n\n";
  std::size_t width = 0;
  for (const Command* command : all_commands()) width = std::max(width, command->name.size());
  for (const Command* command : all_commands()) {
    text += fmt::format("  {:<{}}  {}\n", command->name, width, command->summary);
  }
  text += "\nmintmark COMMAND --help says more about one of them.\n";
  return print(text, kDone);
}

int unknown(std::string_view name) {
  std::vector<std::string_view> names{"help"};
  for (const Command* command : all_commands()) names.push_back(command->name);
  const std::string hint = mint::did_you_mean(name, names);
  return usage_error(fmt::format("there is no command '{}'{}", name,
                                 hint.empty() ? "; mintmark without arguments lists them" : hint));
}

int run(std::span<const char* const> words) {
  if (words.empty()) return overview();
  const std::string_view name = words.front();
  if (name == "-h" || name == "--help") return overview();
  if (name == "--version" || name == "-V") return kVersion.run({});
  if (name == "help") {
    if (words.size() == 1) return overview();
    const Command* about = find_command(words[1]);
    return about == nullptr ? unknown(words[1]) : print(help_of(*about), kDone);
  }
  const Command* command = find_command(name);
  if (command == nullptr) return unknown(name);
  const auto arguments = parse_arguments(*command, words.subspan(1));
  if (!arguments) return usage_error(arguments.error());
  if (arguments->has("help")) return print(help_of(*command), kDone);
  return command->run(*arguments);
}

}  // namespace
}  // namespace mintmark::cli

int main(int count, char** words) {
  mintmark::io::ignore_broken_pipes();
  const std::span<const char* const> all(words, static_cast<std::size_t>(count));
  return mintmark::cli::run(all.empty() ? all : all.subspan(1));
}
