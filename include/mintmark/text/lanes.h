// Lanes: sixteen bytes at once, in the compilers' own vector type.
//
// Why not intrinsics: the vector type means the same on x86-64, ARM and WebAssembly, and is as fast here.
// What it becomes is fixed when the including file is compiled; nothing asks the CPU at run time, so
// that two files built with different flags cannot disagree about an inline function.
//
// None of this is constexpr; the callers keep a plain loop for constant evaluation.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "mintmark/text/alphabet.h"

namespace mintmark::lanes {

/// Lane 0 is the byte at the lowest address, on every machine.
using Lanes = std::uint8_t __attribute__((vector_size(16)));

[[nodiscard]] inline Lanes load(const void* from) {
  Lanes value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void store(void* to, Lanes value) { std::memcpy(to, &value, sizeof value); }

/// The same sixteen bytes as two words in memory order. Words stay in registers; a detour over an array
/// would have the CPU wait for two short stores before one long load.
using Words = std::uint64_t __attribute__((vector_size(16)));
using Fours = std::uint32_t __attribute__((vector_size(16)));
using Pairs = std::uint16_t __attribute__((vector_size(16)));

[[nodiscard]] inline Lanes join(std::uint64_t first, std::uint64_t second) {
  return std::bit_cast<Lanes>(Words{first, second});
}

/// Two numbers as their bytes, the most significant first.
[[nodiscard]] inline Lanes big_endian(std::uint64_t first, std::uint64_t second) {
  if constexpr (std::endian::native == std::endian::big) return join(first, second);
  return join(std::byteswap(first), std::byteswap(second));
}

[[nodiscard]] inline Lanes all(std::uint8_t byte) { return Lanes{} + byte; }

/// The bytes of two words, the lowest byte of each first.
[[nodiscard]] inline Lanes little_endian(Words words) {
  const Lanes bytes = std::bit_cast<Lanes>(words);
  if constexpr (std::endian::native == std::endian::little) return bytes;
  return __builtin_shufflevector(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9,
                                 8);
}

/// All ones in each lane of `a` that is greater than that of `b`, else zero. REQUIRES: all lanes < 128,
/// because the oldest x86-64 compares signed bytes only.
[[nodiscard]] inline Lanes greater(Lanes a, Lanes b) {
  using Signed = std::int8_t __attribute__((vector_size(16)));
  return std::bit_cast<Lanes>(std::bit_cast<Signed>(a) > std::bit_cast<Signed>(b));
}

/// The characters of sixteen values. REQUIRES: every lane < A.size().
template <const Alphabet& A>
[[nodiscard]] inline Lanes chars_of(Lanes values) {
  static constexpr auto kSteps = A.steps();
  const auto step = [values]<std::size_t I>() {
    const Lanes reached = greater(values, all(static_cast<std::uint8_t>(kSteps[I].at - 1)));
    if constexpr (kSteps[I].by == 1) return Lanes{} - reached;  // all ones are -1
    return reached & all(kSteps[I].by);
  };
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((values + all(kSteps[0].by)) + ... + step.template operator()<I + 1>());
  }
  (std::make_index_sequence<kSteps.size() - 1>{});
}

/// The 32 hex digits of sixteen bytes: those of bytes 0 to 7, then those of bytes 8 to 15.
struct HexText {
  Lanes front;
  Lanes back;
};

template <const Alphabet& A>
[[nodiscard]] inline HexText hex_of(Lanes bytes) {
  const Lanes high = bytes >> 4;
  const Lanes low = bytes & all(0x0f);
  const Lanes front =
      __builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const Lanes back = __builtin_shufflevector(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                             29, 14, 30, 15, 31);
  return {chars_of<A>(front), chars_of<A>(back)};
}

/// Sixteen bytes and whether every digit they were read from was one.
struct HexBytes {
  Lanes bytes;
  bool valid;
};

/// All ones in each lane that is one of `count` characters from `first` on. The range is moved to where the
/// signed numbers begin, because the oldest x86-64 compares signed bytes only.
[[nodiscard]] inline Lanes are_in(Lanes chars, char first, int count) {
  using Signed = std::int8_t __attribute__((vector_size(16)));
  const Lanes moved = chars + all(static_cast<std::uint8_t>(0x80 - first));
  return std::bit_cast<Lanes>(std::bit_cast<Signed>(moved) <
                              Signed{} + static_cast<std::int8_t>(count - 128));
}

/// Reads 32 hex digits of either case, and ASCII only.
[[nodiscard]] inline HexBytes bytes_of(HexText text) {
  Lanes all_valid = all(0xff);
  const auto nibbles = [&all_valid](Lanes chars) {
    const Lanes is_letter = are_in(chars | all(0x20), 'a', 6);
    all_valid &= are_in(chars, '0', 10) | is_letter;
    return (chars & all(0x0f)) + (is_letter & all(9));
  };
  // The high digit of a pair has the lower address; both go to where the shuffle takes its even bytes.
  const auto joined = [](Lanes digits) {
    const auto pairs = std::bit_cast<Pairs>(digits);
    if constexpr (std::endian::native == std::endian::little) {
      return std::bit_cast<Lanes>(pairs << 4 | pairs >> 8);
    } else {
      return std::bit_cast<Lanes>((pairs >> 4 | pairs) << 8);
    }
  };
  const Lanes front = joined(nibbles(text.front));
  const Lanes back = joined(nibbles(text.back));
  const Lanes bytes = __builtin_shufflevector(front, back, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                              22, 24, 26, 28, 30);
  const auto words = std::bit_cast<Words>(all_valid);
  return {bytes, (words[0] & words[1]) == ~std::uint64_t{0}};
}

/// Zero exactly if a canonical UUID has its hyphens: two words hold two of them each, equally far apart.
[[nodiscard, gnu::always_inline]] inline std::uint64_t missing_hyphens(const char* text) {
  constexpr auto kHyphens =
      std::bit_cast<std::uint64_t>(std::array<char, 8>{'-', 0, 0, 0, 0, '-', 0, 0});
  constexpr auto kPlaces =
      std::bit_cast<std::uint64_t>(std::array<char, 8>{-1, 0, 0, 0, 0, -1, 0, 0});
  std::uint64_t front;
  std::uint64_t back;
  std::memcpy(&front, text + 8, sizeof front);
  std::memcpy(&back, text + 18, sizeof back);
  return ((front ^ kHyphens) | (back ^ kHyphens)) & kPlaces;
}

}  // namespace mintmark::lanes
