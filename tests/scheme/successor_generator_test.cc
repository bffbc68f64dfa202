// What KSUIDs and push IDs have in common. What is of one of them alone is in its own test.
#include "mintmark/scheme/successor_generator.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/ksuid.h"
#include "mintmark/scheme/push_id.h"
#include "tests/known_entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

template <class S>
class Successors : public testing::Test {
 protected:
  static constexpr Duration kTick = S::facts.unit;
};

using Schemes = testing::Types<Ksuid, PushId>;
TYPED_TEST_SUITE(Successors, Schemes);

TYPED_TEST(Successors, RiseStrictlyWhileTheClockStands) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  TypeParam before = *generator.next(kNow);
  for (int i = 0; i < 200'000; ++i) {
    const auto id = generator.next(kNow);
    ASSERT_TRUE(id);
    ASSERT_LT(before, *id);
    ASSERT_EQ(id->time(), kNow);
    before = *id;
  }
}

TYPED_TEST(Successors, RiseStrictlyWhateverTheClockDoesWithinTenSeconds) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  SeededEntropy jitter{test_seed() + 1};
  TypeParam before = *generator.next(kNow);
  Instant newest = kNow;
  for (int i = 0; i < 50'000; ++i) {
    const auto back = Duration{static_cast<std::int64_t>(*jitter.word() % 100'000'000)};
    const auto ahead = TestFixture::kTick * static_cast<std::int64_t>(*jitter.word() % 3);
    const Instant now = newest + ahead - (i % 2 == 0 ? back : Duration{0});
    newest = std::max(newest, now);
    std::array<TypeParam, 3> ids{};
    ASSERT_EQ(generator.fill(ids, now), 3U);
    for (const TypeParam& id : ids) {
      ASSERT_LT(before, id);
      ASSERT_EQ(id.time(), TypeParam::floor(newest)->time());
      before = id;
    }
  }
  EXPECT_EQ(generator.rollbacks(), 0U);
}

TYPED_TEST(Successors, AFullTickIsAnErrorWithItsEnd) {
  ConstantEntropy ones{std::byte{0xff}};
  typename TypeParam::Generator generator{ones};
  const Duration tick = TestFixture::kTick;
  const Instant now = kNow + tick / 4;
  EXPECT_EQ(*generator.next(now), *TypeParam::ceil(now));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(generator.next(now).error(),
              Error::retry(Fault::sequence_exhausted, wait_us(tick - tick / 4)));
  }
  std::array<TypeParam, 4> ids{};
  EXPECT_EQ(generator.fill(ids, now - seconds{1}).error(),
            Error::retry(Fault::sequence_exhausted, wait_us(seconds{1} + tick - tick / 4)));
  EXPECT_EQ(generator.fill(ids, now + tick), 1U);  // the next one would not fit any more
  EXPECT_EQ(ids[0], *TypeParam::ceil(now + tick));
}

TYPED_TEST(Successors, AreTheStepsFromTheFirstId) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  std::array<TypeParam, 100> ids{};
  ASSERT_EQ(generator.fill(ids, kNow), 100U);
  for (std::size_t i = 1; i < ids.size(); ++i) EXPECT_EQ(ids[i - 1].successor(), ids[i]);
  EXPECT_EQ(generator.next(kNow), *ids.back().successor());
}

TYPED_TEST(Successors, AClockFarBackStartsAnewAndIsCounted) {
  SeededEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  const TypeParam first = *generator.next(kNow);
  EXPECT_EQ(generator.next(kNow - seconds{10}), *first.successor());
  const Instant back = kNow - seconds{10} - TestFixture::kTick;
  const TypeParam anew = *generator.next(back);
  EXPECT_EQ(anew.time(), back);
  EXPECT_EQ(generator.rollbacks(), 1U);
  EXPECT_EQ(generator.next(back), *anew.successor());
}

TYPED_TEST(Successors, OrAreRefusedUntilTheClockIsNear) {
  using Generator = typename TypeParam::Generator;
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.far_back = Generator::FarBack::refuse}};
  const TypeParam first = *generator.next(kNow);
  EXPECT_EQ(generator.next(kNow - seconds{11}).error(),
            Error::retry(Fault::clock_behind, 1'000'000));
  EXPECT_EQ(generator.next(kNow - seconds{10}), *first.successor());
  EXPECT_EQ(generator.rollbacks(), 0U);
}

TYPED_TEST(Successors, WithoutOrderEachIdIsRandomAtItsTime) {
  using Generator = typename TypeParam::Generator;
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.within = Generator::Within::random}};
  std::vector<TypeParam> ids(1000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  EXPECT_FALSE(std::ranges::is_sorted(ids));
  for (const TypeParam& id : ids) EXPECT_EQ(id.time(), kNow);
  EXPECT_EQ(generator.next(kNow - seconds{60})->time(), kNow - seconds{60});
  const std::unordered_set<TypeParam> distinct{ids.begin(), ids.end()};
  EXPECT_EQ(distinct.size(), ids.size());
}

TYPED_TEST(Successors, WithoutOrderABrokenSourceLeavesWhatWasMade) {
  using Generator = typename TypeParam::Generator;
  BreakableEntropy entropy{test_seed()};
  Generator generator{entropy, {.within = Generator::Within::random}};
  entropy.calls_until_broken = 2;
  std::vector<TypeParam> ids(1000);
  EXPECT_EQ(generator.fill(ids, kNow), 128U);
  EXPECT_NE(ids[127], TypeParam{});
  EXPECT_EQ(ids[128], TypeParam{});
  EXPECT_EQ(generator.fill(ids, kNow).error().fault(), Fault::entropy_unavailable);
}

TYPED_TEST(Successors, AnErrorChangesNothing) {
  BreakableEntropy entropy{test_seed()};
  typename TypeParam::Generator generator{entropy};
  const Instant before_all = TypeParam::facts.epoch - Duration{1};
  std::array<TypeParam, 2> ids{};
  EXPECT_EQ(generator.next(before_all).error().fault(), Fault::clock_before_epoch);
  const TypeParam first = *generator.next(kNow);
  entropy.broken = true;
  EXPECT_EQ(generator.next(kNow + TestFixture::kTick).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.fill(ids, kNow - seconds{20}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next(before_all).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.rollbacks(), 0U);
  EXPECT_EQ(generator.next(kNow), *first.successor());
  EXPECT_EQ(generator.fill(std::span<TypeParam>{}, before_all), 0U);
}

template <class Generator>
constexpr bool kPinned =
    !std::is_copy_constructible_v<Generator> && !std::is_move_constructible_v<Generator> &&
    !std::is_copy_assignable_v<Generator> && !std::is_move_assignable_v<Generator>;
static_assert(kPinned<Ksuid::Generator> && kPinned<PushId::Generator>);

}  // namespace
}  // namespace mintmark
