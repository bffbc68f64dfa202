#include "mint/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

namespace mintmark::mint {
namespace {

/// Longer words are no mistyped ones; this also bounds the time.
constexpr std::size_t kLongestWord = 40;

/// Optimal string alignment: insertions, deletions, substitutions and swapped neighbours count 1.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
      }
    }
  }
  return rows[a.size()][b.size()];
}

}  // namespace

std::string_view closest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t smallest = kLongestWord;
  for (const std::string_view candidate : candidates) {
    const std::size_t allowed = std::max<std::size_t>(1, candidate.size() / 3);
    const std::size_t changes = distance(word, candidate);
    if (changes <= allowed && changes < smallest) {
      best = candidate;
      smallest = changes;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view meant = closest(word, candidates);
  return meant.empty() ? std::string{} : fmt::format("; did you mean '{}'?", meant);
}

}  // namespace mintmark::mint
