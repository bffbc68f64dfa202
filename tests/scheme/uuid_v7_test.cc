#include "mintmark/scheme/uuid_v7.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using vectors::Line;
using Generator = UuidV7::Generator;
using Method = UuidV7::Generator::Method;
using FarBack = UuidV7::Generator::FarBack;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01
constexpr Generator::Options kTwelveBits{.counter_bits = 12};
constexpr Generator::Options kMonotonicRandom{.method = Method::monotonic_random};
constexpr Generator::Options kSubMs{.method = Method::sub_ms};

std::string text(const UuidV7& id) {
  std::string out(UuidV7::facts.text_size, '?');
  id.write(std::span{out});
  return out;
}

/// rand_a and rand_b as one number of 74 bits.
U128 rand_of(const UuidV7& id) {
  const auto fields = id.unpack();
  return static_cast<U128>(fields.rand_a) << 62 | fields.rand_b;
}

std::uint64_t counter_of(const UuidV7& id, unsigned bits) {
  return static_cast<std::uint64_t>(rand_of(id) >> (74 - bits));
}

TEST(UuidV7, GivesTheKnownAnswers) {
  vectors::check_all(
      "uuid",
      {{"v7",
        [](const Line& line) {
          const auto id = UuidV7::parse(line.input);
          ASSERT_TRUE(id);
          EXPECT_EQ(std::to_string(id->unpack().unix_ms), line.answer("ms"));
          EXPECT_EQ(TimeText{id->time()}.view(), line.answer("time"));
          EXPECT_EQ(text(*UuidV7::pack(id->unpack())), line.input);
        }},
       {"v7seq32",
        [](const Line& line) {
          const std::uint64_t ms = std::stoull(line.given("ms"), nullptr, 16);
          const std::uint64_t sequence = std::stoull(line.given("seq"), nullptr, 16);
          const auto id = UuidV7::pack({.unix_ms = ms,
                                        .rand_a = static_cast<std::uint16_t>(sequence >> 20),
                                        .rand_b = (sequence & low_bits(20)) << 42});
          ASSERT_TRUE(id);
          // The 20 low bits end inside the last hex digit of the prefix; what follows it is random.
          EXPECT_TRUE(text(*id).starts_with(line.expected)) << text(*id);
          EXPECT_EQ(counter_of(*id, 32), sequence);
        }},
       {"submsfrac",
        [](const Line& line) {
          const auto ticks = static_cast<std::int64_t>(std::stod(line.input) * 10'000 + 0.5);
          EXPECT_EQ(UuidV7::sub_ms(kNow + Duration{ticks}), std::stoul(line.expected, nullptr, 16));
        }}},
      {"v1", "v3", "v4bytes", "v5", "v6", "v8sha256", "v8time10ns", "uuidint", "uuidversion",
       "uuidvariant"});
}

TEST(UuidV7, SubMillisecondsReachTheEnds) {
  EXPECT_EQ(UuidV7::sub_ms(kNow), 0);
  EXPECT_EQ(UuidV7::sub_ms(kNow + Duration{9'999}), 4095);
  EXPECT_EQ(UuidV7::sub_ms(Instant{Duration{-1}}), 4095);
}

TEST(UuidV7, RefusesEveryOtherVersionAndVariant) {
  for (std::size_t digit = 0; digit < 16; ++digit) {
    std::string version = "017f22e2-79b0-0cc3-98c4-dc0c0c07398f";
    version[14] = kHexLower[digit];
    EXPECT_EQ(UuidV7::parse(version).has_value(), digit == 7);
    EXPECT_EQ(UuidV7::from_uuid(*Uuid::parse(version)).has_value(), digit == 7);
    EXPECT_EQ(UuidV7::from_bytes(Uuid::parse(version)->bytes()).has_value(), digit == 7);
    std::string variant = "017f22e2-79b0-7cc3-08c4-dc0c0c07398f";
    variant[19] = kHexLower[digit];
    EXPECT_EQ(UuidV7::parse(variant).has_value(), digit >= 8 && digit < 12);
  }
}

TEST(UuidV7, PacksWhatFitsAndRefusesTheRest) {
  const UuidV7::Fields most{low_bits(48), 0xfff, low_bits(62)};
  EXPECT_EQ(text(*UuidV7::pack(most)), "ffffffff-ffff-7fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV7::pack(most)->unpack(), most);
  EXPECT_EQ(*UuidV7::pack({}), UuidV7{});
  EXPECT_EQ(UuidV7::pack({.unix_ms = low_bits(48) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(UuidV7::pack({.rand_a = 0x1000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV7::pack({.rand_b = low_bits(62) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV7, FloorAndCeilHoldTheMillisecond) {
  EXPECT_EQ(text(*UuidV7::floor(from_unix_ms(0))), "00000000-0000-7000-8000-000000000000");
  EXPECT_EQ(text(*UuidV7::ceil(from_unix_ms(UuidV7::kLastMs))),
            "ffffffff-ffff-7fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV7::floor(kNow + microseconds{999}), UuidV7::floor(kNow));
  EXPECT_LT(*UuidV7::ceil(kNow), *UuidV7::floor(kNow + milliseconds{1}));
  EXPECT_EQ(UuidV7::floor(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(UuidV7::ceil(from_unix_ms(UuidV7::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
}

/// A million IDs while the clock stands, in calls of both kinds.
void expect_rising(Generator::Options options, Duration most_ahead) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, options};
  UuidV7 before = *UuidV7::floor(kNow - milliseconds{1});
  std::vector<UuidV7> batch(997);
  for (std::size_t made = 0; made < 1'000'000; made += batch.size() + 1) {
    const auto one = generator.next(kNow);
    ASSERT_TRUE(one) << made;
    ASSERT_LT(before, *one);
    ASSERT_EQ(generator.fill(batch, kNow), batch.size());
    ASSERT_LT(*one, batch.front());
    ASSERT_EQ(std::ranges::adjacent_find(batch, std::ranges::greater_equal{}), batch.end());
    before = batch.back();
  }
  EXPECT_LE(before.time() - kNow, most_ahead);
  EXPECT_EQ(UuidV7::parse(text(before)), before);
}

TEST(UuidV7Generator, RisesStrictlyWhileTheClockStands) { expect_rising({}, Duration{0}); }

TEST(UuidV7Generator, RisesStrictlyByRandomStepsOfTheWholeRandomPart) {
  expect_rising(kMonotonicRandom, Duration{0});
}

TEST(UuidV7Generator, RisesStrictlyIntoBorrowedMilliseconds) {
  // A seed leaves 2,048 to 4,096 IDs a millisecond.
  expect_rising({.counter_bits = 12, .max_borrow = milliseconds{500}},
                milliseconds{1'000'000 / 2048});
  expect_rising({.method = Method::sub_ms, .max_borrow = milliseconds{500}}, milliseconds{245});
}

TEST(UuidV7Generator, RisesStrictlyInEachWidth) {
  for (unsigned bits = 20; bits <= 42; ++bits) {
    SeededEntropy entropy{test_seed() + bits};
    Generator generator{entropy, {.counter_bits = bits}};
    UuidV7 before = *generator.next(kNow);
    EXPECT_EQ(counter_of(before, bits) >> (bits - 1), 0u) << "the guard bit is set";
    for (int i = 0; i < 10'000; ++i) {
      const UuidV7 id = *generator.next(kNow);
      const std::uint64_t step = counter_of(id, bits) - counter_of(before, bits);
      ASSERT_GE(step, 1u) << bits;
      ASSERT_LE(step, bits <= 35 ? 1u : 1u << (bits - 35)) << bits;
      before = id;
    }
  }
}

TEST(UuidV7Generator, UsesEveryBitOfTheDefaultStepAndOfTheRest) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  UuidV7 before = *generator.next(kNow);
  std::uint64_t largest_step = 0;
  std::uint64_t ever_one = 0;
  std::uint64_t ever_zero = 0;
  for (int i = 0; i < 10'000; ++i) {
    const UuidV7 id = *generator.next(kNow);
    largest_step = std::max(largest_step, counter_of(id, 42) - counter_of(before, 42));
    ever_one |= id.unpack().rand_b;
    ever_zero |= ~id.unpack().rand_b;
    before = id;
  }
  EXPECT_EQ(largest_step, 128u);
  EXPECT_EQ(ever_one & low_bits(32), low_bits(32));
  EXPECT_EQ(ever_zero & low_bits(32), low_bits(32));
}

TEST(UuidV7Generator, SeedsEachMillisecondAtRandomBelowTheGuardBit) {
  for (const Generator::Options& options : {Generator::Options{}, kTwelveBits, kMonotonicRandom}) {
    SeededEntropy entropy{test_seed()};
    Generator generator{entropy, options};
    U128 ever_one = 0;
    U128 ever_zero = 0;
    for (int i = 0; i < 300; ++i) {
      const U128 rand = rand_of(*generator.next(kNow + milliseconds{i}));
      ever_one |= rand;
      ever_zero |= ~rand;
    }
    const U128 below_guard = (U128{1} << 73) - 1;
    EXPECT_TRUE(ever_one == below_guard);
    EXPECT_TRUE((ever_zero & below_guard) == below_guard);
  }
}

TEST(UuidV7Generator, PutsTheFractionOfTheMillisecondBehindIt) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, kSubMs};
  const Instant now = kNow + Duration{4567};
  EXPECT_EQ(generator.next(now)->unpack().rand_a, 0x74e);
  EXPECT_EQ(generator.next(now)->unpack().rand_a, 0x74f);  // the smallest step
  EXPECT_EQ(generator.next(now - Duration{4567})->unpack().rand_a, 0x750);
  EXPECT_EQ(generator.next(kNow + Duration{9'999})->unpack().rand_a, 0xfff);
  const UuidV7 borrowed = *generator.next(kNow + Duration{9'999});
  EXPECT_EQ(borrowed.time(), kNow + milliseconds{1});
  EXPECT_EQ(borrowed.unpack().rand_a, 0);
}

TEST(UuidV7Generator, RisesWhateverTheClockDoesWithinTenSeconds) {
  for (const Generator::Options& options : {Generator::Options{}, kMonotonicRandom, kSubMs}) {
    SeededEntropy entropy{test_seed()};
    SeededEntropy jitter{test_seed() + 1};
    Generator generator{entropy, options};
    UuidV7 before = *generator.next(kNow);
    Instant newest = kNow;
    for (int i = 0; i < 50'000; ++i) {
      const auto back = Duration{static_cast<std::int64_t>(*jitter.word() % 100'000'000)};
      newest += microseconds{*jitter.word() % 2000};
      const auto id = generator.next(i % 2 == 0 ? newest - back : newest);
      ASSERT_TRUE(id);
      ASSERT_LT(before, *id);
      ASSERT_LE(unix_ms(id->time()), unix_ms(newest) + 1);
      before = *id;
    }
    EXPECT_EQ(generator.rollbacks(), 0u);
  }
}

TEST(UuidV7Generator, AStepOfOneMillisecondBackRepeatsNothing) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, kTwelveBits};
  UuidV7 before;
  for (const int ms : {100, 100, 100, 99, 100, 100, 101, 99, 101}) {
    const UuidV7 id = *generator.next(from_unix_ms(ms));
    EXPECT_LT(before, id);
    before = id;
  }
  EXPECT_EQ(before.time(), from_unix_ms(101));
}

TEST(UuidV7Generator, ANarrowCounterBorrowsAsFarAsItMayAndThenSaysUntilWhen) {
  for (const int borrow : {0, 1, 3}) {
    SeededEntropy entropy{test_seed()};
    Generator generator{entropy, {.counter_bits = 12, .max_borrow = milliseconds{borrow}}};
    const Instant now = kNow + microseconds{250};
    std::vector<UuidV7> ids(20'000);
    const std::size_t made = *generator.fill(ids, now);
    EXPECT_GE(made, 2048u * (static_cast<unsigned>(borrow) + 1));
    EXPECT_LE(made, 4096u * (static_cast<unsigned>(borrow) + 1));
    EXPECT_EQ(ids[made - 1].time(), kNow + milliseconds{borrow});
    EXPECT_EQ(counter_of(ids[made - 1], 12), 4095u);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(generator.next(now).error(), Error::retry(Fault::sequence_exhausted, 750));
    }
    EXPECT_EQ(generator.fill(ids, now - seconds{2}).error(),
              Error::retry(Fault::sequence_exhausted, 2'000'750));
    const Instant later = now + microseconds{750};
    const auto next = generator.next(later);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->time(), kNow + milliseconds{borrow + 1});
  }
}

TEST(UuidV7Generator, TheLargestStepsDoNotOverflowTheDefaultCounterInAMillisecond) {
  ConstantEntropy ones{std::byte{0xff}};
  Generator generator{ones};
  const UuidV7 first = *generator.next(kNow);
  EXPECT_EQ(counter_of(first, 42), low_bits(41));  // the highest seed
  std::vector<UuidV7> ids(1'000'000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  EXPECT_EQ(ids.back().time(), kNow);
  EXPECT_EQ(counter_of(ids.back(), 42), low_bits(41) + 128 * ids.size());
}

TEST(UuidV7Generator, AClockFarBackStartsAnewAndIsCounted) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  const UuidV7 first = *generator.next(kNow);
  const UuidV7 kept = *generator.next(kNow - seconds{10});
  EXPECT_EQ(kept.time(), kNow);
  EXPECT_LT(first, kept);
  const Instant back = kNow - seconds{10} - milliseconds{1};
  const UuidV7 anew = *generator.next(back);
  EXPECT_EQ(anew.time(), back);
  EXPECT_EQ(generator.rollbacks(), 1u);
  EXPECT_LT(anew, *generator.next(back));
  EXPECT_EQ(generator.rollbacks(), 1u);
}

TEST(UuidV7Generator, OrRefusesUntilTheClockIsNear) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.far_back = FarBack::refuse}};
  const UuidV7 first = *generator.next(kNow);
  EXPECT_EQ(generator.next(kNow - seconds{11}).error(),
            Error::retry(Fault::clock_behind, 1'000'000));
  EXPECT_LT(first, *generator.next(kNow - seconds{10}));
  EXPECT_EQ(generator.rollbacks(), 0u);
}

TEST(UuidV7Generator, BorrowedTimeIsNoClockThatIsBehind) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy,
                      {.counter_bits = 12, .max_borrow = seconds{20}, .far_back = FarBack::refuse}};
  std::vector<UuidV7> ids(60'000'000 / 1000);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  EXPECT_GT(ids.back().time(), kNow + seconds{10});
  EXPECT_TRUE(generator.next(kNow));
}

TEST(UuidV7Generator, EndsWithTheLastMillisecondOfTheFormat) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, kTwelveBits};
  std::vector<UuidV7> ids(5000);
  const auto made = generator.fill(ids, from_unix_ms(UuidV7::kLastMs));
  ASSERT_TRUE(made);
  EXPECT_LE(*made, 4096u);
  EXPECT_EQ(generator.next(from_unix_ms(UuidV7::kLastMs)).error().fault(),
            Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(from_unix_ms(UuidV7::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
}

TEST(UuidV7Generator, AnErrorChangesNothing) {
  BreakableEntropy entropy{test_seed()};
  Generator generator{entropy};
  EXPECT_EQ(generator.next(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  const UuidV7 first = *generator.next(kNow);
  entropy.broken = true;
  std::array<UuidV7, 2> ids{};
  EXPECT_EQ(generator.next(kNow + milliseconds{5}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.fill(ids, kNow - seconds{20}).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next(from_unix_ms(UuidV7::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
  EXPECT_EQ(ids[0], UuidV7{});
  EXPECT_EQ(generator.rollbacks(), 0u);
  entropy.broken = false;
  const UuidV7 second = *generator.next(kNow);
  EXPECT_EQ(second.time(), kNow);
  EXPECT_LE(counter_of(second, 42) - counter_of(first, 42), 128u);
  EXPECT_EQ(generator.fill(std::span<UuidV7>{}, Instant{Duration{-1}}), 0u);
}

TEST(UuidV7Generator, KeepsWhatWasMadeBeforeTheEntropyFailed) {
  BreakableEntropy entropy{test_seed()};
  Generator generator{entropy};
  std::vector<UuidV7> ids(200);
  entropy.calls_until_broken = 2;
  ASSERT_EQ(generator.fill(ids, kNow), 128u);
  EXPECT_EQ(ids[128], UuidV7{});
  entropy.calls_until_broken = 10;
  EXPECT_LT(ids[127], *generator.next(kNow));
}

TEST(UuidV7Generator, DrawsForManyIdsAtOnce) {
  BreakableEntropy entropy{test_seed()};
  Generator generator{entropy};
  std::vector<UuidV7> ids(640);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  EXPECT_EQ(entropy.calls, 10u);
}

TEST(UuidV7Generator, ChecksItsOptions) {
  EXPECT_TRUE(Generator::check({}));
  EXPECT_TRUE(Generator::check(kTwelveBits));
  EXPECT_EQ(Generator::check({.counter_bits = 11}).error().fault(), Fault::invalid_argument);
  EXPECT_EQ(Generator::check({.counter_bits = 43}).error().fault(), Fault::invalid_argument);
  EXPECT_EQ(Generator::check({.max_borrow = milliseconds{-1}}).error().fault(),
            Fault::invalid_argument);
  EXPECT_EQ(Generator::check({.max_borrow = std::chrono::hours{2}}).error().fault(),
            Fault::invalid_argument);
}

static_assert(!std::is_copy_constructible_v<Generator> &&
              !std::is_move_constructible_v<Generator> && !std::is_copy_assignable_v<Generator>);
static_assert(std::is_convertible_v<UuidV7, Uuid> && !std::is_convertible_v<Uuid, UuidV7>);

}  // namespace
}  // namespace mintmark
