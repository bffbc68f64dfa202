// Digests: MD5, SHA-1 and SHA-256, as small code that the compiler can run as well.
//
// Why here: the name-based UUIDs are defined by them, the pure headers may link nothing, and a UUID of a
// constant name should be a constant. The text that is digested is short, so this is plain rather than
// fast; src/ has OpenSSL for everything else.
//
// Not for security: MD5 and SHA-1 are broken as signatures (RFC 6151, RFC 6194). A UUID of a name that a
// stranger chose proves nothing about the name.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"

namespace mintmark {

/// A digest that is fed piece by piece. Rules is what differs between the three: a State of 32-bit words,
/// the one to start from, the order of bytes in a word, and how one block changes the State.
/// One thread at a time; a copy goes on by itself.
template <class Rules>
class BlockDigest {
 public:
  static constexpr std::size_t kSize = sizeof(typename Rules::State);  ///< bytes of the digest
  using Value = std::array<std::byte, kSize>;

  constexpr void update(std::span<const std::byte> piece) {
    for (const std::byte byte : piece) take(byte);
  }
  /// The bytes of the text as they are.
  constexpr void update(std::string_view piece) {
    for (const char c : piece) take(static_cast<std::byte>(c));
  }

  /// The digest of all that came so far. More may follow: the digest of a common beginning is worth
  /// keeping.
  [[nodiscard]] constexpr Value finish() const {
    // RFC 1321 section 3.1, 3.2 and FIPS 180-4 section 5.1.1: a one, zeros, and the length in bits.
    BlockDigest rest = *this;
    const std::uint64_t bits = length_ * 8;
    rest.take(std::byte{0x80});
    while (rest.length_ % kBlock != kBlock - sizeof bits) rest.take(std::byte{0});
    for (std::size_t i = 0; i < sizeof bits; ++i) rest.take(byte_of(bits, i, sizeof bits));
    Value value{};
    for (std::size_t i = 0; i < value.size(); ++i) value[i] = byte_of(rest.state_[i / 4], i % 4, 4);
    return value;
  }

  [[nodiscard]] static constexpr Value of(std::span<const std::byte> whole) {
    BlockDigest digest;
    digest.update(whole);
    return digest.finish();
  }
  [[nodiscard]] static constexpr Value of(std::string_view whole) {
    BlockDigest digest;
    digest.update(whole);
    return digest.finish();
  }

 private:
  static constexpr std::size_t kBlock = 64;

  /// Byte number `index` of `size` in the order of the rules.
  static constexpr std::byte byte_of(std::uint64_t word, std::size_t index, std::size_t size) {
    const std::size_t below = Rules::kOrder == std::endian::little ? index : size - 1 - index;
    return static_cast<std::byte>(word >> (8 * below) & 0xff);
  }

  constexpr void take(std::byte byte) {
    block_[length_++ % kBlock] = byte;
    if (length_ % kBlock != 0) return;
    std::array<std::uint32_t, 16> words{};
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto word = load_be<std::uint32_t>(std::span{block_}.subspan(4 * i));
      words[i] = Rules::kOrder == std::endian::little ? std::byteswap(word) : word;
    }
    Rules::absorb(state_, words);
  }

  typename Rules::State state_ = Rules::kStart;
  std::array<std::byte, kBlock> block_{};
  std::uint64_t length_ = 0;  ///< bytes so far; the block holds the last length_ % kBlock of them
};

/// RFC 1321, section 3.
struct Md5Rules {
  using State = std::array<std::uint32_t, 4>;
  static constexpr std::endian kOrder = std::endian::little;
  static constexpr State kStart{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

  static constexpr void absorb(State& state, const std::array<std::uint32_t, 16>& words) {
    auto [a, b, c, d] = state;
    for (std::size_t i = 0; i < 64; ++i) {
      std::uint32_t mixed = 0;
      std::size_t word = 0;
      switch (i / 16) {
        case 0:
          mixed = (b & c) | (~b & d);
          word = i;
          break;
        case 1:
          mixed = (d & b) | (~d & c);
          word = (5 * i + 1) % 16;
          break;
        case 2:
          mixed = b ^ c ^ d;
          word = (3 * i + 5) % 16;
          break;
        default:
          mixed = c ^ (b | ~d);
          word = 7 * i % 16;
          break;
      }
      const std::uint32_t sum = a + mixed + kSines[i] + words[word];
      a = d;
      d = c;
      c = b;
      b += std::rotl(sum, kTurns[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
  }

 private:
  static constexpr int kTurns[4][4]{
      {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

  /// floor(2^32 * |sin(i + 1)|).
  static constexpr std::array<std::uint32_t, 64> kSines{
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
      0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
      0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
      0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
      0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
      0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
      0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
      0xeb86d391};
};

/// FIPS 180-4, section 6.1.
struct Sha1Rules {
  using State = std::array<std::uint32_t, 5>;
  static constexpr std::endian kOrder = std::endian::big;
  static constexpr State kStart{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

  static constexpr void absorb(State& state, const std::array<std::uint32_t, 16>& words) {
    std::array<std::uint32_t, 80> schedule{};
    std::ranges::copy(words, schedule.begin());
    for (std::size_t i = 16; i < schedule.size(); ++i) {
      schedule[i] =
          std::rotl(schedule[i - 3] ^ schedule[i - 8] ^ schedule[i - 14] ^ schedule[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      const std::uint32_t mixed = i < 20              ? (b & c) | (~b & d)
                                  : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d)
                                                      : b ^ c ^ d;
      const std::uint32_t next = std::rotl(a, 5) + mixed + e + kRounds[i / 20] + schedule[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
  }

 private:
  static constexpr std::array<std::uint32_t, 4> kRounds{0x5a827999, 0x6ed9eba1, 0x8f1bbcdc,
                                                        0xca62c1d6};
};

/// FIPS 180-4, section 6.2.
struct Sha256Rules {
  using State = std::array<std::uint32_t, 8>;
  static constexpr std::endian kOrder = std::endian::big;
  static constexpr State kStart{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

  static constexpr void absorb(State& state, const std::array<std::uint32_t, 16>& words) {
    std::array<std::uint32_t, 64> schedule{};
    std::ranges::copy(words, schedule.begin());
    for (std::size_t i = 16; i < schedule.size(); ++i) {
      const std::uint32_t early = schedule[i - 15];
      const std::uint32_t late = schedule[i - 2];
      schedule[i] = schedule[i - 16] + schedule[i - 7] +
                    (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) +
                    (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
      const std::uint32_t chosen = (e & f) ^ (~e & g);
      const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                  chosen + kRounds[i] + schedule[i];
      const std::uint32_t second =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
      h = g;
      g = f;
      f = e;
      e = d + first;
      d = c;
      c = b;
      b = a;
      a = first + second;
    }
    const State added{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
  }

 private:
  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  static constexpr std::array<std::uint32_t, 64> kRounds{
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
      0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
      0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
      0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
      0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
      0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
      0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
      0xc67178f2};
};

using Md5 = BlockDigest<Md5Rules>;
using Sha1 = BlockDigest<Sha1Rules>;
using Sha256 = BlockDigest<Sha256Rules>;

// RFC 1321 appendix A.5; FIPS 180-2 appendices A.1 and B.1: the digests of "abc".
static_assert(load_be<std::uint64_t>(Md5::of("abc")) == 0x900150983cd24fb0);
static_assert(load_be<std::uint64_t>(Sha1::of("abc")) == 0xa9993e364706816a);
static_assert(load_be<std::uint64_t>(Sha256::of("abc")) == 0xba7816bf8f01cfea);

}  // namespace mintmark
