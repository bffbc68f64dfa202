#include "mintmark/scheme/uuid_v1.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "scheme/one_version.h"
#include "tests/known_entropy.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

TEST(UuidV1, GivesTheKnownAnswers) {
  vectors::check_all("uuid",
                     {{"v1",
                       [](const Line& line) {
                         const auto id = UuidV1::parse(line.input);
                         ASSERT_TRUE(id);
                         const auto fields = id->unpack();
                         EXPECT_EQ(std::to_string(fields.ticks), line.answer("ticks"));
                         EXPECT_EQ(fields.clock_seq, std::stoul(line.answer("seq"), nullptr, 16));
                         EXPECT_EQ(fields.node, std::stoull(line.answer("node"), nullptr, 16));
                         // The vectors have microseconds.
                         EXPECT_EQ(std::chrono::floor<std::chrono::microseconds>(id->time()),
                                   *parse_time(line.answer("time")));
                         EXPECT_EQ(text_of(*UuidV1::pack(fields)), line.input);
                       }}},
                     {"v3", "v4bytes", "v5", "v6", "v7", "v7seq32", "v8sha256", "v8time10ns",
                      "submsfrac", "uuidint", "uuidversion", "uuidvariant"});
}

TEST(UuidV1, NamesEachWrongByteAtEachPosition) { expect_each_byte_named<UuidV1>(); }
TEST(UuidV1, RefusesEveryOtherVersionAndVariant) { expect_other_versions_refused<UuidV1>(); }
TEST(UuidV1, ReadsBackFromFieldsTextAndOctets) { expect_round_trips<UuidV1>(); }

TEST(UuidV1, PacksWhatFitsAndRefusesTheRest) {
  const UuidV1::Fields most{low_bits(60), 0x3fff, low_bits(48)};
  EXPECT_EQ(text_of(*UuidV1::pack(most)), "ffffffff-ffff-1fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV1::pack(most)->unpack(), most);
  EXPECT_EQ(UuidV1::pack({.ticks = low_bits(60) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(UuidV1::pack({.clock_seq = 0x4000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV1::pack({.node = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV1, DoesNotSortByTime) {
  // 2^32 ticks are 429 s: then time_low begins anew.
  const auto earlier = *UuidV1::pack({.ticks = low_bits(32)});
  const auto later = *UuidV1::pack({.ticks = low_bits(32) + 1});
  EXPECT_LT(earlier.time(), later.time());
  EXPECT_GT(earlier, later);
}

TEST(UuidV1, ItsGeneratorWritesTheTimeOfTheClock) {
  SeededEntropy entropy{test_seed()};
  UuidV1::Generator generator{entropy};
  const auto id = generator.next(*parse_time("2022-02-22T19:22:22Z"));
  ASSERT_TRUE(id);
  EXPECT_TRUE(text_of(*id).starts_with("c232ab00-9414-11ec-"));
}

}  // namespace
}  // namespace mintmark
