// Leaked: what numbers that count up give away once somebody has seen a few of them and when. Pure.
#pragma once

#include <optional>
#include <span>

#include "mintmark/base/time.h"

namespace mintmark::cli {

/// One number of a sequence, and when it was made.
struct Sighting {
  double number = 0;
  Instant time{};
};

/// What two sightings say.
struct Pace {
  double per_second = 0;
  std::optional<Instant> began;  ///< when it stood at 0, had the pace always been this; to a second
};

/// The pace between the earlier and the later one. Nothing if they are of one instant, or if the numbers
/// do not rise with time: then they are no sequence.
[[nodiscard]] std::optional<Pace> pace_between(const Sighting& a, const Sighting& b);

/// How many there are at a later time at that pace.
[[nodiscard]] double count_at(const Sighting& last, const Pace& pace, Instant time);

/// The problem of the German tanks: how many numbers from 1 on there are, from a few that were seen, if
/// those are a fair sample without repetition.
struct TankEstimate {
  double least = 0;     ///< the largest number seen: fewer there cannot be
  double estimate = 0;  ///< unbiased, and of all such estimates that with the smallest variance
  double most = 0;      ///< with 95 % confidence there are not more
};
/// REQUIRES: numbers is not empty; all from 1 on, and different.
[[nodiscard]] TankEstimate estimate_tanks(std::span<const double> numbers);

}  // namespace mintmark::cli
