// Sqids: a list of numbers as a short text that looks random, and back. sqids.org.
//
// Use it to show numbers without showing how many there are. It is NOT secret and not a signature: the
// alphabet is all the key there is, everybody may decode with the default one, and a few texts give away
// another. A keyed permutation hides numbers from people who want to know them.
//
// Several texts decode to one list of numbers (a word of the blocklist may have come in between, and
// decode reads what encode would not write). Where a text is looked up, compared or cached, take
// decode_canonical, or two addresses mean one thing.
//
// What it refuses: nothing of the specification (sqids/sqids-spec, src/index.ts). Numbers have 64 bits; the
// reference stops at 2^53. Where the reference gives an empty list for a text that is none, decode says why.
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
#include "mintmark/text/sqids_blocklist.h"

namespace mintmark {

struct SqidsOptions {
  /// At least 3 different characters of ASCII.
  std::string_view alphabet = kBase62LowerUpperDigit.chars();
  std::uint8_t min_length = 0;  ///< characters of the shortest text
  /// Words that no text may hold, in any case. They have to outlive the Sqids.
  std::span<const std::string_view> blocklist = sqids::kDefaultBlocklist;
};

/// An encoder and decoder, set up once. Immutable; any thread may use it.
class Sqids {
 public:
  /// Characters of the longest text that decode_canonical takes.
  static constexpr std::size_t kLongestCanonical = 1024;

  /// Errors, all about the alphabet: WrongLength if it is too short, BadCharacter and InvalidArgument as
  /// Letters::of.
  [[nodiscard]] static constexpr Result<Sqids> make(const SqidsOptions& options) {
    MINTMARK_TRY(letters, Letters::of(options.alphabet));
    if (letters.size() < 3) return fail(Error::at(Fault::wrong_length, letters.size()));
    shuffle(letters);
    return Sqids{letters, options};
  }

  /// Characters of the text of some numbers.
  [[nodiscard]] constexpr std::size_t size_of(std::span<const std::uint64_t> numbers) const {
    if (numbers.empty()) return 0;
    std::size_t size = numbers.size();  // the prefix and the separators
    for (const std::uint64_t number : numbers) size += letters::digits_of(number, radix());
    return std::max<std::size_t>(size, min_length_);
  }
  /// Characters of the longest text of so many numbers: 12 for one with the default alphabet.
  [[nodiscard]] constexpr std::size_t longest(std::size_t numbers) const {
    if (numbers == 0) return 0;
    return std::max<std::size_t>(numbers * (1 + letters::most_digits(radix())), min_length_);
  }

  /// Writes the text of the numbers; returns its size. No numbers are the empty text.
  /// REQUIRES: out.size() >= size_of(numbers). Errors: InvalidArgument if each text that the numbers could
  /// have holds a word of the blocklist.
  [[nodiscard]] constexpr Result<std::size_t> encode(std::span<const std::uint64_t> numbers,
                                                     std::span<char> out) const {
    if (numbers.empty()) return 0;
    MINTMARK_CHECK(out.size() >= size_of(numbers));
    const std::size_t size = alphabet_.size();
    std::size_t offset = numbers.size();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      offset += i + alphabet_.code(static_cast<std::size_t>(numbers[i] % size));
    }
    // The specification tries the first offset twice; what was blocked once is blocked again.
    for (std::size_t attempt = 0; attempt < size; ++attempt) {
      const std::size_t written = write(numbers, (offset + attempt) % size, out);
      if (!blocklist_.blocks({out.data(), written})) return written;
    }
    return fail(Fault::invalid_argument);
  }

  /// Reads the numbers into the front of `numbers`, as the specification does; returns how many. A text of n
  /// characters holds at most n / 2. The empty text and a prefix alone are no numbers.
  /// Errors: BadCharacter; ValueOverflow at the digit that leaves 64 bits; TooMany at the number that there
  /// is no room for.
  [[nodiscard]] constexpr Result<std::size_t> decode(std::string_view text,
                                                     std::span<std::uint64_t> numbers) const {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (!alphabet_.contains(text[at])) return fail(Error::at(Fault::bad_character, at));
    }
    if (text.empty()) return 0;
    Letters letters = turned(alphabet_.find(text[0]));
    std::size_t count = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] == letters[0]) break;  // two separators: what follows only fills the text
      if (count == numbers.size()) return fail(Error::at(Fault::too_many, at));
      std::uint64_t number = 0;
      for (; at < text.size() && text[at] != letters[0]; ++at) {
        if (!letters::append(number, radix(), letters.find(text[at]) - 1)) {
          return fail(Error::at(Fault::value_overflow, at));
        }
      }
      numbers[count++] = number;
      if (at < text.size()) shuffle(letters);
    }
    return count;
  }

  /// As decode, and refuses what encode would not write. With another blocklist than the one a text was made
  /// with, it may be refused. Errors: as decode; NotCanonical at the first character that encode would write
  /// differently; WrongLength above kLongestCanonical.
  [[nodiscard]] constexpr Result<std::size_t> decode_canonical(
      std::string_view text, std::span<std::uint64_t> numbers) const {
    if (text.size() > kLongestCanonical) {
      return fail(Error::at(Fault::wrong_length, kLongestCanonical));
    }
    MINTMARK_TRY(count, decode(text, numbers));
    // The digits of the numbers were in the text, so these are not more characters.
    std::array<char, kLongestCanonical> again{};
    const auto written = encode(numbers.first(count), again);
    if (!written) return fail(Error::at(Fault::not_canonical, 0));
    const std::string_view canonical{again.data(), *written};
    if (canonical == text) return count;
    const auto differs = std::ranges::mismatch(text, canonical).in1 - text.begin();
    return fail(Error::at(Fault::not_canonical, static_cast<std::size_t>(differs)));
  }

  /// Whether `text` is what encode writes for its numbers.
  [[nodiscard]] constexpr bool is_canonical(std::string_view text) const {
    std::array<std::uint64_t, kLongestCanonical / 2> numbers{};
    return decode_canonical(text, numbers).has_value();
  }

 private:
  constexpr Sqids(const Letters& alphabet, const SqidsOptions& options)
      : alphabet_(alphabet), blocklist_(options.blocklist), min_length_(options.min_length) {}

  /// One letter of each arrangement is the separator and no digit.
  [[nodiscard]] constexpr std::size_t radix() const { return alphabet_.size() - 1; }

  /// The arrangement that goes with a prefix: from its place onwards, backwards.
  [[nodiscard]] constexpr Letters turned(std::size_t offset) const {
    Letters letters;
    const std::size_t size = alphabet_.size();
    for (std::size_t i = 0; i < size; ++i) {
      letters.append(alphabet_[(offset + size - 1 - i) % size]);
    }
    return letters;
  }

  static constexpr void shuffle(Letters& letters) {
    const std::size_t size = letters.size();
    for (std::size_t i = 0, j = size - 1; j > 0; ++i, --j) {
      const std::size_t other = (i * j + letters.code(i) + letters.code(j)) % size;
      std::swap(letters.chars()[i], letters.chars()[other]);
    }
  }

  constexpr std::size_t write(std::span<const std::uint64_t> numbers, std::size_t offset,
                              std::span<char> out) const {
    Letters letters = turned(offset);
    std::size_t size = 0;
    out[size++] = alphabet_[offset];
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (i > 0) {
        out[size++] = letters[0];
        shuffle(letters);
      }
      size += letters::write(numbers[i], letters.view().substr(1), out.subspan(size));
    }
    if (size < min_length_) out[size++] = letters[0];
    while (size < min_length_) {
      shuffle(letters);
      for (std::size_t i = 0; i < letters.size() && size < min_length_; ++i)
        out[size++] = letters[i];
    }
    return size;
  }

  Letters alphabet_;
  SqidsBlocklist blocklist_;
  std::uint8_t min_length_;
};

/// As most programs set it up: the default alphabet and blocklist, no shortest text.
inline constexpr Sqids kSqids = *Sqids::make({});

namespace sqids_checks {
constexpr bool is_text_of(std::string_view text, std::span<const std::uint64_t> numbers) {
  std::array<char, 64> out{};
  const auto size = kSqids.encode(numbers, out);
  return size && std::string_view{out.data(), *size} == text;
}
// sqids/sqids-spec, README and tests.
static_assert(is_text_of("86Rf07", std::array<std::uint64_t, 3>{1, 2, 3}));
static_assert(is_text_of("JExTR", std::array<std::uint64_t, 1>{4572721}));  // `aho1e` is blocked
static_assert(kSqids.is_canonical("86Rf07") && !kSqids.is_canonical("aho1e"));
static_assert(!Sqids::make({.alphabet = "ab"}) && !Sqids::make({.alphabet = "aabcdefg"}));
}  // namespace sqids_checks

}  // namespace mintmark
