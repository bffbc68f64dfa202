// Counted seconds: what ObjectId and XID have in common. 96 bits: when, which life of a generator, and a
// counter.
//
//   octet  0                  4                       9            11
//         [ unix_seconds 32 ][ life 40 random bits ..][ counter 24 ]
//
// A life is what a generator draws at its first ID and keeps until it ends: the published formats say
// "process". No two IDs of one life have the same second and counter, so that within a life uniqueness
// needs no luck. Between lives it rests on 40 random bits, however many IDs each of them makes.
//
// The counter begins at random and wraps from FFFFFF to 000000, so that IDs of one second have no order.
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark {

/// The 96 bits, ordered as an unsigned number, which is the order of the octets.
class CountedSeconds {
 public:
  static constexpr std::int64_t kLastSecond = 0xffff'ffff;  ///< 2106-02-07T06:28:15Z
  static constexpr std::uint64_t kLargestLife = low_bits(40);
  static constexpr std::uint32_t kLargestCounter = 0xff'ffff;
  static constexpr std::size_t kBytes = 12;

  constexpr CountedSeconds() = default;

  /// REQUIRES: life <= kLargestLife; counter <= kLargestCounter.
  [[nodiscard]] static constexpr CountedSeconds of(std::uint32_t second, std::uint64_t life,
                                                   std::uint32_t counter) {
    return CountedSeconds{static_cast<std::uint64_t>(second) << 32 | life >> 8,
                          static_cast<std::uint32_t>((life & 0xff) << 24) | counter};
  }
  /// REQUIRES: number < 2^96.
  [[nodiscard]] static constexpr CountedSeconds of(U128 number) {
    return CountedSeconds{static_cast<std::uint64_t>(number >> 32),
                          static_cast<std::uint32_t>(number)};
  }

  [[nodiscard]] constexpr std::uint32_t second() const {
    return static_cast<std::uint32_t>(high_ >> 32);
  }
  [[nodiscard]] constexpr std::uint64_t life() const {
    return (high_ & low_bits(32)) << 8 | low_ >> 24;
  }
  [[nodiscard]] constexpr std::uint32_t counter() const { return low_ & kLargestCounter; }
  [[nodiscard]] constexpr Instant time() const { return start_of(second()); }

  [[nodiscard]] constexpr std::uint64_t high() const { return high_; }  ///< octets 0 to 7
  [[nodiscard]] constexpr std::uint32_t low() const { return low_; }    ///< octets 8 to 11
  [[nodiscard]] constexpr U128 integer() const { return static_cast<U128>(high_) << 32 | low_; }

  /// REQUIRES: from.size() >= kBytes.
  [[nodiscard]] static constexpr CountedSeconds from_bytes(std::span<const std::byte> from) {
    return CountedSeconds{load_be<std::uint64_t>(from),
                          load_be<std::uint32_t>(from.subspan(sizeof high_))};
  }
  /// REQUIRES: to.size() >= kBytes.
  constexpr void to_bytes(std::span<std::byte> to) const {
    store_be(to, high_);
    store_be(to.subspan(sizeof high_), low_);
  }

  /// Whole seconds since 1970, rounded down. Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<std::uint32_t> second_of(Instant time) {
    const auto since_1970 = time.time_since_epoch();
    const std::int64_t second = std::chrono::floor<std::chrono::seconds>(since_1970).count();
    if (second < 0) return fail(Fault::clock_before_epoch);
    if (second > kLastSecond) return fail(Fault::timestamp_overflow);
    return static_cast<std::uint32_t>(second);
  }
  [[nodiscard]] static constexpr Instant start_of(std::int64_t second) {
    return Instant{std::chrono::seconds{second}};
  }

  [[nodiscard]] static constexpr CountedSeconds smallest_of(std::uint32_t second) {
    return of(second, 0, 0);
  }
  [[nodiscard]] static constexpr CountedSeconds largest_of(std::uint32_t second) {
    return of(second, kLargestLife, kLargestCounter);
  }

  friend constexpr auto operator<=>(const CountedSeconds&, const CountedSeconds&) = default;

 private:
  constexpr CountedSeconds(std::uint64_t high, std::uint32_t low) : high_(high), low_(low) {}

  std::uint64_t high_ = 0;
  std::uint32_t low_ = 0;
};

/// Makes IDs of type S, of which no two are equal. One thread at a time. After a fork the child must make a
/// generator of its own.
///
/// A second holds 2^24 IDs; then next refuses with SequenceExhausted and says when the second is over. A
/// clock that steps back by up to 10 s keeps the last second and counts on, as far as its 2^24 reach;
/// beyond that see FarBack.
///
/// Every error leaves the generator as it was.
template <class S>
class CountedSecondsGenerator {
 public:
  /// What happens when the clock is behind by more than 10 s.
  enum class FarBack : std::uint8_t {
    restart,  ///< a new life at the new time, counted by rollbacks()
    refuse,   ///< ClockBehind, until the clock is within 10 s again
  };
  struct Options {
    FarBack far_back = FarBack::restart;
  };

  /// A step back up to this keeps the life (protocol section 2.9).
  static constexpr std::int64_t kToleratedSeconds = 10;
  /// The counter returns to where it began after as many.
  static constexpr std::size_t kPerSecond = std::size_t{1} << 24;

  /// REQUIRES: `entropy` outlives the generator.
  explicit CountedSecondsGenerator(Entropy& entropy)
      : CountedSecondsGenerator(entropy, Options{}) {}
  CountedSecondsGenerator(Entropy& entropy, Options options)
      : entropy_(entropy), options_(options) {}
  CountedSecondsGenerator(const CountedSecondsGenerator&) = delete;
  CountedSecondsGenerator& operator=(const CountedSecondsGenerator&) = delete;

  /// Errors: ClockBeforeEpoch, TimestampOverflow, EntropyUnavailable (only where a life begins),
  /// SequenceExhausted and ClockBehind (both with the wait).
  [[nodiscard]] Result<S> next(Instant now) {
    MINTMARK_TRY(second, CountedSeconds::second_of(now));
    if (second != second_ || made_ == kPerSecond) [[unlikely]] {
      if (const auto entered = enter(second, now); !entered) return fail(entered.error());
    }
    const S id = id_after(0);
    skip(1);
    return id;
  }

  /// Fills the front of `out` with as many IDs as can be made at `now`, and returns how many. Errors as next,
  /// only if none was made. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<S> out, Instant now) {
    if (out.empty()) return 0;
    MINTMARK_TRY(second, CountedSeconds::second_of(now));
    if (const auto entered = enter(second, now); !entered) return fail(entered.error());
    const std::size_t count = std::min(out.size(), kPerSecond - made_);
    for (std::size_t i = 0; i < count; ++i) out[i] = id_after(i);
    skip(count);
    return count;
  }

  /// How often the clock fell behind by more than 10 s and a new life began.
  [[nodiscard]] std::uint64_t rollbacks() const { return rollbacks_; }

 private:
  static constexpr std::size_t kMask = CountedSeconds::kLargestCounter;

  /// Moves to the second of the next ID, which then has room for one; no change on an error.
  [[nodiscard]] Result<void> enter(std::uint32_t second, Instant now) {
    const std::int64_t behind = second_ - std::int64_t{second};
    if (behind > kToleratedSeconds && options_.far_back == FarBack::refuse) {
      return fail(Error::retry(Fault::clock_behind, wait_until(second_ - kToleratedSeconds, now)));
    }
    if (second_ < 0 || behind > kToleratedSeconds) return begin_life(second);
    if (behind < 0) {
      second_ = second;
      made_ = 0;
    } else if (made_ == kPerSecond) {
      return fail(Error::retry(Fault::sequence_exhausted, wait_until(second_ + 1, now)));
    }
    return {};
  }

  [[nodiscard]] Result<void> begin_life(std::uint32_t second) {
    RandomWords<1> words;
    if (const auto drawn = words.draw(entropy_, 1); !drawn) return fail(drawn.error());
    const std::uint64_t life = words[0] >> 24;
    const bool restarts = second_ >= 0;
    // The life that ends may have used this second: that the draw differs is not left to chance.
    life_ = restarts && life == life_ ? life ^ 1 : life;
    if (restarts) ++rollbacks_;
    counter_ = words[0] & kMask;
    second_ = second;
    made_ = 0;
    return {};
  }

  /// The ID that `count` others precede in this second and life.
  [[nodiscard]] S id_after(std::size_t count) const {
    return S{CountedSeconds::of(static_cast<std::uint32_t>(second_), life_,
                                static_cast<std::uint32_t>((counter_ + count) & kMask))};
  }
  void skip(std::size_t count) {
    counter_ = (counter_ + count) & kMask;
    made_ += count;
  }

  [[nodiscard]] static std::uint64_t wait_until(std::int64_t second, Instant now) {
    return wait_us(CountedSeconds::start_of(second) - now);
  }

  Entropy& entropy_;
  Options options_;
  std::int64_t second_ = -1;  ///< of the last ID; below every valid second until there is one
  std::uint64_t life_ = 0;
  std::size_t counter_ = 0;  ///< of the next ID
  std::size_t made_ = 0;     ///< IDs of this second and life
  std::uint64_t rollbacks_ = 0;
};

}  // namespace mintmark

template <>
struct std::hash<mintmark::CountedSeconds> {
  [[nodiscard]] std::size_t operator()(const mintmark::CountedSeconds& value) const noexcept {
    return std::hash<mintmark::Uuid>{}(mintmark::Uuid::of(value.high(), value.low()));
  }
};
