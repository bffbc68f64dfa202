// A survey of a database: which of its counters run out, and which of its text columns hold IDs badly. What
// it reads is little: catalogues, the largest value at the end of an index, and a hundred rows of each table
// that has text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/database_catalogue.h"
#include "cli/database_reader.h"
#include "cli/sampled_ids.h"

namespace mintmark::cli {

/// A text column that would be smaller in binary.
struct TextIds {
  TextColumn column;
  TextForm form;

  /// What each value takes more than it has to, each time that it is stored.
  [[nodiscard]] std::size_t more_bytes() const {
    return form.text_bytes + column.length_bytes - form.binary_bytes;
  }
};

struct Survey {
  std::vector<Counter> counters;  ///< the fullest first
  std::vector<TextIds> text_ids;
  std::vector<TextColumn> folded_ids;  ///< IDs that differ in case alone are one to the database
  std::vector<std::string> not_read;   ///< what, and why
};

/// A table that cannot be read is in `not_read`; so is the rest, once the deadline is over. Errors: those of
/// reading the catalogues. `now` is what the time in a ULID is measured against.
[[nodiscard]] io::sql::SqlResult<Survey> survey_database(DatabaseReader& reader, Instant now);

/// The counters alone, as they stand now.
[[nodiscard]] io::sql::SqlResult<std::vector<Counter>> survey_counters(DatabaseReader& reader);

}  // namespace mintmark::cli
