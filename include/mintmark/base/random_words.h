// Random words on the stack: drawn for many IDs at once, and erased when they are spent.
//
// Why erased: a random word that went into an ID and stays in memory is a secret (erase.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mintmark/base/entropy.h"
#include "mintmark/base/erase.h"
#include "mintmark/base/error.h"

namespace mintmark {

/// Up to N random words. One thread at a time. Pinned: a copy would be a second place to erase.
template <std::size_t N>
class RandomWords {
 public:
  RandomWords() {}  // NOLINT: the words stay uninitialised until they are drawn
  RandomWords(const RandomWords&) = delete;
  RandomWords& operator=(const RandomWords&) = delete;
  ~RandomWords() { erase(std::as_writable_bytes(std::span{words_})); }

  /// Draws the first `count` words in one call. REQUIRES: count <= N. Errors: EntropyUnavailable.
  [[nodiscard]] Result<void> draw(Entropy& entropy, std::size_t count) {
    MINTMARK_CHECK(count <= N);
    return entropy.fill(std::as_writable_bytes(std::span{words_}.first(count)));
  }

  /// REQUIRES: index < the count that was drawn.
  [[nodiscard]] std::uint64_t operator[](std::size_t index) const { return words_[index]; }

 private:
  std::array<std::uint64_t, N> words_;
};

/// Fills `out` with what make(words, first) makes of kWords random words each, of which `first` is the
/// index; the entropy is asked once for 64 of them, 1 KiB of stack for two words each. Returns the size of
/// `out`, or fewer if the entropy fails in between; then the rest is untouched. Errors: EntropyUnavailable,
/// only if none was made.
template <std::size_t kWords, class T, class Make>
[[nodiscard]] Result<std::size_t> fill_from_words(Entropy& entropy, std::span<T> out, Make&& make) {
  constexpr std::size_t kBatch = 64;
  RandomWords<kWords * kBatch> words;
  std::size_t made = 0;
  while (made < out.size()) {
    const std::size_t count = std::min(out.size() - made, kBatch);
    if (const auto drawn = words.draw(entropy, kWords * count); !drawn) {
      if (made == 0) return fail(drawn.error());
      break;
    }
    for (std::size_t i = 0; i < count; ++i) out[made + i] = make(words, kWords * i);
    made += count;
  }
  return made;
}

}  // namespace mintmark
