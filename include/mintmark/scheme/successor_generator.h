// Successors: how ULIDs, KSUIDs and push IDs are made so that they rise. The first ID of a tick has a fresh
// random part, each further one is its predecessor plus one.
//
// What it refuses: a carry out of the random part. It would change the time, or be lost and give the
// smallest ID of the tick again.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"

namespace mintmark {

/// Makes IDs of type S that rise strictly, whatever the clock does within its limits. One thread at a time.
///
/// A tick is one unit of the time field. If its random part is full, next refuses with SequenceExhausted and
/// says when the tick is over. A clock that steps back by up to 10 s keeps the last tick and counts on;
/// beyond that see FarBack.
///
/// Every error leaves the generator as it was. Uniqueness against other generators rests on the random
/// bits, never on the clock.
///
/// S lets it in as a friend and has, besides facts:
///   S::tick_of(Instant) -> Result<std::int64_t>   since facts.epoch
///   S::fresh(tick, word, word) -> S               two random words
///   id.room() -> U128                             how many successors it has
///   id.plus(count) -> S                           REQUIRES: count <= room()
template <class S>
class SuccessorGenerator {
 public:
  /// How an ID follows another one of the same tick.
  enum class Within : std::uint8_t {
    plus_one,  ///< strictly rising
    random,    ///< fresh random bits each, in no order; the clock may step back without notice
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
  static constexpr std::int64_t kToleratedTicks = std::chrono::seconds{10} / S::facts.unit;

  /// REQUIRES: `entropy` outlives the generator.
  explicit SuccessorGenerator(Entropy& entropy) : SuccessorGenerator(entropy, Options{}) {}
  SuccessorGenerator(Entropy& entropy, Options options) : entropy_(entropy), options_(options) {}
  SuccessorGenerator(const SuccessorGenerator&) = delete;
  SuccessorGenerator& operator=(const SuccessorGenerator&) = delete;

  /// Errors: ClockBeforeEpoch, TimestampOverflow, EntropyUnavailable, SequenceExhausted and ClockBehind
  /// (both with the wait).
  [[nodiscard]] Result<S> next(Instant now) {
    MINTMARK_TRY(tick, S::tick_of(now));
    return advance(tick, now);
  }

  /// Fills the front of `out` with as many IDs as can be made at `now`, and returns how many. Errors as next,
  /// only if none was made. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<S> out, Instant now) {
    if (out.empty()) return 0;
    MINTMARK_TRY(tick, S::tick_of(now));
    if (options_.within == Within::random) return fill_random(out, tick);
    MINTMARK_TRY(first, advance(tick, now));
    const U128 room = first.room();
    const std::size_t count = room < out.size() ? static_cast<std::size_t>(room) + 1 : out.size();
    for (std::size_t i = 0; i < count; ++i) out[i] = first.plus(i);
    last_ = first.plus(count - 1);
    return count;
  }

  /// How often the clock fell behind by more than 10 s and the generator started anew.
  [[nodiscard]] std::uint64_t rollbacks() const { return rollbacks_; }

 private:
  [[nodiscard]] static std::uint64_t wait_until(std::int64_t tick, Instant now) {
    return wait_us(S::facts.epoch + tick * S::facts.unit - now);
  }

  /// One ID, and the state that goes with it.
  [[nodiscard]] Result<S> advance(std::int64_t tick, Instant now) {
    if (options_.within == Within::random) return fresh(tick);
    const std::int64_t behind = last_tick_ - tick;
    if (behind >= 0 && behind <= kToleratedTicks) {
      if (last_.room() == 0) {
        return fail(Error::retry(Fault::sequence_exhausted, wait_until(last_tick_ + 1, now)));
      }
      last_ = last_.plus(1);
      return last_;
    }
    if (behind > kToleratedTicks && options_.far_back == FarBack::refuse) {
      return fail(Error::retry(Fault::clock_behind, wait_until(last_tick_ - kToleratedTicks, now)));
    }
    MINTMARK_TRY(first, fresh(tick));
    if (behind > kToleratedTicks) ++rollbacks_;
    last_tick_ = tick;
    last_ = first;
    return first;
  }

  [[nodiscard]] Result<S> fresh(std::int64_t tick) {
    RandomWords<2> words;
    if (const auto drawn = words.draw(entropy_, 2); !drawn) return fail(drawn.error());
    return S::fresh(tick, words[0], words[1]);
  }

  [[nodiscard]] Result<std::size_t> fill_random(std::span<S> out, std::int64_t tick) {
    return fill_from_words<2>(entropy_, out, [tick](const auto& words, std::size_t first) {
      return S::fresh(tick, words[first], words[first + 1]);
    });
  }

  Entropy& entropy_;
  Options options_;
  std::int64_t last_tick_ = -1;  ///< of last_; below every valid tick until there is one
  S last_;
  std::uint64_t rollbacks_ = 0;
};

}  // namespace mintmark
