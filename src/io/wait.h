// Waiting for a socket, until a deadline.
#pragma once

#include "mintmark/base/time.h"

namespace mintmark::io {

/// What poll(2) says about the descriptor for `events`, or 0 if the deadline passed first. Looks at least
/// once. Thread-safe.
[[nodiscard]] short wait_until(int descriptor, short events, BootInstant deadline);

}  // namespace mintmark::io
