#include "store/sql_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/os_clock.h"
#include "store/conditional.h"
#include "store/decide.h"
#include "store/row_text.h"
#include "store/sql_rows.h"

namespace mintmark::store {

namespace {

using io::sql::Connection;
using io::sql::Row;
using io::sql::Rows;
using io::sql::SqlFailure;
using io::sql::Trouble;

/// SQLSTATE class 40: the transaction was rolled back for another's sake, and may be tried again.
bool is_conflict(const SqlFailure& failure) { return failure.state.starts_with("40"); }

std::int64_t count(Duration length) { return length.count(); }
std::int64_t count(Instant instant) { return instant.time_since_epoch().count(); }

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<unsigned char>(c));
  }
  return text;
}

class SqlStore final : public ConditionalStore {
 public:
  SqlStore(const SqlDialect& dialect, io::sql::DatabaseUrl url, const Environment& environment)
      : ConditionalStore(environment),
        dialect_(dialect),
        url_(std::move(url)),
        environment_(environment) {}

  Outcome<void> start(BootInstant deadline);

  Outcome<SpaceMeta> open_space(const SpaceSetup& setup, BootInstant deadline) override;
  Outcome<bool> put_new(std::string_view key, std::string_view value,
                        BootInstant deadline) override;
  Outcome<std::vector<Mark>> scan(std::string_view space, BootInstant deadline) override;
  Outcome<Identity> identity(BootInstant deadline) override;

 protected:
  Outcome<std::optional<Sight>> see(std::string_view space, std::optional<std::uint64_t> slot,
                                    BootInstant deadline) override;
  Outcome<bool> change(std::string_view space, const Sight& seen, const SpaceMeta* meta,
                       const Mark* mark, BootInstant deadline) override;

 private:
  Outcome<void> connect(BootInstant deadline);
  /// Whether the server is the one of the first connection, and not behind what it was (protocol R9).
  Outcome<void> recognise(const Identity& now);
  /// A statement that only reads.
  Outcome<Rows> read(const std::string& text, BootInstant deadline);
  /// A statement that writes: the number of rows, or what is wrong with it.
  Outcome<std::uint64_t> write(const std::string& text, BootInstant deadline);
  /// Writes that are one: each has to change one row, or none is carried out (false).
  Outcome<bool> write_all(std::span<const std::string> texts, BootInstant deadline);

  Outcome<bool> make_tables(BootInstant deadline);
  Outcome<void> make_space(const SpaceSetup& setup, BootInstant deadline);
  Outcome<std::uint64_t> row_count(std::string_view space, BootInstant deadline);

  [[nodiscard]] std::string meta_condition(std::string_view space, const SpaceMeta& meta) const;
  [[nodiscard]] static std::string mark_condition(std::string_view space, const Mark& mark);

  const SqlDialect& dialect_;
  io::sql::DatabaseUrl url_;
  Environment environment_;
  std::unique_ptr<Connection> connection_;
  Nonce store_id_{};
  std::optional<Identity> identity_;  ///< of the first connection; its progress is the highest seen
};

Outcome<void> SqlStore::connect(BootInstant deadline) {
  if (connection_) return {};
  auto opened = io::sql::connect(url_, deadline);
  if (!opened) return std::unexpected(sql_failure(opened.error(), Fault::store_unavailable));
  const std::string where = url_.words();
  MINTMARK_TRY(identity, dialect_.enter(**opened, where, environment_.unsafe, deadline));
  if (auto same = recognise(identity); !same) return same;
  connection_ = std::move(*opened);
  if (store_id_ == Nonce{}) return {};
  // The database may be another one on the same server.
  const auto id = connection_->query("SELECT store_id FROM mintmark_store", deadline);
  const auto same = id && id->size() == 1 ? parse_nonce(id->front()[0].value_or("")) : std::nullopt;
  if (same == store_id_) return {};
  connection_.reset();
  if (!id) return std::unexpected(sql_failure(id.error(), Fault::store_unavailable));
  return failure(Fault::incarnation_changed,
                 fmt::format("{}: the store {} is not there any more", where, hex(store_id_)));
}

Outcome<void> SqlStore::recognise(const Identity& now) {
  if (!identity_) identity_ = now;
  if (now.ident != identity_->ident) {
    return failure(Fault::incarnation_changed,
                   fmt::format("{}: was {}, is {} now", url_.words(), identity_->ident, now.ident));
  }
  if (now.progress < identity_->progress) {
    return failure(Fault::store_regressed,
                   fmt::format("{}: its log was at {}, and is at {} now", url_.words(),
                               identity_->progress, now.progress));
  }
  identity_->progress = now.progress;
  return {};
}

Outcome<Rows> SqlStore::read(const std::string& text, BootInstant deadline) {
  if (auto connected = connect(deadline); !connected) return std::unexpected(connected.error());
  auto rows = connection_->query(text, deadline);
  if (rows) return std::move(*rows);
  const Trouble trouble = rows.error().trouble;
  if (trouble == Trouble::late || trouble == Trouble::lost) connection_.reset();
  return std::unexpected(sql_failure(rows.error(), Fault::store_unavailable));
}

Outcome<std::uint64_t> SqlStore::write(const std::string& text, BootInstant deadline) {
  if (auto connected = connect(deadline); !connected) return std::unexpected(connected.error());
  const auto done = connection_->query(text, deadline);
  if (!done) {
    if (is_conflict(done.error()) || done.error().state == dialect_.key_is_there) return 0;
    const Trouble trouble = done.error().trouble;
    if (trouble == Trouble::late || trouble == Trouble::lost) connection_.reset();
    return std::unexpected(sql_failure(done.error(), Fault::outcome_unknown));
  }
  const io::sql::Effect effect = connection_->effect();
  if (!effect.warned) return effect.rows;
  // PostgreSQL tells with a warning that its standby did not confirm a commit (protocol R3).
  return failure(Fault::outcome_unknown,
                 fmt::format("{}: the server had a warning about a write", url_.words()));
}

Outcome<bool> SqlStore::write_all(std::span<const std::string> texts, BootInstant deadline) {
  if (auto begun = write("START TRANSACTION", deadline); !begun) {
    return std::unexpected(begun.error());
  }
  for (const std::string& text : texts) {
    const auto rows = write(text, deadline);
    if (rows && *rows != 0) continue;
    // What was not committed is not there. A connection that cannot even say so is given up.
    if (connection_ && !connection_->query("ROLLBACK", deadline)) connection_.reset();
    if (rows) return false;
    Failure failed = rows.error();
    if (failed.error.fault() == Fault::outcome_unknown)
      failed.error = Error{Fault::store_unavailable};
    return std::unexpected(std::move(failed));
  }
  const auto committed = connection_->query("COMMIT", deadline);
  if (committed && !connection_->effect().warned) return true;
  connection_.reset();
  return failure(Fault::outcome_unknown,
                 fmt::format("{}: COMMIT: {}", url_.words(),
                             committed ? "the server had a warning" : committed.error().detail));
}

Outcome<void> SqlStore::start(BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  if (auto connected = connect(until); !connected) return connected;
  for (;;) {
    const auto rows = connection_->query("SELECT store_id FROM mintmark_store", until);
    if (rows && rows->size() == 1) {
      const auto id = parse_nonce(rows->front().front().value_or(""));
      if (id) {
        store_id_ = *id;
        return {};
      }
    }
    if (rows && !rows->empty()) {
      return failure(Fault::store_regressed,
                     fmt::format("{}: mintmark_store is not what mintmark writes", url_.words()));
    }
    const bool missing = !rows && rows.error().state == dialect_.no_such_table;
    if (!rows && !missing) {
      return std::unexpected(sql_failure(rows.error(), Fault::store_unavailable));
    }
    if (environment_.absent == Absent::refuse) {
      return failure(
          Fault::store_unavailable,
          fmt::format("{}: there is no store in this database; mintmark store init makes one",
                      url_.words()));
    }
    MINTMARK_TRY(made, make_tables(until));
    static_cast<void>(made);  // others may have made them
    if (io::os_clock().boot() >= until) {
      return failure(Fault::store_unavailable,
                     fmt::format("{}: the tables were not made in time", url_.words()));
    }
  }
}

/// True if this call made the store's row.
Outcome<bool> SqlStore::make_tables(BootInstant deadline) {
  for (const std::string_view statement : dialect_.schema) {
    const auto made = connection_->query(std::string{statement}, deadline);
    const auto& others = dialect_.table_is_there;
    if (made || std::ranges::find(others, made.error().state) != others.end()) continue;
    return std::unexpected(sql_failure(made.error(), Fault::store_unavailable));
  }
  MINTMARK_TRY(id, draw_nonce());
  const auto row = connection_->query(
      fmt::format("INSERT INTO mintmark_store VALUES (1, 1, '{}')", hex(id)), deadline);
  if (row) return true;
  if (row.error().state == dialect_.key_is_there) return false;
  return std::unexpected(sql_failure(row.error(), Fault::store_unavailable));
}

Outcome<std::uint64_t> SqlStore::row_count(std::string_view space, BootInstant deadline) {
  MINTMARK_TRY(rows, read(fmt::format("SELECT count(*) FROM mintmark_marks WHERE space = '{}'",
                                      escape_name(space)),
                          deadline));
  std::uint64_t number = 0;
  if (!rows.empty()) SqlColumns{rows.front()}.read(number);
  return number;
}

Outcome<SpaceMeta> SqlStore::open_space(const SpaceSetup& setup, BootInstant deadline) {
  if (auto checked = check_setup(setup); !checked) return std::unexpected(checked.error());
  MINTMARK_TRY(until, enter(deadline));
  for (;;) {
    MINTMARK_TRY(seen, see(setup.name, std::nullopt, until));
    MINTMARK_TRY(rows, row_count(setup.name, until));
    if (seen) {
      const SpaceMeta& meta = seen->meta;
      const std::uint64_t wanted = meta.marks == Marks::slots ? meta.slot_count : 1;
      if (rows == wanted) return meta;
      return failure(Fault::store_regressed,
                     fmt::format("space \"{}\" has {} rows of {}", setup.name, rows, wanted));
    }
    if (rows != 0) {
      // Somebody may have made the space between the two looks.
      MINTMARK_TRY(again, see(setup.name, std::nullopt, until));
      if (again) continue;
      return failure(Fault::store_regressed,
                     fmt::format("space \"{}\" has rows and no meta row", setup.name));
    }
    const auto made = make_space(setup, until);
    if (!made && made.error().error.fault() != Fault::outcome_unknown) {
      return std::unexpected(made.error());
    }
  }
}

Outcome<void> SqlStore::make_space(const SpaceSetup& setup, BootInstant deadline) {
  MINTMARK_TRY(now, read(fmt::format("SELECT {}", dialect_.now_us), deadline));
  std::int64_t now_us = 0;
  SqlColumns{now.front()}.read(now_us);
  const Instant made_at{std::chrono::microseconds{now_us}};
  MINTMARK_TRY(meta,
               new_meta(setup, store_id_, made_at, setup.skew, Past::possible, identity_->ident));
  const bool counter = meta.marks == Marks::counter;
  const std::string space = escape_name(setup.name);
  // The meta row first: whoever makes the same space waits there, and finds it made.
  const std::array texts{
      fmt::format("INSERT INTO mintmark_meta VALUES ('{}', '{}', {}, {}, '{}', '{}', {}, {}, {}, "
                  "{}, {}, {}, {}, {}, '{}', NULL)",
                  space, hex(meta.incarnation), meta.epoch, count(meta.created_at),
                  escape_text(meta.definition), counter ? "counter" : "slots", meta.slot_base,
                  meta.slot_count, count(meta.layout_epoch), count(meta.unit),
                  count(meta.horizon_max), count(meta.skew), meta.not_before, meta.range_floor,
                  escape_text(meta.engine_ident)),
      fmt::format(fmt::runtime(dialect_.insert_marks), space, counter ? 1 : meta.slot_count,
                  counter ? setup.first_value : 0)};
  MINTMARK_TRY(written, write_all(texts, deadline));
  static_cast<void>(written);  // its key was there: somebody else made it
  return {};
}

std::string SqlStore::meta_condition(std::string_view space, const SpaceMeta& meta) const {
  return fmt::format(
      "m.space = '{}' AND m.incarnation = '{}' AND m.epoch = {} AND m.not_before = {} AND "
      "m.range_floor = {} AND m.engine_ident = '{}' AND m.suspect {}",
      escape_name(space), hex(meta.incarnation), meta.epoch, meta.not_before, meta.range_floor,
      escape_text(meta.engine_ident),
      meta.suspect ? fmt::format("= '{}'", escape_text(*meta.suspect)) : "IS NULL");
}

std::string SqlStore::mark_condition(std::string_view space, const Mark& mark) {
  return fmt::format(
      "k.space = '{}' AND k.slot = {} AND k.hw = {} AND k.gseq = {} AND k.owner = '{}'",
      escape_name(space), mark.slot, mark.high_water, mark.grants, hex(mark.owner));
}

Outcome<std::optional<Sight>> SqlStore::see(std::string_view space,
                                            std::optional<std::uint64_t> slot,
                                            BootInstant deadline) {
  MINTMARK_TRY(
      rows, read(fmt::format("SELECT {}, {}, k.hw, k.gseq, k.owner FROM mintmark_meta m LEFT JOIN "
                             "mintmark_marks k ON k.space = m.space AND k.slot = {} WHERE "
                             "m.space = '{}'",
                             dialect_.now_us, kMetaColumns, slot ? std::to_string(*slot) : "-1",
                             escape_name(space)),
                 deadline));
  if (rows.empty()) return std::nullopt;
  SqlColumns columns{rows.front()};
  std::int64_t now_us = 0;
  columns.read(now_us);
  Sight seen{.meta = read_meta(columns, store_id_),
             .mark = {},
             .ident = identity_->ident,
             .now = Instant{std::chrono::microseconds{now_us}}};
  if (!columns.next_is_null()) {
    Mark& mark = seen.mark.emplace(Mark{.slot = slot.value_or(0)});
    columns.read(mark.high_water);
    columns.read(mark.grants);
    columns.read(mark.owner);
  }
  if (columns.good()) return seen;
  return failure(Fault::store_regressed,
                 fmt::format("the rows of space \"{}\" are not what mintmark writes", space));
}

Outcome<bool> SqlStore::change(std::string_view space, const Sight& seen, const SpaceMeta* meta,
                               const Mark* mark, BootInstant deadline) {
  const std::string marked = mark == nullptr
                                 ? std::string{}
                                 : fmt::format("hw = {}, gseq = {}, owner = '{}'", mark->high_water,
                                               mark->grants, hex(mark->owner));
  const std::string seen_meta = meta_condition(space, seen.meta);
  if (meta == nullptr) {
    MINTMARK_TRY(rows, write(fmt::format(fmt::runtime(dialect_.grant), marked, seen_meta) +
                                 mark_condition(space, *seen.mark),
                             deadline));
    return rows != 0;
  }
  std::vector<std::string> texts{fmt::format(
      "UPDATE mintmark_meta m SET incarnation = '{}', epoch = {}, not_before = {}, range_floor = "
      "{}, "
      "engine_ident = '{}', suspect = {} WHERE {}",
      hex(meta->incarnation), meta->epoch, meta->not_before, meta->range_floor,
      escape_text(meta->engine_ident),
      meta->suspect ? fmt::format("'{}'", escape_text(*meta->suspect)) : "NULL", seen_meta)};
  if (mark != nullptr) {
    texts.push_back(fmt::format("UPDATE mintmark_marks k SET {} WHERE {}", marked,
                                mark_condition(space, *seen.mark)));
  }
  return write_all(texts, deadline);
}

Outcome<std::vector<Mark>> SqlStore::scan(std::string_view space, BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  MINTMARK_TRY(rows, read(fmt::format("SELECT slot, hw, gseq, owner FROM mintmark_marks WHERE "
                                      "space = '{}' ORDER BY slot",
                                      escape_name(space)),
                          until));
  if (rows.empty()) {
    return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
  }
  std::vector<Mark> marks;
  marks.reserve(rows.size());
  for (const Row& row : rows) {
    SqlColumns columns{row};
    Mark& mark = marks.emplace_back();
    columns.read(mark.slot);
    columns.read(mark.high_water);
    columns.read(mark.grants);
    columns.read(mark.owner);
    if (columns.good()) continue;
    return failure(Fault::store_regressed,
                   fmt::format("the marks of space \"{}\" are not what mintmark writes", space));
  }
  return marks;
}

Outcome<bool> SqlStore::put_new(std::string_view key, std::string_view value,
                                BootInstant deadline) {
  if (auto checked = check_item(key, value); !checked) return std::unexpected(checked.error());
  MINTMARK_TRY(until, enter(deadline));
  MINTMARK_TRY(rows, write(fmt::format(fmt::runtime(dialect_.insert_item), hexadecimal(key),
                                       hexadecimal(value)),
                           until));
  return rows != 0;
}

Outcome<Identity> SqlStore::identity(BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  if (auto connected = connect(until); !connected) return std::unexpected(connected.error());
  auto identity = dialect_.enter(*connection_, url_.words(), environment_.unsafe, until);
  if (!identity) {
    connection_.reset();
    return identity;
  }
  if (auto same = recognise(*identity); !same) return std::unexpected(same.error());
  return identity;
}

}  // namespace

Outcome<std::unique_ptr<Store>> open_sql(const SqlDialect& dialect, const io::sql::DatabaseUrl& url,
                                         const Environment& environment, BootInstant deadline) {
  auto store = std::make_unique<SqlStore>(dialect, url, environment);
  if (auto started = store->start(deadline); !started) return std::unexpected(started.error());
  return store;
}

Failure sql_failure(const io::sql::SqlFailure& failure, Fault unsure) {
  switch (failure.trouble) {
    case Trouble::bad_url:
      return {Error{Fault::invalid_argument}, failure.detail};
    case Trouble::late:
    case Trouble::lost:
      return {Error{unsure}, failure.detail};
    case Trouble::no_library:
    case Trouble::unreachable:
    case Trouble::not_permitted:
    case Trouble::cancelled:
    case Trouble::refused:
      break;
  }
  return {Error{Fault::store_unavailable}, failure.detail};
}

Outcome<void> require_setting(std::string_view where, std::string_view setting,
                              std::string_view found, std::string_view wanted, Unsafe unsafe,
                              std::vector<std::string>& off) {
  if (found == wanted) return {};
  std::string words = fmt::format("{}: found {}, wanted {}", setting, found, wanted);
  if (unsafe == Unsafe::refuse) {
    return failure(Fault::unsafe_store_config, fmt::format("{}: {}", where, words));
  }
  off.push_back(std::move(words));
  return {};
}

}  // namespace mintmark::store
