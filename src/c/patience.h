// Patience: calling a space again for as long as its policy lets a caller wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "io/os_clock.h"
#include "mint/space.h"

namespace mintmark::c {

enum class Waiting : std::uint8_t { as_the_space_allows, never };

/// Calls `attempt(now)` until it gives a value, or an error that waiting does not end. REQUIRES: an attempt
/// that fails has done nothing.
template <class Attempt>
auto with_patience(const mint::Space& space, Waiting waiting, Attempt attempt)
    -> decltype(attempt(Instant{})) {
  // Shorter waits than this cost more in wake-ups than they give.
  constexpr Duration kLeastPause = std::chrono::microseconds{200};
  std::optional<BootInstant> since;
  for (;;) {
    auto made = attempt(io::wall_now());
    if (made || waiting == Waiting::never) return made;
    const Duration patience = space.patience(made.error());
    if (patience <= Duration::zero()) return made;
    const BootInstant now = io::os_clock().boot();
    if (!since) since = now;
    const Duration left = patience - (now - *since);
    if (left <= Duration::zero()) return made;
    const Duration asked = std::chrono::microseconds{made.error().retry_after_us()};
    io::pause_for(std::min(std::max(asked, kLeastPause), left));
  }
}

}  // namespace mintmark::c
