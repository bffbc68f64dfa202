#include "mintmark/scheme/push_id.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using vectors::Line;
using Generator = PushId::Generator;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

std::string text(const PushId& id) {
  std::string out(PushId::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

PushId push_id(std::string_view canonical) {
  const auto id = PushId::parse(canonical);
  EXPECT_TRUE(id) << canonical;
  return id.value_or(PushId{});
}

TEST(PushId, GivesTheKnownAnswers) {
  vectors::check_all("pushid", {{"pushid", [](const Line& line) {
                                   const PushId id = push_id(line.input);
                                   EXPECT_EQ(std::to_string(id.unpack().unix_ms),
                                             line.answer("ms"));
                                   EXPECT_EQ(TimeText{id.time()}.view(), line.answer("time"));
                                   EXPECT_EQ(text(id), line.input);
                                   EXPECT_EQ(PushId::pack(id.unpack()), id);
                                 }}});
}

// The published code drops the carry and begins the millisecond again.
TEST(PushId, TheCarryOutOfAllZIsNeverLost) {
  EXPECT_EQ(text(*push_id("-JhQ7APk0zzzzzzzzzzz").successor()), "-JhQ7APk1-----------");
  EXPECT_EQ(text(*push_id("-JhQ7APkzzzzzzzzzzzy").successor()), "-JhQ7APkzzzzzzzzzzzz");
  EXPECT_EQ(push_id("-JhQ7APkzzzzzzzzzzzz").successor().error(), Error{Fault::sequence_exhausted});
  ConstantEntropy ones{std::byte{0xff}};
  Generator generator{ones};
  EXPECT_EQ(text(*generator.next(kNow)).substr(8), "zzzzzzzzzzzz");
  EXPECT_EQ(generator.next(kNow + microseconds{600}).error(),
            Error::retry(Fault::sequence_exhausted, 400));
}

TEST(PushId, NamesEachWrongByteAtEachPosition) {
  constexpr std::string_view kGood = "-JhLeOlGIEjaIOFHR0xd";
  for (std::size_t at = 0; at < kGood.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed{kGood};
      changed[at] = static_cast<char>(byte);
      const auto read = PushId::parse(changed);
      if (kBase64Push.value_of(changed[at]) == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else {
        ASSERT_TRUE(read) << byte;
        ASSERT_EQ(text(*read), changed);
      }
    }
  }
}

TEST(PushId, NamesTheWrongLength) {
  for (std::size_t size = 0; size < 40; ++size) {
    const auto read = PushId::parse(std::string(size, '-'));
    if (size == 20) {
      EXPECT_EQ(read, PushId{});
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::wrong_length, std::min<std::size_t>(size, 20)));
    }
  }
  EXPECT_EQ(PushId::from_bytes(std::array<std::byte, 16>{}).error(),
            Error::at(Fault::wrong_length, 16));
}

TEST(PushId, PacksWhatFitsAndRefusesTheRest) {
  const PushId::Fields most{low_bits(48), (U128{1} << 72) - 1};
  EXPECT_EQ(text(*PushId::pack(most)), std::string(20, 'z'));
  EXPECT_EQ(PushId::pack(most)->unpack(), most);
  EXPECT_EQ(PushId::pack({.unix_ms = low_bits(48) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(PushId::pack({.random = U128{1} << 72}).error().fault(), Fault::value_overflow);
}

TEST(PushId, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  PushId before;
  for (int round = 0; round < 5000; ++round) {
    std::array<std::byte, 15> bytes{};
    ASSERT_TRUE(entropy.fill(bytes));
    const auto id = PushId::from_bytes(bytes);
    ASSERT_TRUE(id);
    EXPECT_EQ(push_id(text(*id)), *id);
    EXPECT_EQ(PushId::pack(id->unpack()), *id);
    std::array<std::byte, 15> back{};
    id->to_bytes(back);
    EXPECT_EQ(back, bytes);
    EXPECT_EQ(*id < before, text(*id) < text(before));
    EXPECT_EQ(std::hash<PushId>{}(*id) == std::hash<PushId>{}(before), *id == before);
    before = *id;
  }
}

TEST(PushId, FloorAndCeilHoldTheMillisecond) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  const PushId id = *generator.next(kNow);
  EXPECT_LE(*PushId::floor(kNow), id);
  EXPECT_LE(id, *PushId::ceil(kNow));
  EXPECT_LT(*PushId::ceil(kNow), *PushId::floor(kNow + milliseconds{1}));
  EXPECT_EQ(PushId::floor(kNow + microseconds{999}), PushId::floor(kNow));
  EXPECT_EQ(PushId::floor(Instant{}), PushId{});
  EXPECT_EQ(PushId::floor(Instant{Duration{-1}}).error().fault(), Fault::clock_before_epoch);
  EXPECT_EQ(text(*PushId::ceil(from_unix_ms(PushId::kLastMs))), std::string(20, 'z'));
  EXPECT_EQ(PushId::ceil(from_unix_ms(PushId::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(from_unix_ms(PushId::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
}

TEST(PushId, EachMillisecondStartsWithSeventyTwoRandomBits) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy};
  U128 ever_one = 0;
  U128 ever_zero = 0;
  for (int i = 0; i < 200; ++i) {
    const U128 random = generator.next(kNow + milliseconds{i})->unpack().random;
    ever_one |= random;
    ever_zero |= ~random;
  }
  const U128 all = (U128{1} << 72) - 1;
  EXPECT_TRUE((ever_one & all) == all && (ever_zero & all) == all);
}

}  // namespace
}  // namespace mintmark
