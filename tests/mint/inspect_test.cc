#include "mint/inspect.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "mintmark/scheme/catalogue.h"

namespace mintmark::mint {
namespace {

const Instant kNow = *parse_time("2026-12-01T00:00:00Z");

std::vector<Reading> readings_of(std::string_view text) {
  auto readings = inspect(text, kNow);
  EXPECT_TRUE(readings.has_value()) << text;
  return readings ? *readings : std::vector<Reading>{};
}

const FieldReading& field(const Reading& reading, std::string_view name) {
  const auto found = std::ranges::find(reading.fields, name, &FieldReading::name);
  EXPECT_NE(found, reading.fields.end()) << name;
  return *found;
}

std::string why_not(std::string_view text) {
  const auto readings = inspect(text, kNow);
  EXPECT_FALSE(readings.has_value()) << text;
  return readings ? "" : explain(text, readings.error());
}

TEST(Inspect, ReadsAUlid) {
  const auto readings = readings_of("01arz3ndektsv4rrffq69g5fav");
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].scheme, "ulid");
  EXPECT_EQ(readings[0].canonical, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(TimeText{*readings[0].time}.view(), "2016-07-30T23:54:10.259Z");
  EXPECT_EQ(field(readings[0], "time").value, "1469922850259");
  EXPECT_EQ(field(readings[0], "randomness").bits, 80U);
}

TEST(Inspect, ReadsTheUuidOfTheRfc) {
  // RFC 9562, appendix A.6.
  const auto readings = readings_of("017F22E2-79B0-7CC3-98C4-DC0C0C07398F");
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].scheme, "uuid7");
  EXPECT_EQ(readings[0].hex, "017f22e279b07cc398c4dc0c0c07398f");
  EXPECT_EQ(TimeText{*readings[0].time}.view(), "2022-02-22T19:22:22.000Z");
  EXPECT_EQ(field(readings[0], "ver").meaning, "version 7");
  EXPECT_EQ(field(readings[0], "var").meaning, "RFC 9562");
  EXPECT_EQ(field(readings[0], "rand_a").value, "0xcc3");
  EXPECT_EQ(field(readings[0], "rand_b").value, "0x18c4dc0c0c07398f");
}

TEST(Inspect, ReadsAUuidOfAnyVersion) {
  EXPECT_EQ(readings_of("919108f7-52d1-4320-9bac-f847db4148a8")[0].scheme, "uuid4");
  EXPECT_EQ(readings_of("C232AB00-9414-11EC-B3C8-9F6BDECED846")[0].scheme, "uuid");
  EXPECT_EQ(readings_of("00000000-0000-0000-0000-000000000000")[0].scheme, "uuid");
  EXPECT_EQ(readings_of("{919108f7-52d1-4320-9bac-f847db4148a8}")[0].canonical,
            "919108f7-52d1-4320-9bac-f847db4148a8");
}

TEST(Inspect, GivesEveryLayoutOfASnowflakeAndNeverPicksSilently) {
  const auto readings = readings_of("1541815603606036480");
  ASSERT_EQ(readings.size(), std::size(layouts::kPresets));
  EXPECT_EQ(readings[0].scheme, "snowflake twitter");
  EXPECT_EQ(TimeText{*readings[0].time}.view(), "2022-06-28T16:07:40.105Z");
  EXPECT_EQ(field(readings[0], "dc").value, "11");
  EXPECT_EQ(field(readings[0], "worker").value, "26");
  EXPECT_EQ(field(readings[0], "seq").value, "0");
  // As a Sonyflake it would be of 2043: still there, but last.
  EXPECT_EQ(readings.back().scheme, "snowflake sonyflake");
  EXPECT_NE(readings.back().reason.find("speaks against it"), std::string::npos);
}

TEST(Inspect, SaysThatASmallNumberMayBeNoSnowflake) {
  EXPECT_NE(readings_of("42")[0].reason.find("it may be another number"), std::string::npos);
}

TEST(Inspect, PutsTheLayoutWithAPlausibleTimeFirst) {
  // 2^63 and more: only an unsigned layout gives it.
  const auto readings = readings_of("18446744073709551615");
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].scheme, "snowflake discord");
}

TEST(Inspect, ExplainsWhatIsWrongAndWhere) {
  EXPECT_EQ(why_not("01ARZ3NDEKTSV4RRFFQ69G5FUV"), "'U' at 24 is not in Crockford base32");
  EXPECT_EQ(why_not("017f22e2-79b0-7cc3-98c4-dc0c0c07398g"),
            "'g' at 35 is not a hexadecimal digit or a hyphen in its place");
  EXPECT_EQ(why_not("8ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
            "its value needs more than the 128 bits of a ULID");
  EXPECT_EQ(why_not("15418156036060x6480"), "'x' at 14 is not a decimal digit");
  EXPECT_EQ(why_not("0123"), "'0' at 0 is not part of the one spelling of its value");
  EXPECT_EQ(why_not("99999999999999999999"),
            "its value needs more than the 64 bits of a Snowflake");
  EXPECT_EQ(why_not(""), "the text is empty");
  EXPECT_EQ(why_not("01ARZ3NDEKTSV4RRFFQ69G5FA"),
            "it has 25 characters; the closest is a ULID of 26");
  EXPECT_EQ(why_not("919108f7-52d1-4320-9bac-f847db4148a"),
            "it has 35 characters; the closest is a UUID of 36");
  EXPECT_EQ(why_not("01ARZ3NDEKTSV4RRFFQ69G5FA\n"), "byte 0x0a at 25 is not in Crockford base32");
}

TEST(Inspect, TakesAnyBytes) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (const std::size_t size : {1U, 19U, 20U, 26U, 32U, 36U, 38U, 45U, 64U}) {
      const std::string text(size, static_cast<char>(byte));
      const auto readings = inspect(text, kNow);
      if (!readings) {
        EXPECT_FALSE(explain(text, readings.error()).empty());
      } else {
        EXPECT_FALSE(readings->empty());
      }
    }
  }
}

TEST(Inspect, WritesJsonWithIdsAsText) {
  const std::string json = to_json("42", readings_of("42"));
  EXPECT_TRUE(json.starts_with(
      "{\"schema\":1,\"input\":\"42\",\"readings\":[{\"scheme\":\"snowflake twitter\","))
      << json;
  EXPECT_NE(json.find("\"canonical\":\"42\""), std::string::npos) << json;
  EXPECT_EQ(to_json("a\"\\\n\xff", {}),
            "{\"schema\":1,\"input\":\"a\\\"\\\\\\u000a\\u00ff\",\"readings\":[]}");
}

TEST(Inspect, ReadsBackWhatEachSchemeWrites) {
  for (const CatalogueRow& row : kCatalogue) {
    const U128 value = row.scheme.bits == 128
                           ? static_cast<U128>(0x017f22e279b04cc3) << 64 | 0x98c4dc0c0c07398f
                           : U128{1'541'815'603'606'036'480};
    std::array<char, 64> text{};
    if (row.scheme.name == "uuid7") continue;  // this value is of version 4
    const std::size_t size = row.write(value, text);
    const auto parsed = row.parse({text.data(), size});
    ASSERT_TRUE(parsed.has_value()) << row.scheme.name;
    EXPECT_TRUE(*parsed == value) << row.scheme.name;
  }
}

}  // namespace
}  // namespace mintmark::mint
