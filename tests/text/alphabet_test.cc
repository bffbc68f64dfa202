#include "mintmark/text/alphabet.h"

#include <array>
#include <cctype>
#include <string>

#include <gtest/gtest.h>

namespace mintmark {
namespace {

const std::array kAll{&kDecimal,
                      &kHexLower,
                      &kHexUpper,
                      &kCrockford,
                      &kCrockfordLower,
                      &kCrockfordAliased,
                      &kBase32HexLower,
                      &kBase64Url,
                      &kBase64Push,
                      &kBase36Lower,
                      &kBase58Bitcoin,
                      &kBase58Flickr,
                      &kBase62DigitUpperLower,
                      &kBase62DigitLowerUpper,
                      &kBase62LowerUpperDigit,
                      &kBase62UpperLowerDigit};

TEST(Alphabet, GivesEachValueItsCharacterAndBack) {
  for (const Alphabet* alphabet : kAll) {
    for (std::size_t value = 0; value < alphabet->size(); ++value) {
      EXPECT_EQ(alphabet->value_of((*alphabet)[value]), value) << alphabet->chars();
    }
  }
}

TEST(Alphabet, HasTheSizeItsNameSays) {
  EXPECT_EQ(kDecimal.size(), 10u);
  EXPECT_EQ(kHexLower.size(), 16u);
  EXPECT_EQ(kCrockford.size(), 32u);
  EXPECT_EQ(kBase32HexLower.size(), 32u);
  EXPECT_EQ(kBase36Lower.size(), 36u);
  EXPECT_EQ(kBase58Bitcoin.size(), 58u);
  EXPECT_EQ(kBase58Flickr.size(), 58u);
  EXPECT_EQ(kBase62UpperLowerDigit.size(), 62u);
  EXPECT_EQ(kBase64Url.size(), 64u);
}

TEST(Alphabet, ReadsNoByteButItsOwn) {
  for (const Alphabet* alphabet : kAll) {
    std::size_t read = 0;
    for (int byte = 0; byte < 256; ++byte) {
      if (alphabet->value_of(static_cast<char>(byte)) != Alphabet::kNone) ++read;
    }
    std::size_t expected = alphabet->size();
    if (alphabet == &kHexLower || alphabet == &kHexUpper) expected += 6;
    if (alphabet == &kCrockford) expected += 22;
    if (alphabet == &kCrockfordAliased) expected += 22 + 6;
    EXPECT_EQ(read, expected) << alphabet->chars();
  }
}

TEST(Alphabet, ReadsCrockfordAliasesOnlyWhereTheNameSaysSo) {
  for (const char c : std::string{"iIlLoO"}) {
    EXPECT_EQ(kCrockford.value_of(c), Alphabet::kNone);
    EXPECT_EQ(kCrockfordAliased.value_of(c), c == 'o' || c == 'O' ? 0 : 1);
  }
  for (const char c : std::string{"uU"}) {
    EXPECT_EQ(kCrockford.value_of(c), Alphabet::kNone);
    EXPECT_EQ(kCrockfordAliased.value_of(c), Alphabet::kNone);
  }
}

TEST(Alphabet, ReadsEitherCaseOnlyWhereItIsMadeTo) {
  EXPECT_EQ(kHexLower.value_of('F'), 15);
  EXPECT_EQ(kHexUpper.value_of('f'), 15);
  EXPECT_EQ(kCrockford.value_of('z'), 31);
  EXPECT_EQ(kCrockfordLower.value_of('Z'), Alphabet::kNone);
  EXPECT_EQ(kBase32HexLower.value_of('V'), Alphabet::kNone);
  EXPECT_EQ(kBase36Lower.value_of('A'), Alphabet::kNone);
}

TEST(Alphabet, SortsExactlyIfItsCharactersAscend) {
  for (const Alphabet* alphabet : kAll) {
    std::string sorted{alphabet->chars()};
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(alphabet->sorts(), sorted == alphabet->chars()) << alphabet->chars();
  }
}

TEST(Alphabet, StepsLeadFromValuesToCharacters) {
  for (const Alphabet* alphabet : kAll) {
    for (std::size_t value = 0; value < alphabet->size(); ++value) {
      unsigned code = static_cast<unsigned>(value);
      for (const Alphabet::Step step : alphabet->steps()) {
        if (value >= step.at) code += step.by;
      }
      EXPECT_EQ(static_cast<char>(code & 0xff), (*alphabet)[value]);
    }
  }
}

}  // namespace
}  // namespace mintmark
