#include "mintmark/base/error.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace mintmark {
namespace {

TEST(Error, EveryFaultHasARowWithAllItsWords) {
  std::set<std::string_view> names;
  for (const FaultRow& row : kFaults) {
    EXPECT_EQ(&row_of(row.fault), &row);
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.sentence.empty()) << row.name;
    EXPECT_FALSE(row.remedy.empty()) << row.name;
    EXPECT_FALSE(row.sentence.ends_with('.')) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (const char c : row.name) {
      EXPECT_TRUE((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) << row.name;
    }
  }
}

TEST(Error, BadInputIsNeverWorthARetry) {
  for (const FaultRow& row : kFaults) {
    if (row.kind == Kind::bad_input || row.kind == Kind::not_found || row.kind == Kind::denied) {
      EXPECT_FALSE(row.retryable) << row.name;
    }
  }
}

TEST(Error, BadInputHasAPositionAndNoWait) {
  constexpr Error kError = Error::at(Fault::bad_character, 17);
  EXPECT_EQ(kError.position(), 17u);
  EXPECT_EQ(kError.retry_after_us(), 0u);
  EXPECT_EQ(kError.kind(), Kind::bad_input);
  EXPECT_EQ(kError.row().name, "BadCharacter");
}

TEST(Error, ARefusalHasAWait) {
  constexpr Error kError = Error::retry(Fault::sequence_exhausted, 250);
  EXPECT_EQ(kError.retry_after_us(), 250u);
  EXPECT_EQ(kError.kind(), Kind::refused);
}

TEST(Error, NumbersThatDoNotFitAreTheLargest) {
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  EXPECT_EQ(
      Error::retry(Fault::clock_behind, std::numeric_limits<std::uint64_t>::max()).retry_after_us(),
      kMost);
  EXPECT_EQ(Error::at(Fault::bad_character, std::size_t{kMost} + 1).position(), kMost);
}

Result<int> halve(int value) {
  if (value % 2 != 0) return fail(Error::at(Fault::invalid_argument, 3));
  return value / 2;
}
Result<int> quarter(int value) {
  MINTMARK_TRY(half, halve(value));
  return halve(half);
}

TEST(Error, TryHandsOnTheValueOrTheError) {
  EXPECT_EQ(quarter(8), 2);
  EXPECT_EQ(quarter(6).error(), Error::at(Fault::invalid_argument, 3));
  EXPECT_EQ(quarter(7).error(), Error::at(Fault::invalid_argument, 3));
}

TEST(ErrorDeathTest, CheckStopsTheProcessInEveryBuild) {
  MINTMARK_CHECK(1 + 1 == 2);
  EXPECT_DEATH(MINTMARK_CHECK(1 + 1 == 3), "invariant broken: 1 \\+ 1 == 3");
}

}  // namespace
}  // namespace mintmark
