#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(ValidateCommand, SaysOfEachTextWhatItIs) {
  const Shell shell;
  const Ran ran = shell.run(
      "mintmark validate 01ARZ3NDEKTSV4RRFFQ69G5FAV 017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out,
            "valid\tulid\t01ARZ3NDEKTSV4RRFFQ69G5FAV\n"
            "valid\tuuid7\t017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n");
  EXPECT_EQ(ran.err, "");
}

TEST(ValidateCommand, FailsWithTheReasonAndThePlace) {
  const Shell shell;
  const Ran ran =
      shell.run("printf '42\\n8ZZZZZZZZZZZZZZZZZZZZZZZZZ\\n' | mintmark validate -s ulid");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "invalid\t-\t42\ninvalid\t-\t8ZZZZZZZZZZZZZZZZZZZZZZZZZ\n");
  EXPECT_TRUE(has(ran.err, "stdin:1: '42': it has 2 characters")) << ran.err;
  EXPECT_TRUE(has(ran.err, "stdin:2: '8ZZZZZZZZZZZZZZZZZZZZZZZZZ': its value needs more"))
      << ran.err;
}

TEST(ValidateCommand, HoldsToTheSchemeThatIsNamed) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark validate -q -s uuid4 017f22e2-79b0-7cc3-98c4-dc0c0c07398f").code,
            1);
  EXPECT_EQ(shell.run("mintmark validate -q -s uuid7 017f22e2-79b0-7cc3-98c4-dc0c0c07398f").code,
            0);
  EXPECT_EQ(shell.run("mintmark validate -q -s uuid9 x").code, 2);
  EXPECT_EQ(shell.run("mintmark validate -q -s bitreversed 4611686018427387904").code, 0);
}

TEST(ValidateCommand, QuietSaysNothing) {
  const Shell shell;
  const Ran ran = shell.run("mintmark validate -q nonsense");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out + ran.err, "");
}

TEST(ValidateCommand, TakesNothingThatStandsAroundAnId) {
  const Shell shell;
  // Only the end of an input line is no part of the text.
  EXPECT_EQ(shell.run("mintmark validate -q $'017f22e2-79b0-7cc3-98c4-dc0c0c07398f\\n'").code, 1);
  EXPECT_EQ(shell.run("mintmark validate -q ' 42'").code, 1);
  EXPECT_EQ(shell.run("printf '42 \\n' | mintmark validate -q").code, 1);
  EXPECT_EQ(shell.run("printf '42\\r\\n' | mintmark validate -q").code, 0);
}

TEST(ValidateCommand, JsonHasThePositionOfTheMistake) {
  const Shell shell;
  const Ran ran = shell.run("mintmark validate --json 01ARZ3NDEKTSV4RRFFQ69G5FUV 42");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.out,
                  "\"valid\":false,\"error\":\"'U' at 24 is not in Crockford base32\","
                  "\"position\":24}"))
      << ran.out;
  EXPECT_TRUE(has(ran.out, "{\"input\":\"42\",\"valid\":true,\"scheme\":\"twitter\"}")) << ran.out;
}

}  // namespace
}  // namespace mintmark::cli
