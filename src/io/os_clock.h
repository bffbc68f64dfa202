// The system's clock: CLOCK_REALTIME, CLOCK_BOOTTIME and the kernel's word about synchronisation.
#pragma once

#include "mintmark/base/time.h"

namespace mintmark::io {

/// The one clock of the process. Thread-safe, lives until the end of the process.
[[nodiscard]] const Clock& os_clock();

/// CLOCK_REALTIME without the virtual call, for hot loops.
[[nodiscard]] Instant wall_now();

/// Blocks this thread for at least `length`; a signal does not end it. Only the command line waits this
/// way, and a store's engine while another process holds its lock; nothing that serves others does.
void pause_for(Duration length);

}  // namespace mintmark::io
