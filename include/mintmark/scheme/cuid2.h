// CUID2: a letter and 23 digits of base 36 that say nothing. github.com/paralleldrive/cuid2.
//
// Use it where other programs of a system expect CUID2. Elsewhere UUIDv4 and NanoID hide as much and are made
// a hundred times as fast: a CUID2 is a hash of the time, a counter and random bits, of which only the
// random bits matter. It does not sort.
//
//   text   t z4a98xxat96iws9zmbrgj3a     24 characters
//          letter 26
//            hash 36^23: SHA3-512 of the ingredients in base 36, without its first two digits
//   octet  0                                                        15
//         [the text as one number in base 36 .........................]
//
// The published library has no binary form. The number that stands for a text is ours: its characters as
// digits in the order of ASCII, so that numbers, bytes and texts sort alike.
//
// What it refuses: upper case, a first character that is a digit, another length than 24. CUID2s of 2 to 32
// characters exist; check_cuid2 looks at those, and Generator::write_text makes them.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/erase.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/sha3.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/text/radix.h"

namespace mintmark {

namespace cuid2 {

inline constexpr std::size_t kShortest = 2;
inline constexpr std::size_t kLongest = 32;

/// Digits of the largest number of 512 bits in base 36.
inline constexpr std::size_t kHashDigits = 100;

/// The front of a digest as the published library writes it: as one number in base 36, without its first
/// digit, which is mostly a 1. Fills `out`. REQUIRES: out.size() < kHashDigits.
constexpr void write_hash(std::span<const std::byte, 64> digest, std::span<char> out) {
  constexpr std::size_t kSix = 6;  // digits at a time, of which all values fit a limb
  constexpr std::uint64_t kUnit = 36 * 36 * 36 * 36 * 36 * std::uint64_t{36};
  constexpr std::size_t kWritten = kRadixDigits<kBase36Lower, std::uint32_t>;
  std::array<std::uint32_t, 16> limbs{};
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    limbs[i] = load_be<std::uint32_t>(digest.subspan(4 * i));
  }
  // Each six digits are written with a zero in front, which the next six cover.
  std::array<char, (kHashDigits + kSix - 1) / kSix * kSix + kWritten - kSix> digits{};
  std::size_t front = 0;  // the limbs before it are zero
  for (std::size_t at = digits.size(); at >= kWritten; at -= kSix) {
    std::uint64_t rest = 0;
    for (std::size_t i = front; i < limbs.size(); ++i) {
      rest = rest << 32 | limbs[i];
      limbs[i] = static_cast<std::uint32_t>(rest / kUnit);
      rest %= kUnit;
    }
    while (front < limbs.size() && limbs[front] == 0) ++front;
    write_fixed<kBase36Lower>(static_cast<std::uint32_t>(rest),
                              std::span{digits}.subspan(at - kWritten));
  }
  std::size_t first = digits.size() - kHashDigits;
  // That zeros go on until too few digits are left is less likely than any collision.
  while (digits[first] == '0' && first + 1 + out.size() < digits.size()) ++first;
  std::ranges::copy(std::span{digits}.subspan(first + 1, out.size()), out.begin());
}

/// What a CUID2 is the hash of.
struct Ingredients {
  std::uint64_t time_ms = 0;
  U128 salt = 0;
  std::uint64_t count = 0;
  std::string_view fingerprint;
};

/// Characters of ingredients with a fingerprint of `fingerprint` characters, at the most.
constexpr std::size_t longest_mixture(std::size_t fingerprint) {
  return 2 * kRadixDigits<kBase36Lower, std::uint64_t> + kRadixDigits<kBase36Lower, U128> + 3 +
         fingerprint;
}

/// Writes the ingredients in base 36, with a full stop between them, and returns the characters written.
/// Without the stops, the count 1 before the fingerprint 23 would be the count 12 before the fingerprint 3.
/// REQUIRES: out.size() >= longest_mixture(fingerprint.size()).
constexpr std::size_t write_mixture(const Ingredients& from, std::span<char> out) {
  std::size_t size = write_radix<kBase36Lower>(from.time_ms, out);
  out[size++] = '.';
  size += write_fixed<kBase36Lower>(from.salt, out.subspan(size));
  out[size++] = '.';
  size += write_radix<kBase36Lower>(from.count, out.subspan(size));
  out[size++] = '.';
  std::ranges::copy(from.fingerprint, out.subspan(size).begin());
  return size + from.fingerprint.size();
}

}  // namespace cuid2

/// Whether `text` is a CUID2 of any length: `^[a-z][0-9a-z]{1,31}$`. It says nothing about who made it: each
/// word in lower case is one. Errors: WrongLength, BadCharacter.
[[nodiscard]] constexpr Result<void> check_cuid2(std::string_view text) {
  if (text.size() < cuid2::kShortest) return fail(Error::at(Fault::wrong_length, text.size()));
  if (text.size() > cuid2::kLongest) return fail(Error::at(Fault::wrong_length, cuid2::kLongest));
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::uint8_t digit = kBase36Lower.value_of(text[at]);
    if (digit == Alphabet::kNone || (at == 0 && digit < 10)) {
      return fail(Error::at(Fault::bad_character, at));
    }
  }
  return {};
}

/// A CUID2 of the usual length, ordered as its text. The default one is the smallest: an `a` and zeros.
class Cuid2 {
 public:
  static constexpr Facts facts{.name = "cuid2",
                               .title = "CUID2",
                               .bits = 125,
                               .bytes = 16,
                               .text_size = 24,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 123,  // log2(26 * 36^23), rounded down
                               .specification = "github.com/paralleldrive/cuid2"};

  struct Fields {
    std::uint8_t letter = 0;  ///< 0 is `a`, 25 is `z`
    U128 hash = 0;            ///< below 36^23
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr Cuid2() = default;

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<Cuid2> pack(const Fields& fields) {
    if (fields.letter >= kLetters || fields.hash >= kLetterUnit) return fail(Fault::value_overflow);
    return Cuid2{(kFirstLetter + fields.letter) * kLetterUnit + fields.hash};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {static_cast<std::uint8_t>(value_ / kLetterUnit - kFirstLetter), value_ % kLetterUnit};
  }

  /// Reads exactly a letter and 23 of `0-9`, `a-z`. Errors: WrongLength, BadCharacter.
  [[nodiscard]] static constexpr Result<Cuid2> parse(std::string_view text) {
    if (text.size() != facts.text_size) {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), facts.text_size)));
    }
    if (const auto checked = check_cuid2(text); !checked) return fail(checked.error());
    std::array<char, kDigits> digits{'0'};
    std::ranges::copy(text, digits.begin() + 1);
    MINTMARK_TRY(value, (parse_fixed<kBase36Lower, U128>({digits.data(), digits.size()})));
    return Cuid2{value};
  }
  /// Writes 24 characters, returns 24. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    std::array<char, kDigits> digits;
    write_fixed<kBase36Lower>(value_, digits);
    std::ranges::copy(std::span{digits}.last(facts.text_size), out.begin());
    return facts.text_size;
  }

  /// Errors: WrongLength; ValueOverflow at 0 if no text stands for the number.
  [[nodiscard]] static constexpr Result<Cuid2> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    const U128 value = load_be<U128>(from);
    if (value < kFirstLetter * kLetterUnit || value / kLetterUnit >= kFirstLetter + kLetters) {
      return fail(Error::at(Fault::value_overflow, 0));
    }
    return Cuid2{value};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  [[nodiscard]] constexpr U128 integer() const { return value_; }

  friend constexpr auto operator<=>(const Cuid2&, const Cuid2&) = default;

  class Generator;

 private:
  /// Digits of 128 bits: one more than a text has, and always zero.
  static constexpr std::size_t kDigits = kRadixDigits<kBase36Lower, U128>;
  static_assert(kDigits == facts.text_size + 1);
  static constexpr U128 kLetterUnit = [] {
    U128 unit = 1;
    for (std::size_t i = 1; i < facts.text_size; ++i) unit *= 36;
    return unit;
  }();
  static constexpr unsigned kFirstLetter = 10;  ///< the digit `a`
  static constexpr unsigned kLetters = 26;

  constexpr explicit Cuid2(U128 value) : value_(value) {}

  U128 value_ = kFirstLetter * kLetterUnit;
};

/// Makes CUID2s. One thread at a time.
///
/// Each ID is the hash of the time in milliseconds, 128 fresh random bits, a counter and a fingerprint; the
/// letter in front has 64 random bits of its own to be chosen from. The counter starts at random, the
/// fingerprint is 128 random bits, and both are drawn with the first ID. Uniqueness rests on the fresh
/// random bits alone: the clock may stand, and two forks of a generator stay apart if their entropy does.
class Cuid2::Generator {
 public:
  /// The counter starts below this (paralleldrive/cuid2, initialCountMax).
  static constexpr std::uint64_t kFirstCounts = 476'782'367;

  /// REQUIRES: `entropy` outlives the generator.
  explicit Generator(Entropy& entropy) : entropy_(entropy) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Any time will do. Errors: EntropyUnavailable.
  [[nodiscard]] Result<Cuid2> next(Instant now = {}) {
    if (const auto started = start(); !started) return fail(started.error());
    RandomWords<kWords> words;
    if (const auto drawn = words.draw(entropy_, kWords); !drawn) return fail(drawn.error());
    return make(words, 0, now);
  }

  /// Fills `out` and returns its size, or fewer if the entropy fails in between; then the rest is untouched.
  /// Errors: EntropyUnavailable, only if none was made.
  [[nodiscard]] Result<std::size_t> fill(std::span<Cuid2> out, Instant now = {}) {
    if (const auto started = start(); !started) return fail(started.error());
    return fill_from_words<kWords>(
        entropy_, out,
        [this, now](const auto& words, std::size_t first) { return make(words, first, now); });
  }

  /// Makes the text of a CUID2 of another length, 2 to 32: as long as `out` is. Short ones collide soon.
  /// Errors: WrongLength, EntropyUnavailable.
  [[nodiscard]] Result<void> write_text(std::span<char> out, Instant now = {}) {
    if (out.size() < cuid2::kShortest || out.size() > cuid2::kLongest) {
      return fail(Error::at(Fault::wrong_length, std::min(out.size(), cuid2::kLongest)));
    }
    if (const auto started = start(); !started) return fail(started.error());
    RandomWords<kWords> words;
    if (const auto drawn = words.draw(entropy_, kWords); !drawn) return fail(drawn.error());
    write(words, 0, now, out);
    return {};
  }

 private:
  static constexpr std::size_t kWords = 3;  ///< random words an ID: two of salt, one for the letter

  /// What a generator draws once in its life: the fingerprint and where the counter begins.
  [[nodiscard]] Result<void> start() {
    if (started_) return {};
    RandomWords<3> words;
    if (const auto drawn = words.draw(entropy_, 3); !drawn) return fail(drawn.error());
    write_fixed<kBase36Lower>(static_cast<U128>(words[0]) << 64 | words[1], fingerprint_);
    count_ = static_cast<std::uint64_t>(static_cast<U128>(words[2]) * kFirstCounts >> 64);
    started_ = true;
    return {};
  }

  /// Fills `out` from kWords random words, of which the first is at `at`.
  template <std::size_t N>
  void write(const RandomWords<N>& words, std::size_t at, Instant now, std::span<char> out) {
    // A usual mixture is one block of SHA3-512.
    std::array<char, cuid2::longest_mixture(kDigits)> mixture;
    const std::size_t size =
        cuid2::write_mixture({.time_ms = static_cast<std::uint64_t>(unix_ms(now)),
                              .salt = static_cast<U128>(words[at]) << 64 | words[at + 1],
                              .count = count_++,
                              .fingerprint = {fingerprint_.data(), fingerprint_.size()}},
                             mixture);
    const auto digest = sha3_512(std::as_bytes(std::span{mixture}.first(size)));
    erase(std::as_writable_bytes(std::span{mixture}));
    // As published, the first character of the hash makes room for the letter.
    cuid2::write_hash(digest, out);
    out[0] = kBase36Lower[kFirstLetter + static_cast<std::size_t>(
                                             static_cast<U128>(words[at + 2]) * kLetters >> 64)];
  }

  template <std::size_t N>
  [[nodiscard]] Cuid2 make(const RandomWords<N>& words, std::size_t at, Instant now) {
    std::array<char, facts.text_size> text;
    write(words, at, now, text);
    return *parse({text.data(), text.size()});
  }

  Entropy& entropy_;
  std::uint64_t count_ = 0;
  std::array<char, kDigits> fingerprint_{};
  bool started_ = false;
};

static_assert(Mintable<Cuid2> && !TimeOrdered<Cuid2>);

// paralleldrive/cuid2, README: the ID it shows, and what isCuid takes.
static_assert(Cuid2::parse("tz4a98xxat96iws9zmbrgj3a").has_value());
static_assert(Cuid2::parse("4z4a98xxat96iws9zmbrgj3a").error() ==
              Error::at(Fault::bad_character, 0));
static_assert(Cuid2{} == *Cuid2::parse("a00000000000000000000000"));
static_assert(check_cuid2("aa").has_value() && !check_cuid2("a") && !check_cuid2("aB"));

}  // namespace mintmark

template <>
struct std::hash<mintmark::Cuid2> {
  [[nodiscard]] std::size_t operator()(const mintmark::Cuid2& id) const noexcept {
    const mintmark::U128 value = id.integer();
    return std::hash<mintmark::Uuid>{}(mintmark::Uuid::of(static_cast<std::uint64_t>(value >> 64),
                                                          static_cast<std::uint64_t>(value)));
  }
};
