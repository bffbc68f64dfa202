// TSID: a Snowflake of 42 bits of milliseconds, as 13 characters that sort. github.com/f4b6a3/tsid-creator.
//
// Use it where an ID must fit a 64-bit column and its text should be short, sort and be safe to copy. Do not
// use it where the ID is a secret (it tells when and by which node it was made), or where two processes might
// be given one node number: take it from a store. UUIDv7 needs no node number.
//
//   bit 63                                    21           11         0
//   [ time 42 | 1 ms since 2020-01-01        ][  node 10  ][ counter 12 ]
//   text  0 1 2 3 4 5 6 7 8 9 A B C            13 characters, 5 bits each; the first has 4 of them
//
// The width of the node is no part of the value: 0 to 20 bits, tsid_layout(n), and the counter has the other
// 22 - n. All processes of one fleet must agree about it. A full counter carries into the time, as with the
// original; here that is SnowflakePolicy::max_borrow, and bounded by it.
//
// The value is unsigned. In a signed 64-bit column it turns negative, and so sorts first, after
// 2089-09-06T15:47:35.551Z; the text and the unsigned number go on until 2159-05-15T07:35:11.103Z.
//
// What it refuses: a first character above F (2^64 and more), and I, L, O, U in parse. Text that a person
// typed is for parse_crockford.
#pragma once

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
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/snowflake_layout.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/radix.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// The layout of TSIDs with a node of that many bits. Error: BadLayout above 20, because the counter would
/// have less than 2.
[[nodiscard]] constexpr Result<SnowflakeLayout> tsid_layout(unsigned node_bits) {
  constexpr unsigned kMostNodeBits = 20;
  constexpr unsigned kTailBits = 22;
  constexpr Duration kUnit = std::chrono::milliseconds{1};
  constexpr Instant kEpoch = from_unix_ms(1'577'836'800'000);  // 2020-01-01
  if (node_bits > kMostNodeBits) return fail(Error::at(Fault::bad_layout, 1));
  if (node_bits == 0) {
    return SnowflakeLayout::make({.fields = {{"time", 42}, {"seq", kTailBits}},
                                  .unit = kUnit,
                                  .epoch = kEpoch,
                                  .signedness = Signedness::is_unsigned});
  }
  return SnowflakeLayout::make(
      {.fields = {{"time", 42}, {"node", node_bits}, {"seq", kTailBits - node_bits}},
       .unit = kUnit,
       .epoch = kEpoch,
       .signedness = Signedness::is_unsigned});
}

namespace layouts {
/// TSID with its default node of 10 bits. No preset of `snowflake`: its text is not decimal.
inline constexpr SnowflakeLayout tsid = *tsid_layout(10);
}  // namespace layouts

/// Any 64 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class Tsid {
 public:
  static constexpr Facts facts{.name = "tsid",
                               .title = "TSID",
                               .bits = 64,
                               .bytes = 8,
                               .text_size = 13,
                               .order = TimeOrder::monotonic,
                               .epoch = layouts::tsid.epoch(),
                               .unit = layouts::tsid.unit(),
                               .random_bits = 0,
                               .specification = "github.com/f4b6a3/tsid-creator"};
  static constexpr std::size_t kBase62Chars = 11;

  /// As a TSID with the default width of the node has them. Another width has its own layout to ask:
  /// tsid_layout(n)->slot_of(value()).
  struct Fields {
    std::uint64_t tick = 0;      ///< 42 bits: ms since 2020-01-01
    std::uint64_t node = 0;      ///< 10 bits
    std::uint64_t sequence = 0;  ///< 12 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  /// The layout of `pack`, `unpack` and `Generator`.
  static constexpr const SnowflakeLayout& layout() { return layouts::tsid; }

  constexpr Tsid() = default;
  /// Also what turns an ID of SnowflakeGenerator with any tsid_layout into a TSID.
  constexpr explicit Tsid(std::uint64_t value) : value_(value) {}

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<Tsid> pack(const Fields& fields) {
    if (fields.tick > layout().last_tick()) return fail(Fault::timestamp_overflow);
    if (fields.sequence > low_bits(layout().sequence_bits())) return fail(Fault::value_overflow);
    MINTMARK_TRY(slot, layout().slot(fields.node));
    return Tsid{layout().join(fields.tick, slot, fields.sequence)};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {layout().tick_of(value_), layout().slot_of(value_), layout().sequence_of(value_)};
  }

  /// Reads exactly 13 characters of Crockford's base32, in any case, without I, L, O, U.
  /// Errors: WrongLength; ValueOverflow at position 0 (a first character above F); BadCharacter.
  [[nodiscard]] static constexpr Result<Tsid> parse(std::string_view text) {
    MINTMARK_TRY(value, (parse_slices<kCrockford, 64, std::uint64_t>(text)));
    return Tsid{value};
  }

  /// As parse, but forgives what Crockford's base32 forgives: I and L are 1, O is 0, hyphens anywhere are
  /// skipped. Positions count in `text` as it is.
  [[nodiscard]] static constexpr Result<Tsid> parse_crockford(std::string_view text) {
    std::array<char, facts.text_size> chars{};
    std::array<std::size_t, facts.text_size> positions{};
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '-') continue;
      if (count == chars.size()) return fail(Error::at(Fault::wrong_length, at));
      positions[count] = at;
      chars[count++] = text[at];
    }
    if (count < chars.size()) return fail(Error::at(Fault::wrong_length, text.size()));
    const auto value =
        parse_slices<kCrockfordAliased, 64, std::uint64_t>({chars.data(), chars.size()});
    if (!value) return fail(Error::at(value.error().fault(), positions[value.error().position()]));
    return Tsid{*value};
  }

  /// Writes 13 characters in upper case, returns 13. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    write_slices<kCrockford, facts.text_size>(value_, out);
    return facts.text_size;
  }

  /// The shorter text: exactly 11 digits of 0-9A-Za-z, which sort as well. Errors: WrongLength, BadCharacter;
  /// ValueOverflow at the first digit above that of LygHa16AHYF, which is 2^64 - 1.
  [[nodiscard]] static constexpr Result<Tsid> parse_base62(std::string_view text) {
    MINTMARK_TRY(value, (parse_fixed<kBase62DigitUpperLower, std::uint64_t>(text)));
    return Tsid{value};
  }
  /// Writes 11 digits, returns 11. REQUIRES: out.size() >= kBase62Chars.
  constexpr std::size_t write_base62(std::span<char> out) const {
    return write_fixed<kBase62DigitUpperLower>(value_, out);
  }

  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Tsid> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return Tsid{load_be<std::uint64_t>(from)};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  [[nodiscard]] constexpr Instant time() const {
    return layout().instant_of(layout().tick_of(value_));
  }

  /// The smallest and the largest TSID of the millisecond that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<Tsid> floor(Instant time) {
    MINTMARK_TRY(tick, layout().tick_at(time));
    return Tsid{tick << layout().time_shift()};
  }
  [[nodiscard]] static constexpr Result<Tsid> ceil(Instant time) {
    MINTMARK_TRY(tick, layout().tick_at(time));
    return Tsid{tick << layout().time_shift() | low_bits(layout().time_shift())};
  }

  friend constexpr auto operator<=>(const Tsid&, const Tsid&) = default;

  /// Of the default layout. With another node width: a SnowflakeGenerator of tsid_layout(n).
  using Generator = SnowflakeGeneratorOf<Tsid>;

 private:
  std::uint64_t value_ = 0;
};

static_assert(Scheme<Tsid> && TimeOrdered<Tsid> && Mintable<Tsid>);

// f4b6a3/tsid-creator, README.md and tests.
static_assert(Tsid::parse("0123456789ABC")->value() == 38'390'726'480'144'748);
static_assert(Tsid::parse("01226N0640J7K")->time() == from_unix_ms(1'586'982'127'665));
static_assert(Tsid::parse("FZZZZZZZZZZZZ")->value() == ~std::uint64_t{0});
static_assert(Tsid::parse("G000000000000").error() == Error::at(Fault::value_overflow, 0));
static_assert(Tsid::parse_base62("LygHa16AHYF")->value() == ~std::uint64_t{0});
static_assert(Tsid::parse_base62("LygHa16AHYG").error() == Error::at(Fault::value_overflow, 10));

}  // namespace mintmark

template <>
struct std::hash<mintmark::Tsid> {
  std::size_t operator()(mintmark::Tsid id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value());
  }
};
