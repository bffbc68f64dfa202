// The only file that knows CLI11, which takes long to compile: it reads words, everything that is said to
// the user about them is ours.
#include "cli/arguments.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "mint/did_you_mean.h"

namespace mintmark::cli {
namespace {

std::string names_of(const Option& option) {
  std::string names;
  for (const char letter : option.letters) names += fmt::format("-{},", letter);
  return names + fmt::format("--{}", option.name);
}

std::string unknown_words(const Command& command, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::size_t dashes = std::min<std::size_t>(word.find_first_not_of('-'), 2);
    const std::string name = word.substr(dashes, word.find('=') - dashes);
    std::vector<std::string_view> known{"help"};
    for (const Option& option : command.options) known.push_back(option.name);
    // Every push ID begins with a hyphen.
    if (word.size() == 20 && word[1] != '-')
      return fmt::format("{} has no option {}; behind `--` it is an ID", command.name, word);
    return fmt::format("{} has no option {}{}", command.name, word,
                       mint::did_you_mean(name, known));
  }
  return fmt::format("{} takes no '{}' here", command.name, words.empty() ? "" : words.front());
}

}  // namespace

std::expected<Arguments, std::string> parse_arguments(const Command& command,
                                                      std::span<const char* const> words) {
  CLI::App app;
  app.set_help_flag("-h,--help");
  Arguments arguments;
  std::vector<std::pair<const Option*, CLI::Option*>> values;
  for (const Option& option : command.options) {
    CLI::Option* added =
        option.value.empty() ? app.add_flag(names_of(option)) : app.add_option(names_of(option));
    added->take_last();
    values.emplace_back(&option, added);
  }
  if (command.most_operands > 0) {
    app.add_option("operands", arguments.operands)->allow_extra_args();
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    arguments.values.emplace("help", std::string{});
    return arguments;
  } catch (const CLI::ExtrasError&) {
    return std::unexpected(unknown_words(command, app.remaining()));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string said = error.what();
    return std::unexpected(
        fmt::format("{}: {} needs a value", command.name, said.substr(0, said.find(':'))));
  } catch (const CLI::ParseError& error) {
    return std::unexpected(fmt::format("{}: {}", command.name, error.what()));
  }
  for (const auto& [option, parsed] : values) {
    if (parsed->count() == 0) continue;
    const std::string& last = parsed->results().back();
    if (option->value.empty() && last != "true") {
      return std::unexpected(fmt::format("{}: --{} takes no value", command.name, option->name));
    }
    arguments.values.emplace(option->name, last);
  }
  const std::size_t count = arguments.operands.size();
  if (count < command.fewest_operands || count > command.most_operands) {
    return std::unexpected(fmt::format("usage: mintmark {} {}", command.name, command.operands));
  }
  return arguments;
}

std::string help_of(const Command& command) {
  std::string help = fmt::format("mintmark {}: {}\n\n", command.name, command.summary);
  // A line that leaves no room for its words has them below.
  constexpr std::size_t kRoom = 98;
  std::size_t width = 0;
  for (const Example& example : command.examples) {
    if (example.line.size() + example.words.size() + 2 <= kRoom)
      width = std::max(width, example.line.size());
  }
  for (const Example& example : command.examples) {
    const bool beside = width + 2 + example.words.size() <= kRoom && example.line.size() <= width;
    help += beside ? fmt::format("  {:<{}}  {}\n", example.line, width, example.words)
                   : fmt::format("  {}\n      {}\n", example.line, example.words);
  }
  help += fmt::format("\nusage: mintmark {} {}{}[options]\n\noptions:\n", command.name,
                      command.operands, command.operands.empty() ? "" : " ");
  std::vector<std::pair<std::string, std::string_view>> rows;
  for (const Option& option : command.options) {
    std::string names;
    for (const char letter : option.letters) names += fmt::format("-{}, ", letter);
    rows.emplace_back(fmt::format("{}--{} {}", names, option.name, option.value), option.words);
  }
  rows.emplace_back("-h, --help", "this text");
  width = 0;
  for (const auto& [names, words] : rows) width = std::max(width, names.size());
  for (const auto& [names, words] : rows)
    help += fmt::format("  {:<{}}  {}\n", names, width, words);
  if (!command.notes.empty()) help += fmt::format("\n{}", command.notes);
  return help;
}

}  // namespace mintmark::cli
