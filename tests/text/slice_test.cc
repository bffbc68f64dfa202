#include "mintmark/text/slice.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

template <const Alphabet& A, std::size_t N, class T>
std::string sliced(T value) {
  std::string text(N, '?');
  write_slices<A, N>(value, std::span{text});
  return text;
}

template <const Alphabet& A>
std::string stream(std::span<const std::byte> bytes) {
  std::string text(stream_chars<A>(bytes.size()), '?');
  EXPECT_EQ(write_stream<A>(bytes, text), text.size());
  return text;
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text(2 * bytes.size(), '?');
  EXPECT_EQ(write_hex(bytes, text), text.size());
  return text;
}

std::vector<std::byte> random_bytes(Entropy& entropy, std::size_t size) {
  std::vector<std::byte> bytes(size);
  EXPECT_TRUE(entropy.fill(bytes));
  return bytes;
}

/// The plain way, one character at a time, for the kernels to be compared with.
template <const Alphabet& A>
std::string sliced_slowly(U128 value, std::size_t chars) {
  std::string text(chars, '?');
  for (std::size_t i = chars; i-- > 0; value /= A.size()) {
    text[i] = A[static_cast<std::size_t>(value % A.size())];
  }
  return text;
}

template <const Alphabet& A, unsigned Bits, class T>
void expect_round_trips() {
  constexpr std::size_t kChars = kSliceChars<A, Bits>;
  SeededEntropy entropy{test_seed()};
  for (unsigned round = 0; round < 2000; ++round) {
    T value = 0;
    ASSERT_TRUE(entropy.fill(std::as_writable_bytes(std::span{&value, 1})));
    value = static_cast<T>(value >> (round % Bits) >> (sizeof(T) * 8 - Bits));
    const std::string text = sliced<A, kChars>(value);
    ASSERT_EQ(text, sliced_slowly<A>(value, kChars));
    const auto read = parse_slices<A, Bits, T>(text);
    ASSERT_TRUE(read) << text;
    ASSERT_TRUE(*read == value) << text;
  }
}

TEST(Slice, GoesThereAndBackInEachWidth) {
  expect_round_trips<kCrockford, 128, U128>();
  expect_round_trips<kCrockford, 64, std::uint64_t>();
  expect_round_trips<kCrockford, 50, std::uint64_t>();
  expect_round_trips<kCrockford, 30, std::uint64_t>();
  expect_round_trips<kHexLower, 128, U128>();
  expect_round_trips<kHexLower, 64, std::uint64_t>();
  expect_round_trips<kHexUpper, 96, U128>();
  expect_round_trips<kBase64Push, 48, std::uint64_t>();
  expect_round_trips<kBase64Push, 120, U128>();
  expect_round_trips<kBase64Url, 128, U128>();
  expect_round_trips<kBase32HexLower, 5, std::uint16_t>();
}

TEST(Slice, WritesWiderThanTheValueNeeds) {
  EXPECT_EQ((sliced<kHexLower, 20>(std::uint64_t{0xabc})), "00000000000000000abc");
  EXPECT_EQ((sliced<kCrockford, 32>(U128{31})), "0000000000000000000000000000000Z");
}

TEST(Slice, SortsAsTheValueDoes) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t a = *entropy.word();
    const std::uint64_t b = a + (*entropy.word() >> (round % 64));
    EXPECT_EQ(a < b, (sliced<kCrockford, 13>(a) < sliced<kCrockford, 13>(b)));
  }
}

TEST(Slice, RefusesAFirstCharacterThatNeedsMoreBits) {
  for (std::size_t first = 0; first < 32; ++first) {
    for (const char rest : {'0', 'Z'}) {
      std::string text(26, rest);
      text[0] = kCrockford[first];
      const auto read = parse_slices<kCrockford, 128>(text);
      ASSERT_EQ(read.has_value(), first < 8) << text;
      if (first >= 8) {
        EXPECT_EQ(read.error(), Error::at(Fault::value_overflow, 0)) << text;
      }
    }
  }
  // TSID: 64 bits in 13 characters of 5, so the first one holds four.
  EXPECT_TRUE((parse_slices<kCrockford, 64>("FZZZZZZZZZZZZ")));
  EXPECT_EQ((parse_slices<kCrockford, 64>("G000000000000").error()),
            Error::at(Fault::value_overflow, 0));
}

TEST(Slice, NamesTheFirstBadByteAtEachPosition) {
  for (std::size_t at = 0; at < 26; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(26, '0');
      text[at] = static_cast<char>(byte);
      if (at < 25) text[25] = '!';  // a second one that must not be named
      const auto read = parse_slices<kCrockford, 128>(text);
      const std::uint8_t value = kCrockford.value_of(static_cast<char>(byte));
      if (value == Alphabet::kNone) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && value > 7) {
        ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, 0)) << byte;
      } else if (at < 25) {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, 25)) << byte;
      } else {
        ASSERT_TRUE(read) << byte;
      }
    }
  }
}

TEST(Slice, NamesWhereALengthGoesWrong) {
  const std::string right(26, '0');
  EXPECT_EQ((parse_slices<kCrockford, 128>("").error()), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ((parse_slices<kCrockford, 128>(right.substr(1)).error()),
            Error::at(Fault::wrong_length, 25));
  EXPECT_EQ((parse_slices<kCrockford, 128>(right + "00").error()),
            Error::at(Fault::wrong_length, 26));
}

TEST(Slice, StreamsOfEverySizeGoThereAndBack) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t size = 0; size < 70; ++size) {
    const auto bytes = random_bytes(entropy, size);
    std::vector<std::byte> read(size);
    ASSERT_TRUE(parse_stream<kBase64Url>(stream<kBase64Url>(bytes), read));
    ASSERT_EQ(read, bytes);
    ASSERT_TRUE(parse_stream<kBase32HexLower>(stream<kBase32HexLower>(bytes), read));
    ASSERT_EQ(read, bytes);
    ASSERT_TRUE(parse_hex(hex(bytes), read));
    ASSERT_EQ(read, bytes);
    ASSERT_EQ(hex(bytes), stream<kHexLower>(bytes));
  }
}

TEST(Slice, StreamRefusesSpareBits) {
  // 12 bytes are 96 bits in 20 characters of 5: the last one carries one bit (XID).
  std::array<std::byte, 12> bytes{};
  std::size_t accepted = 0;
  for (const char last : kBase32HexLower.chars()) {
    const auto read = parse_stream<kBase32HexLower>(std::string(19, 'v') + last, bytes);
    if (read) {
      EXPECT_TRUE(last == '0' || last == 'g') << last;
      ++accepted;
    } else {
      EXPECT_EQ(read.error(), Error::at(Fault::not_canonical, 19)) << last;
    }
  }
  EXPECT_EQ(accepted, 2u);
}

TEST(Slice, StreamNamesTheBadPlace) {
  std::array<std::byte, 3> bytes{};
  EXPECT_EQ(parse_stream<kBase64Url>("AB+D", bytes).error(), Error::at(Fault::bad_character, 2));
  EXPECT_EQ(parse_stream<kBase64Url>("ABC", bytes).error(), Error::at(Fault::wrong_length, 3));
  EXPECT_EQ(parse_stream<kBase64Url>("ABCD=", bytes).error(), Error::at(Fault::wrong_length, 4));
}

TEST(Slice, HexNamesTheBadPlaceAtEachPosition) {
  for (const std::size_t size : {1u, 12u, 16u, 20u, 32u, 33u}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t at = 0; at < 2 * size; ++at) {
      for (const char bad : {'g', 'G', '/', ':', '@', '`', ' ', '\0', '\x80', '\xff'}) {
        std::string text(2 * size, 'f');
        text[at] = bad;
        ASSERT_EQ(parse_hex(text, bytes).error(), Error::at(Fault::bad_character, at)) << size;
      }
    }
    EXPECT_EQ(parse_hex(std::string(2 * size - 1, '0'), bytes).error(),
              Error::at(Fault::wrong_length, 2 * size - 1));
    EXPECT_EQ(parse_hex(std::string(2 * size + 1, '0'), bytes).error(),
              Error::at(Fault::wrong_length, 2 * size));
  }
}

}  // namespace
}  // namespace mintmark
