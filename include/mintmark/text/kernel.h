// Kernel: the best way to write and read 128-bit texts that the including file is compiled for.
//
// The choice is made by the compiler's flags and by nothing else: -march=x86-64-v3 or -march=native gives
// AVX2, x86-64-v2 gives SSE4.1, all else the portable one. Each choice has names of its own, so that kernels
// of two kinds never share a symbol. What calls them is inline as well, so the rule of every header holds:
// all files of a program that use an inline function are compiled with the same -m flags. A program that
// has to run on any machine and be fast on a good one asks the CPU at run time, as src/io/text_kernels.h
// does.
//
// A reader says yes or no. Callers look for the position of the error themselves, as it seldom matters.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/lanes.h"
#if defined(__SSE4_1__)
#include "mintmark/text/x86.h"
#endif

namespace mintmark::kernel {

#if defined(__SSE4_1__)
/// From two registers: over memory, one long load would have to wait for two short stores.
[[nodiscard]] inline __m128i lanes_of(U128 value) {
  return _mm_set_epi64x(static_cast<long long>(value >> 64), static_cast<long long>(value));
}
#endif

// What each namespace below offers:
//   kName                        for display
//   write_uuid<A>(octets, out)   the canonical form, 36 characters of 16 octets
//   read_uuid(text, octets)      the reverse, in either case
//   kReadsBase32<A>, kWritesBase32<A>   whether there is one of the next two
//   read_base32<A>(text, value)  26 characters as 128 bits; of the first character only three bits are taken
//   write_base32<A>(value, out)  the reverse

#if defined(__SSE4_1__)
#if defined(__AVX2__)
inline namespace avx2 {
inline constexpr std::string_view kName = "avx2";

[[nodiscard]] inline x86::Read read_uuid(const char* text) { return x86::read_uuid_avx2(text); }
template <const Alphabet& A>
[[nodiscard]] inline x86::Read read_base32(const char* text) {
  return x86::read_base32_avx2<A, x86::ByteOrder::little>(text);
}
template <const Alphabet& A>
inline void write_base32(U128 value, char* out) {
  x86::write_base32_avx2<A, x86::ByteOrder::little>(lanes_of(value), out);
}
#else
inline namespace sse4 {
inline constexpr std::string_view kName = "sse4";

[[nodiscard]] inline x86::Read read_uuid(const char* text) { return x86::read_uuid(text); }
template <const Alphabet& A>
[[nodiscard]] inline x86::Read read_base32(const char* text) {
  return x86::read_base32<A, x86::ByteOrder::little>(text);
}
template <const Alphabet& A>
inline void write_base32(U128 value, char* out) {
  x86::write_base32<A, x86::ByteOrder::little>(lanes_of(value), out);
}
#endif

template <const Alphabet& A>
inline constexpr bool kReadsBase32 = x86::kBase32Rows<A>.complete&& A.value_of('0') == 0;
template <const Alphabet& A>
inline constexpr bool kWritesBase32 = A.size() == 32;

template <const Alphabet& A>
inline void write_uuid(const std::byte* octets, char* out) {
  x86::write_uuid<A>(x86::load(octets), out);
}
[[nodiscard]] inline bool read_uuid(const char* text, std::byte* octets) {
  const x86::Read read = read_uuid(text);
  x86::store(octets, read.bytes);
  return read.valid;
}
template <const Alphabet& A>
[[nodiscard]] inline bool read_base32(const char* text, U128& value) {
  const x86::Read read = read_base32<A>(text);
  value = std::bit_cast<U128>(read.bytes);
  return read.valid;
}
}  // namespace avx2 or sse4

#else
inline namespace portable {
inline constexpr std::string_view kName = "portable";

[[nodiscard]] inline std::uint32_t four(const char* from) {
  std::uint32_t chars;
  std::memcpy(&chars, from, sizeof chars);
  return chars;
}

template <const Alphabet& A>
inline void write_uuid(const std::byte* octets, char* out) {
  // Two long stores put the first 8 and the last 12 digits in place; the groups between them follow.
  const auto text = lanes::hex_of<A>(lanes::load(octets));
  const auto front = std::bit_cast<lanes::Fours>(text.front);
  const auto back = std::bit_cast<lanes::Fours>(text.back);
  const std::array<std::uint32_t, 3> groups{front[2], front[3], back[0]};
  lanes::store(out, text.front);
  lanes::store(out + 20, text.back);
  std::memcpy(out + 9, &groups[0], 4);
  std::memcpy(out + 14, &groups[1], 4);
  std::memcpy(out + 19, &groups[2], 4);
  out[8] = out[13] = out[18] = out[23] = '-';
}

[[nodiscard]] inline bool read_uuid(const char* text, std::byte* octets) {
  const lanes::Fours front{four(text), four(text + 4), four(text + 9), four(text + 14)};
  const lanes::Fours back{four(text + 19), four(text + 24), four(text + 28), four(text + 32)};
  const auto read =
      lanes::bytes_of({std::bit_cast<lanes::Lanes>(front), std::bit_cast<lanes::Lanes>(back)});
  lanes::store(octets, read.bytes);
  return read.valid & (lanes::missing_hyphens(text) == 0);
}

/// Plain look-ups do as well as lanes here, and slice.h has them for every width.
template <const Alphabet& A>
inline constexpr bool kReadsBase32 = false;
template <const Alphabet& A>
inline constexpr bool kWritesBase32 = false;
template <const Alphabet& A>
bool read_base32(const char* text, U128& value) = delete;
template <const Alphabet& A>
void write_base32(U128 value, char* out) = delete;
}  // namespace portable
#endif

}  // namespace mintmark::kernel
