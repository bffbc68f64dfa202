// Did you mean: the known word that is closest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace mintmark::mint {

/// The candidate with the smallest edit distance to `word`, or an empty view if none is close enough that
/// a person would have meant it: at most a third of its letters may differ. Pure.
[[nodiscard]] std::string_view closest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// `; did you mean 'serve'?`, or nothing. To be put behind a sentence.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

}  // namespace mintmark::mint
