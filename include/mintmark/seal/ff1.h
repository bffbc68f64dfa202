// FF1: format-preserving encryption of NIST SP 800-38G, a keyed permutation of strings of numerals. What
// comes out has the same radix and the same length as what went in.
//
// Use it where the format itself has to survive: ten decimal digits become ten decimal digits. For integers
// permutation.h is the faster and simpler form of the same function. FF3 and FF3-1 are not here: both are
// broken (Durak and Vaudenay 2017, Beyne 2021).
//
//   numerals   [ A: u = length / 2 ][ B: v = length - u ]
//   ten rounds  A += cipher(tweak, round, B) mod radix^u, then B += cipher(tweak, round, A) mod radix^v, ...
//
// What it refuses: formats of fewer than a million strings, radix^length < 10^6, as revision 1 of the
// standard does: of so few, whoever sees enough pairs can draw up the whole table. Halves of more than
// 512 bits are refused as well; everything is on the stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/block_cipher.h"

namespace mintmark {

namespace ff1 {

/// SP 800-38G revision 1, section 5.1: no format has fewer strings.
inline constexpr std::uint32_t kFewestStrings = 1'000'000;
inline constexpr unsigned kRounds = 10;

struct Shape {
  std::uint32_t radix;
  std::uint32_t length;    ///< numerals of both halves
  std::size_t half_bytes;  ///< what a half takes as a number: b of algorithm 7
};

/// What all rounds of all values have in common: the CBC-MAC over P and Q up to the number of the round
/// (algorithm 7, steps 5 and 6.i), which comes at `round_at`, with the bytes of a half behind it.
struct Head {
  CipherBlock block{};
  std::size_t round_at = 0;
};

template <BlockCipher Cipher>
[[nodiscard]] Head head_of(const Cipher& cipher, const Shape& shape,
                           std::span<const std::byte> tweak) {
  Head head;
  const std::span<std::byte> p{head.block};
  store_be(p, std::uint32_t{0x01020100} | shape.radix >> 16);
  store_be(p.subspan(4), static_cast<std::uint16_t>(shape.radix & 0xffff));
  p[6] = std::byte{kRounds};
  p[7] = static_cast<std::byte>(shape.length / 2 & 0xff);
  store_be(p.subspan(8), shape.length);
  store_be(p.subspan(12), static_cast<std::uint32_t>(tweak.size()));
  cipher.encrypt_block(head.block);
  std::size_t at = 0;
  for (const std::byte byte : tweak) {
    head.block[at++] ^= byte;
    if (at < p.size()) continue;
    cipher.encrypt_block(head.block);
    at = 0;
  }
  // Zeros up to the place from which the round number and the half fill the last block.
  head.round_at = (p.size() - (shape.half_bytes + 1) % p.size()) % p.size();
  if (head.round_at < at) cipher.encrypt_block(head.block);
  return head;
}

}  // namespace ff1

/// FF1 of one radix, one length, one tweak and one key. Immutable; threads may share it as far as they may
/// share the cipher.
template <BlockCipher Cipher>
class Ff1 {
 public:
  static constexpr std::size_t kMostHalfBytes = 64;

  struct Format {
    std::uint32_t radix = 10;  ///< 2 to 65536
    std::uint32_t length = 0;  ///< numerals, 2 or more
    std::span<const std::byte>
        tweak{};  ///< public, any length, read once; another tweak, another permutation
  };

  /// REQUIRES: `cipher` outlives the permutation.
  /// Errors: InvalidArgument for a format outside the limits or of fewer than a million strings.
  [[nodiscard]] static Result<Ff1> make(const Cipher& cipher, const Format& format) {
    if (format.radix < 2) return fail(Fault::invalid_argument);
    std::uint64_t strings = 1;
    for (std::uint32_t i = 0; i < format.length && strings < ff1::kFewestStrings; ++i) {
      strings *= format.radix;
    }
    if (strings < ff1::kFewestStrings) return fail(Fault::invalid_argument);
    return make_small_for_tests(cipher, format);
  }

  /// The same without the least number of strings: a whole table of a small format is a test, and is no
  /// protection of anything.
  [[nodiscard]] static Result<Ff1> make_small_for_tests(const Cipher& cipher,
                                                        const Format& format) {
    if (format.radix < 2 || format.radix > kMostRadix || format.length < 2 ||
        format.length > 2 * 8 * kMostHalfBytes ||
        format.tweak.size() > std::numeric_limits<std::uint32_t>::max()) {
      return fail(Fault::invalid_argument);
    }
    const std::size_t half_bytes = bytes_of(format.radix, format.length - format.length / 2);
    if (half_bytes > kMostHalfBytes) return fail(Fault::invalid_argument);
    const ff1::Shape shape{format.radix, format.length, half_bytes};
    return Ff1{cipher, shape, ff1::head_of(cipher, shape, format.tweak)};
  }

  /// Replaces a string by its sealed form. Errors: WrongLength; ValueOverflow at the first numeral that is
  /// not below the radix. On an error the string is as it was.
  [[nodiscard]] Result<void> seal(std::span<std::uint16_t> numerals) const {
    if (auto fits = check(numerals); !fits) return fits;
    for (unsigned round = 0; round < ff1::kRounds; ++round) step<Way::seal>(numerals, round);
    return {};
  }

  /// The inverse of seal. The same errors.
  [[nodiscard]] Result<void> open(std::span<std::uint16_t> numerals) const {
    if (auto fits = check(numerals); !fits) return fits;
    for (unsigned round = ff1::kRounds; round-- > 0;) step<Way::open>(numerals, round);
    return {};
  }

 private:
  enum class Way : std::uint8_t { seal, open };
  static constexpr std::uint32_t kMostRadix = 65'536;

  /// A number of up to 512 bits, big-endian, at the end of the array.
  using Number = std::array<std::byte, kMostHalfBytes>;
  /// What a round adds: up to 4 bytes more, in words (d of algorithm 7 is a multiple of 4).
  using Words = std::array<std::uint32_t, kMostHalfBytes / 4 + 1>;

  Ff1(const Cipher& cipher, const ff1::Shape& shape, const ff1::Head& head)
      : cipher_(&cipher), shape_(shape), head_(head) {}

  /// number * radix + numeral in `size` bytes; false if it does not fit.
  static bool append(Number& number, std::size_t size, std::uint32_t radix, std::uint32_t numeral) {
    std::uint32_t carry = numeral;
    for (std::size_t i = 0; i < size; ++i) {
      std::byte& byte = number[number.size() - 1 - i];
      carry += static_cast<std::uint32_t>(byte) * radix;
      byte = static_cast<std::byte>(carry & 0xff);
      carry >>= 8;
    }
    return carry == 0;
  }

  /// Bytes of the largest number of `count` numerals, or more than kMostHalfBytes.
  static std::size_t bytes_of(std::uint32_t radix, std::uint32_t count) {
    Number largest{};
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!append(largest, largest.size(), radix, radix - 1)) return largest.size() + 1;
    }
    std::size_t zeros = 0;
    while (zeros < largest.size() && largest[zeros] == std::byte{0}) ++zeros;
    return largest.size() - zeros;
  }

  [[nodiscard]] Result<void> check(std::span<const std::uint16_t> numerals) const {
    if (numerals.size() != shape_.length) {
      return fail(Error::at(Fault::wrong_length,
                            numerals.size() < shape_.length ? numerals.size() : shape_.length));
    }
    for (std::size_t at = 0; at < numerals.size(); ++at) {
      if (numerals[at] >= shape_.radix) return fail(Error::at(Fault::value_overflow, at));
    }
    return {};
  }

  /// S of algorithm 7, steps 6.ii and 6.iii, as a number: its most significant word first.
  void draw(unsigned round, std::span<const std::uint16_t> half, std::span<std::uint32_t> s) const {
    Number number{};
    for (const std::uint16_t numeral : half) {
      static_cast<void>(append(number, shape_.half_bytes, shape_.radix, numeral));
    }
    CipherBlock r = head_.block;
    std::size_t at = head_.round_at;
    r[at++] ^= static_cast<std::byte>(round);
    for (const std::byte byte : std::span{number}.last(shape_.half_bytes)) {
      if (at == r.size()) {
        cipher_->encrypt_block(r);
        at = 0;
      }
      r[at++] ^= byte;
    }
    cipher_->encrypt_block(r);
    constexpr std::size_t kWords = sizeof(CipherBlock) / sizeof(std::uint32_t);
    for (std::size_t i = 0; i < s.size(); i += kWords) {
      CipherBlock block = r;
      if (i > 0) {
        block[block.size() - 1] ^= static_cast<std::byte>(i / kWords);
        cipher_->encrypt_block(block);
      }
      for (std::size_t word = 0; word < kWords && i + word < s.size(); ++word) {
        s[i + word] = load_be<std::uint32_t>(std::span<const std::byte>{block}.subspan(4 * word));
      }
    }
  }

  /// One round. The halves need not change places: the even rounds change the first one, the odd ones the
  /// last.
  template <Way W>
  void step(std::span<std::uint16_t> numerals, unsigned round) const {
    const std::size_t u = shape_.length / 2;
    const auto changed = round % 2 == 0 ? numerals.first(u) : numerals.subspan(u);
    const auto other = round % 2 == 0 ? numerals.subspan(u) : numerals.first(u);
    Words words{};
    const auto s = std::span{words}.first((shape_.half_bytes + 3) / 4 + 1);
    draw(round, other, s);
    std::uint32_t carry = 0;
    for (std::size_t i = changed.size(); i-- > 0;) {
      const std::uint32_t numeral = divide(s);
      if constexpr (W == Way::seal) {
        const std::uint32_t sum = changed[i] + numeral + carry;
        carry = sum >= shape_.radix ? 1 : 0;
        changed[i] = static_cast<std::uint16_t>(sum - carry * shape_.radix);
      } else {
        const std::uint32_t taken = numeral + carry;
        carry = changed[i] < taken ? 1 : 0;
        changed[i] = static_cast<std::uint16_t>(changed[i] + carry * shape_.radix - taken);
      }
    }
  }

  /// Divides by the radix and gives the remainder.
  [[nodiscard]] std::uint32_t divide(std::span<std::uint32_t> words) const {
    std::uint64_t rest = 0;
    for (std::uint32_t& word : words) {
      rest = rest << 32 | word;
      word = static_cast<std::uint32_t>(rest / shape_.radix);
      rest %= shape_.radix;
    }
    return static_cast<std::uint32_t>(rest);
  }

  const Cipher* cipher_;
  ff1::Shape shape_;
  ff1::Head head_;
};

}  // namespace mintmark
