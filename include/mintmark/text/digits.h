// Digits: decimal digits eight and sixteen at a time, for radix.h.
//
// A number is split in halves until every lane of a word holds one digit: 8 = 4 + 4, 4 = 2 + 2, 2 = 1 + 1,
// and read by the reverse. That takes as many steps as the digits can be halved, not as there are digits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "mintmark/text/lanes.h"

namespace mintmark::digits {

inline constexpr std::uint64_t kTenTo8 = 100'000'000;
inline constexpr std::uint64_t kTenTo16 = kTenTo8 * kTenTo8;

/// Eight decimal digits of a value below 10^8, one a byte, the first digit in the lowest byte.
[[nodiscard]] constexpr std::uint64_t eight_of(std::uint32_t value) {
  // x * 10486 >> 20 is x / 100 below 10^4, x * 103 >> 10 is x / 10 below 100.
  const std::uint64_t four = value / 10'000 | static_cast<std::uint64_t>(value % 10'000) << 32;
  const std::uint64_t hundreds = (four * 10'486 >> 20) & 0x0000007f'0000007f;
  const std::uint64_t two = hundreds | (four - 100 * hundreds) << 16;
  const std::uint64_t tens = (two * 103 >> 10) & 0x000f000f'000f000f;
  return tens | (two - 10 * tens) << 8;
}

constexpr void store_eight(std::uint64_t digits, char* to) {
  digits += 0x3030303030303030;
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    std::memcpy(to, &digits, sizeof digits);
  } else {
    for (unsigned i = 0; i < 8; ++i) to[i] = static_cast<char>(digits >> 8 * i & 0xff);
  }
}

[[nodiscard]] constexpr std::uint64_t load_eight(const char* from) {
  std::uint64_t chars = 0;
  if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    std::memcpy(&chars, from, sizeof chars);
  } else {
    for (unsigned i = 0; i < 8; ++i) {
      chars |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << 8 * i;
    }
  }
  return chars;
}

/// Every byte is one of '0' to '9': the high half is 3, also after adding 6 to the low half.
[[nodiscard]] constexpr bool are_digits(std::uint64_t chars) {
  constexpr std::uint64_t kHighHalves = 0xf0f0f0f0f0f0f0f0;
  constexpr std::uint64_t kThrees = 0x3030303030303030;
  return (((chars & kHighHalves) ^ kThrees) |
          (((chars + 0x0606060606060606) & kHighHalves) ^ kThrees)) == 0;
}

/// The number that eight digits are; the reverse of eight_of.
[[nodiscard]] constexpr std::uint64_t number_of(std::uint64_t chars) {
  chars &= 0x0f0f0f0f0f0f0f0f;
  chars = (chars * 10 + (chars >> 8)) & 0x00ff00ff00ff00ff;
  chars = (chars * 100 + (chars >> 16)) & 0x0000ffff0000ffff;
  return (chars * 10'000 + (chars >> 32)) & 0xffffffff;
}

/// Writes sixteen digits, with leading zeros. Little-endian machines only. REQUIRES: value < 10^16.
inline void store_sixteen(std::uint64_t value, char* to) {
  using lanes::Fours;
  using lanes::Pairs;
  const auto split = [](std::uint64_t eight) {
    const auto narrow = static_cast<std::uint32_t>(eight);
    return narrow / 10'000 | static_cast<std::uint64_t>(narrow % 10'000) << 32;
  };
  const auto above = [](Pairs pairs) {
    return std::bit_cast<Pairs>(std::bit_cast<Fours>(pairs) << 16);
  };
  const auto four =
      std::bit_cast<Pairs>(lanes::Words{split(value / kTenTo8), split(value % kTenTo8)});
  const Pairs hundreds = four / 100;
  // A factor that differs by lane keeps the compiler from five shifts and sums in place of one product.
  const Pairs two =
      hundreds + above(four) - above(hundreds) * Pairs{1, 100, 1, 100, 1, 100, 1, 100};
  const Pairs tens = two / 10;
  const Pairs one = tens | (two - tens * 10) << 8;
  lanes::store(to, std::bit_cast<lanes::Lanes>(one) + lanes::all('0'));
}

/// A number and whether every digit it was read from was one.
struct Number {
  std::uint64_t value;
  bool valid;
};

/// Reads sixteen digits. Little-endian machines only.
[[nodiscard]] inline Number load_sixteen(const char* from) {
  using lanes::Fours;
  using lanes::Pairs;
  const lanes::Lanes chars = lanes::load(from);
  const auto valid = std::bit_cast<lanes::Words>(lanes::are_in(chars, '0', 10));
  const auto one = std::bit_cast<Pairs>(chars & lanes::all(0x0f));
  const Pairs two = (one * 10 + (one >> 8)) & 0xff;
  const auto tens = std::bit_cast<Fours>(two * Pairs{100, 1, 100, 1, 100, 1, 100, 1});
  const auto four = std::bit_cast<lanes::Words>((tens + (tens >> 16)) & 0xffff);
  const auto eight = [](std::uint64_t word) { return (word * 10'000 + (word >> 32)) & 0xffffffff; };
  return {eight(four[0]) * kTenTo8 + eight(four[1]), (valid[0] & valid[1]) == ~std::uint64_t{0}};
}

static_assert(eight_of(12'345'678) == 0x08'07'06'05'04'03'02'01);
static_assert(number_of(0x3837363534333231) == 12'345'678);
static_assert(are_digits(0x3930393039303930) && !are_digits(0x3930393a39303930) &&
              !are_digits(0x392f393039303930));

}  // namespace mintmark::digits
