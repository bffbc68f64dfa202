// The system's clock: what its two lines and its pause promise.

#include "io/os_clock.h"

#include <chrono>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/timex.h>

namespace mintmark::io {
namespace {

TEST(OsClock, AgreesWithTheWallClockOfTheLibrary) {
  const auto before =
      std::chrono::floor<Duration>(std::chrono::system_clock::now().time_since_epoch());
  const auto mine = os_clock().wall().time_since_epoch();
  const auto hot = wall_now().time_since_epoch();
  const auto after =
      std::chrono::ceil<Duration>(std::chrono::system_clock::now().time_since_epoch());
  EXPECT_LE(before, mine);
  EXPECT_LE(mine, hot);
  EXPECT_LE(hot, after);
}

TEST(OsClock, CountsBootTimeAsTheKernelDoes) {
  // /proc/uptime is CLOCK_BOOTTIME in seconds with two digits (proc(5)).
  const auto uptime = [] {
    double seconds = 0;
    std::ifstream{"/proc/uptime"} >> seconds;
    return seconds;
  };
  const double before = uptime();
  const double mine = std::chrono::duration<double>{os_clock().boot().time_since_epoch()}.count();
  const double after = uptime();
  EXPECT_LE(before - 0.02, mine);
  EXPECT_LE(mine, after + 0.02);
}

TEST(OsClock, NeverCountsBootTimeBackward) {
  auto last = os_clock().boot();
  for (int i = 0; i < 100'000; ++i) {
    const auto now = os_clock().boot();
    ASSERT_LE(last, now);
    last = now;
  }
}

TEST(OsClock, RepeatsTheKernelsWordAboutSynchronisation) {
  timex state{};
  ASSERT_NE(::adjtimex(&state), -1);
  EXPECT_EQ(os_clock().synchronized(), (state.status & STA_UNSYNC) == 0);
}

TEST(OsClock, PausesForNoLessThanTheLength) {
  constexpr Duration kLength = std::chrono::milliseconds{20};
  const auto before = std::chrono::steady_clock::now();
  pause_for(kLength);
  EXPECT_GE(std::chrono::steady_clock::now() - before, kLength);
  pause_for(Duration::zero());
  pause_for(-std::chrono::hours{1});
}

}  // namespace
}  // namespace mintmark::io
