#include "cli/quantities.h"

#include <gtest/gtest.h>

namespace mintmark::cli {
namespace {

TEST(Quantities, ReadsWholeNumbersExactly) {
  EXPECT_EQ(parse_whole("0"), U128{0});
  EXPECT_EQ(parse_whole("1500000000"), U128{1'500'000'000});
  EXPECT_EQ(parse_whole("1.5G"), U128{1'500'000'000});
  EXPECT_EQ(parse_whole("12.5k"), U128{12'500});
  EXPECT_EQ(parse_whole("1e12"), U128{1'000'000'000'000});
  EXPECT_EQ(parse_whole("1.308e18"), U128{1'308'000'000'000'000'000});
  EXPECT_EQ(parse_whole("1E+3"), U128{1'000});
  EXPECT_EQ(parse_whole("3T"), U128{3'000'000'000'000});
  EXPECT_EQ(parse_whole("2^53"), U128{1} << 53);
  EXPECT_EQ(parse_whole("2^127"), U128{1} << 127);
  EXPECT_EQ(parse_whole("9223372036854775807"), (U128{1} << 63) - 1);
  EXPECT_EQ(parse_whole("18446744073709551616"), U128{1} << 64);
  EXPECT_EQ(parse_whole("1500e-2"), U128{15});
}

TEST(Quantities, RefusesWhatIsNoWholeNumber) {
  for (const std::string_view bad :
       {"",        "-1",   "+1",
        "1.5",     "1.",   ".5",
        "1e",      "1e99", "1e999999999999",
        "2^128",   "2^",   "2^-1",
        "k",       "1 k",  "1kk",
        "0x10",    "nan",  "inf",
        "1.2345k", "1e-1", "999999999999999999999999999999999999999999"}) {
    EXPECT_FALSE(parse_whole(bad).has_value()) << bad;
  }
}

TEST(Quantities, ReadsRates) {
  EXPECT_DOUBLE_EQ(*parse_rate("200/s"), 200);
  EXPECT_DOUBLE_EQ(*parse_rate("200"), 200);
  EXPECT_DOUBLE_EQ(*parse_rate("1.5k/h"), 1'500 / 3'600.0);
  EXPECT_DOUBLE_EQ(*parse_rate("1M/d"), 1e6 / 86'400);
  EXPECT_DOUBLE_EQ(*parse_rate("4096/ms"), 4'096'000);
  EXPECT_DOUBLE_EQ(*parse_rate("1/y"), 1 / kYearSeconds);
  EXPECT_DOUBLE_EQ(*parse_rate("0.25/min"), 0.25 / 60);
  for (const std::string_view bad :
       {"", "/s", "0/s", "-1/s", "1/", "1/x", "1/s/s", "1 /s", "s", "1s"}) {
    EXPECT_FALSE(parse_rate(bad).has_value()) << bad;
  }
}

TEST(Quantities, ReadsLengthsOfTime) {
  EXPECT_DOUBLE_EQ(*parse_length("90d"), 90 * 86'400.0);
  EXPECT_DOUBLE_EQ(*parse_length("10y"), 10 * kYearSeconds);
  EXPECT_DOUBLE_EQ(*parse_length("5min"), 300);
  EXPECT_DOUBLE_EQ(*parse_length("5ms"), 0.005);
  EXPECT_DOUBLE_EQ(*parse_length("1.5h"), 5'400);
  EXPECT_DOUBLE_EQ(*parse_length("2month"), kYearSeconds / 6);
  for (const std::string_view bad : {"", "5", "d", "0d", "-1d", "5 d", "5dd", "5M"}) {
    EXPECT_FALSE(parse_length(bad).has_value()) << bad;
  }
}

TEST(Quantities, WritesWhatAPersonWouldWrite) {
  EXPECT_EQ(digits_of((U128{1} << 64) - 1), "18446744073709551615");
  EXPECT_EQ(count_words(38), "38");
  EXPECT_EQ(count_words(647'483'647), "647483647");
  EXPECT_EQ(count_words(1.3077e18), "1.308e18");
  EXPECT_EQ(number_words(0.5), "0.5");
  EXPECT_EQ(number_words(4'096'000), "4096000");
  EXPECT_EQ(number_words(1.0634e13), "1.063e13");
  EXPECT_EQ(length_words(1e-7), "0.1 us");
  EXPECT_EQ(length_words(0.001), "1 ms");
  EXPECT_EQ(length_words(1), "1 second");
  EXPECT_EQ(length_words(90), "90 seconds");
  EXPECT_EQ(length_words(37.47 * 86'400), "37.5 days");
  EXPECT_EQ(length_words(2.5 * kYearSeconds), "2.5 years");
  EXPECT_EQ(length_words(1.492e11 * kYearSeconds), "1.49e11 years");
  EXPECT_EQ(rate_words(25'600), "25600/s");
  EXPECT_EQ(rate_words(0.5), "30/min");
  EXPECT_EQ(rate_words(1e-9), "0.03156/y");
}

TEST(Quantities, KnowsWhereTimeEnds) {
  const Instant now = from_unix_ms(1'796'083'200'000);
  EXPECT_EQ(later(now, 86'400.9), now + std::chrono::hours{24});
  EXPECT_EQ(later(now, 0), now);
  EXPECT_FALSE(later(now, 1e12).has_value());
  EXPECT_FALSE(later(now, -1).has_value());
}

TEST(Quantities, BytesHaveThreeDigits) {
  EXPECT_EQ(bytes_words(55), "55 B");
  EXPECT_EQ(bytes_words(999.4), "999 B");
  EXPECT_EQ(bytes_words(999.6), "1 kB");
  EXPECT_EQ(bytes_words(1.5e6), "1.5 MB");
  EXPECT_EQ(bytes_words(2.3456e19), "2.35e+04 PB");
}

}  // namespace
}  // namespace mintmark::cli
