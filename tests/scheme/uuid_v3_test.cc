#include "mintmark/scheme/uuid_v3.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "scheme/one_version.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

TEST(UuidV3, GivesTheKnownAnswers) {
  vectors::check_all("uuid",
                     {{"v3",
                       [](const Line& line) {
                         const auto words = vectors::words(line.input);
                         ASSERT_EQ(words.size(), 2u);
                         const auto id =
                             UuidV3::of(*Uuid::parse(words[0]), vectors::unquoted(words[1]));
                         EXPECT_EQ(text_of(id), line.expected);
                         EXPECT_EQ(UuidV3::parse(line.expected), id);
                       }}},
                     {"v1", "v4bytes", "v5", "v6", "v7", "v7seq32", "v8sha256", "v8time10ns",
                      "submsfrac", "uuidint", "uuidversion", "uuidvariant"});
}

TEST(UuidV3, NamesEachWrongByteAtEachPosition) { expect_each_byte_named<UuidV3>(); }
TEST(UuidV3, RefusesEveryOtherVersionAndVariant) { expect_other_versions_refused<UuidV3>(); }
TEST(UuidV3, ReadsBackFromFieldsTextAndOctets) { expect_round_trips<UuidV3>(); }

TEST(UuidV3, PacksWhatFitsAndRefusesTheRest) {
  const UuidV3::Fields most{low_bits(48), 0xfff, low_bits(62)};
  EXPECT_EQ(text_of(*UuidV3::pack(most)), "ffffffff-ffff-3fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV3::pack(most)->unpack(), most);
  EXPECT_EQ(UuidV3::pack({.md5_high = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV3::pack({.md5_mid = 0x1000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV3::pack({.md5_low = low_bits(62) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV3, IsTheDigestButForSixBits) {
  std::string whole;
  for (const std::byte octet : namespaces::kUrl.bytes()) whole += static_cast<char>(octet);
  whole += "https://a.example/";
  const auto digest = Md5::of(whole);
  const auto id = UuidV3::of(namespaces::kUrl, "https://a.example/");
  const std::span<const std::byte> bytes{digest};
  EXPECT_EQ(id.unpack().md5_high, load_be<std::uint64_t>(bytes) >> 16);
  EXPECT_EQ(id.unpack().md5_mid, load_be<std::uint64_t>(bytes) & 0xfff);
  EXPECT_EQ(id.unpack().md5_low, load_be<std::uint64_t>(bytes.subspan(8)) & low_bits(62));
}

TEST(Namespaces, AreFoundByName) {
  EXPECT_EQ(namespaces::find("@dns"), namespaces::kDns);
  EXPECT_EQ(namespaces::find("@url"), namespaces::kUrl);
  EXPECT_EQ(namespaces::find("@oid"), namespaces::kOid);
  EXPECT_EQ(namespaces::find("@x500"), namespaces::kX500);
  for (const std::string_view other : {"", "@", "dns", "@DNS", "@dns ", "@x50", "@x5000"}) {
    EXPECT_FALSE(namespaces::find(other)) << other;
  }
}

TEST(Namespaces, AreFourUuidsAndOneThatIsNone) {
  EXPECT_EQ(text_of(namespaces::kDns), "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
  EXPECT_EQ(text_of(namespaces::kUrl), "6ba7b811-9dad-11d1-80b4-00c04fd430c8");
  EXPECT_EQ(text_of(namespaces::kOid), "6ba7b812-9dad-11d1-80b4-00c04fd430c8");
  EXPECT_EQ(text_of(namespaces::kX500), "6ba7b814-9dad-11d1-80b4-00c04fd430c8");
  for (const auto& named : namespaces::kAll) {
    EXPECT_NE(text_of(named.uuid), "6ba7b813-9dad-11d1-80b4-00c04fd430c8") << named.name;
  }
}

TEST(Namespaces, AreReadByNameOrAsAUuid) {
  EXPECT_EQ(namespaces::parse("@x500"), namespaces::kX500);
  EXPECT_EQ(namespaces::parse("{6BA7B811-9DAD-11D1-80B4-00C04FD430C8}"), namespaces::kUrl);
  EXPECT_EQ(namespaces::parse("@nsd").error(), Error::at(Fault::invalid_argument, 1));
  EXPECT_EQ(namespaces::parse("dns").error(), Error::at(Fault::wrong_length, 3));
}

}  // namespace
}  // namespace mintmark
