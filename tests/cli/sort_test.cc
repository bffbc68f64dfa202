#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/sort_order.h"
#include "cli/text_sorter.h"
#include "seed.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(SortCommand, OrdersUnsignedBytes) {
  const Shell shell;
  // Report 16 of the field: values that begin with 00, 7f, 80, bb and ff.
  shell.write("ids",
              "ff000000-0000-4000-8000-000000000000\n80000000-0000-4000-8000-000000000000\n"
              "00000000-0000-4000-8000-000000000000\nbb000000-0000-4000-8000-000000000000\n"
              "7f000000-0000-4000-8000-000000000000\n");
  EXPECT_EQ(shell.run("mintmark sort ids | cut -c1-2 | paste -sd' '").out, "00 7f 80 bb ff\n");
  EXPECT_EQ(shell.run("mintmark sort --like java ids | cut -c1-2 | paste -sd' '").out,
            "80 bb ff 00 7f\n");
  EXPECT_EQ(shell.run("mintmark sort --reverse ids | cut -c1-2 | paste -sd' '").out,
            "ff bb 80 7f 00\n");
}

TEST(SortCommand, OrdersAsSqlServerDoes) {
  const Shell shell;
  // From Microsoft's ascending list: the last group counts most.
  shell.write("ids",
              "00000000-0000-0000-0000-010000000000\n01000000-0000-0000-0000-000000000000\n"
              "00000000-0000-0000-0100-000000000000\n00000000-0000-0000-0000-000000000001\n");
  EXPECT_EQ(shell.run("mintmark sort --like sqlserver ids").out,
            "01000000-0000-0000-0000-000000000000\n00000000-0000-0000-0100-000000000000\n"
            "00000000-0000-0000-0000-000000000001\n00000000-0000-0000-0000-010000000000\n");
}

TEST(SortCommand, OrdersNumbersByValueOrByTheirText) {
  const Shell shell;
  shell.write("ids", "10\n9\n18446744073709551615\n100\n");
  EXPECT_EQ(shell.run("mintmark sort ids | paste -sd' '").out, "9 10 100 18446744073709551615\n");
  EXPECT_EQ(shell.run("mintmark sort --like text ids | paste -sd' '").out,
            "10 100 18446744073709551615 9\n");
  EXPECT_EQ(shell.run("mintmark sort --like signed ids | paste -sd' '").out,
            "18446744073709551615 9 10 100\n");
  EXPECT_EQ(shell.run("printf '5\\n-7\\n' | mintmark sort --like signed | paste -sd' '").out,
            "-7 5\n");
}

TEST(SortCommand, DropsEqualOnes) {
  const Shell shell;
  EXPECT_EQ(shell
                .run("printf '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\\n"
                     "017F22E2-79B0-7CC3-98C4-DC0C0C07398F\\n' | mintmark sort --unique")
                .out,
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n");
}

TEST(SortCommand, OrdersTypeIdsByPrefixThenTime) {
  const Shell shell;
  shell.write("ids",
              "b_01h455vb4pex5vsknk084sn02q\na_01h455vb4pex5vsknk084sn02q\n"
              "b_00000000000000000000000000\na_00000000000000000000000000\n");
  EXPECT_EQ(shell.run("mintmark sort -u ids").out,
            "a_00000000000000000000000000\na_01h455vb4pex5vsknk084sn02q\n"
            "b_00000000000000000000000000\nb_01h455vb4pex5vsknk084sn02q\n");
}

TEST(SortCommand, RefusesAMixtureBeforeItWritesAnything) {
  const Shell shell;
  const Ran ran = shell.run(
      "printf '01ARZ3NDEKTSV4RRFFQ69G5FAV\\n42\\n' | mintmark sort; exit ${PIPESTATUS[1]}");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "stdin:2: '42' is not a ULID")) << ran.err;
  EXPECT_EQ(shell.run("echo 42 | mintmark sort --like java").code, 1);
  EXPECT_EQ(shell.run("echo 42 | mintmark sort --like jav").code, 2);
}

TEST(SortCommand, SortsMoreThanFitsTheMemory) {
  const Shell shell;
  const Ran ran = shell.run(
      "mintmark new uuid4 -n 200k >ids && mintmark sort --memory 1M ids >sorted && "
      "LC_ALL=C sort ids | cmp - sorted && wc -l <sorted");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "200000\n");
}

TEST(TextSorter, MergesRunsAndKeepsEqualOnesInTheirOrder) {
  SeededEntropy entropy{test_seed()};
  for (const std::size_t memory : {std::size_t{1} << 12, std::size_t{1} << 20}) {
    TextSorter sorter{{.memory = memory}};
    std::vector<std::pair<std::string, std::string>> lines;
    for (int i = 0; i < 5'000; ++i) {
      const std::string key(1 + *entropy.word() % 3, static_cast<char>('a' + *entropy.word() % 4));
      const std::string text = key + "#" + std::to_string(i);
      lines.emplace_back(key, text);
      ASSERT_TRUE(sorter.add(std::as_bytes(std::span{key}), text));
    }
    // By key, and by the number that each came with.
    std::ranges::sort(lines, [](const auto& a, const auto& b) {
      const auto number = [](const auto& line) {
        return std::stoi(line.second.substr(line.second.find('#') + 1));
      };
      return std::pair{a.first, number(a)} < std::pair{b.first, number(b)};
    });
    std::size_t at = 0;
    ASSERT_TRUE(sorter.finish([&](std::string_view text) {
      EXPECT_EQ(text, lines[at].second);
      ++at;
      return true;
    }));
    EXPECT_EQ(at, lines.size());
  }
}

TEST(TextSorter, DropsRepeatsAcrossRuns) {
  TextSorter sorter{{.memory = 1 << 12, .repeats = Repeats::dropped}};
  for (int i = 0; i < 10'000; ++i) {
    const std::string key = std::to_string(i % 7);
    ASSERT_TRUE(sorter.add(std::as_bytes(std::span{key}), key));
  }
  std::string all;
  ASSERT_TRUE(sorter.finish([&](std::string_view text) {
    all += text;
    return true;
  }));
  EXPECT_EQ(all, "0123456");
}

}  // namespace
}  // namespace mintmark::cli
