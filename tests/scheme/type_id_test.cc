#include "mintmark/scheme/type_id.h"

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

#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using vectors::Line;
using Generator = TypeId::Generator;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

std::string text(const TypeId& id) {
  std::string out(TypeId::facts.text_size, '?');
  out.resize(id.write(std::span{out}));
  return out;
}

std::string text(const Uuid& uuid) {
  std::string out(36, '?');
  uuid.write(std::span{out});
  return out;
}

TypeId type_id(std::string_view canonical) {
  const auto id = TypeId::parse(canonical);
  EXPECT_TRUE(id) << canonical;
  return id.value_or(TypeId{});
}

Error error_of(std::string_view wrong) {
  const auto id = TypeId::parse(wrong);
  EXPECT_FALSE(id) << wrong;
  return id ? Error{Fault::unknown_verb} : id.error();
}

TEST(TypeId, GivesTheKnownAnswers) {
  vectors::check_all(
      "typeid",
      {{"typeid",
        [](const Line& line) {
          const TypeId id = type_id(line.input);
          EXPECT_EQ(id.prefix().view(), line.answer("prefix"));
          EXPECT_EQ(text(id.uuid()), line.answer("uuid"));
          EXPECT_EQ(text(id), line.input);
          EXPECT_EQ(TypeId::pack(id.unpack()), id);
        }},
       {"typeidreject", [](const Line& line) { EXPECT_FALSE(TypeId::parse(line.text())); }},
       {"typeidnotv7", [](const Line& line) {
          const TypeId id = type_id(line.input);
          EXPECT_EQ(text(id.uuid()), line.expected);
          EXPECT_EQ(text(id), line.input);
          EXPECT_FALSE(UuidV7::from_uuid(id.uuid()));
          EXPECT_EQ(id.time(), std::nullopt);
        }}});
}

// jetify-com/typeid#20, jetify-com/opensource#75: the bits above 128 were cut off.
TEST(TypeId, AFirstDigitAboveSevenIsAnOverflowWithItsPlace) {
  for (const std::string prefix : {"", "user_", "a_b_"}) {
    for (const char first : kCrockfordLower.chars()) {
      const std::string whole = prefix + std::string(1, first) + std::string(25, 'z');
      if (first <= '7') {
        EXPECT_EQ(text(type_id(whole)), whole);
      } else {
        EXPECT_EQ(error_of(whole), Error::at(Fault::value_overflow, prefix.size()));
      }
    }
  }
}

TEST(TypeId, NamesEachWrongByteAtEachPositionOfTheDigits) {
  for (const std::string prefix : {"", "user_"}) {
    for (std::size_t at = 0; at < 26; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string changed = prefix + "01h455vb4pex5vsknk084sn02q";
        const std::size_t place = prefix.size() + at;
        changed[place] = static_cast<char>(byte);
        const std::uint8_t value = kCrockfordLower.value_of(changed[place]);
        if (value != Alphabet::kNone && (at > 0 || value < 8)) {
          ASSERT_EQ(text(type_id(changed)), changed);
        } else {
          const Fault fault =
              value == Alphabet::kNone ? Fault::bad_character : Fault::value_overflow;
          ASSERT_EQ(error_of(changed), Error::at(fault, place)) << byte;
        }
      }
    }
  }
}

TEST(TypeId, NamesEachWrongByteAtEachPositionOfThePrefix) {
  for (std::size_t at = 0; at < 5; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = "order_01h455vb4pex5vsknk084sn02q";
      const char c = static_cast<char>(byte);
      changed[at] = c;
      if ((c >= 'a' && c <= 'z') || (c == '_' && at > 0 && at < 4)) {
        ASSERT_EQ(text(type_id(changed)), changed);
        ASSERT_EQ(type_id(changed).prefix().view(), changed.substr(0, 5));
      } else {
        ASSERT_EQ(error_of(changed), Error::at(Fault::bad_character, at)) << byte;
      }
    }
  }
  for (int byte = 0; byte < 256; ++byte) {
    std::string changed = "order_01h455vb4pex5vsknk084sn02q";
    changed[5] = static_cast<char>(byte);
    if (byte == '_') continue;
    ASSERT_EQ(error_of(changed), Error::at(Fault::bad_character, 5)) << byte;
  }
}

TEST(TypeId, NamesPlacesInTheWholeText) {
  const std::string digits = "01h455vb4pex5vsknk084sn02q";
  EXPECT_EQ(error_of(""), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(error_of("_"), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(error_of("user"), Error::at(Fault::wrong_length, 4));
  EXPECT_EQ(error_of("user_"), Error::at(Fault::wrong_length, 5));
  EXPECT_EQ(error_of("_" + digits), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(error_of("_user_" + digits), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(error_of("user__" + digits), Error::at(Fault::bad_character, 4));
  EXPECT_EQ(error_of("uSer_0"), Error::at(Fault::bad_character, 1));
  EXPECT_EQ(error_of("user_" + digits.substr(1)), Error::at(Fault::wrong_length, 30));
  EXPECT_EQ(error_of("user_" + digits + "0"), Error::at(Fault::wrong_length, 31));
  EXPECT_EQ(error_of("user_" + digits + "\n"), Error::at(Fault::wrong_length, 31));
  EXPECT_EQ(error_of(digits + "0"), Error::at(Fault::wrong_length, 26));
  EXPECT_EQ(error_of(digits.substr(1)), Error::at(Fault::wrong_length, 25));
  // 26 characters that are a prefix and 21 digits, and 26 that are digits around a `_`.
  EXPECT_EQ(error_of("user_" + digits.substr(0, 21)), Error::at(Fault::wrong_length, 26));
  EXPECT_EQ(error_of("01h4_5vb4pex5vsknk084sn02q"), Error::at(Fault::bad_character, 4));
  EXPECT_EQ(error_of("_1h455vb4pex5vsknk084sn02q"), Error::at(Fault::bad_character, 0));
}

TEST(TypeId, SplitsAtTheLastUnderscore) {
  const TypeId id = type_id("a_b__c_01h455vb4pex5vsknk084sn02q");
  EXPECT_EQ(id.prefix().view(), "a_b__c");
  EXPECT_EQ(text(id), "a_b__c_01h455vb4pex5vsknk084sn02q");
}

TEST(TypeId, LongestPrefixFillsTheText) {
  const std::string longest(63, 'p');
  const std::string digits(26, '7');
  EXPECT_EQ(text(type_id(longest + "_" + digits)), longest + "_" + digits);
  EXPECT_EQ(text(type_id(longest + "_" + digits)).size(), TypeId::facts.text_size);
  EXPECT_EQ(error_of(longest + "p_" + digits), Error::at(Fault::wrong_length, 63));
}

TEST(TypePrefix, IsCheckedByTheCompilerToo) {
  constexpr TypePrefix prefix = "user";
  EXPECT_EQ(prefix.view(), "user");
  EXPECT_EQ(TypePrefix{"user"}, *TypePrefix::parse("user"));
  EXPECT_TRUE(TypePrefix{}.empty());
  EXPECT_EQ(TypePrefix::parse(""), TypePrefix{});
  EXPECT_LT(TypePrefix{"a_b"}, TypePrefix{"ab"});
  EXPECT_NE(std::hash<TypePrefix>{}("user"), std::hash<TypePrefix>{}("order"));
}

TEST(TypeId, BytesAreTheUuidAlone) {
  const TypeId id = type_id("user_01h455vb4pex5vsknk084sn02q");
  std::array<std::byte, 16> bytes{};
  id.to_bytes(bytes);
  EXPECT_EQ(Uuid::from_bytes(bytes), id.uuid());
  const auto bare = TypeId::from_bytes(bytes);
  ASSERT_TRUE(bare);
  EXPECT_TRUE(bare->prefix().empty());
  EXPECT_NE(*bare, id);
  EXPECT_EQ(bare->with_prefix("user"), id);
  EXPECT_EQ(id.with_prefix({}), *bare);
  EXPECT_EQ(TypeId::from_bytes(std::array<std::byte, 15>{}).error(),
            Error::at(Fault::wrong_length, 15));
}

TEST(TypeId, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  TypeId before;
  for (int round = 0; round < 10'000; ++round) {
    // Short prefixes of few letters, so that many are the beginning of another or equal.
    const std::uint64_t word = *entropy.word();
    std::string prefix(word % 5, 'a');
    for (std::size_t i = 0; i < prefix.size(); ++i) {
      const bool inside = i > 0 && i + 1 < prefix.size();
      prefix[i] = "ab_"[(word >> (8 + 4 * i)) % (inside ? 3 : 2)];
    }
    const TypeId id{*TypePrefix::parse(prefix), Uuid::of(*entropy.word(), *entropy.word())};
    ASSERT_EQ(type_id(text(id)), id);
    ASSERT_EQ(TypeId::pack(id.unpack()), id);
    ASSERT_EQ(id < before, text(id) < text(before)) << text(id) << ' ' << text(before);
    ASSERT_EQ(std::hash<TypeId>{}(id) == std::hash<TypeId>{}(before), id == before);
    before = id;
  }
}

TEST(TypeId, HasATimeOnlyIfItsUuidIsOfVersionSeven) {
  EXPECT_EQ(type_id("prefix_01h455vb4pex5vsknk084sn02q").time(), from_unix_ms(1'688'096'058'518));
  EXPECT_EQ(TypeId{}.time(), std::nullopt);
  EXPECT_EQ(TypeId("user", Uuid::max()).time(), std::nullopt);
}

TEST(TypeId, FloorAndCeilHoldTheMillisecondOfAPrefix) {
  SeededEntropy entropy{test_seed()};
  Generator generator{entropy, {.prefix = "user"}};
  const TypeId id = *generator.next(kNow);
  EXPECT_LE(*TypeId::floor("user", kNow), id);
  EXPECT_LE(id, *TypeId::ceil("user", kNow));
  EXPECT_LT(*TypeId::ceil("user", kNow), *TypeId::floor("user", kNow + milliseconds{1}));
  EXPECT_LT(*TypeId::ceil("order", kNow), *TypeId::floor("user", kNow));
  EXPECT_EQ(TypeId::floor("user", kNow)->uuid(), UuidV7::floor(kNow)->uuid());
  EXPECT_EQ(TypeId::ceil({}, kNow)->uuid(), UuidV7::ceil(kNow)->uuid());
  EXPECT_EQ(TypeId::floor("user", Instant{Duration{-1}}).error().fault(),
            Fault::clock_before_epoch);
  EXPECT_EQ(TypeId::ceil("user", from_unix_ms(UuidV7::kLastMs + 1)).error().fault(),
            Fault::timestamp_overflow);
}

TEST(TypeIdGenerator, GivesTheUuidsOfVersionSevenUnderItsPrefix) {
  SeededEntropy entropy{test_seed()};
  SeededEntropy same{test_seed()};
  Generator generator{entropy, {.prefix = "user"}};
  UuidV7::Generator uuids{same};
  for (int i = 0; i < 100; ++i) {
    const auto id = generator.next(kNow + milliseconds{i / 10});
    ASSERT_TRUE(id);
    EXPECT_EQ(id->prefix().view(), "user");
    EXPECT_EQ(id->uuid(), uuids.next(kNow + milliseconds{i / 10})->uuid());
  }
  std::vector<TypeId> ids(1000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  EXPECT_TRUE(std::ranges::is_sorted(ids));
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  for (const TypeId& id : ids) EXPECT_EQ(id.prefix().view(), "user");
}

TEST(TypeIdGenerator, HandsOnOptionsAndErrorsOfTheUuids) {
  SeededEntropy entropy{test_seed()};
  const UuidV7::Generator::Options narrow{.counter_bits = 12,
                                          .max_borrow = milliseconds{0},
                                          .far_back = UuidV7::Generator::FarBack::refuse};
  Generator generator{entropy, {.prefix = "user", .uuid = narrow}};
  std::vector<TypeId> ids(5000);
  const auto made = generator.fill(ids, kNow);
  ASSERT_TRUE(made);
  EXPECT_GE(*made, 2048U);
  EXPECT_LE(*made, 4096U);
  EXPECT_EQ(ids[*made], TypeId{});
  EXPECT_EQ(generator.fill(ids, kNow).error(), Error::retry(Fault::sequence_exhausted, 1000));
  EXPECT_EQ(generator.next(kNow - seconds{11}).error(),
            Error::retry(Fault::clock_behind, 1'000'000));
  EXPECT_EQ(generator.fill(std::span<TypeId>{}, kNow - seconds{11}), 0U);
  EXPECT_EQ(generator.rollbacks(), 0U);
}

TEST(TypeIdGenerator, ABrokenSourceLeavesWhatWasMade) {
  BreakableEntropy entropy{test_seed()};
  entropy.calls_until_broken = 2;
  Generator generator{entropy};
  std::vector<TypeId> ids(1000);
  EXPECT_EQ(generator.fill(ids, kNow), 128U);
  EXPECT_EQ(generator.fill(ids, kNow).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::entropy_unavailable);
  entropy.calls_until_broken = static_cast<std::size_t>(-1);
  EXPECT_LT(ids[127], *generator.next(kNow));
  Generator far{entropy};
  ASSERT_TRUE(far.next(kNow));
  ASSERT_TRUE(far.next(kNow - seconds{11}));
  EXPECT_EQ(far.rollbacks(), 1U);
}

static_assert(std::is_trivially_copyable_v<TypeId>);
static_assert(!std::is_copy_constructible_v<Generator> &&
              !std::is_move_constructible_v<Generator> && !std::is_copy_assignable_v<Generator>);

}  // namespace
}  // namespace mintmark
