// Alphabets: which characters stand for which values, as constants that the compiler has checked.
//
// Why each has a long name: base62 alone is written with four orders, and base58 with two. A text in one
// of them reads in another as a different value, without an error; so no alphabet here is called "base62".
//
// Order matters as well: only where the characters ascend as the values do, and the width is fixed, does
// the text sort as the value does. sorts() says whether an alphabet can.
//
// What it refuses, at compile time: a character twice, characters outside ASCII, fewer than 2 or more than
// 64 of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "mintmark/base/error.h"

namespace mintmark {

/// Whether a reader takes a letter in the case that the alphabet does not write.
enum class LetterCase : std::uint8_t { strict, either };

/// A character that a reader takes in place of another one.
struct Alias {
  char seen;
  char meant;
};

/// 2 to 64 characters and their values, both ways. Immutable; any thread may use it.
class Alphabet {
 public:
  /// What value_of gives for a character that stands for nothing. Every value is below 64, so that the
  /// OR of many look-ups has the top bit set exactly if one of them failed.
  static constexpr std::uint8_t kNone = 0xff;

  /// From value `at` on, the characters lie `by` further than the values do.
  struct Step {
    std::uint8_t at;
    std::uint8_t by;  // modulo 256
  };

  consteval explicit Alphabet(std::string_view chars, LetterCase letter_case = LetterCase::strict,
                              std::span<const Alias> aliases = {}) {
    MINTMARK_CHECK(chars.size() >= 2 && chars.size() <= chars_.size());
    values_.fill(kNone);
    for (const char c : chars) {
      add_step(c);
      chars_[size_] = c;
      learn(c, static_cast<std::uint8_t>(size_));
      ++size_;
    }
    if (letter_case == LetterCase::either) {
      for (std::size_t value = 0; value < size_; ++value) {
        const char twin = other_case(chars_[value]);
        if (twin != chars_[value]) learn(twin, static_cast<std::uint8_t>(value));
      }
    }
    for (const Alias alias : aliases) {
      learn(alias.seen, value_of(alias.meant));
      if (letter_case == LetterCase::either) learn(other_case(alias.seen), value_of(alias.meant));
    }
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }

  /// The character of a value. REQUIRES: value < size().
  [[nodiscard]] constexpr char operator[](std::size_t value) const { return chars_[value]; }

  /// The value of a character, or kNone.
  [[nodiscard]] constexpr std::uint8_t value_of(char c) const {
    return values_[static_cast<unsigned char>(c)];
  }

  /// All characters, in the order of their values.
  [[nodiscard]] constexpr std::string_view chars() const { return {chars_.data(), size_}; }

  /// The characters ascend in ASCII, so that text of one fixed width sorts as its values do.
  [[nodiscard]] constexpr bool sorts() const {
    for (std::size_t value = 1; value < size_; ++value) {
      if (chars_[value - 1] >= chars_[value]) return false;
    }
    return true;
  }

  /// The size is a power of two, so that a text cuts the bits of a value (slice.h) and need not divide.
  [[nodiscard]] constexpr bool slices() const { return (size_ & (size_ - 1)) == 0; }

  /// The alphabet as runs of neighbours: a value's character is the value, plus every `by` whose `at` is
  /// not above the value. Alphabets are a few long runs, so this needs no table and works on many values
  /// at once.
  [[nodiscard]] constexpr std::span<const Step> steps() const {
    return {steps_.data(), step_count_};
  }

 private:
  consteval void learn(char c, std::uint8_t value) {
    const auto code = static_cast<unsigned char>(c);
    MINTMARK_CHECK(code > 0x20 && code < 0x7f);
    MINTMARK_CHECK(values_[code] == kNone && value != kNone);
    values_[code] = value;
  }

  consteval void add_step(char c) {
    const int reached = size_ == 0 ? 0 : chars_[size_ - 1] + 1;
    if (c != reached) {
      steps_[step_count_++] = {static_cast<std::uint8_t>(size_),
                               static_cast<std::uint8_t>(c - reached)};
    }
  }

  static consteval char other_case(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c;
  }

  std::array<std::uint8_t, 256> values_{};
  std::array<char, 64> chars_{};
  std::array<Step, 64> steps_{};
  std::size_t size_ = 0;
  std::size_t step_count_ = 0;
};

/// All texts of two characters: that of value a * size + b at this index. 2 KiB for base32, 7.5 for base62.
template <const Alphabet& A>
inline constexpr auto kPairs = [] {
  std::array<std::array<char, 2>, A.size() * A.size()> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {A[i / A.size()], A[i % A.size()]};
  return pairs;
}();

/// Writes two characters at once. REQUIRES: pair < A.size() * A.size().
template <const Alphabet& A>
constexpr void put_pair(std::uint64_t pair, char* to) {
  const std::array<char, 2>& chars = kPairs<A>[static_cast<std::size_t>(pair)];
  if
    consteval {
      to[0] = chars[0];
      to[1] = chars[1];
    }
  else {
    std::memcpy(to, chars.data(), chars.size());  // one store, not two
  }
}

inline constexpr Alphabet kDecimal{"0123456789"};

/// RFC 4648 section 8. Both read either case; the name says which case they write.
inline constexpr Alphabet kHexLower{"0123456789abcdef", LetterCase::either};
inline constexpr Alphabet kHexUpper{"0123456789ABCDEF", LetterCase::either};

/// Crockford's base32 (crockford.com/base32.html): no I, L, O, U. This is ULID's and TSID's.
inline constexpr Alphabet kCrockford{"0123456789ABCDEFGHJKMNPQRSTVWXYZ", LetterCase::either};

/// TypeID's: the same letters in lower case, and nothing else is read.
inline constexpr Alphabet kCrockfordLower{"0123456789abcdefghjkmnpqrstvwxyz"};

inline constexpr std::array kCrockfordAliases{Alias{'I', '1'}, Alias{'L', '1'}, Alias{'O', '0'}};

/// The same for text that a person typed: I and L are read as 1, O as 0. U still stands for nothing.
inline constexpr Alphabet kCrockfordAliased{"0123456789ABCDEFGHJKMNPQRSTVWXYZ", LetterCase::either,
                                            kCrockfordAliases};

/// RFC 4648 section 7, in lower case and read in lower case only. This is XID's.
inline constexpr Alphabet kBase32HexLower{"0123456789abcdefghijklmnopqrstuv"};

/// RFC 4648 section 5. It does not sort.
inline constexpr Alphabet kBase64Url{
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"};

/// Firebase's push IDs: the 64 characters of base64url in ASCII order.
inline constexpr Alphabet kBase64Push{
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"};

inline constexpr Alphabet kBase36Lower{"0123456789abcdefghijklmnopqrstuvwxyz"};

/// No 0, I, O, l. Bitcoin's order is that of ASCII, Flickr's is not.
inline constexpr Alphabet kBase58Bitcoin{
    "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"};
inline constexpr Alphabet kBase58Flickr{
    "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"};

/// The four orders of base62 that are in use, named by their order. Only the first one sorts (KSUID, TSID).
inline constexpr Alphabet kBase62DigitUpperLower{
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"};
inline constexpr Alphabet kBase62DigitLowerUpper{
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"};
inline constexpr Alphabet kBase62LowerUpperDigit{
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"};
inline constexpr Alphabet kBase62UpperLowerDigit{
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"};

static_assert(kDecimal.sorts() && kHexLower.sorts() && kHexUpper.sorts() && kCrockford.sorts() &&
              kCrockfordLower.sorts() && kBase32HexLower.sorts() && kBase64Push.sorts() &&
              kBase36Lower.sorts() && kBase58Bitcoin.sorts() && kBase62DigitUpperLower.sorts());
static_assert(!kBase64Url.sorts() && !kBase58Flickr.sorts() && !kBase62DigitLowerUpper.sorts() &&
              !kBase62LowerUpperDigit.sorts() && !kBase62UpperLowerDigit.sorts());
static_assert(kCrockford.value_of('i') == Alphabet::kNone && kCrockfordAliased.value_of('i') == 1 &&
              kCrockfordAliased.value_of('u') == Alphabet::kNone);
static_assert(kHexLower.steps().size() == 2 && kCrockford.steps().size() == 6);

}  // namespace mintmark
