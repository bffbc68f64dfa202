// Permutation: each integer of [0, n) has one sealed integer of [0, n), which looks random to everybody
// without the key. Nothing has to be stored to go back.
//
// Use it for what the public sees of numbers that count up, so that they tell neither how many there are
// nor which one is next. It hides; it does not prove: every number of the domain opens to some number.
// public_id.h adds the text, the version of the key, and bits to check.
//
//   value   [ u bits ][ v bits ]    the fewest bits that hold n - 1, 20 to 128
//   FF1     ten rounds of AES with radix 2 (NIST SP 800-38G), as ff1.h has them
//   n       is hardly ever a power of two: what lands outside is sealed again until it is inside ("cycle
//           walking", Black and Rogaway 2002); fewer than two times on average, for any n
//
// What it refuses: n below a million. Of so few numbers the whole table can be drawn up from what anybody
// sees, and FF1 is specified for 10^6 strings and more. Where there are fewer, check bits make the domain
// larger.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/block_cipher.h"
#include "mintmark/seal/ff1.h"

namespace mintmark {

/// A bijection of the integers from 0 to largest(), both ways.
template <class P>
concept KeyedPermutation = UnsignedWord<typename P::Value> &&
    requires(const P permutation, typename P::Value value) {
  { permutation.largest() } -> std::same_as<typename P::Value>;
  { permutation.seal(value) } -> std::same_as<Result<typename P::Value>>;
  { permutation.open(value) } -> std::same_as<Result<typename P::Value>>;
};

/// The permutation of one domain, one tweak and one key. Immutable; threads may share it as far as they may
/// share the cipher.
template <BlockCipher Cipher>
class Permutation {
 public:
  using Value = U128;

  static constexpr U128 kSmallestLargest = ff1::kFewestStrings - 1;

  struct Options {
    U128 largest = ~std::uint64_t{0};    ///< n - 1
    std::span<const std::byte> tweak{};  ///< public, read once; another tweak, another permutation
  };

  /// REQUIRES: `cipher` outlives the permutation. Errors: InvalidArgument if n is below a million, or the
  /// tweak has 4 GiB or more.
  [[nodiscard]] static Result<Permutation> make(const Cipher& cipher, const Options& options) {
    if (options.largest < kSmallestLargest ||
        options.tweak.size() > std::numeric_limits<std::uint32_t>::max()) {
      return fail(Fault::invalid_argument);
    }
    return Permutation{cipher, options};
  }

  [[nodiscard]] U128 largest() const { return largest_; }

  /// Errors: ValueOverflow above largest().
  [[nodiscard]] Result<U128> seal(U128 value) const {
    if (value > largest_) return fail(Fault::value_overflow);
    do {
      value = seal_once(value);
    } while (value > largest_);
    return value;
  }

  /// The inverse of seal. Errors: ValueOverflow above largest().
  [[nodiscard]] Result<U128> open(U128 value) const {
    if (value > largest_) return fail(Fault::value_overflow);
    do {
      value = open_once(value);
    } while (value > largest_);
    return value;
  }

 private:
  struct Halves {
    std::uint64_t first;
    std::uint64_t last;
  };

  Permutation(const Cipher& cipher, const Options& options)
      : cipher_(&cipher),
        largest_(options.largest),
        first_bits_(bits_of(options.largest) / 2),
        last_bits_(bits_of(options.largest) - first_bits_),
        half_bytes_((last_bits_ + 7) / 8),
        head_(ff1::head_of(cipher, {2, first_bits_ + last_bits_, half_bytes_}, options.tweak)) {}

  static constexpr unsigned bits_of(U128 value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    return static_cast<unsigned>(high != 0 ? 64 + std::bit_width(high)
                                           : std::bit_width(static_cast<std::uint64_t>(value)));
  }

  [[nodiscard]] Halves cut(U128 value) const {
    return {static_cast<std::uint64_t>(value >> last_bits_),
            static_cast<std::uint64_t>(value) & low_bits(last_bits_)};
  }
  [[nodiscard]] U128 join(const Halves& halves) const {
    return static_cast<U128>(halves.first) << last_bits_ | halves.last;
  }

  /// y of algorithm 7, step 6.iv, modulo 2^64: a half has at most 8 bytes, so that S is a part of one block.
  [[nodiscard]] std::uint64_t draw(unsigned round, std::uint64_t half) const {
    CipherBlock block = head_.block;
    const auto back = std::span{block}.template last<8>();
    store_be(back, load_be<std::uint64_t>(back) ^ half);
    block[head_.round_at] ^= static_cast<std::byte>(round);
    cipher_->encrypt_block(block);
    const std::span<const std::byte> s{block};
    return load_be<std::uint64_t>(s.subspan(half_bytes_ > 4 ? 4 : 0));
  }

  [[nodiscard]] U128 seal_once(U128 value) const {
    Halves halves = cut(value);
    for (unsigned round = 0; round < ff1::kRounds; round += 2) {
      halves.first = (halves.first + draw(round, halves.last)) & low_bits(first_bits_);
      halves.last = (halves.last + draw(round + 1, halves.first)) & low_bits(last_bits_);
    }
    return join(halves);
  }

  [[nodiscard]] U128 open_once(U128 value) const {
    Halves halves = cut(value);
    for (unsigned round = ff1::kRounds; round > 0; round -= 2) {
      halves.last = (halves.last - draw(round - 1, halves.first)) & low_bits(last_bits_);
      halves.first = (halves.first - draw(round - 2, halves.last)) & low_bits(first_bits_);
    }
    return join(halves);
  }

  const Cipher* cipher_;
  U128 largest_;
  unsigned first_bits_;
  unsigned last_bits_;
  std::size_t half_bytes_;
  ff1::Head head_;
};

}  // namespace mintmark
