#include "mintmark/scheme/uuid_v5.h"

#include <string>
#include <string_view>
#include <unordered_set>

#include <gtest/gtest.h>

#include "scheme/one_version.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

TEST(UuidV5, GivesTheKnownAnswers) {
  vectors::check_all("uuid",
                     {{"v5",
                       [](const Line& line) {
                         const auto words = vectors::words(line.input);
                         ASSERT_EQ(words.size(), 2u);
                         const auto id =
                             UuidV5::of(*Uuid::parse(words[0]), vectors::unquoted(words[1]));
                         EXPECT_EQ(text_of(id), line.expected);
                         EXPECT_EQ(UuidV5::parse(line.expected), id);
                       }}},
                     {"v1", "v3", "v4bytes", "v6", "v7", "v7seq32", "v8sha256", "v8time10ns",
                      "submsfrac", "uuidint", "uuidversion", "uuidvariant"});
}

TEST(UuidV5, NamesEachWrongByteAtEachPosition) { expect_each_byte_named<UuidV5>(); }
TEST(UuidV5, RefusesEveryOtherVersionAndVariant) { expect_other_versions_refused<UuidV5>(); }
TEST(UuidV5, ReadsBackFromFieldsTextAndOctets) { expect_round_trips<UuidV5>(); }

TEST(UuidV5, PacksWhatFitsAndRefusesTheRest) {
  const UuidV5::Fields most{low_bits(48), 0xfff, low_bits(62)};
  EXPECT_EQ(text_of(*UuidV5::pack(most)), "ffffffff-ffff-5fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV5::pack(most)->unpack(), most);
  EXPECT_EQ(UuidV5::pack({.sha1_high = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV5::pack({.sha1_mid = 0x1000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV5::pack({.sha1_low = low_bits(62) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV5, EachOctetOfTheNameAndOfTheNamespaceCounts) {
  // Names around the length of a block, 64 octets of which the namespace takes 16 and the end 9.
  std::unordered_set<UuidV5> seen;
  std::size_t made = 0;
  for (std::size_t size = 0; size < 200; ++size, ++made) {
    seen.insert(UuidV5::of(namespaces::kDns, std::string(size, '\0')));
  }
  for (std::size_t at = 0; at < 100; ++at, ++made) {
    std::string name(100, '\0');
    name[at] = '\x80';
    seen.insert(UuidV5::of(namespaces::kDns, name));
  }
  for (unsigned bit = 0; bit < 128; ++bit, ++made) {
    const U128 other = namespaces::kDns.integer() ^ U128 { 1 } << bit;
    seen.insert(UuidV5::of(
        Uuid::of(static_cast<std::uint64_t>(other >> 64), static_cast<std::uint64_t>(other)), ""));
  }
  EXPECT_EQ(seen.size(), made);
}

}  // namespace
}  // namespace mintmark
