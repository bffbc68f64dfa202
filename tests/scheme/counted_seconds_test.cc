// What ObjectIds and XIDs have in common. What is of one of them alone is in its own test.
#include "mintmark/scheme/counted_seconds.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/object_id.h"
#include "mintmark/scheme/xid.h"
#include "tests/known_entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

template <class S>
CountedSeconds parts(const S& id) {
  std::array<std::byte, CountedSeconds::kBytes> bytes{};
  id.to_bytes(bytes);
  return CountedSeconds::from_bytes(bytes);
}

TEST(CountedSeconds, TakesItsPartsApartAgain) {
  const auto most = CountedSeconds::of(0xffff'ffff, CountedSeconds::kLargestLife,
                                       CountedSeconds::kLargestCounter);
  EXPECT_TRUE(most.integer() == (U128{1} << 96) - 1);
  SeededEntropy entropy{test_seed()};
  CountedSeconds before;
  for (int i = 0; i < 5000; ++i) {
    const std::uint64_t word = *entropy.word();
    const auto second = static_cast<std::uint32_t>(*entropy.word());
    const auto counter = static_cast<std::uint32_t>(word & 0xff'ffff);
    const auto value = CountedSeconds::of(second, word >> 24, counter);
    EXPECT_EQ(value.second(), second);
    EXPECT_EQ(value.life(), word >> 24);
    EXPECT_EQ(value.counter(), counter);
    EXPECT_EQ(CountedSeconds::of(value.integer()), value);
    EXPECT_EQ(parts(value), value);
    EXPECT_EQ(value < before, value.integer() < before.integer());
    before = value;
  }
}

template <class S>
class Counted : public testing::Test {};

using Schemes = testing::Types<ObjectId, Xid>;
TYPED_TEST_SUITE(Counted, Schemes);

TYPED_TEST(Counted, SecondHoldsAllOfItsCounterAndNotOneMore) {
  constexpr std::size_t kAll = std::size_t{1} << 24;
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  std::vector<TypeParam> ids(std::size_t{1} << 16);
  const CountedSeconds first = parts(*generator.next(kNow));
  // Neighbours differ by one step of the counter, so that 2^24 of them are all distinct. No assertion for
  // each: sixteen million take long under a sanitizer.
  std::size_t made = 1;
  std::size_t wrong = 0;
  while (made < kAll) {
    const auto count = generator.fill(ids, kNow);
    ASSERT_TRUE(count);
    for (const TypeParam& id : std::span{ids}.first(*count)) {
      const auto fields = id.unpack();
      const bool right = fields.counter == ((first.counter() + made) & 0xff'ffff) &&
                         fields.unix_seconds == first.second();
      wrong += right ? 0U : 1U;
      ++made;
    }
    ASSERT_EQ(parts(ids[0]).life(), first.life());
    ASSERT_EQ(parts(ids[*count - 1]).life(), first.life());
  }
  EXPECT_EQ(made, kAll);
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(generator.next(kNow + milliseconds{400}).error(),
            Error::retry(Fault::sequence_exhausted, 600'000));
  EXPECT_EQ(generator.fill(ids, kNow - seconds{2}).error(),
            Error::retry(Fault::sequence_exhausted, 3'000'000));
  EXPECT_EQ(generator.fill(ids, kNow + seconds{1}), ids.size());
  EXPECT_EQ(parts(ids[0]).time(), kNow + seconds{1});
  EXPECT_EQ(parts(ids[0]).life(), first.life());
}

TYPED_TEST(Counted, CounterWrapsAfterSixFs) {
  ConstantEntropy ones{std::byte{0xff}};
  typename TypeParam::Generator generator{ones};
  std::array<TypeParam, 3> ids{};
  ASSERT_EQ(generator.fill(ids, kNow), 3U);
  EXPECT_EQ(ids[0], *TypeParam::ceil(kNow));
  EXPECT_EQ(parts(ids[1]).counter(), 0U);
  EXPECT_EQ(parts(ids[2]).counter(), 1U);
  EXPECT_EQ(parts(ids[2]).life(), CountedSeconds::kLargestLife);
  EXPECT_EQ(parts(*generator.next(kNow)).counter(), 2U);
}

TYPED_TEST(Counted, LifeAndFirstCounterAreRandom) {
  SeededEntropy entropy{test_seed()};
  U128 ever_one = 0;
  U128 ever_zero = 0;
  for (int i = 0; i < 200; ++i) {
    typename TypeParam::Generator generator{entropy};
    const U128 bits = parts(*generator.next(kNow)).integer();
    ever_one |= bits;
    ever_zero |= ~bits;
  }
  EXPECT_EQ(static_cast<std::uint64_t>(ever_one), ~std::uint64_t{0});
  EXPECT_EQ(static_cast<std::uint64_t>(ever_zero), ~std::uint64_t{0});
}

TYPED_TEST(Counted, OneDrawOfTheEntropyLastsALife) {
  BreakableEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  std::vector<TypeParam> ids(1000);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(generator.fill(ids, kNow + seconds{i}));
  EXPECT_EQ(entropy.calls, 1U);
}

// twitter-archive/snowflake#6: the sequence began again before the step back was noticed.
TYPED_TEST(Counted, NothingRepeatsWhateverTheClockDoes) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  std::unordered_set<TypeParam> seen;
  const auto make = [&](Instant now) {
    std::array<TypeParam, 3> ids{};
    ASSERT_EQ(generator.fill(ids, now), ids.size());
    for (const TypeParam& id : ids) ASSERT_TRUE(seen.insert(id).second);
  };
  for (const int second : {100, 100, 100, 99, 100, 100, 90, 100}) make(kNow + seconds{second});
  EXPECT_EQ(generator.rollbacks(), 0U);
  SeededEntropy jitter{test_seed() + 1};
  for (int i = 0; i < 50'000; ++i) {
    make(kNow + milliseconds{static_cast<std::int64_t>(*jitter.word() % 60'000)});
  }
  EXPECT_GT(generator.rollbacks(), 1000U);
}

TYPED_TEST(Counted, AStepBackKeepsTheSecondAndTheLife) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  const CountedSeconds first = parts(*generator.next(kNow));
  const CountedSeconds second = parts(*generator.next(kNow - seconds{10}));
  EXPECT_EQ(second.time(), kNow);
  EXPECT_EQ(second.life(), first.life());
  EXPECT_EQ(second.counter(), (first.counter() + 1) & 0xff'ffff);
}

TYPED_TEST(Counted, AClockFarBackBeginsALifeThatDiffersForCertain) {
  ConstantEntropy zeros{std::byte{0}};  // the draw is the same each time
  typename TypeParam::Generator generator{zeros};
  const CountedSeconds first = parts(*generator.next(kNow));
  const Instant back = kNow - seconds{11};
  const CountedSeconds anew = parts(*generator.next(back));
  EXPECT_EQ(anew.time(), back);
  EXPECT_NE(anew.life(), first.life());
  EXPECT_EQ(generator.rollbacks(), 1U);
  EXPECT_EQ(parts(*generator.next(kNow)).life(), anew.life());  // forward again: the same life
}

TYPED_TEST(Counted, OrIsRefusedUntilTheClockIsNear) {
  using Generator = typename TypeParam::Generator;
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.far_back = Generator::FarBack::refuse}};
  const CountedSeconds first = parts(*generator.next(kNow));
  EXPECT_EQ(generator.next(kNow - seconds{11}).error(),
            Error::retry(Fault::clock_behind, 1'000'000));
  EXPECT_EQ(parts(*generator.next(kNow - seconds{10})).life(), first.life());
  EXPECT_EQ(generator.rollbacks(), 0U);
}

TYPED_TEST(Counted, AnErrorChangesNothing) {
  BreakableEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  const Instant before_all{Duration{-1}};
  const Instant after_all = CountedSeconds::start_of(CountedSeconds::kLastSecond + 1);
  EXPECT_EQ(generator.next(before_all).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.next(after_all).error().fault(), Fault::timestamp_overflow);
  entropy.broken = true;
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::entropy_unavailable);
  entropy.broken = false;
  const CountedSeconds first = parts(*generator.next(kNow));
  entropy.broken = true;
  EXPECT_EQ(generator.next(kNow - seconds{20}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next(before_all).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.next(after_all).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.rollbacks(), 0U);
  const CountedSeconds second = parts(*generator.next(kNow));
  EXPECT_EQ(second.life(), first.life());
  EXPECT_EQ(second.counter(), (first.counter() + 1) & 0xff'ffff);
  EXPECT_EQ(generator.fill(std::span<TypeParam>{}, before_all), 0U);
}

TYPED_TEST(Counted, FloorAndCeilHoldTheSecond) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  const TypeParam id = *generator.next(kNow);
  EXPECT_LE(*TypeParam::floor(kNow), id);
  EXPECT_LE(id, *TypeParam::ceil(kNow));
  EXPECT_LT(*TypeParam::ceil(kNow), *TypeParam::floor(kNow + seconds{1}));
  EXPECT_EQ(TypeParam::floor(kNow + milliseconds{999}), TypeParam::floor(kNow));
  EXPECT_EQ(TypeParam::floor(Instant{}), TypeParam{});
  EXPECT_EQ(TypeParam::floor(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  const Instant end = *parse_time("2106-02-07T06:28:15Z");
  EXPECT_EQ(parts(*TypeParam::ceil(end)).integer() + 1 == U128{1} << 96, true);
  EXPECT_EQ(TypeParam::ceil(end + seconds{1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(TypeParam::floor(end + seconds{1}).error().fault(), Fault::timestamp_overflow);
}

template <class Generator>
constexpr bool kPinned =
    !std::is_copy_constructible_v<Generator> && !std::is_move_constructible_v<Generator> &&
    !std::is_copy_assignable_v<Generator> && !std::is_move_assignable_v<Generator>;
static_assert(kPinned<ObjectId::Generator> && kPinned<Xid::Generator>);

}  // namespace
}  // namespace mintmark
