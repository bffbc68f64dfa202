#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(InspectCommand, ShowsACard) {
  const Shell shell;
  const Ran ran = shell.run("mintmark inspect 01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(ran.out.starts_with("01ARZ3NDEKTSV4RRFFQ69G5FAV  ULID\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "2016-07-30T23:54:10.259Z")) << ran.out;
  EXPECT_TRUE(has(ran.out, "randomness   80 bits")) << ran.out;
}

TEST(InspectCommand, ShowsTheOtherLayouts) {
  const Shell shell;
  const Ran brief = shell.run("mintmark inspect 1541815603606036480");
  EXPECT_TRUE(has(brief.out, "Snowflake (twitter)\n")) << brief.out;
  EXPECT_TRUE(has(brief.out, "  or           Snowflake (discord): ")) << brief.out;
  const Ran all = shell.run("mintmark inspect --all 1541815603606036480");
  EXPECT_GT(lines(all.out), lines(brief.out) + 10);
}

// A known decoder shows this one as of 18:00:00.123, of centre 3, worker 7; those that hold it in a number of
// JavaScript lose its last bits.
TEST(InspectCommand, ReadsATweetToItsLastBit) {
  const Shell shell;
  const Ran ran = shell.run("mintmark inspect --json 1529877576591609861");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(has(ran.out,
                  "{\"scheme\":\"twitter\",\"title\":\"Snowflake (twitter)\",\"canonical\":"
                  "\"1529877576591609861\",\"hex\":\"153b378cde941005\","
                  "\"time\":\"2022-05-26T17:30:12.667Z\","))
      << ran.out;
  EXPECT_TRUE(has(ran.out,
                  "{\"name\":\"dc\",\"bits\":5,\"value\":\"10\"},"
                  "{\"name\":\"worker\",\"bits\":5,\"value\":\"1\"},"
                  "{\"name\":\"seq\",\"bits\":12,\"value\":\"5\"}"))
      << ran.out;
}

// Others say 62 of them, or 80.
TEST(InspectCommand, CountsTheRandomBitsOfUuidV7) {
  const Shell shell;
  const Ran ran = shell.run("mintmark inspect --json 017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  EXPECT_TRUE(has(ran.out, "{\"name\":\"rand_a\",\"bits\":12,\"value\":\"0xcc3\"")) << ran.out;
  EXPECT_TRUE(has(ran.out, "{\"name\":\"rand_b\",\"bits\":62,\"value\":\"0x18c4dc0c0c07398f\""))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "{\"name\":\"unix_ts_ms\",\"bits\":48,")) << ran.out;
}

TEST(InspectCommand, SaysWhatIsNoIdAndGoesOn) {
  const Shell shell;
  const Ran ran =
      shell.run("mintmark inspect 01ARZ3NDEKTSV4RRFFQ69G5FUV 01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err,
            "mintmark: '01ARZ3NDEKTSV4RRFFQ69G5FUV' is not an ID: 'U' at 24 is not in Crockford "
            "base32\n");
  EXPECT_TRUE(ran.out.starts_with("01ARZ3NDEKTSV4RRFFQ69G5FAV")) << ran.out;
}

TEST(InspectCommand, JsonIsAlwaysOneArray) {
  const Shell shell;
  EXPECT_TRUE(
      shell.run("mintmark inspect --json 42").out.starts_with("[{\"schema\":1,\"input\":\"42\","));
  const Ran two = shell.run("mintmark inspect --json 42 nonsense");
  EXPECT_EQ(two.code, 1);
  EXPECT_TRUE(has(two.out, "]},\n{\"schema\":1,\"input\":\"nonsense\",\"error\":\"")) << two.out;
  EXPECT_TRUE(two.out.ends_with("}]\n")) << two.out;
  EXPECT_EQ(shell.run("mintmark inspect --json").out, "[]\n");
}

TEST(InspectCommand, ReadsStandardInput) {
  const Shell shell;
  for (const std::string dash : {"", " -"}) {
    const Ran ran = shell.run(
        "printf '42\\r\\n\\n01ARZ3NDEKTSV4RRFFQ69G5FAV' | mintmark inspect --json" + dash);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(lines(ran.out), 2U) << ran.out;
    EXPECT_TRUE(has(ran.out, "\"input\":\"42\"")) << ran.out;
  }
}

TEST(InspectCommand, ShowsNothingThatSteersATerminal) {
  const Shell shell;
  const Ran ran =
      shell.run("printf '\\033[2J\\302\\233x\\n' | mintmark inspect; exit ${PIPESTATUS[1]}");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(ran.err.starts_with("mintmark: stdin:1: '\\x1b[2J\\xc2\\x9bx' is not an ID: "))
      << ran.err;
  for (const char c : ran.err) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << ran.err;
}

TEST(InspectCommand, SaysOnceThatAnEndlessLineIsNoId) {
  const Shell shell;
  shell.write("ids", "42\n" + std::string(3'000'000, 'y') + "\n42\n");
  for (const std::string command : {"inspect", "inspect --json", "verify"}) {
    const Ran ran = shell.run("mintmark " + command + " - <ids");
    EXPECT_EQ(ran.code, 1) << command;
    if (command == "verify") {
      EXPECT_TRUE(has(ran.out, "invalid     1\n  stdin:2: 'yyy")) << ran.out;
      continue;
    }
    EXPECT_EQ(lines(ran.err), 1U) << ran.err;
    EXPECT_TRUE(has(ran.err, "'" + std::string(60, 'y') + "...' is not an ID: ")) << ran.err;
    EXPECT_LT(ran.err.size(), 300U);
  }
}

TEST(InspectCommand, EndsQuietlyWhenTheReaderHasEnough) {
  const Shell shell;
  const Ran ran = shell.run("mintmark new uuid7 -n inf | mintmark inspect | head -n 1");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
}

}  // namespace
}  // namespace mintmark::cli
