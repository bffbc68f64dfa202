#include "cli/completions.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cli/conversion.h"
#include "cli/layout_report.h"
#include "cli/sort_order.h"
#include "mint/space_config.h"
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

template <class Word>
std::string join(const std::vector<Word>& words) {
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

/// The spellings of the options that take a value; only of those whose value is a file for `FILE`.
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

/// Schemes that an ID may be read as.
std::string scheme_names() {
  std::string names = "snowflake";
  for (const CatalogueRow& row : kCatalogue) names += fmt::format(" {}", row.name);
  return names;
}

/// Schemes that IDs can be made of: those that can be spaces, those that are made from a name or bytes,
/// and the layouts, which are short for a Snowflake of them.
std::string makeable_names() {
  std::string names;
  for (const std::string_view scheme : mint::mintable_schemes())
    names += fmt::format("{}{}", names.empty() ? "" : " ", scheme);
  names += " uuid3 uuid5 uuid8";
  for (const layouts::Named& preset : layouts::kPresets) names += fmt::format(" {}", preset.name);
  return names;
}

std::string layout_names() {
  std::string names;
  for (const KnownLayout& known : known_layouts())
    names += fmt::format("{}{}", names.empty() ? "" : " ", known.name);
  return names;
}

std::string form_names() { return conversion_names() + ' ' + scheme_names(); }

/// What may stand as the value of an option. Options of one name may differ in what they call it.
struct ValueRow {
  std::string_view name;  ///< of the option; empty for each whose value is called so
  std::string_view value;
  std::string (*words)();
};
constexpr ValueRow kValues[] = {
    {"", "SCHEME", scheme_names},
    {"layout", "L", layout_names},
    {"like", "ORDER", sort_order_names},
    {"to", "FORM", form_names},
    {"from", "FORM", form_names},
    {"form", "F", [] { return std::string{"base62 base64url base32"}; }},
    {"form", "FORM", [] { return std::string{"uuid bytes text integer"}; }},
    {"output", "FORM", [] { return std::string{"plain json jsonl tsv bin"}; }},
    {"color", "WHEN", [] { return std::string{"auto always never"}; }},
};

/// The words that may be the value of an option, with blanks between; empty if it can be anything.
std::string value_words(const Option& option) {
  for (const ValueRow& row : kValues) {
    if (row.value == option.value && (row.name.empty() || row.name == option.name))
      return row.words();
  }
  return {};
}

std::string zsh_option(const Option& option) {
  const std::vector<std::string> spellings = spellings_of(option);
  std::string all;
  for (const std::string& spelling : spellings) all += (all.empty() ? "" : " ") + spelling;
  std::string action;
  if (!option.value.empty()) {
    action = fmt::format(":{}:", zsh_text(option.value));
    if (option.value == "FILE") action += "_files";
    if (const std::string words = value_words(option); !words.empty())
      action += fmt::format("({})", zsh_text(words));
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

std::vector<std::string_view> command_names(Commands all) {
  std::vector<std::string_view> names{"help"};
  for (const Command* command : all) names.push_back(command->name);
  return names;
}

/// The values that bash offers behind an option, a pattern of a case for each option.
std::string bash_values(const Command& command) {
  std::string cases;
  for (const Option& option : command.options) {
    const std::string words = value_words(option);
    if (words.empty()) continue;
    std::string pattern;
    for (const std::string& spelling : spellings_of(option))
      pattern += (pattern.empty() ? "" : "|") + spelling;
    cases += fmt::format("      {}) values={} ;;\n", pattern, quoted(words));
  }
  return cases.empty() ? "" : fmt::format("      case $before in\n{}      esac\n", cases);
}

}  // namespace

OperandWords operand_words(const Command& command, Commands all) {
  OperandWords operands;
  const auto add = [&operands](std::string_view words) {
    for (const std::string_view word : tokens_of(words)) {
      if (std::ranges::find(operands.words, word) == operands.words.end())
        operands.words.emplace_back(word);
    }
  };
  const auto tokens = tokens_of(command.operands);
  // What takes a space makes IDs: it takes the schemes that can be made, which are spaces.
  const bool makes = std::ranges::find(tokens, "SPACE") != tokens.end();
  for (const std::string_view token : tokens) {
    if (token == "FILE") operands.files = true;
    if (is_literal(token)) add(token);
    if (token == "SCHEME") add(makes ? makeable_names() : scheme_names());
    if (token == "LAYOUT") add(layout_names());
    if (token == "COMMAND") add(join(command_names(all)));
  }
  return operands;
}

std::string bash_completion(Commands all) {
  std::string out =
      "# Completion of mintmark for bash; made by: mintmark completion bash\n"
      "_mintmark() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
      "  local command= options= operands= valued= filed= values= files=no i IFS=$' \\t\\n'\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
      "      command=${COMP_WORDS[i]}\n"
      "      break\n"
      "    fi\n"
      "  done\n";
  out += "  case $command in\n";
  const std::string names = join(command_names(all));
  out +=
      fmt::format("    '')\n      operands={}\n      options='-h --help -V --version'\n      ;;\n",
                  quoted(names));
  out += fmt::format("    help) operands={} ;;\n", quoted(names));
  for (const Command* command : all) {
    const OperandWords operands = operand_words(*command, all);
    out += fmt::format(
        "    {})\n      options={}\n      valued={}\n      filed={}\n      "
        "operands={}\n"
        "      files={}\n{}      ;;\n",
        command->name, quoted(option_words(*command)), quoted(valued_options(*command, "")),
        quoted(valued_options(*command, "FILE")), quoted(join(operands.words)),
        operands.files ? "yes" : "no", bash_values(*command));
  }
  out +=
      "  esac\n"
      "  if [[ \" $filed \" == *\" $before \"* ]]; then\n"
      "    files=yes operands=\n"
      "  elif [[ -n $values ]]; then\n"
      "    operands=$values files=no\n"
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
  for (const Command* command : all) {
    out += fmt::format("      {}) _arguments '(-h --help)'{{-h,--help}}'[help]'", command->name);
    for (const Option& option : command->options) out += zsh_option(option);
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
      if (const std::string words = value_words(option); !words.empty())
        out += fmt::format(" -a {}", fish_quoted(words));
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
