#include "mintmark/scheme/row_id.h"

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "seed.h"
#include "vectors.h"

namespace mintmark {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);

std::string text(const RowId& id) {
  std::string out(RowId::facts.text_size, '?');
  out.resize(id.write(out));
  return out;
}

TEST(RowId, ReadsThePublishedFields) {
  vectors::check_all("snowflake",
                     {{"crdb",
                       [](const vectors::Line& line) {
                         const auto id = RowId::parse(line.input);
                         ASSERT_TRUE(id.has_value());
                         EXPECT_EQ(std::to_string(id->unpack().tick), line.answer("ticks"));
                         EXPECT_EQ(std::to_string(id->unpack().node), line.answer("node"));
                         EXPECT_EQ(id->time(), parse_time(line.answer("time")));
                         EXPECT_EQ(text(*id), line.input);
                       }},
                      {"crdbunordered",
                       [](const vectors::Line& line) {
                         const RowId id = *RowId::parse(line.input);
                         EXPECT_EQ(text(id.unordered()), line.expected);
                         EXPECT_EQ(id.unordered().unordered(), id);
                       }}},
                     {"twitter", "discord", "instagram", "sonyflake1", "mastodon", "baidu",
                      "bitrev63", "bitrev64", "jsdouble", "jsprint", "snowflakereject"});
}

TEST(RowId, PacksWhatFitsAndRefusesTheRest) {
  const RowId::Fields most{low_bits(48), low_bits(15)};
  EXPECT_EQ(text(*RowId::pack(most)), "9223372036854775807");
  EXPECT_EQ(RowId::pack(most)->unpack(), most);
  EXPECT_EQ(RowId::pack({.tick = low_bits(48) + 1}).error().fault(), Fault::timestamp_overflow);
  // The original sets such a node by exclusive or, and so changes the time.
  EXPECT_EQ(RowId::pack({.node = 32'768}).error().fault(), Fault::value_overflow);
}

TEST(RowId, NamesEachWrongByteAtEachPosition) {
  const std::string right = "2351916849889280010";
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      const auto read = RowId::parse(changed);
      if (byte < '0' || byte > '9') {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && byte == '0') {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, 0));
      } else if (at == 0 && byte == '9') {
        ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, 0));  // above 2^63
      } else {
        ASSERT_EQ(text(*read), changed);
      }
    }
  }
  EXPECT_EQ(RowId::parse("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(RowId::parse("9223372036854775808").error().fault(), Fault::value_overflow);
  EXPECT_EQ(RowId::parse("-1").error(), Error::at(Fault::bad_character, 0));
}

TEST(RowId, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  RowId before;
  for (int round = 0; round < 5'000; ++round) {
    const std::uint64_t word = *entropy.word();
    const RowId id = *RowId::pack({.tick = word >> 16, .node = word & low_bits(15)});
    ASSERT_EQ(RowId::parse(text(id)), id);
    std::array<std::byte, 8> bytes{};
    id.to_bytes(bytes);
    ASSERT_EQ(RowId::from_bytes(bytes), id);
    std::array<std::byte, 8> other{};
    before.to_bytes(other);
    ASSERT_EQ(id < before, bytes < other);
    ASSERT_EQ(id.unordered().unordered(), id);
    ASSERT_EQ(id.unordered().unpack().node, id.unpack().node);
    for (unsigned bit = 0; bit < 48; ++bit) {
      ASSERT_EQ(id.unpack().tick >> bit & 1, id.unordered().unpack().tick >> (47 - bit) & 1);
    }
    before = id;
  }
  const std::array<std::byte, 8> negative{std::byte{0x80}};
  EXPECT_EQ(RowId::from_bytes(negative).error().fault(), Fault::value_overflow);
  EXPECT_EQ(RowId::from_bytes({}).error(), Error::at(Fault::wrong_length, 0));
}

TEST(RowId, FloorAndCeilHoldTheTick) {
  EXPECT_EQ(RowId::floor(kNow)->time(), kNow);
  EXPECT_EQ(RowId::ceil(kNow + microseconds{9})->time(), kNow);
  EXPECT_EQ(RowId::ceil(kNow)->value() - RowId::floor(kNow)->value(), low_bits(15));
  EXPECT_EQ(RowId::floor(layouts::row_id.epoch() - Duration{1}).error().fault(),
            Fault::clock_before_epoch);
  EXPECT_EQ(RowId::ceil(layouts::row_id.end()).error().fault(), Fault::timestamp_overflow);
}

TEST(RowIdGenerator, TakesTheNextTickOrNow) {
  RowId::Generator generator{*layouts::row_id.slot(3)};
  const std::uint64_t now = RowId::floor(kNow)->unpack().tick;
  EXPECT_EQ(generator.next(kNow)->unpack(), (RowId::Fields{now, 3}));
  EXPECT_EQ(generator.next(kNow)->unpack(), (RowId::Fields{now + 1, 3}));
  EXPECT_EQ(generator.next(kNow + microseconds{50})->unpack(), (RowId::Fields{now + 5, 3}));
}

TEST(RowIdGenerator, RunsAheadOfTheClockByItsBoundAndNoFurther) {
  RowId::Generator generator{*layouts::row_id.slot(3)};
  std::vector<RowId> ids(5'000);
  EXPECT_EQ(generator.fill(ids, kNow), 1'001u);  // this tick and max_borrow = 10 ms
  for (std::size_t i = 1; i <= 1'000; ++i) ASSERT_LT(ids[i - 1], ids[i]);
  EXPECT_EQ(ids[1'000].time(), kNow + std::chrono::milliseconds{10});
  EXPECT_EQ(generator.next(kNow).error(), Error::retry(Fault::sequence_exhausted, 10));
  // 100,000 a second can be kept up for ever.
  for (int i = 1; i <= 10'000; ++i) {
    ASSERT_EQ(generator.fill(ids, kNow + i * microseconds{10}), 1u) << i;
  }
  const std::unordered_set<RowId> distinct{ids.begin(), ids.begin() + 1'001};
  EXPECT_EQ(distinct.size(), 1'001u);
}

TEST(RowIdGenerator, EndsIn2104WithATypedError) {
  EXPECT_EQ(layouts::row_id.instant_of(layouts::row_id.last_tick()),
            parse_time("2104-03-13T02:56:07.10655Z"));
  RowId::Generator generator{*layouts::row_id.slot(32'767)};
  const Instant last = *parse_time("2104-03-13T02:56:07.106550Z");
  EXPECT_EQ(text(*generator.next(last)), "9223372036854775807");
  EXPECT_EQ(generator.next(last).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(last + seconds{1}).error().fault(), Fault::timestamp_overflow);
}

static_assert(!std::is_copy_constructible_v<RowId::Generator> &&
              !std::is_move_constructible_v<RowId::Generator> &&
              !std::is_copy_assignable_v<RowId::Generator>);

}  // namespace
}  // namespace mintmark
