// Optimus: Knuth's multiplicative hash as a way to disguise integers, n * P modulo 2^bits, then XOR with R
// (jenssegers/optimus). Here to read and to go on writing what other programs issue with it.
//
// Not for new systems, and no cipher: 0 becomes R and 1 becomes P XOR R, so that two known pairs give the
// whole key away. Take Permutation or Speck64.
//
//   seal   ((n * P) mod 2^bits) XOR R
//   open   ((m XOR R) * I) mod 2^bits      I: the inverse of P modulo 2^bits
//
// What it refuses: an even P, which has no inverse; a P or R that does not fit the bits; an inverse that is
// none.
#pragma once

#include <cstdint>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/permutation.h"

namespace mintmark {

/// Optimus with one set of constants. Immutable; any thread may use it.
class Optimus {
 public:
  using Value = std::uint64_t;

  struct Options {
    std::uint64_t prime = 0;    ///< P; any odd number does
    std::uint64_t inverse = 0;  ///< I, to be checked; 0 has it computed
    std::uint64_t random = 0;   ///< R
    unsigned bits = 31;         ///< 1 to 64; the original's default
  };

  /// Errors: InvalidArgument.
  [[nodiscard]] static constexpr Result<Optimus> make(const Options& options) {
    if (options.bits < 1 || options.bits > 64) return fail(Fault::invalid_argument);
    const std::uint64_t mask = low_bits(options.bits);
    if (options.prime % 2 == 0 || options.prime > mask || options.random > mask) {
      return fail(Fault::invalid_argument);
    }
    const std::uint64_t inverse = inverse_of(options.prime) & mask;
    if (options.inverse != 0 && options.inverse != inverse) return fail(Fault::invalid_argument);
    return Optimus{options.prime, inverse, options.random, mask};
  }

  [[nodiscard]] constexpr std::uint64_t largest() const { return mask_; }
  [[nodiscard]] constexpr std::uint64_t inverse() const { return inverse_; }

  /// Errors: ValueOverflow above largest().
  [[nodiscard]] constexpr Result<std::uint64_t> seal(std::uint64_t value) const {
    if (value > mask_) return fail(Fault::value_overflow);
    return (value * prime_ & mask_) ^ random_;
  }

  /// The inverse of seal. Errors: ValueOverflow above largest().
  [[nodiscard]] constexpr Result<std::uint64_t> open(std::uint64_t value) const {
    if (value > mask_) return fail(Fault::value_overflow);
    return (value ^ random_) * inverse_ & mask_;
  }

 private:
  constexpr Optimus(std::uint64_t prime, std::uint64_t inverse, std::uint64_t random,
                    std::uint64_t mask)
      : prime_(prime), inverse_(inverse), random_(random), mask_(mask) {}

  /// Newton's iteration: an odd number is its own inverse modulo 8, and each step doubles the bits.
  static constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t inverse = odd;
    for (unsigned bits = 3; bits < 64; bits *= 2) inverse *= 2 - odd * inverse;
    return inverse;
  }

  std::uint64_t prime_;
  std::uint64_t inverse_;
  std::uint64_t random_;
  std::uint64_t mask_;
};

static_assert(KeyedPermutation<Optimus>);

namespace optimus_checks {
// The constants of the original's README. Its result beside them, 1535832388, is not what they give.
inline constexpr Optimus kReadme =
    *Optimus::make({.prime = 1'580'030'173, .inverse = 59'260'789, .random = 1'163'945'558});
static_assert(kReadme.seal(20) == 518'690'578);
static_assert(kReadme.open(518'690'578) == 20);
}  // namespace optimus_checks

}  // namespace mintmark
