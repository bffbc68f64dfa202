#include "mintmark/text/forms.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/text/radix.h"
#include "mintmark/text/slice.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using Alignment = TextForm::Alignment;

U128 largest(unsigned bits) { return bits == 128 ? ~U128{0} : (U128{1} << bits) - 1; }

std::string text(const TextForm& form, U128 value, unsigned bits) {
  std::string out(form.digits(bits), '?');
  EXPECT_EQ(form.write(value, bits, out), out.size());
  return out;
}

std::string short_text(const TextForm& form, U128 value, unsigned bits) {
  std::string out(form.digits(bits), '?');
  out.resize(form.write_short(value, bits, out));
  return out;
}

std::string text(const TextForm& form, std::span<const std::byte> bytes) {
  std::string out(form.digits(8 * static_cast<unsigned>(bytes.size())), '?');
  EXPECT_EQ(form.write(bytes, out), out.size());
  return out;
}

/// The plain way: one digit a division, of the value, or of the bytes that a stream has.
std::string slowly(const TextForm& form, U128 value, std::size_t digits, unsigned shift) {
  std::string out(digits, '?');
  const std::size_t radix = form.alphabet().size();
  for (std::size_t at = digits; at-- > 0;) {
    if (at + 1 == digits && shift > 0) {
      const auto last = static_cast<std::size_t>(value << shift & (radix - 1));
      out[at] = form.alphabet()[last];
      value >>= static_cast<unsigned>(std::bit_width(radix - 1)) - shift;
      continue;
    }
    out[at] = form.alphabet()[static_cast<std::size_t>(value % radix)];
    value /= radix;
  }
  EXPECT_TRUE(value == 0);
  return out;
}

unsigned spare_bits(const TextForm& form, unsigned bits) {
  if (form.alignment() == Alignment::integer) return 0;
  const auto slice = static_cast<unsigned>(std::bit_width(form.alphabet().size() - 1));
  return static_cast<unsigned>(form.digits(bits)) * slice - (bits + 7) / 8 * 8;
}

TEST(Forms, AreFoundByTheirNames) {
  constexpr std::array<std::string_view, 13> kNames{
      "hex",           "HEX",           "decimal",      "base32hex", "crockford",
      "base36",        "base58",        "base58flickr", "base62",    "base62-09azAZ",
      "base62-azAZ09", "base62-AZaz09", "base64url"};
  ASSERT_EQ(kTextForms.size(), kNames.size());
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    EXPECT_EQ(kTextForms[i].name(), kNames[i]);
    EXPECT_EQ(find_form(kNames[i]), &kTextForms[i]);
  }
  for (const std::string_view name : {"", "Hex", "base62-", "base64", "DECIMAL", "hex "}) {
    EXPECT_EQ(find_form(name), nullptr) << name;
  }
}

TEST(Forms, EachWidthHasAsManyDigitsAsItsLargestValueNeeds) {
  for (const TextForm& form : kTextForms) {
    for (unsigned bits = 1; bits <= 512; ++bits) {
      const unsigned whole = form.alignment() == Alignment::stream ? (bits + 7) / 8 * 8 : bits;
      forms::Wide rest = forms::Wide::largest(whole);
      std::size_t digits = 0;
      for (; rest.width() > 0; ++digits) {
        rest.divide(static_cast<std::uint32_t>(form.alphabet().size()));
      }
      ASSERT_EQ(form.digits(bits), digits) << form.name() << ' ' << bits;
      ASSERT_LE(digits, forms::kMostDigits);
    }
  }
}

TEST(Forms, GoThereAndBackAtEachWidth) {
  SeededEntropy entropy{test_seed()};
  for (const TextForm& form : kTextForms) {
    for (unsigned bits = 1; bits <= 128; ++bits) {
      for (unsigned round = 0; round < 12; ++round) {
        U128 value = static_cast<U128>(*entropy.word()) << 64 | *entropy.word();
        value = (value & largest(bits)) >> (round * bits / 12);
        if (round == 0) value = largest(bits);
        if (round == 1) value = 0;
        const std::string out = text(form, value, bits);
        ASSERT_EQ(out, slowly(form, value, form.digits(bits), spare_bits(form, bits)))
            << form.name() << ' ' << bits;
        const auto read = form.parse(out, bits);
        ASSERT_TRUE(read) << form.name() << ' ' << out;
        ASSERT_TRUE(*read == value) << form.name() << ' ' << out;
        const auto short_read = form.parse_short(short_text(form, value, bits), bits);
        ASSERT_TRUE(short_read) << form.name() << ' ' << out;
        ASSERT_TRUE(*short_read == value) << form.name() << ' ' << out;
      }
    }
  }
}

TEST(Forms, BytesGoThereAndBackAtEachLength) {
  SeededEntropy entropy{test_seed()};
  for (const TextForm& form : kTextForms) {
    for (std::size_t size = 1; size <= 64; ++size) {
      std::vector<std::byte> bytes(size);
      ASSERT_TRUE(entropy.fill(std::span{bytes}.subspan(size / 3)));
      const std::string out = text(form, bytes);
      std::vector<std::byte> read(size);
      ASSERT_TRUE(form.parse(out, read)) << form.name() << ' ' << out;
      ASSERT_EQ(read, bytes) << form.name();
      if (size <= 16) {
        std::array<std::byte, 16> wide{};
        std::ranges::copy(bytes, wide.end() - static_cast<std::ptrdiff_t>(size));
        ASSERT_EQ(out, text(form, load_be<U128>(wide), 8 * static_cast<unsigned>(size)));
      }
      const std::vector<std::byte> ones(size, std::byte{0xff});
      ASSERT_TRUE(form.parse(text(form, ones), read));
      ASSERT_EQ(read, ones);
    }
  }
}

/// The same text as by the functions that know the alphabet.
template <const Alphabet& A>
void expect_radix(std::string_view name, U128 value) {
  std::array<char, 128> out{};
  const TextForm& form = *find_form(name);
  EXPECT_EQ(text(form, value, 128), std::string(out.data(), write_fixed<A>(value, out))) << name;
  EXPECT_EQ(short_text(form, value, 128), std::string(out.data(), write_radix<A>(value, out)));
  const auto low = static_cast<std::uint64_t>(value);
  EXPECT_EQ(text(form, low, 64), std::string(out.data(), write_fixed<A>(low, out))) << name;
}

TEST(Forms, AgreeWithTheSchemesTexts) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 200; ++round) {
    std::array<std::byte, 16> bytes{};
    ASSERT_TRUE(entropy.fill(bytes));
    const auto value = load_be<U128>(bytes);
    expect_radix<kDecimal>("decimal", value);
    expect_radix<kBase36Lower>("base36", value);
    expect_radix<kBase58Bitcoin>("base58", value);
    expect_radix<kBase58Flickr>("base58flickr", value);
    expect_radix<kBase62DigitUpperLower>("base62", value);
    expect_radix<kBase62DigitLowerUpper>("base62-09azAZ", value);
    expect_radix<kBase62LowerUpperDigit>("base62-azAZ09", value);
    expect_radix<kBase62UpperLowerDigit>("base62-AZaz09", value);
    std::string out(32, '?');
    write_hex(bytes, out);
    EXPECT_EQ(text(*find_form("hex"), value, 128), out);
    write_hex<kHexUpper>(bytes, out);
    EXPECT_EQ(text(*find_form("HEX"), value, 128), out);
    out.resize(26);
    write_slices<kCrockford, 26>(value, std::span{out});
    EXPECT_EQ(text(*find_form("crockford"), value, 128), out);
    out.resize(write_stream<kBase32HexLower>(bytes, out));
    EXPECT_EQ(text(*find_form("base32hex"), value, 128), out);
    out.resize(write_stream<kBase64Url>(bytes, out));
    EXPECT_EQ(text(*find_form("base64url"), value, 128), out);
    const std::span xid = std::span<const std::byte>{bytes}.first(12);
    out.resize(20);
    write_stream<kBase32HexLower>(xid, out);
    EXPECT_EQ(text(*find_form("base32hex"), xid), out);
  }
}

/// An integer of any width, without leading zeros.
void expect_integer(std::string_view form, const vectors::Line& line) {
  const U128 value = *parse_radix<kDecimal, U128>(line.input);
  EXPECT_EQ(short_text(*find_form(form), value, 128), line.expected);
  EXPECT_TRUE(*find_form(form)->parse_short(line.expected, 128) == value);
}

void expect_bytes(std::string_view form, const vectors::Line& line) {
  std::vector<std::byte> bytes(line.input.size() / 2);
  ASSERT_TRUE(find_form("hex")->parse(line.input, bytes));
  EXPECT_EQ(text(*find_form(form), bytes), line.expected);
}

TEST(Forms, GiveTheKnownAnswers) {
  vectors::check_all(
      "encodings",
      {{"b58int", [](const vectors::Line& line) { expect_integer("base58", line); }},
       {"b62",
        [](const vectors::Line& line) {
          const std::string& order = line.parameters.at(0);
          expect_integer(order == "0-9A-Za-z"   ? "base62"
                         : order == "0-9a-zA-Z" ? "base62-09azAZ"
                         : order == "a-zA-Z0-9" ? "base62-azAZ09"
                                                : "base62-AZaz09",
                         line);
        }},
       {"b62u64reject",
        [](const vectors::Line& line) {
          EXPECT_EQ(find_form("base62")->parse(line.text(), 64).error(),
                    Error::at(Fault::value_overflow, 10));
        }},
       {"crock26", [](const vectors::Line& line) { expect_bytes("crockford", line); }},
       {"b64url", [](const vectors::Line& line) { expect_bytes("base64url", line); }},
       {"b32hexlower", [](const vectors::Line& line) { expect_bytes("base32hex", line); }}},
      {"crock", "crockint", "b58", "b58flickr"});
}

TEST(Forms, NameEachWrongByteAtEachPosition) {
  for (const TextForm& form : kTextForms) {
    for (const unsigned bits : {63U, 64U, 96U, 125U, 126U, 128U}) {
      const std::string zeros = text(form, 0, bits);
      const std::string limit = text(form, largest(bits), bits);
      for (std::size_t at = 0; at < zeros.size(); ++at) {
        for (int byte = 0; byte < 256; ++byte) {
          std::string changed = limit.substr(0, at) + zeros.substr(at);
          changed[at] = static_cast<char>(byte);
          const auto read = form.parse(changed, bits);
          const unsigned digit = form.alphabet().value_of(changed[at]);
          const bool last = at + 1 == zeros.size();
          if (digit == Alphabet::kNone) {
            ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << form.name() << byte;
          } else if (last && (digit & low_bits(spare_bits(form, bits))) != 0) {
            ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, at)) << form.name() << byte;
          } else if (digit > form.alphabet().value_of(limit[at])) {
            ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, at)) << form.name() << byte;
          } else {
            ASSERT_TRUE(read) << form.name() << ' ' << changed;
            std::string canonical = changed;
            canonical[at] = form.alphabet()[digit];
            ASSERT_EQ(text(form, *read, bits), canonical);
          }
        }
      }
      ASSERT_EQ(form.parse(zeros.substr(1), bits).error(),
                Error::at(Fault::wrong_length, zeros.size() - 1));
      ASSERT_EQ(form.parse(zeros + zeros[0], bits).error(),
                Error::at(Fault::wrong_length, zeros.size()));
      ASSERT_EQ(form.parse("", bits).error(), Error::at(Fault::wrong_length, 0));
    }
  }
}

TEST(Forms, BytesOfNoUseAreNoHarm) {
  for (const TextForm& form : kTextForms) {
    std::array<std::byte, 64> bytes{};
    const std::string rubbish(form.digits(512), '\xff');
    EXPECT_EQ(form.parse(rubbish, bytes).error(), Error::at(Fault::bad_character, 0));
    const std::string most(form.digits(512), form.alphabet().chars().back());
    const auto read = form.parse(most, bytes);
    if (form.alphabet().size() == 16) {
      EXPECT_TRUE(read);
    } else {
      EXPECT_FALSE(read) << form.name();
    }
    EXPECT_TRUE(read || bytes == (std::array<std::byte, 64>{}));
  }
}

TEST(Forms, KeepTheOrderExactlyWhereTheySaySo) {
  SeededEntropy entropy{test_seed()};
  for (const TextForm& form : kTextForms) {
    for (const unsigned bits : {32U, 63U, 64U, 96U, 126U, 128U}) {
      std::size_t wrong = 0;
      for (int round = 0; round < 400; ++round) {
        const auto value = [&] {
          return ((static_cast<U128>(*entropy.word()) << 64 | *entropy.word()) & largest(bits)) >>
                 *entropy.word() % bits;
        };
        const U128 a = value();
        const U128 b = round % 2 == 0 ? value() : a + (a < largest(bits) ? 1U : 0U);
        if ((a < b) != (text(form, a, bits) < text(form, b, bits))) ++wrong;
      }
      EXPECT_EQ(wrong == 0, form.sorts()) << form.name() << ' ' << bits << ' ' << wrong;
    }
  }
}

TEST(Forms, ShortTextsHaveNoLeadingZeros) {
  const TextForm& decimal = *find_form("decimal");
  EXPECT_EQ(short_text(decimal, 0, 64), "0");
  EXPECT_EQ(short_text(decimal, 653'247'040'368'672'768, 64), "653247040368672768");
  EXPECT_EQ(text(decimal, 653'247'040'368'672'768, 64), "00653247040368672768");
  EXPECT_EQ(decimal.parse_short("", 64).error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(decimal.parse_short("01", 64).error(), Error::at(Fault::not_canonical, 0));
  EXPECT_EQ(decimal.parse_short("1a", 64).error(), Error::at(Fault::bad_character, 1));
  EXPECT_TRUE(*decimal.parse_short("0", 64) == 0);
  EXPECT_EQ(decimal.parse_short("18446744073709551616", 64).error(),
            Error::at(Fault::value_overflow, 19));
  EXPECT_EQ(decimal.parse_short(std::string(500, '9'), 64).error(),
            Error::at(Fault::value_overflow, 19));
  EXPECT_EQ(find_form("base64url")->parse_short("A", 8).error(), Error::at(Fault::wrong_length, 1));
}

}  // namespace
}  // namespace mintmark
