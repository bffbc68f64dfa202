#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "cli/layout_report.h"
#include "mintmark/base/entropy.h"
#include "seed.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

using Start = SnowflakePolicy::SequenceStart;

SnowflakeLayout layout_of(std::string_view text) {
  const auto found = find_layout(text);
  EXPECT_TRUE(found.has_value()) << text;
  return found->layout;
}

std::string when(const std::optional<Instant>& time) {
  return time ? std::string{TimeText{*time}.view()} : "never";
}

TEST(LayoutReport, FindsALayoutByNameAndByItsText) {
  EXPECT_EQ(layout_of("twitter"), layouts::twitter);
  EXPECT_EQ(layout_of("tsid").sequence_bits(), 12u);
  EXPECT_EQ(layout_of("rowid").sequence_bits(), 0u);
  for (const KnownLayout& known : known_layouts()) {
    const auto spelled = find_layout(text_of(known.layout));
    ASSERT_TRUE(spelled.has_value()) << known.name;
    EXPECT_EQ(spelled->name, known.name);
  }
  EXPECT_EQ(find_layout("time:41 worker:9 seq:12")->name, "");
  EXPECT_TRUE(has(find_layout("twiter").error(), "did you mean 'twitter'?"));
  EXPECT_FALSE(find_layout("").has_value());
}

TEST(LayoutReport, CountsWhatThereIsRoomFor) {
  EXPECT_EQ(ids_a_second(layouts::twitter, Workers::one), "4096000");
  EXPECT_EQ(ids_a_second(layouts::twitter, Workers::all), "4194304000");
  EXPECT_EQ(ids_a_second(layouts::sonyflake, Workers::one), "25600");
  EXPECT_EQ(ids_a_second(layout_of("rowid"), Workers::one), "100000");
  EXPECT_EQ(ids_a_second(layout_of("time:30 worker:8 seq:3 unit=7s"), Workers::one), "1.142");
  EXPECT_EQ(ids_a_second(layout_of("time:30 worker:8 seq:2 unit=40s"), Workers::one), "0.1");
  // More than 64 bits of IDs a second.
  EXPECT_EQ(ids_a_second(layout_of("time:1 worker:32 seq:31 unit=1us unsigned"), Workers::all),
            "9223372036854775808000000");
}

TEST(LayoutReport, NamesTheInstantOfTheSign) {
  EXPECT_EQ(when(exceeds(layouts::discord, low_bits(63))), "2084-09-06T15:47:35.552Z");
  EXPECT_EQ(when(exceeds(layout_of("tsid"), low_bits(63))), "2089-09-06T15:47:35.552Z");
  EXPECT_EQ(when(exceeds(layouts::twitter, low_bits(63))), "never");
  EXPECT_EQ(when(exceeds(layouts::js53, low_bits(53))), "never");
  for (const KnownLayout& known : known_layouts()) {
    const auto from = exceeds(known.layout, low_bits(53));
    if (!from) continue;
    const auto largest_at = [&](Instant time) {
      return *known.layout.tick_at(time) << known.layout.time_shift() |
             low_bits(known.layout.time_shift());
    };
    EXPECT_GT(largest_at(*from), low_bits(53)) << known.name;
    EXPECT_LE(largest_at(*from - Duration{1}), low_bits(53)) << known.name;
  }
  // From the first tick on, where less than a tick is below; and where a worker stands above the time.
  EXPECT_EQ(exceeds(layouts::twitter, 1000), layouts::twitter.epoch());
  const auto worker_first = layout_of("worker:5 time:41 seq:8");
  EXPECT_EQ(exceeds(worker_first, low_bits(53)), worker_first.epoch());
}

TEST(LayoutReport, TheSequenceFromZeroLeavesOneResidueOfAPowerOfTwo) {
  for (const unsigned n : {2u, 4u, 8u, 16u, 32u, 64u}) {
    const auto twitter = [n](Start start, Workers workers) {
      return residues_of(layouts::twitter, n, start, workers);
    };
    EXPECT_EQ(twitter(Start::zero, Workers::one).count, 1u);
    EXPECT_EQ(twitter(Start::zero, Workers::all).count, 1u);  // the workers stand above 2^12
    EXPECT_DOUBLE_EQ(twitter(Start::zero, Workers::all).busiest, 1);
    EXPECT_EQ(twitter(Start::carry, Workers::one).count, n);
    EXPECT_DOUBLE_EQ(twitter(Start::carry, Workers::one).busiest, 1.0 / n);
    // In Sonyflake the machine is lowest: carrying helps nobody, many machines do.
    EXPECT_EQ(residues_of(layouts::sonyflake, n, Start::carry, Workers::one).count, 1u);
    EXPECT_EQ(residues_of(layouts::sonyflake, n, Start::zero, Workers::all).count, n);
  }
  EXPECT_EQ(residues_of(layouts::twitter, 12, Start::zero, Workers::one).count, 3u);
  EXPECT_EQ(residues_of(layouts::twitter, 1, Start::zero, Workers::one).count, 1u);
  EXPECT_EQ(constant_bits(layouts::twitter, Start::zero), 22u);
  EXPECT_EQ(constant_bits(layouts::twitter, Start::carry), 0u);
  EXPECT_EQ(constant_bits(layouts::sonyflake, Start::carry), 16u);
  EXPECT_EQ(constant_bits(layout_of("rowid"), Start::carry), 15u);
}

TEST(LayoutReport, AFieldWithFewValuesIsNotEven) {
  // Four values on three residues: 0, 1, 2, 0.
  const auto layout = layout_of("time:41 worker:1 seq:2");
  const Residues residues = residues_of(layout, 3, Start::carry, Workers::one);
  EXPECT_EQ(residues.count, 3u);
  EXPECT_NEAR(residues.busiest, 1.0 / 3, 1e-9);  // the ticks make it even
  const auto narrow = layout_of("time:1 worker:1 seq:2 unsigned");
  EXPECT_DOUBLE_EQ(residues_of(narrow, 100, Start::carry, Workers::one).busiest, 1.0 / 8);
  EXPECT_DOUBLE_EQ(residues_of(narrow, 8, Start::carry, Workers::one).busiest, 2.0 / 8);
}

TEST(LayoutReport, SaysOfResiduesWhatAGeneratorDoes) {
  SeededEntropy entropy{test_seed()};
  for (const KnownLayout& known : known_layouts()) {
    for (const Start start : {Start::zero, Start::carry}) {
      const SnowflakeLayout& layout = known.layout;
      SnowflakeGenerator generator{layout,
                                   *layout.slot(layout.slot_count() / 2),
                                   TickWindow::whole(layout),
                                   {.sequence_start = start}};
      std::array<std::set<std::uint64_t>, 5> seen;
      constexpr std::array kModuli{2u, 3u, 12u, 64u, 100u};
      Instant now = layout.epoch();
      for (int i = 0; i < 20'000; ++i) {
        now += (1 + static_cast<std::int64_t>(*entropy.word() % 1'000)) * layout.unit();
        const auto id = generator.next(now);
        ASSERT_TRUE(id.has_value()) << known.name;
        for (std::size_t m = 0; m < kModuli.size(); ++m) seen[m].insert(id->value() % kModuli[m]);
      }
      for (std::size_t m = 0; m < kModuli.size(); ++m) {
        EXPECT_EQ(residues_of(layout, kModuli[m], start, Workers::one).count, seen[m].size())
            << known.name << " mod " << kModuli[m];
      }
    }
  }
}

TEST(LayoutReport, FindsWhereElseTheValuesOfNowStand) {
  const Instant now = *parse_time("2026-12-01");
  const auto find = [&](std::string_view in, std::string_view name) {
    for (const Overlap& overlap : overlaps_of(layout_of(in), now)) {
      if (overlap.name == name) return overlap;
    }
    ADD_FAILURE() << name;
    return Overlap{};
  };
  EXPECT_EQ(find("twitter", "leaf").kind, Overlap::Kind::same_time);
  // The same bits, another epoch: the difference of the epochs later.
  const Overlap discord = find("twitter", "discord");
  EXPECT_EQ(discord.kind, Overlap::Kind::to_come);
  EXPECT_EQ(*discord.time - now, layouts::discord.epoch() - layouts::twitter.epoch());
  const Overlap twitter = find("discord", "twitter");
  EXPECT_EQ(twitter.kind, Overlap::Kind::given);
  EXPECT_EQ(now - *twitter.time, layouts::discord.epoch() - layouts::twitter.epoch());
  EXPECT_EQ(find("twitter", "js53").kind, Overlap::Kind::never);
  EXPECT_EQ(find("twitter", "js53").time, std::nullopt);
  EXPECT_EQ(overlaps_of(layouts::twitter, now).size(), known_layouts().size() - 1);
  EXPECT_TRUE(overlaps_of(layouts::baidu, now).empty());  // it gives none any more
  EXPECT_TRUE(overlaps_of(layout_of("worker:5 time:41 seq:8"), now).empty());
}

TEST(LayoutReport, WarnsInTheLastYearAndOutsideOfTheLayoutsLife) {
  const Instant end = layouts::baidu.end();
  const Duration year = std::chrono::hours{24 * 365};
  EXPECT_TRUE(warnings_of(layouts::baidu, end - year).empty());
  const auto last_year = warnings_of(layouts::baidu, end - year + Duration{1});
  ASSERT_EQ(last_year.size(), 1u);
  EXPECT_TRUE(has(last_year[0], "2024-11-20T13:24:16.000Z, in 364 days")) << last_year[0];
  EXPECT_EQ(life_of(layouts::baidu, end - Duration{1}), Life::in_its_last_year);
  EXPECT_EQ(life_of(layouts::baidu, end), Life::ended);
  EXPECT_TRUE(has(warnings_of(layouts::baidu, end)[0], "TimestampOverflow"));
  EXPECT_TRUE(has(warnings_of(layouts::baidu, layouts::baidu.epoch() - Duration{1})[0],
                  "ClockBeforeEpoch"));
  EXPECT_TRUE(warnings_of(layouts::baidu, layouts::baidu.epoch()).empty());
}

TEST(LayoutCommand, ShowsWhatALayoutHasRoomFor) {
  const Shell shell;
  const Ran ran = shell.run("mintmark layout twitter");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(ran.out.starts_with("twitter  time:41 dc:5 worker:5 seq:12 unit=1ms ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "  dc            5 bits  21 to 17  32 values\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "4,194,304 IDs a tick, 4,194,304,000 a second, of all workers\n"));
  EXPECT_TRUE(has(ran.out, "  last         2080-07-10T17:30:30.208Z (in "));
  EXPECT_TRUE(
      has(ran.out, "\n       4     1 100.0 %     1 100.0 %        4  25.0 %     4  25.0 %\n"));
  EXPECT_TRUE(has(ran.out, "the lowest 22 bits of all of a worker's IDs are the same"));
  EXPECT_TRUE(has(ran.out, "  leaf         gives them now as well\n"));
}

TEST(LayoutCommand, TakesALayoutSpelledOutWithAndWithoutQuotes) {
  const Shell shell;
  const Ran plain = shell.run("mintmark layout time:41 worker:5 seq:7 epoch=2020-01-01 --json");
  const Ran quoted =
      shell.run("mintmark layout --json 'time:41  worker:5 seq:7 epoch=2020-01-01T00:00:00Z'");
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(quoted.code, 0);
  for (const Ran& ran : {plain, quoted}) {
    EXPECT_EQ(lines(ran.out), 1u) << ran.out;
    EXPECT_TRUE(ran.out.starts_with("{\"schema\":1,\"name\":\"js53\",\"layout\":\"time:41 "))
        << ran.out;
    EXPECT_TRUE(has(ran.out, "\"inexact_in_javascript_from\":null")) << ran.out;
    EXPECT_TRUE(has(ran.out, "{\"n\":2,\"zero_one_worker\":{\"count\":1,\"busiest\":1.000000},"));
    EXPECT_TRUE(ran.out.ends_with("\"warnings\":[]}\n")) << ran.out;
  }
}

// baidu/uid-generator #100: nobody noticed that the default widths end in 2024.
TEST(LayoutCommand, ALayoutThatHasEndedIsExitCode1) {
  const Shell shell;
  for (const std::string json : {"", " --json"}) {
    const Ran ran = shell.run("mintmark layout baidu" + json);
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.err,
              "mintmark: the time field has ended on 2024-11-20T13:24:16.000Z; minting is refused "
              "with TimestampOverflow\n");
    EXPECT_TRUE(has(ran.out, json.empty() ? "  last         2024-11-20T13:24:15.000Z ("
                                          : "\"years_left\":0.00,\"ended\":true"))
        << ran.out;
  }
}

TEST(LayoutCommand, CountsDaysWhereATenthOfAYearSaysNothing) {
  const Shell shell;
  const Ran ran = shell.run(
      "mintmark layout time:41 worker:10 seq:12 epoch=$(date -u -d '10 days ago' +%F); "
      "mintmark layout time:41 worker:10 seq:12 epoch=$(date -u -d '6 days' +%F)");
  EXPECT_TRUE(has(ran.out, " days ago)\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, " days)\n")) << ran.out;
  EXPECT_FALSE(has(ran.out, "0.0 years")) << ran.out;
}

TEST(LayoutCommand, SaysWhatIsNoLayout) {
  const Shell shell;
  const Ran typo = shell.run("mintmark layout twiter");
  EXPECT_EQ(typo.code, 2);
  EXPECT_EQ(typo.out, "");
  EXPECT_TRUE(has(typo.err, "there is no layout 'twiter'; did you mean 'twitter'?")) << typo.err;
  const Ran wrong = shell.run("mintmark layout time:41 worker:x seq:12");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "at character 16 of")) << wrong.err;
}

}  // namespace
}  // namespace mintmark::cli
