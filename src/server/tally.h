// Tallies: how much was served, for INFO. One thread writes each, all may read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "mintmark/base/time.h"

namespace mintmark::server {

/// A number with one writer: a plain add, no locked instruction.
class Count {
 public:
  void add(std::uint64_t more) { value_.store(get() + more, std::memory_order_relaxed); }
  void sub(std::uint64_t less) { value_.store(get() - less, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// Of one thread, on cache lines of its own.
struct alignas(128) Tally {
  Count accepted;  ///< connections since the start
  Count open;      ///< connections now
  Count requests;
  Count ids;
  Count refusals;  ///< requests for IDs that were answered with an error
};

/// Of all threads.
class Tallies {
 public:
  Tallies(unsigned threads, Instant started, std::string version)
      : size_(threads),
        tallies_(std::make_unique<Tally[]>(threads)),
        started_(started),
        version_(std::move(version)) {}

  [[nodiscard]] Tally& of(unsigned thread) { return tallies_[thread]; }
  [[nodiscard]] unsigned threads() const { return size_; }
  [[nodiscard]] Instant started() const { return started_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] std::uint64_t sum(Count Tally::*count) const {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < size_; ++i) sum += (tallies_[i].*count).get();
    return sum;
  }

 private:
  unsigned size_;
  std::unique_ptr<Tally[]> tallies_;
  Instant started_;
  std::string version_;
};

}  // namespace mintmark::server
