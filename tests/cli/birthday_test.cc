// The figures were worked out with 120 digits from ln N! - ln (N - n)! - n ln N.
#include "cli/birthday.h"

#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "seed.h"

namespace mintmark::cli {
namespace {

constexpr double kClose = 1e-12;

double hazard(double ids, double bits) {
  return std::exp(log_hazard(ids, ValueSpace::of_bits(bits)));
}
double chance(double ids, const ValueSpace& space) {
  return Chance::of_log_hazard(log_hazard(ids, space)).value();
}
void expect_ratio(double value, double exact) {
  EXPECT_NEAR(value / exact, 1, kClose) << value << ' ' << exact;
}

TEST(Birthday, IsThatOf23PeopleAnd365Days) {
  const auto days = ValueSpace::of_text(365, 1);
  expect_ratio(chance(23, days), 0.507297234323985);
  EXPECT_EQ(ids_for(0.5, days), 23);
  EXPECT_EQ(ids_for(0.01, days), 4);
}

TEST(Birthday, HasTheKnownFiguresOfUuids) {
  const auto v4 = ValueSpace::of_bits(122);
  expect_ratio(chance(1e12, v4), 9.4039548065684539e-14);
  expect_ratio(chance(3.26e16, v4), 9.99364761200385e-5);
  expect_ratio(ids_for(0.5, v4), 2.7149226693954453e18);
  expect_ratio(ids_for(0.01, v4), 3.2691513006913587e17);
  EXPECT_EQ(ids_for(1e-9, v4), 103'120'434'306'671);
  EXPECT_EQ(ids_for(1e-6, v4), 3'260'955'271'572'252);
  // A million UUIDv7 of one millisecond.
  expect_ratio(chance(1e6, ValueSpace::of_bits(74)), 2.646975313156696e-11);
  EXPECT_EQ(ids_for(1e-9, ValueSpace::of_bits(74)), 6'146'458);
  EXPECT_EQ(ids_for(0.01, ValueSpace::of_bits(74)), 19'485'660'200);
}

TEST(Birthday, HasTheKnownFiguresOfNanoid) {
  const auto space = ValueSpace::of_text(64, 21);
  expect_ratio(space.count(), 8.507059173023462e37);  // 2^126
  expect_ratio(ids_for(0.01, space), 1.3076605202765435e18);
  expect_ratio(ids_for(0.5, space), 1.0859690677581781e19);
}

TEST(Birthday, CountsWorkersThatDrawTheirNumber) {
  EXPECT_EQ(ids_for(0.5, ValueSpace::of_bits(10)), 38);
  expect_ratio(chance(38, ValueSpace::of_bits(10)), 0.50095585888568);
}

TEST(Birthday, TheFewestIdsAreTheFewest) {
  for (const double bits : {4.0, 10.0, 16.0, 32.0, 41.0}) {
    const auto space = ValueSpace::of_bits(bits);
    for (const double wanted : {1e-9, 1e-6, 0.01, 0.5, 0.999}) {
      const double ids = ids_for(wanted, space);
      EXPECT_EQ(ids, std::round(ids));
      EXPECT_GE(chance(ids, space), wanted * (1 - kClose)) << bits;
      if (ids > 2) {
        EXPECT_LT(chance(ids - 1, space), wanted) << bits;
      }
    }
  }
}

TEST(Birthday, IsExactOnBothSidesOfTheSum) {
  // Term by term up to 65,536 values, by Euler and Maclaurin above.
  expect_ratio(hazard(65'537, 32), 0.50001017260365295);
  expect_ratio(hazard(100'000, 32), 1.1641506117249255);
  expect_ratio(std::exp(log_hazard(70'000, ValueSpace::of_text(1e9, 1))), 2.4500221674425327);
  double sum = 0;
  for (double i = 1; i < 300'000; ++i) sum -= std::log1p(-i / std::exp2(24));
  expect_ratio(hazard(300'000, 24), sum);
}

TEST(Birthday, NeverRoundsAChanceAway) {
  const auto v4 = ValueSpace::of_bits(122);
  expect_ratio(chance(2, v4), 1.88079096131566e-37);
  expect_ratio(chance(10, v4), 8.4635593259204701e-36);
  // 256^255 values: neither they nor the chance fit a double.
  const Chance tiny = Chance::of_log_hazard(log_hazard(10, ValueSpace::of_text(256, 255)));
  EXPECT_EQ(tiny.value(), 0);
  expect_ratio(tiny.log10(), std::log10(45.0) - 2040 * std::log10(2.0));
  EXPECT_GT(ids_for(0.5, ValueSpace::of_text(256, 255)), 1e307);
}

TEST(Birthday, HasItsEnds) {
  const auto space = ValueSpace::of_bits(8);
  EXPECT_EQ(chance(0, space), 0);
  EXPECT_EQ(chance(1, space), 0);
  EXPECT_EQ(chance(257, space), 1);
  EXPECT_LT(chance(20, space), 1);
  EXPECT_EQ(log_hazard(1, space), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(log_hazard(257, space), std::numeric_limits<double>::infinity());
  EXPECT_EQ(chance(1e30, ValueSpace::of_bits(122)), 1);
}

TEST(Birthday, AMeanIsThatOfIndependentArrivals) {
  expect_ratio(std::exp(log_hazard_of_mean(1'000, ValueSpace::of_bits(74))),
               2.6469779601696886e-17);
  expect_ratio(std::exp(log_hazard_of_mean(0.5, ValueSpace::of_bits(20))), 1.1920925165518223e-7);
  expect_ratio(std::exp(log_hazard_of_mean(3'000, ValueSpace::of_bits(20))), 4.2833664954819973);
  // Ten years of a million a second: so many milliseconds of a thousand.
  const auto v7 = ValueSpace::of_bits(74);
  const double ticks = ticks_for(0.01, 1'000, v7);
  expect_ratio(ticks * 2.6469779601696886e-17, -std::log1p(-0.01));
}

TEST(Birthday, AgreesWithWhatIsDrawn) {
  std::mt19937_64 random{test_seed()};
  constexpr int kRounds = 20'000;
  const auto space = ValueSpace::of_bits(12);
  int hits = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::array<bool, 4'096> seen{};
    bool hit = false;
    for (int i = 0; i < 60; ++i) {
      bool& place = seen[random() % seen.size()];
      hit |= place;
      place = true;
    }
    hits += hit ? 1 : 0;
  }
  const double exact = chance(60, space);
  const double six_sigma = 6 * std::sqrt(exact * (1 - exact) / kRounds);
  EXPECT_NEAR(static_cast<double>(hits) / kRounds, exact, six_sigma);
}

}  // namespace
}  // namespace mintmark::cli
