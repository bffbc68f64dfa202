#include "cli/commands.h"

#include <algorithm>
#include <array>

namespace mintmark::cli {
namespace {

constexpr std::array kCommands{
    &kNew,      &kInspect, &kConvert, &kValidate, &kSort, &kRange,      &kScan,   &kVerify,
    &kBench,    &kServe,   &kConfig,  &kStore,    &kSeal, &kOpen,       &kChoose, &kCollide,
    &kHeadroom, &kKeysize, &kLayout,  &kLeak,     &kSql,  &kCompletion, &kMan,    &kVersion,
};

}  // namespace

std::span<const Command* const> all_commands() { return kCommands; }

const Command* find_command(std::string_view name) {
  const auto found =
      std::ranges::find(kCommands, name, [](const Command* each) { return each->name; });
  return found == kCommands.end() ? nullptr : *found;
}

}  // namespace mintmark::cli
