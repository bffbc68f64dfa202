// Speck64: a block cipher of 64-bit blocks in a few dozen instructions (Beaulieu et al. 2013), with a key of
// 96 or 128 bits. A permutation of all 64-bit numbers by itself, without AES.
//
// Use it where a 64-bit number is sealed or opened in some nanoseconds and no cryptographic library is at
// hand: WebAssembly, a database extension. No attack on all of its rounds is known; still it was looked at
// by fewer people than AES, and standardisation by ISO failed for want of trust in its makers. Where the
// time does not matter, take Permutation.
//
//   value      [ x 32 ][ y 32 ]
//   a round    x = (x >>> 8) + y ^ key[i];  y = (y <<< 3) ^ x        26 rounds, 27 with 128 bits of key
//
// Another key is the only other permutation: there is no tweak. What it refuses: keys of another size.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/permutation.h"

namespace mintmark {

/// Speck64/96 or Speck64/128 under one key. Immutable; any thread may use it.
class Speck64 {
 public:
  using Value = std::uint64_t;

  /// 12 or 16 bytes: the words of the key as the paper prints them, the highest first, each big-endian.
  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Speck64> make(std::span<const std::byte> key) {
    if (key.size() != 12 && key.size() != 16) {
      return fail(Error::at(Fault::wrong_length, key.size()));
    }
    Speck64 cipher;
    const std::size_t words = key.size() / 4;
    const auto word = [key, words](std::size_t i) {
      return load_be<std::uint32_t>(key.subspan(4 * (words - 1 - i)));
    };
    std::array<std::uint32_t, 3> later{word(1), word(2), words == 4 ? word(3) : 0};
    std::uint32_t round_key = word(0);
    cipher.rounds_ = words == 4 ? 27 : 26;
    for (std::uint32_t i = 0; i < cipher.rounds_; ++i) {
      cipher.keys_[i] = round_key;
      std::uint32_t& next = later[i % (words - 1)];
      next = (round_key + std::rotr(next, 8)) ^ i;
      round_key = std::rotl(round_key, 3) ^ next;
    }
    return cipher;
  }

  [[nodiscard]] constexpr std::uint64_t largest() const { return ~std::uint64_t{0}; }

  /// Never fails.
  [[nodiscard]] constexpr Result<std::uint64_t> seal(std::uint64_t value) const {
    auto x = static_cast<std::uint32_t>(value >> 32);
    auto y = static_cast<std::uint32_t>(value);
    for (std::size_t i = 0; i < rounds_; ++i) {
      x = (std::rotr(x, 8) + y) ^ keys_[i];
      y = std::rotl(y, 3) ^ x;
    }
    return static_cast<std::uint64_t>(x) << 32 | y;
  }

  /// The inverse of seal. Never fails.
  [[nodiscard]] constexpr Result<std::uint64_t> open(std::uint64_t value) const {
    auto x = static_cast<std::uint32_t>(value >> 32);
    auto y = static_cast<std::uint32_t>(value);
    for (std::size_t i = rounds_; i-- > 0;) {
      y = std::rotr(x ^ y, 3);
      x = std::rotl((x ^ keys_[i]) - y, 8);
    }
    return static_cast<std::uint64_t>(x) << 32 | y;
  }

 private:
  constexpr Speck64() = default;

  std::array<std::uint32_t, 27> keys_{};
  std::uint32_t rounds_ = 0;
};

static_assert(KeyedPermutation<Speck64>);

namespace speck64_checks {
// Beaulieu et al. 2013, appendix C: the keys are 12 or 16 bytes that fall by steps of 1 in each word.
template <std::size_t N>
constexpr Speck64 cipher() {
  std::array<std::byte, N> key{};
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t word = N / 4 - 1 - i / 4;
    key[i] = static_cast<std::byte>(8 * word + 3 - i % 4);
  }
  return *Speck64::make(key);
}
static_assert(cipher<12>().seal(0x74614620'736e6165) == 0x9f7952ec'4175946c);
static_assert(cipher<12>().open(0x9f7952ec'4175946c) == 0x74614620'736e6165);
static_assert(cipher<16>().seal(0x3b726574'7475432d) == 0x8c6fa548'454e028b);
static_assert(cipher<16>().open(0x8c6fa548'454e028b) == 0x3b726574'7475432d);
}  // namespace speck64_checks

}  // namespace mintmark
