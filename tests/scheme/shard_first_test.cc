#include "mintmark/scheme/shard_first.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/base/entropy.h"
#include "seed.h"

namespace mintmark {
namespace {

std::string text(const ShardFirst& id) {
  std::string out(ShardFirst::facts.text_size, '?');
  out.resize(id.write(out));
  return out;
}

TEST(ShardFirst, GoesFromTheCounterAndBack) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 5'000; ++round) {
    const std::uint64_t counter = *entropy.word() >> 6;
    const ShardFirst id = *ShardFirst::of_counter(counter);
    ASSERT_EQ(id.unpack().counter, counter);
    ASSERT_TRUE(id.shard_follows_counter());
    ASSERT_EQ(ShardFirst::pack(id.unpack()), id);
    ASSERT_EQ(ShardFirst::parse(text(id)), id);
    std::array<std::byte, 8> bytes{};
    id.to_bytes(bytes);
    ASSERT_EQ(ShardFirst::from_bytes(bytes), id);
    const ShardFirst::Fields foreign{(id.unpack().shard + 1) % 32, counter};
    ASSERT_FALSE(ShardFirst::pack(foreign)->shard_follows_counter());
  }
}

TEST(ShardFirst, EveryWidthIsABijection) {
  for (unsigned bits = 1; bits <= ShardLayout::kMostBits; ++bits) {
    const ShardLayout layout = *ShardLayout::make(bits);
    EXPECT_EQ(layout.counter_bits() + layout.shard_bits(), 63u);
    for (const std::uint64_t start : {std::uint64_t{0}, layout.last_counter() - 999}) {
      for (std::uint64_t counter = start; counter < start + 1'000; ++counter) {
        const auto id = layout.id_of(counter);
        ASSERT_TRUE(id.has_value());
        ASSERT_LT(*id, std::uint64_t{1} << 63);
        ASSERT_EQ(layout.counter_in(*id), counter);
        ASSERT_EQ(layout.shard_in(*id), layout.shard_of(counter));
      }
    }
    EXPECT_EQ(layout.id_of(layout.last_counter() + 1).error().fault(), Fault::value_overflow);
  }
  EXPECT_EQ(ShardLayout::make(0).error().fault(), Fault::bad_layout);
  EXPECT_EQ(ShardLayout::make(16).error().fault(), Fault::bad_layout);
  EXPECT_EQ(ShardFirstOf<15>::of_counter(7)->unpack().counter, 7u);
}

TEST(ShardFirst, RefusesWhatDoesNotFit) {
  EXPECT_EQ(ShardFirst::pack({.shard = 32}).error().fault(), Fault::value_overflow);
  EXPECT_EQ(ShardFirst::pack({.counter = std::uint64_t{1} << 58}).error().fault(),
            Fault::value_overflow);
  EXPECT_EQ(ShardFirst::pack({31, low_bits(58)})->value(), low_bits(63));
  EXPECT_EQ(ShardFirst::of_counter(low_bits(58) + 1).error().fault(), Fault::value_overflow);
  EXPECT_EQ(ShardFirst::parse("9223372036854775808").error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(ShardFirst::parse("").error(), Error::at(Fault::wrong_length, 0));
  const std::array<std::byte, 8> negative{std::byte{0x80}};
  EXPECT_EQ(ShardFirst::from_bytes(negative).error(), Error::at(Fault::value_overflow, 0));
  EXPECT_EQ(ShardFirst::from_bytes({}).error(), Error::at(Fault::wrong_length, 0));
}

TEST(ShardFirst, NamesEachWrongByteAtEachPosition) {
  const std::string right = "5476377146882523137";
  for (std::size_t at = 0; at < right.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = right;
      changed[at] = static_cast<char>(byte);
      const auto read = ShardFirst::parse(changed);
      if (byte < '0' || byte > '9') {
        ASSERT_EQ(read.error(), Error::at(Fault::bad_character, at)) << byte;
      } else if (at == 0 && byte == '0') {
        ASSERT_EQ(read.error(), Error::at(Fault::not_canonical, 0));
      } else if (at == 0 && byte == '9') {
        ASSERT_EQ(read.error(), Error::at(Fault::value_overflow, 0));  // 94...: above 2^63
      } else {
        ASSERT_EQ(text(*read), changed);
      }
    }
  }
}

/// How many of `count` counters fall into the emptiest and the fullest shard.
std::pair<unsigned, unsigned> spread(std::uint64_t start, std::uint64_t step, unsigned count) {
  std::vector<unsigned> shards(32);
  for (unsigned i = 0; i < count; ++i) {
    ++shards[ShardFirst::of_counter(start + i * step)->unpack().shard];
  }
  const auto [least, most] = std::ranges::minmax(shards);
  return {least, most};
}

TEST(ShardFirst, ConsecutiveCountersFillAllShardsEvenly) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 500; ++round) {
    const auto [least, most] = spread(*entropy.word() >> 7, 1, 1'000);
    ASSERT_GE(least, 30u);
    ASSERT_LE(most, 32u);
  }
}

TEST(ShardFirst, BlocksThatGoOnInStepAreSpreadAsWell) {
  // The first counters of blocks of the usual sizes: 100 a shard if it were perfect, and no worse than
  // chance, whose standard deviation is 10.
  for (const std::uint64_t step : {1'000u, 2'000u, 4'000u, 1'000'000u, 10'000'000u, 1u << 20}) {
    const auto [least, most] = spread(1, step, 3'200);
    EXPECT_GE(least, 75u) << step;
    EXPECT_LE(most, 125u) << step;
  }
}

TEST(ShardFirst, KeepsTheOrderInsideAShard) {
  std::array<std::uint64_t, 32> last{};
  for (std::uint64_t counter = 1; counter < 10'000; ++counter) {
    const ShardFirst id = *ShardFirst::of_counter(counter);
    ASSERT_GT(id.value(), last[id.unpack().shard]);
    last[id.unpack().shard] = id.value();
  }
}

TEST(ShardFirst, HashesByItsValue) {
  std::unordered_set<ShardFirst> ids;
  for (std::uint64_t i = 0; i < 1'000; ++i) ids.insert(*ShardFirst::of_counter(i));
  EXPECT_EQ(ids.size(), 1'000u);
}

}  // namespace
}  // namespace mintmark
