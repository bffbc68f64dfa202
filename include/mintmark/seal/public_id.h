// Public IDs: what strangers see of a number that counts up. Sealed under a key, as text of one length, with
// the version of the key in front, so that keys can be changed while old public IDs still open.
//
//   text   1            8QJ3...
//          mark         digits of the sealed number, always as many as the largest one needs
//          version of   sealed = permutation of [0, n * 2^k) applied to  [ value ][ k zero bits to check ]
//          the key
//
// The mark is the version as a digit of Crockford's base32, 1 to 9 and A to Z without I, L, O, U: 31
// versions, the same in every dress (in decimal 1 to 9 only, so that all are digits). It is never 0: what
// spreadsheets do to leading zeros does not happen.
//
// The name of the space is the tweak of the permutation: number 42 of `orders` and number 42 of `users`
// have unlike public IDs, under one key. Size, check bits, dress and name of the space belong to the
// definition of a space: change one of them, and no public ID that is out opens as before.
//
// What it promises: without the key nobody learns the number, or which public ID comes before or after
// another. What it does not: without check bits each of the n texts opens to some number, so that a made up
// one is only caught by the look-up behind it. With k check bits a made up text passes with a chance of
// 2^-k. Neither tells who may see the row: a public ID gets into logs and addresses. It is no permission;
// token.h is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/block_cipher.h"
#include "mintmark/seal/dress.h"
#include "mintmark/seal/permutation.h"
#include "mintmark/text/alphabet.h"

namespace mintmark {

namespace public_id {

/// One version for each digit of Crockford's base32 but 0.
inline constexpr unsigned kMostVersion = 31;
inline constexpr unsigned kMostCheckBits = 64;

/// Decimal marks are decimal digits.
[[nodiscard]] constexpr unsigned most_version(Dress dress) {
  return dress == Dress::decimal ? 9 : kMostVersion;
}

/// What decides the public IDs of a space, beside the keys.
struct Options {
  std::uint64_t largest = ~std::uint64_t{0};  ///< numbers are 0 to this one, n - 1
  unsigned check_bits = 0;                    ///< k, 0 to 64
  Dress dress = Dress::crockford;
  std::string_view space{};  ///< read once
};

/// n * 2^k is a million or more: see permutation.h.
[[nodiscard]] constexpr bool is_large_enough(std::uint64_t largest, unsigned check_bits) {
  const U128 largest_sealed = static_cast<U128>(largest) << check_bits | low_bits(check_bits);
  return largest_sealed >= ff1::kFewestStrings - 1;
}

/// A key: its version, 1 to 31, and the cipher that holds it.
template <BlockCipher Cipher>
struct Key {
  unsigned version = 0;
  const Cipher* cipher = nullptr;
};

struct Opened {
  std::uint64_t value = 0;
  unsigned version = 0;  ///< of the key; another one than current() is worth sealing anew
  friend constexpr bool operator==(const Opened&, const Opened&) = default;
};

}  // namespace public_id

/// The public IDs of one space. Immutable; threads may share it as far as they may share the ciphers.
template <BlockCipher Cipher>
class PublicIds {
 public:
  using Key = public_id::Key<Cipher>;

  static constexpr std::size_t kMostText = 1 + FixedDigits::kMostDigits;

  /// The first key seals, all of them open. So a new key is first given to everybody as a later one, and then
  /// put in front; an old one is dropped when its public IDs are no longer wanted.
  /// REQUIRES: the ciphers outlive the object. Errors: InvalidArgument: no key, a version twice or outside
  /// 1 to most_version(dress), too many check bits, fewer than a million numbers (is_large_enough).
  [[nodiscard]] static Result<PublicIds> make(std::span<const Key> keys,
                                              const public_id::Options& options) {
    if (keys.empty() || options.check_bits > public_id::kMostCheckBits ||
        !public_id::is_large_enough(options.largest, options.check_bits)) {
      return fail(Fault::invalid_argument);
    }
    PublicIds ids{options, keys.front().version};
    for (const Key& key : keys) {
      if (key.version < 1 || key.version > public_id::most_version(options.dress) ||
          key.cipher == nullptr || ids.permutations_[key.version]) {
        return fail(Fault::invalid_argument);
      }
      MINTMARK_TRY(made, Permutation<Cipher>::make(
                             *key.cipher, {.largest = ids.largest_sealed(),
                                           .tweak = std::as_bytes(std::span{options.space})}));
      ids.permutations_[key.version] = made;
    }
    return ids;
  }

  /// The version that seals.
  [[nodiscard]] unsigned current() const { return current_; }
  [[nodiscard]] std::uint64_t largest() const { return largest_; }

  /// Characters of every public ID.
  [[nodiscard]] std::size_t text_size() const { return 1 + digits_.width(); }

  /// Writes the public ID of a number under the current key; returns text_size().
  /// REQUIRES: out.size() >= text_size(). Errors: ValueOverflow above largest(); then nothing is written.
  [[nodiscard]] Result<std::size_t> seal(std::uint64_t value, std::span<char> out) const {
    if (value > largest_) return fail(Fault::value_overflow);
    MINTMARK_TRY(sealed, permutations_[current_]->seal(static_cast<U128>(value) << check_bits_));
    out[0] = kCrockford[current_];
    digits_.write(sealed, out.subspan(1));
    return text_size();
  }

  /// The number of a public ID under any of the keys. Errors, with positions: WrongLength; BadCharacter;
  /// UnknownKey at 0; ValueOverflow; NotSealed if a check bit is set.
  [[nodiscard]] Result<public_id::Opened> open(std::string_view text) const {
    if (text.size() != text_size()) {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), text_size())));
    }
    MINTMARK_TRY(version, version_of(text[0]));
    const auto sealed = digits_.parse(text.substr(1));
    if (!sealed) return fail(Error::at(sealed.error().fault(), sealed.error().position() + 1));
    MINTMARK_TRY(opened, permutations_[version]->open(*sealed));
    if ((static_cast<std::uint64_t>(opened) & low_bits(check_bits_)) != 0) {
      return fail(Fault::not_sealed);
    }
    return public_id::Opened{static_cast<std::uint64_t>(opened >> check_bits_), version};
  }

 private:
  PublicIds(const public_id::Options& options, unsigned current)
      : alphabet_(row_of(options.dress).alphabet),
        largest_(options.largest),
        check_bits_(options.check_bits),
        current_(current),
        digits_(*alphabet_, largest_sealed()) {}

  [[nodiscard]] U128 largest_sealed() const {
    return static_cast<U128>(largest_) << check_bits_ | low_bits(check_bits_);
  }

  /// The version of a mark for which there is a key. Errors: BadCharacter, UnknownKey.
  [[nodiscard]] Result<unsigned> version_of(char mark) const {
    // A dress that reads either case has both under one value; the others have a mark in upper case only.
    const std::uint8_t version = kCrockford.value_of(mark);
    if (version == Alphabet::kNone || alphabet_->value_of(mark) == Alphabet::kNone ||
        alphabet_->value_of(mark) != alphabet_->value_of(kCrockford[version])) {
      return fail(Error::at(Fault::bad_character, 0));
    }
    if (!permutations_[version]) return fail(Error::at(Fault::unknown_key, 0));
    return version;
  }

  const Alphabet* alphabet_;
  std::uint64_t largest_;
  unsigned check_bits_;
  unsigned current_;
  FixedDigits digits_;
  /// By version; 0 is never one.
  std::array<std::optional<Permutation<Cipher>>, public_id::kMostVersion + 1> permutations_{};
};

static_assert([] {
  // Every mark is a character of every dress that uses it.
  for (const DressRow& row : kDresses) {
    for (unsigned version = 1; version <= public_id::most_version(row.dress); ++version) {
      if (row.alphabet->value_of(kCrockford[version]) == Alphabet::kNone) return false;
    }
  }
  return true;
}());

}  // namespace mintmark
