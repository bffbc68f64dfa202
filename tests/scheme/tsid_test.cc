#include "mintmark/scheme/tsid.h"

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

using std::chrono::milliseconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);

std::string text(const Tsid& id) {
  std::string out(Tsid::facts.text_size, '?');
  EXPECT_EQ(id.write(out), out.size());
  return out;
}

std::string base62(const Tsid& id) {
  std::string out(Tsid::kBase62Chars, '?');
  EXPECT_EQ(id.write_base62(out), out.size());
  return out;
}

TEST(Tsid, ReadsThePublishedTexts) {
  vectors::check_all("tsid", {{"tsid", [](const vectors::Line& line) {
                                 const auto id = Tsid::parse(line.input);
                                 ASSERT_EQ(id.has_value(), !line.rejects());
                                 if (line.rejects()) return;
                                 EXPECT_EQ(std::to_string(id->value()), line.answer("int"));
                                 EXPECT_EQ(TimeText{id->time()}.view(), line.answer("time"));
                                 EXPECT_EQ(text(*id), line.input);
                               }}});
}

TEST(Tsid, NamesEachWrongByteAtEachPosition) {
  for (std::size_t at = 0; at < Tsid::facts.text_size; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed(Tsid::facts.text_size, '0');
      changed[at] = static_cast<char>(byte);
      const auto read = Tsid::parse(changed);
      const std::uint8_t value = kCrockford.value_of(changed[at]);
      if (value == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && value > 15) {
        ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, 0)) << byte;
      } else {
        ASSERT_EQ(read->value(), std::uint64_t{value} << 5 * (12 - at)) << byte;
      }
    }
  }
  EXPECT_EQ(Tsid::parse("0123456789AB").error(), Error::at(Fault::wrong_length, 12));
  EXPECT_EQ(Tsid::parse("0123456789ABCD").error(), Error::at(Fault::wrong_length, 13));
  EXPECT_EQ(Tsid::parse("").error(), Error::at(Fault::wrong_length, 0));
}

TEST(Tsid, ReadsWhatAPersonTypedOnlyWhenAsked) {
  const Tsid right = *Tsid::parse("01226N0640J1K");
  EXPECT_EQ(Tsid::parse_crockford("oi226no64oJLk"), right);
  EXPECT_EQ(Tsid::parse_crockford("01226-N0640-J1K"), right);
  EXPECT_EQ(Tsid::parse("oi226no64oJLk").error(), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(Tsid::parse("01226n0640j1k"), right);
  EXPECT_EQ(Tsid::parse_crockford("01226-N0640-U1K").error(), Error::at(Fault::bad_character, 12));
  EXPECT_EQ(Tsid::parse_crockford("-G1226-N0640-J1K").error(), Error::at(Fault::value_overflow, 1));
  EXPECT_EQ(Tsid::parse_crockford("01226-N0640-J1KX").error(), Error::at(Fault::wrong_length, 15));
  EXPECT_EQ(Tsid::parse_crockford("01226").error(), Error::at(Fault::wrong_length, 5));
}

TEST(Tsid, Base62SortsAndEndsWhere64BitsEnd) {
  EXPECT_EQ(base62(Tsid{~std::uint64_t{0}}), "LygHa16AHYF");
  // A comment in tsid-creator calls ...AYHH 2^64; it is LygHa16AHYG.
  EXPECT_EQ(Tsid::parse_base62("LygHa16AHYG").error(), Error::at(Fault::value_overflow, 10));
  EXPECT_EQ(Tsid::parse_base62("M0000000000").error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(base62(Tsid{}), "00000000000");
  EXPECT_EQ(Tsid::parse_base62("0000000000-").error(), Error::at(Fault::bad_character, 10));
  EXPECT_EQ(Tsid::parse_base62("0000000000").error(), Error::at(Fault::wrong_length, 10));
  EXPECT_EQ(Tsid::parse_base62("000000000000").error(), Error::at(Fault::wrong_length, 11));
}

TEST(Tsid, PacksWhatFitsAndRefusesTheRest) {
  const Tsid::Fields most{low_bits(42), low_bits(10), low_bits(12)};
  EXPECT_EQ(text(*Tsid::pack(most)), "FZZZZZZZZZZZZ");
  EXPECT_EQ(Tsid::pack(most)->unpack(), most);
  EXPECT_EQ(Tsid::pack({.tick = low_bits(42) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(Tsid::pack({.node = 1024}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(Tsid::pack({.sequence = 4096}).error().fault(), Fault::value_overflow);
}

TEST(Tsid, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  Tsid before;
  for (int round = 0; round < 5'000; ++round) {
    const Tsid id{*entropy.word()};
    ASSERT_EQ(Tsid::parse(text(id)), id);
    ASSERT_EQ(Tsid::parse_base62(base62(id)), id);
    ASSERT_EQ(Tsid::pack(id.unpack()), id);
    std::array<std::byte, 8> bytes{};
    id.to_bytes(bytes);
    ASSERT_EQ(Tsid::from_bytes(bytes), id);
    ASSERT_EQ(id < before, text(id) < text(before));
    ASSERT_EQ(id < before, base62(id) < base62(before));
    before = id;
  }
  EXPECT_EQ(Tsid::from_bytes({}).error(), Error::at(Fault::wrong_length, 0));
}

TEST(Tsid, FloorAndCeilHoldTheMillisecond) {
  EXPECT_EQ(Tsid::floor(kNow)->time(), kNow);
  EXPECT_EQ(Tsid::ceil(kNow)->value() - Tsid::floor(kNow)->value(), low_bits(22));
  EXPECT_LT(*Tsid::ceil(kNow), *Tsid::floor(kNow + milliseconds{1}));
  EXPECT_EQ(Tsid::floor(from_unix_ms(1'577'836'799'999)).error().fault(),
            Fault::clock_before_epoch);
  EXPECT_EQ(Tsid::ceil(layouts::tsid.end()).error().fault(), Fault::timestamp_overflow);
}

TEST(Tsid, TurnsNegativeInASignedColumnIn2089) {
  const Tsid last{low_bits(63)};
  EXPECT_EQ(TimeText{last.time()}.view(), "2089-09-06T15:47:35.551Z");
  EXPECT_EQ(Tsid{last.value() + 1}.time(), last.time() + milliseconds{1});
}

TEST(Tsid, TheNodeIsAsWideAsAFleetAgrees) {
  for (unsigned bits = 0; bits <= 20; ++bits) {
    const auto layout = tsid_layout(bits);
    ASSERT_TRUE(layout.has_value()) << bits;
    EXPECT_EQ(layout->slot_count(), std::uint64_t{1} << bits);
    EXPECT_EQ(layout->sequence_bits(), 22 - bits);
    EXPECT_EQ(layout->time_shift(), 22u);
    EXPECT_EQ(layout->bits(), 64u);
    EXPECT_EQ(layout->largest(), ~std::uint64_t{0});
    const std::uint64_t node = layout->slot_count() - 1;
    SnowflakeGenerator generator{*layout, *layout->slot(node), TickWindow::whole(*layout)};
    const Tsid id{generator.next(kNow)->value()};
    EXPECT_EQ(id.time(), kNow);
    EXPECT_EQ(layout->slot_of(id.value()), node);
  }
  EXPECT_EQ(*tsid_layout(10), layouts::tsid);
  EXPECT_EQ(tsid_layout(21).error().fault(), Fault::bad_layout);
  EXPECT_EQ(tsid_layout(~0U).error().fault(), Fault::bad_layout);
}

TEST(TsidGenerator, AFullCounterCarriesIntoTheTime) {
  Tsid::Generator generator{*layouts::tsid.slot(7)};
  std::vector<Tsid> ids(100'000);
  EXPECT_EQ(generator.fill(ids, kNow), 11u * 4096);  // this ms and max_borrow = 10 ms
  for (std::size_t i = 1; i < 11 * 4096; ++i) ASSERT_LT(ids[i - 1], ids[i]);
  EXPECT_EQ(ids[0].time(), kNow);
  EXPECT_EQ(ids[4096].time(), kNow + milliseconds{1});
  EXPECT_EQ(ids[4096].unpack().node, 7u);
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::sequence_exhausted);
  const std::unordered_set<Tsid> distinct{ids.begin(), ids.begin() + 11 * 4096};
  EXPECT_EQ(distinct.size(), 11u * 4096);
}

TEST(TsidGenerator, EndsIn2159WithATypedError) {
  Tsid::Generator generator{*layouts::tsid.slot(1023)};
  const Instant last = *parse_time("2159-05-15T07:35:11.103Z");
  std::vector<Tsid> ids(5'000);
  ASSERT_EQ(generator.fill(ids, last), 4'096u);
  EXPECT_EQ(text(ids[4'095]), "FZZZZZZZZZZZZ");
  EXPECT_EQ(generator.next(last).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(generator.next(last + milliseconds{1}).error().fault(), Fault::timestamp_overflow);
}

static_assert(!std::is_copy_constructible_v<Tsid::Generator> &&
              !std::is_move_constructible_v<Tsid::Generator> &&
              !std::is_copy_assignable_v<Tsid::Generator>);

}  // namespace
}  // namespace mintmark
