#include "io/wait.h"

#include <algorithm>
#include <cerrno>

#include <poll.h>

#include "io/os_clock.h"

namespace mintmark::io {

short wait_until(int descriptor, short events, BootInstant deadline) {
  // poll(2) counts its milliseconds without suspend: look at the clock again now and then.
  constexpr std::chrono::milliseconds kLongest{60'000};
  for (;;) {
    const Duration left = std::max(deadline - os_clock().boot(), Duration::zero());
    const auto pause = std::min(std::chrono::ceil<std::chrono::milliseconds>(left), kLongest);
    pollfd one{.fd = descriptor, .events = events, .revents = 0};
    const int count = ::poll(&one, 1, static_cast<int>(pause.count()));
    if (count > 0) return one.revents;
    if (count < 0 && errno != EINTR) return POLLERR;
    if (left == Duration::zero()) return 0;
  }
}

}  // namespace mintmark::io
