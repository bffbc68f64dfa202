#include "mintmark/base/time.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

std::string text(Instant instant) { return std::string{TimeText{instant}.view()}; }

TEST(Time, WritesTheEndsOfSchemes) {
  EXPECT_EQ(text(Instant{}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(text(from_unix_ms(1'645'557'742'000)), "2022-02-22T19:22:22.000Z");
  EXPECT_EQ(text(from_unix_ms((std::int64_t{1} << 48) - 1)), "10889-08-02T05:31:50.655Z");
  // The zero of UUIDv1 and its largest time; RFC 9562 section 5.1.
  EXPECT_EQ(text(Instant{Duration{-122'192'928'000'000'000}}), "1582-10-15T00:00:00.000Z");
  EXPECT_EQ(text(Instant{Duration{(std::int64_t{1} << 60) - 1 - 122'192'928'000'000'000}}),
            "5236-03-31T21:21:00.6846975Z");
  EXPECT_EQ(text(from_unix_ms(-1)), "1969-12-31T23:59:59.999Z");
}

TEST(Time, MillisecondsRoundDownAlsoBefore1970) {
  EXPECT_EQ(unix_ms(Instant{Duration{9'999}}), 0);
  EXPECT_EQ(unix_ms(Instant{Duration{10'000}}), 1);
  EXPECT_EQ(unix_ms(Instant{Duration{-1}}), -1);
  EXPECT_EQ(unix_ms(Instant{Duration{-10'000}}), -1);
  EXPECT_EQ(unix_ms(Instant{Duration{-10'001}}), -2);
}

TEST(Time, WaitsRoundUp) {
  EXPECT_EQ(wait_us(Duration{-5}), 0u);
  EXPECT_EQ(wait_us(Duration{0}), 0u);
  EXPECT_EQ(wait_us(Duration{1}), 1u);
  EXPECT_EQ(wait_us(Duration{10}), 1u);
  EXPECT_EQ(wait_us(Duration{11}), 2u);
}

TEST(Time, ReadsWhatItWrites) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 5000; ++round) {
    // The years 0 to 9999 as 100 ns.
    const std::int64_t first =
        std::chrono::duration_cast<Duration>(
            std::chrono::sys_days{std::chrono::year{0} / 1 / 1}.time_since_epoch())
            .count();
    const auto offset = static_cast<std::int64_t>(*entropy.word() % 3'155'695'200'000'000'000);
    const Instant instant{Duration{first + offset}};
    EXPECT_EQ(parse_time(text(instant)), instant) << text(instant);
  }
}

TEST(Time, ReadsYearsOfFiveDigitsToTheEndOfEachFormat) {
  // The last instants of UUIDv7, ULID, Discord and of all of time.
  for (const std::string_view last :
       {"10889-08-02T05:31:50.655Z", "9999-12-31T23:59:59.999Z", "10000-01-01T00:00:00.000Z",
        "31196-12-31T23:59:59.9999999Z"}) {
    const auto time = parse_time(last);
    ASSERT_TRUE(time.has_value()) << last;
    EXPECT_EQ(text(*time), last);
  }
  EXPECT_EQ(unix_ms(*parse_time("10889-08-02T05:31:50.655Z")), (std::int64_t{1} << 48) - 1);
  EXPECT_EQ(parse_time("10889-08-02"), parse_time("10889-08-02T00:00:00Z"));
  EXPECT_EQ(parse_time("09999-08-02").error(), Error::at(Fault::not_canonical, 0));
  EXPECT_EQ(parse_time("31197-01-01").error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(parse_time("10889-02-29").error(), Error::at(Fault::value_overflow, 6));
}

TEST(Time, ReadsDatesFractionsAndOffsets) {
  const Instant noon = from_unix_ms(1'796'126'400'000);
  EXPECT_EQ(parse_time("2026-12-01T12:00:00Z"), noon);
  EXPECT_EQ(parse_time("2026-12-01t12:00:00z"), noon);
  EXPECT_EQ(parse_time("2026-12-01 12:00:00Z"), noon);
  EXPECT_EQ(parse_time("2026-12-01T13:30:00+01:30"), noon);
  EXPECT_EQ(parse_time("2026-12-01T04:00:00.000-08:00"), noon);
  EXPECT_EQ(parse_time("2026-12-01T12:00:00.0000001Z"), noon + Duration{1});
  EXPECT_EQ(parse_time("2026-12-01"), noon - std::chrono::hours{12});
  EXPECT_EQ(parse_time("2024-02-29"), from_unix_ms(1'709'164'800'000));
}

TEST(Time, NamesWhereATextGoesWrong) {
  EXPECT_EQ(parse_time("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(parse_time("2026-12-1").error(), Error::at(Fault::wrong_length, 9));
  EXPECT_EQ(parse_time("2026/12/01").error(), Error::at(Fault::bad_character, 4));
  EXPECT_EQ(parse_time("2026-02-29").error(), Error::at(Fault::value_overflow, 5));
  EXPECT_EQ(parse_time("2026-12-01T24:00:00Z").error(), Error::at(Fault::value_overflow, 11));
  EXPECT_EQ(parse_time("2026-12-01T12:60:00Z").error(), Error::at(Fault::value_overflow, 14));
  EXPECT_EQ(parse_time("2026-12-01T12:00:60Z").error(), Error::at(Fault::value_overflow, 17));
  EXPECT_EQ(parse_time("2026-12-01T12:00:00").error(), Error::at(Fault::wrong_length, 19));
  EXPECT_EQ(parse_time("2026-12-01T12:00:00.Z").error(), Error::at(Fault::bad_character, 20));
  EXPECT_EQ(parse_time("2026-12-01T12:00:00.00000001Z").error(),
            Error::at(Fault::wrong_length, 27));
  EXPECT_EQ(parse_time("2026-12-01T12:00:00Zx").error(), Error::at(Fault::wrong_length, 20));
  EXPECT_EQ(parse_time("2026-12-01T12:00:00+25:00").error(), Error::at(Fault::value_overflow, 20));
}

static_assert(!std::is_constructible_v<Instant, BootInstant> &&
              !std::is_constructible_v<BootInstant, Instant>);

}  // namespace
}  // namespace mintmark
