// Hash prefix: any ID with a few bits of its own hash in front, for stores that keep rows in key ranges.
//
// Use it where the ID is given (a UUIDv7, a ULID, a Snowflake) and rises with time, but a key that rises
// would send all new rows to one range: with N bits they go to 2^N. Do not use it where a range over time
// must be one range of keys: with it there are 2^N of them. Where the ID may be another one, shard_first.h
// and bit_reversed.h do the same inside 64 bits.
//
//   text   [ N bits in hex ][ - ][ text of the ID ]        42-01ARZ3NDEKTSV4RRFFQ69G5FAV
//   bytes  [ N bits, right-aligned in whole bytes ][ bytes of the ID, big-endian ]
//
// The hash is FNV-1a of 64 bits over the bytes of the ID (http://www.isthe.com/chongo/tech/comp/fnv/), then
// Stafford's mix 13, which lets the last byte reach every bit; the prefix is its upper N bits. It hides
// nothing: whoever has the ID can make the prefix. A reader makes it again and refuses another one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/text/alphabet.h"

namespace mintmark {

/// FNV-1a, 64 bits.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  }
  return hash;
}

/// A width of prefix, and what it makes of IDs. A value; every function is pure.
class HashPrefix {
 public:
  static constexpr unsigned kMostBits = 32;

  /// Error: InvalidArgument if not 1 to 32.
  [[nodiscard]] static constexpr Result<HashPrefix> of_bits(unsigned bits) {
    if (bits < 1 || bits > kMostBits) return fail(Fault::invalid_argument);
    return HashPrefix{bits};
  }

  [[nodiscard]] constexpr unsigned bits() const { return bits_; }
  /// Characters in front of the text of an ID, the hyphen included.
  [[nodiscard]] constexpr std::size_t text_size() const { return digits() + 1; }
  /// Bytes in front of the bytes of an ID.
  [[nodiscard]] constexpr std::size_t byte_size() const { return (bits_ + 7) / 8; }

  /// The prefix of an ID in its binary form, below 2^bits().
  [[nodiscard]] constexpr std::uint64_t value_of(std::span<const std::byte> id) const {
    std::uint64_t z = fnv1a(id);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) >> (64 - bits_);
  }

  /// Writes the prefix of the ID with these bytes, and this text behind it; returns the characters.
  /// REQUIRES: out.size() >= text_size() + text.size().
  constexpr std::size_t write(std::span<const std::byte> id, std::string_view text,
                              std::span<char> out) const {
    const std::uint64_t value = value_of(id);
    for (std::size_t i = 0; i < digits(); ++i) out[i] = digit_at(value, i);
    out[digits()] = '-';
    std::ranges::copy(text, out.begin() + static_cast<std::ptrdiff_t>(text_size()));
    return text_size() + text.size();
  }

  /// The text of the ID in a prefixed text, whose prefix has the right form; check says whether it is right.
  /// Errors: WrongLength (it ends inside the prefix), BadCharacter (not a digit of lower case, or no hyphen).
  [[nodiscard]] constexpr Result<std::string_view> text_in(std::string_view prefixed) const {
    for (std::size_t i = 0; i < text_size(); ++i) {
      if (i == prefixed.size()) return fail(Error::at(Fault::wrong_length, i));
      const char c = prefixed[i];
      const bool right =
          i == digits() ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      if (!right) return fail(Error::at(Fault::bad_character, i));
    }
    return prefixed.substr(text_size());
  }
  /// The prefix of a text that text_in took is that of this ID. Error: NotCanonical at the first digit that
  /// is not. REQUIRES: prefixed.size() >= text_size().
  [[nodiscard]] constexpr Result<void> check(std::string_view prefixed,
                                             std::span<const std::byte> id) const {
    const std::uint64_t value = value_of(id);
    for (std::size_t i = 0; i < digits(); ++i) {
      if (prefixed[i] != digit_at(value, i)) return fail(Error::at(Fault::not_canonical, i));
    }
    return {};
  }

  /// The same for a scheme's ID. REQUIRES: out.size() >= text_size() + S::facts.text_size.
  template <Scheme S>
  constexpr std::size_t write(const S& id, std::span<char> out) const {
    std::array<char, S::facts.text_size> text{};
    const std::size_t size = id.write(text);
    return write(bytes_of(id), {text.data(), size}, out);
  }
  /// Errors: those of text_in and check, and those of S::parse with their position in the whole text.
  template <Scheme S>
  [[nodiscard]] constexpr Result<S> parse(std::string_view prefixed) const {
    MINTMARK_TRY(text, text_in(prefixed));
    const Result<S> id = S::parse(text);
    if (!id) return fail(Error::at(id.error().fault(), text_size() + id.error().position()));
    if (const auto right = check(prefixed, bytes_of(*id)); !right) return fail(right.error());
    return id;
  }

  /// Prefix and ID, big-endian. REQUIRES: to.size() >= byte_size() + S::facts.bytes.
  template <Scheme S>
  constexpr void to_bytes(const S& id, std::span<std::byte> to) const {
    id.to_bytes(to.subspan(byte_size(), S::facts.bytes));
    put_bytes(value_of(to.subspan(byte_size(), S::facts.bytes)), to);
  }
  /// Errors: WrongLength; NotCanonical at the first byte of the prefix that is not the ID's; those of
  /// S::from_bytes.
  template <Scheme S>
  [[nodiscard]] constexpr Result<S> from_bytes(std::span<const std::byte> from) const {
    const std::size_t size = byte_size() + S::facts.bytes;
    if (from.size() != size)
      return fail(Error::at(Fault::wrong_length, std::min(from.size(), size)));
    const Result<S> id = S::from_bytes(from.subspan(byte_size()));
    if (!id) return id;
    std::array<std::byte, kMostBits / 8> right{};
    put_bytes(value_of(from.subspan(byte_size())), right);
    for (std::size_t i = 0; i < byte_size(); ++i) {
      if (from[i] != right[i]) return fail(Error::at(Fault::not_canonical, i));
    }
    return id;
  }

  friend constexpr bool operator==(const HashPrefix&, const HashPrefix&) = default;

 private:
  constexpr explicit HashPrefix(unsigned bits) : bits_(bits) {}

  [[nodiscard]] constexpr std::size_t digits() const { return (bits_ + 3) / 4; }
  [[nodiscard]] constexpr char digit_at(std::uint64_t value, std::size_t i) const {
    return kHexLower[value >> 4 * (digits() - 1 - i) & 0xf];
  }
  constexpr void put_bytes(std::uint64_t value, std::span<std::byte> to) const {
    for (std::size_t i = byte_size(); i-- > 0; value >>= 8) to[i] = static_cast<std::byte>(value);
  }
  template <Scheme S>
  static constexpr std::array<std::byte, S::facts.bytes> bytes_of(const S& id) {
    std::array<std::byte, S::facts.bytes> bytes{};
    id.to_bytes(bytes);
    return bytes;
  }

  unsigned bits_;
};

namespace hash_prefix_checks {
// The published values of FNV-1a for "", "a" and "foobar".
inline constexpr std::array kFoobar{std::byte{'f'}, std::byte{'o'}, std::byte{'o'},
                                    std::byte{'b'}, std::byte{'a'}, std::byte{'r'}};
inline constexpr std::array kA{std::byte{'a'}};
static_assert(fnv1a({}) == 0xcbf29ce484222325);
static_assert(fnv1a(kA) == 0xaf63dc4c8601ec8c);
static_assert(fnv1a(kFoobar) == 0x85944171f73967e8);
}  // namespace hash_prefix_checks

}  // namespace mintmark
