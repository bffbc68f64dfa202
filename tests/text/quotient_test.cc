#include "mintmark/text/quotient.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "mintmark/text/radix.h"
#include "tests/seed.h"

namespace mintmark::quotient {
namespace {

U128 random_value(Entropy& entropy) {
  const U128 value = static_cast<U128>(*entropy.word()) << 64 | *entropy.word();
  return value >> (*entropy.word() % 128);  // of every length
}

template <std::uint64_t kDivisor>
void expect_quotient(U128 value) {
  const Parts parts = divide<kDivisor>(value);
  ASSERT_TRUE(parts.quotient == value / kDivisor && parts.rest == value % kDivisor)
      << static_cast<std::uint64_t>(value >> 64) << ' ' << static_cast<std::uint64_t>(value)
      << " by " << kDivisor;
}

template <std::uint64_t kDivisor>
void expect_quotients() {
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 20'000; ++i) expect_quotient<kDivisor>(random_value(entropy));
  // Around multiples, where a guess that is off by one shows.
  for (int i = 0; i < 20'000; ++i) {
    const U128 multiple = random_value(entropy) / kDivisor * kDivisor;
    expect_quotient<kDivisor>(multiple);
    expect_quotient<kDivisor>(multiple - 1);
    expect_quotient<kDivisor>(multiple + 1);
    expect_quotient<kDivisor>(multiple + (kDivisor - 1));
  }
  expect_quotient<kDivisor>(0);
  expect_quotient<kDivisor>(std::numeric_limits<U128>::max());
}

TEST(Quotient, DividesAsTheLanguageDoes) {
  expect_quotients<2>();
  expect_quotients<3>();
  expect_quotients<10>();
  expect_quotients<std::uint64_t{1} << 63>();
  expect_quotients<(std::uint64_t{1} << 63) + 1>();
  expect_quotients<std::numeric_limits<std::uint64_t>::max()>();
  expect_quotients<radix::kPowers<kBase62DigitUpperLower>[10]>();
  expect_quotients<radix::kPowers<kBase58Bitcoin>[10]>();
  expect_quotients<radix::kPowers<kBase36Lower>[12]>();
  expect_quotients<radix::kPowers<kDecimal>[19]>();
}

/// A whole limb from the front, against the same digits by division.
template <const Alphabet& A>
void expect_limb(std::uint64_t value) {
  constexpr std::size_t kSize = radix::kLimb<A>;
  std::string expected(kSize, '?');
  radix::write_back<A>(value, kSize, expected.data() + kSize);
  std::string written(kSize, '?');
  radix::write_limb<A>(value, written.data());
  ASSERT_EQ(written, expected) << value;
}

template <const Alphabet& A>
void expect_limbs() {
  static_assert(radix::LimbFraction<A>::kExact);
  constexpr std::uint64_t kEnd = radix::kPowers<A>[radix::kLimb<A>];
  SeededEntropy entropy{test_seed()};
  for (int i = 0; i < 50'000; ++i) {
    expect_limb<A>((*entropy.word() >> (*entropy.word() % 64)) % kEnd);
    expect_limb<A>(kEnd - 1 - *entropy.word() % 100'000);
  }
  // Just below and at every power: there a fraction that is too small or too large loses a digit.
  for (const std::uint64_t power : radix::kPowers<A>) {
    for (std::uint64_t factor = 1; factor <= A.size() && power <= (kEnd - 1) / factor; ++factor) {
      expect_limb<A>(power * factor - 1);
      expect_limb<A>(power * factor);
    }
  }
}

TEST(Quotient, GivesTheDigitsOfALimbFromTheFront) {
  expect_limbs<kBase62DigitUpperLower>();
  expect_limbs<kBase62LowerUpperDigit>();
  expect_limbs<kBase58Bitcoin>();
  expect_limbs<kBase36Lower>();
}

// Nineteen decimal digits leave no room for the error of the fraction: they are divided.
static_assert(!radix::LimbFraction<kDecimal>::kExact);

}  // namespace
}  // namespace mintmark::quotient
