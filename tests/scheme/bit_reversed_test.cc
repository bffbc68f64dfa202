#include "mintmark/scheme/bit_reversed.h"

#include <array>
#include <set>
#include <string>
#include <unordered_set>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "seed.h"
#include "vectors.h"

namespace mintmark {
namespace {

std::string text(const BitReversed& id) {
  std::string out(BitReversed::facts.text_size, '?');
  out.resize(id.write(out));
  return out;
}

BitReversed id_of(std::uint64_t sequence) { return *BitReversed::pack({.sequence = sequence}); }

TEST(BitReversed, ReversesThePublishedNumbers) {
  vectors::check_all(
      "snowflake",
      {{"bitrev63",
        [](const vectors::Line& line) {
          const BitReversed id = id_of(std::stoull(line.input));
          EXPECT_EQ(text(id), line.expected);
          EXPECT_EQ(std::to_string(BitReversed::parse(line.expected)->unpack().sequence),
                    line.input);
        }},
       {"bitrev64",
        [](const vectors::Line& line) {
          const std::uint64_t value = std::stoull(line.input);
          EXPECT_EQ(std::to_string(static_cast<std::int64_t>(reverse_bits(value))), line.expected);
          EXPECT_EQ(reverse_bits(reverse_bits(value)), value);
        }}},
      {"twitter", "discord", "instagram", "sonyflake1", "mastodon", "baidu", "crdb",
       "crdbunordered", "jsdouble", "jsprint", "snowflakereject"});
}

TEST(BitReversed, MovesEachBitToItsMirror) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t one = std::uint64_t{1} << bit;
    EXPECT_EQ(reverse_bits(one), std::uint64_t{1} << (63 - bit));
    const unsigned mirror = bit == 63 ? 63 : 62 - bit;
    EXPECT_EQ(reverse_bits_below_sign(one), std::uint64_t{1} << mirror);
  }
}

TEST(BitReversed, GoesThereAndBack) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 5'000; ++round) {
    const std::uint64_t sequence = *entropy.word() >> 1;
    const BitReversed id = id_of(sequence);
    ASSERT_EQ(id.unpack().sequence, sequence);
    ASSERT_EQ(BitReversed::parse(text(id)), id);
    std::array<std::byte, 8> bytes{};
    id.to_bytes(bytes);
    ASSERT_EQ(BitReversed::from_bytes(bytes), id);
    const std::uint64_t any = *entropy.word();
    ASSERT_EQ(reverse_bits_below_sign(reverse_bits_below_sign(any)), any);
    ASSERT_EQ(reverse_bits_below_sign(any) >> 63, any >> 63);
  }
  EXPECT_EQ(id_of(0).value(), 0u);
  EXPECT_EQ(id_of(BitReversed::kLastSequence).value(), BitReversed::kLastSequence);
}

TEST(BitReversed, RefusesTheSignBit) {
  EXPECT_EQ(BitReversed::pack({.sequence = std::uint64_t{1} << 63}).error().fault(),
            Fault::value_overflow);
  EXPECT_TRUE(BitReversed::parse("9223372036854775807").has_value());
  EXPECT_EQ(BitReversed::parse("9223372036854775808").error(), Error::at(Fault::value_overflow, 0));
  const std::array<std::byte, 8> negative{std::byte{0x80}};
  EXPECT_EQ(BitReversed::from_bytes(negative).error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(BitReversed::from_bytes({}).error(), Error::at(Fault::wrong_length, 0));
}

TEST(BitReversed, NamesEachWrongByteAtEachPosition) {
  const std::string right = "4611686018427387904";
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      const auto read = BitReversed::parse(changed);
      if (byte < '0' || byte > '9') {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && byte == '0') {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, 0));
      } else if (at == 0 && byte == '9') {
        ASSERT_EQ(read.has_value(), changed <= "9223372036854775807");
      } else {
        ASSERT_EQ(text(*read), changed);
      }
    }
  }
  EXPECT_EQ(BitReversed::parse("").error(), Error::at(Fault::wrong_length, 0));
}

TEST(BitReversed, ARunOfNumbersHasOneInEachPartOfTheKeySpace) {
  for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1'000'007}}) {
    for (unsigned bits = 1; bits <= 10; ++bits) {
      std::set<std::uint64_t> parts;
      for (std::uint64_t i = 0; i < std::uint64_t{1} << bits; ++i) {
        parts.insert(id_of(start + i).value() >> (63 - bits));
      }
      EXPECT_EQ(parts.size(), std::size_t{1} << bits) << start;
    }
  }
}

TEST(BitReversed, HashesByItsValue) {
  std::unordered_set<BitReversed> ids;
  for (std::uint64_t i = 0; i < 1'000; ++i) ids.insert(id_of(i));
  EXPECT_EQ(ids.size(), 1'000u);
}

}  // namespace
}  // namespace mintmark
