// Crockford's base32 with its check symbol: an integer and one character more, so that one wrong character
// or two that changed places do not go unnoticed. crockford.com/base32.html.
//
// Use it for numbers that people read out or type. The symbol is the value modulo 37; the five values
// above the digits are written `*`, `~`, `$`, `=`, `U`, so that an address or a shell may need quotes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/radix.h"

namespace mintmark {

inline constexpr Alphabet kCrockfordChecks{"0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U",
                                           LetterCase::either};
inline constexpr Alphabet kCrockfordChecksAliased{"0123456789ABCDEFGHJKMNPQRSTVWXYZ*~$=U",
                                                  LetterCase::either, kCrockfordAliases};

/// Writes a value without leading zeros, and its check symbol. Returns the characters written.
/// REQUIRES: out.size() > kRadixDigits<kCrockford, T>.
template <UnsignedWord T>
constexpr std::size_t write_crockford_check(T value, std::span<char> out) {
  const std::size_t size = write_radix<kCrockford>(value, out);
  out[size] = crockford_check(value);
  return size + 1;
}

/// Reads what write_crockford_check writes, in either case. Errors: WrongLength if there is no digit before
/// the symbol; BadCharacter; ValueOverflow; NotCanonical at a leading zero, and at a symbol that is not the
/// one of the value: then some character is wrong, not always this one.
template <UnsignedWord T>
[[nodiscard]] constexpr Result<T> parse_crockford_check(std::string_view text) {
  if (text.size() < 2) return fail(Error::at(Fault::wrong_length, text.size()));
  MINTMARK_TRY(value, (parse_radix<kCrockford, T>(text.substr(0, text.size() - 1))));
  const std::uint8_t check = kCrockfordChecks.value_of(text.back());
  if (check == Alphabet::kNone) return fail(Error::at(Fault::bad_character, text.size() - 1));
  if (check != value % kCrockfordChecks.size()) {
    return fail(Error::at(Fault::not_canonical, text.size() - 1));
  }
  return value;
}

/// The same for text that a person typed: I and L are 1, O is 0, hyphens anywhere are skipped, and leading
/// zeros are read. Positions count in `text` as it is. Errors: as above.
template <UnsignedWord T>
[[nodiscard]] constexpr Result<T> parse_crockford_check_lenient(std::string_view text) {
  const std::size_t last = text.find_last_not_of('-');
  if (last == std::string_view::npos) return fail(Error::at(Fault::wrong_length, text.size()));
  T value = 0;
  std::size_t digits = 0;
  for (std::size_t at = 0; at < last; ++at) {
    if (text[at] == '-') continue;
    const std::uint8_t digit = kCrockfordAliased.value_of(text[at]);
    if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
    const auto next = static_cast<T>(static_cast<T>(value << 5) | digit);
    if (next >> 5 != value) return fail(Error::at(Fault::value_overflow, at));
    value = next;
    ++digits;
  }
  if (digits == 0) return fail(Error::at(Fault::wrong_length, text.size()));
  const std::uint8_t check = kCrockfordChecksAliased.value_of(text[last]);
  if (check == Alphabet::kNone) return fail(Error::at(Fault::bad_character, last));
  if (check != value % kCrockfordChecks.size()) return fail(Error::at(Fault::not_canonical, last));
  return value;
}

// crockford.com/base32.html, "Check Symbol".
static_assert(*parse_crockford_check<std::uint64_t>("16JD") == 1234);
static_assert(parse_crockford_check<std::uint64_t>("16JE").error() ==
              Error::at(Fault::not_canonical, 3));
static_assert(*parse_crockford_check_lenient<std::uint64_t>("o-l6j-d") == 1234);

}  // namespace mintmark
