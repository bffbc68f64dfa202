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

/// All two-digit texts of an alphabet, so that a division gives two digits.
template <const Alphabet& A>
inline constexpr auto kPairs = [] {
  std::array<std::array<char, 2>, A.size() * A.size()> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {A[i / A.size()], A[i % A.size()]};
  return pairs;
}();

/// Writes exactly `digits` digits that end at `end`. REQUIRES: the value fits them.
template <const Alphabet& A>
constexpr void write_back(std::uint64_t value, std::size_t digits, char* end) {
  constexpr std::uint64_t kPair = A.size() * A.size();
  for (; digits >= 2; digits -= 2) {
    const auto& pair = kPairs<A>[value % kPair];
    value /= kPair;
    *--end = pair[1];
    *--end = pair[0];
  }
  if (digits == 1) *--end = A[value % A.size()];
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
  constexpr T kMost = std::numeric_limits<T>::max();
  if (value != 0 && power > kMost / value) return false;
  const T product = static_cast<T>(value * static_cast<T>(power));
  if (digits > kMost || product > kMost - digits) return false;
  value = static_cast<T>(product + digits);
  return true;
}

/// Reads digit by digit and says where the text stops being one of a T. Finds any error there is.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard]] constexpr Result<T> read_slowly(std::string_view text) {
  T value = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t digit = A.value_of(text[at]);
    if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
    if (!append(value, A.size(), digit)) return fail(Error::at(Fault::value_overflow, at));
  }
  return value;
}

/// Reads a limb of digits at a time.
template <const Alphabet& A, UnsignedWord T>
[[nodiscard]] constexpr Result<T> read(std::string_view text) {
  T value = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min(text.size() - at, kLimb<A>);
    const std::size_t end = at + size;
    std::uint64_t limb = 0;
    unsigned seen = 0;
    for (; at < end; ++at) {
      const unsigned digit = A.value_of(text[at]);
      seen |= digit;
      limb = limb * A.size() + digit;
    }
    if ((seen & 0x80) != 0 || !append(value, kPowers<A>[size], limb))
      return read_slowly<A, T>(text);
  }
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
    constexpr std::uint64_t kPower = radix::kPowers<A>[kSize];
    const std::size_t front = write_radix<A, T>(value / kPower, out);
    radix::write_back<A>(static_cast<std::uint64_t>(value % kPower), kSize,
                         out.data() + front + kSize);
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
  for (; end > kSize; end -= kSize) {
    radix::write_back<A>(static_cast<std::uint64_t>(value % kPower), kSize, out.data() + end);
    value = static_cast<T>(value / kPower);
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
  const Result<T> value = radix::read<A, T>(text);
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

namespace radix {

/// Eight decimal digits of a value below 10^8, one a byte, the first digit in the lowest byte.
[[nodiscard]] constexpr std::uint64_t eight_digits(std::uint32_t value) {
  // Split in halves three times: 4 + 4, then 2 + 2, then 1 + 1 digits, all lanes at once. x * 10486 >> 20
  // is x / 100 below 10^4, x * 103 >> 10 is x / 10 below 100.
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

/// The number that eight digits are; the reverse of eight_digits.
[[nodiscard]] constexpr std::uint64_t number_of(std::uint64_t chars) {
  chars &= 0x0f0f0f0f0f0f0f0f;
  chars = (chars * 10 + (chars >> 8)) & 0x00ff00ff00ff00ff;
  chars = (chars * 100 + (chars >> 16)) & 0x0000ffff0000ffff;
  return (chars * 10'000 + (chars >> 32)) & 0xffffffff;
}

}  // namespace radix

/// Writes 1 to 20 decimal digits. Returns how many. REQUIRES: out.size() >= 20, of which all may be touched.
constexpr std::size_t write_decimal(std::uint64_t value, std::span<char> out) {
  constexpr std::uint64_t kEight = 100'000'000;  // 10^8
  char* to = out.data();
  const auto lead = [&to](std::uint64_t front) {
    const std::uint64_t digits = radix::eight_digits(static_cast<std::uint32_t>(front));
    // The last digit always stays: a marker in its byte stops the count of zeros there.
    const int zeros = std::countr_zero(digits | std::uint64_t{1} << 56) / 8;
    radix::store_eight(digits >> 8 * zeros, to);
    to += 8 - zeros;
  };
  const auto follow = [&to](std::uint64_t eight) {
    radix::store_eight(radix::eight_digits(static_cast<std::uint32_t>(eight)), to);
    to += 8;
  };
  if (value < kEight) {
    lead(value);
  } else if (value < kEight * kEight) {
    lead(value / kEight);
    follow(value % kEight);
  } else {
    const std::uint64_t high = value / kEight;
    lead(high / kEight);
    follow(high % kEight);
    follow(value % kEight);
  }
  return static_cast<std::size_t>(to - out.data());
}

/// Reads decimal digits without sign, blanks or leading zeros. Errors: WrongLength (no digits), NotCanonical
/// (a leading zero), BadCharacter, ValueOverflow (above 2^64 - 1).
[[nodiscard]] constexpr Result<std::uint64_t> parse_decimal(std::string_view text) {
  const std::size_t size = text.size();
  // 19 digits always fit 64 bits, 20 may not; short and doubtful texts take the plain way.
  if (size < 8 || size > 19 || text[0] == '0') return parse_radix<kDecimal, std::uint64_t>(text);
  const std::size_t lead = size % 8;
  std::uint64_t value = 0;
  bool valid = true;
  if (lead != 0) {
    // The first digits, moved to the end of eight, with zeros in front of them.
    const std::uint64_t chars = radix::load_eight(text.data()) << 8 * (8 - lead) |
                                std::uint64_t{0x3030303030303030} >> 8 * lead;
    valid = radix::are_digits(chars);
    value = radix::number_of(chars);
  }
  for (std::size_t at = lead; at < size; at += 8) {
    const std::uint64_t chars = radix::load_eight(text.data() + at);
    valid = valid && radix::are_digits(chars);
    value = value * 100'000'000 + radix::number_of(chars);
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
