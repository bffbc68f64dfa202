#include "cli/database_reader.h"

#include <fmt/format.h>

#include "mintmark/base/bytes.h"

namespace mintmark::cli {

using io::sql::Engine;
using io::sql::Rows;
using io::sql::SqlFailure;
using io::sql::SqlResult;
using io::sql::Trouble;
using io::sql::Value;

SqlResult<DatabaseReader> DatabaseReader::open(const io::sql::DatabaseUrl& url,
                                               BootInstant deadline) {
  auto connection = io::sql::connect(url, deadline);
  if (!connection) return std::unexpected(connection.error());
  DatabaseReader reader{std::move(*connection), url, deadline};
  const auto ready =
      url.engine == Engine::postgres ? reader.prepare_postgres() : reader.prepare_mariadb();
  if (!ready) return std::unexpected(ready.error());
  return reader;
}

SqlResult<std::string> DatabaseReader::ask_one(const std::string& sql) {
  const auto rows = ask(sql);
  if (!rows) return std::unexpected(rows.error());
  if (rows->empty() || rows->front().empty()) return std::string{};
  return rows->front().front().value_or("");
}

SqlResult<Rows> DatabaseReader::ask(const std::string& sql, std::span<const Value> parameters) {
  if (engine_ == Engine::mariadb) return connection_->query(sql, parameters, deadline_);
  // A transaction for each statement, and settings that end with it: behind a pooler, settings of the session
  // would be those of other people's sessions next. The search path: or else a function of somebody else
  // could stand in for one of the system.
  for (const char* beginning : {"BEGIN TRANSACTION READ ONLY",
                                "SELECT pg_catalog.set_config('statement_timeout', '2s', true), "
                                "pg_catalog.set_config('lock_timeout', '1s', true), "
                                "pg_catalog.set_config('search_path', 'pg_catalog', true)"}) {
    const auto begun = connection_->query(beginning, deadline_);
    if (!begun) return begun;
  }
  auto rows = connection_->query(sql, parameters, deadline_);
  if (!rows && ends_reading(rows.error())) return rows;
  const auto ended = connection_->query("ROLLBACK", deadline_);
  if (!ended) return ended;
  return rows;
}

SqlResult<void> DatabaseReader::prepare_postgres() {
  const auto version = ask_one("SHOW server_version");
  if (!version) return std::unexpected(version.error());
  server_ = "PostgreSQL " + version->substr(0, version->find(' '));
  const auto number = ask_one("SHOW server_version_num");
  if (!number) return std::unexpected(number.error());
  constexpr I128 kOldest = 120'000;
  if (parse_number(*number).value_or(0) < kOldest) {
    return std::unexpected(
        SqlFailure{Trouble::refused, server_ + " is older than 12, the oldest that is known", {}});
  }
  return {};
}

SqlResult<void> DatabaseReader::prepare_mariadb() {
  const auto version = ask_one("SELECT VERSION()");
  if (!version) return std::unexpected(version.error());
  const bool mariadb = version->contains("MariaDB");
  server_ = (mariadb ? "MariaDB " : "MySQL ") + version->substr(0, version->find('-'));
  const auto read_only = ask("SET SESSION TRANSACTION READ ONLY");
  if (!read_only) return std::unexpected(read_only.error());
  // One limit is MariaDB's, one MySQL's. MySQL's statistics may be a day old unless told otherwise.
  for (const char* setting :
       {"lock_wait_timeout = 1", mariadb ? "max_statement_time = 2" : "max_execution_time = 2000",
        mariadb ? "" : "information_schema_stats_expiry = 0"}) {
    if (*setting == '\0') continue;
    const auto set = ask(fmt::format("SET SESSION {}", setting));
    if (!set && ends_reading(set.error())) return std::unexpected(set.error());
  }
  return {};
}

bool ends_reading(const SqlFailure& failure) {
  return failure.trouble == Trouble::late || failure.trouble == Trouble::lost;
}

std::optional<I128> parse_number(const io::sql::Value& value) {
  if (!value) return std::nullopt;
  std::string_view text = *value;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  constexpr U128 kMost = (U128{1} << 127) - 1;
  U128 number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<unsigned>(c - '0');
    if (number > (kMost - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
  }
  return negative ? -static_cast<I128>(number) : static_cast<I128>(number);
}

}  // namespace mintmark::cli
