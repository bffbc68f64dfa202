#include "mintmark/scheme/uuid_v6.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scheme/one_version.h"
#include "tests/known_entropy.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using std::chrono::microseconds;
using vectors::Line;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01
constexpr Instant kLast = gregorian::time_of(gregorian::kLastTicks);
constexpr Duration kTick{1};

TEST(UuidV6, GivesTheKnownAnswers) {
  vectors::check_all(
      "uuid",
      {{"v6",
        [](const Line& line) {
          const auto id = UuidV6::parse(line.input);
          ASSERT_TRUE(id);
          const auto fields = id->unpack();
          EXPECT_EQ(std::to_string(fields.ticks), line.answer("ticks"));
          EXPECT_EQ(fields.clock_seq, std::stoul(line.answer("seq"), nullptr, 16));
          EXPECT_EQ(fields.node, std::stoull(line.answer("node"), nullptr, 16));
          // The vectors have microseconds.
          EXPECT_EQ(std::chrono::floor<microseconds>(id->time()), *parse_time(line.answer("time")));
          EXPECT_EQ(text_of(*UuidV6::pack(fields)), line.input);
        }},
       {"v1",
        [](const Line& line) {
          const auto v1 = UuidV1::parse(line.input);
          ASSERT_TRUE(v1);
          const auto v6 = UuidV6::from_v1(*v1);
          EXPECT_EQ(v6.unpack(), v1->unpack());
          EXPECT_EQ(v6.to_v1(), *v1);
        }}},
      {"v3", "v4bytes", "v5", "v7", "v7seq32", "v8sha256", "v8time10ns", "submsfrac", "uuidint",
       "uuidversion", "uuidvariant"});
}

TEST(UuidV6, NamesEachWrongByteAtEachPosition) { expect_each_byte_named<UuidV6>(); }
TEST(UuidV6, RefusesEveryOtherVersionAndVariant) { expect_other_versions_refused<UuidV6>(); }
TEST(UuidV6, ReadsBackFromFieldsTextAndOctets) { expect_round_trips<UuidV6>(); }

TEST(UuidV6, ReadsItsTimeInItsOwnFieldOrderAndNotInThatOfV1) {
  const auto id = UuidV6::parse("1f0e4913-6530-6eec-a6da-d0c1b525246e");
  ASSERT_TRUE(id);
  EXPECT_EQ(id->unpack().ticks, 139'862'900'781'289'196u);
}

TEST(UuidV6, PacksWhatFitsAndRefusesTheRest) {
  const UuidV6::Fields most{low_bits(60), 0x3fff, low_bits(48)};
  EXPECT_EQ(text_of(*UuidV6::pack(most)), "ffffffff-ffff-6fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV6::pack(most)->unpack(), most);
  EXPECT_EQ(UuidV6::pack({.ticks = low_bits(60) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(UuidV6::pack({.clock_seq = 0x4000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV6::pack({.node = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV6, FloorAndCeilHoldTheTick) {
  EXPECT_EQ(text_of(*UuidV6::floor(gregorian::kEpoch)), "00000000-0000-6000-8000-000000000000");
  EXPECT_EQ(text_of(*UuidV6::floor(Instant{})), "1b21dd21-3814-6000-8000-000000000000");
  EXPECT_EQ(text_of(*UuidV6::ceil(Instant{})), "1b21dd21-3814-6000-bfff-ffffffffffff");
  EXPECT_EQ(text_of(*UuidV6::ceil(kLast)), "ffffffff-ffff-6fff-bfff-ffffffffffff");
  EXPECT_LT(*UuidV6::ceil(kNow), *UuidV6::floor(kNow + kTick));
  EXPECT_EQ(UuidV6::floor(kNow)->time(), kNow);
  EXPECT_EQ(UuidV6::ceil(kNow)->time(), kNow);
  EXPECT_EQ(UuidV6::floor(gregorian::kEpoch - kTick).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(UuidV6::ceil(kLast + kTick).error().fault(), Fault::timestamp_overflow);
}

TEST(UuidV6, IsTheV1OfTheSameThreeNumbers) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 2000; ++round) {
    const UuidV1::Fields fields{
        .ticks = *entropy.word() & low_bits(60),
        .clock_seq = static_cast<std::uint16_t>(*entropy.word() & low_bits(14)),
        .node = *entropy.word() & low_bits(48)};
    const auto v1 = *UuidV1::pack(fields);
    const auto v6 = *UuidV6::pack(fields);
    ASSERT_EQ(UuidV6::from_v1(v1), v6);
    ASSERT_EQ(v6.to_v1(), v1);
    ASSERT_EQ(v6.time(), v1.time());
  }
}

TEST(UuidV6, SortsV1sByTime) {
  SeededEntropy entropy{test_seed()};
  std::vector<UuidV1> ids;
  for (int i = 0; i < 500; ++i) {
    ids.push_back(*UuidV1::pack({.ticks = *entropy.word() & low_bits(60)}));
  }
  std::ranges::sort(ids, {}, UuidV6::from_v1);
  EXPECT_TRUE(std::ranges::is_sorted(ids, {}, &UuidV1::time));
}

TEST(UuidV6Generator, RisesStrictlyWhateverTheClockDoesWithinTenSeconds) {
  SeededEntropy entropy{test_seed()};
  SeededEntropy jitter{test_seed() + 1};
  UuidV6::Generator generator{entropy};
  UuidV6 before = *generator.next(kNow);
  Instant newest = kNow;
  for (int i = 0; i < 50'000; ++i) {
    const auto back = Duration{static_cast<std::int64_t>(*jitter.word() % 100'000'000)};
    newest += microseconds{*jitter.word() % 20};
    const auto id = generator.next(i % 2 == 0 ? newest - back : newest);
    ASSERT_TRUE(id);
    ASSERT_LT(before, *id);
    ASSERT_LE(id->time() - newest, std::chrono::milliseconds{10});
    before = *id;
  }
  EXPECT_EQ(generator.rollbacks(), 0u);
}

}  // namespace
}  // namespace mintmark
