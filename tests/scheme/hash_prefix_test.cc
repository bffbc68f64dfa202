#include "mintmark/scheme/hash_prefix.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/ulid.h"
#include "seed.h"

namespace mintmark {
namespace {

HashPrefix of_bits(unsigned bits) { return *HashPrefix::of_bits(bits); }

template <class S>
std::string text(const HashPrefix& prefix, const S& id) {
  std::string out(prefix.text_size() + S::facts.text_size, '?');
  out.resize(prefix.write(id, out));
  return out;
}

template <class S>
std::vector<std::byte> bytes(const HashPrefix& prefix, const S& id) {
  std::vector<std::byte> out(prefix.byte_size() + S::facts.bytes);
  prefix.to_bytes(id, out);
  return out;
}

TEST(HashPrefix, IsTheUpperBitsOfOneHash) {
  const Ulid id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(text(of_bits(8), id), "42-01ARZ3NDEKTSV4RRFFQ69G5FAV");
  EXPECT_EQ(text(of_bits(32), id), "42c9e3c3-01ARZ3NDEKTSV4RRFFQ69G5FAV");
  const std::string wide = text(of_bits(32), id).substr(0, 8);
  for (unsigned bits = 1; bits <= 32; ++bits) {
    const std::string some = text(of_bits(bits), id);
    const std::string digits = some.substr(0, some.find('-'));
    EXPECT_EQ(digits.size(), (bits + 3) / 4);
    EXPECT_EQ(std::stoul(digits, nullptr, 16), std::stoul(wide, nullptr, 16) >> (32 - bits));
    EXPECT_EQ(some.substr(digits.size() + 1), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
  }
  EXPECT_EQ(HashPrefix::of_bits(0).error().fault(), Fault::invalid_argument);
  EXPECT_EQ(HashPrefix::of_bits(33).error().fault(), Fault::invalid_argument);
}

TEST(HashPrefix, GoesThereAndBackAtEveryWidth) {
  SeededEntropy entropy{test_seed()};
  for (unsigned bits = 1; bits <= 32; ++bits) {
    const HashPrefix prefix = of_bits(bits);
    for (int round = 0; round < 100; ++round) {
      const Ulid ulid = Ulid::from_uuid(Uuid::of(*entropy.word(), *entropy.word()));
      ASSERT_EQ(prefix.parse<Ulid>(text(prefix, ulid)), ulid);
      ASSERT_EQ(prefix.from_bytes<Ulid>(bytes(prefix, ulid)), ulid);
      const TwitterId tweet = *TwitterId::parse(std::to_string(*entropy.word() >> 1));
      ASSERT_EQ(prefix.parse<TwitterId>(text(prefix, tweet)), tweet);
      ASSERT_EQ(prefix.from_bytes<TwitterId>(bytes(prefix, tweet)), tweet);
    }
  }
}

TEST(HashPrefix, BytesAreThePrefixThenTheId) {
  const HashPrefix prefix = of_bits(12);
  const TwitterId id = *TwitterId::parse("1541815603606036480");
  const std::vector<std::byte> all = bytes(prefix, id);
  ASSERT_EQ(all.size(), 10u);
  const std::uint64_t value = prefix.value_of(std::span{all}.subspan(2));
  EXPECT_LT(value, 1u << 12);
  EXPECT_EQ(load_be<std::uint16_t>(all), value);
  EXPECT_EQ(load_be<std::uint64_t>(std::span{all}.subspan(2)), id.value());
}

TEST(HashPrefix, RefusesAnotherPrefixAndSaysWhere) {
  const HashPrefix prefix = of_bits(16);
  const Ulid id = *Ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  const std::string right = text(prefix, id);
  for (std::size_t at = 0; at < prefix.text_size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      const bool digit = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
      const auto read = prefix.parse<Ulid>(changed);
      if (changed == right) {
        ASSERT_EQ(read, id);
      } else if (at < 4 && digit) {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, at)) << byte;
      } else {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      }
    }
  }
  std::string other = right;
  std::swap(other[29], other[30]);
  EXPECT_EQ(prefix.parse<Ulid>(other).error().fault(), Fault::not_canonical);
  std::vector<std::byte> changed = bytes(prefix, id);
  for (std::size_t at = 0; at < 2; ++at) {
    changed[at] ^= std::byte{1};
    EXPECT_EQ(prefix.from_bytes<Ulid>(changed).error(), Error::at(Fault::not_canonical, at));
    changed[at] ^= std::byte{1};
  }
  changed.back() ^= std::byte{1};
  EXPECT_EQ(prefix.from_bytes<Ulid>(changed).error().fault(), Fault::not_canonical);
}

TEST(HashPrefix, PassesOnWhatTheSchemeSays) {
  const HashPrefix prefix = of_bits(8);
  EXPECT_EQ(prefix.parse<Ulid>("7f-01ARZ3NDEKTSV4RRFFQ69G5FAU").error(),
            Error::at(Fault::bad_character, 28));
  EXPECT_EQ(prefix.parse<Ulid>("7f-8ZZZZZZZZZZZZZZZZZZZZZZZZZ").error(),
            Error::at(Fault::value_overflow, 3));
  EXPECT_EQ(prefix.parse<Ulid>("7f-01").error(), Error::at(Fault::wrong_length, 5));
  EXPECT_EQ(prefix.parse<Ulid>("7f").error(), Error::at(Fault::wrong_length, 2));
  EXPECT_EQ(prefix.parse<Ulid>("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(prefix.from_bytes<Ulid>({}).error(), Error::at(Fault::wrong_length, 0));
  const std::vector<std::byte> long_bytes(18);
  EXPECT_EQ(prefix.from_bytes<Ulid>(long_bytes).error(), Error::at(Fault::wrong_length, 17));
}

TEST(HashPrefix, SpreadsIdsThatRise) {
  const HashPrefix prefix = of_bits(4);
  std::array<int, 16> counts{};
  for (std::uint64_t i = 0; i < 16'000; ++i) {
    std::array<std::byte, 8> id{};
    store_be(id, std::uint64_t{1'541'815'603'606'036'480} + i);
    ++counts.at(prefix.value_of(id));
  }
  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 1'000.0) * (count - 1'000.0) / 1'000.0;
  EXPECT_LT(chi_square, 37.7);  // 15 degrees of freedom, p = 0.001
}

}  // namespace
}  // namespace mintmark
