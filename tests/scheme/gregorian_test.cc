// The time of UUIDv1, v2 and v6, and the generator that v1 and v6 share: each test of it runs for both.
#include "mintmark/scheme/gregorian.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/uuid_v6.h"
#include "tests/known_entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01
constexpr Duration kTick{1};
constexpr Instant kLast = gregorian::time_of(gregorian::kLastTicks);
constexpr std::uint64_t kMulticast = 0x0100'0000'0000;

TEST(Gregorian, TicksAndTimesAreTheSameBothWays) {
  for (const std::uint64_t ticks : {std::uint64_t{0}, std::uint64_t{1}, low_bits(32), low_bits(59),
                                    gregorian::kLastTicks - 1, gregorian::kLastTicks}) {
    EXPECT_EQ(gregorian::ticks_of(gregorian::time_of(ticks)), ticks);
  }
  EXPECT_EQ(gregorian::ticks_of(Instant{Duration{-1}}), 0x01b21dd213814000 - 1);
}

TEST(Gregorian, RefusesTimesOutsideTheSixtyBits) {
  EXPECT_EQ(gregorian::ticks_of(gregorian::kEpoch - kTick).error().fault(),
            Fault::clock_before_epoch);
  EXPECT_EQ(gregorian::ticks_of(kLast + kTick).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(gregorian::ticks_of(Instant::min()).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(gregorian::ticks_of(Instant::max()).error().fault(), Fault::timestamp_overflow);
}

/// Node and clock sequence, by which generators differ.
template <class Id>
auto origin_of(const Id& id) {
  return std::pair{id.unpack().node, id.unpack().clock_seq};
}

/// Version-independent identity: two IDs with one key would be the same ID.
template <class Id>
auto key_of(const Id& id) {
  return std::tuple{id.unpack().ticks, id.unpack().node, id.unpack().clock_seq};
}

template <class Id>
class GregorianGeneratorTest : public testing::Test {
 protected:
  using Generator = typename Id::Generator;
  using Options = typename Generator::Options;
  using FarBack = typename Generator::FarBack;

  SeededEntropy entropy_{test_seed()};

  /// The ticks up to the newest reading and the borrowed ones behind it.
  static std::size_t use_up(Generator& generator, Instant now) {
    std::vector<Id> ids(200'000);
    const auto made = generator.fill(ids, now);
    EXPECT_TRUE(made);
    EXPECT_EQ(generator.next(now).error().fault(), Fault::sequence_exhausted);
    return *made;
  }
};

struct Names {
  template <class Id>
  static std::string GetName(int /*index*/) {
    return std::string{Id::facts.name};
  }
};
using Ids = testing::Types<UuidV1, UuidV6>;
TYPED_TEST_SUITE(GregorianGeneratorTest, Ids, Names);

TYPED_TEST(GregorianGeneratorTest, TakesTheTimeAsItIs) {
  typename TestFixture::Generator generator{this->entropy_};
  EXPECT_EQ(generator.next(kNow)->time(), kNow);
  EXPECT_EQ(generator.next(kNow + kTick)->time(), kNow + kTick);
  EXPECT_EQ(generator.next(kNow + seconds{1})->time(), kNow + seconds{1});
}

TYPED_TEST(GregorianGeneratorTest, TakesTimesBefore1970) {
  typename TestFixture::Generator generator{this->entropy_};
  EXPECT_EQ(generator.next(gregorian::kEpoch - kTick).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.next(gregorian::kEpoch)->time(), gregorian::kEpoch);
  const Instant moon = *parse_time("1969-07-20T20:17:40Z");
  EXPECT_EQ(generator.next(moon)->time(), moon);
}

TYPED_TEST(GregorianGeneratorTest, DrawsNodeAndClockSequenceOnce) {
  BreakableEntropy entropy{test_seed()};
  typename TestFixture::Generator generator{entropy};
  const auto first = *generator.next(kNow);
  std::vector<TypeParam> ids(1000);
  ASSERT_EQ(generator.fill(ids, kNow + seconds{5}), ids.size());
  ASSERT_TRUE(generator.next(kNow));
  EXPECT_EQ(entropy.calls, 1u);
  for (const auto& id : ids) ASSERT_EQ(origin_of(id), origin_of(first));
}

TYPED_TEST(GregorianGeneratorTest, EachBitOfTheOriginIsRandomButTheMulticastBit) {
  std::uint64_t ever_one = 0;
  std::uint64_t ever_zero = 0;
  std::uint64_t ever_one_seq = 0;
  std::uint64_t ever_zero_seq = 0;
  for (int i = 0; i < 200; ++i) {
    typename TestFixture::Generator generator{this->entropy_};
    const auto fields = generator.next(kNow)->unpack();
    ever_one |= fields.node;
    ever_zero |= ~fields.node;
    ever_one_seq |= fields.clock_seq;
    ever_zero_seq |= static_cast<std::uint64_t>(~fields.clock_seq);
  }
  EXPECT_EQ(ever_one, low_bits(48));
  EXPECT_EQ(ever_zero & low_bits(48), low_bits(48) & ~kMulticast);
  EXPECT_EQ(ever_one_seq, low_bits(14));
  EXPECT_EQ(ever_zero_seq & low_bits(14), low_bits(14));
}

TYPED_TEST(GregorianGeneratorTest, ANodeOfZerosStillHasTheMulticastBit) {
  ConstantEntropy zeros{std::byte{0}};
  typename TestFixture::Generator generator{zeros};
  EXPECT_EQ(generator.next(kNow)->unpack().node, kMulticast);
  EXPECT_EQ(generator.next(kNow)->unpack().node, kMulticast);
}

TYPED_TEST(GregorianGeneratorTest, NeverTakesATickTwice) {
  typename TestFixture::Generator generator{this->entropy_};
  std::vector<TypeParam> ids(700);
  std::uint64_t before = 0;
  Instant now = kNow;
  for (int round = 0; round < 2000; ++round) {
    const auto one = generator.next(now);
    ASSERT_TRUE(one);
    ASSERT_LT(before, one->unpack().ticks);
    const auto made = generator.fill(ids, now);
    ASSERT_EQ(made, ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ASSERT_EQ(ids[i].unpack().ticks, one->unpack().ticks + 1 + i);
    }
    before = ids.back().unpack().ticks;
    now += Duration{static_cast<std::int64_t>(*this->entropy_.word() % 1400)} + kTick;
  }
}

TYPED_TEST(GregorianGeneratorTest, BorrowsTenMillisecondsAndThenSaysHowLong) {
  typename TestFixture::Generator generator{this->entropy_};
  std::vector<TypeParam> ids(200'000);
  ASSERT_EQ(generator.fill(ids, kNow), 100'001u);  // the tick of now and those of 10 ms
  EXPECT_EQ(ids[0].time(), kNow);
  EXPECT_EQ(ids[100'000].time(), kNow + milliseconds{10});
  EXPECT_EQ(ids[100'001], TypeParam{});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(generator.next(kNow).error(), Error::retry(Fault::sequence_exhausted, 1));
    EXPECT_EQ(generator.fill(ids, kNow).error(), Error::retry(Fault::sequence_exhausted, 1));
  }
  EXPECT_EQ(generator.next(kNow + kTick)->time(), kNow + milliseconds{10} + kTick);
  EXPECT_EQ(generator.next(kNow + kTick).error().fault(), Fault::sequence_exhausted);
  ASSERT_EQ(generator.fill(ids, kNow + milliseconds{4}), 39'999u);
  EXPECT_EQ(ids[39'998].time(), kNow + milliseconds{14});
}

TYPED_TEST(GregorianGeneratorTest, TheWaitThatItNamesIsEnoughAndNotTooLong) {
  typename TestFixture::Generator generator{this->entropy_};
  this->use_up(generator, kNow);
  const Instant behind = kNow - milliseconds{5};
  const auto refused = generator.next(behind);
  EXPECT_EQ(refused.error().fault(), Fault::sequence_exhausted);
  const std::chrono::microseconds wait{refused.error().retry_after_us()};
  EXPECT_EQ(wait.count(), 5'001);
  EXPECT_FALSE(generator.next(behind + wait - std::chrono::microseconds{1}));
  EXPECT_TRUE(generator.next(behind + wait));
}

TYPED_TEST(GregorianGeneratorTest, BorrowsAsFarAsItIsTold) {
  for (const int borrow : {0, 1, 25}) {
    typename TestFixture::Generator generator{this->entropy_, {.max_borrow = milliseconds{borrow}}};
    std::vector<TypeParam> ids(300'000);
    EXPECT_EQ(generator.fill(ids, kNow), 10'000u * static_cast<unsigned>(borrow) + 1);
  }
}

TYPED_TEST(GregorianGeneratorTest, AClockThatIsBackByTenSecondsChangesNothing) {
  typename TestFixture::Generator generator{this->entropy_};
  const auto first = *generator.next(kNow);
  const auto second = *generator.next(kNow - seconds{10});
  EXPECT_EQ(second.time(), kNow + kTick);
  EXPECT_EQ(origin_of(second), origin_of(first));
  EXPECT_EQ(generator.rollbacks(), 0u);
}

TYPED_TEST(GregorianGeneratorTest, AClockFartherBackTakesTheNextClockSequence) {
  typename TestFixture::Generator generator{this->entropy_};
  const auto first = *generator.next(kNow);
  const Instant back = kNow - seconds{10} - kTick;
  const auto second = *generator.next(back);
  EXPECT_EQ(second.time(), back);
  EXPECT_EQ(second.unpack().clock_seq, (first.unpack().clock_seq + 1) & 0x3fff);
  EXPECT_NE(second.unpack().node, first.unpack().node);
  EXPECT_EQ(generator.rollbacks(), 1u);
  EXPECT_EQ(origin_of(*generator.next(back)), origin_of(second));
  EXPECT_EQ(generator.rollbacks(), 1u);
}

TYPED_TEST(GregorianGeneratorTest, ATimeThatComesAgainGivesOtherIds) {
  typename TestFixture::Generator generator{this->entropy_};
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint16_t>> seen;
  std::size_t made = 0;
  for (int visit = 0; visit < 50; ++visit) {
    for (const Duration away : {Duration{0}, Duration{seconds{11}}, Duration{seconds{30}}}) {
      seen.insert(key_of(*generator.next(kNow + away)));
      ++made;
    }
  }
  EXPECT_EQ(seen.size(), made);
  EXPECT_EQ(generator.rollbacks(), 49u);
}

TYPED_TEST(GregorianGeneratorTest, ATimeThatComesAgainGivesOtherIdsEvenWithoutRandomness) {
  ConstantEntropy ones{std::byte{0xff}};
  typename TestFixture::Generator generator{ones};
  std::set<std::uint16_t> clock_seqs;
  for (int visit = 0; visit < 16'384; ++visit) {
    clock_seqs.insert(generator.next(kNow)->unpack().clock_seq);
    ASSERT_TRUE(generator.next(kNow + seconds{11}));
  }
  EXPECT_EQ(clock_seqs.size(), 16'384u);
}

TYPED_TEST(GregorianGeneratorTest, StaysUniqueWhateverTheClockDoes) {
  typename TestFixture::Generator generator{this->entropy_};
  SeededEntropy jitter{test_seed() + 1};
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint16_t>> seen;
  std::size_t made = 0;
  std::vector<TypeParam> ids(50);
  for (int i = 0; i < 3'000; ++i) {
    // Anywhere in 30 s, on a grid that is visited again and again.
    const Instant now = kNow + milliseconds{*jitter.word() % 300 * 100};
    const auto count = generator.fill(ids, now);
    ASSERT_TRUE(count);
    for (const auto& id : std::span{ids}.first(*count)) seen.insert(key_of(id));
    made += *count;
  }
  EXPECT_EQ(seen.size(), made);
  EXPECT_GT(generator.rollbacks(), 100u);
}

TYPED_TEST(GregorianGeneratorTest, AStepOfOneTickBackRepeatsNothing) {
  typename TestFixture::Generator generator{this->entropy_};
  std::uint64_t before = 0;
  for (const int tick : {100, 100, 100, 99, 100, 100, 101, 99, 101}) {
    const std::uint64_t ticks = generator.next(kNow + Duration{tick})->unpack().ticks;
    EXPECT_LT(before, ticks);
    before = ticks;
  }
  EXPECT_EQ(generator.rollbacks(), 0u);
}

TYPED_TEST(GregorianGeneratorTest, ASetClockWithoutTicksLeftTakesTheNextClockSequence) {
  typename TestFixture::Generator generator{this->entropy_};
  const auto first = *generator.next(kNow);
  this->use_up(generator, kNow);
  EXPECT_EQ(generator.next(kNow - milliseconds{10}).error(),
            Error::retry(Fault::sequence_exhausted, 10'001));
  const Instant back = kNow - milliseconds{10} - kTick;
  const auto anew = *generator.next(back);
  EXPECT_EQ(anew.time(), back);
  EXPECT_NE(origin_of(anew), origin_of(first));
  EXPECT_EQ(generator.rollbacks(), 1u);
}

TYPED_TEST(GregorianGeneratorTest, OrRefusesUntilTheClockIsNear) {
  typename TestFixture::Generator generator{this->entropy_,
                                            {.far_back = TestFixture::FarBack::refuse}};
  const auto first = *generator.next(kNow);
  EXPECT_EQ(generator.next(kNow - seconds{11}).error(),
            Error::retry(Fault::clock_behind, 1'000'000));
  EXPECT_TRUE(generator.next(kNow - seconds{10}));
  this->use_up(generator, kNow);
  EXPECT_EQ(generator.next(kNow - seconds{1}).error(), Error::retry(Fault::clock_behind, 990'000));
  EXPECT_EQ(generator.next(kNow - milliseconds{10}).error(),
            Error::retry(Fault::sequence_exhausted, 10'001));
  const auto later = generator.next(kNow + kTick);
  ASSERT_TRUE(later);
  EXPECT_EQ(origin_of(*later), origin_of(first));
  EXPECT_EQ(generator.rollbacks(), 0u);
}

TYPED_TEST(GregorianGeneratorTest, EndsWithTheLastTickOfTheFormat) {
  typename TestFixture::Generator generator{this->entropy_};
  std::vector<TypeParam> ids(10);
  ASSERT_EQ(generator.fill(ids, kLast - Duration{3}), 4u);
  EXPECT_EQ(ids[3].time(), kLast);
  EXPECT_EQ(generator.next(kLast).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(kLast + kTick).error().fault(), Fault::timestamp_overflow);
}

TYPED_TEST(GregorianGeneratorTest, AnErrorChangesNothing) {
  BreakableEntropy entropy{test_seed()};
  typename TestFixture::Generator generator{entropy};
  entropy.broken = true;
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::entropy_unavailable);
  entropy.broken = false;
  const auto first = *generator.next(kNow - seconds{1});
  EXPECT_EQ(first.time(), kNow - seconds{1});
  entropy.broken = true;
  std::array<TypeParam, 2> ids{};
  EXPECT_EQ(generator.fill(ids, kNow - seconds{20}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next(kLast + kTick).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(ids[0], TypeParam{});
  EXPECT_EQ(generator.rollbacks(), 0u);
  const auto second = *generator.next(kNow - seconds{1});
  EXPECT_EQ(second.time() - first.time(), kTick);
  EXPECT_EQ(origin_of(second), origin_of(first));
  EXPECT_EQ(generator.fill(std::span<TypeParam>{}, gregorian::kEpoch - kTick), 0u);
}

TYPED_TEST(GregorianGeneratorTest, ChecksItsOptions) {
  using Own = typename TestFixture::Generator;
  EXPECT_TRUE(Own::check({}));
  EXPECT_TRUE(Own::check({.max_borrow = std::chrono::hours{1}}));
  EXPECT_EQ(Own::check({.max_borrow = milliseconds{-1}}).error().fault(), Fault::invalid_argument);
  EXPECT_EQ(Own::check({.max_borrow = milliseconds{3'600'001}}).error().fault(),
            Fault::invalid_argument);
  static_assert(!std::is_copy_constructible_v<Own> && !std::is_move_constructible_v<Own> &&
                !std::is_copy_assignable_v<Own>);
}

}  // namespace
}  // namespace mintmark
