// Gregorian time: what UUIDv1, UUIDv2 and UUIDv6 count in, and the one rule by which v1 and v6 are made.
//
// 60 bits of 100 ns since the Gregorian calendar began, 1582-10-15T00:00:00Z (RFC 9562 section 5.1). That
// is the unit of Instant, so nothing is rounded, and times before 1970 are as good as any. The last tick is
// 5236-03-31T21:21:00.6846975Z (the RFC's prose says 5623, which 60 bits do not reach).
//
// The two versions hold the same three numbers and differ in where the bits of the time lie. So the
// generator is one, and stands here.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"

namespace mintmark {

namespace gregorian {

inline constexpr Instant kEpoch = *parse_time("1582-10-15");
inline constexpr std::uint64_t kLastTicks = low_bits(60);

/// REQUIRES: ticks <= kLastTicks.
[[nodiscard]] constexpr Instant time_of(std::uint64_t ticks) {
  return kEpoch + Duration{static_cast<std::int64_t>(ticks)};
}

/// Errors: ClockBeforeEpoch, TimestampOverflow.
[[nodiscard]] constexpr Result<std::uint64_t> ticks_of(Instant time) {
  if (time < kEpoch) return fail(Fault::clock_before_epoch);
  if (time > time_of(kLastTicks)) return fail(Fault::timestamp_overflow);
  return static_cast<std::uint64_t>((time - kEpoch).count());
}

// RFC 9562 section 5.1: the Gregorian epoch is 0x01B21DD213814000 ticks before that of Unix.
static_assert(ticks_of(Instant{}) == 0x01b21dd213814000);
static_assert(TimeText{time_of(kLastTicks)}.view() == "5236-03-31T21:21:00.6846975Z");

}  // namespace gregorian

/// The fields of UUIDv1 and of UUIDv6.
struct GregorianFields {
  std::uint64_t ticks = 0;      ///< 60 bits, of 100 ns since 1582-10-15
  std::uint16_t clock_seq = 0;  ///< 14 bits
  std::uint64_t node = 0;       ///< 48 bits
  friend constexpr bool operator==(const GregorianFields&, const GregorianFields&) = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] constexpr Result<void> check() const {
    if (ticks > gregorian::kLastTicks) return fail(Fault::timestamp_overflow);
    if (clock_seq > low_bits(14) || node > low_bits(48)) return fail(Fault::value_overflow);
    return {};
  }
};

/// Makes UUIDv1s or UUIDv6s, at most one for a tick of 100 ns. One thread at a time; uniqueness and order
/// hold for one object.
///
/// The node is 47 random bits and the multicast bit, which no network card has (RFC 9562 section 6.10), the
/// clock sequence 14 random bits. Both are drawn once, with the first ID, and together they tell this
/// generator from all others: among a million generators the chance that two share them is 2e-7.
///
/// The ticks rise strictly. Where IDs are asked for faster than one in 100 ns, the next ticks are taken
/// ahead of time, but never further than Options::max_borrow past the newest reading of the clock: then
/// next refuses with SequenceExhausted and says how long.
///
/// A clock that is back by up to 10 s changes nothing: ticks count on from the last one, while there are
/// any within max_borrow of the newest reading. Where there are none left, or the clock is back further,
/// see FarBack. Every error leaves the generator as it was.
template <class Id>
class GregorianGenerator {
 public:
  /// What happens when the clock was set back: by more than 10 s, or by more than 10 ms where the ticks
  /// within max_borrow of the newest reading are used up. (Back by less, that is SequenceExhausted.)
  enum class FarBack : std::uint8_t {
    restart,  ///< the next clock sequence, a fresh node and the new time, counted by rollbacks()
    refuse,   ///< ClockBehind, until the clock is near again
  };
  struct Options {
    std::chrono::milliseconds max_borrow{10};  ///< 100,000 IDs
    FarBack far_back = FarBack::restart;
  };

  /// A step back up to this keeps order (protocol section 2.9).
  static constexpr Duration kTolerated = std::chrono::seconds{10};
  /// What is left to the caller to wait for, with no new clock sequence.
  static constexpr Duration kShortWait = std::chrono::milliseconds{10};

  /// Errors: InvalidArgument for a max_borrow outside 0 to 1 hour.
  [[nodiscard]] static constexpr Result<void> check(const Options& options) {
    const bool borrow = options.max_borrow >= std::chrono::milliseconds{0} &&
                        options.max_borrow <= std::chrono::hours{1};
    if (!borrow) return fail(Fault::invalid_argument);
    return {};
  }

  explicit GregorianGenerator(Entropy& entropy) : GregorianGenerator(entropy, Options{}) {}
  /// REQUIRES: check(options); `entropy` outlives the generator.
  GregorianGenerator(Entropy& entropy, Options options) : entropy_(entropy), options_(options) {
    MINTMARK_CHECK(check(options));
  }
  GregorianGenerator(const GregorianGenerator&) = delete;
  GregorianGenerator& operator=(const GregorianGenerator&) = delete;

  /// Errors: ClockBeforeEpoch, TimestampOverflow, EntropyUnavailable, SequenceExhausted and ClockBehind
  /// (both with the wait).
  [[nodiscard]] Result<Id> next(Instant now) {
    MINTMARK_TRY(run, advance(1, now));
    return id_at(run.first);
  }

  /// Fills the front of `out` with the IDs of consecutive ticks, as many as there are within max_borrow,
  /// and returns how many. Errors as next, only if none was made. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<Id> out, Instant now) {
    if (out.empty()) return 0;
    MINTMARK_TRY(run, advance(out.size(), now));
    for (std::size_t i = 0; i < run.count; ++i) {
      out[i] = id_at(run.first + static_cast<std::int64_t>(i));
    }
    return run.count;
  }

  /// How often the clock was set back and the generator took a new clock sequence and node.
  [[nodiscard]] std::uint64_t rollbacks() const { return state_.rollbacks; }

 private:
  /// All in ticks. Below every valid tick until there is one.
  struct State {
    std::int64_t last = -1;    ///< of the last ID
    std::int64_t newest = -1;  ///< the newest reading of the clock
    std::uint64_t node = 0;    ///< 0 until it is drawn: the multicast bit is in every drawn one
    std::uint16_t clock_seq = 0;
    std::uint64_t rollbacks = 0;
  };
  struct Run {
    std::int64_t first;
    std::size_t count;
  };

  /// The low bit of the first octet.
  static constexpr std::uint64_t kMulticast = std::uint64_t{1} << 40;
  static constexpr auto kLast = static_cast<std::int64_t>(gregorian::kLastTicks);

  [[nodiscard]] Id id_at(std::int64_t tick) const {
    return *Id::pack({.ticks = static_cast<std::uint64_t>(tick),
                      .clock_seq = state_.clock_seq,
                      .node = state_.node});
  }

  /// Takes up to `wanted` ticks, at least one.
  [[nodiscard]] Result<Run> advance(std::size_t wanted, Instant now) {
    MINTMARK_TRY(ticks, gregorian::ticks_of(now));
    const auto reading = static_cast<std::int64_t>(ticks);
    State state = state_;
    const Duration back{state.newest - reading};
    if (back > kTolerated || (back > kShortWait && used_up(state))) {
      if (options_.far_back == FarBack::refuse) {
        return fail(Error::retry(Fault::clock_behind, wait_us(Duration{near(state) - reading})));
      }
      state.last = -1;
      state.newest = -1;
      ++state.rollbacks;
    }
    if (state.node == 0 || state.rollbacks != state_.rollbacks) {
      if (const auto drawn = draw(state); !drawn) return fail(drawn.error());
    }
    state.newest = std::max(state.newest, reading);
    const std::int64_t first = std::max(state.last + 1, reading);
    if (first > furthest(state)) return fail(full(state, reading));
    const auto room = static_cast<std::uint64_t>(furthest(state) - first) + 1;
    const Run run{first, static_cast<std::size_t>(std::min<std::uint64_t>(wanted, room))};
    state.last = first + static_cast<std::int64_t>(run.count) - 1;
    state_ = state;
    return run;
  }

  /// A random node. The clock sequence is random at first and later the next one (RFC 9562 section 5.1), so
  /// that no pair comes back within 16,384 of them, whatever the random bits are.
  [[nodiscard]] Result<void> draw(State& state) {
    RandomWords<1> words;
    if (const auto drawn = words.draw(entropy_, 1); !drawn) return fail(drawn.error());
    const std::uint64_t random_seq = words[0] >> 48;
    const std::uint64_t next_seq = state.clock_seq + std::uint64_t{1};
    state.clock_seq =
        static_cast<std::uint16_t>((state.node == 0 ? random_seq : next_seq) & low_bits(14));
    state.node = (words[0] & low_bits(48)) | kMulticast;
    return {};
  }

  [[nodiscard]] std::int64_t borrow() const { return Duration{options_.max_borrow}.count(); }

  /// The last tick that may be taken.
  [[nodiscard]] std::int64_t furthest(const State& state) const {
    return std::min(state.newest + borrow(), kLast);
  }
  [[nodiscard]] bool used_up(const State& state) const { return state.last >= furthest(state); }

  /// The reading from which on a clock is no longer too far behind.
  [[nodiscard]] std::int64_t near(const State& state) const {
    return state.newest - (used_up(state) ? kShortWait : kTolerated).count();
  }

  [[nodiscard]] Error full(const State& state, std::int64_t reading) const {
    if (state.last == kLast) return Error{Fault::timestamp_overflow};
    return Error::retry(Fault::sequence_exhausted,
                        wait_us(Duration{state.last + 1 - borrow() - reading}));
  }

  Entropy& entropy_;
  Options options_;
  State state_;
};

}  // namespace mintmark
