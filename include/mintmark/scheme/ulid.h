// ULID: 48 bits of milliseconds and 80 random bits, as 26 characters that sort. github.com/ulid/spec.
//
// Use it where the text is what people and logs see, and where it should sort by time. Do not use it where
// the ID must be hard to guess from its neighbour: inside one millisecond the next one is this one plus
// one. UUIDv7 has the same size and time and keeps fresh random bits in every ID.
//
//   octet  0                  6                                     15
//         [ unix_ms 48 ......][ random 80 ..........................]
//   text   01AN4Z07BY          79KA1307SR9X4MV3
//          10 characters       16 characters, 5 bits each; the two bits in front of the first are zero
//
// What it refuses: a first character above 7 (2^128 and more; some readers cut it and read another ID), and
// I, L, O, U in parse. Text that a person typed is for parse_crockford.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/successor_generator.h"
#include "mintmark/scheme/unix_ms48.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// Any 128 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class Ulid {
 public:
  static constexpr Facts facts{
      .name = "ulid",
      .title = "ULID",
      .bits = 128,
      .bytes = 16,
      .text_size = 26,
      .order = TimeOrder::monotonic,
      .epoch = Instant{},
      .unit = std::chrono::milliseconds{1},
      .random_bits = 0,  // of an ID whose neighbour in the same ms is known
      .specification = "github.com/ulid/spec"};

  static constexpr std::int64_t kLastMs = unix_ms48::kLast;  ///< 10889-08-02T05:31:50.655Z

  struct Fields {
    std::uint64_t unix_ms = 0;  ///< 48 bits
    U128 random = 0;            ///< 80 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr Ulid() = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<Ulid> pack(const Fields& fields) {
    if (fields.unix_ms > static_cast<std::uint64_t>(kLastMs))
      return fail(Fault::timestamp_overflow);
    if (fields.random > kLargestRandom) return fail(Fault::value_overflow);
    return Ulid{static_cast<U128>(fields.unix_ms) << 80 | fields.random};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {static_cast<std::uint64_t>(value_ >> 80), value_ & kLargestRandom};
  }

  /// Reads exactly 26 characters of Crockford's base32, in any case, without I, L, O, U.
  /// Errors: WrongLength; ValueOverflow at position 0 (a first character above 7); BadCharacter.
  [[nodiscard]] static constexpr Result<Ulid> parse(std::string_view text) {
    const auto value = parse_slices<kCrockford, 128>(text);
    if (!value) return fail(value.error());
    return Ulid{*value};
  }

  /// As parse, but forgives what Crockford's base32 forgives: I and L are 1, O is 0, hyphens anywhere are
  /// skipped. Positions count in `text` as it is.
  [[nodiscard]] static constexpr Result<Ulid> parse_crockford(std::string_view text) {
    std::array<char, 26> chars{};
    std::array<std::size_t, 26> positions{};
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '-') continue;
      if (count == chars.size()) return fail(Error::at(Fault::wrong_length, at));
      positions[count] = at;
      chars[count++] = text[at];
    }
    if (count < chars.size()) return fail(Error::at(Fault::wrong_length, text.size()));
    const auto value = parse_slices<kCrockfordAliased, 128>({chars.data(), chars.size()});
    if (!value) return fail(Error::at(value.error().fault(), positions[value.error().position()]));
    return Ulid{*value};
  }

  /// Writes 26 characters in upper case, returns 26. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    write_slices<kCrockford, 26>(value_, out);
    return 26;
  }

  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Ulid> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return Ulid{load_be<U128>(from)};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  /// The same 128 bits. A ULID that is written as a UUID has a version by accident only.
  [[nodiscard]] static constexpr Ulid from_uuid(const Uuid& uuid) { return Ulid{uuid.integer()}; }
  [[nodiscard]] constexpr Uuid uuid() const {
    return Uuid::of(static_cast<std::uint64_t>(value_ >> 64), static_cast<std::uint64_t>(value_));
  }
  [[nodiscard]] constexpr U128 integer() const { return value_; }

  [[nodiscard]] constexpr Instant time() const {
    return from_unix_ms(static_cast<std::int64_t>(unpack().unix_ms));
  }

  /// The smallest and the largest ULID of the millisecond that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<Ulid> floor(Instant time) {
    MINTMARK_TRY(ms, tick_of(time));
    return Ulid{static_cast<U128>(ms) << 80};
  }
  [[nodiscard]] static constexpr Result<Ulid> ceil(Instant time) {
    MINTMARK_TRY(ms, tick_of(time));
    return Ulid{static_cast<U128>(ms) << 80 | kLargestRandom};
  }

  /// The next ULID of the same millisecond: its random part plus one, as the specification's monotonic rule
  /// says. Errors: SequenceExhausted when the 80 bits are full; the next millisecond is never entered.
  [[nodiscard]] constexpr Result<Ulid> successor() const {
    if (room() == 0) return fail(Fault::sequence_exhausted);
    return plus(1);
  }

  friend constexpr auto operator<=>(const Ulid&, const Ulid&) = default;

  /// Makes ULIDs that rise strictly by the specification's monotonic rule: the first of a millisecond has 80
  /// fresh random bits, each further one is its predecessor plus one. If the 80 bits overflow (at a million
  /// IDs a millisecond that is once in 10^18 milliseconds) it refuses. One thread at a time.
  using Generator = SuccessorGenerator<Ulid>;

 private:
  friend Generator;

  static constexpr U128 kLargestRandom = (U128{1} << 80) - 1;

  constexpr explicit Ulid(U128 value) : value_(value) {}

  static constexpr Result<std::int64_t> tick_of(Instant time) { return unix_ms48::at(time); }
  /// Fresh random bits: all of the first word, the low 16 of the second.
  static constexpr Ulid fresh(std::int64_t ms, std::uint64_t low, std::uint64_t high) {
    return Ulid{static_cast<U128>(ms) << 80 | static_cast<U128>(high & low_bits(16)) << 64 | low};
  }

  [[nodiscard]] constexpr U128 room() const { return kLargestRandom - (value_ & kLargestRandom); }
  [[nodiscard]] constexpr Ulid plus(std::size_t count) const { return Ulid{value_ + count}; }

  U128 value_ = 0;
};

static_assert(TimeOrdered<Ulid> && Mintable<Ulid>);

// github.com/ulid/spec, README, "Monotonicity" and "Overflow Errors when Parsing Base32 Strings".
static_assert(*Ulid::parse("01BX5ZZKBKACTAV9WEVGEMMVRZ")->successor() ==
              *Ulid::parse("01BX5ZZKBKACTAV9WEVGEMMVS0"));
static_assert(Ulid::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")->unpack().unix_ms == 281'474'976'710'655);
static_assert(Ulid::parse("80000000000000000000000000").error() ==
              Error::at(Fault::value_overflow, 0));
static_assert(!Ulid::parse("01BX5ZZKBKZZZZZZZZZZZZZZZZ")->successor());

}  // namespace mintmark

template <>
struct std::hash<mintmark::Ulid> {
  [[nodiscard]] std::size_t operator()(const mintmark::Ulid& id) const noexcept {
    return std::hash<mintmark::Uuid>{}(id.uuid());
  }
};
