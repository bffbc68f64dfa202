// Times in buckets whose width grows with the value, so that a run of any length takes 60 KiB.
//
// A value is known to one part in 256 (0.4 %), far below what two runs differ by.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace mintmark::bench {

/// Counts of nanoseconds. One thread at a time.
class Histogram {
 public:
  void add(std::uint64_t ns) {
    ++buckets_[index_of(ns)];
    ++count_;
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// The lower end of the bucket in which `share` (0 to 1) of the values have been reached, in ns;
  /// 0 when there are none.
  [[nodiscard]] std::uint64_t percentile(double share) const {
    const double wanted = share * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen > 0 && static_cast<double>(seen) >= wanted) return lower_end(i);
    }
    return 0;
  }

 private:
  // Below 2^9 every value has its own bucket; each doubling above shares 2^8 buckets.
  static constexpr unsigned kBits = 8;
  static constexpr unsigned kLargestBit = 36;  // 2^37 ns = 137 s; longer counts as that

  static constexpr std::size_t index_of(std::uint64_t ns) {
    const unsigned width = static_cast<unsigned>(std::bit_width(ns));
    if (width <= kBits + 1) return static_cast<std::size_t>(ns);
    if (width > kLargestBit + 1) return kBuckets - 1;
    const unsigned shift = width - kBits - 1;
    return (std::size_t{shift} << kBits) + static_cast<std::size_t>(ns >> shift);
  }

  static constexpr std::uint64_t lower_end(std::size_t index) {
    if (index < (std::size_t{2} << kBits)) return index;
    const std::size_t shift = (index >> kBits) - 1;
    return static_cast<std::uint64_t>(index - (shift << kBits)) << shift;
  }

  static constexpr std::size_t kBuckets = std::size_t{kLargestBit - kBits + 2} << kBits;
  static_assert(kBuckets * sizeof(std::uint64_t) == 61440);

  std::array<std::uint64_t, kBuckets> buckets_{};
  std::uint64_t count_ = 0;
};

}  // namespace mintmark::bench
