// The information schema of MariaDB and MySQL. Its tables are read one by one and put together here: the
// server builds each of them anew for a statement, and joins them without an index.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "cli/database_catalogue.h"

namespace mintmark::cli {
namespace {

using io::sql::Row;
using io::sql::Rows;
using io::sql::SqlResult;
using io::sql::Value;
using TableName = std::pair<std::string, std::string>;

std::string text(const Row& row, std::size_t i) { return row[i].value_or(""); }

bool has(const std::vector<std::string>& columns, const std::string& column) {
  return std::ranges::find(columns, column) != columns.end();
}

struct Table {
  bool sequence = false;
  double rows = -1;
  Value next;  ///< AUTO_INCREMENT
  /// The columns of each index in their order, by its name.
  std::map<std::string, std::vector<std::string>> indexes;
  std::map<std::string, bool> unique;

  [[nodiscard]] bool in_primary(const std::string& column) const {
    const auto found = indexes.find("PRIMARY");
    return found != indexes.end() && has(found->second, column);
  }
  [[nodiscard]] bool leads_primary(const std::string& column) const {
    const auto found = indexes.find("PRIMARY");
    return found != indexes.end() && found->second.front() == column;
  }
  [[nodiscard]] bool leads_any(const std::string& column) const {
    return std::ranges::any_of(indexes,
                               [&](const auto& index) { return index.second.front() == column; });
  }
  [[nodiscard]] Uniqueness uniqueness_of(const std::string& column) const {
    for (const auto& [name, columns] : indexes) {
      if (unique.at(name) && columns.size() == 1 && columns.front() == column)
        return Uniqueness::unique;
    }
    return Uniqueness::unknown;
  }
  /// InnoDB: the table is its primary key's index, and every other index repeats that key.
  [[nodiscard]] unsigned copies_of(const std::string& column) const {
    if (in_primary(column)) return static_cast<unsigned>(indexes.size());
    unsigned copies = 1;
    for (const auto& [name, columns] : indexes) {
      if (has(columns, column)) ++copies;
    }
    return copies;
  }
};
using Tables = std::map<TableName, Table>;

class MariadbCatalogue {
 public:
  explicit MariadbCatalogue(DatabaseReader& reader) : reader_(reader) {}

  SqlResult<Catalogue> read() {
    for (const auto step : {&MariadbCatalogue::read_tables, &MariadbCatalogue::read_indexes,
                            &MariadbCatalogue::read_step, &MariadbCatalogue::read_columns,
                            &MariadbCatalogue::read_sequences}) {
      if (const auto done = (this->*step)(); !done) return std::unexpected(done.error());
    }
    return std::move(catalogue_);
  }

 private:
  /// A table of the information schema, of the databases that are looked at.
  SqlResult<Rows> rows_of(std::string_view columns, std::string_view table,
                          std::string_view order) {
    if (!reader_.database().empty()) {
      const std::array<Value, 1> database{reader_.database()};
      return reader_.ask(fmt::format("SELECT TABLE_SCHEMA, TABLE_NAME, {} FROM "
                                     "information_schema.{} WHERE TABLE_SCHEMA = ? ORDER BY {}",
                                     columns, table, order),
                         database);
    }
    return reader_.ask(fmt::format(
        "SELECT TABLE_SCHEMA, TABLE_NAME, {} FROM information_schema.{} WHERE TABLE_SCHEMA NOT IN "
        "('mysql', 'information_schema', 'performance_schema', 'sys') ORDER BY {}",
        columns, table, order));
  }

  SqlResult<void> read_tables() {
    const auto rows = rows_of("TABLE_TYPE, AUTO_INCREMENT, TABLE_ROWS", "TABLES", "1, 2");
    if (!rows) return std::unexpected(rows.error());
    for (const Row& row : *rows) {
      const std::string kind = text(row, 2);
      if (kind != "BASE TABLE" && kind != "SYSTEM VERSIONED" && kind != "SEQUENCE") continue;
      Table& table = tables_[{text(row, 0), text(row, 1)}];
      table.sequence = kind == "SEQUENCE";
      table.next = row[3];
      table.rows = static_cast<double>(parse_number(row[4]).value_or(-1));
    }
    return {};
  }

  SqlResult<void> read_indexes() {
    const auto rows = rows_of("INDEX_NAME, COLUMN_NAME, NON_UNIQUE", "STATISTICS",
                              "1, 2, INDEX_NAME, SEQ_IN_INDEX");
    if (!rows) return std::unexpected(rows.error());
    for (const Row& row : *rows) {
      const auto table = tables_.find({text(row, 0), text(row, 1)});
      if (table == tables_.end()) continue;
      // An index of an expression has no column there.
      table->second.indexes[text(row, 2)].push_back(text(row, 3));
      table->second.unique[text(row, 2)] = text(row, 4) == "0";
    }
    return {};
  }

  SqlResult<void> read_step() {
    const auto rows = reader_.ask("SELECT @@GLOBAL.auto_increment_increment");
    if (!rows) return std::unexpected(rows.error());
    if (!rows->empty()) step_ = std::max<I128>(parse_number(rows->front().front()).value_or(1), 1);
    return {};
  }

  SqlResult<void> read_columns() {
    const auto rows = rows_of(
        "COLUMN_NAME, COLUMN_TYPE, DATA_TYPE, EXTRA, COLUMN_DEFAULT, COLLATION_NAME, "
        "CHARACTER_MAXIMUM_LENGTH, CHARACTER_OCTET_LENGTH",
        "COLUMNS", "1, 2, ORDINAL_POSITION");
    if (!rows) return std::unexpected(rows.error());
    for (const Row& row : *rows) {
      const auto table = tables_.find({text(row, 0), text(row, 1)});
      if (table == tables_.end() || table->second.sequence) continue;
      take_number(row, table->second);
      take_text(row, table->second);
    }
    return {};
  }

  void take_number(const Row& row, const Table& table) {
    const std::string type = text(row, 3);
    const std::string base = text(row, 4) + (type.contains("unsigned") ? " unsigned" : "");
    const auto known = find_number_column(base);
    if (!known || !text(row, 4).contains("int")) return;
    const ColumnName name{text(row, 0), text(row, 1), text(row, 2)};
    const auto last = static_cast<I128>(known->last);
    if (text(row, 5).contains("auto_increment")) {
      // Full, it stays at the last number instead of going past it: the key beside it tells.
      const I128 next = parse_number(table.next).value_or(1);
      catalogue_.counters.push_back({.name = name,
                                     .kind = "auto_increment",
                                     .type = type,
                                     .first = 1,
                                     .last = last,
                                     .at = next - 1,
                                     .step = step_});
      if (table.leads_any(name.column)) catalogue_.keys.push_back({name, type, last});
      return;
    }
    if (text(row, 6).contains("nextval(")) defaults_.emplace_back(name, type, last, text(row, 6));
    if (table.leads_primary(name.column)) catalogue_.keys.push_back({name, type, last});
  }

  void take_text(const Row& row, const Table& table) {
    const std::string base = text(row, 4);
    if (base != "char" && base != "varchar" && !base.ends_with("text")) return;
    const std::string column = text(row, 2);
    // InnoDB keeps a CHAR of a character set with several bytes like a VARCHAR.
    const bool fixed = base == "char" && row[8] == row[9];
    const std::string collation = text(row, 7);
    catalogue_.texts.push_back({.name = {text(row, 0), text(row, 1), column},
                                .type = text(row, 3),
                                .length_bytes = fixed ? 0U : 1U,
                                .rows = table.rows,
                                .copies = table.copies_of(column),
                                .uniqueness = table.uniqueness_of(column),
                                .folding = collation.ends_with("_ci") ? collation : ""});
  }

  SqlResult<void> read_sequences() {
    for (const auto& [key, table] : tables_) {
      if (!table.sequence) continue;
      const ColumnName name{key.first, key.second, ""};
      const auto rows = reader_.ask(
          "SELECT next_not_cached_value, minimum_value, maximum_value, increment, cycle_option "
          "FROM " +
          reader_.quoted_table(name));
      if (!rows && ends_reading(rows.error())) return std::unexpected(rows.error());
      if (!rows || rows->empty()) {
        catalogue_.not_read.push_back(name.words() + ": " +
                                      (rows ? "it is empty" : rows.error().detail));
        continue;
      }
      take_sequence(name, rows->front());
    }
    return {};
  }

  void take_sequence(const ColumnName& name, const Row& row) {
    // An increment of 0 stands for auto_increment_increment.
    I128 increment = parse_number(row[3]).value_or(1);
    if (increment == 0) increment = step_;
    const bool down = increment < 0;
    const auto turned = [down](I128 value) { return down ? -value : value; };
    Counter counter{.name = name,
                    .kind = "sequence",
                    .type = "sequence",
                    .first = turned(parse_number(down ? row[2] : row[1]).value_or(1)),
                    .last = turned(parse_number(down ? row[1] : row[2]).value_or(0)),
                    // Numbers that the server has set aside count as used: a restart drops them.
                    .at = turned(parse_number(row[0]).value_or(1) - increment),
                    .step = turned(increment)};
    if (text(row, 4) == "1") counter.remark = "CYCLE: it does not end, it repeats its numbers";
    const std::string call = fmt::format("nextval({})", reader_.quoted_table(name));
    bool used = false;
    for (const auto& [column, type, last, words] : defaults_) {
      if (!words.contains(call)) continue;
      used = true;
      Counter of_column = counter;
      of_column.name = column;
      of_column.kind = "default";
      of_column.source = name.words();
      const I128 column_last = last + (down ? 1 : 0);
      if (column_last < counter.last) {
        of_column.last = column_last;
        of_column.type = type;
        of_column.remark = "the sequence goes on";
      }
      catalogue_.counters.push_back(std::move(of_column));
    }
    if (!used) catalogue_.counters.push_back(std::move(counter));
  }

  struct Default {
    ColumnName column;
    std::string type;
    I128 last;
    std::string words;
  };

  DatabaseReader& reader_;
  Tables tables_;
  std::vector<Default> defaults_;
  I128 step_ = 1;
  Catalogue catalogue_;
};

}  // namespace

SqlResult<Catalogue> read_mariadb_catalogue(DatabaseReader& reader) {
  return MariadbCatalogue{reader}.read();
}

}  // namespace mintmark::cli
