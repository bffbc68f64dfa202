// What the catalogues of a database say about its counters and its columns. Each engine has a file that reads
// them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/database_reader.h"
#include "cli/runway.h"
#include "cli/sampled_ids.h"

namespace mintmark::cli {

/// Numbers that are used one after another, until the last of them. Those that count down are turned round:
/// all their values are negated.
struct Counter {
  ColumnName name;       ///< the column; the sequence itself if no column takes its numbers
  std::string kind;      ///< serial, identity, default, sequence, auto_increment, key, reference
  std::string source{};  ///< the sequence or the column that the numbers come from; may be empty
  std::string type;      ///< of what ends first, as the server names it
  I128 first = 1;
  I128 last = 0;
  I128 at = 0;    ///< the last one that was used; below `first` if none was
  I128 step = 1;  ///< above 0
  std::string remark{};

  [[nodiscard]] Runway runway() const;
};

/// A column of whole numbers that an index begins with, so that its largest value is found at once.
struct KeyColumn {
  ColumnName name;
  std::string type;
  I128 last = 0;
};

/// A column of whole numbers that refers to one of a wider type.
struct NarrowReference {
  ColumnName name;
  std::string type;
  I128 last = 0;
  ColumnName to;
  std::string to_type;
};

struct TextColumn {
  ColumnName name;
  std::string type;
  std::size_t length_bytes = 0;  ///< what the engine keeps beside each value
  double rows = -1;              ///< the engine's estimate; below 0 if it has none
  unsigned copies = 1;           ///< how often a value is stored: in the table, and in indexes
  Uniqueness uniqueness = Uniqueness::unknown;
  std::string folding{};  ///< the collation or type that takes A for a; empty if there is none
};

struct Catalogue {
  std::vector<Counter> counters;
  std::vector<KeyColumn> keys;
  std::vector<NarrowReference> references;
  std::vector<TextColumn> texts;      ///< those of one table stand together
  std::vector<std::string> not_read;  ///< what, and why
};

/// PostgreSQL 12 and later: the database that the reader is connected to.
[[nodiscard]] io::sql::SqlResult<Catalogue> read_postgres_catalogue(DatabaseReader& reader);

/// MariaDB and MySQL: the database of the URL, or all but the system's own.
[[nodiscard]] io::sql::SqlResult<Catalogue> read_mariadb_catalogue(DatabaseReader& reader);

}  // namespace mintmark::cli
