// Sources of random bytes for tests of what generators do with them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"

namespace mintmark {

/// The same byte for ever: all ones shows an overflow, all zeros a smallest step.
class ConstantEntropy final : public Entropy {
 public:
  explicit ConstantEntropy(std::byte byte) : byte_(byte) {}

  [[nodiscard]] Result<void> fill(std::span<std::byte> out) override {
    std::ranges::fill(out, byte_);
    return {};
  }

 private:
  std::byte byte_;
};

/// SeededEntropy that counts its calls, and fails while `broken`.
class BreakableEntropy final : public Entropy {
 public:
  explicit BreakableEntropy(std::uint64_t seed) : entropy_(seed) {}

  bool broken = false;
  std::size_t calls_until_broken = static_cast<std::size_t>(-1);
  std::size_t calls = 0;

  [[nodiscard]] Result<void> fill(std::span<std::byte> out) override {
    if (broken || calls >= calls_until_broken) return fail(Fault::entropy_unavailable);
    ++calls;
    return entropy_.fill(out);
  }

 private:
  SeededEntropy entropy_;
};

}  // namespace mintmark
