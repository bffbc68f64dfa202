#include "cli/words.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace mintmark::cli {
namespace {

TEST(Words, SayTheDetailOrElseTheSentence) {
  const FaultRow& row = row_of(Fault::store_unavailable);
  const std::string start = std::string{row.name} + ": ";
  const std::string end = "; " + std::string{row.remedy};
  EXPECT_EQ(words_of({Error{Fault::store_unavailable}, "a.db: locked"}),
            start + "a.db: locked" + end);
  EXPECT_EQ(words_of({Error{Fault::store_unavailable}, {}}),
            start + std::string{row.sentence} + end);
}

TEST(Words, SayHowLongToWait) {
  const auto after = [](std::uint32_t us) {
    return words_of({Error::retry(Fault::clock_behind, us), "back"});
  };
  EXPECT_TRUE(after(1'500).contains("back (for 1.5 ms more); ")) << after(1'500);
  EXPECT_TRUE(after(2'500'000).contains("back (for 2.5 s more); ")) << after(2'500'000);
  constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
  EXPECT_TRUE(after(kMost).contains("back (for more than an hour); ")) << after(kMost);
  EXPECT_TRUE(after(kMost - 1).contains(" s more")) << after(kMost - 1);
}

TEST(Words, QuoteWithoutWhatATerminalObeys) {
  EXPECT_EQ(shown("abc"), "'abc'");
  EXPECT_EQ(shown(""), "''");
  EXPECT_EQ(shown("a\x1b\n\x7f\xff"), "'a\\x1b\\x0a\\x7f\\xff'");
  EXPECT_EQ(shown(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(shown(std::string(61, 'x')), "'" + std::string(60, 'x') + "...'");
}

}  // namespace
}  // namespace mintmark::cli
