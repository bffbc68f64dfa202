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
#include "mintmark/text/kernel.h"
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

/// `bits` bits, of which the lowest is bit `from`. REQUIRES: bits < 64.
template <class T>
[[nodiscard]] constexpr std::uint64_t cut(T value, std::size_t from, unsigned bits) {
  if (from >= std::numeric_limits<T>::digits) return 0;  // digits in front of all bits
  if constexpr (sizeof(T) > sizeof(std::uint64_t)) {
    // Word by word: a shift across two words at once is slow on many CPUs.
    const auto high = static_cast<std::uint64_t>(value >> 64);
    const auto low = static_cast<std::uint64_t>(value);
    if (from < 64 && from + bits > 64) return (high << (64 - from) | low >> from) & low_bits(bits);
    return (from < 64 ? low >> from : high >> (from - 64)) & low_bits(bits);
  } else {
    return (value >> from) & low_bits(bits);
  }
}

/// Sixteen characters: eight that end `first` bits above the low end of the value, then eight at `second`.
template <const Alphabet& A, class T>
[[nodiscard]] inline lanes::Lanes sixteen(T value, std::size_t first, std::size_t second) {
  const lanes::Words packed{shifted(value, first), shifted(value, second)};
  return lanes::chars_of<A>(lanes::little_endian(spread<kSliceBits<A>>(packed)));
}

/// Writes N characters in groups of 16; the last group overlaps its neighbour instead of being cut.
template <const Alphabet& A, std::size_t N, class T>
inline void write_lanes(T value, char* out) {
  constexpr unsigned kBits = kSliceBits<A>;
  if constexpr (N >= 16) {
    for (std::size_t group = 0; group < N; group += 16) {
      const std::size_t at = group + 16 <= N ? group : N - 16;
      const std::size_t right = (N - 16 - at) * kBits;
      lanes::store(out + at, sixteen<A>(value, right + 8 * kBits, right));
    }
  } else {
    const auto chars = std::bit_cast<lanes::Words>(sixteen<A>(value, (N - 8) * kBits, 0));
    const std::uint64_t front = chars[0];
    const std::uint64_t back = chars[1];
    std::memcpy(out, &front, sizeof front);
    std::memcpy(out + N - 8, &back, sizeof back);
  }
}

/// The position and kind of the first character that is not in the alphabet. REQUIRES: there is one.
template <const Alphabet& A>
[[nodiscard]] constexpr Error first_bad_character(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && A.value_of(text[at]) != Alphabet::kNone) ++at;
  return Error::at(Fault::bad_character, at);
}

/// What is wrong with a text of which it is known that something is: the first character is too large, or
/// one stands for nothing.
template <const Alphabet& A, unsigned kFirstBits>
[[nodiscard, gnu::cold]] constexpr Error why_not(std::string_view text) {
  const std::uint8_t first = A.value_of(text[0]);
  if (first != Alphabet::kNone && first >> kFirstBits != 0) {
    return Error::at(Fault::value_overflow, 0);
  }
  return first_bad_character<A>(text);
}

/// What a character adds at each of four neighbouring places, the first one highest; the top bit where it
/// stands for nothing. So four characters are four look-ups, and neither shifts nor tests.
template <const Alphabet& A>
inline constexpr auto kPlaces = [] {
  std::array<std::array<std::uint32_t, 256>, 4> places{};
  for (std::size_t place = 0; place < 4; ++place) {
    for (std::size_t code = 0; code < 256; ++code) {
      const std::uint32_t value = A.value_of(static_cast<char>(code));
      const std::size_t left = (3 - place) * kSliceBits<A>;
      places[place][code] = value == Alphabet::kNone ? 1U << 31 : value << left;
    }
  }
  return places;
}();

/// The slices of up to four characters; the top bit of `seen` is set if one stands for nothing.
template <const Alphabet& A, std::size_t N>
requires(N <= 4) [[nodiscard]] constexpr std::uint64_t
    read_few(const char* text, std::uint32_t& seen) {
  std::uint32_t value = 0;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < N; ++i) {
    value |= kPlaces<A>[4 - N + i][static_cast<unsigned char>(text[i])];
  }
  seen |= value;
  return value;
}

/// The same for up to 64 bits.
template <const Alphabet& A, std::size_t N>
requires(N* kSliceBits<A> <= 64) [[nodiscard]] constexpr std::uint64_t
    read(const char* text, std::uint32_t& seen) {
  std::uint64_t value = read_few<A, N % 4>(text, seen);
#pragma GCC unroll 4
  for (std::size_t at = N % 4; at < N; at += 4) {
    value = value << 4 * kSliceBits<A> | read_few<A, 4>(text + at, seen);
  }
  return value;
}

/// The same for as many bits as a T has, if the first character has no more than kFirstBits of its own.
template <const Alphabet& A, std::size_t N, unsigned kFirstBits, class T>
[[nodiscard]] constexpr T read_all(const char* text, std::uint32_t& seen) {
  constexpr std::uint32_t kNone = 1U << 31;
  const auto too_large = [](std::uint64_t lead, std::size_t chars) {
    return lead >> ((chars - 1) * kSliceBits<A> + kFirstBits) != 0 ? kNone : 0;
  };
  if constexpr (N * kSliceBits<A> <= 64) {
    const std::uint64_t value = read<A, N>(text, seen);
    if constexpr (kFirstBits < kSliceBits<A>) seen |= too_large(value, N);
    return static_cast<T>(value);
  } else {
    constexpr std::size_t kGroup = 60 / kSliceBits<A> / 4 * 4;
    constexpr std::size_t kLead = (N - 1) % kGroup + 1;
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    // Word by word, as in cut.
    const auto put = [&](std::uint64_t bits, std::size_t after) {
      const std::size_t left = after * kSliceBits<A>;
      if (left >= 64) {
        high |= bits << (left - 64);
      } else {
        low |= bits << left;
        if (left > 0) high |= bits >> (64 - left);
      }
    };
    const std::uint64_t lead = read<A, kLead>(text, seen);
    if constexpr (kFirstBits < kSliceBits<A>) seen |= too_large(lead, kLead);
    put(lead, N - kLead);
#pragma GCC unroll 4
    for (std::size_t at = kLead; at < N; at += kGroup) {
      put(read<A, kGroup>(text + at, seen), N - at - kGroup);
    }
    if constexpr (sizeof(T) > sizeof(std::uint64_t)) {
      return static_cast<T>(static_cast<U128>(high) << 64 | low);
    } else {
      return static_cast<T>(low);
    }
  }
}

}  // namespace slice

/// Writes an integer as exactly N characters, right-aligned.
/// REQUIRES: out.size() >= N; the value fits N characters.
template <const Alphabet& A, std::size_t N, UnsignedWord T>
constexpr void write_slices(T value, std::span<char> out) {
  constexpr unsigned kBits = kSliceBits<A>;
  if
    !consteval {
      if constexpr (N == 26 && kernel::kWritesBase32<A>) {
        kernel::write_base32<A>(value, out.data());
        return;
      } else if constexpr (kBits != 5 && N >= 8) {
        slice::write_lanes<A, N>(value, out.data());
        return;
      }
    }
  if constexpr (N % 2 == 1)
    out[0] = A[static_cast<std::size_t>(slice::cut(value, (N - 1) * kBits, kBits))];
#pragma GCC unroll 16
  for (std::size_t at = N % 2; at < N; at += 2) {
    put_pair<A>(slice::cut(value, (N - 2 - at) * kBits, 2 * kBits), out.data() + at);
  }
}

/// Reads an integer of `Bits` bits from exactly kSliceChars<A, Bits> characters.
/// Errors: WrongLength, BadCharacter; ValueOverflow at position 0 if the first character needs more bits.
template <const Alphabet& A, unsigned Bits, UnsignedWord T = U128>
requires(Bits <= std::numeric_limits<T>::digits)
    [[nodiscard]] constexpr Result<T> parse_slices(std::string_view text) {
  constexpr std::size_t kChars = kSliceChars<A, Bits>;
  constexpr unsigned kFirstBits = Bits - static_cast<unsigned>(kChars - 1) * kSliceBits<A>;
  constexpr bool kByKernel = Bits == 128 && kernel::kReadsBase32<A>;
  if (text.size() != kChars) [[unlikely]] {
    return fail(Error::at(Fault::wrong_length, text.size() < kChars ? text.size() : kChars));
  }
  T value = 0;
  bool valid = false;
  if (kByKernel && !std::is_constant_evaluated()) {
    if constexpr (kByKernel) {
      valid = kernel::read_base32<A>(text.data(), value) && A.value_of(text[0]) >> kFirstBits == 0;
    }
  } else {
    std::uint32_t seen = 0;
    value = slice::read_all<A, kChars, kFirstBits, T>(text.data(), seen);
    valid = seen >> 31 == 0;
  }
  if (!valid) [[unlikely]] {
    return fail(slice::why_not<A, kFirstBits>(text));
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
