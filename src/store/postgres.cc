// Identity: the system identifier, which each initdb draws anew, with the timeline, which each promotion and
// each recovery to a point in time raises. Progress: the position to which the log is on the disk.
#include "store/postgres.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

namespace mintmark::store {

namespace {

constexpr std::array<std::string_view, 4> kSchema{
    "CREATE TABLE IF NOT EXISTS mintmark_store (\n"
    "  one smallint PRIMARY KEY CHECK (one = 1),\n"
    "  version integer NOT NULL CHECK (version = 1),\n"
    "  store_id text NOT NULL CHECK (length(store_id) = 32)\n"
    ")",
    "CREATE TABLE IF NOT EXISTS mintmark_meta (\n"
    "  space text COLLATE \"C\" PRIMARY KEY,\n"
    "  incarnation text NOT NULL CHECK (length(incarnation) = 32),\n"
    "  epoch bigint NOT NULL CHECK (epoch >= 0),\n"
    "  created_at bigint NOT NULL,       -- times: 100 ns since 1970\n"
    "  definition text NOT NULL,\n"
    "  marks text NOT NULL CHECK (marks IN ('slots', 'counter')),\n"
    "  slot_base bigint NOT NULL CHECK (slot_base >= 0),\n"
    "  slot_count bigint NOT NULL CHECK (slot_count >= 0),\n"
    "  layout_epoch bigint NOT NULL,\n"
    "  unit bigint NOT NULL,             -- lengths: 100 ns\n"
    "  horizon_max bigint NOT NULL CHECK (horizon_max > 0),\n"
    "  skew bigint NOT NULL CHECK (skew > 0),\n"
    "  not_before bigint NOT NULL CHECK (not_before >= 0),\n"
    "  range_floor bigint NOT NULL CHECK (range_floor >= 0),\n"
    "  engine_ident text NOT NULL,\n"
    "  suspect text\n"
    ")",
    "CREATE TABLE IF NOT EXISTS mintmark_marks (\n"
    "  space text COLLATE \"C\" NOT NULL,\n"
    "  slot bigint NOT NULL CHECK (slot >= 0),\n"
    "  hw bigint NOT NULL CHECK (hw >= 0),\n"
    "  gseq bigint NOT NULL CHECK (gseq >= 0),\n"
    "  owner text NOT NULL CHECK (length(owner) = 32),\n"
    "  PRIMARY KEY (space, slot)\n"
    ") WITH (fillfactor = 50)",
    "CREATE TABLE IF NOT EXISTS mintmark_items (\n"
    "  item bytea PRIMARY KEY,\n"
    "  value bytea NOT NULL\n"
    ")",
};

/// CREATE TABLE IF NOT EXISTS of two at once: unique_violation in the catalogue, duplicate_object for the
/// table's type, duplicate_table.
constexpr std::array<std::string_view, 3> kTableIsThere{"23505", "42710", "42P07"};

/// One round trip. Of a standby the log's position cannot be asked for in the way of a primary.
const std::string kEnter =
    "SELECT pg_is_in_recovery(), current_setting('fsync'), "
    "set_config('synchronous_commit', CASE current_setting('synchronous_commit') "
    "  WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false), "
    "set_config('default_transaction_isolation', 'read committed', false), "
    "current_setting('transaction_read_only'), "
    "(SELECT system_identifier FROM pg_control_system())::text, "
    "CASE WHEN pg_is_in_recovery() THEN '' "
    "  ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END, "
    "CASE WHEN pg_is_in_recovery() THEN 0 ELSE pg_current_wal_flush_lsn() - '0/0' END, "
    "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

Outcome<Identity> enter(io::sql::Connection& connection, std::string_view where, Unsafe unsafe,
                        BootInstant deadline) {
  const auto rows = connection.query(kEnter, deadline);
  if (!rows) return std::unexpected(sql_failure(rows.error(), Fault::store_unavailable));
  const io::sql::Row& row = rows->front();
  const auto text = [&row](std::size_t column) { return row[column].value_or("nothing"); };
  // Not a matter of settings: a standby cannot write, and a read-only session neither.
  if (text(0) != "f" || text(4) != "off") {
    return failure(Fault::incarnation_changed,
                   fmt::format("{}: role: found {}, wanted a primary", where,
                               text(0) != "f" ? "a standby" : "a session that only reads"));
  }
  Identity identity{.engine = "postgresql", .ident = fmt::format("{}/{}", text(5), text(6))};
  if (auto safe = require_setting(where, "fsync", text(1), "on", unsafe, identity.unsafe); !safe) {
    return std::unexpected(safe.error());
  }
  const auto number = [&](std::size_t column, auto& value) {
    const std::string digits = text(column);
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
  };
  std::int64_t now_us = 0;
  number(7, identity.progress);
  number(8, now_us);
  identity.now = Instant{std::chrono::microseconds{now_us}};
  return identity;
}

}  // namespace

const SqlDialect& postgres_dialect() {
  static constexpr SqlDialect kDialect{
      .engine = "postgresql",
      .schema = kSchema,
      .no_such_table = "42P01",
      .now_us = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint",
      .grant =
          "UPDATE mintmark_marks k SET {} FROM "
          "(SELECT 1 FROM mintmark_meta m WHERE {} FOR SHARE) s WHERE ",
      .insert_item =
          "INSERT INTO mintmark_items VALUES (decode('{}', 'hex'), decode('{}', 'hex')) "
          "ON CONFLICT DO NOTHING",
      .key_is_there = "23505",
      .table_is_there = kTableIsThere,
      .insert_marks =
          "INSERT INTO mintmark_marks SELECT '{0}', slot, {2}, 0, "
          "repeat('0', 32) FROM generate_series(0, {1} - 1) AS slot",
      .enter = enter};
  return kDialect;
}

}  // namespace mintmark::store
