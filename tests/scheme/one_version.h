// What every type of one UUID version promises about its text and its octets, as one check for all of them.
#pragma once

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/versioned_uuid.h"
#include "mintmark/text/alphabet.h"
#include "tests/seed.h"

namespace mintmark {

template <class Id>
std::string text_of(const Id& id) {
  std::string out(Id::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

/// Every byte value at every position of the canonical text is read as what it is, or refused there.
template <class Id>
void expect_each_byte_named() {
  constexpr std::size_t kVersionAt = 14;
  constexpr std::size_t kVariantAt = 19;
  SeededEntropy entropy{test_seed()};
  const Uuid any = Uuid::of_version(Id::kVersion, *entropy.word(), *entropy.word());
  const std::string text = text_of(any);
  ASSERT_EQ(Id::parse(text)->uuid(), any);
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      const std::uint8_t digit = kHexLower.value_of(changed[at]);
      const bool readable = text[at] == '-' ? byte == '-' : digit != Alphabet::kNone;
      const bool other_version = at == kVersionAt && digit != Id::kVersion;
      const bool other_variant = at == kVariantAt && (digit < 8 || digit > 11);
      const auto read = Id::parse(changed);
      if (readable && !other_version && !other_variant) {
        ASSERT_TRUE(read) << changed;
        changed[at] = static_cast<char>(std::tolower(byte));
        ASSERT_EQ(text_of(*read), changed);
      } else {
        const Fault fault = readable ? Fault::wrong_version : Fault::bad_character;
        ASSERT_FALSE(read) << changed;
        ASSERT_EQ(read.error(), Error::at(fault, at)) << at << ' ' << byte;
      }
    }
  }
}

/// Only its own version of the RFC's variant is taken, from octets and from a Uuid as well.
template <class Id>
void expect_other_versions_refused() {
  for (unsigned version = 0; version < 16; ++version) {
    const Uuid uuid = Uuid::of_version(version, 0x0123'4567'89ab'cdef, 0x0123'4567'89ab'cdef);
    const bool own = version == Id::kVersion;
    EXPECT_EQ(Id::from_uuid(uuid).has_value(), own) << version;
    EXPECT_EQ(Id::from_bytes(uuid.bytes()).has_value(), own) << version;
    if (own) continue;
    EXPECT_EQ(Id::from_uuid(uuid).error().fault(), Fault::wrong_version);
    EXPECT_EQ(Id::from_bytes(uuid.bytes()).error().fault(), Fault::wrong_version);
  }
  const std::uint64_t high = Id{}.uuid().high();
  EXPECT_TRUE(Id::from_uuid(Uuid::of(high, 0x8000'0000'0000'0000)));
  EXPECT_TRUE(Id::from_uuid(Uuid::of(high, 0xbfff'ffff'ffff'ffff)));
  EXPECT_FALSE(Id::from_uuid(Uuid::of(high, 0x7fff'ffff'ffff'ffff)));
  EXPECT_FALSE(Id::from_uuid(Uuid::of(high, 0xc000'0000'0000'0000)));
  const std::array<std::byte, 17> bytes{};
  EXPECT_EQ(Id::from_bytes(std::span{bytes}.first(15)).error(), Error::at(Fault::wrong_length, 15));
  EXPECT_EQ(Id::from_bytes(bytes).error(), Error::at(Fault::wrong_length, 17));
}

/// Fields, text and octets give the same ID back; the order and the hash are those of the UUID.
template <class Id>
void expect_round_trips() {
  SeededEntropy entropy{test_seed()};
  std::unordered_set<Id> seen;
  Id before;
  for (int round = 0; round < 2000; ++round) {
    const Uuid uuid = Uuid::of_version(Id::kVersion, *entropy.word(), *entropy.word());
    const auto id = Id::from_uuid(uuid);
    ASSERT_TRUE(id);
    ASSERT_EQ(Id::pack(id->unpack()), *id);
    ASSERT_EQ(Id::parse(text_of(*id)), *id);
    std::array<std::byte, 16> bytes{};
    id->to_bytes(bytes);
    ASSERT_EQ(Id::from_bytes(bytes), *id);
    ASSERT_EQ(before < *id, before.uuid() < uuid);
    ASSERT_EQ(std::hash<Id>{}(*id), std::hash<Uuid>{}(uuid));
    ASSERT_TRUE(seen.insert(*id).second);
    before = *id;
  }
  EXPECT_EQ(*Id::pack({}), Id{});
  static_assert(std::is_convertible_v<Id, Uuid> && !std::is_convertible_v<Uuid, Id>);
}

}  // namespace mintmark
