// A database that is read and not written: one connection, one deadline, and transactions that the server
// itself keeps from writing.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/sql/connection.h"
#include "mintmark/base/time.h"

namespace mintmark::cli {

__extension__ using I128 = __int128;

struct ColumnName {
  std::string schema;  ///< in MariaDB: the database
  std::string table;
  std::string column;  ///< empty: the table, or the sequence, itself

  [[nodiscard]] std::string words() const {
    return schema + "." + table + (column.empty() ? "" : "." + column);
  }
  friend auto operator<=>(const ColumnName&, const ColumnName&) = default;
};

/// One thread at a time.
class DatabaseReader {
 public:
  /// Connects, and looks who the server is. From then on each statement is a transaction that only reads, may
  /// take two seconds, and waits one second for a lock. Errors: those of connecting; `refused` by a server
  /// that is too old or cannot promise this.
  [[nodiscard]] static io::sql::SqlResult<DatabaseReader> open(const io::sql::DatabaseUrl& url,
                                                               BootInstant deadline);

  /// One statement, with the deadline of the whole reading.
  [[nodiscard]] io::sql::SqlResult<io::sql::Rows> ask(
      const std::string& sql, std::span<const io::sql::Value> parameters = {});

  [[nodiscard]] io::sql::Engine engine() const { return engine_; }
  /// `PostgreSQL 15.3`, `MariaDB 10.11.4`, `MySQL 8.0.36`.
  [[nodiscard]] const std::string& server() const { return server_; }
  /// The database that the URL names; empty if it names none.
  [[nodiscard]] const std::string& database() const { return database_; }

  [[nodiscard]] std::string quoted(std::string_view name) const {
    return io::sql::quoted_name(engine_, name);
  }
  /// The table, without the column.
  [[nodiscard]] std::string quoted_table(const ColumnName& name) const {
    return quoted(name.schema) + "." + quoted(name.table);
  }

 private:
  DatabaseReader(std::unique_ptr<io::sql::Connection> connection, const io::sql::DatabaseUrl& url,
                 BootInstant deadline)
      : connection_(std::move(connection)),
        engine_(url.engine),
        database_(url.database),
        deadline_(deadline) {}

  io::sql::SqlResult<void> prepare_postgres();
  io::sql::SqlResult<void> prepare_mariadb();
  io::sql::SqlResult<std::string> ask_one(const std::string& sql);

  std::unique_ptr<io::sql::Connection> connection_;
  io::sql::Engine engine_;
  std::string database_;
  std::string server_;
  BootInstant deadline_;
};

/// Whether nothing more can be asked after this failure.
[[nodiscard]] bool ends_reading(const io::sql::SqlFailure& failure);

/// A whole number as servers write it; nothing for NULL, for everything else, and beyond 127 bits.
[[nodiscard]] std::optional<I128> parse_number(const io::sql::Value& value);

}  // namespace mintmark::cli
