#include "cli/leaked.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace mintmark::cli {
namespace {

double seconds_between(Instant from, Instant to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

std::optional<Pace> pace_between(const Sighting& a, const Sighting& b) {
  const Sighting& first = a.time <= b.time ? a : b;
  const Sighting& last = a.time <= b.time ? b : a;
  const double seconds = seconds_between(first.time, last.time);
  if (seconds <= 0 || last.number <= first.number) return std::nullopt;
  Pace pace{.per_second = (last.number - first.number) / seconds, .began = std::nullopt};
  const double before = first.number / pace.per_second;
  // An Instant reaches back to 27,000 BC; whoever counts that slowly has no beginning to speak of.
  constexpr double kLongest = 1e11;
  if (before < kLongest) {
    pace.began = first.time - std::chrono::seconds{static_cast<std::int64_t>(before)};
  }
  return pace;
}

double count_at(const Sighting& last, const Pace& pace, Instant time) {
  return last.number + pace.per_second * std::max(seconds_between(last.time, time), 0.0);
}

TankEstimate estimate_tanks(std::span<const double> numbers) {
  const double largest = std::ranges::max(numbers);
  const auto seen = static_cast<double>(numbers.size());
  // P(largest <= m) = (m / N)^k for m small against N: at N = m / 0.05^(1/k) it is 5 %.
  return {.least = largest,
          .estimate = largest + largest / seen - 1,
          .most = largest / std::pow(0.05, 1 / seen)};
}

}  // namespace mintmark::cli
