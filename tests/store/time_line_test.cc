// The time line: when it tells the time, when it is silent, and when it moves.

#include "store/time_line.h"

#include <chrono>

#include <gtest/gtest.h>

#include "tests/fake_clock.h"

namespace mintmark::store {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kSkew = seconds{5};

TEST(TimeLine, CountsBootTimeWhateverTheWallClockDoes) {
  FakeClock clock;
  const auto line = read_line(clock, "start");
  const auto right = clock.wall() + hours{3};
  clock.advance(hours{3});
  clock.step_wall(-hours{100});
  EXPECT_EQ(now_by(line, read_line(clock, "start"), kSkew), right);
}

TEST(TimeLine, IsSilentAboutAnotherStartOfTheMachine) {
  FakeClock clock;
  const auto line = read_line(clock, "start");
  clock.advance(hours{1});
  EXPECT_FALSE(now_by(line, read_line(clock, "another"), kSkew).has_value());
  EXPECT_FALSE(now_by(read_line(clock, ""), read_line(clock, ""), kSkew).has_value());
  clock.set_boot(line.boot - Duration{1});
  EXPECT_FALSE(now_by(line, read_line(clock, "start"), kSkew).has_value());
}

TEST(TimeLine, IsSilentWhenTheKernelsWordIsAgainstIt) {
  FakeClock clock;
  clock.lose_synchronization();
  const auto unsure = read_line(clock, "start");
  clock.step_wall(2 * kSkew + Duration{1});
  EXPECT_TRUE(now_by(unsure, read_line(clock, "start"), kSkew).has_value());
  clock.gain_synchronization();
  EXPECT_FALSE(now_by(unsure, read_line(clock, "start"), kSkew).has_value());
  // In the bounds of two right clocks there is nothing to correct.
  clock.step_wall(-Duration{1});
  clock.gain_synchronization();
  EXPECT_TRUE(now_by(unsure, read_line(clock, "start"), kSkew).has_value());
}

TEST(TimeLine, IsSilentWhenAStepWasConfirmedAfterIt) {
  FakeClock clock;
  const auto sure = read_line(clock, "start");
  // A virtual machine was paused for an hour, and its boot time with it.
  clock.step_wall(hours{1});
  EXPECT_EQ(now_by(sure, read_line(clock, "start"), kSkew), sure.wall);
  clock.gain_synchronization();
  EXPECT_FALSE(now_by(sure, read_line(clock, "start"), kSkew).has_value());
}

TEST(TimeLine, KeepsTheOldLineThroughAStepThatNobodyConfirms) {
  FakeClock clock;
  clock.lose_synchronization();
  const auto line = read_line(clock, "start");
  for (const Duration step : {Duration{kStep + Duration{1}}, -Duration{kStep + Duration{1}}}) {
    FakeClock stepped;
    stepped.lose_synchronization();
    stepped.step_wall(step);
    const auto here = read_line(stepped, "start");
    EXPECT_EQ(&newer_line(line, here, kSkew), &line);
    stepped.gain_synchronization();
    const auto confirmed = read_line(stepped, "start");
    EXPECT_EQ(&newer_line(line, confirmed, kSkew), &confirmed);
  }
  clock.step_wall(kStep);
  const auto drifted = read_line(clock, "start");
  EXPECT_EQ(&newer_line(line, drifted, kSkew), &drifted);
  const auto elsewhere = read_line(clock, "another");
  EXPECT_EQ(&newer_line(line, elsewhere, kSkew), &elsewhere);
}

}  // namespace
}  // namespace mintmark::store
