// KSUID: 32 bits of seconds and 128 random bits, as 27 characters that sort. github.com/segmentio/ksuid.
//
// Use it where a UUID's random bits are too few, or where KSUIDs are already. Do not use it where order
// inside one second must hold between generators, nor where the ID must be hard to guess from its
// neighbour: by default the next one of a second is this one plus one; Within::random makes each one anew,
// as the published code does.
//
//   octet  0                 4                                          19
//         [ seconds 32 .....][ payload 128 .............................]
//   text   0ujtsYcgvSTl8PAuAdqWYSMnLOv
//          27 digits of base62 (0-9A-Za-z), all 160 bits as one number
//
// The seconds count from 2014-05-13T16:53:20Z and end at 2150-06-19T23:21:35Z.
//
// What it refuses: a text above aWgEPTl1tmebfsQzFP4bxwgy80V, which would need more than 160 bits; characters
// outside the alphabet (segmentio/ksuid#74); a time before the epoch, which the published code turns into
// one of the next century (segmentio/ksuid#58).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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
#include "mintmark/scheme/successor_generator.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/radix.h"

namespace mintmark {

/// 160 bits as digits: three limbs of 7, 10 and 10, because 62^10 is the largest power that fits a word.
namespace ksuid_digits {

inline constexpr const Alphabet& kAlphabet = kBase62DigitUpperLower;
inline constexpr std::size_t kLimb = 10;
inline constexpr std::size_t kLead = 7;
inline constexpr std::size_t kCount = kLead + 2 * kLimb;
inline constexpr std::string_view kLargest = "aWgEPTl1tmebfsQzFP4bxwgy80V";

inline constexpr std::uint64_t kPower = [] {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < kLimb; ++i) power *= kAlphabet.size();
  return power;
}();

struct Division {
  std::uint64_t quotient;
  std::uint64_t remainder;
};

/// Divides by kPower with multiplications, which take a fraction of a division of 128 bits: N. Moeller and
/// T. Granlund, "Improved division by invariant integers" (2011), algorithm 4.
/// REQUIRES: high < kPower, so that the quotient fits.
[[nodiscard]] constexpr Division divide(std::uint64_t high, std::uint64_t low) {
  constexpr int kShift = std::countl_zero(kPower);
  constexpr std::uint64_t kDivisor = kPower << kShift;
  constexpr auto kReciprocal = static_cast<std::uint64_t>(~U128{0} / kDivisor - (U128{1} << 64));
  // The algorithm's last correction is for divisors whose reciprocal is rounded too far. With b = 2^64,
  // d = kDivisor and k = b^2 - (b + kReciprocal) * d, none is needed where d * k + b^2 < 2 * d * b.
  constexpr std::uint64_t kRounded = 0 - kReciprocal * kDivisor;
  static_assert(static_cast<U128>(kDivisor) * kRounded < static_cast<U128>(kDivisor << 1) << 64);

  high = high << kShift | low >> (64 - kShift);
  low <<= kShift;
  const U128 dividend = static_cast<U128>(high) << 64 | low;
  const U128 estimate = static_cast<U128>(kReciprocal) * high + dividend;
  std::uint64_t quotient = static_cast<std::uint64_t>(estimate >> 64) + 1;
  std::uint64_t remainder = low - quotient * kDivisor;
  if (remainder > static_cast<std::uint64_t>(estimate)) {
    --quotient;
    remainder += kDivisor;
  }
  return {quotient, remainder >> kShift};
}

/// The number that N digits are, and the OR of all look-ups. REQUIRES: N <= kLimb.
template <std::size_t N>
[[nodiscard]] constexpr std::uint64_t number(const char* text, unsigned& seen) {
  std::uint64_t value = 0;
#pragma GCC unroll 10
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint8_t digit = kAlphabet.value_of(text[i]);
    seen |= digit;
    value = value * kAlphabet.size() + digit;
  }
  return value;
}

/// Where a text of kCount characters stops being a number of 160 bits. REQUIRES: it does.
[[nodiscard]] constexpr Error what_is_wrong(std::string_view text) {
  bool at_limit = true;  // every digit so far is that of the largest number
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const std::uint8_t digit = kAlphabet.value_of(text[at]);
    const std::uint8_t limit = kAlphabet.value_of(kLargest[at]);
    if (digit == Alphabet::kNone) break;
    if (at_limit && digit > limit) return Error::at(Fault::value_overflow, at);
    at_limit = at_limit && digit == limit;
  }
  return Error::at(Fault::bad_character, at);
}

}  // namespace ksuid_digits

/// Any 160 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class Ksuid {
 public:
  static constexpr Facts facts{
      .name = "ksuid",
      .title = "KSUID",
      .bits = 160,
      .bytes = 20,
      .text_size = ksuid_digits::kCount,
      .order = TimeOrder::monotonic,
      .epoch = Instant{std::chrono::seconds{1'400'000'000}},
      .unit = std::chrono::seconds{1},
      .random_bits = 0,  // of an ID whose neighbour in the same second is known
      .specification = "github.com/segmentio/ksuid"};

  static constexpr std::int64_t kLastSecond = 0xffff'ffff;  ///< 2150-06-19T23:21:35Z

  struct Fields {
    std::uint32_t seconds = 0;  ///< since facts.epoch
    U128 payload = 0;
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr Ksuid() = default;

  /// Never fails: each field fills its bits.
  [[nodiscard]] static constexpr Result<Ksuid> pack(const Fields& fields) {
    return Ksuid{fields.seconds, fields.payload};
  }
  [[nodiscard]] constexpr Fields unpack() const { return {seconds(), payload()}; }

  /// Reads exactly 27 digits of base62 (0-9A-Za-z). Errors: WrongLength, BadCharacter; ValueOverflow at the
  /// first digit that is above the one of aWgEPTl1tmebfsQzFP4bxwgy80V.
  [[nodiscard]] static constexpr Result<Ksuid> parse(std::string_view text) {
    using namespace ksuid_digits;
    if (text.size() != kCount) [[unlikely]] {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), kCount)));
    }
    unsigned seen = 0;
    const std::uint64_t lead = number<kLead>(text.data(), seen);
    const std::uint64_t middle = number<kLimb>(text.data() + kLead, seen);
    const std::uint64_t last = number<kLimb>(text.data() + kLead + kLimb, seen);
    const U128 front = static_cast<U128>(lead) * kPower + middle;
    const U128 low = static_cast<U128>(static_cast<std::uint64_t>(front)) * kPower + last;
    const U128 high = (front >> 64) * kPower + (low >> 64);  // bits 64 and above
    if ((seen & 0x80) != 0 || high >> 96 != 0) [[unlikely]] {
      return fail(what_is_wrong(text));
    }
    return Ksuid{static_cast<std::uint32_t>(high >> 64),
                 high << 64 | static_cast<std::uint64_t>(low)};
  }

  /// Writes 27 characters, returns 27. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    using namespace ksuid_digits;
    const U128 low = payload();
    // Twice a long division by kPower, the first time of three words, the second time of two.
    const Division upper = divide(seconds(), static_cast<std::uint64_t>(low >> 64));
    const Division lower = divide(upper.remainder, static_cast<std::uint64_t>(low));
    const Division front = divide(upper.quotient, lower.quotient);
    char* const to = out.data();
    radix::write_back<kAlphabet>(front.quotient, kLead, to + kLead);
    radix::write_back<kAlphabet>(front.remainder, kLimb, to + kLead + kLimb);
    radix::write_back<kAlphabet>(lower.remainder, kLimb, to + kCount);
    return kCount;
  }

  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Ksuid> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    Ksuid id;
    std::ranges::copy(from, id.octets_.begin());
    return id;
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { std::ranges::copy(octets_, to.begin()); }

  [[nodiscard]] constexpr std::uint32_t seconds() const { return load_be<std::uint32_t>(octets_); }
  [[nodiscard]] constexpr U128 payload() const {
    return load_be<U128>(std::span{octets_}.subspan(kPayload));
  }

  [[nodiscard]] constexpr Instant time() const {
    return facts.epoch + std::chrono::seconds{seconds()};
  }

  /// The smallest and the largest KSUID of the second that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<Ksuid> floor(Instant time) {
    MINTMARK_TRY(second, tick_of(time));
    return Ksuid{static_cast<std::uint32_t>(second), 0};
  }
  [[nodiscard]] static constexpr Result<Ksuid> ceil(Instant time) {
    MINTMARK_TRY(second, tick_of(time));
    return Ksuid{static_cast<std::uint32_t>(second), ~U128{0}};
  }

  /// The next KSUID of the same second: its payload plus one. Errors: SequenceExhausted when the payload is
  /// full; the next second is never entered.
  [[nodiscard]] constexpr Result<Ksuid> successor() const {
    if (room() == 0) return fail(Fault::sequence_exhausted);
    return plus(1);
  }

  friend constexpr bool operator==(const Ksuid& a, const Ksuid& b) {
    return a.payload() == b.payload() && a.seconds() == b.seconds();
  }
  friend constexpr std::strong_ordering operator<=>(const Ksuid& a, const Ksuid& b) {
    if (a.seconds() != b.seconds()) return a.seconds() <=> b.seconds();
    return a.payload() <=> b.payload();
  }

  /// 128 fresh random bits in the first ID of a second.
  using Generator = SuccessorGenerator<Ksuid>;
  class Sequence;

 private:
  friend Generator;

  static constexpr std::size_t kPayload = 4;  ///< its first octet

  constexpr Ksuid(std::uint32_t seconds, U128 payload) {
    store_be(octets_, seconds);
    store_be(std::span{octets_}.subspan(kPayload), payload);
  }

  static constexpr Result<std::int64_t> tick_of(Instant time) {
    if (time < facts.epoch) return fail(Fault::clock_before_epoch);
    const std::int64_t second =
        std::chrono::floor<std::chrono::seconds>(time - facts.epoch).count();
    if (second > kLastSecond) return fail(Fault::timestamp_overflow);
    return second;
  }
  static constexpr Ksuid fresh(std::int64_t second, std::uint64_t low, std::uint64_t high) {
    return Ksuid{static_cast<std::uint32_t>(second), static_cast<U128>(high) << 64 | low};
  }
  [[nodiscard]] constexpr U128 room() const { return ~payload(); }
  [[nodiscard]] constexpr Ksuid plus(std::size_t count) const {
    return Ksuid{seconds(), payload() + count};
  }

  std::array<std::byte, 20> octets_{};
};

/// The 65,536 KSUIDs that share all but the last two octets with a seed, in their order: many IDs for the
/// random bits of one. segmentio/ksuid, sequence.go. One thread at a time. Unique as the seed is: two
/// sequences of one seed give the same IDs.
class Ksuid::Sequence {
 public:
  static constexpr std::uint32_t kSize = 65'536;

  /// The smallest and the largest KSUID that next may yet give; both the last one when it gives none.
  struct Bounds {
    Ksuid min;
    Ksuid max;
    friend constexpr bool operator==(const Bounds&, const Bounds&) = default;
  };

  /// The last two octets of the seed do not matter.
  constexpr explicit Sequence(const Ksuid& seed)
      : first_(seed.seconds(), seed.payload() & ~U128{kSize - 1}) {}
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  /// Errors: SequenceExhausted, for good.
  [[nodiscard]] constexpr Result<Ksuid> next() {
    if (given_ == kSize) return fail(Fault::sequence_exhausted);
    return first_.plus(given_++);
  }

  /// Fills the front of `out` with as many as there are, and returns how many. Errors: SequenceExhausted,
  /// only if there are none. An empty span gives 0.
  [[nodiscard]] constexpr Result<std::size_t> fill(std::span<Ksuid> out) {
    if (out.empty()) return 0;
    if (given_ == kSize) return fail(Fault::sequence_exhausted);
    const std::size_t count = std::min<std::size_t>(out.size(), kSize - given_);
    for (std::size_t i = 0; i < count; ++i) out[i] = first_.plus(given_ + i);
    given_ += static_cast<std::uint32_t>(count);
    return count;
  }

  [[nodiscard]] constexpr Bounds bounds() const {
    return {first_.plus(std::min(given_, kSize - 1)), first_.plus(kSize - 1)};
  }

 private:
  Ksuid first_;
  std::uint32_t given_ = 0;
};

static_assert(TimeOrdered<Ksuid> && Mintable<Ksuid>);

// github.com/segmentio/ksuid, README.md and ksuid_test.go.
static_assert(Ksuid::parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv")->unpack() ==
              Ksuid::Fields{107'608'047,
                            static_cast<U128>(0xb5a1cd34b5f99d11) << 64 | 0x54fb6853345c9735});
static_assert(Ksuid::parse("0uk1Hbc9dQ9pxyTqJ93IUrfhdGq")->time() ==
              *parse_time("2017-10-10T05:01:40Z"));
static_assert(Ksuid::parse(ksuid_digits::kLargest)->time() == *parse_time("2150-06-19T23:21:35Z"));
static_assert(Ksuid::parse("aWgEPTl1tmebfsQzFP4bxwgy80W").error() ==
              Error::at(Fault::value_overflow, 26));

}  // namespace mintmark

template <>
struct std::hash<mintmark::Ksuid> {
  [[nodiscard]] std::size_t operator()(const mintmark::Ksuid& id) const noexcept {
    const mintmark::U128 payload = id.payload();
    const std::uint64_t high = static_cast<std::uint64_t>(payload >> 64);
    return std::hash<mintmark::Uuid>{}(
        mintmark::Uuid::of(high ^ id.seconds() * std::uint64_t{0x9e3779b97f4a7c15},
                           static_cast<std::uint64_t>(payload)));
  }
};
