#include "mintmark/seal/public_id.h"

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/seal/ff1_reference.h"
#include "tests/seal/hex_key.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

using Aes = io::Aes;
using Ids = PublicIds<Aes>;
using Key = Ids::Key;
using public_id::Opened;
using public_id::Options;

constexpr std::string_view kOtherKey = "00112233445566778899aabbccddeeff";

std::string seal(const Ids& ids, std::uint64_t value) {
  std::string text(ids.text_size(), '?');
  const auto written = ids.seal(value, std::span{text});
  EXPECT_TRUE(written && *written == text.size()) << value;
  return text;
}

Ids ids_of(const Aes& cipher, const Options& options, unsigned version = 1) {
  const std::array keys{Key{version, &cipher}};
  const auto made = Ids::make(keys, options);
  EXPECT_TRUE(made);
  return *made;
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

TEST(PublicId, OpensWhatItSealsInEveryForm) {
  std::mt19937_64 random{test_seed()};
  const auto cipher = aes();
  for (const DressRow& row : kDresses) {
    for (const unsigned check_bits : {0U, 1U, 16U, 63U, 64U}) {
      for (const std::uint64_t largest :
           {~std::uint64_t{0}, std::uint64_t{999'999}, random() | 1'000'000}) {
        const Ids ids = ids_of(
            *cipher,
            {.largest = largest, .check_bits = check_bits, .dress = row.dress, .space = "orders"});
        for (const std::uint64_t value :
             {std::uint64_t{0}, std::uint64_t{1}, largest, random() % largest}) {
          const std::string text = seal(ids, value);
          EXPECT_EQ(text.size(), ids.text_size());
          EXPECT_EQ(text[0], '1');
          EXPECT_EQ(ids.open(text), (Opened{value, 1})) << text;
        }
      }
    }
  }
}

TEST(PublicId, StaysWhatItWas) {
  // Public IDs live in other people's bookmarks: these texts may never change.
  const auto cipher = aes();
  struct Known {
    Options options;
    std::uint64_t value;
    std::string_view text;
  };
  for (const Known& known : {
           Known{{}, 42, "1EGRM2SWSYA067"},
           Known{{.dress = Dress::base58, .space = "orders"}, 42, "1YzpwKHgfSFR"},
           Known{{.check_bits = 16, .dress = Dress::base62}, ~std::uint64_t{0}, "12eo2bz9lui4vbV"},
           Known{{.largest = 999'999'999, .dress = Dress::decimal}, 42, "1168248319"},
       }) {
    EXPECT_EQ(seal(ids_of(*cipher, known.options), known.value), known.text);
  }
}

TEST(PublicId, IsFf1OfTheStandardUnderTheNameOfTheSpace) {
  const auto key = from_hex(kNistKey.substr(0, 32));
  const auto cipher = aes();
  const std::string space = "orders";
  const Ids ids = ids_of(*cipher, {.check_bits = 16, .dress = Dress::crockford, .space = space});
  for (std::uint64_t value = 0; value < 100; ++value) {
    reference::Numerals bits(80);
    for (unsigned i = 0; i < 64; ++i) bits[i] = value >> (63 - i) & 1;
    U128 sealed = 0;
    for (const std::uint16_t bit : reference::ff1(key, std::as_bytes(std::span{space}), 2, bits)) {
      sealed = sealed << 1 | bit;
    }
    std::string expected(17, '1');
    write_slices<kCrockford, 16>(sealed, std::span{expected}.subspan(1));
    EXPECT_EQ(seal(ids, value), expected);
  }
}

TEST(PublicId, OldKeysOpenAfterARotation) {
  const auto old_key = aes();
  const auto new_key = aes(kOtherKey);
  const Ids before = ids_of(*old_key, {}, 7);
  const std::string old_text = seal(before, 42);
  EXPECT_EQ(old_text[0], '7');

  // First the new key is given to everybody, and does not seal yet.
  const std::array announced{Key{7, old_key.get()}, Key{31, new_key.get()}};
  const auto prepared = Ids::make(announced, {});
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->current(), 7U);
  EXPECT_EQ(seal(*prepared, 42), old_text);

  const std::array rotated{Key{31, new_key.get()}, Key{7, old_key.get()}};
  const auto after = Ids::make(rotated, {});
  ASSERT_TRUE(after);
  const std::string new_text = seal(*after, 42);
  EXPECT_EQ(new_text[0], 'Z');
  for (const Ids& either : {*prepared, *after}) {
    EXPECT_EQ(either.open(old_text), (Opened{42, 7}));
    EXPECT_EQ(either.open(new_text), (Opened{42, 31}));
  }
  EXPECT_NE(old_text.substr(1), new_text.substr(1));
  EXPECT_EQ(before.open(new_text).error(), Error::at(Fault::unknown_key, 0));
}

TEST(PublicId, EveryVersionHasAMarkOfItsOwn) {
  const auto cipher = aes();
  for (const DressRow& row : kDresses) {
    std::unordered_set<char> marks;
    for (unsigned version = 1; version <= public_id::most_version(row.dress); ++version) {
      const Ids ids = ids_of(*cipher, {.dress = row.dress}, version);
      const std::string text = seal(ids, 42);
      EXPECT_TRUE(marks.insert(text[0]).second);
      EXPECT_NE(text[0], '0');
      EXPECT_EQ(ids.open(text), (Opened{42, version}));
    }
  }
}

TEST(PublicId, EveryByteAtEveryPositionIsReadOrRefusedThere) {
  const auto cipher = aes();
  const auto other = aes(kOtherKey);
  const std::array keys{Key{1, cipher.get()}, Key{10, other.get()}};
  for (const DressRow& row : kDresses) {
    const auto made = Ids::make(row.dress == Dress::decimal ? std::span{keys}.first(1) : keys,
                                {.largest = 9'999'999, .dress = row.dress});
    ASSERT_TRUE(made);
    const std::string text = seal(*made, 1'234'567);
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        std::string changed = text;
        changed[at] = static_cast<char>(byte);
        const auto opened = made->open(changed);
        if (opened) {
          std::string again(made->text_size(), '?');
          const std::array only{
              Key{opened->version, opened->version == 1 ? cipher.get() : other.get()}};
          ASSERT_TRUE(Ids::make(only, {.largest = 9'999'999, .dress = row.dress})
                          ->seal(opened->value, std::span{again}));
          EXPECT_EQ(again, row.dress == Dress::crockford ? upper(changed) : changed);
          continue;
        }
        const Error error = opened.error();
        if (row.alphabet->value_of(changed[at]) == Alphabet::kNone) {
          EXPECT_EQ(error, Error::at(Fault::bad_character, at)) << byte;
        } else if (at == 0) {
          const bool is_mark = kCrockford.value_of(changed[0]) != Alphabet::kNone &&
                               (row.dress == Dress::crockford || !(byte >= 'a' && byte <= 'z'));
          EXPECT_EQ(error, Error::at(is_mark ? Fault::unknown_key : Fault::bad_character, 0))
              << byte;
        } else {
          EXPECT_EQ(error.fault(), Fault::value_overflow) << byte;
          EXPECT_GE(error.position(), 1U);
        }
      }
    }
    for (std::size_t size = 0; size < text.size(); ++size) {
      EXPECT_EQ(made->open(text.substr(0, size)).error(), Error::at(Fault::wrong_length, size));
    }
    EXPECT_EQ(made->open(text + '0').error(), Error::at(Fault::wrong_length, text.size()));
  }
}

TEST(PublicId, CheckBitsCatchWhatWasMadeUp) {
  std::mt19937_64 random{test_seed()};
  const auto cipher = aes();
  const Ids bare = ids_of(*cipher, {.check_bits = 0, .dress = Dress::crockford});
  const Ids ids = ids_of(*cipher, {.check_bits = 8, .dress = Dress::crockford});
  const auto guess = [&random](std::size_t size, std::size_t first) {
    std::string text(size, '1');
    // The first digit of 64 bits has 4 of them, that of 72 bits has 2.
    text[1] = kCrockford[random() % first];
    for (char& c : std::span{text}.subspan(2)) c = kCrockford[random() % 32];
    return text;
  };
  int passed = 0;
  constexpr int kGuesses = 20'000;
  for (int i = 0; i < kGuesses; ++i) {
    EXPECT_TRUE(bare.open(guess(bare.text_size(), 16)));
    const auto opened = ids.open(guess(ids.text_size(), 4));
    if (opened) {
      ++passed;
    } else {
      EXPECT_EQ(opened.error().fault(), Fault::not_sealed);
    }
  }
  // 78 are expected; five and a half standard deviations either way.
  EXPECT_GT(passed, 30);
  EXPECT_LT(passed, 127);
}

TEST(PublicId, CheckBitsCatchASlipAndAnotherSpace) {
  const auto cipher = aes();
  const Options options{.check_bits = 40, .dress = Dress::base58, .space = "orders"};
  const Ids ids = ids_of(*cipher, options);
  Options elsewhere = options;
  elsewhere.space = "users";
  const Ids others = ids_of(*cipher, elsewhere);
  for (std::uint64_t value = 0; value < 50; ++value) {
    const std::string text = seal(ids, value);
    EXPECT_EQ(others.open(text).error().fault(), Fault::not_sealed);
    for (std::size_t at = 2; at + 1 < text.size(); ++at) {
      std::string swapped = text;
      std::swap(swapped[at], swapped[at + 1]);
      if (swapped == text) continue;
      EXPECT_EQ(ids.open(swapped).error().fault(), Fault::not_sealed) << swapped;
    }
  }
}

TEST(PublicId, OneNumberLooksDifferentInEverySpace) {
  const auto cipher = aes();
  std::unordered_set<std::string> texts;
  for (const std::string_view space :
       {"", "orders", "users", "Orders", "orders ", "a name that is longer than one block"}) {
    EXPECT_TRUE(texts.insert(seal(ids_of(*cipher, {.space = space}), 42)).second) << space;
  }
}

TEST(PublicId, NumbersOfASmallDomainNeedCheckBits) {
  const auto cipher = aes();
  const std::array keys{Key{1, cipher.get()}};
  EXPECT_FALSE(Ids::make(keys, {.largest = 999'998}));
  EXPECT_FALSE(Ids::make(keys, {.largest = 9, .check_bits = 16}));
  const auto ids = Ids::make(keys, {.largest = 9, .check_bits = 17, .dress = Dress::decimal});
  ASSERT_TRUE(ids);
  for (std::uint64_t value = 0; value < 10; ++value) {
    EXPECT_EQ(ids->open(seal(*ids, value)), (Opened{value, 1}));
  }
  std::array<char, Ids::kMostText> out{};
  EXPECT_EQ(ids->seal(10, out).error().fault(), Fault::value_overflow);
  EXPECT_EQ(out[0], '\0');
}

TEST(PublicId, RefusesKeysThatMakeNoSense) {
  const auto cipher = aes();
  const auto refused = [](std::vector<Key> keys, const Options& options) {
    const auto made = Ids::make(keys, options);
    return !made && made.error().fault() == Fault::invalid_argument;
  };
  const Aes* key = cipher.get();
  EXPECT_TRUE(refused({}, {}));
  EXPECT_TRUE(refused({Key{0, key}}, {}));
  EXPECT_TRUE(refused({Key{32, key}}, {}));
  EXPECT_TRUE(refused({Key{1, nullptr}}, {}));
  EXPECT_TRUE(refused({Key{1, key}, Key{2, key}, Key{1, key}}, {}));
  EXPECT_TRUE(refused({Key{10, key}}, {.dress = Dress::decimal}));
  EXPECT_TRUE(refused({Key{1, key}}, {.check_bits = 65}));
  EXPECT_FALSE(refused({Key{31, key}, Key{9, key}}, {.check_bits = 64}));
}

TEST(PublicId, TheTextIsAsShortAsTheDomainAllows) {
  const auto cipher = aes();
  const auto size = [&](const Options& options) { return ids_of(*cipher, options).text_size(); };
  EXPECT_EQ(size({.dress = Dress::crockford}), 14U);
  EXPECT_EQ(size({.dress = Dress::base58}), 12U);
  EXPECT_EQ(size({.dress = Dress::base62}), 12U);
  EXPECT_EQ(size({.dress = Dress::decimal}), 21U);
  EXPECT_EQ(size({.check_bits = 16, .dress = Dress::base62}), 15U);
  EXPECT_EQ(size({.largest = 999'999'999, .dress = Dress::decimal}), 10U);
  EXPECT_EQ(size({.check_bits = 64, .dress = Dress::decimal}), Ids::kMostText);
}

}  // namespace
}  // namespace mintmark
