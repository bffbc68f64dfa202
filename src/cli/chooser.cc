#include "cli/chooser.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/quantities.h"

namespace mintmark::cli {
namespace {

/// What clocks of one site that follow a time server differ by, with some room.
constexpr double kSkewSeconds = 0.005;

/// Whether a rule for a scheme, `rising` or `random` is about this one.
bool is_about(std::string_view scheme, const Choice& choice) {
  if (scheme == "rising") return choice.sortable;
  if (scheme == "random") return choice.hidden && choice.uncoordinated;
  return scheme == choice.name;
}

void weigh(std::string_view words, int points, Verdict& verdict) {
  verdict.points += points;
  (points < 0 ? verdict.watch : verdict.reasons).emplace_back(words);
}

void judge_needs(const Wish& wish, Verdict& verdict) {
  for (const NeedRow& row : kNeeds) {
    const bool has = verdict.choice->has(row.need);
    if (wish.wants(row.need) && !has) verdict.misses.emplace_back(row.missed);
    if (wish.wants(row.need) && has) verdict.reasons.emplace_back(row.met);
  }
  if (wish.maker == Maker::client && !verdict.choice->uncoordinated) {
    verdict.misses.emplace_back(
        "a client cannot be given numbers of its own: a server would have to make it");
  }
}

/// How many IDs arrive in another order than that of their times, against what an index stands.
void judge_rate(const Wish& wish, Verdict& verdict) {
  if (!wish.rate) return;
  const Choice& choice = *verdict.choice;
  if (choice.most_per_second > 0 && *wish.rate > choice.most_per_second) {
    verdict.watch.push_back(
        fmt::format("it takes {:.0f} workers", std::ceil(*wish.rate / choice.most_per_second)));
  }
  // Leaves of about 290 entries in PostgreSQL; InnoDB guesses the order from the last insert alone.
  const double most = wish.store == "postgresql"                         ? 150
                      : wish.store == "mysql" || wish.store == "mariadb" ? 10
                                                                         : 0;
  const double disorder = *wish.rate * kSkewSeconds;
  if (most > 0 && choice.sortable && disorder > most) {
    verdict.watch.push_back(
        fmt::format("some {} IDs are made while the clocks of two hosts differ by {}: above {:.0f} "
                    "the pages of the index "
                    "get as empty as with random keys; let one service make them",
                    number_words(disorder), length_words(kSkewSeconds), most));
  }
}

std::string ddl_of(const Choice& choice, std::string_view store) {
  for (const ColumnRule& rule : kColumnRules) {
    if (rule.store != store || rule.kept != choice.kept) continue;
    std::string column{rule.ddl};
    if (const std::size_t at = column.find('%'); at != std::string::npos) {
      column.replace(at, 1, fmt::format("{}", choice.text_size));
    }
    const bool clustered = store == "sqlite" && choice.kept != Kept::integer;
    return fmt::format("CREATE TABLE things (id {}){};", column, clustered ? " WITHOUT ROWID" : "");
  }
  return {};
}

Verdict judge(const Choice& choice, const Wish& wish) {
  Verdict verdict{.choice = &choice,
                  .points = choice.rank,
                  .reasons = {},
                  .misses = {},
                  .watch = {},
                  .ddl = {}};
  judge_needs(wish, verdict);
  for (const StoreRule& rule : kStoreRules) {
    if (rule.store == wish.store && is_about(rule.scheme, choice))
      weigh(rule.words, rule.points, verdict);
  }
  for (const MakerRule& rule : kMakerRules) {
    if (rule.maker == wish.maker && is_about(rule.scheme, choice))
      weigh(rule.words, rule.points, verdict);
  }
  judge_rate(wish, verdict);
  verdict.watch.emplace_back(choice.watch);
  verdict.ddl = ddl_of(choice, wish.store);
  return verdict;
}

}  // namespace

std::vector<Verdict> rank_choices(const Wish& wish) {
  std::vector<Verdict> verdicts;
  for (const Choice& choice : kChoices) verdicts.push_back(judge(choice, wish));
  std::ranges::stable_sort(verdicts, [](const Verdict& a, const Verdict& b) {
    if (a.misses.size() != b.misses.size()) return a.misses.size() < b.misses.size();
    return a.points > b.points;
  });
  return verdicts;
}

}  // namespace mintmark::cli
