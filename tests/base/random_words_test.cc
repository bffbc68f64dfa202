#include "mintmark/base/random_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <new>

#include <gtest/gtest.h>

namespace mintmark {
namespace {

TEST(RandomWords, AreThoseOfTheSource) {
  SeededEntropy entropy{7};
  SeededEntropy same{7};
  RandomWords<4> words;
  ASSERT_TRUE(words.draw(entropy, 3));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(words[i], *same.word());
}

TEST(RandomWords, AreErasedWhenTheyGoOutOfScope) {
  SeededEntropy entropy{7};
  const std::uint64_t first = *SeededEntropy{7}.word();
  alignas(RandomWords<8>) std::array<std::byte, sizeof(RandomWords<8>)> memory{};
  auto* words = new (memory.data()) RandomWords<8>;
  ASSERT_TRUE(words->draw(entropy, 8));
  const auto holds_first = [&] {
    const auto* bytes = reinterpret_cast<const std::byte*>(&first);
    return std::ranges::search(memory, std::span{bytes, sizeof first}).size() > 0;
  };
  EXPECT_TRUE(holds_first());
  words->~RandomWords<8>();
  asm volatile("" : : "r"(memory.data()) : "memory");
  EXPECT_FALSE(holds_first());
  const auto words_part = std::span{memory}.first(8 * sizeof(std::uint64_t));
  EXPECT_TRUE(std::ranges::all_of(words_part, [](std::byte byte) { return byte == std::byte{0}; }));
}

TEST(RandomWords, SayWhenTheSourceFails) {
  class Broken final : public Entropy {
    Result<void> fill(std::span<std::byte>) override { return fail(Fault::entropy_unavailable); }
  } broken;
  RandomWords<2> words;
  EXPECT_EQ(words.draw(broken, 2).error().fault(), Fault::entropy_unavailable);
}

}  // namespace
}  // namespace mintmark
