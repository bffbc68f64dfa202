#include "store/time_line.h"

#include <utility>

namespace mintmark::store {

TimeLine read_line(const Clock& clock, std::string boot_id) {
  return {.boot_id = std::move(boot_id),
          .boot = clock.boot(),
          .wall = clock.wall(),
          .synchronized = clock.synchronized() ? Synchronized::yes : Synchronized::no};
}

std::optional<Instant> now_by(const TimeLine& line, const TimeLine& here, Duration skew) {
  if (line.boot_id.empty() || line.boot_id != here.boot_id || here.boot < line.boot) return {};
  const Instant now = line.wall + (here.boot - line.boot);
  const bool confirmed = here.synchronized == Synchronized::yes;
  if (confirmed && std::chrono::abs(here.wall - now) > 2 * skew) return {};
  return now;
}

const TimeLine& newer_line(const TimeLine& line, const TimeLine& here, Duration skew) {
  const auto now = now_by(line, here, skew);
  if (!now || here.synchronized == Synchronized::yes) return here;
  return std::chrono::abs(here.wall - *now) <= kStep ? here : line;
}

}  // namespace mintmark::store
