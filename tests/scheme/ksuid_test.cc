#include "mintmark/scheme/ksuid.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/text/slice.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using vectors::Line;
using Generator = Ksuid::Generator;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01
constexpr std::string_view kLargest = "aWgEPTl1tmebfsQzFP4bxwgy80V";

std::string text(const Ksuid& id) {
  std::string out(Ksuid::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

Ksuid ksuid(std::string_view canonical) {
  const auto id = Ksuid::parse(canonical);
  EXPECT_TRUE(id) << canonical;
  return id.value_or(Ksuid{});
}

using Bytes = std::array<std::byte, 20>;

Bytes bytes_of(const Ksuid& id) {
  Bytes bytes{};
  id.to_bytes(bytes);
  return bytes;
}

std::string raw(const Ksuid& id) {
  std::string out(40, '?');
  write_hex(bytes_of(id), std::span{out});
  return out;
}

/// Base62 as one learns it: divide all bytes by 62, again and again.
std::string divided(Bytes bytes) {
  std::string out(27, '?');
  for (std::size_t at = out.size(); at-- > 0;) {
    unsigned remainder = 0;
    for (std::byte& byte : bytes) {
      remainder = remainder << 8 | static_cast<unsigned>(byte);
      byte = static_cast<std::byte>(remainder / 62);
      remainder %= 62;
    }
    out[at] = kBase62DigitUpperLower[remainder];
  }
  return out;
}

TEST(Ksuid, GivesTheKnownAnswers) {
  vectors::check_all(
      "ksuid", {{"ksuid",
                 [](const Line& line) {
                   const auto id = Ksuid::parse(line.input);
                   if (line.rejects()) {
                     EXPECT_FALSE(id);
                     return;
                   }
                   ASSERT_TRUE(id);
                   EXPECT_EQ(raw(*id), line.answer("raw"));
                   EXPECT_EQ(std::to_string(id->seconds()), line.answer("ts"));
                   EXPECT_EQ(TimeText{id->time()}.view(), line.answer("time"));
                   EXPECT_EQ(text(*id), line.input);
                   EXPECT_EQ(Ksuid::pack(id->unpack()), *id);
                   EXPECT_EQ(Ksuid::from_bytes(bytes_of(*id)), *id);
                 }},
                {"ksuidreject", [](const Line& line) { EXPECT_FALSE(Ksuid::parse(line.text())); }},
                {"ksuidtimereject", [](const Line& line) {
                   const Instant time{seconds{std::stoll(line.input)}};
                   const Fault fault = time < Ksuid::facts.epoch ? Fault::clock_before_epoch
                                                                 : Fault::timestamp_overflow;
                   SeededEntropy entropy{test_seed()};
                   EXPECT_EQ(Generator{entropy}.next(time).error(), Error{fault});
                   EXPECT_EQ(Ksuid::floor(time).error(), Error{fault});
                   EXPECT_EQ(Ksuid::ceil(time).error(), Error{fault});
                 }}});
}

// segmentio/ksuid#58: a time of 2000 became one of 2136.
TEST(Ksuid, ATimeBeforeTheEpochIsNotOfTheNextCentury) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  const Instant first = *parse_time("2014-05-13T16:53:20Z");
  const Instant last = *parse_time("2150-06-19T23:21:35.999Z");
  EXPECT_EQ(generator.next(*parse_time("2000-01-01")).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.next(first - Duration{1}).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(generator.next(first)->time(), first);
  EXPECT_EQ(generator.next(last)->time(), *parse_time("2150-06-19T23:21:35Z"));
  EXPECT_EQ(generator.next(last + milliseconds{1}).error().fault(), Fault::timestamp_overflow);
}

// segmentio/ksuid#74, #25: characters outside the alphabet were read as digits.
TEST(Ksuid, NamesEachWrongByteAtEachPosition) {
  EXPECT_EQ(Ksuid::parse("0??????????????????????????").error(),
            Error::at(Fault::bad_character, 1));
  for (std::size_t at = 0; at < 27; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = "0ujtsYcgvSTl8PAuAdqWYSMnLOv";
      changed[at] = static_cast<char>(byte);
      const auto read = Ksuid::parse(changed);
      const std::uint8_t value = kBase62DigitUpperLower.value_of(changed[at]);
      if (value == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && changed > kLargest) {
        ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, changed[0] > 'a' ? 0U : 1U))
            << byte;
      } else {
        ASSERT_TRUE(read) << byte;
        ASSERT_EQ(text(*read), changed);
        ASSERT_EQ(divided(bytes_of(*read)), changed);
      }
    }
  }
}

TEST(Ksuid, NamesTheDigitThatLeaves160Bits) {
  EXPECT_EQ(ksuid(kLargest), *Ksuid::ceil(*parse_time("2150-06-19T23:21:35Z")));
  for (std::size_t at = 0; at < kLargest.size(); ++at) {
    std::string larger{kLargest};
    const std::size_t digit = kBase62DigitUpperLower.value_of(larger[at]);
    if (digit == 61) continue;
    larger[at] = kBase62DigitUpperLower[digit + 1];
    EXPECT_EQ(Ksuid::parse(larger).error(), Error::at(Fault::value_overflow, at));
    std::ranges::fill(larger.begin() + static_cast<std::ptrdiff_t>(at) + 1, larger.end(), '0');
    EXPECT_EQ(Ksuid::parse(larger).error(), Error::at(Fault::value_overflow, at));
    larger[at] = kLargest[at];
    EXPECT_TRUE(Ksuid::parse(larger));
  }
  EXPECT_EQ(Ksuid::parse(std::string(27, 'z')).error(), Error::at(Fault::value_overflow, 0));
  // The first of two faults is named.
  EXPECT_EQ(Ksuid::parse("aaaaaaaaaaaaaaaaaaaaaaaaaa!").error(),
            Error::at(Fault::value_overflow, 1));
  EXPECT_EQ(Ksuid::parse("aWgEPTl1tmebfsQzFP4bxwgy8!z").error(),
            Error::at(Fault::bad_character, 25));
}

TEST(Ksuid, NamesTheWrongLength) {
  for (std::size_t size = 0; size < 60; ++size) {
    const auto read = Ksuid::parse(std::string(size, '0'));
    if (size == 27) {
      EXPECT_EQ(read, Ksuid{});
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::wrong_length, std::min<std::size_t>(size, 27)));
    }
  }
  EXPECT_EQ(Ksuid::from_bytes(std::array<std::byte, 27>{}).error(),
            Error::at(Fault::wrong_length, 27));
}

TEST(Ksuid, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  Ksuid before;
  for (int round = 0; round < 20'000; ++round) {
    Bytes bytes{};
    ASSERT_TRUE(entropy.fill(bytes));
    // Zeros and ones in front and behind reach the edges of the limbs.
    const auto edge = static_cast<std::size_t>(round) % 20;
    const auto filler = std::byte{static_cast<unsigned char>(round % 2 == 0 ? 0 : 0xff)};
    if (round % 3 == 0) std::fill_n(bytes.begin(), edge, filler);
    if (round % 3 == 1) std::fill_n(bytes.rbegin(), edge, filler);
    const auto id = Ksuid::from_bytes(bytes);
    ASSERT_TRUE(id);
    ASSERT_EQ(text(*id), divided(bytes));
    ASSERT_EQ(ksuid(text(*id)), *id);
    ASSERT_EQ(Ksuid::pack(id->unpack()), *id);
    ASSERT_EQ(bytes_of(*id), bytes);
    ASSERT_EQ(*id < before, text(*id) < text(before));
    ASSERT_EQ(*id < before, bytes < bytes_of(before));
    ASSERT_EQ(*id == before, bytes == bytes_of(before));
    ASSERT_EQ(std::hash<Ksuid>{}(*id) == std::hash<Ksuid>{}(before), *id == before);
    before = *id;
  }
}

TEST(KsuidDigits, DivisionByMultiplicationIsExact) {
  using ksuid_digits::kPower;
  SeededEntropy entropy{test_seed()};
  const auto check = [](std::uint64_t high, std::uint64_t low) {
    const U128 dividend = static_cast<U128>(high) << 64 | low;
    const auto result = ksuid_digits::divide(high, low);
    ASSERT_EQ(result.quotient, static_cast<std::uint64_t>(dividend / kPower)) << high << ' ' << low;
    ASSERT_EQ(result.remainder, static_cast<std::uint64_t>(dividend % kPower));
  };
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t high = (*entropy.word() >> (i % 64)) % kPower;
    const std::uint64_t quotient = *entropy.word();
    check(high, *entropy.word());
    // Around a multiple of the divisor.
    const U128 multiple = static_cast<U128>(quotient) * kPower;
    for (const U128 near : {multiple - 1, multiple, multiple + 1, multiple + kPower - 1}) {
      if (near >> 64 < kPower) {
        check(static_cast<std::uint64_t>(near >> 64), static_cast<std::uint64_t>(near));
      }
    }
  }
  check(kPower - 1, ~std::uint64_t{0});
  check(0, 0);
}

TEST(Ksuid, FloorAndCeilHoldTheSecond) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  const Ksuid id = *generator.next(kNow);
  EXPECT_LE(*Ksuid::floor(kNow), id);
  EXPECT_LE(id, *Ksuid::ceil(kNow));
  EXPECT_LT(*Ksuid::ceil(kNow), *Ksuid::floor(kNow + seconds{1}));
  EXPECT_EQ(Ksuid::floor(kNow + milliseconds{999}), Ksuid::floor(kNow));
  EXPECT_EQ(Ksuid::floor(Ksuid::facts.epoch), Ksuid{});
}

TEST(Ksuid, StepsInsideItsSecondOnly) {
  const Ksuid id = *Ksuid::pack({7, low_bits(64)});
  EXPECT_EQ(id.successor(), *Ksuid::pack({7, U128{1} << 64}));
  EXPECT_EQ(Ksuid::pack({7, ~U128{0}})->successor().error(), Error{Fault::sequence_exhausted});
}

TEST(KsuidGenerator, EachSecondStartsWith128RandomBits) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  U128 ever_one = 0;
  U128 ever_zero = 0;
  for (int i = 0; i < 200; ++i) {
    const U128 payload = generator.next(kNow + seconds{i})->payload();
    ever_one |= payload;
    ever_zero |= ~payload;
  }
  EXPECT_TRUE(ever_one == ~U128{0} && ever_zero == ~U128{0});
}

using Bounds = Ksuid::Sequence::Bounds;

TEST(KsuidSequence, Gives65536InOrderAndThenNoMore) {
  const Ksuid seed = ksuid("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
  Ksuid::Sequence sequence{seed};
  const Bounds bounds = sequence.bounds();
  EXPECT_EQ(raw(bounds.min), raw(seed).substr(0, 36) + "0000");
  EXPECT_EQ(raw(bounds.max), raw(seed).substr(0, 36) + "ffff");
  for (unsigned i = 0; i < 65'536; ++i) {
    ASSERT_EQ(sequence.bounds(),
              (Bounds{*Ksuid::pack({seed.seconds(), bounds.min.payload() + i}), bounds.max}));
    const auto id = sequence.next();
    ASSERT_TRUE(id);
    ASSERT_EQ(id->seconds(), seed.seconds());
    ASSERT_TRUE(id->payload() == bounds.min.payload() + i);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(sequence.next().error(), Error{Fault::sequence_exhausted});
  }
  EXPECT_EQ(sequence.bounds(), (Bounds{bounds.max, bounds.max}));
}

TEST(KsuidSequence, FillsWhatIsLeft) {
  const Ksuid seed = ksuid("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
  Ksuid::Sequence one_by_one{seed};
  Ksuid::Sequence filled{seed};
  std::vector<Ksuid> ids(50'000);
  for (const std::size_t expected : {std::size_t{50'000}, std::size_t{15'536}}) {
    ASSERT_EQ(filled.fill(ids), expected);
    for (std::size_t i = 0; i < expected; ++i) ASSERT_EQ(*one_by_one.next(), ids[i]);
  }
  EXPECT_EQ(filled.fill(ids).error(), Error{Fault::sequence_exhausted});
  EXPECT_EQ(filled.fill({}), 0U);
}

static_assert(!std::is_copy_constructible_v<Ksuid::Sequence> &&
              !std::is_move_constructible_v<Ksuid::Sequence>);
static_assert(sizeof(Ksuid) == 20);

}  // namespace
}  // namespace mintmark
