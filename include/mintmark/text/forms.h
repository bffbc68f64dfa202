// Forms: every way to write an integer or a byte string that this library knows, by its name and at any
// width. For programs where the form is chosen while they run, such as `mintmark convert`; a scheme calls
// slice.h and radix.h, which are faster because they know the alphabet.
//
// Each text has the fixed width of the largest value, so that the length says nothing and, in the forms that
// sorts() names, texts sort as the values do.
//
// Two alignments, which give different text for the same bits (ulid/spec#81):
//   * integer: the digits of a number. `crockford` of 128 bits is the text of a ULID;
//   * stream: the bytes from the left, as RFC 4648 writes them without padding. `base32hex` of 96 bits is the
//     text of an XID, in lower case. A width that is no whole number of bytes has zero bits in front.
//
// The four orders of base62 are four forms. A text in one of them reads in another as a different value.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/text/alphabet.h"

namespace mintmark {

namespace forms {

inline constexpr unsigned kMostBits = 512;
inline constexpr std::size_t kMostDigits = 155;  ///< of kMostBits in decimal

/// An unsigned number of up to kMostBits and the spare bits of a stream. A plain value.
class Wide {
 public:
  constexpr Wide() = default;

  /// REQUIRES: bytes.size() <= kMostBits / 8.
  [[nodiscard]] static constexpr Wide of(std::span<const std::byte> bytes) {
    Wide wide;
    for (const std::byte byte : bytes) wide.append(256, static_cast<std::uint32_t>(byte));
    return wide;
  }
  /// 2^bits - 1.
  [[nodiscard]] static constexpr Wide largest(unsigned bits) {
    Wide wide;
    for (unsigned done = 0; done < bits; ++done) wide.append(2, 1);
    return wide;
  }

  /// The low end, in as many bytes as there are.
  constexpr void store(std::span<std::byte> bytes) const {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[bytes.size() - 1 - i] = static_cast<std::byte>(limbs_[i / 4] >> 8 * (i % 4) & 0xff);
    }
  }

  /// The number times `unit`, plus `rest`. REQUIRES: the result fits.
  constexpr void append(std::uint32_t unit, std::uint32_t rest) {
    std::uint64_t carry = rest;
    for (std::size_t i = 0; i < used_; ++i) {
      carry += static_cast<std::uint64_t>(limbs_[i]) * unit;
      limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_[used_++] = static_cast<std::uint32_t>(carry);
  }

  /// Divides by `unit` and returns the rest.
  constexpr std::uint32_t divide(std::uint32_t unit) {
    std::uint64_t rest = 0;
    for (std::size_t i = used_; i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / unit);
      rest %= unit;
    }
    while (used_ > 0 && limbs_[used_ - 1] == 0) --used_;
    return static_cast<std::uint32_t>(rest);
  }

  /// Bits without leading zeros.
  [[nodiscard]] constexpr unsigned width() const {
    if (used_ == 0) return 0;
    return static_cast<unsigned>(32 * (used_ - 1)) +
           static_cast<unsigned>(std::bit_width(limbs_[used_ - 1]));
  }

 private:
  /// The lowest first. The last one has room for a text above the largest value, also one of which each
  /// character is none and counts as 255.
  std::array<std::uint32_t, kMostBits / 32 + 1> limbs_{};
  std::size_t used_ = 0;  // without leading zeros
};

/// floor(2^32 / log2(radix)): digits of one bit. For the sizes of alphabets that are no powers of two.
[[nodiscard]] constexpr std::uint64_t digits_per_bit(std::size_t radix) {
  switch (radix) {
    case 10:
      return 1'292'913'986;
    case 36:
      return 830'760'077;
    case 58:
      return 733'182'183;
    default:
      MINTMARK_CHECK(radix == 62);
      return 721'334'513;
  }
}

}  // namespace forms

/// One way to write a value of a width. Constant; any thread may use it.
class TextForm {
 public:
  enum class Alignment : std::uint8_t { integer, stream };

  consteval TextForm(std::string_view name, const Alphabet& alphabet, Alignment alignment)
      : name_(name), alphabet_(&alphabet), alignment_(alignment) {
    while (static_cast<std::uint64_t>(group_unit_) * alphabet.size() < std::uint64_t{1} << 32) {
      group_unit_ *= static_cast<std::uint32_t>(alphabet.size());
      ++group_;
    }
  }

  [[nodiscard]] constexpr std::string_view name() const { return name_; }
  [[nodiscard]] constexpr const Alphabet& alphabet() const { return *alphabet_; }
  [[nodiscard]] constexpr Alignment alignment() const { return alignment_; }

  /// Texts of one width sort, byte by byte, as their values do.
  [[nodiscard]] constexpr bool sorts() const { return alphabet_->sorts(); }

  /// Characters of every value of a width. REQUIRES: 1 <= bits <= 512.
  [[nodiscard]] constexpr std::size_t digits(unsigned bits) const {
    if (alignment_ == Alignment::stream) bits = (bits + 7) / 8 * 8;
    if (alphabet_->slices()) return (bits + slice_bits() - 1) / slice_bits();
    return static_cast<std::size_t>(bits * forms::digits_per_bit(alphabet_->size()) >> 32) + 1;
  }

  /// Writes an integer; returns digits(bits).
  /// REQUIRES: bits <= 128; the value fits them; out.size() >= digits(bits).
  constexpr std::size_t write(U128 value, unsigned bits, std::span<char> out) const {
    std::array<std::byte, sizeof value> bytes{};
    store_be(bytes, value);
    return write(forms::Wide::of(bytes), bits, out);
  }
  /// Writes a byte string as the integer that it is, big-endian; returns digits(8 * bytes.size()).
  /// REQUIRES: 1 to 64 bytes; out has room.
  constexpr std::size_t write(std::span<const std::byte> bytes, std::span<char> out) const {
    return write(forms::Wide::of(bytes), 8 * static_cast<unsigned>(bytes.size()), out);
  }

  /// Reads an integer from exactly digits(bits) characters. REQUIRES: 1 <= bits <= 128.
  /// Errors: WrongLength; BadCharacter; ValueOverflow at the first digit that is above the one of the largest
  /// value; NotCanonical at the last character of a stream if its spare bits are not zero.
  [[nodiscard]] constexpr Result<U128> parse(std::string_view text, unsigned bits) const {
    MINTMARK_TRY(value, read(text, bits));
    std::array<std::byte, sizeof(U128)> bytes{};
    value.store(bytes);
    return load_be<U128>(bytes);
  }
  /// Reads exactly bytes.size() bytes, 1 to 64. Errors: as above; then `bytes` is as it was.
  [[nodiscard]] constexpr Result<void> parse(std::string_view text,
                                             std::span<std::byte> bytes) const {
    MINTMARK_TRY(value, read(text, 8 * static_cast<unsigned>(bytes.size())));
    value.store(bytes);
    return {};
  }

  /// Writes an integer without leading zeros, as people write numbers; zero is one digit. It does not sort.
  /// Returns the characters written. A stream has no leading zeros to leave out: it is written as by write.
  /// REQUIRES: as write.
  constexpr std::size_t write_short(U128 value, unsigned bits, std::span<char> out) const {
    const std::size_t size = write(value, bits, out);
    if (alignment_ == Alignment::stream) return size;
    const std::string_view all{out.data(), size};
    const std::size_t zeros = std::min(all.find_first_not_of((*alphabet_)[0]), size - 1);
    std::copy(out.begin() + static_cast<std::ptrdiff_t>(zeros),
              out.begin() + static_cast<std::ptrdiff_t>(size), out.begin());
    return size - zeros;
  }
  /// Reads what write_short writes. REQUIRES: 1 <= bits <= 128. Errors: WrongLength (no digits), NotCanonical
  /// (a leading zero), BadCharacter, ValueOverflow at the digit that leaves the width.
  [[nodiscard]] constexpr Result<U128> parse_short(std::string_view text, unsigned bits) const {
    if (alignment_ == Alignment::stream) return parse(text, bits);
    if (text.empty()) return fail(Error::at(Fault::wrong_length, 0));
    if (text.size() > 1 && text[0] == (*alphabet_)[0]) {
      return fail(Error::at(Fault::not_canonical, 0));
    }
    forms::Wide value;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const std::uint8_t digit = alphabet_->value_of(text[at]);
      if (digit == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
      value.append(static_cast<std::uint32_t>(alphabet_->size()), digit);
      if (value.width() > bits) return fail(Error::at(Fault::value_overflow, at));
    }
    std::array<std::byte, sizeof(U128)> bytes{};
    value.store(bytes);
    return load_be<U128>(bytes);
  }

 private:
  [[nodiscard]] constexpr unsigned slice_bits() const {
    return static_cast<unsigned>(std::bit_width(alphabet_->size() - 1));
  }
  /// Bits of the last character behind the end of a stream.
  [[nodiscard]] constexpr unsigned spare_bits(unsigned bits) const {
    if (alignment_ == Alignment::integer) return 0;
    return static_cast<unsigned>(digits(bits)) * slice_bits() - (bits + 7) / 8 * 8;
  }

  constexpr std::size_t write(forms::Wide value, unsigned bits, std::span<char> out) const {
    value.append(1U << spare_bits(bits), 0);
    const std::size_t size = digits(bits);
    const auto radix = static_cast<std::uint32_t>(alphabet_->size());
    for (std::size_t at = size; at > 0;) {
      std::uint32_t rest = value.divide(group_unit_);
      for (std::size_t i = 0; i < group_ && at > 0; ++i, rest /= radix) {
        out[--at] = (*alphabet_)[rest % radix];
      }
    }
    return size;
  }

  [[nodiscard]] constexpr Result<forms::Wide> read(std::string_view text, unsigned bits) const {
    const std::size_t size = digits(bits);
    if (text.size() != size) {
      return fail(Error::at(Fault::wrong_length, std::min(text.size(), size)));
    }
    forms::Wide value;
    unsigned seen = 0;
    for (std::size_t at = 0; at < size;) {
      std::uint32_t group = 0;
      std::uint32_t unit = 1;
      for (std::size_t i = 0; i < group_ && at < size; ++i, ++at) {
        const std::uint32_t digit = alphabet_->value_of(text[at]);
        seen |= digit;
        group = group * static_cast<std::uint32_t>(alphabet_->size()) + digit;
        unit *= static_cast<std::uint32_t>(alphabet_->size());
      }
      value.append(unit, group);
    }
    const bool all_digits = (seen & 0x80) == 0;
    if (!all_digits || value.divide(1U << spare_bits(bits)) != 0 || value.width() > bits) {
      return fail(explain(text, bits));
    }
    return value;
  }

  /// The first character at which the text cannot go on. REQUIRES: there is one.
  [[nodiscard]] constexpr Error explain(std::string_view text, unsigned bits) const {
    std::array<char, forms::kMostDigits> largest{};
    write(forms::Wide::largest(bits), bits, largest);
    const unsigned spare = spare_bits(bits);
    bool at_limit = true;  // every digit so far is that of the largest value
    for (std::size_t at = 0; at < text.size(); ++at) {
      const unsigned digit = alphabet_->value_of(text[at]);
      const unsigned limit = alphabet_->value_of(largest[at]);
      if (digit == Alphabet::kNone) return Error::at(Fault::bad_character, at);
      const bool last = at + 1 == text.size();
      if (last && (digit & low_bits(spare)) != 0) return Error::at(Fault::not_canonical, at);
      if (at_limit && digit > limit) return Error::at(Fault::value_overflow, at);
      at_limit = at_limit && digit == limit;
    }
    return Error{Fault::value_overflow};
  }

  std::string_view name_;
  const Alphabet* alphabet_;
  Alignment alignment_;
  /// Digits that are read and written together, and the power of the radix that they are.
  std::size_t group_ = 0;
  std::uint32_t group_unit_ = 1;
};

inline constexpr std::array kTextForms{
    TextForm{"hex", kHexLower, TextForm::Alignment::integer},
    TextForm{"HEX", kHexUpper, TextForm::Alignment::integer},
    TextForm{"decimal", kDecimal, TextForm::Alignment::integer},
    TextForm{"base32hex", kBase32HexLower, TextForm::Alignment::stream},
    TextForm{"crockford", kCrockford, TextForm::Alignment::integer},
    TextForm{"base36", kBase36Lower, TextForm::Alignment::integer},
    TextForm{"base58", kBase58Bitcoin, TextForm::Alignment::integer},
    TextForm{"base58flickr", kBase58Flickr, TextForm::Alignment::integer},
    TextForm{"base62", kBase62DigitUpperLower, TextForm::Alignment::integer},
    TextForm{"base62-09azAZ", kBase62DigitLowerUpper, TextForm::Alignment::integer},
    TextForm{"base62-azAZ09", kBase62LowerUpperDigit, TextForm::Alignment::integer},
    TextForm{"base62-AZaz09", kBase62UpperLowerDigit, TextForm::Alignment::integer},
    TextForm{"base64url", kBase64Url, TextForm::Alignment::stream},
};

/// The form of a name, which is case-sensitive (`hex` and `HEX` are two), or nullptr.
[[nodiscard]] constexpr const TextForm* find_form(std::string_view name) {
  const auto found = std::ranges::find(kTextForms, name, &TextForm::name);
  return found == kTextForms.end() ? nullptr : &*found;
}

static_assert(find_form("base62")->digits(160) == 27 && find_form("crockford")->digits(128) == 26);
static_assert(find_form("base32hex")->digits(96) == 20 &&
              find_form("base64url")->digits(128) == 22);
static_assert(*find_form("decimal")->parse("18446744073709551615", 64) == ~std::uint64_t{0});

}  // namespace mintmark
