// What holds for every scheme of the catalogue, and for each of them in every text form.
#include "mintmark/scheme/catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "mintmark/text/forms.h"
#include "seed.h"

namespace mintmark {
namespace {

/// A random ID of the scheme: random bits until they are one.
CatalogueId random_id(const CatalogueRow& row, Entropy& entropy) {
  for (;;) {
    std::array<std::byte, CatalogueId::kMostBytes> all{};
    const auto bytes = std::span{all}.first(row.scheme.bytes);
    EXPECT_TRUE(entropy.fill(bytes).has_value());
    const unsigned spare = 8 * static_cast<unsigned>(row.scheme.bytes) - row.scheme.bits;
    bytes[0] &= static_cast<std::byte>(0xffU >> spare);
    // A version of a UUID is in its name.
    if (row.scheme.name.starts_with("uuid") && row.scheme.name.size() > 4) {
      const auto version = static_cast<unsigned>(row.scheme.name[4] - '0');
      bytes[6] = (bytes[6] & std::byte{0x0f}) | static_cast<std::byte>(version << 4);
      bytes[8] = (bytes[8] & std::byte{0x3f}) | std::byte{0x80};
    }
    if (const auto id = row.from_bytes(bytes)) return *id;
  }
}

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

TEST(Catalogue, ReadsBackRandomIdsOfEveryScheme) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    for (int round = 0; round < 500; ++round) {
      const CatalogueId id = random_id(row, entropy);
      const auto parsed = row.parse(id.text());
      ASSERT_TRUE(parsed.has_value()) << row.name << ' ' << id.text();
      EXPECT_TRUE(std::ranges::equal(parsed->bytes(), id.bytes())) << id.text();
      EXPECT_EQ(parsed->text(), id.text());
      EXPECT_EQ(parsed->time(), id.time());
    }
  }
}

/// Also as a part of a TypeID.
bool may_stand_in_an_id(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

// ramsey/uuid#225, webmozarts/assert#307, shopware/shopware#20342, JSON-Schema-Test-Suite#1003: for a regular
// expression the end may stand before the last line end.
TEST(Catalogue, NoSchemeTakesBlanksOrLineEndsAroundAnId) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    const std::string text{random_id(row, entropy).text()};
    ASSERT_TRUE(row.parse(text).has_value()) << row.name << ' ' << text;
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      if (may_stand_in_an_id(c)) continue;
      EXPECT_FALSE(row.parse(text + c).has_value()) << row.name << ' ' << byte;
      EXPECT_FALSE(row.parse(c + text).has_value()) << row.name << ' ' << byte;
      EXPECT_FALSE(row.parse(c + text + c).has_value()) << row.name << ' ' << byte;
    }
    EXPECT_FALSE(row.parse(text + "\r\n").has_value()) << row.name;
    EXPECT_FALSE(row.parse("\xef\xbb\xbf" + text).has_value()) << row.name << ": a byte order mark";
  }
}

TEST(Catalogue, WritesEverySchemeInEveryTextForm) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    for (const TextForm& form : kTextForms) {
      std::string before;
      CatalogueId smaller;
      for (int round = 0; round < 50; ++round) {
        const CatalogueId id = random_id(row, entropy);
        std::string text(form.digits(8 * static_cast<unsigned>(id.bytes().size())), '\0');
        ASSERT_EQ(form.write(id.bytes(), text), text.size());
        std::array<std::byte, CatalogueId::kMostBytes> read{};
        const auto to = std::span{read}.first(id.bytes().size());
        ASSERT_TRUE(form.parse(text, to).has_value()) << row.name << ' ' << form.name() << text;
        EXPECT_TRUE(std::ranges::equal(to, id.bytes())) << row.name << ' ' << form.name();
        if (!before.empty() && form.sorts()) {
          EXPECT_EQ(before < text,
                    std::ranges::lexicographical_compare(smaller.bytes(), id.bytes()))
              << form.name();
        }
        before = text;
        smaller = id;
      }
    }
  }
}

TEST(Catalogue, TakesOrRefusesEveryByteAtEveryPosition) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    const CatalogueId id = random_id(row, entropy);
    std::string text{id.text()};
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char right = text[at];
      for (unsigned byte = 0; byte < 256; ++byte) {
        text[at] = static_cast<char>(byte);
        const auto parsed = row.parse(text);
        if (parsed) {
          // Another case where the case says nothing, or another value: never one value in two texts.
          const bool cased = row.spelling == Spelling::base62 || row.spelling == Spelling::base64;
          EXPECT_EQ(cased ? std::string{parsed->text()} : lower(parsed->text()),
                    cased ? text : lower(text))
              << row.name << " at " << at;
          const bool same = std::ranges::equal(parsed->bytes(), id.bytes());
          EXPECT_EQ(same, cased ? text == id.text() : lower(text) == lower(id.text()))
              << row.name << ' ' << text;
          continue;
        }
        ASSERT_EQ(parsed.error().kind(), Kind::bad_input) << row.name;
        const bool word = std::isalnum(static_cast<int>(byte)) != 0 || byte == '_' || byte == '-' ||
                          byte == '{' || byte == '}' || byte == ':';
        if (!word || byte >= 0x80) {
          EXPECT_EQ(parsed.error(), Error::at(Fault::bad_character, at))
              << row.name << ' ' << byte << " at " << at << ": " << parsed.error().row().name << ' '
              << parsed.error().position();
        } else {
          EXPECT_LE(parsed.error().position(), text.size()) << row.name;
        }
      }
      text[at] = right;
    }
  }
}

TEST(Catalogue, RefusesTextThatIsTooLongOrTooShort) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    if (row.spelling == Spelling::decimal || row.scheme.name == "typeid")
      continue;  // of any length
    const CatalogueId id = random_id(row, entropy);
    const std::string text{id.text()};
    for (const std::string& wrong :
         {text + "\n", text + " ", text + std::string(1, '\0'), text + "0", " " + text,
          text.substr(1), text.substr(0, text.size() - 1), std::string{}}) {
      EXPECT_FALSE(row.parse(wrong).has_value()) << row.name << " '" << wrong << "'";
    }
  }
}

TEST(Catalogue, FloorAndCeilEncloseTheIdsOfAnInstant) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    if (row.floor == nullptr) continue;
    for (int round = 0; round < 200; ++round) {
      const CatalogueId id = random_id(row, entropy);
      const auto least = row.floor(*id.time());
      const auto largest = row.ceil(*id.time());
      ASSERT_TRUE(least.has_value() && largest.has_value()) << row.name << ' ' << id.text();
      EXPECT_FALSE(std::ranges::lexicographical_compare(id.bytes(), least->bytes())) << row.name;
      EXPECT_FALSE(std::ranges::lexicographical_compare(largest->bytes(), id.bytes())) << row.name;
      EXPECT_EQ(least->time(), id.time()) << row.name;
      EXPECT_EQ(largest->time(), id.time()) << row.name;
      // One unit on is another time, and what is in front of it is this one still.
      const auto after = row.floor(*id.time() + row.scheme.unit);
      if (after) {
        EXPECT_TRUE(std::ranges::lexicographical_compare(largest->bytes(), after->bytes()));
      }
    }
  }
}

TEST(Catalogue, RefusesTimesThatASchemeCannotHold) {
  for (const CatalogueRow& row : kCatalogue) {
    if (row.floor == nullptr) continue;
    const auto before = row.floor(row.scheme.epoch - row.scheme.unit);
    ASSERT_FALSE(before.has_value()) << row.name;
    EXPECT_EQ(before.error().fault(), Fault::clock_before_epoch) << row.name;
    const auto after = row.ceil(*parse_time("31000-01-01"));
    ASSERT_FALSE(after.has_value()) << row.name;
    EXPECT_EQ(after.error().fault(), Fault::timestamp_overflow) << row.name;
    EXPECT_TRUE(row.floor(row.scheme.epoch).has_value()) << row.name;
  }
}

TEST(Catalogue, TimeTextIsExactOverTheWholeRangeOfEachFormat) {
  SeededEntropy entropy{test_seed()};
  for (const CatalogueRow& row : kCatalogue) {
    if (row.floor == nullptr) continue;
    for (int round = 0; round < 300; ++round) {
      const CatalogueId id = random_id(row, entropy);
      const TimeText text{*id.time()};
      const auto read = parse_time(text.view());
      ASSERT_TRUE(read.has_value()) << row.name << ' ' << text.view();
      EXPECT_EQ(*read, *id.time()) << row.name << ' ' << text.view();
      EXPECT_EQ(row.floor(*read)->time(), id.time()) << row.name;
    }
  }
}

TEST(Catalogue, FindsEachSchemeByItsName) {
  std::set<std::string_view> names;
  for (const CatalogueRow& row : kCatalogue) {
    EXPECT_EQ(find_scheme(row.name), &row);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
  }
  EXPECT_EQ(find_scheme("snowflake"), find_scheme("twitter"));
  EXPECT_EQ(find_scheme("uuid9"), nullptr);
}

}  // namespace
}  // namespace mintmark
