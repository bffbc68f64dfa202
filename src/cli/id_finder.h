// Finds IDs in any text. It rather overlooks one than takes a word for an ID: what it finds by itself has a
// shape or a time that words have not; a kind that any word or number may be is found only when it is named.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "mint/recognize.h"

namespace mintmark::cli {

/// An ID in a line: where it begins, counted from 0, and what it is.
struct Find {
  std::size_t at = 0;
  std::string_view text;
  mint::Candidate candidate;
};

/// Calls `on` for each ID of the line, from left to right. With `wanted` only for those of this scheme.
void find_ids(std::string_view line, const CatalogueRow* wanted, Instant now,
              const std::function<void(const Find&)>& on);

}  // namespace mintmark::cli
