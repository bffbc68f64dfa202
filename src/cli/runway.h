// Runway: how long numbers last. A column of some type, a block of numbers, or the time field of a scheme:
// each has a last value, and a pace at which it comes nearer. Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {

/// A type of a column that holds counted numbers.
struct NumberColumn {
  std::string_view name;
  U128 last;
};

/// What databases call `smallint`, `int`, `bigint`, also unsigned as `uint`, and JavaScript's `2^53`. The
/// name may be that of any engine (`serial`, `INT UNSIGNED`). Nothing for another name.
[[nodiscard]] std::optional<NumberColumn> find_number_column(std::string_view name);
/// The names that find_number_column knows, for hints.
[[nodiscard]] std::span<const std::string_view> number_column_names();

/// Numbers that are used one after another, or every `step`-th of them.
struct Numbers {
  U128 first = 1;
  U128 last = 0;
  U128 at = 0;    ///< the last one used; below `first` if none is
  U128 step = 1;  ///< REQUIRES: at least 1
};

struct Runway {
  U128 left = 0;    ///< how many more there are
  double used = 0;  ///< the share that is gone, 0 to 1
};
/// REQUIRES: first <= last.
[[nodiscard]] Runway runway_of(const Numbers& numbers);

/// The last instant that the IDs of a scheme can carry, as its last tick begins. Nothing for a scheme
/// without a time.
[[nodiscard]] std::optional<Instant> last_instant(const CatalogueRow& row);

}  // namespace mintmark::cli
