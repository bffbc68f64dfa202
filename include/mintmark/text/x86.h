// x86: the texts of UUID and of base32 by the byte shuffles of x86-64.
//
// Every function carries the instructions that it needs as an attribute, so that it means the same in every
// file, whatever flags that is compiled with. Who calls one has made sure of the CPU: kernel.h takes the
// best that the including file is compiled for, src/io/text_kernels.cc asks the CPU.
//
// Nothing here touches a byte outside of the text. Refusals are a yes or no; the caller finds the position.
#pragma once

#if defined(__x86_64__)

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "mintmark/text/alphabet.h"
#include "mintmark/text/lanes.h"

namespace mintmark::x86 {

#define MINTMARK_SSE4 gnu::target("sse4.1"), gnu::always_inline
#define MINTMARK_AVX2 gnu::target("avx2"), gnu::always_inline

/// Sixteen bytes that were read from a text, and whether the text was one.
struct Read {
  __m128i bytes;
  bool valid;
};

/// Where the bytes of a number lie: in UUIDs and stored IDs the most significant is first, in a U128 last.
enum class ByteOrder : std::uint8_t { big, little };

[[gnu::always_inline]] inline __m128i load(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
[[gnu::always_inline]] inline void store(void* to, __m128i value) {
  _mm_storeu_si128(static_cast<__m128i*>(to), value);
}

/// Sixteen bytes that a shuffle looks up; a second time for the upper half of a long register.
struct alignas(32) Table {
  char bytes[32]{};

  constexpr Table() = default;
  consteval explicit Table(std::array<int, 16> row) {
    for (std::size_t i = 0; i < row.size(); ++i) set(i, row[i]);
  }
  constexpr void set(std::size_t i, int byte) {
    bytes[i] = bytes[i + 16] = static_cast<char>(byte);
  }
};
[[gnu::always_inline]] inline __m128i load(const Table& table) { return load(table.bytes); }
[[MINTMARK_AVX2]] inline __m256i both(const Table& table) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(table.bytes));
}

/// Sixteen characters of an alphabet, from that of value kFrom on.
template <const Alphabet& A, std::size_t kFrom>
inline constexpr Table kChars = [] {
  Table table;
  for (std::size_t i = 0; i < 16; ++i) table.set(i, A[kFrom + i]);
  return table;
}();

struct Hex {
  /// What to add to a digit that has this high half.
  static constexpr Table offset{{0, 0, 0, -'0', 10 - 'A', 0, 10 - 'a'}};
  /// A bit for each kind of digit, 1 decimal and 2 letter: by its high half, and by its low half.
  static constexpr Table by_high{{0, 0, 0, 1, 2, 0, 2}};
  static constexpr Table by_low{{1, 3, 3, 3, 3, 3, 3, 1, 1, 1}};
};

/// The values of a base32 alphabet of digits and letters, row by row of ASCII; -1 stands for nothing.
template <const Alphabet& A>
struct Base32Rows {
  Table digits;  ///< 0x30 to 0x3f
  Table to_o;    ///< 0x60 to 0x6f
  Table from_p;  ///< 0x70 to 0x7f
  /// Whether the rows 0x40 and 0x50 are the same as the last two, or hold nothing.
  LetterCase letters = LetterCase::strict;
  /// Whether that is all there is to the alphabet.
  bool complete = false;

  consteval Base32Rows() {
    const auto value = [](std::size_t code) { return A.value_of(static_cast<char>(code)); };
    bool either = true;
    bool lower = true;
    for (std::size_t i = 0; i < 16; ++i) {
      digits.set(i, value(0x30 + i));
      to_o.set(i, value(0x60 + i));
      from_p.set(i, value(0x70 + i));
      for (const std::size_t code : {0x40 + i, 0x50 + i}) {
        either = either && value(code) == value(code + 0x20);
        lower = lower && value(code) == Alphabet::kNone;
      }
    }
    bool outside = false;
    for (std::size_t code = 0; code < 0x30; ++code) {
      outside = outside || value(code) != Alphabet::kNone;
    }
    letters = either ? LetterCase::either : LetterCase::strict;
    complete = A.size() == 32 && (either || lower) && !outside;
  }
};
template <const Alphabet& A>
inline constexpr Base32Rows<A> kBase32Rows;

/// Where the 16-bit words lie that hold characters 2 * i and 2 * i + 1 of 128 bits, from pair kFirst on. Ten
/// bits, of which the first two are in front of the value: they begin at bit 10 * i - 2.
template <ByteOrder kOrder, std::size_t kFirst>
struct Base32Pairs {
  alignas(16) char places[16]{};
  alignas(
      16) std::uint16_t down[8]{};    ///< the first character to the low byte, by the high product
  alignas(16) std::uint16_t up[8]{};  ///< the second one to the high byte, by the low product

  constexpr Base32Pairs() {
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t bit = 10 * (kFirst + i) + 6;  // counted from 8 bits in front of the value
      const std::size_t behind = 6 - bit % 8;         // bits of the word behind the pair
      places[2 * i] = place(bit / 8 + 1);
      places[2 * i + 1] = place(bit / 8);
      down[i] = static_cast<std::uint16_t>(1U << (11 - behind));
      up[i] = static_cast<std::uint16_t>(1U << (8 - behind));
    }
  }
  /// Of an octet, counted from the one in front of the value.
  static constexpr char place(std::size_t octet) {
    if (octet == 0) return -1;
    return static_cast<char>(kOrder == ByteOrder::big ? octet - 1 : 16 - octet);
  }
};
template <ByteOrder kOrder, std::size_t kFirst>
inline constexpr Base32Pairs<kOrder, kFirst> kBase32Pairs;

/// From four words of forty bits to sixteen bytes, of which the first two words give six, the others ten.
/// Of the first word only the lowest byte is of the value.
template <ByteOrder kOrder>
struct Base32Bytes {
  alignas(32) char places[32]{};

  constexpr Base32Bytes() {
    for (char& place : places) place = -1;
    constexpr char kFront[6] = {0, 12, 11, 10, 9, 8};
    constexpr char kBack[10] = {4, 3, 2, 1, 0, 12, 11, 10, 9, 8};
    for (std::size_t i = 0; i < 16; ++i) {
      const std::size_t octet = kOrder == ByteOrder::big ? i : 15 - i;
      if (octet < 6) {
        places[i] = kFront[octet];
      } else {
        places[16 + i] = kBack[octet - 6];
      }
    }
  }
};
template <ByteOrder kOrder>
inline constexpr Base32Bytes<kOrder> kBase32Bytes;

// SSE4.1, the level x86-64-v2.

/// The canonical form, 36 characters. REQUIRES: A.size() == 16.
template <const Alphabet& A>
[[MINTMARK_SSE4]] inline void write_uuid(__m128i octets, char* out) {
  const __m128i half = _mm_set1_epi8(0x0f);
  const __m128i high = _mm_and_si128(_mm_srli_epi16(octets, 4), half);
  const __m128i low = _mm_and_si128(octets, half);
  const __m128i chars = load(kChars<A, 0>);
  const __m128i front = _mm_shuffle_epi8(chars, _mm_unpacklo_epi8(high, low));
  const __m128i back = _mm_shuffle_epi8(chars, _mm_unpackhi_epi8(high, low));
  const __m128i middle = _mm_alignr_epi8(back, front, 14);  // digits 14 to 29
  const __m128i first =
      _mm_shuffle_epi8(front, _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, -1, 8, 9, 10, 11, -1, 12, 13));
  const __m128i second =
      _mm_shuffle_epi8(middle, _mm_setr_epi8(0, 1, -1, 2, 3, 4, 5, -1, 6, 7, 8, 9, 10, 11, 12, 13));
  // The last digits lie right already; what is wrong in front of them is overwritten.
  store(out + 20, back);
  store(out,
        _mm_or_si128(first, _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, '-', 0, 0, 0, 0, '-', 0, 0)));
  store(out + 16,
        _mm_or_si128(second, _mm_setr_epi8(0, 0, '-', 0, 0, 0, 0, '-', 0, 0, 0, 0, 0, 0, 0, 0)));
}

/// The two halves of the 32 digits of a canonical UUID.
struct UuidDigits {
  __m128i front;
  __m128i back;
};
[[MINTMARK_SSE4]] inline UuidDigits digits_of_uuid(const char* text) {
  // Fourteen digits and two hyphens, of which two more digits take the place; then the same from behind.
  std::int16_t digits_14;
  std::memcpy(&digits_14, text + 16, sizeof digits_14);
  const __m128i front = _mm_shuffle_epi8(
      load(text), _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, -1, -1));
  const __m128i back = _mm_shuffle_epi8(
      load(text + 20), _mm_setr_epi8(-1, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  return {_mm_insert_epi16(front, digits_14, 7), _mm_insert_epi8(back, text[19], 0)};
}

/// Sixteen digits as their values; `kinds` stays above zero only where there was a digit.
[[MINTMARK_SSE4]] inline __m128i half_bytes(__m128i chars, __m128i& kinds) {
  const __m128i high = _mm_and_si128(_mm_srli_epi16(chars, 4), _mm_set1_epi8(0x0f));
  kinds = _mm_and_si128(_mm_shuffle_epi8(load(Hex::by_high), high),
                        _mm_shuffle_epi8(load(Hex::by_low), chars));
  return _mm_add_epi8(chars, _mm_shuffle_epi8(load(Hex::offset), high));
}

[[MINTMARK_SSE4]] inline Read read_uuid(const char* text) {
  const UuidDigits digits = digits_of_uuid(text);
  __m128i front_kinds;
  __m128i back_kinds;
  const __m128i front = half_bytes(digits.front, front_kinds);
  const __m128i back = half_bytes(digits.back, back_kinds);
  const __m128i none = _mm_cmpeq_epi8(_mm_min_epu8(front_kinds, back_kinds), _mm_setzero_si128());
  const __m128i weights = _mm_set1_epi16(0x0110);
  const __m128i bytes =
      _mm_packus_epi16(_mm_maddubs_epi16(front, weights), _mm_maddubs_epi16(back, weights));
  const auto bad = static_cast<unsigned>(_mm_movemask_epi8(none));
  return {bytes, (bad | lanes::missing_hyphens(text)) == 0};
}

template <const Alphabet& A, ByteOrder kOrder, std::size_t kFirst>
[[MINTMARK_SSE4]] inline __m128i base32_chars(__m128i octets) {
  constexpr auto& kPairs = kBase32Pairs<kOrder, kFirst>;
  const __m128i words = _mm_shuffle_epi8(octets, load(kPairs.places));
  const __m128i first = _mm_mulhi_epu16(words, load(kPairs.down));
  const __m128i second = _mm_mullo_epi16(words, load(kPairs.up));
  const __m128i values = _mm_or_si128(_mm_and_si128(first, _mm_set1_epi16(0x001f)),
                                      _mm_and_si128(second, _mm_set1_epi16(0x1f00)));
  // A shuffle knows sixteen characters: the fifth bit, moved to the top, chooses between two.
  return _mm_blendv_epi8(_mm_shuffle_epi8(load(kChars<A, 0>), values),
                         _mm_shuffle_epi8(load(kChars<A, 16>), values), _mm_slli_epi16(values, 3));
}

/// 26 characters of 128 bits. REQUIRES: A.size() == 32.
template <const Alphabet& A, ByteOrder kOrder>
[[MINTMARK_SSE4]] inline void write_base32(__m128i octets, char* out) {
  store(out, base32_chars<A, kOrder, 0>(octets));
  store(out + 10, base32_chars<A, kOrder, 5>(octets));
}

/// Sixteen characters as their values; in each lane the top bit says that it is none.
template <const Alphabet& A>
[[MINTMARK_SSE4]] inline __m128i base32_values(__m128i chars) {
  constexpr auto& kRows = kBase32Rows<A>;
  const __m128i digits = _mm_shuffle_epi8(load(kRows.digits), chars);
  const __m128i to_o = _mm_shuffle_epi8(load(kRows.to_o), chars);
  const __m128i from_p = _mm_shuffle_epi8(load(kRows.from_p), chars);
  // Bit 6 tells letters from digits, bit 4 the second row of letters from the first.
  const __m128i odd_rows = _mm_blendv_epi8(digits, from_p, _mm_add_epi8(chars, chars));
  const __m128i values = _mm_blendv_epi8(to_o, odd_rows, _mm_slli_epi16(chars, 3));
  // Below '0', and as signed also above 0x7f, nothing is a character.
  __m128i none = _mm_cmpgt_epi8(_mm_set1_epi8('0'), chars);
  if constexpr (kRows.letters == LetterCase::strict) {
    // Digits and lower case have bit 5, upper case has not.
    none = _mm_or_si128(none, _mm_andnot_si128(_mm_slli_epi16(chars, 2), _mm_set1_epi8(-128)));
  }
  return _mm_or_si128(values, none);
}

/// Four words of forty bits, each from eight values.
[[MINTMARK_SSE4]] inline __m128i forties_of(__m128i values) {
  const __m128i twenties = _mm_madd_epi16(_mm_maddubs_epi16(values, _mm_set1_epi16(0x0120)),
                                          _mm_set1_epi32(0x0001'0400));
  return _mm_or_si128(_mm_mul_epu32(twenties, _mm_set1_epi64x(1 << 20)),
                      _mm_srli_epi64(twenties, 32));
}

/// The first characters behind six zeros, so that every eight are forty bits.
[[MINTMARK_SSE4]] inline __m128i base32_front(const char* text) {
  return _mm_or_si128(_mm_slli_si128(load(text), 6),
                      _mm_setr_epi8('0', '0', '0', '0', '0', '0', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

/// Reads 26 characters. Of the first one only three bits are taken: whether it has more is up to the caller.
/// REQUIRES: kBase32Rows<A>.complete, and '0' is zero.
template <const Alphabet& A, ByteOrder kOrder>
[[MINTMARK_SSE4]] inline Read read_base32(const char* text) {
  const __m128i front = base32_values<A>(base32_front(text));
  const __m128i back = base32_values<A>(load(text + 10));
  constexpr auto& kPlaces = kBase32Bytes<kOrder>.places;
  return {_mm_or_si128(_mm_shuffle_epi8(forties_of(front), load(kPlaces)),
                       _mm_shuffle_epi8(forties_of(back), load(kPlaces + 16))),
          _mm_movemask_epi8(_mm_or_si128(front, back)) == 0};
}

// AVX2, the level x86-64-v3: both halves of a text at once.

[[MINTMARK_AVX2]] inline Read read_uuid_avx2(const char* text) {
  const UuidDigits digits = digits_of_uuid(text);
  const __m256i chars = _mm256_set_m128i(digits.back, digits.front);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi16(chars, 4), _mm256_set1_epi8(0x0f));
  const __m256i kinds = _mm256_and_si256(_mm256_shuffle_epi8(both(Hex::by_high), high),
                                         _mm256_shuffle_epi8(both(Hex::by_low), chars));
  const __m256i values = _mm256_add_epi8(chars, _mm256_shuffle_epi8(both(Hex::offset), high));
  const auto bad =
      static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(kinds, _mm256_setzero_si256())));
  const __m256i words = _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x0110));
  const __m128i bytes =
      _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  return {bytes, (bad | lanes::missing_hyphens(text)) == 0};
}

template <const Alphabet& A, ByteOrder kOrder>
[[MINTMARK_AVX2]] inline void write_base32_avx2(__m128i octets, char* out) {
  constexpr auto& kFront = kBase32Pairs<kOrder, 0>;
  constexpr auto& kBack = kBase32Pairs<kOrder, 5>;
  const __m256i words =
      _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(octets),
                          _mm256_set_m128i(load(kBack.places), load(kFront.places)));
  const __m256i first =
      _mm256_mulhi_epu16(words, _mm256_set_m128i(load(kBack.down), load(kFront.down)));
  const __m256i second =
      _mm256_mullo_epi16(words, _mm256_set_m128i(load(kBack.up), load(kFront.up)));
  const __m256i values = _mm256_or_si256(_mm256_and_si256(first, _mm256_set1_epi16(0x001f)),
                                         _mm256_and_si256(second, _mm256_set1_epi16(0x1f00)));
  const __m256i chars = _mm256_blendv_epi8(_mm256_shuffle_epi8(both(kChars<A, 0>), values),
                                           _mm256_shuffle_epi8(both(kChars<A, 16>), values),
                                           _mm256_slli_epi16(values, 3));
  store(out, _mm256_castsi256_si128(chars));
  store(out + 10, _mm256_extracti128_si256(chars, 1));
}

template <const Alphabet& A, ByteOrder kOrder>
[[MINTMARK_AVX2]] inline Read read_base32_avx2(const char* text) {
  constexpr auto& kRows = kBase32Rows<A>;
  const __m256i chars = _mm256_set_m128i(load(text + 10), base32_front(text));
  const __m256i digits = _mm256_shuffle_epi8(both(kRows.digits), chars);
  const __m256i to_o = _mm256_shuffle_epi8(both(kRows.to_o), chars);
  const __m256i from_p = _mm256_shuffle_epi8(both(kRows.from_p), chars);
  const __m256i odd_rows = _mm256_blendv_epi8(digits, from_p, _mm256_add_epi8(chars, chars));
  const __m256i values = _mm256_blendv_epi8(to_o, odd_rows, _mm256_slli_epi16(chars, 3));
  __m256i none = _mm256_cmpgt_epi8(_mm256_set1_epi8('0'), chars);
  if constexpr (kRows.letters == LetterCase::strict) {
    none = _mm256_or_si256(
        none, _mm256_andnot_si256(_mm256_slli_epi16(chars, 2), _mm256_set1_epi8(-128)));
  }
  const int bad = _mm256_movemask_epi8(_mm256_or_si256(values, none));
  const __m256i twenties = _mm256_madd_epi16(
      _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x0120)), _mm256_set1_epi32(0x0001'0400));
  const __m256i forties = _mm256_or_si256(_mm256_mul_epu32(twenties, _mm256_set1_epi64x(1 << 20)),
                                          _mm256_srli_epi64(twenties, 32));
  const __m256i parts = _mm256_shuffle_epi8(
      forties, _mm256_load_si256(reinterpret_cast<const __m256i*>(kBase32Bytes<kOrder>.places)));
  return {_mm_or_si128(_mm256_castsi256_si128(parts), _mm256_extracti128_si256(parts, 1)),
          bad == 0};
}

#undef MINTMARK_SSE4
#undef MINTMARK_AVX2

}  // namespace mintmark::x86

#endif
