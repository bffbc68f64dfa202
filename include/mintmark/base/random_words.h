// Random words on the stack: drawn for many IDs at once, and erased when they are spent.
//
// Why erased: a random word that went into an ID and stays in memory is a secret that a core dump, a forked
// child or a later reader of the stack may find. The compiler may drop an ordinary write to memory that
// dies; it may not drop this one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"

namespace mintmark {

/// Up to N random words. One thread at a time. Pinned: a copy would be a second place to erase.
template <std::size_t N>
class RandomWords {
 public:
  RandomWords() {}  // NOLINT: the words stay uninitialised until they are drawn
  RandomWords(const RandomWords&) = delete;
  RandomWords& operator=(const RandomWords&) = delete;
  ~RandomWords() {
    std::memset(words_.data(), 0, sizeof words_);
    asm volatile("" : : "r"(words_.data()) : "memory");
  }

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

}  // namespace mintmark
