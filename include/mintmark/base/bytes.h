// Bytes: big-endian loads and stores, and the one 128-bit integer type.
//
// Why big-endian everywhere: the byte order of every ID in this library is the order in which it
// sorts, so that memcmp, the text and the integer agree.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace mintmark {

__extension__ using U128 = unsigned __int128;

template <class T>
concept UnsignedWord = std::same_as<T, std::uint16_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::uint64_t> || std::same_as<T, U128>;

/// The integer in the first sizeof(T) bytes. REQUIRES: from.size() >= sizeof(T).
template <UnsignedWord T>
[[nodiscard]] constexpr T load_be(std::span<const std::byte> from) {
  if
    consteval {
      T value = 0;
      for (std::size_t i = 0; i < sizeof(T); ++i) {
        value = static_cast<T>(static_cast<T>(value << 8) | static_cast<T>(from[i]));
      }
      return value;
    }
  else {
    if constexpr (std::same_as<T, U128>) {
      return static_cast<U128>(load_be<std::uint64_t>(from)) << 64 |
             load_be<std::uint64_t>(from.subspan(8));
    } else {
      T value;
      std::memcpy(&value, from.data(), sizeof value);
      if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
      return value;
    }
  }
}

/// Writes the integer to the first sizeof(T) bytes. REQUIRES: to.size() >= sizeof(T).
template <UnsignedWord T>
constexpr void store_be(std::span<std::byte> to, T value) {
  if
    consteval {
      for (std::size_t i = sizeof(T); i-- > 0;) {
        to[i] = static_cast<std::byte>(value & 0xff);
        value = static_cast<T>(value >> 8);
      }
    }
  else {
    if constexpr (std::same_as<T, U128>) {
      store_be(to, static_cast<std::uint64_t>(value >> 64));
      store_be(to.subspan(8), static_cast<std::uint64_t>(value));
    } else {
      if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
      std::memcpy(to.data(), &value, sizeof value);
    }
  }
}

/// A word whose lowest `bits` bits are ones. REQUIRES: bits <= 64.
[[nodiscard]] constexpr std::uint64_t low_bits(unsigned bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

}  // namespace mintmark
