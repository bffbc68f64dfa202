#include <algorithm>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

TEST(New, PrintsOneIdAndNothingElse) {
  const Shell shell;
  const Ran uuid7 = shell.run("mintmark new uuid7");
  EXPECT_EQ(uuid7.code, 0) << uuid7.err;
  EXPECT_EQ(uuid7.err, "");
  ASSERT_EQ(uuid7.out.size(), 37U);
  EXPECT_TRUE(UuidV7::parse(std::string_view{uuid7.out}.substr(0, 36)).has_value());
  const Ran uuid4 = shell.run("mintmark new uuid4");
  EXPECT_TRUE(UuidV4::parse(std::string_view{uuid4.out}.substr(0, 36)).has_value());
  const Ran ulid = shell.run("mintmark new ulid");
  EXPECT_TRUE(Ulid::parse(std::string_view{ulid.out}.substr(0, 26)).has_value());
}

TEST(New, CountsAsPeopleWriteNumbers) {
  const Shell shell;
  for (const auto& [text, count] : {std::pair{"-n 3", 3U},
                                    {"--count 1k", 1'000U},
                                    {"-C 1e3", 1'000U},
                                    {"-n2", 2U},
                                    {"--count=12", 12U},
                                    {"-n 0", 0U}}) {
    const Ran ran = shell.run(std::string{"mintmark new uuid7 "} + text);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(lines(ran.out), count) << text;
  }
  for (const std::string text : {"-1", "1.5", "abc", "1e30", "1kk", "99999999999999999999"}) {
    const Ran ran = shell.run("mintmark new uuid7 --count=" + text);
    EXPECT_EQ(ran.code, 2) << text;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(ran.err.starts_with("mintmark: --count: ")) << ran.err;
  }
}

TEST(New, IdsAreDistinctAndRise) {
  const Shell shell;
  for (const std::string scheme : {"uuid7", "ulid", "snowflake", "block"}) {
    const Ran ran = shell.run("mintmark new " + scheme + " -n 20k | mintmark verify --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(
        has(ran.out,
            "\"ids\":20000,\"invalid\":0,\"duplicates\":0,\"duplicated_values\":0,\"rising\":true"))
        << scheme << ran.out;
  }
}

TEST(New, WritesEachForm) {
  const Shell shell;
  const Ran json = shell.run("mintmark new snowflake -n 2 --json");
  EXPECT_EQ(json.code, 0) << json.err;
  EXPECT_TRUE(json.out.starts_with("[{\"id\":\"")) << json.out;
  EXPECT_TRUE(json.out.ends_with("\"}]\n")) << json.out;
  EXPECT_EQ(shell.run("mintmark new uuid7 -n 0 --json").out, "[]\n");
  const Ran jsonl = shell.run("mintmark new ulid -n 3 -o jsonl");
  EXPECT_EQ(lines(jsonl.out), 3U);
  EXPECT_TRUE(jsonl.out.starts_with("{\"id\":\"01")) << jsonl.out;
  EXPECT_EQ(shell.run("mintmark new uuid7 -n 3 -o bin").out.size(), 48U);
  EXPECT_EQ(shell.run("mintmark new block -n 3 -o bin").out.size(), 24U);
  EXPECT_EQ(shell.run("mintmark new uuid7 -o yaml").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid7 -n inf --json").code, 2);
}

TEST(New, EndsQuietlyWhenTheReaderHasEnough) {
  const Shell shell;
  const Ran ran = shell.run("mintmark new uuid4 -n inf | head -n 3");
  EXPECT_EQ(ran.code, 0);  // pipefail: also that of mintmark
  EXPECT_EQ(lines(ran.out), 3U);
  EXPECT_EQ(ran.err, "");
}

TEST(New, SaysThatTheDiskIsFull) {
  const Shell shell;
  for (const std::string count : {"1", "1M"}) {
    const Ran ran = shell.run("mintmark new uuid7 -n " + count + " >/dev/full");
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err, "mintmark: standard output: No space left on device\n");
  }
}

TEST(New, RefusesWithAHint) {
  const Shell shell;
  const Ran typo = shell.run("mintmark new snowfalke");
  EXPECT_EQ(typo.code, 2);
  EXPECT_EQ(typo.err,
            "mintmark: there is no scheme or space 'snowfalke'; did you mean 'snowflake'?\n");
  EXPECT_TRUE(has(shell.run("mintmark new uuid").err, "uuid7"));
  EXPECT_TRUE(has(shell.run("mintmark new uuid7 --cuont 3").err,
                  "has no option --cuont; did you mean 'count'?"));
  for (const std::string missing : {"--count", "--count=", "-n"}) {
    const Ran ran = shell.run("mintmark new uuid7 " + missing);
    EXPECT_EQ(ran.code, 2);
    EXPECT_EQ(ran.err, "mintmark: new: --count needs a value\n");
  }
  EXPECT_EQ(shell.run("mintmark new --name x").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid7 ulid").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid7 --worker 3").code, 2);
  EXPECT_EQ(shell.run("mintmark new snowflake --worker 1024").code, 2);
  EXPECT_EQ(shell.run("mintmark new snowflake --layout nothing").code, 2);
  EXPECT_EQ(shell.run("mintmark new block --store none").code, 2);
  EXPECT_EQ(shell.run("mintmark new snowflake --store none").code, 2);
  EXPECT_EQ(shell.run("mintmark new snowflake --store nosuch:thing").code, 2);
}

// ai/nanoid#510, #541, #600, #609, puyuan/py-nanoid#34: such calls never ended, or gave IDs that were no IDs.
TEST(New, RefusesNanoidsOfOddSizesAndAlphabets) {
  const Shell shell;
  std::string all;
  for (char c = '#'; c <= '~'; ++c) all += c == '\\' || c == '\'' ? '!' : c;
  for (const std::string& call :
       {std::string{"--size 12.5"}, std::string{"--size -1"}, std::string{"--size=-1"},
        std::string{"--size 0"}, std::string{"--size 1025"}, std::string{"--size abc"},
        std::string{"--size ''"}, std::string{"--size 18446744073709551617"},
        std::string{"--alphabet ''"}, std::string{"--alphabet a"}, std::string{"--alphabet aba"},
        "--alphabet '" + all + all + all + all + "'"}) {
    const Ran ran = shell.run("timeout 20 mintmark new nanoid " + call);
    EXPECT_EQ(ran.code, 2) << call;
    EXPECT_EQ(ran.out, "") << call;
    EXPECT_EQ(lines(ran.err), 1U) << call << ran.err;
  }
  const Ran most = shell.run("mintmark new nanoid --size 128 --alphabet ab");
  EXPECT_EQ(most.code, 0) << most.err;
  EXPECT_EQ(most.out.size(), 129U);
  EXPECT_EQ(most.out.find_first_not_of("ab\n"), std::string::npos);
}

TEST(New, WithoutAStoreASnowflakeIsNotGuardedAndSaysSo) {
  const Shell shell;
  const Ran ran = shell.run("mintmark new snowflake --store none --worker 5 -n 3");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(lines(ran.out), 3U);
  EXPECT_TRUE(has(ran.err, "worker 5 is guarded by nothing")) << ran.err;
  for (const std::string& line : lines_of(ran.out)) {
    EXPECT_EQ(layouts::twitter.slot_of(Snowflake::parse(line)->value()), 5U);
  }
}

TEST(New, APinnedWorkerThatIsTakenIsRefusedFast) {
  const Shell shell;
  ASSERT_EQ(shell.run("mintmark new snowflake").code, 0);
  // The first claims 10 s ahead for an endless stream, and holds them until it ends.
  const Ran ran = shell.run(
      "mkfifo ids; mintmark new snowflake --worker 3 -n inf >ids & exec 3<ids; head -c 20 <&3 "
      ">/dev/null; "
      "mintmark new snowflake --worker 3; code=$?; kill $!; exit $code");
  EXPECT_EQ(ran.code, 75) << ran.err;
  EXPECT_TRUE(has(ran.err, "worker ID is in use")) << ran.err;
}

TEST(New, ProcessesSideBySideNeverRepeat) {
  const Shell shell;
  const Ran ran = shell.run(
      "for i in 1 2 3 4 5 6 7 8; do mintmark new snowflake -n 5000 >s$i & done; wait; "
      "for i in 1 2 3 4 5 6 7 8; do mintmark new block -n 500 >b$i & done; wait; "
      "mintmark verify s? && mintmark verify b?");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "40000")) << ran.out;
  EXPECT_TRUE(has(ran.out, "4000")) << ran.out;
}

TEST(New, ABlockGoesOnWhereItWas) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark new block -n 3").out, "1\n2\n3\n");
  const Ran second = shell.run("mintmark new block");
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_GE(std::stoull(second.out), 4U);
  EXPECT_LE(std::stoull(second.out),
            10U);  // no more was claimed than the first three needed, twice
}

TEST(New, AnotherLayoutIsAnotherSpace) {
  const Shell shell;
  for (const std::string layout : {"twitter", "discord", "instagram", "sonyflake",
                                   "'time:41 worker:10 seq:12 epoch=2020-01-01'"}) {
    const Ran ran = shell.run("mintmark new snowflake --layout " + layout);
    EXPECT_EQ(ran.code, 0) << layout << ran.err;
    EXPECT_EQ(lines(ran.out), 1U);
  }
}

TEST(New, ReadsSpacesFromAFile) {
  const Shell shell;
  shell.write("m.toml",
              "store = \"sqlite:own/ids.db\"\n[space.orders]\nscheme = \"block\"\nfirst = 500\n");
  EXPECT_EQ(shell.run("mintmark new orders --config m.toml").out, "500\n");
  EXPECT_TRUE(std::filesystem::exists(shell.folder() + "/own/ids.db"));
  EXPECT_EQ(shell.run("MINTMARK_CONFIG=m.toml mintmark new orders -n 0").code, 0);
  shell.write("m.toml", "\n[space.orders]\nscheme = \"block\"\nfrist = 500\n");
  const Ran ran = shell.run("mintmark new orders --config m.toml");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err,
            "mintmark: m.toml:4:1: unknown key 'frist' in [space.orders]; did you mean 'first'?\n");
}

TEST(New, NeedsConstantMemory) {
  const Shell shell;
  const Ran ran = shell.run("mintmark new uuid7 -n 5M >/dev/null");
  EXPECT_EQ(ran.code, 0);
  // A child begins with the memory of this very process, which counts.
  const long before = shell.run("true").most_kib;
  EXPECT_LT(ran.most_kib, std::max(32 * 1024L, before + 8 * 1024));
}

TEST(New, MakesUuid7WithoutAName) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark new | mintmark validate -q -s uuid7").code, 0);
}

TEST(New, DerivesNameBasedUuids) {
  const Shell shell;
  // RFC 9562, appendix A.2, A.4 and B.2.
  const std::string name = " --namespace @dns --name www.example.com";
  EXPECT_EQ(shell.run("mintmark new uuid3" + name).out, "5df41881-3aed-3515-88a7-2f4a814cf09e\n");
  EXPECT_EQ(shell.run("mintmark new uuid5" + name).out, "2ed6657d-e927-568b-95e1-2665a8aea6a2\n");
  EXPECT_EQ(shell.run("mintmark new uuid8" + name).out, "5c146b14-3c52-8afd-938a-375d0df1fbf6\n");
  EXPECT_EQ(shell.run("mintmark new uuid5 --namespace @dns --name ''").out,
            "4ebd0208-8328-5d69-8c44-ec50939c0967\n");
  EXPECT_EQ(shell.run("printf 'www.example.com\\n\\n' | mintmark new uuid5 --namespace @dns").out,
            "2ed6657d-e927-568b-95e1-2665a8aea6a2\n4ebd0208-8328-5d69-8c44-ec50939c0967\n");
  EXPECT_EQ(shell.run("mintmark new uuid8 --custom 0123456789abcdef0123456789abcdef").out,
            "01234567-89ab-8def-8123-456789abcdef\n");
  EXPECT_EQ(shell.run("mintmark new uuid5" + name + " --json").out,
            "[{\"id\":\"2ed6657d-e927-568b-95e1-2665a8aea6a2\"}]\n");
  EXPECT_EQ(shell.run("mintmark new uuid5" + name + " -n 2").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid5 --name x").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid5 --namespace dns --name x").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid5 --custom 00").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid8 --custom 00").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid5 --worker 3" + name).code, 2);
}

TEST(New, MakesTheSameIdsAgainWithASeedAndATime) {
  const Shell shell;
  for (const std::string scheme :
       {"uuid1", "uuid4", "uuid6", "uuid7", "ulid", "ksuid", "xid", "objectid", "nanoid", "cuid2",
        "pushid", "typeid --prefix user", "token", "snowflake", "discord", "tsid", "rowid"}) {
    const std::string line =
        "mintmark new " + scheme + " -n 5000 --seed 7 --now 2026-12-01T00:00:00Z";
    const Ran first = shell.run(line);
    EXPECT_EQ(first.code, 0) << scheme << first.err;
    EXPECT_TRUE(has(first.err, "not for production")) << first.err;
    EXPECT_EQ(lines(first.out), 5000U) << scheme;
    EXPECT_EQ(shell.run(line).out, first.out) << scheme;
    EXPECT_EQ(shell.run(line + " | sort | uniq -d").out, "") << scheme;
  }
  EXPECT_EQ(shell.run("mintmark new uuid7 --seed 7 --now 2026-12-01").out,
            shell.run("mintmark new uuid7 --seed 7 --now @1796083200").out);
  EXPECT_EQ(shell.run("mintmark new block --seed 7").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid7 --seed x").code, 2);
  EXPECT_EQ(shell.run("mintmark new uuid7 --now yesterday").code, 2);
}

TEST(New, PinsASlotByTheFieldsOfItsLayout) {
  const Shell shell;
  const std::string alone = " --store none";
  EXPECT_TRUE(has(shell
                      .run("mintmark new twitter --datacenter 3 --worker 4" + alone +
                           " | mintmark inspect -s twitter")
                      .out,
                  "dc            5 bits  3\n  worker        5 bits  4\n"));
  EXPECT_TRUE(has(
      shell.run("mintmark new instagram --shard 1341" + alone + " | mintmark inspect -s instagram")
          .out,
      "shard        13 bits  1341\n"));
  EXPECT_TRUE(has(
      shell.run("mintmark new sonyflake --machine 9" + alone + " | mintmark inspect -s sonyflake")
          .out,
      "machine      16 bits  9\n"));
  const Ran missing = shell.run("mintmark new twitter --datacenter 3" + alone);
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.err, "one is missing; the layout has dc (0 to 31), worker (0 to 31)"))
      << missing.err;
  EXPECT_EQ(shell.run("mintmark new twitter --datacenter 32 --worker 1" + alone).code, 2);
  EXPECT_EQ(shell.run("mintmark new twitter --shard 1" + alone).code, 2);
}

TEST(New, SaysThatALayoutHasEnded) {
  const Shell shell;
  const Ran ran = shell.run("mintmark new baidu");
  EXPECT_EQ(ran.code, 75);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err,
                  "TimestampOverflow: the time field of 'snowflake:baidu' ended "
                  "2024-11-20T13:24:15.000Z"))
      << ran.err;
}

TEST(New, OptionsOfAnotherSchemeAreRefused) {
  const Shell shell;
  for (const std::string line :
       {"uuid7 --prefix user", "ulid --size 10", "nanoid --prefix user", "typeid --alphabet ab",
        "cuid2 --alphabet ab", "uuid4 --bits 128", "token --size 9", "ksuid --shard 1",
        "uuid7 --namespace @dns", "nanoid --size 0", "nanoid --size 1025", "nanoid --alphabet a",
        "nanoid --alphabet aa", "cuid2 --size 33", "typeid --prefix A", "token --bits 127",
        "token --bits 130", "token --form base58"}) {
    const Ran ran = shell.run("mintmark new " + line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_TRUE(ran.err.starts_with("mintmark: --")) << ran.err;
  }
  // As large and as odd as the library allows.
  EXPECT_EQ(shell.run("mintmark new nanoid --size 1024").out.size(), 1025U);
  EXPECT_EQ(shell.run("mintmark new nanoid --size 30 --alphabet xy | tr -d xy").out, "\n");
}

TEST(New, ATsvHasAHeading) {
  const Shell shell;
  EXPECT_TRUE(shell.run("mintmark new uuid7 -n 2 -o tsv").out.starts_with("id\n"));
}

TEST(New, OneLayoutIsOneNamespaceHoweverItIsNamed) {
  const Shell shell;
  // With the same pinned worker these would be repeated if any of the names had a space of its own.
  const std::string worker = " --worker 5 ";
  const Ran many = shell.run(
      "for l in 'snowflake --layout discord' discord "
      "'snowflake --layout \"time:42 worker:5 pid:5 inc:12 epoch=2015-01-01 unsigned\"'; do "
      "eval mintmark new $l --worker 5 -n 5000; done | sort | uniq -d | wc -l");
  EXPECT_EQ(many.out, "0\n") << many.err;
  const Ran twitter = shell.run(
      "for l in snowflake leaf twitter 'snowflake --layout leaf'; do "
      "mintmark new $l --worker 5 -n 5000; done | sort | uniq -d | wc -l");
  EXPECT_EQ(twitter.out, "0\n") << twitter.err;
  EXPECT_EQ(shell.run("mintmark new discord --layout twitter").code, 2);
  EXPECT_EQ(shell.run("mintmark new tsid --layout twitter").code, 2);
  // The same bits under other names of fields: the definition in the store differs, so it is refused.
  EXPECT_EQ(
      shell.run("mintmark new snowflake -l 'time:41 a:10 seq:12 epoch=2021-01-01'" + worker).code,
      0);
  const Ran other =
      shell.run("mintmark new snowflake -l 'time:41 b:10 seq:12 epoch=2021-01-01'" + worker);
  EXPECT_NE(other.code, 0);
  EXPECT_TRUE(has(other.err, "LayoutMismatch")) << other.err;
}

TEST(New, ClaimsLittleMoreNumbersThanAreWanted) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark new block -n 1").out, "1\n");
  EXPECT_EQ(shell.run("mintmark new block -n 50000 | wc -l").out, "50000\n");
  // One block of what was wanted, and perhaps one more that was fetched ahead.
  const std::uint64_t next = std::stoull(shell.run("mintmark new block -n 1").out);
  EXPECT_GT(next, 50'000U);
  EXPECT_LE(next, 100'010U);
}

TEST(New, ATimeThatTheSchemeCannotHoldIsRefused) {
  const Shell shell;
  for (const std::string line : {"snowflake --worker 0 --now 1970-01-01", "uuid7 --now 1969-01-01",
                                 "ksuid --now 2000-01-01", "ksuid --now 2151-01-01"}) {
    const Ran ran = shell.run("mintmark new " + line);
    EXPECT_NE(ran.code, 0) << line;
    EXPECT_EQ(ran.out, "") << line;
  }
  EXPECT_EQ(shell.run("mintmark new baidu --worker 1 --now 2020-01-01").code, 0);
}

}  // namespace
}  // namespace mintmark::cli
