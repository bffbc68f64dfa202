// SHA3-512: the digest that CUID2 is made of. FIPS 202.
//
// Why here: the public headers depend on nothing, and this one is short. It hashes one block of bytes that
// is there as a whole, also at compile time. It keeps no secret from whoever measures its time: its steps do
// not depend on the bytes, but nothing is erased.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mintmark {

namespace keccak {

/// The 1600 bits of the state as lanes: lane x + 5 y of FIPS 202, section 3.1.2.
using State = std::array<std::uint64_t, 25>;

/// What step iota adds, a round each: the output of the shift register of FIPS 202, section 3.2.5, of which
/// bit j + 7 i of the stream becomes bit 2^j - 1 of round i.
inline constexpr std::array<std::uint64_t, 24> kRoundConstants = [] {
  std::array<std::uint64_t, 24> constants{};
  unsigned shift_register = 1;
  for (std::uint64_t& constant : constants) {
    for (unsigned j = 0; j < 7; ++j) {
      if ((shift_register & 1) != 0) constant |= std::uint64_t{1} << ((1U << j) - 1);
      shift_register <<= 1;
      if ((shift_register & 0x100) != 0) shift_register ^= 0x171;  // x^8 + x^6 + x^5 + x^4 + 1
    }
  }
  return constants;
}();

/// The way of steps rho and pi through the lanes: from lane 1 on, each lane goes to the next one of this
/// list, turned left by the triangular number of its place (FIPS 202, sections 3.2.2 and 3.2.3).
inline constexpr std::array<std::uint8_t, 24> kWay = [] {
  std::array<std::uint8_t, 24> way{};
  unsigned x = 1;
  unsigned y = 0;
  for (std::uint8_t& lane : way) {
    const unsigned next_y = (2 * x + 3 * y) % 5;
    x = y;
    y = next_y;
    lane = static_cast<std::uint8_t>(x + 5 * y);
  }
  return way;
}();

/// Keccak-f[1600], FIPS 202, section 3.3. Unrolled, so that the lanes stay where the compiler puts them: a
/// third of the time.
constexpr void permute(State& state) {
  State lanes = state;
  for (const std::uint64_t round_constant : kRoundConstants) {
    State moved{};
    std::array<std::uint64_t, 5> columns{};
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) {
      columns[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    }
    std::array<std::uint64_t, 5> changes{};  // theta
#pragma GCC unroll 5
    for (std::size_t x = 0; x < 5; ++x) {
      changes[x] = columns[(x + 4) % 5] ^ std::rotl(columns[(x + 1) % 5], 1);
    }
    moved[0] = lanes[0] ^ changes[0];
#pragma GCC unroll 24
    for (unsigned t = 0; t < 24; ++t) {  // rho and pi
      const std::size_t from = t == 0 ? 1 : kWay[t - 1];
      moved[kWay[t]] =
          std::rotl(lanes[from] ^ changes[from % 5], static_cast<int>((t + 1) * (t + 2) / 2 % 64));
    }
#pragma GCC unroll 25
    for (std::size_t i = 0; i < 25; ++i) {  // chi
      const std::size_t row = i / 5 * 5;
      lanes[i] = moved[i] ^ (~moved[row + (i + 1) % 5] & moved[row + (i + 2) % 5]);
    }
    lanes[0] ^= round_constant;  // iota
  }
  state = lanes;
}

/// Adds a byte to the state as FIPS 202 numbers them: the first is the low end of lane 0.
constexpr void add(State& state, std::size_t at, std::uint8_t byte) {
  state[at / 8] ^= static_cast<std::uint64_t>(byte) << 8 * (at % 8);
}

}  // namespace keccak

/// The SHA3-512 digest of `message`. Pure; any thread may call it.
[[nodiscard]] constexpr std::array<std::byte, 64> sha3_512(std::span<const std::byte> message) {
  constexpr std::size_t kRate = 72;  // 1600 - 2 * 512 bits
  keccak::State state{};
  std::size_t at = 0;
  for (const std::byte byte : message) {
    keccak::add(state, at, static_cast<std::uint8_t>(byte));
    if (++at < kRate) continue;
    keccak::permute(state);
    at = 0;
  }
  keccak::add(state, at,
              0x06);  // the domain of the SHA3 functions and the first bit of the padding
  keccak::add(state, kRate - 1, 0x80);
  keccak::permute(state);
  std::array<std::byte, 64> digest{};
  for (std::size_t i = 0; i < digest.size(); ++i) {
    digest[i] = static_cast<std::byte>(state[i / 8] >> 8 * (i % 8) & 0xff);
  }
  return digest;
}

static_assert(keccak::kRoundConstants[0] == 1 &&
              keccak::kRoundConstants[23] == 0x80000000'80008008);
static_assert(keccak::kWay[0] == 10 && keccak::kWay[23] == 1);
// The digest of the empty message begins with a69f73cca23a9ac5 (NIST, examples of FIPS 202).
static_assert(sha3_512({})[0] == std::byte{0xa6} && sha3_512({})[7] == std::byte{0xc5} &&
              sha3_512({})[63] == std::byte{0x26});

}  // namespace mintmark
