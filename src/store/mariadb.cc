// Identity: server_uid of MariaDB (made from the address of the network card and the port) with server_id,
// which is another one on each server of a replication; server_uuid of MySQL. Progress: the position to which
// InnoDB's log is on the disk.
#include "store/mariadb.h"

#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace mintmark::store {

namespace {

constexpr std::array<std::string_view, 4> kSchema{
    "CREATE TABLE IF NOT EXISTS mintmark_store (\n"
    "  one TINYINT NOT NULL PRIMARY KEY,\n"
    "  version INT NOT NULL,\n"
    "  store_id CHAR(32) NOT NULL\n"
    ") ENGINE=InnoDB CHARACTER SET ascii COLLATE ascii_bin",
    "CREATE TABLE IF NOT EXISTS mintmark_meta (\n"
    "  space VARCHAR(765) NOT NULL PRIMARY KEY,\n"
    "  incarnation CHAR(32) NOT NULL,\n"
    "  epoch BIGINT NOT NULL,\n"
    "  created_at BIGINT NOT NULL COMMENT 'times: 100 ns since 1970',\n"
    "  definition MEDIUMTEXT NOT NULL,\n"
    "  marks ENUM('slots', 'counter') NOT NULL,\n"
    "  slot_base BIGINT NOT NULL,\n"
    "  slot_count BIGINT NOT NULL,\n"
    "  layout_epoch BIGINT NOT NULL,\n"
    "  unit BIGINT NOT NULL COMMENT 'lengths: 100 ns',\n"
    "  horizon_max BIGINT NOT NULL,\n"
    "  skew BIGINT NOT NULL,\n"
    "  not_before BIGINT NOT NULL,\n"
    "  range_floor BIGINT NOT NULL,\n"
    "  engine_ident VARCHAR(255) NOT NULL,\n"
    "  suspect TEXT\n"
    ") ENGINE=InnoDB CHARACTER SET ascii COLLATE ascii_bin",
    "CREATE TABLE IF NOT EXISTS mintmark_marks (\n"
    "  space VARCHAR(765) NOT NULL,\n"
    "  slot BIGINT NOT NULL,\n"
    "  hw BIGINT NOT NULL,\n"
    "  gseq BIGINT NOT NULL,\n"
    "  owner CHAR(32) NOT NULL,\n"
    "  PRIMARY KEY (space, slot)\n"
    ") ENGINE=InnoDB CHARACTER SET ascii COLLATE ascii_bin",
    "CREATE TABLE IF NOT EXISTS mintmark_items (\n"
    "  item VARBINARY(1024) NOT NULL PRIMARY KEY,\n"
    "  value MEDIUMBLOB NOT NULL\n"
    ") ENGINE=InnoDB",
};

/// REPEATABLE READ, because only then the condition on the meta row takes a lock.
constexpr std::array<std::string_view, 2> kSession{
    "SET SESSION time_zone = '+00:00', autocommit = 1, "
    "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
};

constexpr std::string_view kVariables =
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_uid', 'server_uuid', 'server_id', "
    "'log_bin', 'sync_binlog', 'innodb_flush_log_at_trx_commit', 'read_only', "
    "'innodb_read_only')";

constexpr std::string_view kLog =
    "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED), "
    "(SELECT CAST(variable_value AS SIGNED) FROM information_schema.global_status "
    " WHERE variable_name = 'INNODB_LSN_FLUSHED')";
/// MySQL keeps it elsewhere.
constexpr std::string_view kMysqlLog =
    "SELECT CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED), "
    "(SELECT CAST(variable_value AS SIGNED) FROM performance_schema.global_status "
    " WHERE variable_name = 'Innodb_redo_log_flushed_to_disk_lsn')";

using Settings = std::map<std::string, std::string, std::less<>>;

Outcome<Settings> ask_settings(io::sql::Connection& connection, BootInstant deadline) {
  for (const std::string_view statement : kSession) {
    const auto done = connection.query(std::string{statement}, deadline);
    if (!done) return std::unexpected(sql_failure(done.error(), Fault::store_unavailable));
  }
  const auto rows = connection.query(std::string{kVariables}, deadline);
  if (!rows) return std::unexpected(sql_failure(rows.error(), Fault::store_unavailable));
  Settings settings;
  for (const io::sql::Row& row : *rows) settings[row[0].value_or("")] = row[1].value_or("");
  return settings;
}

Outcome<void> check(std::string_view where, Settings& settings, Unsafe unsafe,
                    std::vector<std::string>& off) {
  for (const char* const name : {"read_only", "innodb_read_only"}) {
    const std::string& found = settings[name];
    if (found.starts_with("OFF") || found.empty()) continue;
    return failure(Fault::incarnation_changed,
                   fmt::format("{}: {}: found {}, wanted a primary", where, name, found));
  }
  const auto require = [&](const char* name) {
    return require_setting(where, name, settings[name], "1", unsafe, off);
  };
  if (auto safe = require("innodb_flush_log_at_trx_commit"); !safe) return safe;
  // Without a binary log there is none that could be behind after a crash.
  return settings["log_bin"] == "ON" ? require("sync_binlog") : Outcome<void>{};
}

Outcome<Identity> enter(io::sql::Connection& connection, std::string_view where, Unsafe unsafe,
                        BootInstant deadline) {
  MINTMARK_TRY(settings, ask_settings(connection, deadline));
  const bool mysql = settings.contains("server_uuid");
  Identity identity{.engine = mysql ? "mysql" : "mariadb", .ident = {}};
  identity.ident = mysql ? settings["server_uuid"]
                         : fmt::format("{}/{}", settings["server_uid"], settings["server_id"]);
  if (auto safe = check(where, settings, unsafe, identity.unsafe); !safe) {
    return std::unexpected(safe.error());
  }
  const auto log = connection.query(std::string{mysql ? kMysqlLog : kLog}, deadline);
  if (!log) return std::unexpected(sql_failure(log.error(), Fault::store_unavailable));
  const auto number = [&log](std::size_t column, auto& value) {
    const std::string digits = log->front()[column].value_or("");
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
  };
  std::int64_t now_us = 0;
  number(0, now_us);
  number(1, identity.progress);
  identity.now = Instant{std::chrono::microseconds{now_us}};
  return identity;
}

}  // namespace

const SqlDialect& mariadb_dialect() {
  // Slots are counted by four hexadecimal digits: no recursion, which has limits of its own.
  static constexpr SqlDialect kDialect{
      .engine = "mariadb",
      .schema = kSchema,
      .no_such_table = "42S02",
      .now_us = "CAST(UNIX_TIMESTAMP(SYSDATE(6)) * 1000000 AS SIGNED)",
      .grant = "UPDATE mintmark_meta m STRAIGHT_JOIN mintmark_marks k SET {} WHERE {} AND ",
      .insert_item = "INSERT INTO mintmark_items VALUES (X'{}', X'{}')",
      .key_is_there = "23000",
      .table_is_there = {},
      .insert_marks =
          "INSERT INTO mintmark_marks "
          "WITH h AS (SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION "
          "ALL "
          "SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 "
          "UNION ALL SELECT 9 UNION ALL SELECT 10 UNION ALL SELECT 11 UNION ALL SELECT 12 "
          "UNION ALL SELECT 13 UNION ALL SELECT 14 UNION ALL SELECT 15) "
          "SELECT '{0}', a.n * 4096 + b.n * 256 + c.n * 16 + d.n, {2}, 0, repeat('0', 32) "
          "FROM h a JOIN h b JOIN h c JOIN h d "
          "WHERE a.n * 4096 + b.n * 256 + c.n * 16 + d.n < {1}",
      .enter = enter};
  return kDialect;
}

}  // namespace mintmark::store
