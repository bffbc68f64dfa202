#include "cli/database_survey.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace mintmark::cli {
namespace {

using io::sql::Engine;
using io::sql::Row;
using io::sql::SqlResult;

constexpr int kSampleRows = 100;
/// Longer than any ID: what comes back with this length is none.
constexpr int kSampleLength = 64;

SqlResult<Catalogue> read_catalogue(DatabaseReader& reader) {
  return reader.engine() == Engine::postgres ? read_postgres_catalogue(reader)
                                             : read_mariadb_catalogue(reader);
}

/// The largest value of each key; none for an empty table.
using Largest = std::map<ColumnName, std::optional<I128>>;

Largest largest_values(DatabaseReader& reader, Catalogue& catalogue) {
  Largest largest;
  for (const KeyColumn& key : catalogue.keys) {
    const auto rows = reader.ask(fmt::format(
        "SELECT max({}) FROM {}", reader.quoted(key.name.column), reader.quoted_table(key.name)));
    if (rows && !rows->empty()) {
      largest[key.name] = parse_number(rows->front().front());
      continue;
    }
    const std::string why = rows ? "no answer" : rows.error().detail;
    if (!rows && ends_reading(rows.error())) {
      catalogue.not_read.push_back(
          fmt::format("{} and the keys behind it: {}", key.name.words(), why));
      break;
    }
    catalogue.not_read.push_back(fmt::format("{}: {}", key.name.words(), why));
  }
  return largest;
}

/// What the values of a column say about the counter that fills it.
void compare(Counter& counter, I128 largest) {
  if (largest <= counter.at) return;
  if (counter.kind == "auto_increment") {
    counter.at = largest;
  } else if (counter.first >= 0) {
    counter.remark =
        fmt::format("the column holds {} already, which the sequence will give again", largest);
  }
}

std::vector<Counter> counters_of(DatabaseReader& reader, Catalogue& catalogue) {
  const Largest largest = largest_values(reader, catalogue);
  std::vector<Counter> counters = catalogue.counters;
  for (Counter& counter : counters) {
    const auto found = largest.find(counter.name);
    if (found != largest.end() && found->second) compare(counter, *found->second);
  }
  const auto is_there = [&](const ColumnName& name) {
    return std::ranges::find(counters, name, &Counter::name) != counters.end();
  };
  for (const KeyColumn& key : catalogue.keys) {
    const auto found = largest.find(key.name);
    if (found == largest.end() || is_there(key.name)) continue;
    counters.push_back({.name = key.name,
                        .kind = "key",
                        .type = key.type,
                        .first = 1,
                        .last = key.last,
                        .at = found->second.value_or(0)});
  }
  for (const NarrowReference& reference : catalogue.references) {
    const auto wide = std::ranges::find(counters, reference.to, &Counter::name);
    if (wide == counters.end()) continue;
    Counter narrow{.name = reference.name,
                   .kind = "reference",
                   .source = reference.to.words(),
                   .type = reference.type,
                   .first = 1,
                   .last = reference.last,
                   .at = wide->at,
                   .step = wide->step,
                   .remark = fmt::format("it refers to a column of {}", reference.to_type)};
    counters.push_back(std::move(narrow));
  }
  std::ranges::sort(counters, [](const Counter& a, const Counter& b) {
    const double a_used = a.runway().used;
    const double b_used = b.runway().used;
    if (a_used != b_used) return a_used > b_used;
    return std::tie(a.name, a.source) < std::tie(b.name, b.source);
  });
  return counters;
}

/// Some values of each of the columns, which are those of one table.
SqlResult<std::vector<std::vector<std::string>>> sample(DatabaseReader& reader,
                                                        std::span<const TextColumn> columns) {
  std::string sql = "SELECT ";
  for (const TextColumn& column : columns) {
    if (&column != columns.data()) sql += ", ";
    sql += fmt::format("left({}{}, {})", reader.quoted(column.name.column),
                       reader.engine() == Engine::postgres ? "::text" : "", kSampleLength);
  }
  sql += fmt::format(" FROM {} LIMIT {}", reader.quoted_table(columns.front().name), kSampleRows);
  const auto rows = reader.ask(sql);
  if (!rows) return std::unexpected(rows.error());
  std::vector<std::vector<std::string>> values(columns.size());
  for (const Row& row : *rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (row[i]) values[i].push_back(*row[i]);
    }
  }
  return values;
}

void judge(const TextColumn& column, std::span<const std::string> values, Instant now,
           Survey& survey) {
  if (const auto form = text_form_of(values, now)) {
    survey.text_ids.push_back({column, *form});
  } else if (!column.folding.empty() && tell_case_apart(values, column.uniqueness)) {
    survey.folded_ids.push_back(column);
  }
}

void survey_texts(DatabaseReader& reader, const std::vector<TextColumn>& texts, Instant now,
                  Survey& survey) {
  const auto same_table = [](const TextColumn& a, const TextColumn& b) {
    return a.name.schema == b.name.schema && a.name.table == b.name.table;
  };
  for (std::size_t first = 0; first < texts.size();) {
    std::size_t end = first + 1;
    while (end < texts.size() && same_table(texts[first], texts[end])) ++end;
    const std::span columns = std::span{texts}.subspan(first, end - first);
    first = end;
    const auto values = sample(reader, columns);
    if (values) {
      for (std::size_t i = 0; i < columns.size(); ++i) judge(columns[i], (*values)[i], now, survey);
      continue;
    }
    const ColumnName table{columns.front().name.schema, columns.front().name.table, ""};
    const bool over = ends_reading(values.error());
    survey.not_read.push_back(fmt::format(
        "{}{}: {}", table.words(), over ? " and the text behind it" : "", values.error().detail));
    if (over) return;
  }
}

}  // namespace

Runway Counter::runway() const {
  // Counted from 1, whatever the first number is.
  const auto place = [this](I128 value) { return static_cast<U128>(value - first + 1); };
  if (last < first) return {0, 1};
  return runway_of({.first = 1,
                    .last = place(last),
                    .at = at < first ? U128{0} : place(at),
                    .step = static_cast<U128>(step)});
}

SqlResult<Survey> survey_database(DatabaseReader& reader, Instant now) {
  auto catalogue = read_catalogue(reader);
  if (!catalogue) return std::unexpected(catalogue.error());
  Survey survey;
  survey.counters = counters_of(reader, *catalogue);
  survey.not_read = std::move(catalogue->not_read);
  survey_texts(reader, catalogue->texts, now, survey);
  return survey;
}

SqlResult<std::vector<Counter>> survey_counters(DatabaseReader& reader) {
  auto catalogue = read_catalogue(reader);
  if (!catalogue) return std::unexpected(catalogue.error());
  return counters_of(reader, *catalogue);
}

}  // namespace mintmark::cli
