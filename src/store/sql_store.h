// The store on a SQL server: typed rows that a person can read, and one statement a grant.
//
// The grant is one UPDATE whose WHERE holds all that was decided upon, in autocommit: durable when the server
// answers, and nothing stays open if the client is gone. Its condition on the meta row takes a shared lock,
// so that no grant commits after a fence that it did not see. Counters of the engines (sequences,
// AUTO_INCREMENT) are not used: they forget (protocol 2.7.1, 2.7.2).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/sql/connection.h"
#include "store/store.h"

namespace mintmark::store {

/// How an engine's SQL differs. Every text that is put into a statement was escaped before (row_text.h).
struct SqlDialect {
  std::string_view engine;  ///< as Identity names it
  /// Creates the tables unless they are there, a statement each.
  std::span<const std::string_view> schema;
  /// SQLSTATE of a table that is not there.
  std::string_view no_such_table;
  /// An expression of microseconds since 1970, of the moment of its statement.
  std::string_view now_us;
  /// An UPDATE of `k`, the marks, up to the conditions on it: {0} assignments, {1} conditions on `m`, the
  /// meta row, on which it takes a shared lock.
  std::string_view grant;
  /// Inserts an item unless it is there: {0} key, {1} value, both in hexadecimal digits.
  std::string_view insert_item;
  /// SQLSTATE of an insert that found its key.
  std::string_view key_is_there;
  /// SQLSTATEs of a table that somebody else created in the same moment.
  std::span<const std::string_view> table_is_there;
  /// Inserts rows into marks: {0} space, {1} how many, {2} the first mark of each.
  std::string_view insert_marks;

  /// What a new connection does before it serves: it sets its session up, and asks for role, settings,
  /// identity and progress. Errors: StoreUnavailable, UnsafeStoreConfig, IncarnationChanged.
  Outcome<Identity> (*enter)(io::sql::Connection& connection, std::string_view where, Unsafe unsafe,
                             BootInstant deadline);
};

/// Errors: those of store::open.
[[nodiscard]] Outcome<std::unique_ptr<Store>> open_sql(const SqlDialect& dialect,
                                                       const io::sql::DatabaseUrl& url,
                                                       const Environment& environment,
                                                       BootInstant deadline);

/// The server's words as a Failure; `unsure` is the fault of a statement whose end is not known.
[[nodiscard]] Failure sql_failure(const io::sql::SqlFailure& failure, Fault unsure);

/// Notes a setting that is not as safety needs it, or refuses. `where` names the server.
[[nodiscard]] Outcome<void> require_setting(std::string_view where, std::string_view setting,
                                            std::string_view found, std::string_view wanted,
                                            Unsafe unsafe, std::vector<std::string>& off);

}  // namespace mintmark::store
