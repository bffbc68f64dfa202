#include "cli/readiness.h"

#include "io/os_clock.h"

namespace mintmark::cli {

mint::SpaceHealth wait_ready(const mint::Space& space, BootInstant deadline) {
  constexpr Duration kLookAgain = std::chrono::microseconds{200};
  for (;;) {
    mint::SpaceHealth health = space.health(io::wall_now());
    const bool final = health.trouble && !health.trouble->row().retryable;
    if (health.ready || final || io::os_clock().boot() >= deadline) return health;
    io::pause_for(kLookAgain);
  }
}

}  // namespace mintmark::cli
