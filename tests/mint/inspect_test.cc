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
  EXPECT_EQ(readings_of("C232AB00-9414-11EC-B3C8-9F6BDECED846")[0].scheme, "uuid1");
  EXPECT_EQ(readings_of("C232AB00-9414-91EC-B3C8-9F6BDECED846")[0].scheme, "uuid");
  EXPECT_EQ(readings_of("00000000-0000-0000-0000-000000000000")[0].scheme, "uuid");
  EXPECT_EQ(readings_of("{919108f7-52d1-4320-9bac-f847db4148a8}")[0].canonical,
            "919108f7-52d1-4320-9bac-f847db4148a8");
}

TEST(Inspect, GivesEveryLayoutOfASnowflakeAndNeverPicksSilently) {
  const auto readings = readings_of("1541815603606036480");
  // Every layout that has room for it, and CockroachDB's row IDs; js53 stays below 2^53.
  ASSERT_EQ(readings.size(), std::size(layouts::kPresets));
  EXPECT_EQ(readings[0].scheme, "twitter");
  EXPECT_EQ(TimeText{*readings[0].time}.view(), "2022-06-28T16:07:40.105Z");
  EXPECT_EQ(field(readings[0], "dc").value, "11");
  EXPECT_EQ(field(readings[0], "worker").value, "26");
  EXPECT_EQ(field(readings[0], "seq").value, "0");
  // As a Sonyflake it would be of 2043: still there, but behind.
  const auto sonyflake = std::ranges::find(readings, "sonyflake", &Reading::scheme);
  ASSERT_NE(sonyflake, readings.end());
  EXPECT_NE(sonyflake->reason.find("speaks against it"), std::string::npos);
  EXPECT_GT(sonyflake, std::ranges::find(readings, "discord", &Reading::scheme));
}

TEST(Inspect, SaysThatASmallNumberMayBeNoSnowflake) {
  EXPECT_NE(readings_of("42")[0].reason.find("it may be another number"), std::string::npos);
}

TEST(Inspect, PutsTheLayoutWithAPlausibleTimeFirst) {
  // 2^63 and more: only an unsigned layout gives it.
  const auto readings = readings_of("18446744073709551615");
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].scheme, "discord");
}

TEST(Inspect, ExplainsWhatIsWrongAndWhere) {
  EXPECT_EQ(why_not("01ARZ3NDEKTSV4RRFFQ69G5FUV"), "'U' at 24 is not in Crockford base32");
  EXPECT_EQ(why_not("017f22e2-79b0-7cc3-98c4-dc0c0c07398g"),
            "'g' at 35 is not a hexadecimal digit or a hyphen in its place");
  EXPECT_EQ(why_not("8ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
            "its value needs more than the 128 bits of a ULID");
  EXPECT_EQ(why_not("15418156036060x6480"), "'x' at 14 is not a decimal digit");
  EXPECT_EQ(why_not("0123"), "'0' at 0 is not part of the one spelling of its value");
  EXPECT_EQ(why_not("99999999999999999999"), "its value needs more than 64 bits");
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
  EXPECT_TRUE(
      json.starts_with("{\"schema\":1,\"input\":\"42\",\"readings\":[{\"scheme\":\"twitter\","))
      << json;
  EXPECT_NE(json.find("\"canonical\":\"42\""), std::string::npos) << json;
  EXPECT_EQ(to_json("a\"\\\n\xff", {}),
            "{\"schema\":1,\"input\":\"a\\\"\\\\\\u000a\\u00ff\",\"readings\":[]}");
}

TEST(Inspect, JsonKeepsUtf8AndEscapesWhatIsNot) {
  const auto input = [](std::string_view text) {
    const std::string json = to_json(text, {});
    return json.substr(20, json.find(",\"readings\"") - 20);
  };
  for (const std::string_view text : {"\u00e9", "\u20ac", "\ud7ff", "\U0001f600", "\U0010ffff"}) {
    EXPECT_EQ(input(text), "\"" + std::string{text} + "\"");
  }
  EXPECT_EQ(input("\xc3"), "\"\\u00c3\"");                        // cut off
  EXPECT_EQ(input("\xc0\x80"), "\"\\u00c0\\u0080\"");             // too long a form
  EXPECT_EQ(input("\xed\xa0\x80"), "\"\\u00ed\\u00a0\\u0080\"");  // a surrogate
  EXPECT_EQ(input("\xf4\x90\x80\x80"), "\"\\u00f4\\u0090\\u0080\\u0080\"");
  EXPECT_EQ(input("a\xe2\x82z"), "\"a\\u00e2\\u0082z\"");
}

TEST(Inspect, ReadsBackWhatEachSchemeWrites) {
  for (const CatalogueRow& row : kCatalogue) {
    // A value of every scheme that has a time.
    if (row.floor == nullptr) continue;
    const auto id = row.floor(row.scheme.epoch + std::chrono::hours{24});
    ASSERT_TRUE(id.has_value()) << row.name;
    const auto parsed = row.parse(id->text());
    ASSERT_TRUE(parsed.has_value()) << row.name;
    EXPECT_TRUE(std::ranges::equal(parsed->bytes(), id->bytes())) << row.name;
    EXPECT_EQ(parsed->time(), id->time()) << row.name;
    EXPECT_EQ(row.from_bytes(id->bytes())->text(), id->text()) << row.name;
  }
}

struct Known {
  std::string_view text;
  std::string_view scheme;
};
// From the published examples of each kind (tests/vectors) and of the products that issue them.
constexpr Known kKnown[] = {
    {"c232ab00-9414-11ec-b3c8-9f6bdeced846", "uuid1"},
    {"f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "uuid1"},
    {"000003e8-3d21-21ef-9400-3dd2a7fe7cd7", "uuid2"},
    {"5df41881-3aed-3515-88a7-2f4a814cf09e", "uuid3"},
    {"919108f7-52d1-4320-9bac-f847db4148a8", "uuid4"},
    {"{919108F7-52D1-4320-9BAC-F847DB4148A8}", "uuid4"},
    {"urn:uuid:919108f7-52d1-4320-9bac-f847db4148a8", "uuid4"},
    {"919108f752d143209bacf847db4148a8", "uuid4"},
    {"2ed6657d-e927-568b-95e1-2665a8aea6a2", "uuid5"},
    {"1ec9414c-232a-6b00-b3c8-9f6bdeced846", "uuid6"},
    {"017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "uuid7"},
    {"01890a5d-ac96-774b-bcce-b302099a8057", "uuid7"},
    {"2489e9ad-2ee2-8e00-8ec9-32d5f69181c0", "uuid8"},
    {"00000000-0000-0000-0000-000000000000", "uuid"},
    {"ffffffff-ffff-ffff-ffff-ffffffffffff", "uuid"},
    {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid"},
    {"01BX5ZZKBKACTAV9WEVGEMMVRZ", "ulid"},
    {"01gzg7pcspvhf0s44w7g5re071", "ulid"},
    {"0ujtsYcgvSTl8PAuAdqWYSMnLOv", "ksuid"},
    {"0uk1HcdvF0p8C20KtTfdRSB9XIm", "ksuid"},
    {"56e1fc72e0c917e9c4714161", "objectid"},
    {"507f1f77bcf86cd799439011", "objectid"},
    {"9m4e2mr0ui3e8a215n4g", "xid"},
    {"c6e52g2mrqcjl44hf170", "xid"},
    {"b8edi0qo1j65kvnoejvg", "xid"},
    {"-JhLeOlGIEjaIOFHR0xd", "pushid"},
    {"-JhQ7APk0UtyRTFO9-TS", "pushid"},
    {"prefix_01h455vb4pex5vsknk084sn02q", "typeid"},
    {"user_01h455vb4pex5vsknk084sn02q", "typeid"},
    {"01h455vb4pex5vsknk084sn02q", "typeid"},
    {"V1StGXR8_Z5jdHi6B-myT", "nanoid"},
    {"tz4a98xxat96iws9zmbrgj3a", "cuid2"},
    {"pfh0haxfpzowht3oi213cqos", "cuid2"},
    {"0123456789ABC", "tsid"},
    {"01226N0640J7K", "tsid"},
    {"1541815603606036480", "twitter"},
    {"1116766490855473152", "twitter"},
    {"175928847299117063", "discord"},
    {"4042358399659154432", "instagram"},
    {"275026772355976047", "sonyflake"},
    {"108555957705445940", "mastodon"},
    {"235191684988928001", "rowid"},
};

TEST(Inspect, NamesEachKindInAMixture) {
  static_assert(std::size(kKnown) >= 40);
  for (const Known& known : kKnown) {
    const auto readings = readings_of(known.text);
    ASSERT_FALSE(readings.empty()) << known.text;
    const CatalogueRow& row = *find_scheme(known.scheme);
    if (row.spelling != Spelling::decimal) {
      EXPECT_EQ(readings[0].scheme, known.scheme) << known.text;
      continue;
    }
    // A number does not say its layout: the right one is there, and nothing speaks against it.
    const auto found = std::ranges::find(readings, known.scheme, &Reading::scheme);
    ASSERT_NE(found, readings.end()) << known.text;
    EXPECT_EQ(found->reason.find("against"), std::string::npos) << found->reason;
    EXPECT_EQ(found->reason.find("another number"), std::string::npos) << found->reason;
    EXPECT_GT(readings.size(), 1U) << "never one epoch alone";
  }
}

TEST(Inspect, RefusesGarbageWithAReason) {
  for (const std::string_view text :
       {"", " ", "hello", "not-an-id", "2026-12-01T12:00:00Z", "0x7f", "1.5", "-1", "+1", "1e9",
        "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "c6e52g2mrqcjl44hf179", "aWgEPTl1tmebfsQzFP4bxwgy80W",
        "G000000000000", "PREFIX_00000000000000000000000000", "_00000000000000000000000000",
        "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "18446744073709551616"}) {
    EXPECT_FALSE(why_not(text).empty()) << text;
  }
}

TEST(Inspect, ReadsATextAsTheSchemeThatIsNamed) {
  const CatalogueRow& sonyflake = *find_scheme("sonyflake");
  EXPECT_EQ(inspect_as(sonyflake, "1541815603606036480", kNow)->scheme, "sonyflake");
  const auto refused = inspect_as(sonyflake, "15418x", kNow);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(explain_as(sonyflake, "15418x", refused.error()), "'x' at 5 is not a decimal digit");
}

TEST(Inspect, NamesTheTwoUuidsWithoutAVersion) {
  EXPECT_EQ(readings_of("00000000-0000-0000-0000-000000000000")[0].title, "Nil UUID");
  EXPECT_EQ(readings_of("ffffffff-ffff-ffff-ffff-ffffffffffff")[0].title, "Max UUID");
}

}  // namespace
}  // namespace mintmark::mint
