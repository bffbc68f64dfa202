// Letters: an alphabet that is given, and rearranged, while the program runs. What Sqids and Hashids count
// in. A constant one is an Alphabet (alphabet.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"

namespace mintmark {

/// Up to 128 characters of ASCII in an order of their own. A plain value.
class Letters {
 public:
  static constexpr std::size_t kMost = 128;  ///< all of ASCII
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  constexpr Letters() = default;

  /// Each character of `text` once. Errors: BadCharacter at the first byte that is not ASCII,
  /// InvalidArgument at the first character that was there before.
  [[nodiscard]] static constexpr Result<Letters> of(std::string_view text) {
    Letters letters;
    for (const char c : text) {
      if (!is_ascii(c)) return fail(Error::at(Fault::bad_character, letters.size_));
      if (letters.contains(c)) return fail(Error::at(Fault::invalid_argument, letters.size_));
      letters.append(c);
    }
    return letters;
  }
  [[nodiscard]] static constexpr bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < kMost;
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::string_view view() const { return {chars_.data(), size_}; }
  [[nodiscard]] constexpr std::span<char> chars() { return std::span{chars_}.first(size_); }

  /// REQUIRES: at < size().
  [[nodiscard]] constexpr char operator[](std::size_t at) const { return chars_[at]; }
  /// The character as a number to reckon with. REQUIRES: at < size().
  [[nodiscard]] constexpr std::size_t code(std::size_t at) const {
    return static_cast<unsigned char>(chars_[at]);
  }

  /// The place of a character, or kNone.
  [[nodiscard]] constexpr std::size_t find(char c) const {
    for (std::size_t at = 0; at < size_; ++at) {
      if (chars_[at] == c) return at;
    }
    return kNone;
  }
  [[nodiscard]] constexpr bool contains(char c) const { return find(c) != kNone; }

  /// REQUIRES: size() < kMost.
  constexpr void append(char c) { chars_[size_++] = c; }

  /// Takes the first `count` of them away and returns them. REQUIRES: count <= size().
  constexpr Letters take_front(std::size_t count) {
    Letters front;
    for (std::size_t i = 0; i < count; ++i) front.append(chars_[i]);
    for (std::size_t i = count; i < size_; ++i) chars_[i - count] = chars_[i];
    size_ -= count;
    return front;
  }

 private:
  std::array<char, kMost> chars_{};
  std::size_t size_ = 0;
};

/// Numbers whose digits are some letters. The first letter is zero.
namespace letters {

/// Digits of a number, at least one. REQUIRES: radix >= 2.
[[nodiscard]] constexpr std::size_t digits_of(std::uint64_t number, std::size_t radix) {
  std::size_t digits = 1;
  while ((number /= radix) != 0) ++digits;
  return digits;
}

/// Digits of the largest number.
[[nodiscard]] constexpr std::size_t most_digits(std::size_t radix) {
  return digits_of(std::numeric_limits<std::uint64_t>::max(), radix);
}

/// Writes a number without leading zeros; returns the characters written.
/// REQUIRES: digits.size() >= 2; out has room for them.
constexpr std::size_t write(std::uint64_t number, std::string_view digits, std::span<char> out) {
  const std::size_t size = digits_of(number, digits.size());
  for (std::size_t at = size; at-- > 0; number /= digits.size()) {
    out[at] = digits[static_cast<std::size_t>(number % digits.size())];
  }
  return size;
}

/// Appends a digit to a number. False if the result is above 64 bits; then the number is as before.
[[nodiscard]] constexpr bool append(std::uint64_t& number, std::size_t radix, std::size_t digit) {
  const U128 next = static_cast<U128>(number) * radix + digit;
  if (next >> 64 != 0) return false;
  number = static_cast<std::uint64_t>(next);
  return true;
}

}  // namespace letters

}  // namespace mintmark
