#include <gtest/gtest.h>

#include "cli/runway.h"
#include "mintmark/scheme/catalogue.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(Runway, KnowsTheColumnsByEveryName) {
  EXPECT_EQ(find_number_column("int")->last, U128{2'147'483'647});
  EXPECT_EQ(find_number_column("INT UNSIGNED")->last, U128{4'294'967'295});
  EXPECT_EQ(find_number_column("serial")->last, U128{2'147'483'647});
  EXPECT_EQ(find_number_column("smallint")->last, U128{32'767});
  EXPECT_EQ(find_number_column("mediumint unsigned")->last, U128{16'777'215});
  EXPECT_EQ(find_number_column("bigint")->last, (U128{1} << 63) - 1);
  EXPECT_EQ(find_number_column("ubigint")->last, (U128{1} << 64) - 1);
  EXPECT_EQ(find_number_column("2^53")->last, U128{9'007'199'254'740'991});
  EXPECT_FALSE(find_number_column("text").has_value());
  for (const std::string_view name : number_column_names())
    EXPECT_TRUE(find_number_column(name)) << name;
}

TEST(Runway, CountsToTheLastNumber) {
  EXPECT_EQ(runway_of({.first = 1, .last = 10, .at = 0}).left, U128{10});
  EXPECT_EQ(runway_of({.first = 1, .last = 10, .at = 9}).left, U128{1});
  EXPECT_EQ(runway_of({.first = 1, .last = 10, .at = 10}).left, U128{0});
  EXPECT_EQ(runway_of({.first = 1, .last = 10, .at = 11}).left, U128{0});
  EXPECT_EQ(runway_of({.first = 5, .last = 5, .at = 0}).left, U128{1});
  // Two servers that take every other number: 1, 3, 5, 7, 9.
  EXPECT_EQ(runway_of({.first = 1, .last = 10, .at = 0, .step = 2}).left, U128{5});
  EXPECT_EQ(runway_of({.first = 1, .last = 10, .at = 7, .step = 2}).left, U128{1});
  EXPECT_DOUBLE_EQ(runway_of({.first = 1, .last = 10, .at = 5}).used, 0.5);
}

TEST(Runway, KnowsTheLastTimeOfEachScheme) {
  const auto last = [](std::string_view name) {
    const auto instant = last_instant(*find_scheme(name));
    return instant ? std::string{TimeText{*instant}.view()} : "none";
  };
  EXPECT_EQ(last("uuid7"), "10889-08-02T05:31:50.655Z");
  EXPECT_EQ(last("ulid"), "10889-08-02T05:31:50.655Z");
  EXPECT_EQ(last("uuid1"), "5236-03-31T21:21:00.6846975Z");
  EXPECT_EQ(last("uuid6"), "5236-03-31T21:21:00.6846975Z");
  EXPECT_EQ(last("ksuid"), "2150-06-19T23:21:35.000Z");
  EXPECT_EQ(last("objectid"), "2106-02-07T06:28:15.000Z");
  EXPECT_EQ(last("twitter"), "2080-07-10T17:30:30.208Z");
  EXPECT_EQ(last("discord"), "2154-05-15T07:35:11.103Z");
  EXPECT_EQ(last("instagram"), "2046-06-27T17:00:49.496Z");
  EXPECT_EQ(last("sonyflake"), "2188-11-16T03:28:58.870Z");
  EXPECT_EQ(last("baidu"), "2024-11-20T13:24:15.000Z");
  EXPECT_EQ(last("uuid4"), "none");
  EXPECT_EQ(last("nanoid"), "none");
}

TEST(Headroom, SaysWhenAColumnIsFull) {
  const Shell shell;
  const Ran ran = shell.run("mintmark headroom int --at 1.5G --rate 200/s --now 2026-12-01");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "int: 1 to 2147483647\n"
            "  used     69.85 %\n"
            "  left     647483647\n"
            "  ends     at 200/s 2027-01-07T11:16:58.000Z, in 37.5 days\n");
  EXPECT_EQ(lines(shell.run("mintmark headroom int").out), 7U);
  const Ran js =
      shell.run("mintmark headroom 2^53 --at 9007199254740000 --rate 1/s --json --now 2026-12-01");
  EXPECT_TRUE(has(js.out, "\"last\":\"9007199254740991\"")) << js.out;
  EXPECT_TRUE(has(js.out, "\"left\":\"991\"")) << js.out;
  EXPECT_TRUE(
      has(js.out,
          "\"ends\":[{\"rate\":\"1/s\",\"seconds\":991,\"time\":\"2026-12-01T00:16:31.000Z\"}]"))
      << js.out;
}

TEST(Headroom, AFullColumnIsExitCode1) {
  const Shell shell;
  const Ran full = shell.run("mintmark headroom uint --at 4294967295");
  EXPECT_EQ(full.code, 1);
  EXPECT_TRUE(has(full.out, "now: the last number is used")) << full.out;
  EXPECT_EQ(shell.run("mintmark headroom uint --at 4294967294").code, 0);
  const std::string call = "mintmark headroom int --at 2G --rate 10/s --within ";
  EXPECT_EQ(shell.run(call + "170d").code, 0);
  EXPECT_EQ(shell.run(call + "171d").code, 1);
}

TEST(Headroom, SaysWhenALayoutEndsAndWhatItTakes) {
  const Shell shell;
  const Ran twitter = shell.run("mintmark headroom twitter --rate 5M/s --now 2026-12-01");
  EXPECT_EQ(twitter.out,
            "twitter: time since 2010-11-04T01:42:54.657Z\n"
            "  last     2080-07-10T17:30:30.208Z\n"
            "  left     53.6 years\n"
            "  pace     at most 4096000/s for each of 1024 workers\n"
            "  needs    2 workers at 5M/s\n");
  EXPECT_EQ(shell.run("mintmark headroom snowflake --now 2026-12-01 --json").code, 0);
  const Ran baidu = shell.run("mintmark headroom baidu --now 2026-12-01");
  EXPECT_EQ(baidu.code, 1);
  EXPECT_TRUE(has(baidu.out, "none: it ended 2.0 years ago")) << baidu.out;
  const Ran own =
      shell.run("mintmark headroom 'time:32 worker:8 seq:8 unit=1s epoch=2020-01-01' --rate 1M/s");
  EXPECT_TRUE(has(own.out, "3907 workers at 1M/s, more than there are")) << own.out;
  EXPECT_EQ(shell.run("mintmark headroom ulid --within 10y").code, 0);
}

TEST(Headroom, TakesABlock) {
  const Shell shell;
  const Ran ran =
      shell.run("mintmark headroom --from 1M --to 2M --at 1.2M --rate 50/d --now 2026-12-01");
  EXPECT_TRUE(has(ran.out, "block: 1000000 to 2000000\n  used     20.00 %\n  left     800000\n"))
      << ran.out;
  EXPECT_EQ(shell.run("mintmark headroom --from 1M --to 2M --step 2 --json").code, 0);
}

TEST(Headroom, RefusesWhatHasNoEnd) {
  const Shell shell;
  for (const std::string call :
       {"", "uuid4", "nothing", "int --from 3 --to 4", "--from 4 --to 3", "--from 3", "int --at -1",
        "int --at 1.5", "int --rate 3", "int --step 0", "twitter --at 3", "int --rate 0/s",
        "int --within 3", "int --within 2y", "--to 9 --within 2y", "int --now yesterday",
        "int uint"}) {
    const Ran ran = shell.run("mintmark headroom " + call);
    EXPECT_EQ(ran.code, call == "int --rate 3" ? 0 : 2) << call;  // 3 a second
    EXPECT_LE(lines(ran.err), 1U) << ran.err;
  }
  EXPECT_EQ(shell.run("mintmark headroom bigit").err,
            "mintmark: headroom of 'bigit'? did you mean 'bigint'?\n");
}

}  // namespace
}  // namespace mintmark::cli
