// PostgreSQL's catalogues (documentation, chapter "System Catalogs"). Partitions are left out: their table
// speaks for them.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/database_catalogue.h"

namespace mintmark::cli {
namespace {

using io::sql::Row;
using io::sql::SqlResult;

/// The type below a domain, as SQL: of pg_attribute a and its pg_type t.
constexpr std::string_view kBase = "CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END";
/// Schemas of users; nobody else may begin a name with pg_.
constexpr std::string_view kOfUsers = "n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'";

std::string text(const Row& row, std::size_t i) { return row[i].value_or(""); }
bool is_true(const Row& row, std::size_t i) { return row[i] == "t"; }

ColumnName name_at(const Row& row, std::size_t i) {
  return {text(row, i), text(row, i + 1), text(row, i + 2)};
}

/// The last whole number of a type; nothing if it has none that matters.
std::optional<I128> last_of(const std::string& base, const io::sql::Value& modifier) {
  if (base == "numeric") {
    // Its modifier is (precision << 16 | scale) + 4, and -1 without limits.
    const auto number = parse_number(modifier);
    if (!number || *number < 4) return std::nullopt;
    const auto packed = static_cast<unsigned>(*number - 4);
    I128 last = 1;
    for (unsigned i = packed & 0x7ff; i < (packed >> 16) && i < 38; ++i) last *= 10;
    return last - 1;
  }
  const auto column = find_number_column(base);
  if (!column || (base != "smallint" && base != "integer" && base != "bigint")) return std::nullopt;
  return static_cast<I128>(column->last);
}

/// Columns: 0 schema and 1 name of the sequence, 2 its type, 3 smallest, 4 largest, 5 increment, 6 cycle,
/// 7 last value, 8 may be read; 9 to 11 the column, 12 its type, 13 base type, 14 modifier, 15 how they
/// belong together.
std::string sequences_sql() {
  return fmt::format(
      "WITH uses AS ("
      "  SELECT d.objid AS seq, d.refobjid AS rel, d.refobjsubid AS col,"
      "         CASE d.deptype WHEN 'i' THEN 'a identity' ELSE 'b serial' END AS how"
      "  FROM pg_depend d WHERE d.classid = 'pg_class'::regclass"
      "   AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0"
      "  UNION ALL"
      "  SELECT d.refobjid, f.adrelid, f.adnum, 'c default'"
      "  FROM pg_depend d JOIN pg_attrdef f ON f.oid = d.objid"
      "  WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_class'::regclass"
      "), pairs AS (SELECT seq, rel, col, min(how) AS how FROM uses GROUP BY seq, rel, col) "
      "SELECT n.nspname, c.relname, format_type(s.seqtypid, NULL), s.seqmin, s.seqmax,"
      " s.seqincrement, s.seqcycle,"
      " CASE WHEN has_sequence_privilege(c.oid, 'USAGE, SELECT')"
      "  THEN pg_sequence_last_value(c.oid) END,"
      " has_sequence_privilege(c.oid, 'USAGE, SELECT'),"
      " rn.nspname, r.relname, a.attname, format_type(a.atttypid, a.atttypmod),"
      " format_type({0}, NULL), CASE t.typtype WHEN 'd' THEN t.typtypmod ELSE a.atttypmod END,"
      " substr(p.how, 3) "
      "FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid"
      " JOIN pg_namespace n ON n.oid = c.relnamespace"
      " LEFT JOIN pairs p ON p.seq = c.oid"
      " LEFT JOIN pg_class r ON r.oid = p.rel"
      " LEFT JOIN pg_namespace rn ON rn.oid = r.relnamespace"
      " LEFT JOIN pg_attribute a ON a.attrelid = p.rel AND a.attnum = p.col"
      " LEFT JOIN pg_type t ON t.oid = a.atttypid "
      "WHERE {1} AND c.relpersistence <> 't' AND r.relispartition IS NOT TRUE ORDER BY 1, 2",
      kBase, kOfUsers);
}

std::string keys_sql() {
  return fmt::format(
      "SELECT DISTINCT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),"
      " format_type({0}, NULL) "
      "FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid"
      " JOIN pg_namespace n ON n.oid = c.relnamespace"
      " JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam"
      " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]"
      " JOIN pg_type t ON t.oid = a.atttypid "
      "WHERE {1} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'"
      " AND m.amname = 'btree' AND i.indisvalid AND i.indpred IS NULL AND i.indisunique"
      " AND (i.indisprimary OR i.indnkeyatts = 1)"
      " AND {0} IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) ORDER BY 1, 2, 3",
      kBase, kOfUsers);
}

std::string references_sql() {
  return fmt::format(
      "SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod),"
      " format_type({0}, NULL), wn.nspname, w.relname, b.attname,"
      " format_type(b.atttypid, b.atttypmod) "
      "FROM pg_constraint k CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS p (mine, theirs)"
      " JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
      " JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.mine"
      " JOIN pg_type t ON t.oid = a.atttypid"
      " JOIN pg_class w ON w.oid = k.confrelid JOIN pg_namespace wn ON wn.oid = w.relnamespace"
      " JOIN pg_attribute b ON b.attrelid = w.oid AND b.attnum = p.theirs "
      "WHERE k.contype = 'f' AND {1} AND NOT c.relispartition AND NOT w.relispartition"
      " AND {0} IN ('int2'::regtype, 'int4'::regtype) AND a.attlen < b.attlen ORDER BY 1, 2, 3",
      kBase, kOfUsers);
}

/// Columns: 0 to 2 the name, 3 type, 4 rows, 5 indexes that have it, 6 unique, 7 base type, 8 deterministic,
/// 9 and 10 the collation.
std::string texts_sql() {
  return fmt::format(
      "SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), "
      "c.reltuples::int8,"
      " (SELECT count(*) FROM pg_index i WHERE i.indrelid = c.oid AND a.attnum = ANY (i.indkey)),"
      " EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique"
      "  AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum),"
      " b.typname, l.collisdeterministic, ln.nspname, l.collname "
      "FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
      " JOIN pg_namespace n ON n.oid = c.relnamespace"
      " JOIN pg_type t ON t.oid = a.atttypid JOIN pg_type b ON b.oid = {0}"
      " LEFT JOIN pg_collation l ON l.oid = a.attcollation"
      " LEFT JOIN pg_namespace ln ON ln.oid = l.collnamespace "
      "WHERE {1} AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'"
      " AND a.attnum > 0 AND NOT a.attisdropped"
      " AND b.typname IN ('text', 'varchar', 'bpchar', 'citext') ORDER BY 1, 2, a.attnum",
      kBase, kOfUsers);
}

/// What the sequence gave last, where the catalogue does not say because nothing was taken since it was set.
SqlResult<std::optional<I128>> last_before_use(DatabaseReader& reader, const ColumnName& sequence,
                                               I128 increment) {
  const auto rows = reader.ask("SELECT last_value FROM " + reader.quoted_table(sequence));
  if (!rows && ends_reading(rows.error())) return std::unexpected(rows.error());
  if (!rows || rows->empty()) return std::nullopt;
  const auto next = parse_number(rows->front().front());
  if (!next) return std::nullopt;
  return *next - increment;
}

/// The counter without its place.
Counter counter_of(const Row& row) {
  const ColumnName sequence{text(row, 0), text(row, 1), ""};
  const I128 smallest = parse_number(row[3]).value_or(1);
  const I128 largest = parse_number(row[4]).value_or(0);
  const I128 increment = parse_number(row[5]).value_or(1);
  const bool down = increment < 0;
  Counter counter{.name = sequence,
                  .kind = "sequence",
                  .type = text(row, 2),
                  .first = down ? -largest : smallest,
                  .last = down ? -smallest : largest,
                  .step = down ? -increment : increment};
  const auto type_last = last_of(counter.type, {});
  if (!down && type_last && largest < *type_last) {
    counter.remark = fmt::format("MAXVALUE {}", text(row, 4));
  }
  if (is_true(row, 6)) counter.remark = "CYCLE: it does not end, it repeats its numbers";
  if (!row[11]) return counter;
  counter.name = name_at(row, 9);
  counter.kind = text(row, 15);
  counter.source = sequence.words();
  const auto column_last = last_of(text(row, 13), row[14]);
  // Below zero every type has one number more.
  if (column_last && *column_last + (down ? 1 : 0) < counter.last) {
    counter.last = *column_last + (down ? 1 : 0);
    counter.remark = fmt::format("the sequence goes on, as {}", counter.type);
    counter.type = text(row, 12);
  }
  return counter;
}

SqlResult<void> read_sequences(DatabaseReader& reader, Catalogue& catalogue) {
  const auto rows = reader.ask(sequences_sql());
  if (!rows) return std::unexpected(rows.error());
  for (const Row& row : *rows) {
    Counter counter = counter_of(row);
    const ColumnName sequence{text(row, 0), text(row, 1), ""};
    if (!is_true(row, 8)) {
      catalogue.not_read.push_back(sequence.words() + ": no right to read this sequence");
      continue;
    }
    auto last = parse_number(row[7]);
    if (!last) {
      const auto set = last_before_use(reader, sequence, parse_number(row[5]).value_or(1));
      if (!set) return std::unexpected(set.error());
      last = *set;
    }
    const bool down = row[5]->starts_with('-');
    counter.at = last ? (down ? -*last : *last) : counter.first - 1;
    catalogue.counters.push_back(std::move(counter));
  }
  return {};
}

/// Which of the collations that are not bytewise take A for a: some only overlook accents.
SqlResult<bool> folds(DatabaseReader& reader, const ColumnName& collation) {
  const auto rows = reader.ask(
      fmt::format("SELECT 'a' COLLATE {0} = 'A' COLLATE {0}", reader.quoted_table(collation)));
  if (!rows && ends_reading(rows.error())) return std::unexpected(rows.error());
  return rows && !rows->empty() && is_true(rows->front(), 0);
}

SqlResult<void> read_texts(DatabaseReader& reader, Catalogue& catalogue) {
  const auto rows = reader.ask(texts_sql());
  if (!rows) return std::unexpected(rows.error());
  std::map<ColumnName, bool> known;
  for (const Row& row : *rows) {
    TextColumn column{
        .name = name_at(row, 0),
        .type = text(row, 3),
        .length_bytes = 1,  // of a short varlena
        .rows = static_cast<double>(parse_number(row[4]).value_or(-1)),
        .copies = 1 + static_cast<unsigned>(parse_number(row[5]).value_or(0)),
        .uniqueness = is_true(row, 6) ? Uniqueness::unique : Uniqueness::unknown,
    };
    if (row[7] == "citext") {
      column.folding = "citext";
    } else if (row[8] == "f") {
      const ColumnName collation{text(row, 9), text(row, 10), ""};
      const auto [entry, fresh] = known.try_emplace(collation, false);
      if (fresh) {
        const auto answer = folds(reader, collation);
        if (!answer) return std::unexpected(answer.error());
        entry->second = *answer;
      }
      if (entry->second) column.folding = collation.words();
    }
    catalogue.texts.push_back(std::move(column));
  }
  return {};
}

}  // namespace

SqlResult<Catalogue> read_postgres_catalogue(DatabaseReader& reader) {
  Catalogue catalogue;
  if (const auto read = read_sequences(reader, catalogue); !read) {
    return std::unexpected(read.error());
  }
  const auto keys = reader.ask(keys_sql());
  if (!keys) return std::unexpected(keys.error());
  for (const Row& row : *keys) {
    catalogue.keys.push_back(
        {name_at(row, 0), text(row, 3), last_of(text(row, 4), {}).value_or(0)});
  }
  const auto references = reader.ask(references_sql());
  if (!references) return std::unexpected(references.error());
  for (const Row& row : *references) {
    catalogue.references.push_back({name_at(row, 0), text(row, 3),
                                    last_of(text(row, 4), {}).value_or(0), name_at(row, 5),
                                    text(row, 8)});
  }
  if (const auto read = read_texts(reader, catalogue); !read) return std::unexpected(read.error());
  return catalogue;
}

}  // namespace mintmark::cli
