// Time evidence: may a claim be made with this clock reading (protocol R8)?
//
// A claim with a clock far in the future would move a mark far into the future and poison its slot, so
// the reading is checked against anything but the clock itself before anything is written. Uniqueness
// does not rest on this; only the life of the slots does.
#pragma once

#include <optional>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::lease {

/// What is known about the time apart from the wall clock.
struct TimeEvidence {
  std::optional<Instant> store_now;    ///< the store's own clock
  std::optional<Instant> own_line;     ///< the last trusted reading plus the boot time since then
  bool synchronized = false;           ///< the kernel follows a time server (adjtimex)
  Instant created_at{};                ///< of the space; true time is not before it
  std::optional<Instant> newest_mark;  ///< the largest mark of any slot, as a time
};

/// E and the longest pause that needs no operator.
struct TimeBounds {
  Duration skew = std::chrono::seconds{5};   ///< E: every clock against true time
  Duration max_gap = std::chrono::days{30};  ///< since the store was last used
};

/// Accepts `now`, or says which doubt stands: ClockAhead, ClockBehind (with the wait), ClockUnverified.
[[nodiscard]] Result<void> check_time(Instant now, const TimeEvidence& evidence,
                                      const TimeBounds& bounds);

}  // namespace mintmark::lease
