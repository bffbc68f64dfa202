#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(Collide, KnowsTheFiguresThatOthersGetWrong) {
  const Shell shell;
  const Ran nanoid = shell.run("mintmark collide nanoid --rate 1000/h");
  EXPECT_EQ(nanoid.code, 0) << nanoid.err;
  EXPECT_TRUE(has(nanoid.out, "126 random bits")) << nanoid.out;
  EXPECT_TRUE(has(nanoid.out, "0.01        1.308e18              in 1.49e11 years")) << nanoid.out;
  EXPECT_TRUE(
      has(shell.run("mintmark collide uuid4 -n 1e12").out, "chance      9.404e-14, 1 in 1.063e13"));
  EXPECT_TRUE(has(shell.run("mintmark collide uuid7").out, "74 random bits, anew in each ms"));
  EXPECT_TRUE(has(shell.run("mintmark collide ulid").out, "80 random bits, anew in each ms"));
  EXPECT_TRUE(has(shell.run("mintmark collide ksuid").out, "128 random bits, anew in each second"));
}

TEST(Collide, AMillionInOneMillisecondAndOverYears) {
  const Shell shell;
  const Ran burst = shell.run("mintmark collide uuid7 --ids 1M");
  EXPECT_TRUE(has(burst.out, "IDs         1000000 in one ms\nchance      2.647e-11")) << burst.out;
  const Ran years = shell.run("mintmark collide uuid7 --rate 1M/s --for 10y");
  EXPECT_TRUE(has(years.out, "chance      8.353e-6")) << years.out;
  EXPECT_TRUE(has(years.out, "1e-09       37778931882           in 10.5 hours")) << years.out;
  // Twelve bits of a counter that starts at 0 make it 4096 times as likely.
  const Ran counted = shell.run("mintmark collide uuid7 --ids 1M --counter 12");
  EXPECT_TRUE(has(counted.out, "chance      1.084e-7")) << counted.out;
}

TEST(Collide, TakesBitsOrAnAlphabet) {
  const Shell shell;
  const Ran workers = shell.run("mintmark collide --bits 10 --ids 38");
  EXPECT_TRUE(has(workers.out, "chance      0.501\n")) << workers.out;
  EXPECT_TRUE(has(workers.out, "0.5         38\n")) << workers.out;
  EXPECT_TRUE(has(shell.run("mintmark collide --alphabet 64 --size 21").out, "126 random bits"));
  EXPECT_TRUE(has(shell.run("mintmark collide nanoid --size 10").out, "60 random bits"));
  EXPECT_TRUE(has(shell.run("mintmark collide --bits 4 --ids 17").out, "above 0.9999"));
}

TEST(Collide, JsonIsOneDocument) {
  const Shell shell;
  const Ran ran = shell.run("mintmark collide uuid4 --ids 1e12 --json");
  EXPECT_TRUE(ran.out.starts_with("{\"schema\":1,\"scheme\":\"uuid4\",\"bits\":122,")) << ran.out;
  EXPECT_TRUE(
      has(ran.out,
          "\"ids\":\"1000000000000\",\"probability\":9.40395480657e-14,\"log10_probability\":"));
  EXPECT_TRUE(has(ran.out, "{\"probability\":1e-09,\"ids\":\"103120434306671\"}")) << ran.out;
  const Ran huge = shell.run("mintmark collide --alphabet 256 --size 255 --ids 10 --json");
  EXPECT_TRUE(has(huge.out, "\"probability\":0,\"log10_probability\":-612.44")) << huge.out;
}

TEST(Collide, OneAloneIsLikeNoOther) {
  const Shell shell;
  for (const std::string call :
       {"uuid4 --ids 1", "uuid7 --ids 1", "--bits 10 --ids 1", "--bits 10 --rate 1/d --for 1d",
        "--bits 10 --rate 1/d --for 1h"}) {
    const Ran text = shell.run("mintmark collide " + call);
    EXPECT_EQ(text.code, 0) << call;
    EXPECT_TRUE(has(text.out, "\nchance      0\n")) << text.out;
    EXPECT_TRUE(has(shell.run("mintmark collide " + call + " --json").out,
                    "\"probability\":0,\"log10_probability\":null,"))
        << call;
  }
}

TEST(Collide, RefusesWhatIsNotLeftToChance) {
  const Shell shell;
  const Ran snowflake = shell.run("mintmark collide snowflake");
  EXPECT_EQ(snowflake.code, 2);
  EXPECT_TRUE(has(snowflake.err, "mintmark collide --bits 10 --ids WORKERS")) << snowflake.err;
  EXPECT_TRUE(has(shell.run("mintmark collide sonyflake").err, "--bits 16"));
  EXPECT_EQ(shell.run("mintmark collide uuid8").code, 2);
  EXPECT_EQ(shell.run("mintmark collide mastodon").code, 2);
  EXPECT_EQ(shell.run("mintmark collide uuif4").err,
            "mintmark: there is no scheme 'uuif4'; did you mean 'uuid4'?\n");
}

TEST(Collide, RefusesACallThatSaysTwoThings) {
  const Shell shell;
  for (const std::string call :
       {"", "uuid4 --bits 3", "--bits 3 --size 2", "--alphabet 3", "uuid4 --alphabet 3 --size 2",
        "uuid4 --counter 3", "uuid4 --ids 3 --rate 1/s", "uuid4 --for 3d", "uuid4 --ids 0",
        "uuid4 --ids 1.5", "uuid4 --rate 3x", "uuid4 --rate 1/s --for 3", "--bits 0", "--bits 2041",
        "--alphabet 257 --size 2", "uuid7 --counter 74"}) {
    const Ran ran = shell.run("mintmark collide " + call);
    EXPECT_EQ(ran.code, 2) << call;
    EXPECT_EQ(ran.out, "") << call;
    EXPECT_EQ(lines(ran.err), 1U) << ran.err;
  }
}

}  // namespace
}  // namespace mintmark::cli
