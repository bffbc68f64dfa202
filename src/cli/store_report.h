// What a store remembers, as `mintmark store` shows it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/settings.h"
#include "mint/space_config.h"
#include "store/store.h"

namespace mintmark::cli {

/// One space as the store has it.
struct Shown {
  std::string name;
  store::SpaceMeta meta;
  std::vector<store::Mark> marks;
  const SnowflakeLayout* layout = nullptr;  ///< of the configuration; null for a counter

  [[nodiscard]] std::uint64_t highest() const {
    std::uint64_t high = 0;
    for (const store::Mark& mark : marks) high = std::max(high, mark.high_water);
    return high;
  }
  [[nodiscard]] std::size_t used() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(marks, [](const store::Mark& mark) { return mark.grants > 0; }));
  }
  /// Slots whose mark lies ahead of the clock: held, or waiting to be free again.
  [[nodiscard]] std::size_t held(Instant now) const {
    if (layout == nullptr) return 0;
    return static_cast<std::size_t>(std::ranges::count_if(marks, [&](const store::Mark& mark) {
      return mark.grants > 0 && layout->instant_of(mark.high_water) > now;
    }));
  }
};

/// The space, or nothing if the store does not know it.
store::Outcome<std::optional<Shown>> look_at(store::Store& store, const mint::SpaceConfig& space,
                                             BootInstant deadline);

/// The whole store: for people, and as JSON on one line.
struct StoreReport {
  std::string text;
  std::string json;
};
[[nodiscard]] StoreReport report_on(const Settings& settings, const store::Identity& identity,
                                    const std::vector<Shown>& spaces, Instant now);

}  // namespace mintmark::cli
