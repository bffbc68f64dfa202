// NanoID: 126 random bits as 21 characters that need no escape in an address. github.com/ai/nanoid.
//
// Use it where UUIDv4 would do and its 36 characters are too long. Do not use it where IDs should sort by
// time, nor where a person reads one aloud: its text has both cases, `-` and `_`. UUIDv7 is for the first,
// a NanoidForm with another alphabet for the second.
//
//   text   V1StGXR8_Z5jdHi6B-myT     21 characters, 6 bits each
//   octet  0                                                        15
//         [00 random 126 .............................................]
//
// The published library has no binary form, and picks each character by itself. So the number that stands
// for a text is ours: its characters as digits in the order of ASCII, so that numbers, bytes and texts sort
// alike. NanoidForm (nanoid_form.h) makes texts of other lengths and alphabets.
//
// What it refuses: another length, another character, bytes with one of the two top bits set.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// Any 126 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class Nanoid {
 public:
  static constexpr Facts facts{.name = "nanoid",
                               .title = "NanoID",
                               .bits = 126,
                               .bytes = 16,
                               .text_size = 21,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 126,
                               .specification = "github.com/ai/nanoid"};

  struct Fields {
    U128 random = 0;  ///< 126 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr Nanoid() = default;

  /// Any 128 bits, of which the two top ones are left out. Never fails.
  [[nodiscard]] static constexpr Nanoid from_random(std::uint64_t high, std::uint64_t low) {
    return Nanoid{static_cast<U128>(high & low_bits(62)) << 64 | low};
  }

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<Nanoid> pack(const Fields& fields) {
    if (fields.random > kLargest) return fail(Fault::value_overflow);
    return Nanoid{fields.random};
  }
  [[nodiscard]] constexpr Fields unpack() const { return {value_}; }

  /// Reads exactly 21 characters of `A-Z`, `a-z`, `0-9`, `_`, `-`. Errors: WrongLength, BadCharacter.
  [[nodiscard]] static constexpr Result<Nanoid> parse(std::string_view text) {
    MINTMARK_TRY(value, (parse_slices<kBase64Push, 126>(text)));
    return Nanoid{value};
  }
  /// Writes 21 characters, returns 21. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    write_slices<kBase64Push, 21>(value_, out);
    return 21;
  }

  /// Errors: WrongLength; ValueOverflow at 0 if one of the two top bits is set.
  [[nodiscard]] static constexpr Result<Nanoid> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    const U128 value = load_be<U128>(from);
    if (value > kLargest) return fail(Error::at(Fault::value_overflow, 0));
    return Nanoid{value};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  [[nodiscard]] constexpr U128 integer() const { return value_; }

  friend constexpr auto operator<=>(const Nanoid&, const Nanoid&) = default;

  class Generator;

 private:
  static constexpr U128 kLargest = (U128{1} << 126) - 1;

  constexpr explicit Nanoid(U128 value) : value_(value) {}

  U128 value_ = 0;
};

/// Makes NanoIDs. One thread at a time. It keeps nothing between calls; it is pinned like every generator.
class Nanoid::Generator {
 public:
  /// REQUIRES: `entropy` outlives the generator.
  explicit Generator(Entropy& entropy) : entropy_(entropy) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// The time is not looked at. Errors: EntropyUnavailable.
  [[nodiscard]] Result<Nanoid> next(Instant /*now*/ = {}) {
    RandomWords<2> words;
    if (const auto drawn = words.draw(entropy_, 2); !drawn) return fail(drawn.error());
    return from_random(words[0], words[1]);
  }

  /// Fills `out` and returns its size, or fewer if the entropy fails in between; then the rest is untouched.
  /// Errors: EntropyUnavailable, only if none was made.
  [[nodiscard]] Result<std::size_t> fill(std::span<Nanoid> out, Instant /*now*/ = {}) {
    return fill_from_words<2>(entropy_, out, [](const auto& words, std::size_t first) {
      return from_random(words[first], words[first + 1]);
    });
  }

 private:
  Entropy& entropy_;
};

static_assert(Mintable<Nanoid> && !TimeOrdered<Nanoid>);

// The first ID that the README of ai/nanoid shows, and the ends.
static_assert(Nanoid::parse("V1StGXR8_Z5jdHi6B-myT").has_value());
static_assert(Nanoid::parse("---------------------")->integer() == 0);
static_assert(Nanoid::parse("zzzzzzzzzzzzzzzzzzzzz")->integer() == (U128{1} << 126) - 1);
static_assert(Nanoid::parse("V1StGXR8_Z5jdHi6B~myT").error() ==
              Error::at(Fault::bad_character, 17));

}  // namespace mintmark

template <>
struct std::hash<mintmark::Nanoid> {
  [[nodiscard]] std::size_t operator()(const mintmark::Nanoid& id) const noexcept {
    const mintmark::U128 value = id.integer();
    return std::hash<mintmark::Uuid>{}(mintmark::Uuid::of(static_cast<std::uint64_t>(value >> 64),
                                                          static_cast<std::uint64_t>(value)));
  }
};
