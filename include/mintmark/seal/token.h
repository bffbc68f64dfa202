// Tokens: random bits that are themselves the permission ("capability"): of a link for resetting a
// password, of an API key, of a session. Whoever has the text may act; nothing can be computed from it.
//
// Why 160 bits by default: guesses are made against all live tokens at once. With 2^40 of them alive and 2^60
// guesses, one of 128 bits is hit with a chance of 2^-28, one of 160 bits with 2^-60. And 160 bits are 32
// characters of base32 and 27 of the others: short enough for a header or a link. Fewer than 128 bits are
// refused.
//
// Keep a hash of it (SHA-256 is enough: there is nothing to guess), not the token: what leaks a table of
// tokens gives all permissions away. Compare with tokens_equal, in a time that does not depend on where they
// differ. A token has no time, no owner and no order in it; those are columns beside its hash.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/entropy.h"
#include "mintmark/base/erase.h"
#include "mintmark/base/error.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// How a token looks. One token has one text in each, of a length that depends on its bits alone.
enum class TokenDress : std::uint8_t {
  base64url,  ///< RFC 4648 section 5, without padding
  base62,     ///< letters and digits only: a double click takes it whole
  base32,     ///< Crockford's, written in upper case, read in either: for host names and for people
};

struct TokenDressRow {
  TokenDress dress;
  std::string_view name;  ///< as typed on the command line
};
inline constexpr std::array kTokenDresses{
    TokenDressRow{TokenDress::base64url, "base64url"},
    TokenDressRow{TokenDress::base62, "base62"},
    TokenDressRow{TokenDress::base32, "base32"},
};

/// Whether two secrets are the same, in a time that depends on their sizes only.
[[nodiscard]] inline bool tokens_equal(std::span<const std::byte> a, std::span<const std::byte> b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(a[i] ^ b[i]);
    // The compiler may not know what is in it, and so cannot leave the loop early.
    asm volatile("" : "+r"(difference));
  }
  return difference == 0;
}
[[nodiscard]] inline bool tokens_equal(std::string_view a, std::string_view b) {
  return tokens_equal(std::as_bytes(std::span{a}), std::as_bytes(std::span{b}));
}

/// 128 to 512 random bits, in steps of 8, erased with the object. Each thread its own, or read only.
class Token {
 public:
  static constexpr unsigned kFewestBits = 128;
  static constexpr unsigned kMostBits = 512;
  static constexpr unsigned kDefaultBits = 160;
  static constexpr std::size_t kMostText = 103;  ///< 512 bits in base32

  [[nodiscard]] static constexpr bool is_size(unsigned bits) {
    return bits >= kFewestBits && bits <= kMostBits && bits % 8 == 0;
  }

  /// Characters of a token. REQUIRES: is_size(bits).
  [[nodiscard]] static constexpr std::size_t text_size(TokenDress dress, unsigned bits) {
    if (dress == TokenDress::base64url) return stream_chars<kBase64Url>(bits / 8);
    if (dress == TokenDress::base32) return stream_chars<kCrockford>(bits / 8);
    return (bits * kBase62Scale + kBase62Bits - 1) / kBase62Bits;
  }

  /// Errors: InvalidArgument for a size that is none, EntropyUnavailable.
  [[nodiscard]] static Result<Token> draw(Entropy& entropy, unsigned bits = kDefaultBits) {
    if (!is_size(bits)) return fail(Fault::invalid_argument);
    Token token{bits};
    if (auto filled = entropy.fill(token.writable()); !filled) return fail(filled.error());
    return token;
  }

  /// Errors: WrongLength.
  [[nodiscard]] static Result<Token> from_bytes(std::span<const std::byte> bytes) {
    if (bytes.size() > kMostBits / 8 || !is_size(static_cast<unsigned>(bytes.size() * 8))) {
      return fail(Error::at(Fault::wrong_length, bytes.size()));
    }
    Token token{static_cast<unsigned>(bytes.size() * 8)};
    std::ranges::copy(bytes, token.bytes_.begin());
    return token;
  }

  /// Reads exactly the text of a token of so many bits. Errors: InvalidArgument for a size that is none;
  /// WrongLength, BadCharacter, NotCanonical and ValueOverflow with the position.
  [[nodiscard]] static Result<Token> parse(std::string_view text, TokenDress dress,
                                           unsigned bits = kDefaultBits) {
    if (!is_size(bits)) return fail(Fault::invalid_argument);
    Token token{bits};
    Result<void> read;
    switch (dress) {
      case TokenDress::base64url:
        read = parse_stream<kBase64Url>(text, token.writable());
        break;
      case TokenDress::base32:
        read = parse_stream<kCrockford>(text, token.writable());
        break;
      case TokenDress::base62:
        read = token.parse_base62(text);
        break;
    }
    if (!read) return fail(read.error());
    return token;
  }

  Token(const Token&) = default;
  Token& operator=(const Token&) = default;
  ~Token() { erase(bytes_); }

  [[nodiscard]] unsigned bits() const { return bits_; }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return std::span{bytes_}.first(bits_ / 8);
  }

  /// Writes text_size(dress, bits()) characters; returns how many. REQUIRES: out.size() >= that.
  std::size_t write(TokenDress dress, std::span<char> out) const {
    if (dress == TokenDress::base64url) return write_stream<kBase64Url>(bytes(), out);
    if (dress == TokenDress::base32) return write_stream<kCrockford>(bytes(), out);
    return write_base62(out);
  }

  friend bool tokens_equal(const Token& a, const Token& b) {
    return tokens_equal(a.bytes(), b.bytes());
  }
  /// An ordinary comparison tells by its time how far a guess is right.
  friend bool operator==(const Token&, const Token&) = delete;

 private:
  /// The token as a number, in words, the least significant first.
  using Words = std::array<std::uint32_t, kMostBits / 32>;
  /// log2(62) = 5.95419631..., times 10^6. token_test.cc checks each size against the powers of 62.
  static constexpr std::size_t kBase62Scale = 1'000'000;
  static constexpr std::size_t kBase62Bits = 5'954'196;
  static constexpr const Alphabet& kLetters = kBase62DigitUpperLower;

  explicit Token(unsigned bits) : bits_(bits) {}

  [[nodiscard]] std::span<std::byte> writable() { return std::span{bytes_}.first(bits_ / 8); }

  [[nodiscard]] std::size_t write_base62(std::span<char> out) const {
    Words words{};
    const auto from = bytes();
    for (std::size_t i = 0; i < from.size(); ++i) {
      words[i / 4] |= static_cast<std::uint32_t>(from[from.size() - 1 - i]) << 8 * (i % 4);
    }
    const std::size_t size = text_size(TokenDress::base62, bits_);
    for (std::size_t at = size; at-- > 0;) {
      std::uint64_t rest = 0;
      for (std::size_t i = (bits_ + 31) / 32; i-- > 0;) {
        rest = rest << 32 | words[i];
        words[i] = static_cast<std::uint32_t>(rest / 62);
        rest %= 62;
      }
      out[at] = kLetters[static_cast<std::size_t>(rest)];
    }
    return size;
  }

  [[nodiscard]] Result<void> parse_base62(std::string_view text) {
    const std::size_t size = text_size(TokenDress::base62, bits_);
    if (text.size() != size) {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), size)));
    }
    std::array<char, kMostText> largest{};
    std::ranges::fill(writable(), std::byte{0xff});
    static_cast<void>(write_base62(largest));
    Words words{};
    const EraseAtExit erasing{std::as_writable_bytes(std::span{words})};
    bool at_limit = true;  // every digit so far is that of the largest token
    for (std::size_t at = 0; at < size; ++at) {
      const std::uint8_t digit = kLetters.value_of(text[at]);
      const std::uint8_t limit = kLetters.value_of(largest[at]);
      if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
      if (at_limit && digit > limit) return fail(Error::at(Fault::value_overflow, at));
      at_limit = at_limit && digit == limit;
      std::uint64_t carry = digit;
      for (std::uint32_t& word : words) {
        carry += std::uint64_t{word} * 62;
        word = static_cast<std::uint32_t>(carry);
        carry >>= 32;
      }
    }
    const auto to = writable();
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[to.size() - 1 - i] = static_cast<std::byte>(words[i / 4] >> 8 * (i % 4) & 0xff);
    }
    return {};
  }

  std::array<std::byte, kMostBits / 8> bytes_{};
  unsigned bits_;
};

static_assert(Token::text_size(TokenDress::base32, 160) == 32);
static_assert(Token::text_size(TokenDress::base64url, 160) == 27);
static_assert(Token::text_size(TokenDress::base62, 160) == 27);

}  // namespace mintmark
