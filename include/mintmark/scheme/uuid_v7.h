// UUIDv7: 48 bits of milliseconds, then 74 bits that are random, or a counter and random. RFC 9562
// sections 5.7 and 6.2.
//
// Use it as the key of a table: IDs of a time lie together, and need no coordination. Do not use it where
// the time of making is a secret. It is no ticket either: who sees one ID still has to guess 39 bits for
// the next one of the same millisecond, which is little for an attacker.
//
//   octet  0                  6             8                          15
//         [ unix_ms 48 ......][0111 rand_a 12][10 rand_b 62 ..........]       the format
//         [ unix_ms 48 ......][     counter 42 .....  ][ random 32 ...]       as made by default
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/unix_ms48.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/versioned_uuid.h"

namespace mintmark {

/// A UUID that is known to be of version 7 and of the RFC's variant. The default one is the smallest.
class UuidV7 : public VersionedUuid<UuidV7, 7> {
 public:
  static constexpr Facts facts{.name = "uuid7",
                               .title = "UUIDv7",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::monotonic,
                               .epoch = Instant{},
                               .unit = std::chrono::milliseconds{1},
                               .random_bits = 39,  // 32 behind the counter, 7 of its step
                               .specification = "RFC 9562 section 5.7"};

  static constexpr std::int64_t kLastMs = unix_ms48::kLast;  ///< 10889-08-02T05:31:50.655Z

  struct Fields {
    std::uint64_t unix_ms = 0;  ///< 48 bits
    std::uint16_t rand_a = 0;   ///< 12 bits
    std::uint64_t rand_b = 0;   ///< 62 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr UuidV7() = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV7> pack(const Fields& fields) {
    if (fields.unix_ms > static_cast<std::uint64_t>(kLastMs))
      return fail(Fault::timestamp_overflow);
    return pack_parts({fields.unix_ms, fields.rand_a, fields.rand_b});
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const auto [ms, a, b] = unpack_parts();
    return {ms, a, b};
  }

  [[nodiscard]] constexpr Instant time() const {
    return from_unix_ms(static_cast<std::int64_t>(uuid().high() >> 16));
  }

  /// The smallest and the largest UUIDv7 of the millisecond that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<UuidV7> floor(Instant time) {
    MINTMARK_TRY(ms, unix_ms48::at(time));
    return of(ms, 0);
  }
  [[nodiscard]] static constexpr Result<UuidV7> ceil(Instant time) {
    MINTMARK_TRY(ms, unix_ms48::at(time));
    return of(ms, (U128{1} << kRandBits) - 1);
  }

  /// Method 3 of RFC 9562 section 6.2: the 12 bits of rand_a as the fraction of the millisecond, rounded
  /// down. 1/4096 ms is 244 ns.
  [[nodiscard]] static constexpr std::uint16_t sub_ms(Instant time) {
    const auto rest = time - std::chrono::floor<std::chrono::milliseconds>(time);
    return static_cast<std::uint16_t>(Duration{rest}.count() * 4096 / 10'000);
  }

  class Generator;

 private:
  static constexpr unsigned kRandBits = 74;  ///< rand_a and rand_b as one number

  static constexpr UuidV7 of(std::int64_t ms, U128 rand) {
    // Word by word: a shift across two words at once is slow on many CPUs.
    const auto low = static_cast<std::uint64_t>(rand);
    const std::uint64_t rand_a = static_cast<std::uint64_t>(rand >> 64) << 2 | low >> 62;
    return of_bits(static_cast<std::uint64_t>(ms) << 16 | rand_a, low);
  }
};

/// Makes UUIDv7s that rise strictly. One thread at a time; order and uniqueness hold for one object.
///
/// A counter stands right behind the time (RFC 9562 section 6.2, method 1). A new millisecond seeds it at
/// random with its top bit 0; each further ID adds a step; all bits behind it are fresh for every ID.
///
///   counter bits       12..35      36   37   38   39   40   41   42 (default)
///   step                    1   1..2 1..4 1..8  ..16  ..32  ..64  1..128, at random
///
/// The seed leaves the upper half free, so that 42 bits hold at least 2^41 / 2^7 = 1.7 * 10^10 more IDs. In
/// one millisecond that is 17,000 IDs a nanosecond; over the longest step back that is ridden out, 10 s,
/// it is 1.7 a nanosecond. So at any rate that a machine can reach the counter does not overflow. With 12
/// bits it does, after 2,048 to 4,096 IDs.
///
/// When the counter does overflow, the time is run ahead by one millisecond and the counter seeded again,
/// but never further than Options::max_borrow past the newest reading of the clock: then next refuses with
/// SequenceExhausted. A clock that is back by up to 10 s keeps the last millisecond and counts on; beyond
/// that see FarBack. Every error leaves the generator as it was.
class UuidV7::Generator {
 public:
  /// RFC 9562 section 6.2.
  enum class Method : std::uint8_t {
    counter,           ///< method 1: counter_bits of counter, the rest random
    monotonic_random,  ///< method 2: all 74 bits are the counter; the step is random, 1 to 2^32
    sub_ms,            ///< method 3: 12 bits of the ms, raised by 1/4096 ms where needed; 62 random
  };
  /// What happens when the clock is behind by more than 10 s.
  enum class FarBack : std::uint8_t {
    restart,  ///< a fresh random start at the new time, counted by rollbacks(): IDs no longer rise
    refuse,   ///< ClockBehind, until the clock is within 10 s again
  };
  struct Options {
    Method method = Method::counter;
    unsigned counter_bits = 42;  ///< 12 to 42; only for Method::counter
    std::chrono::milliseconds max_borrow{1};
    FarBack far_back = FarBack::restart;
  };

  /// A step back up to this keeps order (protocol section 2.9).
  static constexpr std::int64_t kToleratedMs = 10'000;

  /// Errors: InvalidArgument for widths outside 12 to 42 and a max_borrow outside 0 to 1 hour.
  [[nodiscard]] static constexpr Result<void> check(const Options& options) {
    const bool width = options.counter_bits >= 12 && options.counter_bits <= 42;
    const bool borrow = options.max_borrow >= std::chrono::milliseconds{0} &&
                        options.max_borrow <= std::chrono::hours{1};
    if (!width || !borrow) return fail(Fault::invalid_argument);
    return {};
  }

  explicit Generator(Entropy& entropy) : Generator(entropy, Options{}) {}
  /// REQUIRES: check(options); `entropy` outlives the generator.
  Generator(Entropy& entropy, Options options) : entropy_(entropy), options_(options) {
    MINTMARK_CHECK(check(options));
    unsigned random_bits = 0;  // behind the counter
    unsigned step_bits = 0;    // a step is 1 + this many random bits
    switch (options.method) {
      case Method::counter:
        random_bits = kRandBits - options.counter_bits;
        step_bits = options.counter_bits > 35 ? options.counter_bits - 35 : 0;
        break;
      case Method::monotonic_random:
        step_bits = 32;
        break;
      case Method::sub_ms:
        random_bits = 62;
        break;
    }
    random_field_ = low_bits(random_bits);
    step_field_ = low_bits(step_bits) << random_bits;
    one_step_ = std::uint64_t{1} << random_bits;
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Errors: ClockBeforeEpoch, TimestampOverflow, EntropyUnavailable, SequenceExhausted and ClockBehind
  /// (both with the wait).
  [[nodiscard]] Result<UuidV7> next(Instant now) {
    const std::int64_t ms = unix_ms(now);
    // One more of the millisecond that the clock still shows, which is what most calls make.
    if (ms == state_.ms && ms == state_.newest_ms && ms >= 0 && options_.method != Method::sub_ms)
        [[likely]] {
      RandomWords<2> words;
      if (!words.draw(entropy_, 2)) return fail(Fault::entropy_unavailable);
      const U128 counter = state_.counter + step_of(words[0]);
      if (counter >> kRandBits == 0) [[likely]] {
        state_.counter = counter;
        return of(ms, counter | (words[0] & random_field_));
      }
    }
    return next_of_any(now);
  }

  /// Fills the front of `out` with as many IDs as can be made at `now`, and returns how many. Errors as next,
  /// only if none was made. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<UuidV7> out, Instant now) {
    return fill_batches<64>(out, now);
  }

  /// How often the clock fell behind by more than 10 s and the generator started anew.
  [[nodiscard]] std::uint64_t rollbacks() const { return state_.rollbacks; }

 private:
  struct State {
    std::int64_t ms = -1;         ///< of the last ID; below every valid time until there is one
    U128 counter = 0;             ///< of the last ID: its 74 bits, those behind the counter zero
    std::int64_t newest_ms = -1;  ///< the newest reading of the clock
    std::uint64_t rollbacks = 0;
  };
  struct Reading {
    std::int64_t ms;
    U128 fraction;  ///< at the place of rand_a; 0 unless the method is sub_ms
  };

  [[nodiscard, gnu::noinline]] Result<UuidV7> next_of_any(Instant now) {
    Result<UuidV7> id;
    if (const auto made = fill_batches<1>({&*id, 1}, now); !made) id = fail(made.error());
    return id;
  }

  /// Draws the entropy for kBatch IDs at a time: a word for each, and one for a seed, of which a batch
  /// needs no more than one because a seed leaves room for 2,048.
  template <std::size_t kBatch>
  [[nodiscard]] Result<std::size_t> fill_batches(std::span<UuidV7> out, Instant now) {
    if (out.empty()) return 0;
    MINTMARK_TRY(ms, unix_ms48::at(now));
    const bool fraction = options_.method == Method::sub_ms;
    const Reading reading{ms, fraction ? static_cast<U128>(sub_ms(now)) << 62 : 0};
    State state = state_;
    if (state.newest_ms - ms > kToleratedMs) {
      if (options_.far_back == FarBack::refuse) {
        return fail(
            Error::retry(Fault::clock_behind, wait_until(state.newest_ms - kToleratedMs, now)));
      }
      state = State{.rollbacks = state.rollbacks + 1};
    }
    state.newest_ms = std::max(state.newest_ms, ms);

    RandomWords<kBatch + 1> words;
    std::size_t made = 0;
    while (made < out.size()) {
      const std::size_t count = std::min(out.size() - made, kBatch);
      if (!words.draw(entropy_, count + 1)) {
        if (made == 0) return fail(Fault::entropy_unavailable);
        break;
      }
      const std::size_t stepped = make_some(state, reading, words, out.subspan(made, count));
      made += stepped;
      if (stepped < count) break;
    }
    if (made == 0) return fail(full(state.ms, now));
    state_ = state;
    return made;
  }

  /// Makes one ID of each word, as far as the counter and the time go; returns how many.
  template <std::size_t N>
  [[nodiscard]] std::size_t make_some(State& state, const Reading& reading,
                                      const RandomWords<N>& words, std::span<UuidV7> out) const {
    std::size_t made = 0;
    while (made < out.size() && step(state, reading, words[made], words[out.size()])) {
      out[made] = of(state.ms, state.counter | (words[made] & random_field_));
      ++made;
      made += count_on(state, words, made, out);
    }
    return made;
  }

  /// What step does where only the counter moves, for the IDs from `from` on; returns how many: all or, if
  /// the counter might not hold them, none. Not inlined: a small function keeps what it needs in registers.
  template <std::size_t N>
  [[nodiscard, gnu::noinline]] std::size_t count_on(State& state, const RandomWords<N>& words,
                                                    std::size_t from, std::span<UuidV7> out) const {
    // Copies on the stack: the compiler then knows that writing IDs does not change them.
    const std::int64_t ms = state.ms;
    const std::uint64_t random_field = random_field_;
    const std::uint64_t step_field = step_field_;
    const std::uint64_t one_step = one_step_;
    U128 counter = state.counter;
    const U128 most = counter + static_cast<U128>(step_field + one_step) * (out.size() - from);
    if (most >> kRandBits != 0) return 0;
    for (std::size_t i = from; i < out.size(); ++i) {
      const std::uint64_t word = words[i];
      const std::uint64_t step = (word & step_field) + one_step;
      counter += step;
      out[i] = of(ms, counter | (word & random_field));
    }
    state.counter = counter;
    return out.size() - from;
  }

  /// From the counter of an ID to that of the next one. Every method's largest step is below 2^64.
  [[nodiscard]] std::uint64_t step_of(std::uint64_t word) const {
    return (word & step_field_) + one_step_;
  }

  /// Moves to the place of the next ID; false, and no change, if the counter and the time are used up.
  [[nodiscard]] bool step(State& state, const Reading& reading, std::uint64_t word,
                          std::uint64_t seed) const {
    if (reading.ms > state.ms || (reading.ms == state.ms && reading.fraction > state.counter)) {
      state.ms = reading.ms;
      state.counter = options_.method == Method::sub_ms ? reading.fraction : seeded(word, seed);
      return true;
    }
    const U128 next = state.counter + step_of(word);
    if (next >> kRandBits == 0) [[likely]] {
      state.counter = next;
      return true;
    }
    if (state.ms + 1 > last_ms(state)) return false;
    state.ms += 1;
    state.counter = options_.method == Method::sub_ms ? 0 : seeded(word, seed);
    return true;
  }

  /// 73 random bits, of which those behind the counter are cut off: the top bit of the counter is 0.
  [[nodiscard]] U128 seeded(std::uint64_t word, std::uint64_t seed) const {
    const U128 random = static_cast<U128>(seed) << 9 | (word & low_bits(9));
    return random & ~static_cast<U128>(random_field_);
  }

  /// The last millisecond that may be entered.
  [[nodiscard]] std::int64_t last_ms(const State& state) const {
    return std::min(state.newest_ms + options_.max_borrow.count(), kLastMs);
  }

  [[nodiscard]] Error full(std::int64_t ms, Instant now) const {
    if (ms == kLastMs) return Error{Fault::timestamp_overflow};
    const std::int64_t enough = ms + 1 - options_.max_borrow.count();
    return Error::retry(Fault::sequence_exhausted, wait_until(enough, now));
  }

  [[nodiscard]] static std::uint64_t wait_until(std::int64_t ms, Instant now) {
    return wait_us(from_unix_ms(ms) - now);
  }

  Entropy& entropy_;
  Options options_;
  // The random bits of an ID are also the low end of a word; the step is the bits of the word in front of
  // them, at the place of the counter, plus one.
  std::uint64_t random_field_ = 0;
  std::uint64_t step_field_ = 0;
  std::uint64_t one_step_ = 0;
  State state_;
};

static_assert(TimeOrdered<UuidV7> && Mintable<UuidV7>);

// RFC 9562 appendix A.6: 2022-02-22T19:22:22Z, rand_a 0xCC3, rand_b 0x18C4DC0C0C07398F.
static_assert(UuidV7::pack({0x017f22e279b0, 0xcc3, 0x18c4dc0c0c07398f})->uuid() ==
              "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"_uuid);
static_assert(UuidV7::parse("017F22E2-79B0-7CC3-98C4-DC0C0C07398F")->time() ==
              from_unix_ms(1'645'557'742'000));
static_assert(UuidV7::parse("919108f7-52d1-4320-9bac-f847db4148a8").error() ==
              Error::at(Fault::wrong_version, 14));
// RFC 9562 section 6.2, method 3: the fraction 0.4567 is 1870.
static_assert(UuidV7::sub_ms(from_unix_ms(1) + Duration{4567}) == 1870);

}  // namespace mintmark
