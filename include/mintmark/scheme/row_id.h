// Row ID: CockroachDB's unique_rowid(), a Snowflake of 10 us ticks and a node, without a sequence.
//
// Use it to read the keys of a CockroachDB table, and to make keys for one outside of it. Do not use it where
// the ID is a secret, or where two processes might be given one node number: take it from a store. The nodes
// of the cluster make row IDs too: give mintmark numbers that none of them has.
//
//   bit 63                                                  14              0
//   [0][ time 48 | 10 us since 2015-01-01                  ][    node 15    ]
//
// Two IDs of one node are told apart by the tick alone: an ID takes max(the last one's tick + 1, now), so
// that more than 100,000 a second run ahead of the clock, here by SnowflakePolicy::max_borrow at the most.
// The last tick is 2104-03-13T02:56:07.106550Z.
//
// The original sets the node by exclusive or, without a look at its width: a node above 32,767 changes the
// time that is read from its IDs. Such IDs are read here as everybody reads them, and never made.
//
// Source: cockroachdb/cockroach, pkg/sql/sem/builtins, GenerateUniqueInt and mapToUnorderedUniqueInt.
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
#include "mintmark/scheme/bit_reversed.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/snowflake_layout.h"
#include "mintmark/text/radix.h"

namespace mintmark {

namespace layouts {
/// CockroachDB's unique_rowid(). No preset of `snowflake`: it has no sequence, and its unit is its own.
inline constexpr SnowflakeLayout row_id =
    *SnowflakeLayout::make({.fields = {{"time", 48}, {"node", 15}},
                            .unit = std::chrono::microseconds{10},
                            .epoch = from_unix_ms(1'420'070'400'000)});
}  // namespace layouts

/// 63 bits, ordered as a number, which is the order of its bytes. Its decimal text does not sort.
class RowId {
 public:
  static constexpr Facts facts{.name = "rowid",
                               .title = "CockroachDB row ID",
                               .bits = 63,
                               .bytes = 8,
                               .text_size = 19,
                               .order = TimeOrder::monotonic,
                               .epoch = layouts::row_id.epoch(),
                               .unit = layouts::row_id.unit(),
                               .random_bits = 0,
                               .specification = "cockroachdb/cockroach, pkg/sql/sem/builtins"};

  struct Fields {
    std::uint64_t tick = 0;  ///< 48 bits: 10 us since 2015-01-01
    std::uint64_t node = 0;  ///< 15 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  static constexpr const SnowflakeLayout& layout() { return layouts::row_id; }

  constexpr RowId() = default;

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<RowId> pack(const Fields& fields) {
    if (fields.tick > layout().last_tick()) return fail(Fault::timestamp_overflow);
    MINTMARK_TRY(slot, layout().slot(fields.node));
    return RowId{layout().join(fields.tick, slot, 0)};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {layout().tick_of(value_), layout().slot_of(value_)};
  }

  /// Reads decimal digits, without sign or leading zeros. Errors: WrongLength (no digits), BadCharacter,
  /// NotCanonical (a leading zero), ValueOverflow (2^63 and more).
  [[nodiscard]] static constexpr Result<RowId> parse(std::string_view text) {
    MINTMARK_TRY(value, parse_decimal(text));
    return checked(value);
  }
  /// Writes decimal digits, returns how many. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    return write_radix<kDecimal>(value_, out);
  }

  /// Errors: WrongLength, ValueOverflow (the sign bit).
  [[nodiscard]] static constexpr Result<RowId> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return checked(load_be<std::uint64_t>(from));
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  [[nodiscard]] constexpr Instant time() const {
    return layout().instant_of(layout().tick_of(value_));
  }

  /// The smallest and the largest row ID of the 10 us that hold `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<RowId> floor(Instant time) {
    MINTMARK_TRY(tick, layout().tick_at(time));
    return pack({.tick = tick, .node = 0});
  }
  [[nodiscard]] static constexpr Result<RowId> ceil(Instant time) {
    MINTMARK_TRY(tick, layout().tick_at(time));
    return pack({.tick = tick, .node = low_bits(kNodeBits)});
  }

  /// What unordered_unique_rowid() makes of the same tick and node: the 48 bits of the time reversed, so that
  /// neighbours lie in different ranges. It is its own inverse.
  [[nodiscard]] constexpr RowId unordered() const {
    return RowId{reverse_bits(value_ >> kNodeBits) >> 1 | (value_ & low_bits(kNodeBits))};
  }

  friend constexpr auto operator<=>(const RowId&, const RowId&) = default;

  using Generator = SnowflakeGeneratorOf<RowId>;

 private:
  static constexpr unsigned kNodeBits = 15;

  friend Generator;
  constexpr explicit RowId(std::uint64_t value) : value_(value) {}
  [[nodiscard]] static constexpr Result<RowId> checked(std::uint64_t value) {
    if (value > layout().largest()) return fail(Error::at(Fault::value_overflow, 0));
    return RowId{value};
  }

  std::uint64_t value_ = 0;
};

static_assert(Scheme<RowId> && TimeOrdered<RowId> && Mintable<RowId>);

// cockroachdb/cockroach documentation, unique_rowid().
static_assert(RowId::parse("235191684988928001")->unpack() ==
              RowId::Fields{.tick = 7'177'480'621'000, .node = 1});
static_assert(RowId::parse("6341068275337658369")->unordered().value() == 425'985);
static_assert(RowId::parse("425985")->unordered().value() == 6'341'068'275'337'658'369);
static_assert(RowId::pack({.tick = low_bits(48), .node = low_bits(15)})->value() == low_bits(63));

}  // namespace mintmark

template <>
struct std::hash<mintmark::RowId> {
  std::size_t operator()(mintmark::RowId id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value());
  }
};
