// ObjectId: MongoDB's 12 bytes of seconds, 40 random bits of a process, and a counter.
// github.com/mongodb/specifications, source/bson-objectid.
//
// Use it where MongoDB or its drivers are, or where 12 bytes have to do. Do not use it where IDs of one
// second must sort as they were made: the counter begins anywhere and wraps. Nor where an ID must be hard
// to guess: the next one differs in the counter only. UUIDv7 does both better with 4 bytes more.
//
//   octet  0                  4                       9            11
//         [ unix_seconds 32 ][ random 40 ............][ counter 24 ]
//   text   507f1f77           bcf86cd799               439011         24 hex digits
//
// What it refuses: every text but 24 hex digits. Twelve characters are not twelve bytes: raw bytes are for
// from_bytes (mongodb/js-bson#365). The seconds are unsigned: 80000000... is of 2038 (mongodb/js-bson#158).
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/counted_seconds.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/text/lanes.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// Any 96 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class ObjectId {
 public:
  static constexpr Facts facts{
      .name = "objectid",
      .title = "ObjectId",
      .bits = 96,
      .bytes = CountedSeconds::kBytes,
      .text_size = 24,
      .order = TimeOrder::by_tick,
      .epoch = Instant{},
      .unit = std::chrono::seconds{1},
      .random_bits = 0,  // of an ID whose neighbour is known
      .specification = "github.com/mongodb/specifications source/bson-objectid"};

  struct Fields {
    std::uint32_t unix_seconds = 0;
    std::uint64_t random = 0;   ///< 40 bits; the same for all IDs of a process
    std::uint32_t counter = 0;  ///< 24 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr ObjectId() = default;

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<ObjectId> pack(const Fields& fields) {
    if (fields.random > CountedSeconds::kLargestLife ||
        fields.counter > CountedSeconds::kLargestCounter) {
      return fail(Fault::value_overflow);
    }
    return ObjectId{CountedSeconds::of(fields.unix_seconds, fields.random, fields.counter)};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {value_.second(), value_.life(), value_.counter()};
  }

  /// Reads exactly 24 hex digits, in any case. Errors: WrongLength, BadCharacter.
  [[nodiscard]] static constexpr Result<ObjectId> parse(std::string_view text) {
    if (text.size() != facts.text_size) {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), facts.text_size)));
    }
    std::array<std::byte, 16> octets{};
    if
      consteval {
        const auto read = parse_hex(text, std::span{octets}.first(facts.bytes));
        if (!read) return fail(read.error());
      }
    else {
      // Octets 0 to 7, then 4 to 11: two loads that overlap in place of a short one.
      const auto read = lanes::bytes_of({lanes::load(text.data()), lanes::load(text.data() + 8)});
      if (!read.valid) [[unlikely]]
        return fail(slice::first_bad_character<kHexLower>(text));
      lanes::store(octets.data(), read.bytes);
      std::ranges::copy(std::span{octets}.last<4>(), octets.begin() + 8);
    }
    return from_bytes(std::span<const std::byte>{octets}.first(facts.bytes));
  }

  /// Writes 24 digits in lower case, returns 24. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    if
      consteval {
        std::array<std::byte, facts.bytes> octets{};
        to_bytes(octets);
        write_hex(octets, out);
      }
    else {
      const auto low = static_cast<std::uint64_t>(value_.integer());
      const auto text = lanes::hex_of<kHexLower>(lanes::big_endian(value_.high(), low));
      lanes::store(out.data() + 8, text.back);
      lanes::store(out.data(), text.front);
    }
    return facts.text_size;
  }

  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<ObjectId> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return ObjectId{CountedSeconds::from_bytes(from)};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { value_.to_bytes(to); }

  [[nodiscard]] constexpr Instant time() const { return value_.time(); }

  /// The smallest and the largest ObjectId of the second that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<ObjectId> floor(Instant time) {
    MINTMARK_TRY(second, CountedSeconds::second_of(time));
    return ObjectId{CountedSeconds::smallest_of(second)};
  }
  [[nodiscard]] static constexpr Result<ObjectId> ceil(Instant time) {
    MINTMARK_TRY(second, CountedSeconds::second_of(time));
    return ObjectId{CountedSeconds::largest_of(second)};
  }

  friend constexpr auto operator<=>(const ObjectId&, const ObjectId&) = default;

  using Generator = CountedSecondsGenerator<ObjectId>;

 private:
  friend Generator;
  friend struct std::hash<ObjectId>;

  constexpr explicit ObjectId(const CountedSeconds& value) : value_(value) {}

  CountedSeconds value_;
};

static_assert(TimeOrdered<ObjectId> && Mintable<ObjectId>);

// The examples of mongodb/specifications, source/bson-objectid, "Test Plan"; its text says "Jan 7th" for
// the last one.
static_assert(ObjectId::parse("7FFFFFFF0000000000000000")->time() ==
              *parse_time("2038-01-19T03:14:07Z"));
static_assert(ObjectId::parse("800000000000000000000000")->time() ==
              *parse_time("2038-01-19T03:14:08Z"));
static_assert(ObjectId::parse("ffffffffffffffffffffffff")->time() ==
              *parse_time("2106-02-07T06:28:15Z"));
static_assert(ObjectId::parse("507f1f77bcf86cd799439011")->unpack() ==
              ObjectId::Fields{1'350'508'407, 0xbcf86cd799, 0x439011});

}  // namespace mintmark

template <>
struct std::hash<mintmark::ObjectId> {
  [[nodiscard]] std::size_t operator()(const mintmark::ObjectId& id) const noexcept {
    return std::hash<mintmark::CountedSeconds>{}(id.value_);
  }
};
