// Recognize: which schemes a text may be of, likeliest first.
//
// No candidate is dropped for being unlikely: a Snowflake does not say which epoch it counts from, so the
// alternatives stay, and what speaks against each is kept with it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::mint {

/// What the time of an ID says about it.
enum class Merit : std::uint8_t { plausible, timeless, from_the_future, at_the_epoch };

struct Candidate {
  const CatalogueRow* row = nullptr;
  CatalogueId id;
  Merit merit = Merit::timeless;
};

/// The text as an ID of one scheme. Errors: those of the scheme's parse.
[[nodiscard]] Result<Candidate> recognize_as(const CatalogueRow& row, std::string_view text,
                                             Instant now);

/// Every scheme of the catalogue that reads the text and can be told by its text, likeliest first; none if
/// it is no ID. `now` is what a plausible time is measured against.
[[nodiscard]] std::vector<Candidate> recognize(std::string_view text, Instant now);

/// The scheme that a person most likely meant with a text that none reads: by its length first.
[[nodiscard]] const CatalogueRow& closest_scheme(std::string_view text);

}  // namespace mintmark::mint
