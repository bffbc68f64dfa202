#include "mintmark/text/radix.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/text/slice.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

template <const Alphabet& A, class T>
std::string radix_text(T value) {
  std::array<char, 128> out{};
  return {out.data(), write_radix<A>(value, out)};
}

template <const Alphabet& A, class T>
std::string fixed_text(T value) {
  std::array<char, 128> out{};
  return {out.data(), write_fixed<A>(value, out)};
}

std::string decimal_text(std::uint64_t value) {
  std::array<char, 20> out{};
  return {out.data(), write_decimal(value, out)};
}

U128 number(std::string_view digits) {
  const auto value = parse_radix<kDecimal, U128>(digits);
  EXPECT_TRUE(value) << digits;
  return value.value_or(0);
}

std::vector<std::byte> bytes_of_hex(std::string_view digits) {
  std::vector<std::byte> bytes(digits.size() / 2);
  EXPECT_TRUE(parse_hex(digits, bytes)) << digits;
  return bytes;
}

/// Both ways, in both types where the value fits.
template <const Alphabet& A>
void expect_both_ways(U128 value, std::string_view text) {
  EXPECT_EQ((radix_text<A>(value)), text);
  const auto read = parse_radix<A, U128>(text);
  ASSERT_TRUE(read);
  EXPECT_TRUE(*read == value);
  if (value >> 64 != 0) return;
  EXPECT_EQ((radix_text<A>(static_cast<std::uint64_t>(value))), text);
  EXPECT_EQ((parse_radix<A, std::uint64_t>(text)), static_cast<std::uint64_t>(value));
}

void expect_base62(const Line& line) {
  const U128 value = number(line.input);
  const std::string order = line.parameters.at(0);
  if (order == "0-9A-Za-z") {
    expect_both_ways<kBase62DigitUpperLower>(value, line.expected);
  } else if (order == "0-9a-zA-Z") {
    expect_both_ways<kBase62DigitLowerUpper>(value, line.expected);
  } else if (order == "a-zA-Z0-9") {
    expect_both_ways<kBase62LowerUpperDigit>(value, line.expected);
  } else if (order == "A-Za-z0-9") {
    expect_both_ways<kBase62UpperLowerDigit>(value, line.expected);
  } else {
    ADD_FAILURE() << "nobody knows this order";
  }
}

template <const Alphabet& A>
void expect_base58(const Line& line) {
  const auto bytes = bytes_of_hex(line.input);
  std::vector<char> out(base58_chars(bytes.size()));
  EXPECT_EQ(std::string(out.data(), write_base58<A>(bytes, out)), line.expected);
  std::vector<std::byte> read(bytes.size());
  EXPECT_EQ((parse_base58<A>(line.expected, read)), bytes.size());
  EXPECT_EQ(read, bytes);
}

template <const Alphabet& A>
void expect_stream(const Line& line) {
  const auto bytes = bytes_of_hex(line.input);
  std::string out(stream_chars<A>(bytes.size()), '?');
  write_stream<A>(bytes, out);
  EXPECT_EQ(out, line.expected);
  std::vector<std::byte> read(bytes.size());
  EXPECT_TRUE(parse_stream<A>(line.expected, read));
  EXPECT_EQ(read, bytes);
}

TEST(Encodings, GiveTheKnownAnswers) {
  vectors::check_all(
      "encodings",
      {{"crock",
        [](const Line& line) {
          const std::string text = line.expected.substr(0, line.expected.find(' '));
          expect_both_ways<kCrockford>(number(line.input), text);
          EXPECT_EQ(text + crockford_check(number(line.input)), line.answer("check"));
        }},
       {"crockint",
        [](const Line& line) {
          U128 value = 0;
          for (const char c : line.text()) value = value << 8 | static_cast<unsigned char>(c);
          expect_both_ways<kCrockford>(value, line.expected);
        }},
       {"crock26",
        [](const Line& line) {
          std::string text(26, '?');
          write_slices<kCrockford, 26>(load_be<U128>(bytes_of_hex(line.input)), std::span{text});
          EXPECT_EQ(text, line.expected);
        }},
       {"b58", expect_base58<kBase58Bitcoin>},
       {"b58flickr", expect_base58<kBase58Flickr>},
       {"b58int",
        [](const Line& line) {
          expect_both_ways<kBase58Bitcoin>(number(line.input), line.expected);
        }},
       {"b62", expect_base62},
       {"b62u64reject",
        [](const Line& line) {
          const auto read = parse_radix<kBase62DigitUpperLower, std::uint64_t>(line.text());
          EXPECT_EQ(read.error(), Error::at(Fault::value_overflow, 10));
        }},
       {"b64url", expect_stream<kBase64Url>},
       {"b32hexlower", expect_stream<kBase32HexLower>}});
}

/// Values at which something changes: powers of the radix and of two, one below and one above.
template <class T>
std::vector<T> edges(unsigned radix) {
  std::vector<T> values{0, 1, std::numeric_limits<T>::max()};
  for (U128 power = radix; power <= std::numeric_limits<T>::max(); power *= radix) {
    values.push_back(static_cast<T>(power - 1));
    values.push_back(static_cast<T>(power));
    values.push_back(static_cast<T>(power + 1));
    if (power > std::numeric_limits<T>::max() / radix) break;
  }
  for (unsigned bit = 0; bit < sizeof(T) * 8; ++bit) values.push_back(static_cast<T>(T{1} << bit));
  return values;
}

template <const Alphabet& A, class T>
void expect_round_trips() {
  std::vector<T> values = edges<T>(A.size());
  SeededEntropy entropy{test_seed()};
  for (unsigned i = 0; i < 2000; ++i) {
    T value = 0;
    ASSERT_TRUE(entropy.fill(std::as_writable_bytes(std::span{&value, 1})));
    values.push_back(static_cast<T>(value >> (i % (sizeof(T) * 8))));
  }
  for (const T value : values) {
    std::string slowly;
    for (T rest = value; slowly.empty() || rest > 0; rest = static_cast<T>(rest / A.size())) {
      slowly.insert(slowly.begin(), A[static_cast<std::size_t>(rest % A.size())]);
    }
    ASSERT_EQ((radix_text<A>(value)), slowly);
    ASSERT_TRUE((parse_radix<A, T>(slowly)) == value) << slowly;
    ASSERT_TRUE((parse_radix_zeros<A, T>(std::string(50, A[0]) + slowly)) == value) << slowly;
    const std::string fixed = std::string(kRadixDigits<A, T> - slowly.size(), A[0]) + slowly;
    ASSERT_EQ((fixed_text<A>(value)), fixed);
    ASSERT_TRUE((parse_fixed<A, T>(fixed)) == value) << fixed;
  }
}

TEST(Radix, GoesThereAndBack) {
  expect_round_trips<kDecimal, std::uint64_t>();
  expect_round_trips<kDecimal, U128>();
  expect_round_trips<kBase36Lower, std::uint64_t>();
  expect_round_trips<kBase36Lower, U128>();
  expect_round_trips<kBase58Bitcoin, std::uint64_t>();
  expect_round_trips<kBase58Flickr, U128>();
  expect_round_trips<kBase62DigitUpperLower, std::uint64_t>();
  expect_round_trips<kBase62UpperLowerDigit, U128>();
  expect_round_trips<kHexLower, std::uint64_t>();
  expect_round_trips<kHexLower, U128>();
  expect_round_trips<kBase64Push, U128>();
  expect_round_trips<kBase62DigitUpperLower, std::uint32_t>();
}

TEST(Radix, FixedWidthSortsInAnAlphabetThatSorts) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t a = *entropy.word() >> (round % 64);
    const std::uint64_t b = *entropy.word() >> (round % 61);
    EXPECT_EQ(a < b, fixed_text<kBase62DigitUpperLower>(a) < fixed_text<kBase62DigitUpperLower>(b));
  }
  // The counter-examples that the header warns of.
  EXPECT_LT(radix_text<kDecimal>(std::uint64_t{10}), radix_text<kDecimal>(std::uint64_t{9}));
  EXPECT_LT(fixed_text<kBase62LowerUpperDigit>(std::uint64_t{26}),
            fixed_text<kBase62LowerUpperDigit>(std::uint64_t{25}));
}

TEST(Radix, RefusesLeadingZerosUnlessTheNameSaysOtherwise) {
  EXPECT_EQ((parse_radix<kBase62DigitUpperLower, std::uint64_t>("0")), 0u);
  EXPECT_EQ((parse_radix<kBase62DigitUpperLower, std::uint64_t>("00").error()),
            Error::at(Fault::not_canonical, 0));
  EXPECT_EQ((parse_radix<kBase58Bitcoin, std::uint64_t>("12").error()),
            Error::at(Fault::not_canonical, 0));
  EXPECT_EQ((parse_radix_zeros<kBase58Bitcoin, std::uint64_t>("12")), 1u);
}

TEST(Radix, NamesTheDigitThatLeavesTheType) {
  EXPECT_EQ((parse_radix<kDecimal, std::uint32_t>("4294967296").error()),
            Error::at(Fault::value_overflow, 9));
  EXPECT_EQ((parse_radix<kDecimal, std::uint32_t>("9999999999x").error()),
            Error::at(Fault::value_overflow, 9));
  EXPECT_EQ((parse_radix<kDecimal, U128>("340282366920938463463374607431768211456").error()),
            Error::at(Fault::value_overflow, 38));
  EXPECT_EQ((parse_radix_zeros<kDecimal, U128>(std::string(100, '9')).error()),
            Error::at(Fault::value_overflow, 38));
  EXPECT_EQ((parse_fixed<kBase62DigitUpperLower, std::uint64_t>("LygHa16AHYG").error()),
            Error::at(Fault::value_overflow, 10));
  EXPECT_EQ((parse_fixed<kBase62DigitUpperLower, std::uint64_t>("Lz000000000").error()),
            Error::at(Fault::value_overflow, 1));
  EXPECT_EQ((parse_fixed<kBase62DigitUpperLower, std::uint64_t>("zzzzzzzzzz!").error()),
            Error::at(Fault::value_overflow, 0));
}

TEST(Radix, NamesTheFirstBadByteAtEachPosition) {
  for (const std::size_t size : {1u, 10u, 11u, 22u}) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        if (kBase62DigitUpperLower.value_of(c) != Alphabet::kNone) continue;
        std::string text(size, '1');
        text[at] = c;
        ASSERT_EQ((parse_radix<kBase62DigitUpperLower, U128>(text).error()),
                  Error::at(Fault::bad_character, at));
        if (size != 22) continue;
        ASSERT_EQ((parse_fixed<kBase62DigitUpperLower, U128>(text).error()),
                  Error::at(Fault::bad_character, at));
      }
    }
  }
  EXPECT_EQ((parse_radix<kDecimal, std::uint64_t>("").error()), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ((parse_fixed<kDecimal, std::uint64_t>("1").error()), Error::at(Fault::wrong_length, 1));
}

TEST(Decimal, AgreesWithTheStandardLibrary) {
  std::vector<std::uint64_t> values = edges<std::uint64_t>(10);
  SeededEntropy entropy{test_seed()};
  for (unsigned i = 0; i < 100'000; ++i) values.push_back(*entropy.word() >> (i % 64));
  for (const std::uint64_t value : values) {
    std::array<char, 20> expected{};
    const auto end = std::to_chars(expected.data(), expected.data() + expected.size(), value).ptr;
    const std::string text{expected.data(), end};
    ASSERT_EQ(decimal_text(value), text);
    ASSERT_EQ(parse_decimal(text), value);
  }
}

TEST(Decimal, RefusesEveryOtherByteAtEachPosition) {
  for (std::size_t size = 1; size <= 20; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        if (byte >= '0' && byte <= '9') continue;
        std::string text(size, '1');
        text[at] = static_cast<char>(byte);
        ASSERT_EQ(parse_decimal(text).error(), Error::at(Fault::bad_character, at))
            << size << ' ' << byte;
      }
    }
  }
}

TEST(Decimal, RefusesWhatIsNotTheOneSpelling) {
  EXPECT_EQ(parse_decimal("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(parse_decimal("+1").error(), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(parse_decimal("-1").error(), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(parse_decimal("01").error(), Error::at(Fault::not_canonical, 0));
  EXPECT_EQ(parse_decimal("0000000000").error(), Error::at(Fault::not_canonical, 0));
  EXPECT_EQ(parse_decimal("18446744073709551616").error(), Error::at(Fault::value_overflow, 19));
  EXPECT_EQ(parse_decimal("99999999999999999999").error(), Error::at(Fault::value_overflow, 19));
  EXPECT_EQ(parse_decimal("111111111111111111111").error(), Error::at(Fault::value_overflow, 20));
  EXPECT_EQ(parse_decimal("0"), 0u);
}

TEST(Base58, KeepsTheLengthOfByteStrings) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t size = 0; size < 64; ++size) {
    for (std::size_t zeros = 0; zeros <= size; zeros += 3) {
      std::vector<std::byte> bytes(size);
      ASSERT_TRUE(entropy.fill(std::span{bytes}.subspan(zeros)));
      std::vector<char> out(base58_chars(size));
      const std::string text{out.data(), write_base58(bytes, out)};
      std::vector<std::byte> read(size);
      ASSERT_EQ(parse_base58(text, read), size);
      ASSERT_EQ(read, bytes);
      if (size == 0) continue;
      ASSERT_EQ(parse_base58(text, std::span{read}.first(size - 1)).error().fault(),
                Fault::value_overflow);
    }
  }
}

TEST(Base58, NamesTheBadByte) {
  std::array<std::byte, 8> bytes{};
  for (const char bad : {'0', 'O', 'I', 'l', '-', '\xff'}) {
    EXPECT_EQ(parse_base58(std::string{"1Z"} + bad + "a", bytes).error(),
              Error::at(Fault::bad_character, 2));
  }
  EXPECT_EQ(parse_base58("111111111", bytes).error(), Error::at(Fault::value_overflow, 8));
}

// rafaelsales/ulid#45: W, X, Y and Z were all read as 0.
TEST(Crockford, EveryDigitHasItsOwnValue) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  for (std::uint64_t value = 0; value < kDigits.size(); ++value) {
    const std::string digit{kDigits[value]};
    EXPECT_EQ(radix_text<kCrockford>(value), digit);
    EXPECT_EQ((parse_radix<kCrockford, std::uint64_t>(digit)), value);
    EXPECT_EQ((parse_radix<kCrockford, std::uint64_t>("1" + digit)), 32 + value);
  }
}

}  // namespace
}  // namespace mintmark
