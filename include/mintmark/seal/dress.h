// Dress: how a sealed number looks as text: which alphabet, always as many digits as the largest number of
// the domain needs, so that the length tells nothing and each number has one text.
//
// What it refuses: another length, characters outside the alphabet, numbers above the largest one. Every
// error names the position of the first character at which the text cannot go on.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/text/alphabet.h"

namespace mintmark {

enum class Dress : std::uint8_t {
  crockford,  ///< 5 bits a character, read in either case, no I, L, O, U: for people and for host names
  base58,   ///< 5.86 bits a character, Bitcoin's alphabet: no 0, O, I, l
  base62,   ///< 5.95 bits a character: digits, upper case, lower case
  decimal,  ///< 3.32 bits a character: for telephones and forms that take digits only
};

struct DressRow {
  Dress dress;
  std::string_view name;  ///< as typed on the command line
  const Alphabet* alphabet;
};

/// In the order of the enumeration.
inline constexpr std::array kDresses{
    DressRow{Dress::crockford, "crockford", &kCrockford},
    DressRow{Dress::base58, "base58", &kBase58Bitcoin},
    DressRow{Dress::base62, "base62", &kBase62DigitUpperLower},
    DressRow{Dress::decimal, "decimal", &kDecimal},
};
[[nodiscard]] constexpr const DressRow& row_of(Dress dress) {
  return kDresses[static_cast<std::size_t>(dress)];
}

/// The numbers from 0 to a largest one as digits of one width. Immutable; any thread may use it.
class FixedDigits {
 public:
  static constexpr std::size_t kMostDigits = 39;  ///< 2^128 - 1 in decimal

  constexpr FixedDigits(const Alphabet& alphabet, U128 largest) : alphabet_(&alphabet) {
    std::array<std::uint8_t, kMostDigits> reversed{};
    do {
      reversed[width_++] = static_cast<std::uint8_t>(largest % alphabet.size());
      largest /= alphabet.size();
    } while (largest > 0);
    for (std::size_t i = 0; i < width_; ++i) largest_[i] = reversed[width_ - 1 - i];
  }

  [[nodiscard]] constexpr std::size_t width() const { return width_; }

  /// Writes width() characters. REQUIRES: value <= the largest; out.size() >= width().
  constexpr void write(U128 value, std::span<char> out) const {
    std::size_t at = width_;
    for (; at > 0 && value >> 64 != 0; value /= alphabet_->size()) {
      out[--at] = (*alphabet_)[static_cast<std::size_t>(value % alphabet_->size())];
    }
    // Division of 64 bits is several times faster.
    for (auto rest = static_cast<std::uint64_t>(value); at > 0; rest /= alphabet_->size()) {
      out[--at] = (*alphabet_)[rest % alphabet_->size()];
    }
  }

  /// Reads exactly width() characters. Errors: WrongLength, BadCharacter; ValueOverflow at the first digit
  /// that is above the one of the largest number.
  [[nodiscard]] constexpr Result<U128> parse(std::string_view text) const {
    if (text.size() != width_) {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), width_)));
    }
    U128 value = 0;
    bool at_limit = true;  // every digit so far is that of the largest number
    for (std::size_t at = 0; at < width_; ++at) {
      const std::uint8_t digit = alphabet_->value_of(text[at]);
      if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
      if (at_limit && digit > largest_[at]) return fail(Error::at(Fault::value_overflow, at));
      at_limit = at_limit && digit == largest_[at];
      value = value * alphabet_->size() + digit;
    }
    return value;
  }

 private:
  const Alphabet* alphabet_;
  std::size_t width_ = 0;
  std::array<std::uint8_t, kMostDigits> largest_{};
};

static_assert([] {
  for (std::size_t i = 0; i < kDresses.size(); ++i) {
    if (static_cast<std::size_t>(kDresses[i].dress) != i) return false;
  }
  return kDresses.size() == static_cast<std::size_t>(Dress::decimal) + 1;
}());
static_assert(FixedDigits{kDecimal, ~U128{0}}.width() == FixedDigits::kMostDigits);
static_assert(FixedDigits{kCrockford, ~std::uint64_t{0}}.width() == 13);
static_assert(FixedDigits{kBase58Bitcoin, ~std::uint64_t{0}}.width() == 11);
static_assert(FixedDigits{kDecimal, 999'999}.parse("000042") == U128{42});

}  // namespace mintmark
