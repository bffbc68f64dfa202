#include "mintmark/scheme/uuid.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/text/radix.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

constexpr std::string_view kText = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

std::string text(const Uuid& id) {
  std::string out(Uuid::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

Uuid uuid(std::string_view canonical) {
  const auto id = Uuid::parse(canonical);
  EXPECT_TRUE(id) << canonical;
  return id.value_or(Uuid{});
}

Uuid random_uuid(Entropy& entropy) { return Uuid::of(*entropy.word(), *entropy.word()); }

TEST(Uuid, GivesTheKnownAnswers) {
  vectors::check_all(
      "uuid",
      {{"uuidint",
        [](const Line& line) {
          std::array<char, 39> out{};
          const auto size = write_radix<kDecimal>(uuid(line.input).integer(), out);
          EXPECT_EQ(std::string(out.data(), size), line.expected);
        }},
       {"uuidversion",
        [](const Line& line) {
          EXPECT_EQ(std::to_string(uuid(line.input).version()), line.expected);
        }},
       {"uuidvariant",
        [](const Line& line) {
          constexpr std::array kNames{"NCS", "RFC", "Microsoft", "future"};
          const auto variant = static_cast<std::size_t>(uuid(line.input).variant());
          EXPECT_EQ(kNames.at(variant), line.expected);
        }}},
      {"v1", "v3", "v4bytes", "v5", "v6", "v7", "v7seq32", "v8sha256", "v8time10ns", "submsfrac"});
}

TEST(Uuid, ReadsAndRefusesTheKnownSpellings) {
  vectors::check_all("uuid_parse", {{"uuidaccept",
                                     [](const Line& line) {
                                       const auto id = Uuid::parse(line.text());
                                       ASSERT_TRUE(id);
                                       EXPECT_EQ(text(*id), line.expected);
                                       EXPECT_EQ(Uuid::parse_gofrs(line.text()), *id);
                                     }},
                                    {"uuidacceptgofrs",
                                     [](const Line& line) {
                                       EXPECT_FALSE(Uuid::parse(line.text()));
                                       const auto id = Uuid::parse_gofrs(line.text());
                                       ASSERT_TRUE(id);
                                       EXPECT_EQ(text(*id), line.expected);
                                     }},
                                    {"uuidreject", [](const Line& line) {
                                       EXPECT_TRUE(line.rejects());
                                       EXPECT_FALSE(Uuid::parse(line.text()));
                                       EXPECT_FALSE(Uuid::parse_gofrs(line.text()));
                                     }}});
}

TEST(Uuid, OrdersAsUnsignedBytes) {
  vectors::check_all("ordering",
                     {{"rfcorder",
                       [](const Line& line) {
                         const auto words = vectors::words(line.input);
                         ASSERT_EQ(words.size(), 3u);
                         EXPECT_EQ(uuid(words[0]) < uuid(words[2]), line.expected == "true");
                       }}},
                     {"netbytes", "mysqlswap", "javaorder", "sqlorder", "sqlsort", "sqlchain"});
}

// adoptium/adoptium-support#306, questdb/questdb#5411, h2database/h2database#1620, danlentz/clj-uuid#50,
// aallam/ulid-kotlin#49, scylladb/scylladb#7004: halves were compared as signed numbers.
TEST(Uuid, SortsThePlacesWhereSignedComparisonFails) {
  std::vector<Uuid> ids;
  for (const auto* first : {"bb", "7f", "ff", "00", "80"}) {
    ids.push_back(uuid(std::string{first} + "000000-0000-0000-0000-000000000000"));
    ids.push_back(uuid("00000000-0000-0000-" + std::string{first} + "00-000000000000"));
  }
  ids.push_back(uuid("7d7d081d-0000-4000-8000-000000000000"));
  ids.push_back(uuid("b6be8d3b-0000-4000-8000-000000000000"));
  auto by_bytes = ids;
  std::ranges::sort(ids);
  std::ranges::sort(by_bytes, [](const Uuid& a, const Uuid& b) {
    return std::memcmp(a.bytes().data(), b.bytes().data(), 16) < 0;
  });
  EXPECT_EQ(ids, by_bytes);
  std::vector<std::string> texts;
  for (const Uuid& id : ids) texts.push_back(text(id));
  EXPECT_TRUE(std::ranges::is_sorted(texts));
}

TEST(Uuid, EachSpellingReadsBack) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 2000; ++round) {
    const Uuid id = random_uuid(entropy);
    std::array<char, 64> out{};
    const auto spelled = [&](std::size_t size) { return std::string_view{out.data(), size}; };
    EXPECT_EQ(Uuid::parse(spelled(id.write(out))), id);
    EXPECT_EQ(Uuid::parse(spelled(id.write_upper(out))), id);
    EXPECT_EQ(Uuid::parse(spelled(id.write_plain(out))), id);
    EXPECT_EQ(Uuid::parse(spelled(id.write_braced(out))), id);
    EXPECT_EQ(Uuid::parse(spelled(id.write_urn(out))), id);
    EXPECT_EQ(Uuid::parse_postgres(spelled(id.write_braced(out))), id);
    EXPECT_EQ(Uuid::pack(id.unpack()), id);
    std::array<std::byte, 16> bytes{};
    id.to_bytes(bytes);
    EXPECT_EQ(Uuid::from_bytes(bytes), id);
  }
}

TEST(Uuid, WritesEachSpelling) {
  const Uuid id = uuid(kText);
  std::array<char, 64> out{};
  const auto spelled = [&](std::size_t size) { return std::string{out.data(), size}; };
  EXPECT_EQ(spelled(id.write(out)), "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
  EXPECT_EQ(spelled(id.write_upper(out)), "6BA7B810-9DAD-11D1-80B4-00C04FD430C8");
  EXPECT_EQ(spelled(id.write_plain(out)), "6ba7b8109dad11d180b400c04fd430c8");
  EXPECT_EQ(spelled(id.write_braced(out)), "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}");
  EXPECT_EQ(spelled(id.write_urn(out)), "urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8");
}

TEST(Uuid, TouchesNothingBehindItsText) {
  std::string out(40, '~');
  uuid(kText).write(std::span{out});
  EXPECT_EQ(out, std::string{kText} + "~~~~");
}

/// Every byte value at every position of a spelling: either it is right there, or it is named.
void expect_each_byte_named(std::string_view spelling) {
  ASSERT_TRUE(Uuid::parse(spelling)) << spelling;
  for (std::size_t at = 0; at < spelling.size(); ++at) {
    const bool digit = std::isxdigit(static_cast<unsigned char>(spelling[at])) != 0 &&
                       !(spelling.starts_with("urn") && at < 9);
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      std::string changed{spelling};
      changed[at] = c;
      const bool same = spelling.starts_with("urn") && at < 9
                            ? std::tolower(static_cast<unsigned char>(c)) == spelling[at]
                            : c == spelling[at];
      const auto read = Uuid::parse(changed);
      if (digit ? std::isxdigit(byte) != 0 : same) {
        ASSERT_TRUE(read) << changed;
      } else {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << spelling << ' ' << byte;
      }
    }
  }
}

TEST(Uuid, NamesEachWrongByteAtEachPosition) {
  expect_each_byte_named("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
  expect_each_byte_named("6BA7B810-9DAD-11D1-80B4-00C04FD430C8");
  expect_each_byte_named("6ba7b8109dad11d180b400c04fd430c8");
  expect_each_byte_named("{6ba7b810-9dad-11d1-80b4-00c04fd430c8}");
  expect_each_byte_named("{6ba7b8109dad11d180b400c04fd430c8}");
  expect_each_byte_named("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8");
}

// google/uuid#60, #131: of 38 characters the first and the last were dropped unseen.
TEST(Uuid, TakesNoPairOfCharactersAroundItButBraces) {
  for (const std::string inside :
       {"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b8109dad11d180b400c04fd430c8"}) {
    std::string text = "?" + inside + "?";
    for (int first = 0; first < 256; ++first) {
      for (int last = 0; last < 256; ++last) {
        text.front() = static_cast<char>(first);
        text.back() = static_cast<char>(last);
        const auto read = Uuid::parse(text);
        ASSERT_EQ(read.has_value(), first == '{' && last == '}') << first << ' ' << last;
        if (read) continue;
        ASSERT_EQ(read.error(),
                  Error::at(Fault::bad_character, first == '{' ? text.size() - 1 : 0));
      }
    }
  }
}

TEST(Uuid, RefusesEveryOtherLength) {
  for (std::size_t size = 0; size < 64; ++size) {
    if (size == 32 || size == 36) continue;  // plain and canonical have their own tests
    std::string changed{kText};
    changed.resize(size, '0');
    const auto read = Uuid::parse(changed);
    ASSERT_FALSE(read) << changed;
    if (size == 34 || size == 38 || size == 45) {
      EXPECT_EQ(read.error().fault(), Fault::bad_character) << changed;
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::wrong_length, std::min<std::size_t>(size, 36)))
          << changed;
    }
  }
}

// python/cpython#125651, json-schema-org/JSON-Schema-Test-Suite#915, #1002: digits of other scripts, and what
// a parser of numbers skips.
TEST(Uuid, RefusesDigitsThatAreNotAscii) {
  // Full width, Bengali, Arabic-Indic, and the superscript that isdigit of Latin-1 takes.
  for (const std::string digit : {"\xef\xbc\x92", "\xe0\xa7\xa8", "\xd9\xa2", "\xb2"}) {
    for (std::size_t at = 0; at < kText.size(); ++at) {
      const std::string longer =
          std::string{kText.substr(0, at)} + digit + std::string{kText.substr(at + 1)};
      EXPECT_FALSE(Uuid::parse(longer));
      if (at + digit.size() > kText.size()) continue;
      const std::string same =
          std::string{kText.substr(0, at)} + digit + std::string{kText.substr(at + digit.size())};
      EXPECT_EQ(Uuid::parse(same).error(), Error::at(Fault::bad_character, at));
    }
  }
  EXPECT_FALSE(
      Uuid::parse("\xe0\xa7\xa8"
                  "eb8aa08-aa98-11ea-b4aa-73b441d16380"));
}

TEST(Uuid, RefusesWhatAParserOfNumbersSkips) {
  const auto error_of = [](std::string_view text) { return Uuid::parse(text).error(); };
  EXPECT_EQ(error_of("123_4567812345678123456781234567"), Error::at(Fault::bad_character, 3));
  EXPECT_EQ(error_of("2eb8aa08-aa98-11ea-b4aa-73b441d1_380"), Error::at(Fault::bad_character, 32));
  EXPECT_EQ(error_of("0x345678-1234-1234-1234-123456789012"), Error::at(Fault::bad_character, 1));
  EXPECT_EQ(error_of("+2345678-1234-1234-1234-123456789012"), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(error_of("-2345678-1234-1234-1234-123456789012"), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(error_of(" 2345678-1234-1234-1234-123456789012"), Error::at(Fault::bad_character, 0));
}

// pocoproject/poco#878, #4375: a letter that is no digit, and two characters behind a whole UUID.
TEST(Uuid, RefusesAWrongDigitNearTheEndAndWhatFollows) {
  EXPECT_EQ(Uuid::parse("b0a6fe41-a360-6e22-3381-7de3410b4z07").error(),
            Error::at(Fault::bad_character, 33));
  // 38 characters are those of the braced form, of which this lacks the first.
  EXPECT_EQ(Uuid::parse(std::string{kText} + "AA").error(), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(Uuid::parse(std::string{kText} + "A").error(), Error::at(Fault::wrong_length, 36));
  EXPECT_EQ(Uuid::parse(std::string{kText} + "AAA").error(), Error::at(Fault::wrong_length, 36));
}

// ramsey/uuid#225, webmozarts/assert#307, shopware/shopware#20342, JSON-Schema-Test-Suite#1003: for a regular
// expression the end may stand before the last line end.
TEST(Uuid, RefusesBlanksAndLineEndsAroundIt) {
  const Uuid id = uuid(kText);
  std::array<char, 64> out{};
  const std::string nul(1, '\0');
  for (const auto write :
       {&Uuid::write, &Uuid::write_plain, &Uuid::write_braced, &Uuid::write_urn}) {
    const std::string spelling{out.data(), (id.*write)(out)};
    ASSERT_TRUE(Uuid::parse(spelling));
    for (const std::string& around : {std::string{"\n"}, std::string{"\r\n"}, std::string{"\r"},
                                      std::string{" "}, std::string{"\t"}, nul, nul + nul}) {
      EXPECT_FALSE(Uuid::parse(spelling + around)) << spelling;
      EXPECT_FALSE(Uuid::parse(around + spelling)) << spelling;
      EXPECT_FALSE(Uuid::parse(around + spelling + around)) << spelling;
      EXPECT_FALSE(Uuid::parse_gofrs(spelling + around)) << spelling;
      EXPECT_FALSE(Uuid::parse_postgres(spelling + around)) << spelling;
    }
  }
}

TEST(Uuid, PostgresModeTakesAHyphenAfterEachFourDigits) {
  const Uuid id = uuid(kText);
  for (const std::string_view spelling :
       {"6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6ba7b8109dad11d180b400c04fd430c8",
        "6ba7-b810-9dad-11d1-80b4-00c0-4fd4-30c8", "{6ba7-b8109dad-11d180b4-00c04fd430c8}",
        "{6BA7B8109DAD11D180B400C04FD430C8}"}) {
    EXPECT_EQ(Uuid::parse_postgres(spelling), id) << spelling;
  }
  EXPECT_EQ(Uuid::parse_postgres("6ba-7b8109dad11d180b400c04fd430c8").error(),
            Error::at(Fault::bad_character, 3));
  EXPECT_EQ(Uuid::parse_postgres("6ba7--b8109dad11d180b400c04fd430c8").error(),
            Error::at(Fault::bad_character, 5));
  EXPECT_EQ(Uuid::parse_postgres("-6ba7b8109dad11d180b400c04fd430c8").error(),
            Error::at(Fault::bad_character, 0));
  EXPECT_EQ(Uuid::parse_postgres("6ba7b8109dad11d180b400c04fd430c8-").error(),
            Error::at(Fault::wrong_length, 32));
  EXPECT_EQ(Uuid::parse_postgres("{6ba7b8109dad11d180b400c04fd430c8").error(),
            Error::at(Fault::wrong_length, 33));
  EXPECT_EQ(Uuid::parse_postgres("{6ba7b8109dad11d180b400c04fd430c8)").error(),
            Error::at(Fault::bad_character, 33));
  EXPECT_EQ(Uuid::parse_postgres("6ba7b8109dad11d180b400c04fd430c8}").error(),
            Error::at(Fault::wrong_length, 32));
  EXPECT_EQ(Uuid::parse_postgres("{6ba7b8109dad11d180b400c04fd430c8}}").error(),
            Error::at(Fault::bad_character, 33));
  EXPECT_EQ(Uuid::parse_postgres("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_FALSE(Uuid::parse_postgres("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8"));
}

TEST(Uuid, AWrongVersionIsNamedAtItsDigitInEachSpelling) {
  const Uuid id = uuid("f47ac10b-58cc-4372-8567-0e02b2c3d479");
  const Uuid microsoft = uuid("f47ac10b-58cc-4372-c567-0e02b2c3d479");
  std::array<char, 64> out{};
  const auto at = [&](std::size_t size, unsigned version) {
    const auto read = Uuid::parse_version({out.data(), size}, version);
    EXPECT_EQ(read.error().fault(), Fault::wrong_version);
    return read.error().position();
  };
  EXPECT_TRUE(Uuid::parse_version("f47ac10b-58cc-4372-8567-0e02b2c3d479", 4));
  EXPECT_EQ(at(id.write(out), 7), 14u);
  EXPECT_EQ(at(id.write_plain(out), 7), 12u);
  EXPECT_EQ(at(id.write_braced(out), 7), 15u);
  EXPECT_EQ(at(id.write_urn(out), 7), 23u);
  EXPECT_EQ(at(microsoft.write(out), 4), 19u);
  EXPECT_EQ(at(microsoft.write_plain(out), 4), 16u);
  EXPECT_EQ(at(microsoft.write_braced(out), 4), 20u);
  EXPECT_EQ(at(microsoft.write_urn(out), 4), 28u);
}

TEST(Uuid, NilAndMaxAreTheEnds) {
  EXPECT_EQ(text(Uuid::nil()), "00000000-0000-0000-0000-000000000000");
  EXPECT_EQ(text(Uuid::max()), "ffffffff-ffff-ffff-ffff-ffffffffffff");
  EXPECT_TRUE(Uuid::nil().is_nil() && !Uuid::nil().is_max());
  EXPECT_TRUE(Uuid::max().is_max() && !Uuid::max().is_nil());
  SeededEntropy entropy{test_seed()};
  const Uuid id = random_uuid(entropy);
  EXPECT_LE(Uuid::nil(), id);
  EXPECT_LE(id, Uuid::max());
}

TEST(Uuid, BytesHaveExactlySixteen) {
  const std::array<std::byte, 17> bytes{};
  EXPECT_EQ(Uuid::from_bytes(std::span{bytes}.first(15)).error(),
            Error::at(Fault::wrong_length, 15));
  EXPECT_EQ(Uuid::from_bytes(bytes).error(), Error::at(Fault::wrong_length, 17));
}

TEST(Uuid, ConstantEvaluationAgreesWithTheKernels) {
  constexpr Uuid kId = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"_uuid;
  constexpr auto kWritten = [] {
    std::array<char, 45> out{};
    "6ba7b810-9dad-11d1-80b4-00c04fd430c8"_uuid.write_urn(out);
    return out;
  }();
  EXPECT_EQ(uuid(kText), kId);
  std::array<char, 45> out{};
  kId.write_urn(out);
  EXPECT_EQ(out, kWritten);
  static_assert(Uuid::parse("6ba7b810-9dad-11d1-80b4_00c04fd430c8").error() ==
                Error::at(Fault::bad_character, 23));
}

TEST(Uuid, HashSpreadsCountersAndTimes) {
  std::unordered_set<std::size_t> low_halves;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    low_halves.insert(
        std::hash<Uuid>{}(Uuid::of(0x0190'0000'0000'7000 + (i << 16), 0x8000'0000'0000'0000)) &
        0xffff'ffff);
    low_halves.insert(
        std::hash<Uuid>{}(Uuid::of(0x0190'0000'0000'7000, 0x8000'0000'0000'0001 + (i << 32))) &
        0xffff'ffff);
  }
  // 2000 values in 2^32 places: two or more collisions by chance once in 10^6.
  EXPECT_GE(low_halves.size(), 1999u);
}

}  // namespace
}  // namespace mintmark
