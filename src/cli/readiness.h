// Waiting for the first grant of a space, at the start of a command.
#pragma once

#include "mint/space.h"
#include "mintmark/base/time.h"

namespace mintmark::cli {

/// Looks again and again until the space would give an ID, its trouble ends by nothing that waiting does,
/// or `deadline` has come; returns how the space is then. Blocks this thread.
[[nodiscard]] mint::SpaceHealth wait_ready(const mint::Space& space, BootInstant deadline);

/// Why a space that is not ready is not.
[[nodiscard]] inline Error trouble_of(const mint::SpaceHealth& health) {
  return health.trouble.value_or(Error{Fault::not_ready});
}

}  // namespace mintmark::cli
