#include "cli/completions.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {
namespace {

/// The words of a usage line: runs of letters, digits and hyphens.
std::vector<std::string_view> tokens_of(std::string_view operands) {
  std::vector<std::string_view> tokens;
  const auto belongs = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  for (std::size_t at = 0; at < operands.size();) {
    std::size_t end = at;
    while (end < operands.size() && belongs(operands[end])) ++end;
    if (end > at) tokens.push_back(operands.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return tokens;
}

bool is_literal(std::string_view token) {
  return std::ranges::all_of(
             token, [](char c) { return std::isupper(static_cast<unsigned char>(c)) == 0; }) &&
         std::isalpha(static_cast<unsigned char>(token.front())) != 0;
}

std::string join(const std::vector<std::string_view>& words) {
  std::string joined;
  for (const std::string_view word : words)
    joined += fmt::format("{}{}", joined.empty() ? "" : " ", word);
  return joined;
}

/// All spellings of an option, short ones first.
std::vector<std::string> spellings_of(const Option& option) {
  std::vector<std::string> spellings;
  for (const char letter : option.letters) spellings.push_back(fmt::format("-{}", letter));
  spellings.push_back(fmt::format("--{}", option.name));
  return spellings;
}

std::string option_words(const Command& command) {
  std::string words = "-h --help";
  for (const Option& option : command.options) {
    for (const std::string& spelling : spellings_of(option)) words += ' ' + spelling;
  }
  return words;
}

/// The spellings of the options whose value is called so; of all that take a value for an empty name.
std::string valued_options(const Command& command, std::string_view value) {
  std::string words;
  for (const Option& option : command.options) {
    if (option.value.empty() || (!value.empty() && option.value != value)) continue;
    for (const std::string& spelling : spellings_of(option)) words += ' ' + spelling;
  }
  return words;
}

/// In single quotes for bash and zsh.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

/// The words of an option inside the brackets of _arguments, and those of a message behind a colon.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_option(const Option& option, const std::string& schemes) {
  const std::vector<std::string> spellings = spellings_of(option);
  std::string all;
  for (const std::string& spelling : spellings) all += (all.empty() ? "" : " ") + spelling;
  std::string action;
  if (!option.value.empty()) {
    action = fmt::format(":{}:", zsh_text(option.value));
    if (option.value == "FILE") action += "_files";
    if (option.value == "SCHEME") action += "(" + schemes + ")";
  }
  std::string out;
  for (const std::string& spelling : spellings) {
    // A long option takes its value behind a space or an equals sign, a short one also directly.
    const std::string_view form = option.value.empty()         ? ""
                                  : spelling.starts_with("--") ? "="
                                                               : "+";
    out += fmt::format(" \\\n        {}", quoted(fmt::format("({}){}{}[{}]{}", all, spelling, form,
                                                             zsh_text(option.words), action)));
  }
  return out;
}

/// In single quotes for fish.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + '\'';
}

std::vector<std::string_view> scheme_names() {
  std::vector<std::string_view> names{"snowflake", "block"};
  for (const CatalogueRow& row : kCatalogue) names.push_back(row.name);
  return names;
}

std::vector<std::string_view> command_names(Commands all) {
  std::vector<std::string_view> names{"help"};
  for (const Command* command : all) names.push_back(command->name);
  return names;
}

}  // namespace

OperandWords operand_words(const Command& command, Commands all) {
  OperandWords operands;
  for (const std::string_view token : tokens_of(command.operands)) {
    if (token == "FILE") operands.files = true;
    if (is_literal(token)) operands.words.push_back(token);
    std::vector<std::string_view> more;
    if (token == "SCHEME") more = scheme_names();
    if (token == "COMMAND") more = command_names(all);
    operands.words.insert(operands.words.end(), more.begin(), more.end());
  }
  return operands;
}

std::string bash_completion(Commands all) {
  std::string out =
      "# Completion of mintmark for bash; made by: mintmark completion bash\n"
      "_mintmark() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  local command= options= operands= valued= filed= schemed= files=no i IFS=$' \\t\\n'\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
      "      command=${COMP_WORDS[i]}\n"
      "      break\n"
      "    fi\n"
      "  done\n";
  out += fmt::format("  local schemes={}\n  case $command in\n", quoted(join(scheme_names())));
  const std::string names = join(command_names(all));
  out +=
      fmt::format("    '')\n      operands={}\n      options='-h --help -V --version'\n      ;;\n",
                  quoted(names));
  out += fmt::format("    help) operands={} ;;\n", quoted(names));
  for (const Command* command : all) {
    const OperandWords operands = operand_words(*command, all);
    out += fmt::format(
        "    {})\n      options={}\n      valued={}\n      filed={}\n      schemed={}\n      "
        "operands={}\n"
        "      files={}\n      ;;\n",
        command->name, quoted(option_words(*command)), quoted(valued_options(*command, "")),
        quoted(valued_options(*command, "FILE")), quoted(valued_options(*command, "SCHEME")),
        quoted(join(operands.words)), operands.files ? "yes" : "no");
  }
  out +=
      "  esac\n"
      "  if [[ \" $filed \" == *\" $before \"* ]]; then\n"
      "    files=yes operands=\n"
      "  elif [[ \" $schemed \" == *\" $before \"* ]]; then\n"
      "    operands=$schemes files=no\n"
      "  elif [[ \" $valued \" == *\" $before \"* ]]; then\n"
      "    return\n"
      "  elif [[ $word == -* ]]; then\n"
      "    operands=$options files=no\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -W \"$operands\" -- \"$word\"))\n"
      "  if [[ $files == yes ]]; then\n"
      "    local IFS=$'\\n'\n"
      "    compopt -o filenames 2>/dev/null\n"
      "    COMPREPLY+=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}\n"
      "complete -F _mintmark mintmark\n";
  return out;
}

std::string zsh_completion(Commands all) {
  std::string out =
      "#compdef mintmark\n"
      "# Completion of mintmark for zsh; made by: mintmark completion zsh\n"
      "_mintmark() {\n"
      "  local curcontext=$curcontext state line\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const Command* command : all) {
    out += fmt::format("    {}\n", quoted(fmt::format("{}:{}", command->name, command->summary)));
  }
  out +=
      "    'help:says more about a command'\n"
      "  )\n"
      "  _arguments -C '(-h --help)'{-h,--help}'[the commands]' '(-V "
      "--version)'{-V,--version}'[the version]' \\\n"
      "    '1: :->command' '*:: :->rest'\n"
      "  case $state in\n"
      "    command) _describe -t commands command commands ;;\n"
      "    rest)\n"
      "      case $words[1] in\n"
      "      help) _describe -t commands command commands ;;\n";
  const std::string schemes = join(scheme_names());
  for (const Command* command : all) {
    out += fmt::format("      {}) _arguments '(-h --help)'{{-h,--help}}'[help]'", command->name);
    for (const Option& option : command->options) out += zsh_option(option, schemes);
    const OperandWords operands = operand_words(*command, all);
    if (command->most_operands > 0) {
      std::string action;
      if (!operands.words.empty()) action = fmt::format("({})", join(operands.words));
      if (operands.files) action = "_files";
      out += fmt::format(" \\\n        {}",
                         quoted(fmt::format("*:{}:{}", zsh_text(command->operands), action)));
    }
    out += " ;;\n";
  }
  out +=
      "      esac\n"
      "      ;;\n"
      "  esac\n"
      "}\n"
      "if [[ $funcstack[1] == _mintmark ]]; then\n"
      "  _mintmark \"$@\"\n"
      "else\n"
      "  compdef _mintmark mintmark\n"
      "fi\n";
  return out;
}

std::string fish_completion(Commands all) {
  std::string out =
      "# Completion of mintmark for fish; made by: mintmark completion fish\n"
      "complete -c mintmark -f\n"
      "complete -c mintmark -n __fish_use_subcommand -s h -l help -d 'the commands'\n"
      "complete -c mintmark -n __fish_use_subcommand -s V -l version -d 'the version'\n"
      "complete -c mintmark -n __fish_use_subcommand -a help -d 'says more about a command'\n";
  const std::string schemes = join(scheme_names());
  out += fmt::format("complete -c mintmark -n '__fish_seen_subcommand_from help' -a {}\n",
                     fish_quoted(join(command_names(all))));
  for (const Command* command : all) {
    out += fmt::format("complete -c mintmark -n __fish_use_subcommand -a {} -d {}\n", command->name,
                       fish_quoted(command->summary));
    const std::string line =
        fmt::format("complete -c mintmark -n '__fish_seen_subcommand_from {}'", command->name);
    out += fmt::format("{} -s h -l help -d help\n", line);
    for (const Option& option : command->options) {
      out += line;
      for (const char letter : option.letters) out += fmt::format(" -s {}", letter);
      out += fmt::format(" -l {}", option.name);
      if (!option.value.empty()) out += option.value == "FILE" ? " -r -F" : " -x";
      if (option.value == "SCHEME") out += fmt::format(" -a {}", fish_quoted(schemes));
      out += fmt::format(" -d {}\n", fish_quoted(option.words));
    }
    const OperandWords operands = operand_words(*command, all);
    if (!operands.words.empty())
      out += fmt::format("{} -a {}\n", line, fish_quoted(join(operands.words)));
    if (operands.files) out += fmt::format("{} -F\n", line);
  }
  return out;
}

}  // namespace mintmark::cli
