#include "lease/time_evidence.h"

#include <algorithm>

namespace mintmark::lease {
namespace {

/// Two clocks, each within E of true time, differ by at most 2E.
Result<void> against(Instant other, Instant now, Duration skew) {
  if (now > other + 2 * skew) return fail(Fault::clock_ahead);
  if (now < other - 2 * skew) {
    return fail(Error::retry(Fault::clock_behind, wait_us(other - 2 * skew - now)));
  }
  return {};
}

}  // namespace

Result<void> check_time(Instant now, const TimeEvidence& evidence, const TimeBounds& bounds) {
  if (evidence.store_now) return against(*evidence.store_now, now, bounds.skew);
  if (now < evidence.created_at - 2 * bounds.skew) {
    const Duration wait = evidence.created_at - 2 * bounds.skew - now;
    return fail(Error::retry(Fault::clock_behind, wait_us(wait)));
  }
  if (evidence.synchronized) return {};
  if (evidence.own_line) return against(*evidence.own_line, now, bounds.skew);
  // A cold start: nothing but the marks speaks of the time, and they only say when it last was used.
  const Instant last_use =
      std::max(evidence.newest_mark.value_or(evidence.created_at), evidence.created_at);
  const Duration gap = now > last_use ? now - last_use : last_use - now;
  if (gap > bounds.max_gap) return fail(Fault::clock_unverified);
  return {};
}

}  // namespace mintmark::lease
