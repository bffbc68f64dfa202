// Space choice: from a name, a layout and a configuration to the space that a caller means.
//
// A scheme or a layout without a configuration names the same space here as on the command line: two names of
// one namespace would be two sets of worker numbers, and so the same IDs twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/failure.h"
#include "mint/space_config.h"
#include "mintmark/base/time.h"

namespace mintmark::c {

/// Snowflakes and numbers from blocks: what cannot do without a store.
[[nodiscard]] bool needs_store(const mint::SpaceKind& kind);

/// What is empty was not said.
struct SpaceChoice {
  std::string_view space;   ///< of the configuration, or a scheme, or a layout's name
  std::string_view config;  ///< TOML
  std::string_view layout;  ///< a preset's name or spelled out
  std::optional<std::uint64_t> worker;
  std::optional<Duration> horizon;
};

struct ChosenSpace {
  mint::SpaceConfig space;
  std::string store;  ///< the URL that the configuration names; may be empty
};

/// Errors: UnknownSpace, InvalidArgument, with words.
[[nodiscard]] Outcome<ChosenSpace> choose_space(const SpaceChoice& choice);

}  // namespace mintmark::c
