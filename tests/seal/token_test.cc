#include "mintmark/seal/token.h"

#include <concepts>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/bn.h>

#include "tests/known_entropy.h"
#include "tests/seal/hex_key.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

std::string written(const Token& token, TokenDress dress) {
  std::string text(Token::text_size(dress, token.bits()), '?');
  EXPECT_EQ(token.write(dress, std::span{text}), text.size());
  return text;
}

TEST(Token, RoundTripsInEverySizeAndDress) {
  SeededEntropy entropy{test_seed()};
  for (unsigned bits = 128; bits <= 512; bits += 8) {
    for (const TokenDressRow& row : kTokenDresses) {
      const auto token = Token::draw(entropy, bits);
      ASSERT_TRUE(token);
      EXPECT_EQ(token->bits(), bits);
      const std::string text = written(*token, row.dress);
      EXPECT_LE(text.size(), Token::kMostText);
      const auto read = Token::parse(text, row.dress, bits);
      ASSERT_TRUE(read) << row.name << ' ' << bits;
      EXPECT_TRUE(tokens_equal(*read, *token));
      EXPECT_TRUE(tokens_equal(*Token::from_bytes(token->bytes()), *token));
    }
  }
}

TEST(Token, HasTheFewestCharactersThatHoldItsBits) {
  for (unsigned bits = 128; bits <= 512; bits += 8) {
    std::size_t fewest = 0;
    BIGNUM* power = BN_new();
    BN_one(power);
    for (; BN_num_bits(power) <= static_cast<int>(bits); ++fewest) BN_mul_word(power, 62);
    BN_free(power);
    EXPECT_EQ(Token::text_size(TokenDress::base62, bits), fewest) << bits;
    EXPECT_EQ(Token::text_size(TokenDress::base32, bits), (bits + 4) / 5);
    EXPECT_EQ(Token::text_size(TokenDress::base64url, bits), (bits + 5) / 6);
  }
  EXPECT_EQ(Token::text_size(TokenDress::base32, 512), Token::kMostText);
}

TEST(Token, IsWrittenAsItsBytesAre) {
  const auto token = Token::from_bytes(from_hex("00112233445566778899aabbccddeeff00112233"));
  ASSERT_TRUE(token);
  EXPECT_EQ(written(*token, TokenDress::base64url), "ABEiM0RVZneImaq7zN3u_wARIjM");
  EXPECT_EQ(written(*token, TokenDress::base32), "008J4CT4ANK7F24SNAXWSQFEZW0128HK");
  EXPECT_EQ(written(*token, TokenDress::base62), "00ahvh5gV3PpZPWhSIvCbORvbQh");
}

TEST(Token, DrawsAllItsBits) {
  ConstantEntropy ones{std::byte{0xff}};
  const auto token = Token::draw(ones, 512);
  ASSERT_TRUE(token);
  for (const std::byte byte : token->bytes()) EXPECT_EQ(byte, std::byte{0xff});
  EXPECT_EQ(Token::draw(ones)->bits(), 160U);
  SeededEntropy entropy{test_seed()};
  std::unordered_set<std::string> texts;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_TRUE(texts.insert(written(*Token::draw(entropy), TokenDress::base62)).second);
  }
  BreakableEntropy broken{1};
  broken.broken = true;
  EXPECT_EQ(Token::draw(broken).error().fault(), Fault::entropy_unavailable);
}

TEST(Token, RefusesFewerThan128BitsAndOddSizes) {
  SeededEntropy entropy{1};
  for (unsigned bits = 0; bits <= 600; ++bits) {
    const bool is_size = bits >= 128 && bits <= 512 && bits % 8 == 0;
    EXPECT_EQ(Token::is_size(bits), is_size) << bits;
    const auto drawn = Token::draw(entropy, bits);
    EXPECT_EQ(drawn.has_value(), is_size) << bits;
    if (is_size) continue;
    EXPECT_EQ(drawn.error().fault(), Fault::invalid_argument);
    EXPECT_EQ(Token::parse("", TokenDress::base62, bits).error().fault(), Fault::invalid_argument);
  }
  for (const std::size_t bytes : {0U, 15U, 65U, 1'000U}) {
    EXPECT_EQ(Token::from_bytes(std::vector<std::byte>(bytes)).error(),
              Error::at(Fault::wrong_length, bytes));
  }
}

TEST(Token, EveryByteAtEveryPositionIsReadOrRefusedThere) {
  SeededEntropy entropy{test_seed()};
  for (const unsigned bits : {128U, 160U, 192U}) {
    const auto token = Token::draw(entropy, bits);
    ASSERT_TRUE(token);
    for (const TokenDressRow& row : kTokenDresses) {
      const std::string text = written(*token, row.dress);
      const Alphabet& alphabet = row.dress == TokenDress::base64url ? kBase64Url
                                 : row.dress == TokenDress::base62  ? kBase62DigitUpperLower
                                                                    : kCrockford;
      for (std::size_t at = 0; at < text.size(); ++at) {
        for (unsigned byte = 0; byte < 256; ++byte) {
          std::string changed = text;
          changed[at] = static_cast<char>(byte);
          const auto read = Token::parse(changed, row.dress, bits);
          const std::uint8_t digit = alphabet.value_of(changed[at]);
          if (digit == Alphabet::kNone) {
            ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << row.name << byte;
          } else if (read) {
            EXPECT_EQ(tokens_equal(*read, *token), digit == alphabet.value_of(text[at]));
            changed[at] = alphabet[digit];
            EXPECT_EQ(written(*read, row.dress), changed);
          } else if (row.dress == TokenDress::base62) {
            EXPECT_EQ(read.error().fault(), Fault::value_overflow);
          } else {
            EXPECT_EQ(read.error(), Error::at(Fault::not_canonical, text.size() - 1));
            EXPECT_EQ(at, text.size() - 1);
          }
        }
      }
      for (std::size_t size = 0; size < text.size(); ++size) {
        EXPECT_EQ(Token::parse(text.substr(0, size), row.dress, bits).error(),
                  Error::at(Fault::wrong_length, size));
      }
      EXPECT_EQ(Token::parse(text + 'A', row.dress, bits).error(),
                Error::at(Fault::wrong_length, text.size()));
    }
  }
}

TEST(Token, RefusesBase62AboveItsBits) {
  for (unsigned bits = 128; bits <= 512; bits += 8) {
    ConstantEntropy ones{std::byte{0xff}};
    std::string text = written(*Token::draw(ones, bits), TokenDress::base62);
    EXPECT_TRUE(Token::parse(text, TokenDress::base62, bits));
    // One more: a text that stands for 2^bits.
    std::size_t at = text.size();
    while (text[--at] == 'z') text[at] = '0';
    text[at] = kBase62DigitUpperLower[kBase62DigitUpperLower.value_of(text[at]) + 1U];
    EXPECT_EQ(Token::parse(text, TokenDress::base62, bits).error(),
              Error::at(Fault::value_overflow, at))
        << bits;
    EXPECT_EQ(Token::parse(std::string(text.size(), 'z'), TokenDress::base62, bits).error().fault(),
              Fault::value_overflow);
  }
}

TEST(Token, ComparesWithoutTellingWhere) {
  const auto token = Token::from_bytes(std::vector<std::byte>(20));
  for (std::size_t bit = 0; bit < 160; ++bit) {
    std::vector<std::byte> bytes(20);
    bytes[bit / 8] = static_cast<std::byte>(1U << bit % 8);
    EXPECT_FALSE(tokens_equal(*Token::from_bytes(bytes), *token)) << bit;
  }
  EXPECT_FALSE(tokens_equal(*Token::from_bytes(std::vector<std::byte>(24)), *token));
  EXPECT_TRUE(tokens_equal("secret", "secret"));
  EXPECT_TRUE(tokens_equal("", ""));
  EXPECT_FALSE(tokens_equal("secret", "secreT"));
  EXPECT_FALSE(tokens_equal("secret", "secre"));
  static_assert(!std::equality_comparable<Token>);
}

}  // namespace
}  // namespace mintmark
