// version: which build this is.
#include <array>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/words.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang++ " __clang_version__;
#else
constexpr std::string_view kCompiler = "g++ " __VERSION__;
#endif

int run(const Arguments& arguments) {
  if (arguments.has("json")) {
    return print(fmt::format("{{\"schema\":1,\"version\":{},\"compiler\":{}}}\n",
                             mint::json_text(MINTMARK_VERSION), mint::json_text(kCompiler)),
                 kDone);
  }
  return print(fmt::format("mintmark {} ({})\n", MINTMARK_VERSION, kCompiler), kDone);
}

constexpr std::array kOptions{kJsonOption};
constexpr std::array kExamples{Example{"mintmark version", "the version and the compiler"},
                               Example{"mintmark version --json", "the same for a script"}};

}  // namespace

const Command kVersion{
    .name = "version",
    .summary = "says which build this is",
    .operands = "",
    .fewest_operands = 0,
    .most_operands = 0,
    .options = kOptions,
    .examples = kExamples,
    .notes = "",
    .run = run,
};

}  // namespace mintmark::cli
