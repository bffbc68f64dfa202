// Radix: integers as digits of any alphabet, where the size of the alphabet is not cut from bits but
// divided by: decimal, base36, base58, base62. Works for every alphabet; where the size is a power of two
// and the width is fixed, slice.h is faster.
//
// Two widths, two meanings:
//   * write_radix, parse_radix: as many digits as the value needs, no leading zeros. Does NOT sort as text.
//   * write_fixed, parse_fixed: always the width of the largest value, with leading zeros. Sorts as the value
//     does if the alphabet sorts().
// What happens to leading zeros is in the name: parse_radix refuses them (one value, one text),
// parse_radix_zeros reads them.
//
// Base58 of byte strings is a third thing: a leading zero byte is one leading zero digit, so that the length
// survives (Bitcoin). It does not sort. Its time grows with the square of the length: for short strings.
//
// Every reader says the position of the first character at which the text cannot go on: WrongLength,
// BadCharacter, NotCanonical, ValueOverflow. Pure functions; any thread may call them.
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
#include "mintmark/text/digits.h"
#include "mintmark/text/quotient.h"

namespace mintmark {

namespace radix {

/// The powers of the radix that fit 64 bits, from 1 upwards.
template <const Alphabet& A>
inline constexpr auto kPowers = [] {
  constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    for (U128 power = 1; power >> 64 == 0; power *= A.size()) ++count;
    return count;
  }();
  std::array<std::uint64_t, kCount> powers{};
  U128 power = 1;
  for (std::uint64_t& each : powers) {
    each = static_cast<std::uint64_t>(power);
    power *= A.size();
  }
  return powers;
}();

/// Digits of a limb: the most of which every value fits 64 bits.
template <const Alphabet& A>
inline constexpr std::size_t kLimb = kPowers<A>.size() - 1;

/// Writes exactly `digits` digits that end at `end`. REQUIRES: the value fits them.
template <const Alphabet& A>
constexpr void write_back(std::uint64_t value, std::size_t digits, char* end) {
  constexpr std::uint64_t kPair = A.size() * A.size();
  for (; digits >= 2; digits -= 2) {
    end -= 2;
    put_pair<A>(value % kPair, end);
    value /= kPair;
  }
  if (digits == 1) *--end = A[static_cast<std::size_t>(value % A.size())];
}

/// A limb as its first one or two digits and a fraction, from which every further pair is one product.
template <const Alphabet& A>
using LimbFraction = quotient::Fraction<kPowers<A>[(kLimb<A> - 1) / 2 * 2], kPowers<A>[kLimb<A>]>;

/// Writes a whole limb, from the front where that is exact: then no pair of digits waits for the quotient
/// of the pair behind it.
template <const Alphabet& A>
constexpr void write_limb(std::uint64_t value, char* to) {
  constexpr std::size_t kSize = kLimb<A>;
  if constexpr (LimbFraction<A>::kExact) {
    auto digits = LimbFraction<A>::of(value);
    if constexpr (kSize % 2 == 1) {
      *to++ = A[static_cast<std::size_t>(digits.part)];
    } else {
      put_pair<A>(digits.part, to);
      to += 2;
    }
#pragma GCC unroll 8
    for (std::size_t left = (kSize - 1) / 2; left > 0; --left, to += 2) {
      digits.next(A.size() * A.size());
      put_pair<A>(digits.part, to);
    }
  } else {
    write_back<A>(value, kSize, to + kSize);
  }
}

/// Digits of a value, at least one.
template <const Alphabet& A>
[[nodiscard]] constexpr std::size_t count(std::uint64_t value) {
  std::size_t digits = 1;
  while (digits < kPowers<A>.size() && value >= kPowers<A>[digits]) ++digits;
  return digits;
}

/// value * power + digits, or false if that is above the largest T.
template <UnsignedWord T>
[[nodiscard]] constexpr bool append(T& value, std::uint64_t power, std::uint64_t digits) {
  const U128 low = static_cast<U128>(static_cast<std::uint64_t>(value)) * power + digits;
  if constexpr (sizeof(T) <= sizeof(std::uint64_t)) {
    if (low > std::numeric_limits<T>::max()) return false;
    value = static_cast<T>(low);
  } else {
    const U128 high =
        static_cast<U128>(static_cast<std::uint64_t>(value >> 64)) * power + (low >> 64);
    if (high >> 64 != 0) return false;
    value = high << 64 | static_cast<std::uint64_t>(low);
  }
  return true;
}

/// Reads digit by digit and says where the text stops being one of a T. Finds any error there is.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard, gnu::noinline]] constexpr Result<T> read_slowly(std::string_view text) {
  T value = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t digit = A.value_of(text[at]);
    if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
    if (!append(value, A.size(), digit)) return fail(Error::at(Fault::value_overflow, at));
  }
  return value;
}

/// Up to a limb of digits as a number; bit 7 of `seen` is set if one stands for nothing.
template <const Alphabet& A>
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t limb_of(const char* text,
                                                                  std::size_t size,
                                                                  unsigned& seen) {
  const auto digit = [&](std::size_t at) {
    const unsigned value = A.value_of(text[at]);
    seen |= value;
    return value;
  };
  std::uint64_t limb = size % 2 == 1 ? digit(0) : 0;
#pragma GCC unroll 8
  for (std::size_t at = size % 2; at < size; at += 2) {
    // Two digits at once: then the sum waits for half as many products.
    const unsigned pair = digit(at) * static_cast<unsigned>(A.size()) + digit(at + 1);
    limb = limb * (A.size() * A.size()) + pair;
  }
  return limb;
}

/// Reads a limb of digits at a time. Inlined, as some callers know the size of the text.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard, gnu::always_inline]] constexpr Result<T> read(std::string_view text) {
  T value = 0;
  unsigned seen = 0;
  bool fits = true;
  std::size_t at = 0;
  for (; text.size() - at >= kLimb<A>; at += kLimb<A>) {
    const std::uint64_t limb = limb_of<A>(text.data() + at, kLimb<A>, seen);
    fits = append(value, kPowers<A>[kLimb<A>], limb) && fits;
  }
  if (const std::size_t size = text.size() - at; size > 0) {
    const std::uint64_t limb = limb_of<A>(text.data() + at, size, seen);
    fits = append(value, kPowers<A>[size], limb) && fits;
  }
  if ((seen & 0x80) != 0 || !fits) [[unlikely]]
    return read_slowly<A, T>(text);
  return value;
}

}  // namespace radix

/// Digits of the largest T: 20 for 64 bits in decimal, 11 in base62; 22 for 128 bits in base62.
template <const Alphabet& A, UnsignedWord T>
inline constexpr std::size_t kRadixDigits = [] {
  std::size_t digits = 0;
  for (T rest = std::numeric_limits<T>::max(); rest > 0; rest = static_cast<T>(rest / A.size()))
    ++digits;
  return digits;
}();

/// Writes a value without leading zeros; zero is one digit. Returns the characters written.
/// REQUIRES: out.size() >= kRadixDigits<A, T>. Does not sort as text.
template <const Alphabet& A, UnsignedWord T>
constexpr std::size_t write_radix(T value, std::span<char> out) {
  if constexpr (sizeof(T) <= sizeof(std::uint64_t)) {
    const std::size_t digits = radix::count<A>(value);
    radix::write_back<A>(value, digits, out.data() + digits);
    return digits;
  } else {
    if (value >> 64 == 0) return write_radix<A>(static_cast<std::uint64_t>(value), out);
    constexpr std::size_t kSize = radix::kLimb<A>;
    const auto parts = quotient::divide<radix::kPowers<A>[kSize]>(value);
    const std::size_t front = write_radix<A, T>(parts.quotient, out);
    radix::write_limb<A>(parts.rest, out.data() + front);
    return front + kSize;
  }
}

/// Writes a value with leading zeros, always kRadixDigits<A, T> characters.
/// REQUIRES: out.size() >= that. Sorts as text if A.sorts().
template <const Alphabet& A, UnsignedWord T>
constexpr std::size_t write_fixed(T value, std::span<char> out) {
  constexpr std::size_t kDigits = kRadixDigits<A, T>;
  constexpr std::size_t kSize = radix::kLimb<A>;
  constexpr std::uint64_t kPower = radix::kPowers<A>[kSize];
  std::size_t end = kDigits;
#pragma GCC unroll 4
  for (; end > kSize; end -= kSize) {
    const auto parts = quotient::divide<kPower>(value);
    radix::write_limb<A>(parts.rest, out.data() + end - kSize);
    value = static_cast<T>(parts.quotient);
  }
  radix::write_back<A>(static_cast<std::uint64_t>(value), end, out.data() + end);
  return kDigits;
}

/// Reads digits without a leading zero (except the one of "0"). Errors: WrongLength (no digits),
/// NotCanonical (a leading zero), BadCharacter, ValueOverflow at the digit that leaves T.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard]] constexpr Result<T> parse_radix(std::string_view text) {
  if (text.empty()) return fail(Error::at(Fault::wrong_length, 0));
  if (text[0] == A[0] && text.size() > 1) [[unlikely]] {
    return fail(Error::at(Fault::not_canonical, 0));
  }
  return radix::read<A, T>(text);
}

/// The same, but reads any number of leading zeros.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard]] constexpr Result<T> parse_radix_zeros(std::string_view text) {
  if (text.empty()) return fail(Error::at(Fault::wrong_length, 0));
  return radix::read<A, T>(text);
}

/// Reads exactly kRadixDigits<A, T> digits. Errors: WrongLength, BadCharacter; ValueOverflow at the first
/// digit that is above the one of the largest T.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard]] constexpr Result<T> parse_fixed(std::string_view text) {
  constexpr std::size_t kDigits = kRadixDigits<A, T>;
  if (text.size() != kDigits) {
    return fail(Error::at(Fault::wrong_length, std::min(text.size(), kDigits)));
  }
  const Result<T> value = radix::read<A, T>({text.data(), kDigits});
  if (value) [[likely]]
    return value;
  std::array<char, kDigits> largest{};
  write_fixed<A, T>(std::numeric_limits<T>::max(), largest);
  bool at_limit = true;  // every digit so far is that of the largest value
  for (std::size_t at = 0; at < kDigits; ++at) {
    const std::uint8_t digit = A.value_of(text[at]);
    const std::uint8_t limit = A.value_of(largest[at]);
    if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
    if (at_limit && digit > limit) return fail(Error::at(Fault::value_overflow, at));
    at_limit = at_limit && digit == limit;
  }
  return value;
}

/// Writes 1 to 20 decimal digits. Returns how many. REQUIRES: out.size() >= 20, of which all may be touched.
constexpr std::size_t write_decimal(std::uint64_t value, std::span<char> out) {
  using digits::kTenTo16;
  using digits::kTenTo8;
  char* to = out.data();
  const auto lead = [&to](std::uint64_t front) {
    const std::uint64_t eight = digits::eight_of(static_cast<std::uint32_t>(front));
    // The last digit always stays: a marker in its byte stops the count of zeros there.
    const int zeros = std::countr_zero(eight | std::uint64_t{1} << 56) / 8;
    digits::store_eight(eight >> 8 * zeros, to);
    to += 8 - zeros;
  };
  const auto follow = [&to](std::uint64_t eight) {
    digits::store_eight(digits::eight_of(static_cast<std::uint32_t>(eight)), to);
    to += 8;
  };
  if (value < kTenTo8) {
    lead(value);
  } else if (value < kTenTo16) {
    lead(value / kTenTo8);
    follow(value % kTenTo8);
  } else if (std::is_constant_evaluated() || std::endian::native != std::endian::little) {
    lead(value / kTenTo16);
    follow(value / kTenTo8 % kTenTo8);
    follow(value % kTenTo8);
  } else {
    // 17 to 20 digits, as most Snowflakes have: one to four of them, then sixteen.
    const auto front = static_cast<std::uint32_t>(value / kTenTo16);
    std::array<char, 4> chars;
    put_pair<kDecimal>(front / 100, chars.data());
    put_pair<kDecimal>(front % 100, chars.data() + 2);
    const unsigned zeros = front >= 100 ? (front >= 1'000 ? 0U : 1U) : (front >= 10 ? 2U : 3U);
    const std::uint32_t moved = std::bit_cast<std::uint32_t>(chars) >> 8 * zeros;
    std::memcpy(to, &moved, sizeof moved);
    to += 4 - zeros;
    digits::store_sixteen(value % kTenTo16, to);
    to += 16;
  }
  return static_cast<std::size_t>(to - out.data());
}

namespace radix {

/// What parse_decimal does for 17 to 19 digits at run time: one to three of them, then sixteen.
[[nodiscard]] inline digits::Number read_long(std::string_view text) {
  const std::size_t lead = text.size() - 16;
  std::uint32_t few;
  std::memcpy(&few, text.data(), sizeof few);
  // The first digits, moved to the end of eight, with zeros in front of them.
  const std::uint64_t chars = static_cast<std::uint64_t>(few) << 8 * (8 - lead) |
                              std::uint64_t{0x3030303030303030} >> 8 * lead;
  const digits::Number rest = digits::load_sixteen(text.data() + lead);
  return {digits::number_of(chars) * digits::kTenTo16 + rest.value,
          rest.valid && digits::are_digits(chars)};
}

}  // namespace radix

/// Reads decimal digits without sign, blanks or leading zeros. Errors: WrongLength (no digits), NotCanonical
/// (a leading zero), BadCharacter, ValueOverflow (above 2^64 - 1).
[[nodiscard]] constexpr Result<std::uint64_t> parse_decimal(std::string_view text) {
  const std::size_t size = text.size();
  // 19 digits always fit 64 bits, 20 may not; short and doubtful texts take the plain way.
  if (size < 8 || size > 19 || text[0] == '0') return parse_radix<kDecimal, std::uint64_t>(text);
  std::uint64_t value = 0;
  bool valid = true;
  if (size > 16 && !std::is_constant_evaluated() && std::endian::native == std::endian::little) {
    const digits::Number read = radix::read_long(text);
    value = read.value;
    valid = read.valid;
  } else {
    const std::size_t lead = size % 8;
    if (lead != 0) {
      const std::uint64_t chars = digits::load_eight(text.data()) << 8 * (8 - lead) |
                                  std::uint64_t{0x3030303030303030} >> 8 * lead;
      valid = digits::are_digits(chars);
      value = digits::number_of(chars);
    }
    for (std::size_t at = lead; at < size; at += 8) {
      const std::uint64_t chars = digits::load_eight(text.data() + at);
      valid = valid && digits::are_digits(chars);
      value = value * digits::kTenTo8 + digits::number_of(chars);
    }
  }
  if (!valid) [[unlikely]]
    return radix::read_slowly<kDecimal, std::uint64_t>(text);
  return value;
}

/// The most characters of base58 for a byte string: log(256) / log(58) < 1.3658.
[[nodiscard]] constexpr std::size_t base58_chars(std::size_t bytes) {
  return bytes * 138 / 100 + 1;
}

/// Writes a byte string in base58, with one leading zero digit for each leading zero byte. Returns the
/// characters written. REQUIRES: out.size() >= base58_chars(bytes.size()).
template <const Alphabet& A = kBase58Bitcoin>
requires(A.size() == 58) constexpr std::size_t
    write_base58(std::span<const std::byte> bytes, std::span<char> out) {
  std::size_t zeros = 0;
  while (zeros < bytes.size() && bytes[zeros] == std::byte{0}) ++zeros;
  // `out` first holds digits as numbers, least significant first.
  std::size_t size = 0;
  for (const std::byte byte : bytes.subspan(zeros)) {
    unsigned carry = static_cast<unsigned>(byte);
    for (std::size_t i = 0; i < size || carry != 0; ++i) {
      if (i == size) out[size++] = 0;
      carry += static_cast<unsigned>(out[i]) << 8;
      out[i] = static_cast<char>(carry % 58);
      carry /= 58;
    }
  }
  for (std::size_t i = 0; i < zeros; ++i) out[size++] = 0;
  std::reverse(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size));
  for (char& digit : out.first(size)) digit = A[static_cast<std::size_t>(digit)];
  return size;
}

/// Reads a byte string from base58 into the front of `to`; returns its size. On an error `to` holds nothing
/// of use. Errors: BadCharacter; ValueOverflow at the character that `to` has no room for.
template <const Alphabet& A = kBase58Bitcoin>
requires(A.size() == 58)
    [[nodiscard]] constexpr Result<std::size_t> parse_base58(std::string_view text,
                                                             std::span<std::byte> to) {
  std::size_t zeros = 0;
  while (zeros < text.size() && text[zeros] == A[0]) ++zeros;
  if (zeros > to.size()) return fail(Error::at(Fault::value_overflow, to.size()));
  // `to` first holds the bytes least significant first.
  std::size_t size = 0;
  for (std::size_t at = zeros; at < text.size(); ++at) {
    unsigned carry = A.value_of(text[at]);
    if (carry == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
    for (std::size_t i = 0; i < size || carry != 0; ++i) {
      if (i == size) {
        if (zeros + size == to.size()) return fail(Error::at(Fault::value_overflow, at));
        to[size++] = std::byte{0};
      }
      carry += static_cast<unsigned>(to[i]) * 58;
      to[i] = static_cast<std::byte>(carry & 0xff);
      carry >>= 8;
    }
  }
  for (std::size_t i = 0; i < zeros; ++i) to[size++] = std::byte{0};
  std::reverse(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(size));
  return size;
}

/// Crockford's check symbol of a value: value mod 37, where 32 to 36 are `*~$=U`.
[[nodiscard]] constexpr char crockford_check(U128 value) {
  constexpr std::string_view kSymbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U";
  return kSymbols[static_cast<std::size_t>(value % 37)];
}

static_assert(kRadixDigits<kDecimal, std::uint64_t> == 20 && kRadixDigits<kDecimal, U128> == 39);
static_assert(kRadixDigits<kBase62DigitUpperLower, std::uint64_t> == 11);
static_assert(*parse_decimal("18446744073709551615") == ~std::uint64_t{0});
static_assert(parse_decimal("18446744073709551616").error() ==
              Error::at(Fault::value_overflow, 19));
static_assert(*parse_decimal("653247040368672768") == 653'247'040'368'672'768);

}  // namespace mintmark
