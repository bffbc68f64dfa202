// Quotient: division by a constant without a division, for radix.h.
//
// 128 bits are divided by a call into the compiler's library, which does not know the divisor: some
// tens of nanoseconds. A product by the reciprocal takes four multiplications. All here is exact.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "mintmark/base/bytes.h"

namespace mintmark::quotient {

struct Parts {
  U128 quotient;
  std::uint64_t rest;
};

/// value / kDivisor and value % kDivisor. N. Möller and T. Granlund, "Improved division by invariant
/// integers", IEEE Transactions on Computers 60 (2011), algorithm 4.
template <std::uint64_t kDivisor>
requires(kDivisor > 1) [[nodiscard]] constexpr Parts divide(U128 value) {
  constexpr auto kShift = static_cast<unsigned>(std::countl_zero(kDivisor));
  constexpr std::uint64_t kNormal = kDivisor << kShift;
  constexpr auto kReciprocal =
      static_cast<std::uint64_t>(std::numeric_limits<U128>::max() / kNormal);  // less 2^64
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  // The high word first: 64 bits are divided by a constant without our help.
  const std::uint64_t high_quotient = high / kDivisor;
  const U128 left = (static_cast<U128>(high % kDivisor) << 64 | low) << kShift;
  const auto upper = static_cast<std::uint64_t>(left >> 64);
  const auto lower = static_cast<std::uint64_t>(left);
  const U128 guess = static_cast<U128>(kReciprocal) * upper + left;
  std::uint64_t quotient = static_cast<std::uint64_t>(guess >> 64) + 1;
  std::uint64_t rest = lower - quotient * kNormal;
  if (rest > static_cast<std::uint64_t>(guess)) {
    --quotient;
    rest += kNormal;
  }
  if (rest >= kNormal) [[unlikely]] {
    ++quotient;
    rest -= kNormal;
  }
  return {static_cast<U128>(high_quotient) << 64 | quotient, rest >> kShift};
}

/// A value below kEnd as parts, from the front: how many whole kUnit it holds, and a fraction. Each further
/// part is one product of the fraction.
///
/// The value is scaled by 2^kShift / kUnit, rounded up. That is too much by less than value / 2^kShift, and
/// one is added where the fraction is cut to 64 bits. Exact as long as both together are less than one of
/// the last part, a kUnit-th: kExact.
template <std::uint64_t kUnit, std::uint64_t kEnd>
struct Fraction {
  static constexpr unsigned kShift = 62 + static_cast<unsigned>(std::bit_width(kUnit));
  static constexpr U128 kFactor = (U128{1} << kShift) / kUnit + 1;
  static constexpr bool kExact = kShift >= 64 && kShift < 127 && kFactor >> 64 == 0 &&
                                 static_cast<U128>(kEnd) * kUnit <
                                     (U128{1} << kShift) -
                                         (static_cast<U128>(kUnit) << (kShift - 64));

  std::uint64_t part;
  std::uint64_t fraction;

  [[nodiscard]] static constexpr Fraction of(std::uint64_t value) {
    const U128 scaled = static_cast<U128>(value) * static_cast<std::uint64_t>(kFactor);
    return {static_cast<std::uint64_t>(scaled >> kShift),
            static_cast<std::uint64_t>(scaled >> (kShift - 64)) + 1};
  }
  /// Goes on to the next part, of which `count` make one of this.
  constexpr void next(std::uint64_t count) {
    const U128 product = static_cast<U128>(fraction) * count;
    part = static_cast<std::uint64_t>(product >> 64);
    fraction = static_cast<std::uint64_t>(product);
  }
};

static_assert(divide<10>(~U128{0}).rest == 5);  // 2^128 - 1 ends in 5
static_assert(divide<10>(~U128{0}).quotient == ~U128{0} / 10);
static_assert(divide<~std::uint64_t{0}>(~U128{0}).quotient == (U128{1} << 64) + 1);

}  // namespace mintmark::quotient
