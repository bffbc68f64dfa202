// A line is cut into words of letters, digits, `_` and `-`. A UUID is looked for anywhere in a word, since
// its hyphens hold it together; every other ID must be a whole word, or, where the word has hyphens or is
// `name_of_something`, a whole part of it.
#include "cli/id_finder.h"

#include <algorithm>
#include <array>
#include <optional>

namespace mintmark::cli {
namespace {

using mint::Candidate;
using mint::Merit;

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_part(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_word(char c) { return is_part(c) || c == '_' || c == '-'; }

/// Kinds with a shape or a time that words and numbers have not.
constexpr std::array<std::string_view, 7> kBySight{"ulid",   "ksuid",  "xid", "objectid",
                                                   "pushid", "typeid", "uuid"};

bool is_uuid(const CatalogueRow& row) { return row.scheme.name.starts_with(Uuid::facts.name); }

/// Letters and digits mixed: a name rarely is, a random text nearly always.
bool is_mixed(std::string_view text) {
  return std::ranges::any_of(text, is_letter) && std::ranges::any_of(text, is_digit);
}

bool convinces(const Candidate& candidate, std::string_view text) {
  const std::string_view name = candidate.row->scheme.name;
  if (is_uuid(*candidate.row)) return text.contains('-');
  if (std::ranges::find(kBySight, name) == kBySight.end() || !is_mixed(text)) return false;
  if (name == "typeid" && text.find('_') == text.npos) return false;
  return candidate.merit == Merit::plausible;
}

std::optional<Candidate> judge(std::string_view text, const CatalogueRow* wanted, Instant now) {
  if (wanted != nullptr) {
    // A year, a status, a part of an address: numbers are in every line, and IDs of times that were not.
    const auto candidate = mint::recognize_as(*wanted, text, now);
    if (!candidate || candidate->merit == Merit::from_the_future ||
        candidate->merit == Merit::at_the_epoch) {
      return std::nullopt;
    }
    return *candidate;
  }
  constexpr std::size_t kShortest = 20;
  constexpr std::size_t kLongest = 90;
  if (text.size() < kShortest || text.size() > kLongest) return std::nullopt;
  const auto candidates = mint::recognize(text, now);
  if (candidates.empty() || !convinces(candidates.front(), text)) return std::nullopt;
  return candidates.front();
}

/// One line under search.
class Search {
 public:
  Search(const CatalogueRow* wanted, Instant now, const std::function<void(const Find&)>& on)
      : wanted_(wanted), now_(now), on_(on) {}

  void word(std::string_view text, std::size_t at) {
    if (text.empty() || found(text, at) || uuid_inside(text, at)) return;
    parts(text, at);
  }

 private:
  bool found(std::string_view text, std::size_t at) {
    const auto candidate = judge(text, wanted_, now_);
    if (!candidate) return false;
    on_({at, text, *candidate});
    return true;
  }

  /// `order-017f22e2-79b0-7cc3-98c4-dc0c0c07398f`: what stands on either side of it is searched by itself.
  bool uuid_inside(std::string_view text, std::size_t at) {
    constexpr std::size_t kSize = 36;
    if (wanted_ != nullptr && !is_uuid(*wanted_)) return false;
    for (std::size_t i = 0; i + kSize <= text.size(); ++i) {
      const bool begins = i == 0 || !is_part(text[i - 1]);
      const bool ends = i + kSize == text.size() || !is_part(text[i + kSize]);
      if (!begins || !ends || text[i + 8] != '-' || text[i + 23] != '-') continue;
      const std::string_view middle = text.substr(i, kSize);
      if (!Uuid::parse(middle)) continue;
      word(text.substr(0, i), at);
      found(middle, at + i);
      word(text.substr(i + kSize), at + i + kSize);
      return true;
    }
    return false;
  }

  /// The parts between hyphens, then those between underscores.
  void parts(std::string_view text, std::size_t at) {
    const char mark = text.find('-') != text.npos ? '-' : '_';
    if (text.find(mark) == text.npos) return;
    std::size_t begin = 0;
    while (begin <= text.size()) {
      const std::size_t end = std::min(text.find(mark, begin), text.size());
      word(text.substr(begin, end - begin), at + begin);
      begin = end + 1;
    }
  }

  const CatalogueRow* wanted_;
  Instant now_;
  const std::function<void(const Find&)>& on_;
};

}  // namespace

void find_ids(std::string_view line, const CatalogueRow* wanted, Instant now,
              const std::function<void(const Find&)>& on) {
  Search search{wanted, now, on};
  std::size_t at = 0;
  while (at < line.size()) {
    if (!is_word(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < line.size() && is_word(line[end])) ++end;
    search.word(line.substr(at, end - at), at);
    at = end;
  }
}

}  // namespace mintmark::cli
