#include "lease/time_evidence.h"

#include <gtest/gtest.h>

namespace mintmark::lease {
namespace {

using std::chrono::days;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);
constexpr TimeBounds kBounds{.skew = seconds{5}, .max_gap = days{30}};

Fault fault_of(Instant now, const TimeEvidence& evidence) {
  return check_time(now, evidence, kBounds).error().fault();
}

TEST(TimeEvidence, TwoClocksMayDifferByTwiceTheSkew) {
  TimeEvidence evidence;
  evidence.store_now = kNow;
  EXPECT_TRUE(check_time(kNow + seconds{10}, evidence, kBounds).has_value());
  EXPECT_TRUE(check_time(kNow - seconds{10}, evidence, kBounds).has_value());
  EXPECT_EQ(fault_of(kNow + seconds{10} + Duration{1}, evidence), Fault::clock_ahead);
  const auto behind = check_time(kNow - seconds{13}, evidence, kBounds);
  EXPECT_EQ(behind.error(), Error::retry(Fault::clock_behind, 3'000'000));
}

TEST(TimeEvidence, TheStoresClockOutranksTheKernelsWord) {
  TimeEvidence evidence;
  evidence.store_now = kNow;
  evidence.synchronized = true;
  EXPECT_EQ(fault_of(kNow + days{365}, evidence), Fault::clock_ahead);
}

TEST(TimeEvidence, TheOwnBootLineServesWhereTheStoreHasNoClock) {
  TimeEvidence evidence;
  evidence.own_line = kNow;
  EXPECT_TRUE(check_time(kNow + seconds{9}, evidence, kBounds).has_value());
  EXPECT_EQ(fault_of(kNow + seconds{11}, evidence), Fault::clock_ahead);
}

TEST(TimeEvidence, TheKernelsWordConfirmsAStepAwayFromTheOwnLine) {
  TimeEvidence evidence;
  evidence.own_line = kNow + days{1};
  EXPECT_EQ(fault_of(kNow, evidence), Fault::clock_behind);
  evidence.synchronized = true;
  EXPECT_TRUE(check_time(kNow, evidence, kBounds).has_value());
}

TEST(TimeEvidence, AColdStartAllowsOnlyABoundedGap) {
  TimeEvidence evidence;
  evidence.created_at = kNow - days{400};
  evidence.newest_mark = kNow - days{29};
  EXPECT_TRUE(check_time(kNow, evidence, kBounds).has_value());
  EXPECT_EQ(fault_of(kNow + days{2}, evidence), Fault::clock_unverified);
  EXPECT_EQ(fault_of(kNow - days{60}, evidence),
            Fault::clock_unverified);  // 31 days before the mark
  evidence.synchronized = true;
  EXPECT_TRUE(check_time(kNow + days{2}, evidence, kBounds).has_value());
}

TEST(TimeEvidence, WithoutGrantsTheCreationCounts) {
  TimeEvidence evidence;
  evidence.created_at = kNow;
  EXPECT_TRUE(check_time(kNow + days{29}, evidence, kBounds).has_value());
  EXPECT_EQ(fault_of(kNow + days{31}, evidence), Fault::clock_unverified);
}

TEST(TimeEvidence, TrueTimeIsNotBeforeTheCreation) {
  TimeEvidence evidence;
  evidence.created_at = kNow;
  evidence.synchronized = true;
  EXPECT_EQ(fault_of(kNow - seconds{11}, evidence), Fault::clock_behind);
}

}  // namespace
}  // namespace mintmark::lease
