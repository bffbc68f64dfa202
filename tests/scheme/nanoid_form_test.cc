#include "mintmark/scheme/nanoid_form.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/nanoid.h"
#include "mintmark/text/alphabet.h"
#include "tests/known_entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

std::string symbols(std::size_t count) {
  std::string alphabet(count, '?');
  for (std::size_t i = 0; i < count; ++i) alphabet[i] = static_cast<char>(i);
  return alphabet;
}

std::string text(const NanoidForm& form, Entropy& entropy) {
  std::string out(form.size(), '?');
  EXPECT_EQ(form.write(entropy, out), out.size());
  return out;
}

// ai/nanoid#510, #541, #600, #609 and py-nanoid#34: a size of 12.5, -1 or 0 and an alphabet of 0 or 300
// symbols gave an endless loop, the word "undefined" or predictable zeros.

template <class Size>
concept MakesForms = requires(Size size) {
  NanoidForm::make("ab", size);
};
static_assert(MakesForms<std::size_t> && !MakesForms<double> && !MakesForms<float>,
              "ai/nanoid#510: there is no size of 12.5");

TEST(NanoidForm, Nanoid510RefusesASizeBelowZero) {
  EXPECT_EQ(NanoidForm::make("ab", static_cast<std::size_t>(-1)).error().fault(), Fault::too_many);
}

TEST(NanoidForm, Nanoid541SizeZeroIsTheEmptyText) {
  BreakableEntropy entropy{test_seed()};
  entropy.broken = true;
  for (const std::size_t count : {2u, 62u, 64u, 256u}) {
    EXPECT_EQ(text(*NanoidForm::make(symbols(count), 0), entropy), "");
  }
}

TEST(NanoidForm, Nanoid600RefusesAnAlphabetOfNoSymbols) {
  EXPECT_EQ(NanoidForm::make("", 21).error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(NanoidForm::make("", 0).error(), Error::at(Fault::wrong_length, 0));
}

TEST(NanoidForm, RefusesAnAlphabetOfOneSymbol) {
  EXPECT_EQ(NanoidForm::make("a", 21).error(), Error::at(Fault::wrong_length, 1));
}

TEST(NanoidForm, Nanoid609RefusesAnAlphabetThatNoByteCanReach) {
  EXPECT_TRUE(NanoidForm::make(symbols(256), 21));
  for (const std::size_t count : {257u, 300u}) {
    EXPECT_EQ(NanoidForm::make(symbols(256) + std::string(count - 256, 'a'), 21).error(),
              Error::at(Fault::wrong_length, 256));
  }
}

TEST(NanoidForm, RefusesASymbolTwiceAndNamesTheSecond) {
  const std::string alphabet = symbols(256);
  for (std::size_t second = 1; second < 256; ++second) {
    for (const std::size_t first : {std::size_t{0}, second - 1}) {
      std::string twice = alphabet;
      twice[second] = twice[first];
      ASSERT_EQ(NanoidForm::make(twice, 21).error(), Error::at(Fault::invalid_argument, second));
    }
  }
}

TEST(NanoidForm, TakesEachSizeUpToItsLongest) {
  SeededEntropy entropy{test_seed()};
  for (const std::size_t count : {2u, 10u, 62u, 64u, 129u, 255u, 256u}) {
    const std::string alphabet = symbols(count);
    for (const std::size_t size : {std::size_t{1}, std::size_t{21}, NanoidForm::kLongest}) {
      const auto form = NanoidForm::make(alphabet, size);
      ASSERT_TRUE(form);
      EXPECT_EQ(form->size(), size);
      EXPECT_EQ(form->alphabet(), alphabet);
      const std::string made = text(*form, entropy);
      EXPECT_TRUE(
          std::ranges::all_of(made, [&](char c) { return alphabet.find(c) != std::string::npos; }));
      if (size == NanoidForm::kLongest && count <= 10) {
        EXPECT_EQ((std::set<char>{made.begin(), made.end()}.size()), count);
      }
    }
  }
  EXPECT_EQ(NanoidForm::make("ab", NanoidForm::kLongest + 1).error().fault(), Fault::too_many);
}

TEST(NanoidForm, WritesNotOneCharacterMore) {
  SeededEntropy entropy{test_seed()};
  const auto form = NanoidForm::make("01", 5);
  std::string out(8, '?');
  ASSERT_EQ(form->write(entropy, out), 5u);
  EXPECT_EQ(out.substr(5), "???");
  EXPECT_EQ(out.find('?'), 5u);
}

TEST(NanoidForm, EndsWhenTheSourceGivesNothingOfUse) {
  ConstantEntropy ones{std::byte{0xff}};
  std::string out(21, '?');
  EXPECT_EQ(NanoidForm::make(symbols(62), 21)->write(ones, out).error().fault(),
            Fault::entropy_unavailable);
  // Where no byte is ever thrown away, the same source makes a text.
  EXPECT_EQ(NanoidForm::make(kBase64Push.chars(), 21)->write(ones, out), 21u);
  EXPECT_EQ(out, std::string(21, 'z'));
  BreakableEntropy broken{test_seed()};
  broken.broken = true;
  EXPECT_EQ(NanoidForm::make("ab", 21)->write(broken, out).error().fault(),
            Fault::entropy_unavailable);
}

TEST(NanoidForm, AsksForManyBytesAtOnce) {
  BreakableEntropy entropy{test_seed()};
  const auto form = NanoidForm::make(kBase62DigitUpperLower.chars(), 21);
  for (int i = 0; i < 1000; ++i) text(*form, entropy);
  EXPECT_LT(entropy.calls, 1010u);
}

/// Pearson's sum over how often each symbol came.
double chi_square(const std::vector<std::uint64_t>& counts) {
  double all = 0;
  for (const std::uint64_t count : counts) all += static_cast<double>(count);
  const double expected = all / static_cast<double>(counts.size());
  double sum = 0;
  for (const std::uint64_t count : counts) {
    const double off = static_cast<double>(count) - expected;
    sum += off * off / expected;
  }
  return sum;
}

constexpr std::size_t kSymbols = 10'000'000;
// One in a million fair sources exceeds these: the quantiles for 61 and 63 degrees of freedom. The seed is
// fixed, so the same source always gives the same answer.
constexpr double kMost61 = 128.5;
constexpr double kMost63 = 131.4;
constexpr std::uint64_t kFixedSeed = 20261201;

// nats-io/nuid#15, vercel/uid-promise#7, grafana/grafana#64481.
TEST(NanoidForm, Nuid15NoSymbolOfSixtyTwoComesMoreOften) {
  SeededEntropy entropy{kFixedSeed};
  const auto form = NanoidForm::make(kBase62DigitUpperLower.chars(), 1000);
  std::vector<std::uint64_t> counts(62);
  std::string out(form->size(), '?');
  for (std::size_t made = 0; made < kSymbols; made += out.size()) {
    ASSERT_TRUE(form->write(entropy, out));
    for (const char c : out) ++counts[kBase62DigitUpperLower.value_of(c)];
  }
  EXPECT_LT(chi_square(counts), kMost61);
}

TEST(NanoidForm, Nuid15TheTestWouldSeeByteModuloSixtyTwo) {
  SeededEntropy entropy{kFixedSeed};
  std::vector<std::uint64_t> counts(62);
  std::array<std::uint8_t, 1000> bytes{};
  for (std::size_t made = 0; made < kSymbols / 100; made += bytes.size()) {
    ASSERT_TRUE(entropy.fill(std::as_writable_bytes(std::span{bytes})));
    for (const std::uint8_t byte : bytes) ++counts[byte % 62];
  }
  EXPECT_GT(chi_square(counts), kMost61);
}

TEST(NanoidGenerator, NoSymbolComesMoreOften) {
  SeededEntropy entropy{kFixedSeed};
  Nanoid::Generator generator{entropy};
  std::vector<std::uint64_t> counts(64);
  std::vector<Nanoid> ids(1000);
  std::string out(21, '?');
  for (std::size_t made = 0; made < kSymbols; made += ids.size() * out.size()) {
    ASSERT_EQ(generator.fill(ids), ids.size());
    for (const Nanoid& id : ids) {
      id.write(std::span{out});
      for (const char c : out) ++counts[kBase64Push.value_of(c)];
    }
  }
  EXPECT_LT(chi_square(counts), kMost63);
}

}  // namespace
}  // namespace mintmark
