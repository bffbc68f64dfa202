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
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
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

  static constexpr std::int64_t kLastMs =
      (std::int64_t{1} << 48) - 1;  ///< 10889-08-02T05:31:50.655Z

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
    MINTMARK_TRY(ms, ms_of(time));
    return Ulid{static_cast<U128>(ms) << 80};
  }
  [[nodiscard]] static constexpr Result<Ulid> ceil(Instant time) {
    MINTMARK_TRY(ms, ms_of(time));
    return Ulid{static_cast<U128>(ms) << 80 | kLargestRandom};
  }

  /// The next ULID of the same millisecond: its random part plus one, as the specification's monotonic rule
  /// says. Errors: SequenceExhausted when the 80 bits are full; the next millisecond is never entered.
  [[nodiscard]] constexpr Result<Ulid> successor() const {
    if ((value_ & kLargestRandom) == kLargestRandom) return fail(Fault::sequence_exhausted);
    return Ulid{value_ + 1};
  }

  friend constexpr auto operator<=>(const Ulid&, const Ulid&) = default;

  class Generator;

 private:
  static constexpr U128 kLargestRandom = (U128{1} << 80) - 1;

  constexpr explicit Ulid(U128 value) : value_(value) {}

  static constexpr Result<std::int64_t> ms_of(Instant time) {
    const std::int64_t ms = unix_ms(time);
    if (ms < 0) return fail(Fault::clock_before_epoch);
    if (ms > kLastMs) return fail(Fault::timestamp_overflow);
    return ms;
  }
  /// Fresh random bits: all of the first word, the low 16 of the second.
  static constexpr Ulid of(std::int64_t ms, std::uint64_t low, std::uint64_t high) {
    return Ulid{static_cast<U128>(ms) << 80 | static_cast<U128>(high & low_bits(16)) << 64 | low};
  }

  U128 value_ = 0;
};

/// Makes ULIDs that rise strictly, whatever the clock does within its limits. One thread at a time.
///
/// The first ID of a millisecond has 80 fresh random bits, each further one is its predecessor plus one. If
/// the 80 bits overflow (at a million IDs a millisecond that is once in 10^18 milliseconds), next refuses
/// with SequenceExhausted and says when the millisecond is over. A clock that steps back by up to 10 s keeps
/// the last millisecond and counts on; beyond that see FarBack.
///
/// Every error leaves the generator as it was. Uniqueness against other generators rests on the random
/// bits, never on the clock.
class Ulid::Generator {
 public:
  /// How an ID follows another one of the same millisecond.
  enum class Within : std::uint8_t {
    plus_one,  ///< strictly rising (the specification's monotonic rule)
    random,    ///< 80 fresh bits each, in no order; the clock may step back without notice
  };
  /// What happens when the clock is behind by more than 10 s.
  enum class FarBack : std::uint8_t {
    restart,  ///< fresh random bits at the new time, counted by rollbacks(): IDs no longer rise
    refuse,   ///< ClockBehind, until the clock is within 10 s again
  };
  struct Options {
    Within within = Within::plus_one;
    FarBack far_back = FarBack::restart;
  };

  /// A step back up to this keeps order (protocol section 2.9).
  static constexpr std::int64_t kToleratedMs = 10'000;

  /// REQUIRES: `entropy` outlives the generator.
  explicit Generator(Entropy& entropy) : Generator(entropy, Options{}) {}
  Generator(Entropy& entropy, Options options) : entropy_(entropy), options_(options) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Errors: ClockBeforeEpoch, TimestampOverflow, EntropyUnavailable, SequenceExhausted and ClockBehind
  /// (both with the wait).
  [[nodiscard]] Result<Ulid> next(Instant now) {
    MINTMARK_TRY(ms, ms_of(now));
    return advance(ms, now);
  }

  /// Fills the front of `out` with as many IDs as can be made at `now`, and returns how many. Errors as next,
  /// only if none was made. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<Ulid> out, Instant now) {
    if (out.empty()) return 0;
    MINTMARK_TRY(ms, ms_of(now));
    if (options_.within == Within::random) return fill_random(out, ms);
    MINTMARK_TRY(first, advance(ms, now));
    const U128 room = kLargestRandom - (first.value_ & kLargestRandom);
    const std::size_t count = room < out.size() ? static_cast<std::size_t>(room) + 1 : out.size();
    for (std::size_t i = 0; i < count; ++i) out[i] = Ulid{first.value_ + i};
    last_ = Ulid{first.value_ + (count - 1)};
    return count;
  }

  /// How often the clock fell behind by more than 10 s and the generator started anew.
  [[nodiscard]] std::uint64_t rollbacks() const { return rollbacks_; }

 private:
  static constexpr std::size_t kBatch = 64;  ///< IDs for one call of the entropy: 1 KiB of stack

  [[nodiscard]] static std::uint64_t wait_until(std::int64_t ms, Instant now) {
    return wait_us(from_unix_ms(ms) - now);
  }

  /// One ID, and the state that goes with it.
  [[nodiscard]] Result<Ulid> advance(std::int64_t ms, Instant now) {
    if (options_.within == Within::random) return fresh(ms);
    const std::int64_t behind = last_ms_ - ms;
    if (behind >= 0 && behind <= kToleratedMs) {
      const auto following = last_.successor();
      if (!following)
        return fail(Error::retry(Fault::sequence_exhausted, wait_until(last_ms_ + 1, now)));
      last_ = *following;
      return last_;
    }
    if (behind > kToleratedMs && options_.far_back == FarBack::refuse) {
      return fail(Error::retry(Fault::clock_behind, wait_until(last_ms_ - kToleratedMs, now)));
    }
    MINTMARK_TRY(first, fresh(ms));
    if (behind > kToleratedMs) ++rollbacks_;
    last_ms_ = ms;
    last_ = first;
    return first;
  }

  [[nodiscard]] Result<Ulid> fresh(std::int64_t ms) {
    RandomWords<2> words;
    if (const auto drawn = words.draw(entropy_, 2); !drawn) return fail(drawn.error());
    return Ulid::of(ms, words[0], words[1]);
  }

  [[nodiscard]] Result<std::size_t> fill_random(std::span<Ulid> out, std::int64_t ms) {
    RandomWords<2 * kBatch> words;
    std::size_t made = 0;
    while (made < out.size()) {
      const std::size_t count = std::min(out.size() - made, kBatch);
      if (const auto drawn = words.draw(entropy_, 2 * count); !drawn) {
        if (made == 0) return fail(drawn.error());
        break;
      }
      for (std::size_t i = 0; i < count; ++i) {
        out[made + i] = Ulid::of(ms, words[2 * i], words[2 * i + 1]);
      }
      made += count;
    }
    return made;
  }

  Entropy& entropy_;
  Options options_;
  std::int64_t last_ms_ = -1;  ///< of last_; below every valid time until there is one
  Ulid last_;
  std::uint64_t rollbacks_ = 0;
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
