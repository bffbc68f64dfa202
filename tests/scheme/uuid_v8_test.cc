#include "mintmark/scheme/uuid_v8.h"

#include <string>

#include <gtest/gtest.h>

#include "scheme/one_version.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

TEST(UuidV8, GivesTheKnownAnswers) {
  vectors::check_all(
      "uuid",
      {{"v8sha256",
        [](const Line& line) {
          const auto words = vectors::words(line.input);
          ASSERT_EQ(words.size(), 2u);
          const auto id = UuidV8::name_based(*Uuid::parse(words[0]), vectors::unquoted(words[1]));
          EXPECT_EQ(text_of(id), line.expected);
          EXPECT_EQ(UuidV8::parse(line.expected), id);
        }},
       {"v8time10ns",
        [](const Line& line) {
          // The random part that the RFC has in its example.
          const auto id = UuidV8::time_based(
              {.ticks = std::stoull(line.input), .random = 0x0ec9'32d5'f691'81c0});
          ASSERT_TRUE(id);
          EXPECT_EQ(text_of(*id), line.expected);
        }}},
      {"v1", "v3", "v4bytes", "v5", "v6", "v7", "v7seq32", "submsfrac", "uuidint", "uuidversion",
       "uuidvariant"});
}

TEST(UuidV8, NamesEachWrongByteAtEachPosition) { expect_each_byte_named<UuidV8>(); }
TEST(UuidV8, RefusesEveryOtherVersionAndVariant) { expect_other_versions_refused<UuidV8>(); }
TEST(UuidV8, ReadsBackFromFieldsTextAndOctets) { expect_round_trips<UuidV8>(); }

TEST(UuidV8, PacksWhatFitsAndRefusesTheRest) {
  const UuidV8::Fields most{low_bits(48), 0xfff, low_bits(62)};
  EXPECT_EQ(text_of(*UuidV8::pack(most)), "ffffffff-ffff-8fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV8::pack(most)->unpack(), most);
  EXPECT_EQ(UuidV8::pack({.custom_a = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV8::pack({.custom_b = 0x1000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV8::pack({.custom_c = low_bits(62) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV8, TheTimeBasedExampleRefusesWhatTheRfcCuts) {
  const auto last = UuidV8::time_based({.ticks = low_bits(60), .random = low_bits(62)});
  ASSERT_TRUE(last);
  EXPECT_EQ(text_of(*last), "ffffffff-ffff-8fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV8::time_based({.ticks = low_bits(60) + 1}).error().fault(),
            Fault::timestamp_overflow);
  EXPECT_EQ(UuidV8::time_based({.random = low_bits(62) + 1}).error().fault(),
            Fault::value_overflow);
}

}  // namespace
}  // namespace mintmark
