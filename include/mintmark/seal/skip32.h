// Skip32: a block cipher of 32-bit blocks, made of Skipjack's parts (Greg Rose, 1999), with a key of 80 bits
// and 24 rounds. Here to read and to go on writing what other programs issue with it.
//
// Not for new systems: 2^32 numbers are few enough to be listed, and nobody has published an analysis of this
// construction. Take Permutation, whose domain may be 2^32 as well.
//
//   value      [ left 16 ][ right 16 ]    big-endian, as `pack "N"` of Crypt::Skip32 has it
//   a round    right ^= G(key, round, left) ^ round, then the halves change places
//
// What it refuses: keys that are not 10 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/permutation.h"
#include "mintmark/text/slice.h"

namespace mintmark {

namespace skip32 {

/// The F-table of Skipjack ("SKIPJACK and KEA Algorithm Specifications", 1998, table 1).
inline constexpr auto kTable = [] {
  constexpr std::string_view kHex =
      "a3d70983f848f6f4b321157899b1aff9e72d4d8ace4cca2e5295d91e4e384428"
      "0adf02a017f1606812b77ac3e9fa3d5396846bbaf2639a197caee5f5f7166aa2"
      "39b67b0fc193811beeb41aead0912fb855b9da853f41bfe05a58805f660bd890"
      "35d5c0a733066569450094566d989b7697fcb2c2b0fedb20e1ebd6e4dd474a1d"
      "42ed9e6e493ccd4327d207d4dec7671889cb301f8dc68faac874dcc95d5c31a4"
      "7088612c9f0d2b8750825464267d0340344b1c73d1c4fd3bccfb7fabe63e5ba5"
      "ad04239c145122f02979717eff8c0ee20cefbc72756f37a1ecd38e628b8610e8"
      "087711be924f24c532369dcff3a6bbac5e6ca9135725b5e3bda83a0105592a46";
  std::array<std::byte, 256> table{};
  MINTMARK_CHECK(parse_hex(kHex, table));
  return table;
}();

}  // namespace skip32

/// Skip32 under one key. Immutable; any thread may use it.
class Skip32 {
 public:
  using Value = std::uint32_t;

  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Skip32> make(std::span<const std::byte> key) {
    Skip32 cipher;
    if (key.size() != cipher.key_.size()) return fail(Error::at(Fault::wrong_length, key.size()));
    for (std::size_t i = 0; i < key.size(); ++i) cipher.key_[i] = key[i];
    return cipher;
  }

  [[nodiscard]] constexpr std::uint32_t largest() const { return ~std::uint32_t{0}; }

  /// Never fails.
  [[nodiscard]] constexpr Result<std::uint32_t> seal(std::uint32_t value) const {
    auto left = static_cast<std::uint16_t>(value >> 16);
    auto right = static_cast<std::uint16_t>(value & 0xffff);
    for (unsigned round = 0; round < kRounds; round += 2) {
      right = static_cast<std::uint16_t>(right ^ mix(round, left));
      left = static_cast<std::uint16_t>(left ^ mix(round + 1, right));
    }
    return static_cast<std::uint32_t>(right) << 16 | left;
  }

  /// The inverse of seal. Never fails.
  [[nodiscard]] constexpr Result<std::uint32_t> open(std::uint32_t value) const {
    auto right = static_cast<std::uint16_t>(value >> 16);
    auto left = static_cast<std::uint16_t>(value & 0xffff);
    for (unsigned round = kRounds; round > 0; round -= 2) {
      left = static_cast<std::uint16_t>(left ^ mix(round - 1, right));
      right = static_cast<std::uint16_t>(right ^ mix(round - 2, left));
    }
    return static_cast<std::uint32_t>(left) << 16 | right;
  }

 private:
  static constexpr unsigned kRounds = 24;

  constexpr Skip32() = default;

  /// Skipjack's G with the round's four bytes of the key, and the number of the round.
  [[nodiscard]] constexpr unsigned mix(unsigned round, std::uint16_t half) const {
    std::array<std::byte, 2> g{static_cast<std::byte>(half >> 8),
                               static_cast<std::byte>(half & 0xff)};
    for (std::size_t i = 0; i < 4; ++i) {
      const std::byte at = g[1 - i % 2] ^ key_[(4 * round + i) % key_.size()];
      g[i % 2] ^= skip32::kTable[static_cast<std::size_t>(at)];
    }
    return (static_cast<unsigned>(g[0]) << 8 | static_cast<unsigned>(g[1])) ^ round;
  }

  std::array<std::byte, 10> key_{};
};

static_assert(KeyedPermutation<Skip32>);

namespace skip32_checks {
// The self-test of the published implementation.
constexpr Skip32 cipher() {
  std::array<std::byte, 10> key{};
  MINTMARK_CHECK(parse_hex("00998877665544332211", key));
  return *Skip32::make(key);
}
static_assert(cipher().seal(0x33221100) == 0x819d5f1f);
static_assert(cipher().open(0x819d5f1f) == 0x33221100);
}  // namespace skip32_checks

}  // namespace mintmark
