// NanoIDs of another length or another alphabet: texts of random characters, as ai/nanoid makes them with
// customAlphabet.
//
// A form is checked once, when it is made: an alphabet of no symbols, of more than 256 or of one symbol
// twice, and a length that is out of bounds, are errors there. So no text is ever predictable because of
// its set-up, and none takes for ever.
//
// A random byte that stands above the last whole multiple of the alphabet's size is thrown away (256 mod 62
// is not 0: `byte % 62` would give 8 of the symbols 25 % too often). The random bytes are drawn and used as
// the published loop does it, so that the same bytes give the same text.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/entropy.h"
#include "mintmark/base/erase.h"
#include "mintmark/base/error.h"

namespace mintmark {

namespace nanoid {

/// Different bytes.
inline constexpr std::size_t kMostSymbols = 256;

/// Bytes of one draw, as the published loop computes them: in double precision, rounded up. Where no byte
/// is thrown away, one a character.
constexpr std::size_t draw_of(std::size_t size, std::size_t cutoff) {
  if (cutoff == kMostSymbols) return size;
  const double exact = 1.6 * 256 * static_cast<double>(size) / static_cast<double>(cutoff);
  const auto whole = static_cast<std::size_t>(exact);
  return static_cast<double>(whole) < exact ? whole + 1 : whole;
}

}  // namespace nanoid

/// A length and an alphabet. Immutable; any thread may use it.
class NanoidForm {
 public:
  static constexpr std::size_t kLongest = 1024;  ///< characters of a text

  /// `alphabet`: 2 to 256 different bytes. One symbol alone would make the same text each time.
  /// `size`: characters of each text, 0 to kLongest.
  /// Errors: WrongLength at the symbol that is missing or one too many; InvalidArgument at a symbol that was
  /// there before; TooMany (the size).
  [[nodiscard]] static constexpr Result<NanoidForm> make(std::string_view alphabet,
                                                         std::size_t size) {
    if (alphabet.size() < 2) return fail(Error::at(Fault::wrong_length, alphabet.size()));
    if (alphabet.size() > nanoid::kMostSymbols)
      return fail(Error::at(Fault::wrong_length, nanoid::kMostSymbols));
    if (size > kLongest) return fail(Fault::too_many);
    NanoidForm form;
    std::array<bool, nanoid::kMostSymbols> seen{};
    for (const char symbol : alphabet) {
      bool& before = seen[static_cast<unsigned char>(symbol)];
      if (before) return fail(Error::at(Fault::invalid_argument, form.symbols_));
      before = true;
      form.alphabet_[form.symbols_++] = symbol;
    }
    form.size_ = size;
    form.cutoff_ = nanoid::kMostSymbols - nanoid::kMostSymbols % form.symbols_;
    form.draw_ = nanoid::draw_of(size, form.cutoff_);
    return form;
  }
  /// There is no text of 12.5 characters.
  static Result<NanoidForm> make(std::string_view alphabet, std::floating_point auto size) = delete;

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::string_view alphabet() const { return {alphabet_.data(), symbols_}; }

  /// Writes size() characters and returns size(). The entropy is asked for about 1.6 bytes a character at
  /// once, and seldom a second time. A form of size 0 writes nothing and asks for nothing.
  /// REQUIRES: out.size() >= size(). Errors: EntropyUnavailable, also when the source gives nothing but
  /// bytes that have to be thrown away; then `out` holds nothing of use.
  [[nodiscard]] Result<std::size_t> write(Entropy& entropy, std::span<char> out) const {
    Draw draw;
    std::size_t written = 0;
    std::size_t in_vain = 0;
    while (written < size_) {
      if (const auto filled = draw.fill(entropy, draw_); !filled) return fail(filled.error());
      const std::size_t before = written;
      for (std::size_t i = draw_; i-- > 0 && written < size_;) {
        const std::size_t byte = draw.bytes[i];
        if (byte < cutoff_) out[written++] = alphabet_[byte % symbols_];
      }
      in_vain = written == before ? in_vain + 1 : 0;
      if (in_vain == kMostInVain) return fail(Fault::entropy_unavailable);
    }
    return written;
  }

 private:
  /// A good source throws away less than half of its bytes, so this never happens to it: 2^-256.
  static constexpr std::size_t kMostInVain = 256;

  static constexpr std::size_t kLargestDraw =
      nanoid::draw_of(kLongest, 129);  // 129 symbols waste the most

  /// Random bytes on the stack. What was drawn is erased, for the reason that erase.h gives.
  struct Draw {
    Draw() {}  // NOLINT: the bytes stay uninitialised until they are drawn
    Draw(const Draw&) = delete;
    Draw& operator=(const Draw&) = delete;
    ~Draw() { erase(std::as_writable_bytes(std::span{bytes}.first(drawn))); }
    Result<void> fill(Entropy& entropy, std::size_t count) {
      drawn = count;
      return entropy.fill(std::as_writable_bytes(std::span{bytes}.first(count)));
    }

    std::size_t drawn = 0;
    std::array<std::uint8_t, kLargestDraw> bytes;
  };

  constexpr NanoidForm() = default;

  std::array<char, nanoid::kMostSymbols> alphabet_{};
  std::size_t symbols_ = 0;
  std::size_t size_ = 0;
  std::size_t cutoff_ = nanoid::kMostSymbols;
  std::size_t draw_ = 0;  ///< bytes of a draw
};

static_assert(NanoidForm::make("abcde", 0).has_value() && !NanoidForm::make("", 21) &&
              !NanoidForm::make("a", 21) && !NanoidForm::make("ab", NanoidForm::kLongest + 1));
static_assert(NanoidForm::make("abcda", 21).error() == Error::at(Fault::invalid_argument, 4));

}  // namespace mintmark
