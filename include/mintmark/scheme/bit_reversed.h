// Bit-reversed: a number of a sequence with its bits in the opposite order, as Cloud Spanner's
// bit_reversed_positive sequences and BIT_REVERSE(value, TRUE) have it.
//
// Use it as the key of a store that keeps rows in ranges of the key and splits them (Spanner, CockroachDB,
// TiDB, HBase), where keys that rise would all go to the last range: neighbours in the sequence lie in
// different halves, quarters, eighths of the key space, and any run of 2^k numbers has one in each 2^k-th. Do
// not use it where one B-tree serves all (each insert is then a random page), where keys should sort by time,
// or where the count is a secret: anybody can reverse the bits again.
//
//   bit 63  62                                                   0
//   [ 0 ][ b0 b1 b2 ............................ b60 b61 b62     ]     b0 is the lowest bit of the sequence
//
// It is a bijection, so that IDs are distinct exactly if the sequence numbers are: these come from a counter
// in blocks (mintmark's space `block`). There is no generator here, and no time in the ID.
//
// Source: Cloud Spanner documentation, "BIT_REVERSE" and "Bit-reversed sequence".
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/text/radix.h"

namespace mintmark {

/// All 64 bits in the opposite order: BIT_REVERSE(value, FALSE). It is its own inverse.
[[nodiscard]] constexpr std::uint64_t reverse_bits(std::uint64_t value) {
  constexpr std::uint64_t kOnes = 0x5555555555555555;
  constexpr std::uint64_t kTwos = 0x3333333333333333;
  constexpr std::uint64_t kFours = 0x0f0f0f0f0f0f0f0f;
  value = ((value >> 1) & kOnes) | (value & kOnes) << 1;
  value = ((value >> 2) & kTwos) | (value & kTwos) << 2;
  value = ((value >> 4) & kFours) | (value & kFours) << 4;
  return std::byteswap(value);
}

/// The low 63 bits in the opposite order, bit 63 as it is: BIT_REVERSE(value, TRUE). Its own inverse.
[[nodiscard]] constexpr std::uint64_t reverse_bits_below_sign(std::uint64_t value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return (value & kSign) | reverse_bits(value & ~kSign) >> 1;
}

/// 63 bits, so that it is positive in a signed column. Ordered as a number, which is the order of its bytes.
class BitReversed {
 public:
  static constexpr Facts facts{.name = "bitreversed",
                               .title = "Bit-reversed number",
                               .bits = 63,
                               .bytes = 8,
                               .text_size = 19,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 0,
                               .specification = "Cloud Spanner, BIT_REVERSE(value, TRUE)"};

  /// The largest number of the sequence.
  static constexpr std::uint64_t kLastSequence = low_bits(63);

  struct Fields {
    std::uint64_t sequence = 0;  ///< 63 bits, as the counter gave it
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr BitReversed() = default;

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  /// The ID of a sequence number. Errors: ValueOverflow above kLastSequence.
  [[nodiscard]] static constexpr Result<BitReversed> pack(const Fields& fields) {
    if (fields.sequence > kLastSequence) return fail(Fault::value_overflow);
    return BitReversed{reverse_bits_below_sign(fields.sequence)};
  }
  [[nodiscard]] constexpr Fields unpack() const { return {reverse_bits_below_sign(value_)}; }

  /// Reads decimal digits, without sign or leading zeros. Errors: WrongLength (no digits), BadCharacter,
  /// NotCanonical (a leading zero), ValueOverflow (2^63 and more).
  [[nodiscard]] static constexpr Result<BitReversed> parse(std::string_view text) {
    MINTMARK_TRY(value, parse_decimal(text));
    return checked(value);
  }
  /// Writes decimal digits, returns how many. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    return write_radix<kDecimal>(value_, out);
  }

  /// Errors: WrongLength, ValueOverflow (the sign bit).
  [[nodiscard]] static constexpr Result<BitReversed> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return checked(load_be<std::uint64_t>(from));
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  friend constexpr auto operator<=>(const BitReversed&, const BitReversed&) = default;

 private:
  constexpr explicit BitReversed(std::uint64_t value) : value_(value) {}
  [[nodiscard]] static constexpr Result<BitReversed> checked(std::uint64_t value) {
    if (value > kLastSequence) return fail(Error::at(Fault::value_overflow, 0));
    return BitReversed{value};
  }

  std::uint64_t value_ = 0;
};

static_assert(Scheme<BitReversed> && !TimeOrdered<BitReversed>);

// Cloud Spanner documentation, BIT_REVERSE.
static_assert(BitReversed::pack({.sequence = 1})->value() == 4'611'686'018'427'387'904);
static_assert(BitReversed::pack({.sequence = 3})->value() == 6'917'529'027'641'081'856);
static_assert(BitReversed::parse("1369094286720630784")->unpack().sequence == 100);
static_assert(reverse_bits(1) == std::uint64_t{1} << 63);

}  // namespace mintmark

template <>
struct std::hash<mintmark::BitReversed> {
  std::size_t operator()(mintmark::BitReversed id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value());
  }
};
