#include "mintmark/scheme/uuid_v2.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

#include "scheme/one_version.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

TEST(UuidV2, ReadsTheOneLineOfTheVectorsThatIsOfItsVersion) {
  vectors::check_all("uuid",
                     {{"uuidversion",
                       [](const Line& line) {
                         EXPECT_EQ(UuidV2::parse(line.input).has_value(), line.expected == "2");
                       }}},
                     {"v1", "v3", "v4bytes", "v5", "v6", "v7", "v7seq32", "v8sha256", "v8time10ns",
                      "submsfrac", "uuidint", "uuidvariant"});
}

TEST(UuidV2, NamesEachWrongByteAtEachPosition) { expect_each_byte_named<UuidV2>(); }
TEST(UuidV2, RefusesEveryOtherVersionAndVariant) { expect_other_versions_refused<UuidV2>(); }
TEST(UuidV2, ReadsBackFromFieldsTextAndOctets) { expect_round_trips<UuidV2>(); }

TEST(UuidV2, ReadsUserGroupAndNode) {
  const auto id = UuidV2::parse("000001f5-5e9a-21ea-9e00-0242ac130003");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->unpack().local_id, 501u);
  EXPECT_EQ(UuidV2::name_of(id->unpack().domain), "person");
  EXPECT_EQ(id->unpack().node, 0x0242ac130003u);
  const auto group = UuidV2::parse("000003e8-5e9a-21ea-bf01-0242ac130003");
  ASSERT_TRUE(group);
  EXPECT_EQ(UuidV2::name_of(group->unpack().domain), "group");
  EXPECT_EQ(group->unpack().clock_seq, 0x3f);
  EXPECT_EQ(UuidV2::name_of(UuidV2::Domain::org), "org");
  EXPECT_EQ(UuidV2::name_of(UuidV2::Domain{3}), "");
}

TEST(UuidV2, ItsTimeIsTheStartOfASpanOfSevenMinutes) {
  const auto id = *UuidV2::parse("000001f5-5e9a-21ea-9e00-0242ac130003");
  // The example was made at 04:30:10 or up to 429.5 s later.
  EXPECT_EQ(TimeText{id.time()}.view(), "2020-03-05T04:30:10.6195968Z");
  auto next = id.unpack();
  ++next.spans;
  EXPECT_EQ(UuidV2::pack(next)->time() - id.time(), UuidV2::facts.unit);
  EXPECT_EQ(std::chrono::floor<std::chrono::milliseconds>(UuidV2::facts.unit).count(), 429'496);
  EXPECT_EQ(UuidV2{}.time(), gregorian::kEpoch);
}

TEST(UuidV2, PacksWhatFitsAndRefusesTheRest) {
  const UuidV2::Fields most{.local_id = ~std::uint32_t{0},
                            .spans = static_cast<std::uint32_t>(low_bits(28)),
                            .clock_seq = 0x3f,
                            .domain = UuidV2::Domain{0xff},
                            .node = low_bits(48)};
  EXPECT_EQ(text_of(*UuidV2::pack(most)), "ffffffff-ffff-2fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV2::pack(most)->unpack(), most);
  EXPECT_EQ(UuidV2::pack({.spans = 1u << 28}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(UuidV2::pack({.clock_seq = 0x40}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV2::pack({.node = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
}

}  // namespace
}  // namespace mintmark
