// Hashids: a list of numbers as a short text that looks random, and back. hashids.org.
//
// Use it to read and write what a program with Hashids has given out. For a new one take Sqids, the successor
// by the same author. It is NOT secret and not a signature: the salt only rearranges the alphabet, can be
// found from a few texts, and whatever stands behind the first characters of it does nothing at all.
//
// Every decoder writes the numbers again and compares, so that a list of numbers has one text.
//
// What it refuses: alphabets with other characters than ASCII, texts above 1024 characters, a shortest length
// above 255. The reference takes those; its numbers may be larger than 64 bits.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/error.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/letters.h"

namespace mintmark {

struct HashidsOptions {
  std::string_view salt = {};   ///< UTF-8; its characters count, not its bytes
  std::uint8_t min_length = 0;  ///< characters of the shortest text
  /// ASCII without NUL. At least 16 different characters; one that comes again does not count.
  std::string_view alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890";
  /// Different characters of ASCII that stand between numbers. Those outside the alphabet do not count.
  std::string_view separators = "cfhistuCFHISTU";
};

namespace hashids {

/// The front of a salt: as many code points as an arrangement can look at.
struct Salt {
  std::array<char32_t, Letters::kMost> points{};
  std::size_t size = 0;

  constexpr void append(char32_t point) {
    if (size < points.size()) points[size++] = point;
  }
};

/// Reads UTF-8 (RFC 3629, section 4). Errors: BadCharacter at the first byte of what is no character.
[[nodiscard]] constexpr Result<Salt> salt_of(std::string_view text) {
  // The first bytes of characters of 1 to 4 bytes, and the smallest number that needs so many.
  struct Length {
    std::uint8_t mask, lead;
    char32_t least;
  };
  constexpr std::array kLengths{Length{0x80, 0x00, 0}, Length{0xe0, 0xc0, 0x80},
                                Length{0xf0, 0xe0, 0x800}, Length{0xf8, 0xf0, 0x10000}};
  Salt salt;
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    const auto wrong = fail(Error::at(Fault::bad_character, at));
    const auto length = std::ranges::find_if(
        kLengths, [&](const Length& each) { return (byte(0) & each.mask) == each.lead; });
    if (length == kLengths.end()) return wrong;
    const std::size_t size = static_cast<std::size_t>(length - kLengths.begin()) + 1;
    if (size > text.size() - at) return wrong;
    char32_t point = byte(0) & static_cast<std::uint8_t>(~length->mask);
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(i) & 0xc0) != 0x80) return wrong;
      point = point << 6 | (byte(i) & 0x3fU);
    }
    const bool surrogate = point >= 0xd800 && point < 0xe000;
    if (point < length->least || point > 0x10ffff || surrogate) return wrong;
    salt.append(point);
    at += size;
  }
  return salt;
}

/// Rearranges the letters as a salt says; an empty one leaves them.
constexpr void shuffle(Letters& letters, const Salt& salt) {
  if (salt.size == 0) return;
  std::size_t sum = 0;
  for (std::size_t i = letters.size() - 1, v = 0; i > 0 && i < letters.size(); --i, ++v) {
    v %= salt.size;
    sum += salt.points[v];
    std::swap(letters.chars()[i], letters.chars()[(salt.points[v] + v + sum) % i]);
  }
}

/// The letters of a set-up, by what they are for, and how texts are put together from them. A plain value.
class Parts {
 public:
  static constexpr std::size_t kLongest = 1024;  ///< characters of a text

  /// Errors as Hashids::make.
  [[nodiscard]] static constexpr Result<Parts> of(const HashidsOptions& options) {
    Parts made;
    MINTMARK_TRY(salt, salt_of(options.salt));
    MINTMARK_TRY(separators, Letters::of(options.separators));
    Letters unique;
    for (std::size_t at = 0; at < options.alphabet.size(); ++at) {
      const char c = options.alphabet[at];
      // The code of a digit is divided by, so that it can not be 0.
      if (c == '\0' || !Letters::is_ascii(c)) return fail(Error::at(Fault::bad_character, at));
      if (!unique.contains(c)) unique.append(c);
    }
    if (unique.size() < kFewestLetters) return fail(Error::at(Fault::wrong_length, unique.size()));
    for (const char c : separators.view()) {
      if (unique.contains(c)) made.separators_.append(c);
    }
    for (const char c : unique.view()) {
      if (!separators.contains(c)) made.alphabet_.append(c);
    }
    made.salt_ = salt;
    made.min_length_ = options.min_length;
    made.divide();
    if (made.alphabet_.size() < 2) return fail(Fault::invalid_argument);
    return made;
  }

  /// Characters of the longest text of so many numbers.
  [[nodiscard]] constexpr std::size_t longest(std::size_t numbers) const {
    if (numbers == 0) return 0;
    const std::size_t each = 1 + letters::most_digits(alphabet_.size());
    if (numbers > kLongest / each) return kLongest;
    return std::max<std::size_t>(numbers * each, min_length_);
  }

  /// Characters of the text of `count` numbers, of which number_at gives each.
  template <class NumberAt>
  [[nodiscard]] constexpr std::size_t size_of(std::size_t count, NumberAt number_at) const {
    if (count == 0) return 0;
    std::size_t size = count;  // the lottery and the separators
    for (std::size_t i = 0; i < count; ++i) {
      size += letters::digits_of(number_at(i), alphabet_.size());
    }
    return std::max<std::size_t>(size, min_length_);
  }

  /// Writes their text; returns its size. REQUIRES: out.size() >= size_of. Errors: TooMany above kLongest.
  template <class NumberAt>
  [[nodiscard]] constexpr Result<std::size_t> write(std::size_t count, NumberAt number_at,
                                                    std::span<char> out) const {
    if (count == 0) return 0;
    const std::size_t whole = size_of(count, number_at);
    if (whole > kLongest) return fail(Fault::too_many);
    MINTMARK_CHECK(out.size() >= whole);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      sum += static_cast<std::size_t>(number_at(i) % (i + 100));
    }
    Letters digits = alphabet_;
    const char lottery = digits[sum % digits.size()];
    std::size_t size = 0;
    out[size++] = lottery;
    for (std::size_t i = 0; i < count; ++i) {
      arrange(digits, lottery);
      const std::size_t first = size;
      size += letters::write(number_at(i), digits.view(), out.subspan(size));
      if (i + 1 == count) break;
      const std::uint64_t extra = number_at(i) % (static_cast<unsigned char>(out[first]) + i);
      out[size++] = separators_[static_cast<std::size_t>(extra % separators_.size())];
    }
    if (size < whole) fill_up(out, size, sum, digits);
    return whole;
  }

  /// Gives each number of a text, and where it stands, to `take`, which may refuse it. Errors: as take;
  /// WrongLength, BadCharacter, ValueOverflow, NotCanonical as Hashids::decode.
  template <class Take>
  [[nodiscard]] constexpr Result<void> read(std::string_view text, Take take) const {
    if (text.size() > kLongest) return fail(Error::at(Fault::wrong_length, kLongest));
    std::size_t guards = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (guards_.contains(text[at])) {
        ++guards;
      } else if (!alphabet_.contains(text[at]) && !separators_.contains(text[at])) {
        return fail(Error::at(Fault::bad_character, at));
      }
    }
    if (text.empty()) return {};
    // The numbers stand behind the first guard of one or two, else in front of it.
    std::size_t at = guards == 1 || guards == 2 ? find_guard(text, 0) + 1 : 0;
    const std::size_t end = find_guard(text, at);
    if (at == end) return fail(Error::at(Fault::not_canonical, at));
    const char lottery = text[at++];
    Letters digits = alphabet_;
    for (;; ++at) {
      arrange(digits, lottery);
      std::uint64_t number = 0;
      const std::size_t first = at;
      for (; at < end && !separators_.contains(text[at]); ++at) {
        if (!letters::append(number, digits.size(), digits.find(text[at]))) {
          return fail(Error::at(Fault::value_overflow, at));
        }
      }
      if (at == first) return fail(Error::at(Fault::not_canonical, at));  // not one digit
      if (const auto taken = take(number, first); !taken) return taken;
      if (at == end) return {};
    }
  }

 private:
  // hashids.js, lib/hashids.ts: the least alphabet, letters a guard, letters a separator.
  static constexpr std::size_t kFewestLetters = 16;
  static constexpr std::size_t kLettersAGuard = 12;
  static constexpr std::size_t kHalvesASeparator = 7;  // 3.5 letters

  constexpr Parts() = default;

  /// Rearranges the letters, and takes from them the separators that lack and the guards.
  constexpr void divide() {
    shuffle(separators_, salt_);
    const std::size_t wanted = (2 * alphabet_.size() + kHalvesASeparator - 1) / kHalvesASeparator;
    if (wanted > separators_.size()) {
      const Letters taken = alphabet_.take_front(wanted - separators_.size());
      for (const char c : taken.view()) separators_.append(c);
    }
    shuffle(alphabet_, salt_);
    const std::size_t guards = (alphabet_.size() + kLettersAGuard - 1) / kLettersAGuard;
    guards_ = (alphabet_.size() < 3 ? separators_ : alphabet_).take_front(guards);
  }

  /// Rearranges the digits for the next number: by the lottery, the salt, and the digits themselves.
  constexpr void arrange(Letters& digits, char lottery) const {
    Salt key;
    key.append(static_cast<unsigned char>(lottery));
    for (std::size_t i = 0; i < salt_.size; ++i) key.append(salt_.points[i]);
    for (std::size_t i = 0; i < digits.size(); ++i)
      key.append(static_cast<char32_t>(digits.code(i)));
    shuffle(digits, key);
  }

  /// Puts a guard on either side of a text that is too short, and then halves of the digits around it.
  constexpr void fill_up(std::span<char> out, std::size_t size, std::size_t sum,
                         Letters& digits) const {
    const auto guard = [&](std::size_t at) {
      return guards_[(sum + static_cast<unsigned char>(out[at])) % guards_.size()];
    };
    const auto make_room = [&](std::size_t count) {
      std::copy_backward(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size),
                         out.begin() + static_cast<std::ptrdiff_t>(size + count));
      size += count;
    };
    const char before = guard(0);
    make_room(1);
    out[0] = before;
    if (size < min_length_) {
      const char after = guard(2);
      out[size++] = after;
    }
    const std::size_t half = digits.size() / 2;
    while (size < min_length_) {
      Salt itself;
      for (std::size_t i = 0; i < digits.size(); ++i) {
        itself.append(static_cast<char32_t>(digits.code(i)));
      }
      shuffle(digits, itself);
      // The back half comes in front, the front half behind; a surplus is cut off on both sides.
      const std::size_t missing = min_length_ - size;
      const std::size_t surplus = digits.size() > missing ? digits.size() - missing : 0;
      const std::size_t skipped = half + surplus / 2;
      make_room(digits.size() - skipped);
      std::ranges::copy(digits.view().substr(skipped), out.begin());
      for (std::size_t i = 0; i < half && size < min_length_; ++i) out[size++] = digits[i];
    }
  }

  /// The place of the first guard at `from` or behind, or the end.
  constexpr std::size_t find_guard(std::string_view text, std::size_t from) const {
    while (from < text.size() && !guards_.contains(text[from])) ++from;
    return from;
  }

  Letters alphabet_;
  Letters separators_;
  Letters guards_;
  Salt salt_;
  std::uint8_t min_length_ = 0;
};

}  // namespace hashids

/// An encoder and decoder, set up once. Immutable; any thread may use it.
class Hashids {
 public:
  static constexpr std::size_t kLongest = hashids::Parts::kLongest;  ///< characters of a text

  /// Errors: WrongLength for an alphabet of fewer than 16 characters; BadCharacter for what is not ASCII, or
  /// not UTF-8 in the salt; InvalidArgument for a separator that comes twice, and for separators that leave
  /// fewer than 2 characters to count with.
  [[nodiscard]] static constexpr Result<Hashids> make(const HashidsOptions& options) {
    MINTMARK_TRY(parts, hashids::Parts::of(options));
    return Hashids{parts};
  }

  /// Characters of the text of some numbers.
  [[nodiscard]] constexpr std::size_t size_of(std::span<const std::uint64_t> numbers) const {
    return parts_.size_of(numbers.size(), [numbers](std::size_t i) { return numbers[i]; });
  }
  /// Characters of the longest text of so many numbers: 13 for one with the default alphabet.
  [[nodiscard]] constexpr std::size_t longest(std::size_t numbers) const {
    return parts_.longest(numbers);
  }

  /// Writes the text of the numbers; returns its size. No numbers are the empty text.
  /// REQUIRES: out.size() >= size_of(numbers). Errors: TooMany if that is above kLongest.
  [[nodiscard]] constexpr Result<std::size_t> encode(std::span<const std::uint64_t> numbers,
                                                     std::span<char> out) const {
    return parts_.write(
        numbers.size(), [numbers](std::size_t i) { return numbers[i]; }, out);
  }

  /// Reads the numbers into the front of `numbers`; returns how many. A text of n characters holds at most
  /// n / 2. Errors: WrongLength above kLongest; BadCharacter; ValueOverflow at the digit that leaves 64
  /// bits; TooMany at the number that there is no room for; NotCanonical at the first character that encode
  /// would write differently, or where the numbers should be.
  [[nodiscard]] constexpr Result<std::size_t> decode(std::string_view text,
                                                     std::span<std::uint64_t> numbers) const {
    std::size_t count = 0;
    const auto read = parts_.read(text, [&](std::uint64_t number, std::size_t at) -> Result<void> {
      if (count == numbers.size()) return fail(Error::at(Fault::too_many, at));
      numbers[count++] = number;
      return {};
    });
    if (!read) return fail(read.error());
    std::array<char, kLongest> again{};
    const auto written = encode(numbers.first(count), again);
    if (const auto same = compare(text, written, again); !same) return fail(same.error());
    return count;
  }

  /// Writes the text of hex digits in either case: twelve at a time are a number, with a 1 in front so that
  /// zeros stay. REQUIRES: out.size() >= longest(the numbers).
  /// Errors: BadCharacter; TooMany if the text is above kLongest.
  [[nodiscard]] constexpr Result<std::size_t> encode_hex(std::string_view hex,
                                                         std::span<char> out) const {
    for (std::size_t at = 0; at < hex.size(); ++at) {
      if (kHexLower.value_of(hex[at]) == Alphabet::kNone) {
        return fail(Error::at(Fault::bad_character, at));
      }
    }
    const auto number = [hex](std::size_t i) {
      std::uint64_t value = 1;
      for (const char c : hex.substr(i * kHexDigits, kHexDigits)) {
        value = value << 4 | kHexLower.value_of(c);
      }
      return value;
    };
    return parts_.write((hex.size() + kHexDigits - 1) / kHexDigits, number, out);
  }

  /// Reads what encode_hex wrote, in lower case, into the front of `hex`; returns how many digits. A text of
  /// n characters holds fewer than 2 n. Errors: as decode; NotCanonical also for numbers that encode_hex does
  /// not make (the reference gives digits for those that nobody wrote).
  [[nodiscard]] constexpr Result<std::size_t> decode_hex(std::string_view text,
                                                         std::span<char> hex) const {
    std::size_t size = 0;
    const auto read = parts_.read(text, [&](std::uint64_t number, std::size_t at) -> Result<void> {
      const std::size_t digits = letters::digits_of(number, 16) - 1;
      if (number >> 4 * digits != 1) return fail(Error::at(Fault::not_canonical, at));
      if (digits > hex.size() - size) return fail(Error::at(Fault::too_many, at));
      for (std::size_t i = digits; i-- > 0;) {
        hex[size++] = kHexLower[static_cast<std::size_t>(number >> 4 * i & 0xf)];
      }
      return {};
    });
    if (!read) return fail(read.error());
    std::array<char, kLongest> again{};
    const auto written = encode_hex({hex.data(), size}, again);
    if (const auto same = compare(text, written, again); !same) return fail(same.error());
    return size;
  }

 private:
  static constexpr std::size_t kHexDigits = 12;  // hashids.js, lib/hashids.ts: of one number

  constexpr explicit Hashids(const hashids::Parts& parts) : parts_(parts) {}

  /// What was read has to be what would be written.
  static constexpr Result<void> compare(std::string_view text, const Result<std::size_t>& written,
                                        std::span<const char> again) {
    if (!written) return fail(Error::at(Fault::not_canonical, 0));
    const std::string_view canonical{again.data(), *written};
    if (canonical == text) return {};
    const auto differs = std::ranges::mismatch(text, canonical).in1 - text.begin();
    return fail(Error::at(Fault::not_canonical, static_cast<std::size_t>(differs)));
  }

  hashids::Parts parts_;
};

/// As most programs set it up: no salt, the default alphabet, no shortest text.
inline constexpr Hashids kHashids = *Hashids::make({});

namespace hashids_checks {
constexpr bool is_text_of(std::string_view text, std::span<const std::uint64_t> numbers) {
  std::array<char, 64> out{};
  const auto size = kHashids.encode(numbers, out);
  return size && std::string_view{out.data(), *size} == text;
}
// hashids.js, README and tests.
static_assert(is_text_of("o2fXhV", std::array<std::uint64_t, 3>{1, 2, 3}));
static_assert(is_text_of("gY", std::array<std::uint64_t, 1>{0}));
static_assert(!Hashids::make({.alphabet = "abcdefghijklmno"}));
}  // namespace hashids_checks

}  // namespace mintmark
