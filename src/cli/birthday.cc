#include "cli/birthday.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mintmark::cli {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Up to here the product of the definition is summed term by term.
constexpr double kMostTerms = 1 << 16;
/// Beyond this many values the share of them that is taken is below the last bit of a double.
constexpr double kVast = 1e300;

/// ((1 - x) ln(1 - x) + x) / x for 0 < x <= 1: the integral of -ln(1 - u) from 0 to x, over x.
double mean_loss(double x) {
  if (x == 1) return 1;
  if (x > 1e-2) return ((1 - x) * std::log1p(-x) + x) / x;
  // The closed form would lose all its digits: the two terms cancel.
  double sum = 0;
  double power = x;
  for (int k = 2; k <= 12; ++k, power *= x) sum += power / (k * (k - 1));
  return sum;
}

/// 1 - ln(1 + x) / x for x > 0.
double poisson_loss(double x) {
  if (x > 1e-2) return 1 - std::log1p(x) / x;
  double sum = 0;
  double power = x;
  for (int k = 2; k <= 12; ++k, power *= -x) sum += power / k;
  return sum;
}

/// The sum of -ln(1 - i/N) over 0 <= i < n.
double hazard(double ids, double values) {
  if (ids <= kMostTerms) {
    double sum = 0;
    for (double i = 1; i < ids; ++i) sum -= std::log1p(-i / values);
    return sum;
  }
  // Euler and Maclaurin: the integral, half the difference of the ends, a twelfth of that of the slopes.
  const double x = ids / values;
  if (x > 0.5)
    return ids * mean_loss(x);  // above 10^4: the chance is 1 whatever the corrections are
  return ids * mean_loss(x) + std::log1p(-x) / 2 + (1 / (1 - x) - 1) / (12 * values);
}

/// The hazard of a chance.
double hazard_of(double chance) { return -std::log1p(-chance); }

}  // namespace

ValueSpace ValueSpace::of_bits(double bits) { return {std::exp2(bits), bits * std::log(2.0)}; }

ValueSpace ValueSpace::of_text(double alphabet, double size) {
  return {std::pow(alphabet, size), size * std::log(alphabet)};
}

double ValueSpace::bits() const { return log_ / std::log(2.0); }

Chance Chance::of_log_hazard(double log_hazard) {
  // Below this the hazard and the chance are the same number.
  constexpr double kSmall = -37;
  if (log_hazard < kSmall) return Chance{log_hazard};
  return Chance{std::log(-std::expm1(-std::exp(log_hazard)))};
}

double Chance::value() const { return std::exp(log_); }

double Chance::log10() const { return log_ / std::log(10.0); }

double log_hazard(double ids, const ValueSpace& space) {
  if (ids < 2) return -kInfinity;
  if (ids > space.count()) return kInfinity;
  if (space.count() > kVast || ids / space.count() < 1e-17) {
    return std::log(ids) + std::log(ids - 1) - std::log(2.0) - space.log();
  }
  return std::log(hazard(ids, space.count()));
}

double log_hazard_of_mean(double mean, const ValueSpace& space) {
  // Each value is drawn Poisson(mean / N) times, the values know nothing of one another: all are drawn at
  // most once with (1 + y)^N exp(-N y), y = mean / N.
  if (mean <= 0) return -kInfinity;
  const double share = mean / space.count();
  if (space.count() > kVast || share < 1e-17) {
    return 2 * std::log(mean) - std::log(2.0) - space.log();
  }
  return std::log(mean * poisson_loss(share));
}

double ids_for(double chance, const ValueSpace& space) {
  const double target = hazard_of(chance);
  if (space.count() > kVast) {
    return std::exp((std::log(2.0) + space.log() + std::log(target)) / 2);
  }
  const double values = space.count();
  double ids = 0.5 + std::sqrt(0.25 + 2 * values * target);
  ids = std::clamp(ids, 2.0, values);
  for (int step = 0; step < 60; ++step) {
    const double slope = -std::log1p(-(ids - 1) / values);
    const double change = (hazard(std::round(ids), values) - target) / std::max(slope, 1e-300);
    const double next = std::clamp(ids - change, 2.0, values);
    const bool settled = std::abs(next - ids) < 0.25;
    ids = next;
    if (settled) break;
  }
  constexpr double kExact = 9'007'199'254'740'992;  // 2^53
  if (ids >= kExact) return ids;
  ids = std::round(ids);
  while (ids > 2 && hazard(ids - 1, values) >= target) --ids;
  while (ids <= values && hazard(ids, values) < target) ++ids;
  return ids;
}

double ticks_for(double chance, double mean, const ValueSpace& space) {
  return std::exp(std::log(hazard_of(chance)) - log_hazard_of_mean(mean, space));
}

}  // namespace mintmark::cli
