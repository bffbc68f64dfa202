// The seed of a random test: printed each time, and taken from MINTMARK_SEED to see a failure again.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include <gtest/gtest.h>

namespace mintmark {

/// The same number for the whole run of a program.
inline std::uint64_t test_seed() {
  static const std::uint64_t seed = [] {
    const char* given = std::getenv("MINTMARK_SEED");
    const std::uint64_t value =
        given != nullptr ? std::stoull(given)
                         : static_cast<std::uint64_t>(
                               std::chrono::steady_clock::now().time_since_epoch().count());
    std::cout << "MINTMARK_SEED=" << value << '\n';
    return value;
  }();
  return seed;
}

}  // namespace mintmark
