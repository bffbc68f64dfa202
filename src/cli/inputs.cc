#include "cli/inputs.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/words.h"
#include "io/blocks.h"

namespace mintmark::cli {
namespace {

enum class Reading : std::uint8_t { go_on, enough, failed };

Reading each_line(const OnInput& on) {
  io::BlockReader in{STDIN_FILENO};
  std::string_view line;
  std::uint64_t number = 0;
  while (in.next_line(line)) {
    ++number;
    if (!line.empty() && !on(line, number)) return Reading::enough;
  }
  if (!in.failed()) return Reading::go_on;
  say(fmt::format("standard input: {}", in.reason()));
  return Reading::failed;
}

}  // namespace

int each_input(const Arguments& arguments, std::string_view question, const OnInput& on) {
  std::vector<std::string> operands = arguments.operands;
  if (operands.empty()) {
    if (io::is_terminal(STDIN_FILENO)) return usage_error(question);
    operands.emplace_back("-");
  }
  for (const std::string& operand : operands) {
    if (operand != "-") {
      if (!on(operand, 0)) return kDone;
      continue;
    }
    const Reading read = each_line(on);
    if (read == Reading::failed) return kInvalid;
    if (read == Reading::enough) return kDone;
  }
  return kDone;
}

}  // namespace mintmark::cli
