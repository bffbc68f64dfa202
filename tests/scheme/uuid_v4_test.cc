#include "mintmark/scheme/uuid_v4.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/text/slice.h"
#include "tests/known_entropy.h"
#include "tests/seed.h"
#include "tests/vectors.h"

namespace mintmark {
namespace {

using vectors::Line;

std::string text(const UuidV4& id) {
  std::string out(UuidV4::facts.text_size, '?');
  id.write(std::span{out});
  return out;
}

TEST(UuidV4, GivesTheKnownAnswers) {
  vectors::check_all("uuid",
                     {{"v4bytes",
                       [](const Line& line) {
                         std::array<std::byte, 16> bytes{};
                         ASSERT_TRUE(parse_hex(line.input, bytes));
                         const auto id = UuidV4::from_random(
                             load_be<std::uint64_t>(bytes),
                             load_be<std::uint64_t>(std::span<const std::byte>{bytes}.subspan(8)));
                         EXPECT_EQ(text(id), line.expected);
                         EXPECT_EQ(UuidV4::parse(line.expected), id);
                       }}},
                     {"v1", "v3", "v5", "v6", "v7", "v7seq32", "v8sha256", "v8time10ns",
                      "submsfrac", "uuidint", "uuidversion", "uuidvariant"});
}

TEST(UuidV4, RefusesEveryOtherVersionAndVariant) {
  for (std::size_t digit = 0; digit < 16; ++digit) {
    std::string version = "f47ac10b-58cc-0372-8567-0e02b2c3d479";
    version[14] = kHexLower[digit];
    EXPECT_EQ(UuidV4::parse(version).has_value(), digit == 4);
    std::string variant = "f47ac10b-58cc-4372-0567-0e02b2c3d479";
    variant[19] = kHexLower[digit];
    EXPECT_EQ(UuidV4::parse(variant).has_value(), digit >= 8 && digit < 12);
    const auto uuid = Uuid::parse(version);
    ASSERT_TRUE(uuid);
    EXPECT_EQ(UuidV4::from_uuid(*uuid).has_value(), digit == 4);
    EXPECT_EQ(UuidV4::from_bytes(uuid->bytes()).has_value(), digit == 4);
  }
  EXPECT_EQ(UuidV4::parse("f47ac10b-58cc-7372-8567-0e02b2c3d479").error(),
            Error::at(Fault::wrong_version, 14));
}

TEST(UuidV4, PacksWhatFitsAndRefusesTheRest) {
  const UuidV4::Fields most{low_bits(48), 0xfff, low_bits(62)};
  EXPECT_EQ(text(*UuidV4::pack(most)), "ffffffff-ffff-4fff-bfff-ffffffffffff");
  EXPECT_EQ(UuidV4::pack(most)->unpack(), most);
  EXPECT_EQ(text(*UuidV4::pack({})), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(*UuidV4::pack({}), UuidV4{});
  EXPECT_EQ(UuidV4::pack({.random_a = low_bits(48) + 1}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV4::pack({.random_b = 0x1000}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(UuidV4::pack({.random_c = low_bits(62) + 1}).error().fault(), Fault::value_overflow);
}

TEST(UuidV4, EveryRandomBitReachesTheIdAndNoOther) {
  SeededEntropy entropy{test_seed()};
  UuidV4::Generator generator{entropy};
  std::vector<UuidV4> ids(4096);
  ASSERT_EQ(generator.fill(ids), ids.size());
  std::array<unsigned, 128> ones{};
  for (const UuidV4& id : ids) {
    ASSERT_TRUE(UuidV4::from_uuid(id));
    const U128 value = id.uuid().integer();
    for (unsigned bit = 0; bit < 128; ++bit) ones[bit] += static_cast<unsigned>(value >> bit) & 1;
  }
  unsigned fixed = 0;
  for (const unsigned count : ones) {
    if (count == 0 || count == ids.size()) {
      ++fixed;
    } else {
      // Half of 4096 within 10 standard deviations of 32.
      EXPECT_GT(count, 2048u - 320);
      EXPECT_LT(count, 2048u + 320);
    }
  }
  EXPECT_EQ(fixed, 128 - UuidV4::facts.random_bits);
}

TEST(UuidV4, NeverRepeatsAcrossNextAndFill) {
  SeededEntropy entropy{test_seed()};
  UuidV4::Generator generator{entropy};
  std::unordered_set<UuidV4> seen;
  std::size_t made = 0;
  for (const std::size_t size : {1u, 63u, 64u, 65u, 1000u, 0u}) {
    std::vector<UuidV4> ids(size);
    ASSERT_EQ(generator.fill(ids), size);
    seen.insert(ids.begin(), ids.end());
    seen.insert(*generator.next());
    made += size + 1;
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(UuidV4, DrawsForManyIdsAtOnce) {
  BreakableEntropy entropy{test_seed()};
  UuidV4::Generator generator{entropy};
  std::vector<UuidV4> ids(640);
  ASSERT_EQ(generator.fill(ids), ids.size());
  EXPECT_EQ(entropy.calls, 10u);
}

TEST(UuidV4, SaysWhenTheEntropyFails) {
  BreakableEntropy entropy{test_seed()};
  UuidV4::Generator generator{entropy};
  std::vector<UuidV4> ids(200);
  entropy.calls_until_broken = 2;
  EXPECT_EQ(generator.fill(ids), 128u);
  EXPECT_NE(ids[127], UuidV4{});
  EXPECT_EQ(ids[128], UuidV4{});
  EXPECT_EQ(generator.fill(ids).error().fault(), Fault::entropy_unavailable);
  EXPECT_EQ(generator.next().error().fault(), Fault::entropy_unavailable);
}

static_assert(!std::is_copy_constructible_v<UuidV4::Generator> &&
              !std::is_move_constructible_v<UuidV4::Generator> &&
              !std::is_copy_assignable_v<UuidV4::Generator>);
static_assert(std::is_convertible_v<UuidV4, Uuid> && !std::is_convertible_v<Uuid, UuidV4>);

}  // namespace
}  // namespace mintmark
