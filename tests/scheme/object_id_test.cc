#include "mintmark/scheme/object_id.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

std::string text(const ObjectId& id) {
  std::string out(ObjectId::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

std::string hex(std::uint64_t value, std::size_t digits) {
  std::string out(digits, '0');
  for (std::size_t i = digits; i-- > 0; value >>= 4) out[i] = kHexLower[value & 15];
  return out;
}

TEST(ObjectId, GivesTheKnownAnswers) {
  vectors::check_all("objectid", {{"oid",
                                   [](const Line& line) {
                                     const auto id = ObjectId::parse(line.input);
                                     ASSERT_TRUE(id);
                                     const ObjectId::Fields fields = id->unpack();
                                     EXPECT_EQ(std::to_string(fields.unix_seconds),
                                               line.answer("ts"));
                                     EXPECT_EQ(hex(fields.random, 10), line.answer("rand"));
                                     EXPECT_EQ(std::to_string(fields.counter), line.answer("ctr"));
                                     EXPECT_EQ(TimeText{id->time()}.view(), line.answer("time"));
                                     EXPECT_EQ(text(*id), line.input);
                                     EXPECT_EQ(ObjectId::pack(fields), *id);
                                   }},
                                  {"oidreject", [](const Line& line) {
                                     EXPECT_EQ(ObjectId::parse(line.text()).error(),
                                               Error::at(Fault::wrong_length, 12));
                                   }}});
}

// mongodb/js-bson#158: read as a signed number, the first half of 2038 to 2106 was of 1901.
TEST(ObjectId, SecondsAreUnsignedSoThatEightMeans2038) {
  EXPECT_EQ(ObjectId::parse("800000000000000000000000")->time(),
            *parse_time("2038-01-19T03:14:08Z"));
  EXPECT_LT(*ObjectId::parse("7fffffffffffffffffffffff"),
            *ObjectId::parse("800000000000000000000000"));
}

// mongodb/js-bson#365, Automattic/mongoose#11226.
TEST(ObjectId, TwelveCharactersAreNoObjectIdAndTwelveBytesAre) {
  for (const std::string_view word : {"Rheumatology", "123456789012"}) {
    EXPECT_EQ(ObjectId::parse(word).error(), Error::at(Fault::wrong_length, 12));
    std::array<std::byte, 12> bytes{};
    std::memcpy(bytes.data(), word.data(), word.size());
    const auto id = ObjectId::from_bytes(bytes);
    ASSERT_TRUE(id);
    std::array<std::byte, 12> back{};
    id->to_bytes(back);
    EXPECT_EQ(back, bytes);
  }
  EXPECT_EQ(text(*ObjectId::from_bytes(std::as_bytes(std::span{"123456789012", 12}))),
            "313233343536373839303132");
}

TEST(ObjectId, NamesEachWrongByteAtEachPosition) {
  constexpr std::string_view kGood = "0123456789abcdef01234567";
  for (std::size_t at = 0; at < kGood.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed{kGood};
      changed[at] = static_cast<char>(byte);
      const auto read = ObjectId::parse(changed);
      const std::uint8_t value = kHexLower.value_of(changed[at]);
      if (value == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else {
        ASSERT_TRUE(read) << byte;
        std::string lower{kGood};
        lower[at] = kHexLower[value];
        ASSERT_EQ(text(*read), lower);
      }
    }
  }
}

TEST(ObjectId, NamesTheWrongLength) {
  for (std::size_t size = 0; size < 60; ++size) {
    const auto read = ObjectId::parse(std::string(size, '0'));
    if (size == 24) {
      EXPECT_TRUE(read);
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::wrong_length, std::min<std::size_t>(size, 24)));
    }
  }
  EXPECT_EQ(ObjectId::from_bytes(std::array<std::byte, 24>{}).error(),
            Error::at(Fault::wrong_length, 24));
}

TEST(ObjectId, PacksWhatFitsAndRefusesTheRest) {
  const ObjectId::Fields most{0xffff'ffff, low_bits(40), 0xff'ffff};
  EXPECT_EQ(text(*ObjectId::pack(most)), std::string(24, 'f'));
  EXPECT_EQ(ObjectId::pack(most)->unpack(), most);
  EXPECT_EQ(ObjectId::pack({.random = low_bits(40) + 1}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(ObjectId::pack({.counter = 0x100'0000}).error().fault(), Fault::value_overflow);
}

TEST(ObjectId, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  ObjectId before;
  for (int round = 0; round < 5000; ++round) {
    std::array<std::byte, 12> bytes{};
    ASSERT_TRUE(entropy.fill(bytes));
    const auto id = ObjectId::from_bytes(bytes);
    ASSERT_TRUE(id);
    EXPECT_EQ(ObjectId::parse(text(*id)), *id);
    EXPECT_EQ(ObjectId::pack(id->unpack()), *id);
    std::array<std::byte, 12> back{};
    id->to_bytes(back);
    EXPECT_EQ(back, bytes);
    EXPECT_EQ(*id < before, text(*id) < text(before));
    EXPECT_EQ(std::hash<ObjectId>{}(*id) == std::hash<ObjectId>{}(before), *id == before);
    before = *id;
  }
}

}  // namespace
}  // namespace mintmark
