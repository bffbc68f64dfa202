#include "cli/man_pages.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace mintmark::cli {
namespace {

/// Text that stands for itself: the formatter's own characters escaped, also at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  bool first = true;
  for (const char c : text) {
    if (first && (c == '.' || c == '\'')) out += "\\&";
    first = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string upper(std::string_view text) {
  std::string out{text};
  std::ranges::transform(out, out.begin(), [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return out;
}

std::string heading(std::string_view name, std::string_view version) {
  return fmt::format(".TH {} 1 \"\" \"mintmark {}\" \"mintmark\"\n", roff(upper(name)),
                     roff(version));
}

constexpr std::string_view kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nall good\n"
    ".TP\n.B 1\nsome input was not valid, or something could not be read or written\n"
    ".TP\n.B 2\nthe call is wrong\n"
    ".TP\n.B 69\nthe store cannot serve: somebody has to look\n"
    ".TP\n.B 75\nno ID can be proven unique right now: trying later can help\n";

}  // namespace

std::string man_page(std::span<const Command* const> all, std::string_view version) {
  std::string out = heading("mintmark", version);
  out +=
      ".SH NAME\nmintmark \\- makes unique IDs and explains them\n"
      ".SH SYNOPSIS\n.B mintmark\n.I COMMAND\n.RI [ options ]\n.RI [ operands ]\n"
      ".SH COMMANDS\n";
  for (const Command* command : all) {
    out += fmt::format(".TP\n.BR mintmark\\-{} (1)\n{}\n", roff(command->name),
                       roff(command->summary));
  }
  out +=
      ".SH ENVIRONMENT\n"
      ".TP\n.B MINTMARK_CONFIG\nthe configuration file, where no option names one\n"
      ".TP\n.B MINTMARK_STORE\nthe store, where no option names one\n";
  out += kExitStatus;
  out += ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    out +=
        fmt::format(".BR mintmark\\-{} (1){}\n", roff(all[i]->name), i + 1 < all.size() ? "," : "");
  }
  return out;
}

std::string man_page(const Command& command, std::string_view version) {
  std::string out = heading(fmt::format("mintmark-{}", command.name), version);
  out += fmt::format(".SH NAME\nmintmark\\-{} \\- {}\n", roff(command.name), roff(command.summary));
  out += fmt::format(".SH SYNOPSIS\n.B mintmark {}\n.RI [ options ]\n", roff(command.name));
  if (!command.operands.empty()) out += fmt::format("{}\n", roff(command.operands));
  out += ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    out += fmt::format(".TP\n.B {}\n{}\n", roff(example.line), roff(example.words));
  }
  out += ".SH OPTIONS\n";
  for (const Option& option : command.options) {
    std::string names;
    for (const char letter : option.letters) names += fmt::format("\\fB\\-{}\\fR, ", letter);
    names += fmt::format("\\fB\\-\\-{}\\fR", roff(option.name));
    if (!option.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(option.value));
    out += fmt::format(".TP\n{}\n{}\n", names, roff(option.words));
  }
  out += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\na shorter text\n";
  // The line ends of the notes are those of a table or of prose; kept, they are right for both.
  if (!command.notes.empty()) out += fmt::format(".SH NOTES\n.nf\n{}.fi\n", roff(command.notes));
  out += kExitStatus;
  return out + ".SH SEE ALSO\n.BR mintmark (1)\n";
}

}  // namespace mintmark::cli
