#include "mintmark/scheme/xid.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

std::string text(const Xid& id) {
  std::string out(Xid::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

std::string raw(const Xid& id) {
  std::array<std::byte, 12> bytes{};
  id.to_bytes(bytes);
  std::string out(24, '?');
  write_hex(bytes, std::span{out});
  return out;
}

TEST(Xid, GivesTheKnownAnswers) {
  vectors::check_all(
      "xid", {{"xid",
               [](const Line& line) {
                 const auto id = Xid::parse(line.input);
                 if (line.rejects()) {
                   EXPECT_FALSE(id);
                   return;
                 }
                 ASSERT_TRUE(id);
                 const Xid::Fields fields = id->unpack();
                 EXPECT_EQ(raw(*id), line.answer("raw"));
                 EXPECT_EQ(std::to_string(fields.unix_seconds), line.answer("ts"));
                 EXPECT_EQ(std::to_string(fields.machine),
                           std::to_string(std::stoul(line.answer("machine"), nullptr, 16)));
                 EXPECT_EQ(std::to_string(fields.pid), line.answer("pid"));
                 EXPECT_EQ(std::to_string(fields.counter), line.answer("ctr"));
                 EXPECT_EQ(text(*id), line.input);
                 EXPECT_EQ(Xid::pack(fields), *id);
               }},
              {"xidreject", [](const Line& line) {
                 EXPECT_EQ(Xid::parse(line.text()).error(), Error::at(Fault::not_canonical, 19));
               }}});
}

// rs/xid#71: four of the last character's five bits were dropped, so that 16 texts read as one ID.
TEST(Xid, LastCharacterIsZeroOrGAndNothingElse) {
  std::string accepted;
  for (const char last : kBase32HexLower.chars()) {
    const auto read = Xid::parse("c6e52g2mrqcjl44hf17" + std::string(1, last));
    if (read) {
      accepted += last;
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::not_canonical, 19)) << last;
    }
  }
  EXPECT_EQ(accepted, "0g");
}

// yiwen-ai/xid-ts#13: the counter's low byte stood at two places, so that about 254 IDs were distinct.
TEST(Xid, CounterKeepsItsThreeBytesApart) {
  const Xid id = *Xid::pack({.unix_seconds = 1, .counter = 0x0102ff});
  EXPECT_EQ(raw(id),
            "000000010000000000"
            "0102ff");
  SeededEntropy entropy{test_seed()};
  Xid::Generator generator{entropy};
  std::vector<Xid> ids(100'000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  const std::unordered_set<Xid> distinct{ids.begin(), ids.end()};
  EXPECT_EQ(distinct.size(), ids.size());
}

TEST(Xid, NamesEachWrongByteAtEachPosition) {
  constexpr std::string_view kGood = "9m4e2mr0ui3e8a215n4g";
  for (std::size_t at = 0; at < kGood.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed{kGood};
      changed[at] = static_cast<char>(byte);
      const auto read = Xid::parse(changed);
      const std::uint8_t value = kBase32HexLower.value_of(changed[at]);
      if (value == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 19 && value % 16 != 0) {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, at)) << byte;
      } else {
        ASSERT_TRUE(read) << byte;
        ASSERT_EQ(text(*read), changed);
      }
    }
  }
}

TEST(Xid, NamesTheWrongLength) {
  for (std::size_t size = 0; size < 40; ++size) {
    const auto read = Xid::parse(std::string(size, '0'));
    if (size == 20) {
      EXPECT_TRUE(read);
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::wrong_length, std::min<std::size_t>(size, 20)));
    }
  }
  EXPECT_EQ(Xid::from_bytes(std::array<std::byte, 20>{}).error(),
            Error::at(Fault::wrong_length, 20));
}

TEST(Xid, PacksWhatFitsAndRefusesTheRest) {
  const Xid::Fields most{0xffff'ffff, 0xff'ffff, 0xffff, 0xff'ffff};
  EXPECT_EQ(text(*Xid::pack(most)), "vvvvvvvvvvvvvvvvvvvg");
  EXPECT_EQ(Xid::pack(most)->unpack(), most);
  EXPECT_EQ(Xid::pack({.machine = 0x100'0000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(Xid::pack({.counter = 0x100'0000}).error().fault(), Fault::value_overflow);
}

TEST(Xid, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  Xid before;
  for (int round = 0; round < 5000; ++round) {
    std::array<std::byte, 12> bytes{};
    ASSERT_TRUE(entropy.fill(bytes));
    const auto id = Xid::from_bytes(bytes);
    ASSERT_TRUE(id);
    std::string stream(20, '?');
    write_stream<kBase32HexLower>(bytes, std::span{stream});
    EXPECT_EQ(text(*id), stream);
    EXPECT_EQ(Xid::parse(stream), *id);
    EXPECT_EQ(Xid::pack(id->unpack()), *id);
    EXPECT_EQ(*id < before, text(*id) < text(before));
    EXPECT_EQ(std::hash<Xid>{}(*id) == std::hash<Xid>{}(before), *id == before);
    before = *id;
  }
}

}  // namespace
}  // namespace mintmark
