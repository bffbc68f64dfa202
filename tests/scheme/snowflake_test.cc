#include "mintmark/scheme/snowflake.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "seed.h"
#include "vectors.h"

namespace mintmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);

TEST(Snowflake, RefusesTextThatIsNoDecimalNumberOf64Bits) {
  EXPECT_EQ(Snowflake::parse("18446744073709551615")->value(), ~std::uint64_t{0});
  EXPECT_EQ(Snowflake::parse("18446744073709551616").error().fault(), Fault::value_overflow);
  EXPECT_EQ(Snowflake::parse("14755887168818983731200").error().fault(), Fault::value_overflow);
  EXPECT_FALSE(Snowflake::parse("").has_value());
  EXPECT_FALSE(Snowflake::parse("+1").has_value());
  EXPECT_FALSE(Snowflake::parse("-1").has_value());
  EXPECT_FALSE(Snowflake::parse("007").has_value());
  EXPECT_EQ(Snowflake::parse("154181x603606036480").error(), Error::at(Fault::bad_character, 6));
  EXPECT_FALSE(Snowflake::parse("1541815603606036480\n").has_value());
}

/// The fields of an ID in the words of the vectors.
std::string fields_of(const SnowflakeLayout& layout, std::uint64_t id) {
  std::string words;
  for (const LayoutField& field : layout.fields()) {
    std::uint64_t value = SnowflakeLayout::part(field, id);
    std::string name{field.name()};
    if (field.role == FieldRole::time) {
      const Instant time = layout.instant_of(value);
      name = layout.unit() == milliseconds{1} ? "ms" : layout.unit() == seconds{1} ? "secs" : "t";
      if (name != "t") value = static_cast<std::uint64_t>(unix_ms(time));
      if (name == "secs") value /= 1000;
    }
    words += name + "=" + std::to_string(value) + " ";
  }
  return words + "time=" + std::string{TimeText{layout.instant_of(layout.tick_of(id))}.view()};
}

auto reads_as(const SnowflakeLayout& layout) {
  return [&layout](const vectors::Line& line) {
    const auto id = Snowflake::parse(line.input);
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(fields_of(layout, id->value()), line.expected);
  };
}

/// Widths and an epoch of the line's own: `baidu 29/21/13 epoch 1474300800`.
void reads_as_baidu(const vectors::Line& line) {
  std::string widths = line.parameters.at(0);
  std::ranges::replace(widths, '/', ' ');
  std::istringstream numbers{widths};
  unsigned time = 0;
  unsigned worker = 0;
  unsigned sequence = 0;
  numbers >> time >> worker >> sequence;
  ASSERT_EQ(line.parameters.at(1), "epoch");
  const auto layout =
      SnowflakeLayout::make({.fields = {{"time", time}, {"worker", worker}, {"seq", sequence}},
                             .unit = seconds{1},
                             .epoch = from_unix_ms(1000 * std::stoll(line.parameters.at(2)))});
  ASSERT_TRUE(layout.has_value());
  reads_as (*layout)(line);
}

/// As JavaScript's String(Number(text)): the shortest digits that give the same double, then zeros.
std::string printed_in_javascript(std::uint64_t value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<double>(value),
                                 std::chars_format::scientific);
  const std::string_view shortest{text.data(), end.ptr};
  const std::size_t power = shortest.find('e');
  std::string digits;
  for (const char c : shortest.substr(0, power)) {
    if (c != '.') digits += c;
  }
  digits.resize(std::stoul(std::string{shortest.substr(power + 1)}) + 1, '0');
  return digits;
}

TEST(Snowflake, ReadsThePublishedFields) {
  vectors::check_all(
      "snowflake",
      {{"twitter", reads_as(layouts::twitter)},
       {"discord", reads_as(layouts::discord)},
       {"instagram", reads_as(layouts::instagram)},
       {"sonyflake1", reads_as(layouts::sonyflake)},
       {"baidu", reads_as_baidu},
       {"mastodon",
        [](const vectors::Line& line) {
          const auto id = MastodonId::parse(line.input);
          ASSERT_TRUE(id.has_value());
          EXPECT_EQ(std::to_string(id->unpack().tick), line.answer("ms"));
          EXPECT_EQ(id->unpack().sequence, std::stoul(line.answer("tail"), nullptr, 16));
          EXPECT_EQ(TimeText{id->time()}.view(), line.answer("time"));
        }},
       {"jsdouble",
        [](const vectors::Line& line) {
          const std::uint64_t value = Snowflake::parse(line.input)->value();
          const auto nearest = static_cast<std::uint64_t>(static_cast<double>(value));
          EXPECT_EQ(std::to_string(nearest), line.expected);
          EXPECT_NE(nearest, value);
          EXPECT_FALSE(is_exact_in_javascript(value));
        }},
       {"jsprint",
        [](const vectors::Line& line) {
          const std::uint64_t value = Snowflake::parse(line.input)->value();
          EXPECT_EQ(printed_in_javascript(value), line.expected);
          EXPECT_FALSE(is_exact_in_javascript(value));
        }},
       {"snowflakereject",
        [](const vectors::Line& line) {
          EXPECT_FALSE(Snowflake::parse(line.text()).has_value());
        }}},
      {"crdb", "crdbunordered", "bitrev63", "bitrev64"});
}

// oceanbase/powercontext #91: 653247040368672768 in a JSON number was read as ...672800.
TEST(Snowflake, OnlyBelow2To53DoesJavascriptPrintTheSameDigits) {
  EXPECT_TRUE(is_exact_in_javascript(0));
  EXPECT_TRUE(is_exact_in_javascript(9'007'199'254'740'991));
  EXPECT_FALSE(is_exact_in_javascript(9'007'199'254'740'992));
  EXPECT_FALSE(is_exact_in_javascript(~std::uint64_t{0}));
  // A double, and yet it prints other digits: exactness of the value is not enough.
  EXPECT_EQ(static_cast<std::uint64_t>(static_cast<double>(653'247'040'368'672'768)),
            653'247'040'368'672'768u);
  EXPECT_EQ(printed_in_javascript(653'247'040'368'672'768), "653247040368672800");
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 10'000; ++round) {
    const std::uint64_t value = *entropy.word() & low_bits(53);
    ASSERT_EQ(printed_in_javascript(value), std::to_string(value));
  }
}

TEST(Snowflake, EveryIdOfJs53IsExactInJavascript) {
  const Instant last = layouts::js53.end() - milliseconds{1};
  Js53Id::Generator generator{*layouts::js53.slot(31)};
  std::array<Js53Id, 256> ids;
  ASSERT_EQ(generator.fill(ids, last), 128u);
  for (std::size_t i = 0; i < 128; ++i) {
    EXPECT_EQ(printed_in_javascript(ids[i].value()), std::to_string(ids[i].value()));
  }
  EXPECT_EQ(ids[127].value(), low_bits(53));
  EXPECT_EQ(Js53Id::parse("9007199254740992").error().fault(), Fault::value_overflow);
}

// AkashRajpurohit/snowflake-id #17: IDs above 64 bits.
TEST(Snowflake, IsNeverAbove63BitsButWhereTheLayoutIsUnsigned) {
  for (const auto& preset : layouts::kPresets) {
    const SnowflakeLayout& layout = preset.layout;
    SnowflakeGenerator generator{layout, *layout.slot(layout.slot_count() - 1),
                                 TickWindow::whole(layout)};
    const auto last = generator.next(layout.end() - layout.unit());
    ASSERT_TRUE(last.has_value()) << preset.name;
    EXPECT_LE(last->value(), layout.largest()) << preset.name;
    if (layout.signedness() == Signedness::is_signed) {
      EXPECT_LT(last->value(), std::uint64_t{1} << 63) << preset.name;
    }
  }
  EXPECT_EQ(Snowflake::parse("14755887168818983731200").error().fault(), Fault::value_overflow);
}

TEST(Snowflake, NamesEachWrongByteAtEachPosition) {
  const std::string right = "1541815603606036480";
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      const auto read = Snowflake::parse(changed);
      if (byte < '0' || byte > '9') {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && byte == '0') {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, 0));
      } else {
        ASSERT_EQ(std::to_string(read->value()), changed);
      }
    }
  }
}

TEST(Snowflake, GoesThereAndBackInEveryPreset) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 2'000; ++round) {
    const std::uint64_t word = *entropy.word();
    for (const auto& preset : layouts::kPresets) {
      const SnowflakeLayout& layout = preset.layout;
      const std::uint64_t id = word & (layout.largest() | (layout.largest() >> 1));
      const auto slot = layout.slot(layout.slot_of(id));
      ASSERT_TRUE(slot.has_value());
      ASSERT_EQ(layout.join(layout.tick_of(id), *slot, layout.sequence_of(id)), id) << preset.name;
    }
    const auto discord = DiscordId::pack(DiscordId::parse(std::to_string(word))->unpack());
    ASSERT_TRUE(discord.has_value());
    ASSERT_EQ(discord->value(), word);
    std::array<std::byte, 8> bytes{};
    discord->to_bytes(bytes);
    ASSERT_EQ(DiscordId::from_bytes(bytes), *discord);
  }
}

TEST(Snowflake, RefusesFieldsThatDoNotFitInsteadOfMaskingThem) {
  EXPECT_EQ(TwitterId::pack({.tick = 1, .slot = 1024}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(TwitterId::pack({.tick = 1, .sequence = 4096}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(TwitterId::pack({.tick = low_bits(41) + 1}).error().fault(), Fault::timestamp_overflow);
  EXPECT_EQ(TwitterId::parse("9223372036854775808").error().fault(), Fault::value_overflow);
  EXPECT_TRUE(TwitterId::parse("9223372036854775807").has_value());
  EXPECT_FALSE(InstagramId::parse("18446744073709551615").has_value());
  const std::array<std::byte, 7> short_bytes{};
  EXPECT_EQ(TwitterId::from_bytes(short_bytes).error().fault(), Fault::wrong_length);
}

TEST(Snowflake, FloorAndCeilingEncloseTheirTick) {
  const auto low = TwitterId::floor(kNow);
  const auto high = TwitterId::ceil(kNow);
  ASSERT_TRUE(low && high);
  EXPECT_EQ(low->time(), kNow);
  EXPECT_EQ(high->time(), kNow);
  EXPECT_LT(TwitterId::ceil(kNow - milliseconds{1})->value(), low->value());
  EXPECT_EQ(high->value() - low->value(), low_bits(22));
}

}  // namespace
}  // namespace mintmark
