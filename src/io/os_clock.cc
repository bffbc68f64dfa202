// The system's clock. Reads CLOCK_REALTIME for stamps and CLOCK_BOOTTIME for lengths of time: the
// latter counts suspend, which CLOCK_MONOTONIC leaves out (protocol 3.1).

#include "io/os_clock.h"

#include <cerrno>

#include <sys/timex.h>
#include <time.h>

namespace mintmark::io {

namespace {

Duration read(clockid_t id) {
  timespec time{};
  MINTMARK_CHECK(::clock_gettime(id, &time) == 0);
  return std::chrono::seconds{time.tv_sec} +
         std::chrono::floor<Duration>(std::chrono::nanoseconds{time.tv_nsec});
}

class OsClock final : public Clock {
 public:
  [[nodiscard]] Instant wall() const override { return wall_now(); }
  [[nodiscard]] BootInstant boot() const override { return BootInstant{read(CLOCK_BOOTTIME)}; }

  [[nodiscard]] bool synchronized() const override {
    timex state{};
    return ::adjtimex(&state) != -1 && (state.status & STA_UNSYNC) == 0;
  }
};

}  // namespace

const Clock& os_clock() {
  // Never destroyed: threads may still ask while the process ends.
  static const Clock& clock = *new OsClock;
  return clock;
}

Instant wall_now() { return Instant{read(CLOCK_REALTIME)}; }

void pause_for(Duration length) {
  if (length <= Duration::zero()) return;
  const auto whole = std::chrono::floor<std::chrono::seconds>(length);
  timespec left{};
  left.tv_sec = whole.count();
  left.tv_nsec = std::chrono::nanoseconds{length - whole}.count();
  while (::clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
  }
}

}  // namespace mintmark::io
