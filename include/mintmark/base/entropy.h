// Entropy: the interface through which every generator gets its random bits.
//
// Why an argument: a generator that reaches for a random source by itself can be neither tested nor
// reproduced, and hides the one input that its uniqueness rests on. The system's source is
// io::os_entropy(), a fork-wiped pool; tests bring bytes that they know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "mintmark/base/error.h"

namespace mintmark {

/// A source of random bytes. Whether threads may share one is said by each implementation.
class Entropy {
 public:
  Entropy() = default;
  Entropy(const Entropy&) = delete;
  Entropy& operator=(const Entropy&) = delete;
  virtual ~Entropy() = default;

  /// Fills all of `out`, or fails with EntropyUnavailable and promises nothing about its bytes.
  [[nodiscard]] virtual Result<void> fill(std::span<std::byte> out) = 0;

  /// One random word.
  [[nodiscard]] Result<std::uint64_t> word() {
    std::uint64_t value = 0;
    if (auto filled = fill(std::as_writable_bytes(std::span{&value, 1})); !filled) {
      return fail(filled.error());
    }
    return value;
  }
};

/// For tests and for reproducible output only: a fixed sequence (SplitMix64, Steele et al. 2014).
/// Whoever knows the seed knows every ID. One thread at a time.
class SeededEntropy final : public Entropy {
 public:
  explicit SeededEntropy(std::uint64_t seed) : state_(seed) {}

  [[nodiscard]] Result<void> fill(std::span<std::byte> out) override {
    while (!out.empty()) {
      const std::uint64_t word = step();
      const std::size_t size = out.size() < sizeof word ? out.size() : sizeof word;
      std::memcpy(out.data(), &word, size);
      out = out.subspan(size);
    }
    return {};
  }

 private:
  std::uint64_t step() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace mintmark
