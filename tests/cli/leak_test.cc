#include <array>
#include <chrono>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "cli/leaked.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

const Instant kMonday = *parse_time("2026-10-05");
constexpr Duration kDay = std::chrono::hours{24};

TEST(Leaked, TwoSightingsGiveThePaceAndTheBeginning) {
  const auto pace = pace_between({1'000, kMonday}, {1'480, kMonday + 2 * kDay});
  ASSERT_TRUE(pace.has_value());
  EXPECT_DOUBLE_EQ(pace->per_second * 86'400, 240);
  EXPECT_EQ(pace->began, kMonday - std::chrono::hours{100});
  EXPECT_DOUBLE_EQ(count_at({1'480, kMonday + 2 * kDay}, *pace, kMonday + 3 * kDay), 1'720);
  EXPECT_DOUBLE_EQ(count_at({1'480, kMonday}, *pace, kMonday - kDay), 1'480);
  // The order in which they are named does not matter.
  EXPECT_DOUBLE_EQ(pace_between({1'480, kMonday + 2 * kDay}, {1'000, kMonday})->per_second,
                   pace->per_second);
}

TEST(Leaked, WhatDoesNotRiseWithTimeIsNoSequence) {
  EXPECT_FALSE(pace_between({5, kMonday}, {4, kMonday + kDay}).has_value());
  EXPECT_FALSE(pace_between({5, kMonday}, {5, kMonday + kDay}).has_value());
  EXPECT_FALSE(pace_between({5, kMonday}, {6, kMonday}).has_value());
}

TEST(Leaked, EstimatesTheGermanTanks) {
  constexpr std::array kSerials{19.0, 40.0, 42.0, 60.0};
  const TankEstimate tanks = estimate_tanks(kSerials);
  EXPECT_DOUBLE_EQ(tanks.least, 60);
  EXPECT_DOUBLE_EQ(tanks.estimate, 74);
  EXPECT_NEAR(tanks.most, 126.88, 0.01);
  constexpr std::array kOne{10.0};
  EXPECT_DOUBLE_EQ(estimate_tanks(kOne).estimate, 19);
  EXPECT_DOUBLE_EQ(estimate_tanks(kOne).most, 200);
}

TEST(Leak, TwoInvoicesTellThePace) {
  const Shell shell;
  const Ran ran = shell.run("mintmark leak 104211 2026-10-01 119875 2026-11-01 --now 2026-12-01");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "pace       505.3 a day, 15159 in 30 days")) << ran.out;
  EXPECT_TRUE(has(ran.out, "by now     about 135034 in all")) << ran.out;
  EXPECT_TRUE(has(ran.out, "began      about 2026-03-08T")) << ran.out;
  const Ran three = shell.run("mintmark leak 100 2026-01-01 200 2026-01-02 900 2026-01-03 --json");
  EXPECT_TRUE(has(three.out, "\"kind\":\"sequence\"")) << three.out;
  EXPECT_TRUE(has(three.out, "\"per_day\":400,\"began\":\"2025-12-31T18:00:00.000Z\""))
      << three.out;
  EXPECT_TRUE(has(shell.run("mintmark leak 19 40 42 60").out,
                  "estimate   74 if the 4 seen are a fair sample"));
}

TEST(Leak, ASnowflakeTellsWhenAndWho) {
  const Shell shell;
  const Ran ran = shell.run("mintmark leak 1541815603606036480");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out, "when       2022-06-28T16:07:40.105Z, to 1 ms")) << ran.out;
  EXPECT_TRUE(has(ran.out, "worker 26")) << ran.out;
  EXPECT_TRUE(has(ran.out, "the next   can be guessed")) << ran.out;
  const Ran uuid = shell.run("mintmark leak 017f22e2-79b0-7cc3-98c4-dc0c0c07398f --json");
  EXPECT_TRUE(has(uuid.out,
                  "\"scheme\":\"uuid7\",\"random_bits\":39,\"time\":\"2022-02-22T19:22:22.000Z\""));
  const Ran v4 = shell.run("mintmark leak 919108f7-52d1-4320-9bac-f847db4148a8");
  EXPECT_FALSE(has(v4.out, "when")) << v4.out;
  EXPECT_TRUE(has(v4.out, "122 bits that must be guessed")) << v4.out;
}

TEST(Leak, TwoObjectIdsTellHowManyLieBetween) {
  const Shell shell;
  const Ran ran = shell.run("mintmark leak 507f1f77bcf86cd799ffffff 507f1f87bcf86cd799000003");
  EXPECT_TRUE(has(ran.out, "time       16 seconds\n  made       4 more")) << ran.out;
  const Ran others = shell.run("mintmark leak 507f1f77bcf86cd799ffffff 507f1f87bcf86cd79a000003");
  EXPECT_FALSE(has(others.out, "made ")) << others.out;
}

TEST(Leak, TwoSnowflakesOfOneTickTellHowManyLieBetween) {
  const Shell shell;
  const Ran ran = shell.run("mintmark leak 1541815603606036480 1541815603606036485");
  EXPECT_TRUE(has(ran.out, "made       5 more by the same maker in the same tick")) << ran.out;
  const Ran back = shell.run("mintmark leak 1541815603606036485 1541815603606036480 --json");
  EXPECT_TRUE(has(back.out, "\"made_between\":\"5\"")) << back.out;
  // Another worker, and another tick: a sequence starts anew.
  for (const std::string other : {"1541815603606040576", "1541815603610230785"}) {
    const Ran none = shell.run("mintmark leak 1541815603606036480 " + other);
    EXPECT_TRUE(has(none.out, "between the first and the last")) << none.out;
    EXPECT_FALSE(has(none.out, "made ")) << none.out;
  }
}

TEST(Leak, TheOrderOfTwoObjectIdsOfOneSecondDoesNotMatter) {
  const Shell shell;
  for (const std::string ids : {"507f1f77bcf86cd799ffffff 507f1f77bcf86cd799000003",
                                "507f1f77bcf86cd799000003 507f1f77bcf86cd799ffffff"})
    EXPECT_TRUE(has(shell.run("mintmark leak " + ids).out, "made       4 more")) << ids;
}

TEST(Leak, TheNextOfAMonotonicGeneratorIsRandomInAnotherTick) {
  const Shell shell;
  for (const auto& [id, bits] :
       {std::pair{"01ARZ3NDEKTSV4RRFFQ69G5FAV", "80"},
        std::pair{"0ujtsYcgvSTl8PAuAdqWYSMnLOv", "128"}, std::pair{"-JhLeOlGIEjaIOFHR0xd", "72"}}) {
    const Ran ran = shell.run("mintmark leak -- " + std::string{id});
    EXPECT_TRUE(has(ran.out, "the next   is this plus one, if a monotonic")) << ran.out << ran.err;
    EXPECT_TRUE(has(ran.out, "it has " + std::string{bits} + " random bits")) << ran.out;
    EXPECT_TRUE(has(shell.run("mintmark leak --json -- " + std::string{id}).out,
                    "\"random_bits\":" + std::string{bits} + ","))
        << id;
  }
}

TEST(Leak, SaysWhatOnesOfOneMakerHaveInCommon) {
  const Shell shell;
  for (const std::string id :
       {"c232ab00-9414-11ec-b3c8-9f6bdeced846", "1ec9414c-232a-6b00-b3c8-9f6bdeced846"}) {
    const Ran ran = shell.run("mintmark leak " + id);
    EXPECT_TRUE(has(ran.out, "who        clock_seq 13256: as a rule the same")) << ran.out;
    EXPECT_FALSE(has(ran.out, "lie between")) << ran.out;
  }
  for (const std::string id : {"507f1f77bcf86cd799439011", "9m4e2mr0ui3e8a215n4g"})
    EXPECT_TRUE(
        has(shell.run("mintmark leak " + id).out, "two IDs with the same are of one process"))
        << id;
}

TEST(Leak, SaysOnceWhatThreeFieldsSay) {
  const Shell shell;
  const Ran ran = shell.run("mintmark leak 5df41881-3aed-3515-88a7-2f4a814cf09e");
  EXPECT_EQ(lines(ran.out), 3U) << ran.out;
  EXPECT_TRUE(has(ran.out, "made from a name")) << ran.out;
}

TEST(Leak, ANumberSeenTwiceCountsOnce) {
  const Shell shell;
  const Ran same = shell.run("mintmark leak 5 5 5 5");
  EXPECT_TRUE(has(same.out, "estimate   9 if the 1 different of the 4 seen is a fair")) << same.out;
  const Ran two = shell.run("mintmark leak 5 5 6 --json");
  EXPECT_TRUE(has(two.out, "],\"different\":2,\"at_least\":\"6\",\"estimate\":\"8\"")) << two.out;
}

TEST(Leak, ADateThatIsNoneIsNoId) {
  const Shell shell;
  for (const std::string call : {"1 2026-13-01", "2026-02-30", "1 2026-12-01T25:00:00Z"}) {
    const Ran ran = shell.run("mintmark leak " + call);
    EXPECT_EQ(ran.code, 2) << call;
    EXPECT_EQ(ran.out, "") << call;
    EXPECT_TRUE(has(ran.err, " is no time: ")) << ran.err;
  }
}

TEST(Leak, RefusesWhatSaysNothing) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark leak").code, 2);
  EXPECT_EQ(shell.run("mintmark leak 2026-10-01").err,
            "mintmark: the time '2026-10-01' stands behind no ID\n");
  EXPECT_EQ(shell.run("mintmark leak 5 2026-01-01 2026-01-02").code, 2);
  EXPECT_EQ(shell.run("mintmark leak 5 2026-01-01 4 2026-02-01").err,
            "mintmark: the numbers do not rise with their times: they are no sequence\n");
  const Ran nothing = shell.run("mintmark leak 'no ID'");
  EXPECT_EQ(nothing.code, 1);
  EXPECT_EQ(nothing.err, "mintmark: 'no ID' is no ID that is known here\n");
}

}  // namespace
}  // namespace mintmark::cli
