#include "mintmark/text/lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace mintmark::lanes {
namespace {

/// Puts every value into every lane, among lanes of other values.
template <const Alphabet& A>
void expect_chars() {
  for (std::size_t value = 0; value < A.size(); ++value) {
    std::array<std::uint8_t, 16> values{};
    for (std::size_t lane = 0; lane < 16; ++lane) {
      values[lane] = static_cast<std::uint8_t>((value + lane * 5) % A.size());
    }
    std::array<char, 16> chars{};
    store(chars.data(), chars_of<A>(load(values.data())));
    for (std::size_t lane = 0; lane < 16; ++lane)
      EXPECT_EQ(chars[lane], A[values[lane]]) << A.chars();
  }
}

TEST(Lanes, KnowTheCharactersOfEveryAlphabet) {
  expect_chars<kDecimal>();
  expect_chars<kHexLower>();
  expect_chars<kHexUpper>();
  expect_chars<kCrockford>();
  expect_chars<kBase32HexLower>();
  expect_chars<kBase64Url>();
  expect_chars<kBase64Push>();
  expect_chars<kBase58Flickr>();
  expect_chars<kBase62LowerUpperDigit>();
}

TEST(Lanes, ReadEachHexDigitAtEachPlaceAndNothingElse) {
  for (std::size_t place = 0; place < 32; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(32, '7');
      text[place] = static_cast<char>(byte);
      const HexBytes read = bytes_of({load(text.data()), load(text.data() + 16)});
      const std::uint8_t digit = kHexLower.value_of(text[place]);
      ASSERT_EQ(read.valid, digit != Alphabet::kNone) << place << ' ' << byte;
      if (!read.valid) continue;
      std::array<std::uint8_t, 16> bytes{};
      store(bytes.data(), read.bytes);
      const int expected = place % 2 == 0 ? digit << 4 | 7 : 0x70 | digit;
      ASSERT_EQ(bytes[place / 2], expected) << place << ' ' << byte;
    }
  }
}

TEST(Lanes, KeepTheOrderOfBytes) {
  std::array<std::uint8_t, 16> bytes{};
  store(bytes.data(), big_endian(0x0001020304050607, 0x08090a0b0c0d0e0f));
  for (std::uint8_t i = 0; i < 16; ++i) EXPECT_EQ(bytes[i], i);
  store(bytes.data(), little_endian(Words{0x0706050403020100, 0x0f0e0d0c0b0a0908}));
  for (std::uint8_t i = 0; i < 16; ++i) EXPECT_EQ(bytes[i], i);
}

}  // namespace
}  // namespace mintmark::lanes
