// The spaces of schemes that need no store.
#pragma once

#include <memory>

#include "mint/space.h"

namespace mintmark::mint {

/// Null for a kind that needs a store. REQUIRES: `entropy` outlives the space.
[[nodiscard]] std::unique_ptr<Space> make_plain_space(const SpaceConfig& config, Entropy& entropy);

}  // namespace mintmark::mint
