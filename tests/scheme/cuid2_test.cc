#include "mintmark/scheme/cuid2.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

constexpr Instant kNow = from_unix_ms(1'796'083'200'000);  // 2026-12-01

std::string text(const Cuid2& id) {
  std::string out(Cuid2::facts.text_size, '?');
  EXPECT_EQ(id.write(std::span{out}), out.size());
  return out;
}

std::string hash_of(std::string_view input, std::size_t size) {
  std::string out(size, '?');
  cuid2::write_hash(sha3_512(std::as_bytes(std::span{input})), out);
  return out;
}

TEST(Cuid2, GivesTheKnownAnswers) {
  vectors::check_all("cuid2", {{"cuid2hash40", [](const Line& line) {
                                  EXPECT_EQ(hash_of(line.text(), 40), line.expected);
                                }}});
}

/// Base 36 of a digest the plain way: one digit a division, one byte a step.
std::string slowly(std::array<std::byte, 64> digest) {
  std::string digits;
  while (std::ranges::any_of(digest, [](std::byte byte) { return byte != std::byte{0}; })) {
    unsigned rest = 0;
    for (std::byte& byte : digest) {
      rest = rest << 8 | static_cast<unsigned>(byte);
      byte = static_cast<std::byte>(rest / 36);
      rest %= 36;
    }
    digits.insert(digits.begin(), kBase36Lower[rest]);
  }
  return digits;
}

TEST(Cuid2Hash, IsTheNumberInBase36WithoutItsFirstDigit) {
  SeededEntropy entropy{test_seed()};
  std::unordered_set<std::size_t> lengths;
  for (unsigned round = 0; round < 500; ++round) {
    std::array<std::byte, 64> digest{};
    ASSERT_TRUE(entropy.fill(std::span{digest}.subspan(round % 5)));
    const std::string digits = slowly(digest);
    lengths.insert(digits.size());
    for (const std::size_t size : {1u, 24u, 32u, 40u, 80u}) {
      std::string out(size, '?');
      cuid2::write_hash(digest, out);
      ASSERT_EQ(out, digits.substr(1, size));
    }
  }
  EXPECT_GE(lengths.size(), 4u);
  const std::array<std::byte, 64> zeros{};
  std::string out(40, '?');
  cuid2::write_hash(zeros, out);
  EXPECT_EQ(out, std::string(40, '0'));
}

TEST(Cuid2, NamesEachWrongByteAtEachPosition) {
  for (std::size_t at = 0; at < 24; ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed(24, 'a');
      changed[at] = static_cast<char>(byte);
      const auto read = Cuid2::parse(changed);
      const bool letter = byte >= 'a' && byte <= 'z';
      const bool digit = byte >= '0' && byte <= '9' && at > 0;
      ASSERT_EQ(read.has_value(), letter || digit) << at << ' ' << byte;
      ASSERT_EQ(check_cuid2(changed).has_value(), read.has_value());
      if (read) {
        ASSERT_EQ(text(*read), changed);
      } else {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      }
    }
  }
  EXPECT_EQ(Cuid2::parse("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(Cuid2::parse(std::string(23, 'a')).error(), Error::at(Fault::wrong_length, 23));
  EXPECT_EQ(Cuid2::parse(std::string(25, 'a')).error(), Error::at(Fault::wrong_length, 24));
}

TEST(Cuid2, OtherLengthsAreOnlyChecked) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string all_letters(size, 'z');
    EXPECT_EQ(check_cuid2(all_letters).has_value(), size >= 2 && size <= 32) << size;
    EXPECT_EQ(Cuid2::parse(all_letters).has_value(), size == 24) << size;
  }
  EXPECT_EQ(check_cuid2("").error(), Error::at(Fault::wrong_length, 0));
  EXPECT_EQ(check_cuid2("a").error(), Error::at(Fault::wrong_length, 1));
  EXPECT_EQ(check_cuid2(std::string(33, 'a')).error(), Error::at(Fault::wrong_length, 32));
  EXPECT_EQ(check_cuid2("a0").has_value(), true);
  EXPECT_EQ(check_cuid2("0a").error(), Error::at(Fault::bad_character, 0));
  EXPECT_EQ(check_cuid2("aB").error(), Error::at(Fault::bad_character, 1));
  EXPECT_EQ(check_cuid2("ab\n").error(), Error::at(Fault::bad_character, 2));
}

TEST(Cuid2, PacksWhatFitsAndRefusesTheRest) {
  const Cuid2 largest = *Cuid2::parse(std::string(24, 'z'));
  const Cuid2::Fields most = largest.unpack();
  EXPECT_EQ(most.letter, 25);
  EXPECT_EQ(Cuid2::pack(most), largest);
  EXPECT_EQ(text(*Cuid2::pack({})), "a00000000000000000000000");
  EXPECT_EQ(Cuid2::pack({}), Cuid2{});
  EXPECT_EQ(Cuid2::pack({.letter = 26}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(Cuid2::pack({.hash = most.hash + 1}).error().fault(), Fault::value_overflow);
}

TEST(Cuid2, RefusesBytesThatNoTextStandsFor) {
  const auto read = [](U128 value) {
    std::array<std::byte, 16> bytes{};
    store_be(bytes, value);
    return Cuid2::from_bytes(bytes);
  };
  const U128 least = Cuid2{}.integer();
  const U128 most = Cuid2::parse(std::string(24, 'z'))->integer();
  EXPECT_TRUE(read(least));
  EXPECT_TRUE(read(most));
  for (const U128 wrong : {U128{0}, least - 1, most + 1, ~U128{0}}) {
    EXPECT_EQ(read(wrong).error(), Error::at(Fault::value_overflow, 0));
  }
  EXPECT_EQ(Cuid2::from_bytes({}).error(), Error::at(Fault::wrong_length, 0));
}

TEST(Cuid2, GoesThereAndBackAndSortsAlike) {
  SeededEntropy entropy{test_seed()};
  Cuid2::Generator generator{entropy};
  Cuid2 before;
  std::array<std::byte, 16> bytes_before{};
  for (int round = 0; round < 5000; ++round) {
    const Cuid2 id = *generator.next(kNow);
    ASSERT_TRUE(check_cuid2(text(id)));
    EXPECT_EQ(Cuid2::parse(text(id)), id);
    EXPECT_EQ(Cuid2::pack(id.unpack()), id);
    EXPECT_EQ(text(id).front(), 'a' + id.unpack().letter);
    std::array<std::byte, 16> bytes{};
    id.to_bytes(bytes);
    EXPECT_EQ(Cuid2::from_bytes(bytes), id);
    EXPECT_EQ(id < before, text(id) < text(before));
    EXPECT_EQ(id < before, bytes < bytes_before);
    before = id;
    bytes_before = bytes;
  }
}

std::string mixture(const cuid2::Ingredients& from) {
  std::string out(cuid2::longest_mixture(from.fingerprint.size()), '?');
  out.resize(cuid2::write_mixture(from, out));
  return out;
}

// paralleldrive/cuid2#25.
TEST(Cuid2, Cuid225JoinedDigitsNeverMakeTwoMixturesOne) {
  EXPECT_NE(mixture({.count = 1, .fingerprint = "23"}), mixture({.count = 12, .fingerprint = "3"}));
  EXPECT_NE(mixture({.time_ms = 37, .count = 1, .fingerprint = ""}),
            mixture({.time_ms = 1, .count = 37, .fingerprint = ""}));
  EXPECT_EQ(mixture({.time_ms = 36, .salt = 1, .count = 35, .fingerprint = "ab"}),
            "10.0000000000000000000000001.z.ab");
  const cuid2::Ingredients most{~std::uint64_t{0}, ~U128{0}, ~std::uint64_t{0}, "abc"};
  EXPECT_EQ(mixture(most).size(), cuid2::longest_mixture(3));
}

TEST(Cuid2Generator, IsTheHashOfWhatItSays) {
  constexpr std::uint64_t kSeed = 7;
  SeededEntropy entropy{kSeed};
  Cuid2::Generator generator{entropy};
  const Cuid2 first = *generator.next(kNow);
  const Cuid2 second = *generator.next(kNow + std::chrono::milliseconds{1});

  SeededEntropy again{kSeed};
  std::string fingerprint(25, '?');
  const std::uint64_t high = *again.word();
  write_fixed<kBase36Lower>(static_cast<U128>(high) << 64 | *again.word(), fingerprint);
  const auto start = static_cast<std::uint64_t>(
      static_cast<U128>(*again.word()) * Cuid2::Generator::kFirstCounts >> 64);
  EXPECT_LT(start, Cuid2::Generator::kFirstCounts);
  for (std::uint64_t i = 0; i < 2; ++i) {
    const std::uint64_t salt = *again.word();
    const std::string mixed = mixture({.time_ms = static_cast<std::uint64_t>(unix_ms(kNow)) + i,
                                       .salt = static_cast<U128>(salt) << 64 | *again.word(),
                                       .count = start + i,
                                       .fingerprint = fingerprint});
    EXPECT_LT(mixed.size(), 72u) << "one block of SHA3-512";
    const auto letter = static_cast<std::size_t>(static_cast<U128>(*again.word()) * 26 >> 64);
    EXPECT_EQ(text(i == 0 ? first : second),
              kBase36Lower[10 + letter] + hash_of(mixed, 24).substr(1));
  }
}

TEST(Cuid2Generator, WithoutRandomBitsTheCounterAndTheTimeStillTell) {
  ConstantEntropy zeros{std::byte{0}};
  Cuid2::Generator generator{zeros};
  std::vector<Cuid2> ids(1000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  const std::unordered_set<Cuid2> distinct{ids.begin(), ids.end()};
  EXPECT_EQ(distinct.size(), ids.size());
  Cuid2::Generator earlier{zeros};
  Cuid2::Generator later{zeros};
  EXPECT_NE(earlier.next(kNow), later.next(kNow + std::chrono::milliseconds{1}));
}

TEST(Cuid2Generator, TwoWithOneCounterStayApartByTheirRandomBits) {
  SeededEntropy entropy{test_seed()};
  Cuid2::Generator one{entropy};
  Cuid2::Generator other{entropy};
  std::unordered_set<Cuid2> seen;
  for (int i = 0; i < 1000; ++i) {
    seen.insert(*one.next(kNow));
    seen.insert(*other.next(kNow));
  }
  EXPECT_EQ(seen.size(), 2000u);
}

TEST(Cuid2Generator, TakesAnyTime) {
  SeededEntropy entropy{test_seed()};
  Cuid2::Generator generator{entropy};
  for (const Instant time : {Instant{}, Instant::min(), Instant::max(), Instant{Duration{-1}}}) {
    EXPECT_TRUE(generator.next(time));
  }
}

TEST(Cuid2Generator, UsesEveryLetterAndEveryDigit) {
  SeededEntropy entropy{20261201};
  Cuid2::Generator generator{entropy};
  std::vector<Cuid2> ids(20'000);
  ASSERT_EQ(generator.fill(ids, kNow), ids.size());
  std::array<std::array<unsigned, 36>, 24> counts{};
  for (const Cuid2& id : ids) {
    const std::string spelled = text(id);
    for (std::size_t at = 0; at < spelled.size(); ++at) {
      ++counts[at][kBase36Lower.value_of(spelled[at])];
    }
  }
  for (std::size_t at = 0; at < counts.size(); ++at) {
    const double expected = 20'000.0 / (at == 0 ? 26 : 36);
    double sum = 0;
    for (std::size_t digit = at == 0 ? 10 : 0; digit < 36; ++digit) {
      const double off = counts[at][digit] - expected;
      sum += off * off / expected;
    }
    // One in a million fair sources exceeds this with 35 degrees of freedom; the seed is fixed.
    EXPECT_LT(sum, 88.2) << at;
  }
}

TEST(Cuid2Generator, MakesTextOfOtherLengths) {
  SeededEntropy entropy{test_seed()};
  Cuid2::Generator generator{entropy};
  for (std::size_t size = 2; size <= 32; ++size) {
    std::string out(size, '?');
    ASSERT_TRUE(generator.write_text(out, kNow));
    EXPECT_TRUE(check_cuid2(out)) << out;
  }
  for (const std::size_t size : {0u, 1u, 33u, 100u}) {
    std::string out(size, '?');
    EXPECT_EQ(generator.write_text(out, kNow).error(),
              Error::at(Fault::wrong_length, std::min<std::size_t>(size, 32)));
    EXPECT_EQ(out, std::string(size, '?'));
  }
}

TEST(Cuid2Generator, SaysWhenTheEntropyFails) {
  BreakableEntropy entropy{test_seed()};
  Cuid2::Generator generator{entropy};
  std::vector<Cuid2> ids(200);
  std::string out(24, '?');
  entropy.broken = true;
  EXPECT_EQ(generator.next(kNow).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.write_text(out, kNow).error().fault(), Fault::entropy_unavailable);
  entropy.broken = false;
  entropy.calls_until_broken = 3;  // the start and two batches
  EXPECT_EQ(generator.fill(ids, kNow), 128u);
  EXPECT_NE(ids[127], Cuid2{});
  EXPECT_EQ(ids[128], Cuid2{});
  EXPECT_EQ(generator.fill(ids, kNow).error().fault(), Fault::entropy_unavailable);
}

static_assert(!std::is_copy_constructible_v<Cuid2::Generator> &&
              !std::is_move_constructible_v<Cuid2::Generator> &&
              !std::is_copy_assignable_v<Cuid2::Generator>);

}  // namespace
}  // namespace mintmark
