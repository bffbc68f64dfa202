// Inputs: texts as a command gets them, from its operands or from lines of standard input.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "cli/command.h"

namespace mintmark::cli {

/// One text, and the line of standard input that it is, from 1 on; 0 for an operand. The view lives until
/// the call returns. False ends the reading.
using OnInput = std::function<bool(std::string_view text, std::uint64_t line)>;

/// Calls `on` for each operand, and for each line of standard input where an operand is `-` or there are
/// none; empty lines are passed over. One line end is cut off a line, nothing else. On a terminal without
/// operands it asks `question` instead of waiting for somebody to type. Returns kDone, or the exit code of
/// what was said: kUsage, or kInvalid when reading failed.
int each_input(const Arguments& arguments, std::string_view question, const OnInput& on);

}  // namespace mintmark::cli
