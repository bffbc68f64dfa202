// Moments: points of time as people type them. Whole numbers throughout: no time is rounded.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "mintmark/base/time.h"

namespace mintmark::cli {

/// `2026-12-01`, `2026-12-01T08:30:00Z` (RFC 3339, with up to seven digits of a second and an offset),
/// `@1645557742.25` (seconds since 1970), `now`, `now-90m`, `now+7d` (s, m, h, d). The error is words that
/// say what is wrong and where.
[[nodiscard]] std::expected<Instant, std::string> parse_moment(std::string_view text, Instant now);

}  // namespace mintmark::cli
