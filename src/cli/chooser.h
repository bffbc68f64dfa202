// Chooser: ranks the schemes of choices.h by a wish, with the reasons for it. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choices.h"

namespace mintmark::cli {

struct Wish {
  std::array<bool, std::size(kNeeds)> needs{};  ///< by Need
  std::optional<Maker> maker;
  std::string_view store;      ///< one of kStores, or empty
  std::optional<double> rate;  ///< IDs a second in all

  [[nodiscard]] bool wants(Need need) const { return needs[static_cast<std::size_t>(need)]; }
};

struct Verdict {
  const Choice* choice = nullptr;
  int points = 0;
  std::vector<std::string> reasons;  ///< what speaks for it
  std::vector<std::string> misses;   ///< needs that it does not meet; empty for one that suits
  std::vector<std::string> watch;    ///< what to look out for
  std::string ddl;  ///< a table with such a key; empty without a store, or if it has none
};

/// All schemes, best first: those that meet every need, then by how few they miss, then by points.
[[nodiscard]] std::vector<Verdict> rank_choices(const Wish& wish);

}  // namespace mintmark::cli
