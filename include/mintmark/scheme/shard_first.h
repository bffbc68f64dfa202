// Shard-first: a counter with a few bits in front of it that scatter it over the key space, the shape of
// TiDB's AUTO_RANDOM.
//
// Use it as the key of a store that keeps rows in ranges of the key, where keys that rise would all go to the
// last range, and where keys of one shard should still lie side by side (a bit-reversed number scatters each
// one). Do not use it where one B-tree serves all, where keys should sort by time, or where the count is a
// secret: it stands in the low bits.
//
//   bit 63  62           58 57                                   0
//   [ 0 ][   shard 5       ][             counter 58             ]     shard: 1 to 15 bits
//
// The shard is the upper bits of counter * 2^64/phi (Knuth, The Art of Computer Programming, volume 3,
// section 6.4: Fibonacci hashing). So the ID follows from the counter alone, the counter is its low bits, and
// consecutive counters fall into all shards evenly: of any 1,000 in a row, 32 shards get 30 to 32 each. A
// writer whose counters step by a Fibonacci number (987, 1597, ...) would stay with few shards.
//
// TiDB takes its shard bits from the time of the transaction instead. Its IDs are read here like any other;
// shard_follows_counter() tells them apart. There is no generator here: counters come in blocks (mintmark's
// space `block`), and IDs are distinct exactly if they are.
//
// Source: TiDB documentation, "AUTO_RANDOM": a sign bit, S shard bits (5 by default, 1 to 15), the counter.
#pragma once

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

/// How many of the 63 bits are the shard; for a program that learns it at run time. A value.
class ShardLayout {
 public:
  static constexpr unsigned kUsualBits = 5;
  static constexpr unsigned kMostBits = 15;

  /// Error: BadLayout if not 1 to 15.
  [[nodiscard]] static constexpr Result<ShardLayout> make(unsigned shard_bits) {
    if (shard_bits < 1 || shard_bits > kMostBits) return fail(Error::at(Fault::bad_layout, 0));
    return ShardLayout{shard_bits};
  }

  [[nodiscard]] constexpr unsigned shard_bits() const { return shard_bits_; }
  [[nodiscard]] constexpr unsigned counter_bits() const { return 63 - shard_bits_; }
  [[nodiscard]] constexpr std::uint64_t last_counter() const { return low_bits(counter_bits()); }

  /// The shard that a counter falls into. Total.
  [[nodiscard]] constexpr std::uint64_t shard_of(std::uint64_t counter) const {
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 / phi, odd
    return counter * kGolden >> (64 - shard_bits_);
  }

  /// The ID of a counter. Error: ValueOverflow above last_counter().
  [[nodiscard]] constexpr Result<std::uint64_t> id_of(std::uint64_t counter) const {
    if (counter > last_counter()) return fail(Fault::value_overflow);
    return shard_of(counter) << counter_bits() | counter;
  }
  /// The two parts of an ID below 2^63.
  [[nodiscard]] constexpr std::uint64_t counter_in(std::uint64_t id) const {
    return id & low_bits(counter_bits());
  }
  [[nodiscard]] constexpr std::uint64_t shard_in(std::uint64_t id) const {
    return id >> counter_bits() & low_bits(shard_bits_);
  }

  friend constexpr bool operator==(const ShardLayout&, const ShardLayout&) = default;

 private:
  constexpr explicit ShardLayout(unsigned shard_bits) : shard_bits_(shard_bits) {}
  unsigned shard_bits_;
};

/// 63 bits, so that it is positive in a signed column. Ordered as a number, which is the order of its bytes.
template <unsigned kShardBits>
class ShardFirstOf {
 public:
  static constexpr ShardLayout layout() { return kLayout; }

  static constexpr Facts facts{.name = "shardfirst",
                               .title = "Shard-first number",
                               .bits = 63,
                               .bytes = 8,
                               .text_size = 19,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 0,
                               .specification = "TiDB, AUTO_RANDOM"};

  struct Fields {
    std::uint64_t shard = 0;    ///< kShardBits bits
    std::uint64_t counter = 0;  ///< the other bits below the sign
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr ShardFirstOf() = default;

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  /// Any shard with any counter, as another program may have put them together. Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<ShardFirstOf> pack(const Fields& fields) {
    if (fields.shard > low_bits(kShardBits) || fields.counter > kLayout.last_counter()) {
      return fail(Fault::value_overflow);
    }
    return ShardFirstOf{fields.shard << kLayout.counter_bits() | fields.counter};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {kLayout.shard_in(value_), kLayout.counter_in(value_)};
  }

  /// The ID of a counter; unpack().counter is the way back. Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<ShardFirstOf> of_counter(std::uint64_t counter) {
    MINTMARK_TRY(id, kLayout.id_of(counter));
    return ShardFirstOf{id};
  }
  /// The shard is the one of of_counter; false for 31 of 32 IDs that another program made.
  [[nodiscard]] constexpr bool shard_follows_counter() const {
    return kLayout.shard_of(unpack().counter) == unpack().shard;
  }

  /// Reads decimal digits, without sign or leading zeros. Errors: WrongLength (no digits), BadCharacter,
  /// NotCanonical (a leading zero), ValueOverflow (2^63 and more).
  [[nodiscard]] static constexpr Result<ShardFirstOf> parse(std::string_view text) {
    MINTMARK_TRY(value, parse_decimal(text));
    return checked(value);
  }
  /// Writes decimal digits, returns how many. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    return write_radix<kDecimal>(value_, out);
  }

  /// Errors: WrongLength, ValueOverflow (the sign bit).
  [[nodiscard]] static constexpr Result<ShardFirstOf> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return checked(load_be<std::uint64_t>(from));
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  friend constexpr auto operator<=>(const ShardFirstOf&, const ShardFirstOf&) = default;

 private:
  static constexpr ShardLayout kLayout = *ShardLayout::make(kShardBits);

  constexpr explicit ShardFirstOf(std::uint64_t value) : value_(value) {}
  [[nodiscard]] static constexpr Result<ShardFirstOf> checked(std::uint64_t value) {
    if (value > low_bits(63)) return fail(Error::at(Fault::value_overflow, 0));
    return ShardFirstOf{value};
  }

  std::uint64_t value_ = 0;
};

/// With TiDB's default width.
using ShardFirst = ShardFirstOf<ShardLayout::kUsualBits>;

static_assert(Scheme<ShardFirst> && !TimeOrdered<ShardFirst>);

// 2^64/phi is 0.618 of 2^64, and 0.618 * 32 is 19.8.
static_assert(ShardFirst::of_counter(1)->unpack() == ShardFirst::Fields{.shard = 19, .counter = 1});
static_assert(ShardFirst::of_counter(2)->unpack() == ShardFirst::Fields{.shard = 7, .counter = 2});
static_assert(ShardFirst::of_counter(0)->value() == 0);
static_assert(!ShardFirst::of_counter(std::uint64_t{1} << 58));

}  // namespace mintmark

template <unsigned kShardBits>
struct std::hash<mintmark::ShardFirstOf<kShardBits>> {
  std::size_t operator()(mintmark::ShardFirstOf<kShardBits> id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value());
  }
};
