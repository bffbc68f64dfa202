// The 48 bits of milliseconds since 1970 that UUIDv7, ULID and push IDs begin with, as one rule.
#pragma once

#include <cstdint>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::unix_ms48 {

inline constexpr std::int64_t kLast = (std::int64_t{1} << 48) - 1;  ///< 10889-08-02T05:31:50.655Z

/// The millisecond that holds `time`. Errors: ClockBeforeEpoch, TimestampOverflow.
[[nodiscard]] constexpr Result<std::int64_t> at(Instant time) {
  const std::int64_t ms = unix_ms(time);
  if (ms < 0) return fail(Fault::clock_before_epoch);
  if (ms > kLast) return fail(Fault::timestamp_overflow);
  return ms;
}

}  // namespace mintmark::unix_ms48
