// Slices: text whose alphabet has 16, 32 or 64 characters, so that every character is a slice of bits.
//
// Two alignments exist, and they give different text for the same bits (ulid/spec#81):
//   * an integer, right-aligned, of fixed width: write_slices, parse_slices. ULID, TSID, TypeID, push IDs.
//     The first character may have bits to spare; a text that sets them is refused, never cut.
//   * a stream of bytes, left-aligned, RFC 4648 without padding: write_stream, parse_stream. XID, base64url.
//     The last character may have bits to spare; they have to be zero, so that each value has one text.
// Hex is both at once; write_hex and parse_hex are the stream functions under a plain name.
//
// All sorts as the value does, bytes unsigned, if the alphabet sorts() and the widths are equal.
//
// Every reader is strict and says the position of the first character at which the text cannot go on:
// WrongLength where it ends too early or where the surplus begins, BadCharacter, ValueOverflow, NotCanonical.
// Pure functions; any thread may call them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/lanes.h"

namespace mintmark {

/// Bits of one character.
template <const Alphabet& A>
requires(A.slices()) inline constexpr unsigned kSliceBits =
    static_cast<unsigned>(std::bit_width(A.size() - 1));

/// Characters of an integer of `Bits` bits: 26 for 128 bits in base32.
template <const Alphabet& A, unsigned Bits>
inline constexpr std::size_t kSliceChars = (Bits + kSliceBits<A> - 1) / kSliceBits<A>;

namespace slice {

/// Moves the eight slices at the low end of `packed` apart, one to each byte, the first to the lowest byte.
/// Word: std::uint64_t, or lanes::Words for two at once.
template <unsigned Bits, class Word>
[[nodiscard]] constexpr Word spread(Word packed) {
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  constexpr std::uint64_t kFour = low_bits(4 * Bits);
  constexpr std::uint64_t kTwo = kOnes / low_bits(32) * low_bits(2 * Bits);
  constexpr std::uint64_t kOne = kOnes / low_bits(16) * low_bits(Bits);
  packed = ((packed >> 4 * Bits) & kFour) | (packed & kFour) << 32;
  packed = ((packed >> 2 * Bits) & kTwo) | (packed & kTwo) << 16;
  return ((packed >> Bits) & kOne) | (packed & kOne) << 8;
}

/// The low end of value >> count, also where that shifts everything out.
template <class T>
[[nodiscard]] constexpr std::uint64_t shifted(T value, std::size_t count) {
  return count >= std::numeric_limits<T>::digits ? 0 : static_cast<std::uint64_t>(value >> count);
}

/// Sixteen characters: eight that end `first` bits above the low end of the value, then eight at `second`.
template <const Alphabet& A, class T>
[[nodiscard]] inline lanes::Lanes sixteen(T value, std::size_t first, std::size_t second) {
  const lanes::Words packed{shifted(value, first), shifted(value, second)};
  return lanes::chars_of<A>(lanes::little_endian(spread<kSliceBits<A>>(packed)));
}

/// The position and kind of the first character that is not in the alphabet. REQUIRES: there is one.
template <const Alphabet& A>
[[nodiscard]] constexpr Error first_bad_character(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && A.value_of(text[at]) != Alphabet::kNone) ++at;
  return Error::at(Fault::bad_character, at);
}

/// Up to 64 bits of text, and the OR of all look-ups.
template <const Alphabet& A, std::size_t N>
requires(N* kSliceBits<A> <= 64) [[nodiscard]] constexpr std::uint64_t
    read(const char* text, unsigned& seen) {
  std::uint64_t value = 0;
#pragma GCC unroll 16
  for (std::size_t i = 0; i < N; ++i) {
    const std::uint64_t slice = A.value_of(text[i]);
    seen |= static_cast<unsigned>(slice);
    value |= slice << ((N - 1 - i) * kSliceBits<A>);
  }
  return value;
}

}  // namespace slice

/// Writes an integer as exactly N characters, right-aligned.
/// REQUIRES: out.size() >= N; the value fits N characters.
template <const Alphabet& A, std::size_t N, UnsignedWord T>
constexpr void write_slices(T value, std::span<char> out) {
  constexpr unsigned kBits = kSliceBits<A>;
  if (std::is_constant_evaluated() || N < 8) {
    for (std::size_t i = N; i-- > 0;) {
      out[i] = A[static_cast<std::size_t>(value & (A.size() - 1))];
      value = static_cast<T>(value >> kBits);
    }
  } else if constexpr (N >= 16) {
    // Whole groups of 16; the last one overlaps its neighbour instead of being cut.
    for (std::size_t group = 0; group < N; group += 16) {
      const std::size_t at = group + 16 <= N ? group : N - 16;
      const std::size_t right = (N - 16 - at) * kBits;
      lanes::store(out.data() + at, slice::sixteen<A>(value, right + 8 * kBits, right));
    }
  } else if constexpr (N >= 8) {
    const auto chars = std::bit_cast<lanes::Words>(slice::sixteen<A>(value, (N - 8) * kBits, 0));
    const std::uint64_t front = chars[0];
    const std::uint64_t back = chars[1];
    std::memcpy(out.data(), &front, sizeof front);
    std::memcpy(out.data() + N - 8, &back, sizeof back);
  }
}

/// Reads an integer of `Bits` bits from exactly kSliceChars<A, Bits> characters.
/// Errors: WrongLength, BadCharacter; ValueOverflow at position 0 if the first character needs more bits.
template <const Alphabet& A, unsigned Bits, UnsignedWord T = U128>
requires(Bits <= std::numeric_limits<T>::digits)
    [[nodiscard]] constexpr Result<T> parse_slices(std::string_view text) {
  constexpr std::size_t kChars = kSliceChars<A, Bits>;
  constexpr std::size_t kGroup = 60 / kSliceBits<A>;
  constexpr std::size_t kLead = kChars % kGroup;
  constexpr unsigned kFirstBits = Bits - static_cast<unsigned>(kChars - 1) * kSliceBits<A>;
  if (text.size() != kChars) [[unlikely]] {
    return fail(Error::at(Fault::wrong_length, text.size() < kChars ? text.size() : kChars));
  }
  unsigned seen = 0;
  T value = static_cast<T>(slice::read<A, kLead>(text.data(), seen));
  for (std::size_t at = kLead; at < kChars; at += kGroup) {
    value = static_cast<T>(static_cast<U128>(value) << (kGroup * kSliceBits<A>) |
                           slice::read<A, kGroup>(text.data() + at, seen));
  }
  const std::uint8_t first = A.value_of(text[0]);
  if ((seen & 0x80) != 0 || first >> kFirstBits != 0) [[unlikely]] {
    if (first != Alphabet::kNone && first >> kFirstBits != 0) {
      return fail(Error::at(Fault::value_overflow, 0));
    }
    return fail(slice::first_bad_character<A>(text));
  }
  return value;
}

/// Characters of a stream of `bytes` bytes, without padding.
template <const Alphabet& A>
[[nodiscard]] constexpr std::size_t stream_chars(std::size_t bytes) {
  return (bytes * 8 + kSliceBits<A> - 1) / kSliceBits<A>;
}

/// Writes bytes as RFC 4648 does, without padding. Returns the characters written.
/// REQUIRES: out.size() >= stream_chars<A>(bytes.size()).
template <const Alphabet& A>
constexpr std::size_t write_stream(std::span<const std::byte> bytes, std::span<char> out) {
  constexpr unsigned kBits = kSliceBits<A>;
  std::size_t written = 0;
  std::uint32_t held = 0;
  unsigned held_bits = 0;
  for (const std::byte byte : bytes) {
    held = held << 8 | static_cast<std::uint32_t>(byte);
    held_bits += 8;
    while (held_bits >= kBits) {
      held_bits -= kBits;
      out[written++] = A[(held >> held_bits) & (A.size() - 1)];
    }
  }
  if (held_bits > 0) out[written++] = A[(held << (kBits - held_bits)) & (A.size() - 1)];
  return written;
}

/// Reads exactly bytes.size() bytes. On an error `bytes` holds nothing of use.
/// Errors: WrongLength, BadCharacter; NotCanonical at the last position if its spare bits are not zero.
template <const Alphabet& A>
[[nodiscard]] constexpr Result<void> parse_stream(std::string_view text,
                                                  std::span<std::byte> bytes) {
  constexpr unsigned kBits = kSliceBits<A>;
  const std::size_t chars = stream_chars<A>(bytes.size());
  if (text.size() != chars) {
    return fail(Error::at(Fault::wrong_length, text.size() < chars ? text.size() : chars));
  }
  unsigned seen = 0;
  std::size_t at = 0;
  std::uint32_t held = 0;
  unsigned held_bits = 0;
  for (const char c : text) {
    const unsigned slice = A.value_of(c);
    seen |= slice;
    held = held << kBits | (slice & (A.size() - 1));
    held_bits += kBits;
    if (held_bits >= 8) {
      held_bits -= 8;
      bytes[at++] = static_cast<std::byte>(held >> held_bits & 0xff);
    }
  }
  if ((seen & 0x80) != 0) return fail(slice::first_bad_character<A>(text));
  if ((held & low_bits(held_bits)) != 0) {
    return fail(Error::at(Fault::not_canonical, text.size() - 1));
  }
  return {};
}

/// Writes two hex digits a byte. Returns the characters written.
/// REQUIRES: out.size() >= 2 * bytes.size().
template <const Alphabet& A = kHexLower>
requires(A.size() == 16) constexpr std::size_t
    write_hex(std::span<const std::byte> bytes, std::span<char> out) {
  std::size_t done = 0;
  if
    !consteval {
      for (; bytes.size() - done >= 16; done += 16) {
        const auto text = lanes::hex_of<A>(lanes::load(bytes.data() + done));
        lanes::store(out.data() + 2 * done, text.front);
        lanes::store(out.data() + 2 * done + 16, text.back);
      }
    }
  write_stream<A>(bytes.subspan(done), out.subspan(2 * done));
  return 2 * bytes.size();
}

/// Reads exactly bytes.size() bytes from hex digits of either case. On an error `bytes` holds nothing of use.
/// Errors: WrongLength, BadCharacter.
[[nodiscard]] constexpr Result<void> parse_hex(std::string_view text, std::span<std::byte> bytes) {
  if (text.size() != 2 * bytes.size()) {
    return fail(Error::at(Fault::wrong_length, std::min(text.size(), 2 * bytes.size())));
  }
  std::size_t done = 0;
  if
    !consteval {
      for (; bytes.size() - done >= 16; done += 16) {
        const char* from = text.data() + 2 * done;
        const auto read = lanes::bytes_of({lanes::load(from), lanes::load(from + 16)});
        if (!read.valid) return fail(slice::first_bad_character<kHexLower>(text));
        lanes::store(bytes.data() + done, read.bytes);
      }
    }
  if (!parse_stream<kHexLower>(text.substr(2 * done), bytes.subspan(done))) {
    return fail(slice::first_bad_character<kHexLower>(text));
  }
  return {};
}

static_assert(kSliceChars<kCrockford, 128> == 26 && kSliceChars<kCrockford, 64> == 13);
static_assert(slice::spread<5>(std::uint64_t{0xff'ffff'ffff}) == 0x1f1f1f1f1f1f1f1f);
static_assert(slice::spread<4>(std::uint64_t{0x01234567}) == 0x0706050403020100);
static_assert(slice::spread<6>(std::uint64_t{0b1'000010}) == 0x02'01'00'00'00'00'00'00);

}  // namespace mintmark
