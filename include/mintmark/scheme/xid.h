// XID: the 12 bytes of an ObjectId as 20 characters. github.com/rs/xid.
//
// Use it where the text should be short and sort by time, and a second is fine enough. Do not use it where
// IDs of one second must sort as they were made: the counter begins anywhere and wraps. Nor where an ID
// must be hard to guess: the next one differs in the counter only.
//
//   octet  0                  4              7         9            11
//         [ unix_seconds 32 ][ machine 24 ..][ pid 16 ][ counter 24 ]
//   text   9m4e2mr0ui3e8a215n4g      20 characters, 5 bits each; four zero bits behind the last octet
//
// As published, machine is a hash of the host's name and pid the process ID. Hosts of one name and process
// IDs that begin at 1 in every container make such IDs collide, so the generator here fills both with 40
// random bits of its own.
//
// What it refuses: upper case, and a last character other than 0 and g. It has one bit to say, and readers
// that drop the other four read many texts as one ID (rs/xid#71).
#pragma once

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
#include "mintmark/text/alphabet.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// Any 96 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class Xid {
 public:
  static constexpr Facts facts{.name = "xid",
                               .title = "XID",
                               .bits = 96,
                               .bytes = CountedSeconds::kBytes,
                               .text_size = 20,
                               .order = TimeOrder::by_tick,
                               .epoch = Instant{},
                               .unit = std::chrono::seconds{1},
                               .random_bits = 0,  // of an ID whose neighbour is known
                               .specification = "github.com/rs/xid"};

  struct Fields {
    std::uint32_t unix_seconds = 0;
    std::uint32_t machine = 0;  ///< 24 bits
    std::uint16_t pid = 0;
    std::uint32_t counter = 0;  ///< 24 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr Xid() = default;

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<Xid> pack(const Fields& fields) {
    if (fields.machine > low_bits(24) || fields.counter > CountedSeconds::kLargestCounter) {
      return fail(Fault::value_overflow);
    }
    const std::uint64_t life = static_cast<std::uint64_t>(fields.machine) << 16 | fields.pid;
    return Xid{CountedSeconds::of(fields.unix_seconds, life, fields.counter)};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {value_.second(), static_cast<std::uint32_t>(value_.life() >> 16),
            static_cast<std::uint16_t>(value_.life() & low_bits(16)), value_.counter()};
  }

  /// Reads exactly 20 characters of base32hex in lower case. Errors: WrongLength, BadCharacter; NotCanonical
  /// at position 19 for a last character other than 0 and g.
  [[nodiscard]] static constexpr Result<Xid> parse(std::string_view text) {
    MINTMARK_TRY(padded, (parse_slices<kBase32HexLower, kTextBits>(text)));
    if ((padded & low_bits(kSpareBits)) != 0) [[unlikely]] {
      return fail(Error::at(Fault::not_canonical, facts.text_size - 1));
    }
    return Xid{CountedSeconds::of(padded >> kSpareBits)};
  }

  /// Writes 20 characters, returns 20. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    write_slices<kBase32HexLower, facts.text_size>(value_.integer() << kSpareBits, out);
    return facts.text_size;
  }

  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Xid> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return Xid{CountedSeconds::from_bytes(from)};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { value_.to_bytes(to); }

  [[nodiscard]] constexpr Instant time() const { return value_.time(); }

  /// The smallest and the largest XID of the second that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<Xid> floor(Instant time) {
    MINTMARK_TRY(second, CountedSeconds::second_of(time));
    return Xid{CountedSeconds::smallest_of(second)};
  }
  [[nodiscard]] static constexpr Result<Xid> ceil(Instant time) {
    MINTMARK_TRY(second, CountedSeconds::second_of(time));
    return Xid{CountedSeconds::largest_of(second)};
  }

  friend constexpr auto operator<=>(const Xid&, const Xid&) = default;

  using Generator = CountedSecondsGenerator<Xid>;

 private:
  friend Generator;
  friend struct std::hash<Xid>;

  // RFC 4648 without padding: the stream of 96 bits is cut from the left, so the last character has room.
  static constexpr unsigned kTextBits = 100;
  static constexpr unsigned kSpareBits = 4;

  constexpr explicit Xid(const CountedSeconds& value) : value_(value) {}

  CountedSeconds value_;
};

static_assert(TimeOrdered<Xid> && Mintable<Xid>);

// github.com/rs/xid, README and id_test.go.
static_assert(Xid::parse("9m4e2mr0ui3e8a215n4g")->unpack() ==
              Xid::Fields{1'300'816'219, 0x60f486, 58'408, 4'271'561});
static_assert(Xid::parse("00000000000000000000") == Xid{});
static_assert(Xid::parse("c6e52g2mrqcjl44hf179").error() == Error::at(Fault::not_canonical, 19));
static_assert(Xid::parse("9M4E2MR0UI3E8A215N4G").error() == Error::at(Fault::bad_character, 1));

}  // namespace mintmark

template <>
struct std::hash<mintmark::Xid> {
  [[nodiscard]] std::size_t operator()(const mintmark::Xid& id) const noexcept {
    return std::hash<mintmark::CountedSeconds>{}(id.value_);
  }
};
