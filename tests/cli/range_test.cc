#include <gtest/gtest.h>

#include "cli/moments.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(RangeCommand, GivesTheEndsOfADay) {
  const Shell shell;
  const Ran ran =
      shell.run("mintmark range --from 2022-02-22T19:22:22Z --to 2022-02-22T19:22:22.001Z uuid7");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "017f22e2-79b0-7000-8000-000000000000\n017f22e2-79b0-7fff-bfff-ffffffffffff\n");
}

TEST(RangeCommand, LeavesTheFirstInstantBehindTheSpanOut) {
  const Shell shell;
  const Ran ran = shell.run("mintmark range --from @0 --to @1 objectid");
  EXPECT_EQ(ran.out, "000000000000000000000000\n00000000ffffffffffffffff\n");
}

TEST(RangeCommand, WritesACondition) {
  const Shell shell;
  const std::string span = "--from 2022-06-28T16:07:40.105Z --to 2022-06-28T16:07:40.106Z ";
  EXPECT_EQ(shell.run("mintmark range " + span + "--sql id twitter").out,
            "id BETWEEN 1541815603604488192 AND 1541815603608682495\n");
  EXPECT_EQ(shell.run("mintmark range " + span + "--sql t.id ulid").out,
            "t.id BETWEEN '01G6NH30A90000000000000000' AND '01G6NH30A9ZZZZZZZZZZZZZZZZ'\n");
  EXPECT_EQ(shell.run("mintmark range " + span + "--sql id --hex uuid7").out,
            "id BETWEEN X'0181ab11814970008000000000000000' AND "
            "X'0181ab1181497fffbfffffffffffffff'\n");
}

TEST(RangeCommand, WritesThePageBesideAnId) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark range --before 42 --limit 20 --sql id snowflake").out,
            "id < 42 ORDER BY id DESC LIMIT 20\n");
  EXPECT_EQ(shell.run("mintmark range --after 01ARZ3NDEKTSV4RRFFQ69G5FAV --sql id").out,
            "id > '01ARZ3NDEKTSV4RRFFQ69G5FAV' ORDER BY id ASC LIMIT 100\n");
  EXPECT_EQ(shell.run("mintmark range --before \"x' OR 1=1\" --sql id").code, 2);
  EXPECT_EQ(shell.run("mintmark range --before 42").code, 2);
}

TEST(RangeCommand, RefusesWhatIsNoSpan) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark range --from 2026-12-02 --to 2026-12-01 ulid").code, 2);
  EXPECT_EQ(shell.run("mintmark range --from 1969-12-31 --to 2026-12-01 ulid").code, 2);
  EXPECT_EQ(shell.run("mintmark range --from 2026-12-01 --to 2199-01-01 twitter").code, 2);
  const Ran unordered = shell.run("mintmark range --from 2026-12-01 uuid4");
  EXPECT_EQ(unordered.code, 2);
  EXPECT_TRUE(has(unordered.err, "not in the order of their time")) << unordered.err;
  EXPECT_EQ(shell.run("mintmark range --from 2026-02-30 ulid").code, 2);
}

TEST(RangeCommand, GivesTheSpanOfAPrefix) {
  const Shell shell;
  const std::string span = "--from 2023-06-30T03:34:18.518Z --to 2023-06-30T03:34:18.519Z typeid";
  EXPECT_EQ(shell.run("mintmark range --prefix user " + span).out,
            "user_01h455vb4pe008000000000000\nuser_01h455vb4pfzzvzzzzzzzzzzzz\n");
  EXPECT_EQ(shell.run("mintmark range --prefix User " + span).code, 2);
  EXPECT_EQ(shell.run("mintmark range --prefix user --from now-1h ulid").code, 2);
}

TEST(RangeCommand, RefusesOptionsThatItWouldNotHeed) {
  const Shell shell;
  for (const std::string line :
       {"--from now-1h --limit 5 uuid7", "--after 42 --from now-1h --sql id",
        "--before 42 --after 43 --sql id", "--from now-1h --sql id --json uuid7",
        "--from now-1h --hex uuid7"}) {
    EXPECT_EQ(shell.run("mintmark range " + line).code, 2) << line;
  }
}

TEST(RangeCommand, JsonNamesTheSpan) {
  const Shell shell;
  const Ran ran = shell.run("mintmark range --json --from 2026-12-01 --to 2026-12-02 tsid");
  EXPECT_TRUE(ran.out.starts_with(
      "{\"schema\":1,\"scheme\":\"tsid\",\"from\":\"2026-12-01T00:00:00.000Z\","))
      << ran.out;
}

const Instant kNow = *parse_time("2026-12-01T12:00:00Z");

TEST(Moments, ReadsEveryFormExactly) {
  EXPECT_EQ(parse_moment("now", kNow), kNow);
  EXPECT_EQ(parse_moment("now-90m", kNow), *parse_time("2026-12-01T10:30:00Z"));
  EXPECT_EQ(parse_moment("now+7d", kNow), *parse_time("2026-12-08T12:00:00Z"));
  EXPECT_EQ(parse_moment("@1645557742", kNow), *parse_time("2022-02-22T19:22:22Z"));
  EXPECT_EQ(parse_moment("@1645557742.0000001", kNow), *parse_time("2022-02-22T19:22:22.0000001Z"));
  EXPECT_EQ(parse_moment("@-1.5", kNow), *parse_time("1969-12-31T23:59:58.5Z"));
  EXPECT_EQ(parse_moment("10889-08-02T05:31:50.655Z", kNow),
            from_unix_ms((std::int64_t{1} << 48) - 1));
}

TEST(Moments, SaysWhatIsWrong) {
  for (const std::string_view text :
       {"", "@", "@1.", "@1.12345678", "@99999999999999999", "now-", "now-5", "now-5w",
        "@-922337203685", "@922337203685", "now-99999d9", "now*5m", "now-99999999999d", "yesterday",
        "2026-13-01"}) {
    const auto moment = parse_moment(text, kNow);
    ASSERT_FALSE(moment.has_value()) << text;
    EXPECT_TRUE(has(moment.error(), "is no time")) << moment.error();
  }
}

}  // namespace
}  // namespace mintmark::cli
