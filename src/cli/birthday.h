// The birthday problem: how likely two of many random values are the same, and how many make it so likely.
//
// Exact, and in logarithms: neither the chance of two equal among ten UUIDv4 (1e-35) nor that of all
// distinct among 2^70 may come out as 0 or 1, and no approximation for small numbers is used where the
// numbers are not small. Pure.
#pragma once

#include <optional>

namespace mintmark::cli {

/// How many values there are, all equally likely.
class ValueSpace {
 public:
  /// 2^bits values. REQUIRES: 0 < bits <= 2040.
  [[nodiscard]] static ValueSpace of_bits(double bits);
  /// Texts of `size` characters of an alphabet of so many. REQUIRES: alphabet >= 2, size >= 1, and not
  /// more than 2^2040 texts.
  [[nodiscard]] static ValueSpace of_text(double alphabet, double size);

  /// Infinite above 2^1023.
  [[nodiscard]] double count() const { return count_; }
  /// The natural logarithm of the number of values.
  [[nodiscard]] double log() const { return log_; }
  [[nodiscard]] double bits() const;
  static constexpr double kMostBits = 2040;

 private:
  ValueSpace(double count, double log) : count_(count), log_(log) {}
  double count_;
  double log_;
};

/// A chance as its natural logarithm, so that it never becomes 0 by rounding.
class Chance {
 public:
  /// From the logarithm of a hazard h: the chance is 1 - exp(-h).
  [[nodiscard]] static Chance of_log_hazard(double log_hazard);

  /// 0 where a double cannot hold it: see log10.
  [[nodiscard]] double value() const;
  [[nodiscard]] double log10() const;

 private:
  explicit Chance(double log) : log_(log) {}
  double log_;
};

/// The logarithm of the hazard of `ids` values drawn from the space: the chance that all are distinct is
/// exp(-hazard). Minus infinity for fewer than two; plus infinity for more than there are values.
/// REQUIRES: a whole number.
[[nodiscard]] double log_hazard(double ids, const ValueSpace& space);

/// The same for a number of values that is itself random: as many as arrivals in a tick of the clock that
/// know nothing of one another (Poisson), `mean` of them on average. Exact.
[[nodiscard]] double log_hazard_of_mean(double mean, const ValueSpace& space);

/// The fewest values among which two are the same with at least this chance; exact below 2^53.
/// REQUIRES: 0 < chance < 1.
[[nodiscard]] double ids_for(double chance, const ValueSpace& space);

/// How many ticks it takes until a chance is reached, if each has `mean` values on average. It may be a
/// fraction. REQUIRES: 0 < chance < 1, mean > 0.
[[nodiscard]] double ticks_for(double chance, double mean, const ValueSpace& space);

}  // namespace mintmark::cli
