// The SQLite engine: each call one transaction, each write alone from its start (BEGIN IMMEDIATE), and
// durable when the call returns (WAL with synchronous=FULL; protocol 2.7.6).
//
// The store's clock is the time line of the last window (protocol R8): good within one start of the
// machine, unknown after another.

#include "store/sqlite.h"

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/file.h"
#include "io/host.h"
#include "store/decide.h"
#include "store/sqlite_file.h"
#include "store/time_line.h"

namespace mintmark::store {

namespace {

using Kind = Transaction::Kind;

std::int64_t ticks(Duration length) { return length.count(); }
std::int64_t ticks(Instant instant) { return instant.time_since_epoch().count(); }

class SqliteStore final : public Store {
 public:
  SqliteStore(SqliteFile file, const Clock& clock)
      : file_(std::move(file)), clock_(clock), boot_id_(io::boot_id()) {}

  Outcome<SpaceMeta> open_space(const SpaceSetup& setup, BootInstant deadline) override;
  Answer advance(const Claim& claim, BootInstant deadline) override;
  Outcome<bool> put_new(std::string_view key, std::string_view value,
                        BootInstant deadline) override;
  Outcome<std::vector<Mark>> scan(std::string_view space, BootInstant deadline) override;
  Outcome<Identity> identity(BootInstant deadline) override;
  Outcome<void> set_suspect(std::string_view space, std::string_view reason,
                            BootInstant deadline) override;
  Outcome<SpaceMeta> fence(std::string_view space, const FenceOrder& order,
                           BootInstant deadline) override;
  Outcome<void> accept_time(BootInstant deadline) override;

 private:
  [[nodiscard]] Database& database() { return *file_.database; }
  [[nodiscard]] TimeLine here() const { return read_line(clock_, boot_id_); }

  /// The transaction of a call has begun, on the file that the path names.
  Outcome<void> enter(Transaction& transaction, Kind kind, BootInstant deadline);

  Outcome<std::optional<SpaceMeta>> read_meta(std::string_view space);
  Outcome<std::optional<Mark>> read_mark(std::string_view space, std::uint64_t slot);
  Outcome<TimeLine> read_kept_line();
  Outcome<void> write_line(const TimeLine& line);
  Outcome<void> write_fence(std::string_view space, const Fenced& fence);
  Outcome<void> write_suspect(std::string_view space, std::string_view reason);
  Outcome<void> write_grant(const Claim& claim, const Mark& before, const Grant& grant);

  Outcome<std::optional<SpaceMeta>> existing(const SpaceSetup& setup);
  Outcome<SpaceMeta> make_space(const SpaceSetup& setup);
  Outcome<Answer> advance_in(Transaction& transaction, const Claim& claim, BootInstant deadline);

  SqliteFile file_;
  const Clock& clock_;
  std::string boot_id_;
};

Outcome<void> SqliteStore::enter(Transaction& transaction, Kind kind, BootInstant deadline) {
  if (auto entered = database().enter(deadline); !entered) return entered;
  if (auto begun = transaction.begin(kind); !begun) return begun;
  if (auto doubt = doubt_about(file_)) return std::unexpected(*doubt);
  return {};
}

Outcome<SpaceMeta> SqliteStore::open_space(const SpaceSetup& setup, BootInstant deadline) {
  if (auto checked = check_setup(setup); !checked) return std::unexpected(checked.error());
  // Most calls find the space: many processes may look at once, but only one may write.
  for (const Kind kind : {Kind::read, Kind::write}) {
    Transaction transaction{database()};
    if (auto entered = enter(transaction, kind, deadline); !entered) {
      return std::unexpected(entered.error());
    }
    MINTMARK_TRY(found, existing(setup));
    if (found) return *found;
    if (kind == Kind::read) continue;
    MINTMARK_TRY(made, make_space(setup));
    if (auto committed = transaction.commit(); !committed) {
      return std::unexpected(committed.error());
    }
    return made;
  }
  std::unreachable();
}

Outcome<std::optional<SpaceMeta>> SqliteStore::existing(const SpaceSetup& setup) {
  MINTMARK_TRY(row, read_meta(setup.name));
  std::uint64_t rows = 0;
  {
    Query count{database(), "SELECT count(*) FROM marks WHERE space = ?1"};
    MINTMARK_TRY(counted, count.bind(1, setup.name).step());
    if (counted) rows = count.unsigned_number(0);
  }
  if (!row) {
    if (rows == 0) return std::nullopt;
    return failure(Fault::store_regressed,
                   fmt::format("space \"{}\" has rows and no meta row", setup.name));
  }
  const std::uint64_t wanted = row->marks == Marks::slots ? row->slot_count : 1;
  if (rows == wanted) return *row;
  return failure(Fault::store_regressed,
                 fmt::format("space \"{}\" has {} rows of {}", setup.name, rows, wanted));
}

Outcome<SpaceMeta> SqliteStore::make_space(const SpaceSetup& setup) {
  // E counts as 0: all processes of one host read one clock.
  MINTMARK_TRY(meta,
               new_meta(setup, file_.store_id, clock_.wall(), Duration::zero(), file_.past, {}));
  {
    Query rows{
        database(),
        "WITH RECURSIVE n(slot) AS (SELECT 0 UNION ALL SELECT slot + 1 FROM n "
        "WHERE slot + 1 < ?2) INSERT INTO marks SELECT ?1, slot, ?3, 0, zeroblob(16) FROM n"};
    const bool counter = setup.marks == Marks::counter;
    rows.bind(1, setup.name).bind(2, counter ? std::uint64_t{1} : meta.slot_count);
    rows.bind(3, counter ? setup.first_value : std::uint64_t{0});
    if (auto inserted = rows.run(); !inserted) return std::unexpected(inserted.error());
  }
  Query row{
      database(),
      "INSERT INTO meta VALUES (?1, ?2, 0, ?3, ?4, ?5, 0, ?6, ?7, ?8, ?9, ?10, ?11, 0, NULL)"};
  row.bind(1, setup.name).bind(2, meta.incarnation).bind(3, ticks(meta.created_at));
  row.bind(4, meta.definition).bind(5, std::uint64_t{meta.marks == Marks::counter ? 1U : 0U});
  row.bind(6, meta.slot_count).bind(7, ticks(meta.layout_epoch)).bind(8, ticks(meta.unit));
  row.bind(9, ticks(meta.horizon_max)).bind(10, ticks(meta.skew)).bind(11, meta.not_before);
  if (auto inserted = row.run(); !inserted) return std::unexpected(inserted.error());
  return meta;
}

Answer SqliteStore::advance(const Claim& claim, BootInstant deadline) {
  Transaction transaction{database()};
  auto answer = advance_in(transaction, claim, deadline);
  if (!answer) return Refused{.failure = answer.error(), .store_now = {}};
  return *answer;
}

Outcome<Answer> SqliteStore::advance_in(Transaction& transaction, const Claim& claim,
                                        BootInstant deadline) {
  if (auto entered = database().enter(deadline); !entered) return std::unexpected(entered.error());
  if (auto begun = transaction.begin(Kind::write); !begun) return std::unexpected(begun.error());
  MINTMARK_TRY(row, read_meta(claim.space));
  if (!row) {
    if (auto doubt = doubt_about(file_)) return std::unexpected(*doubt);
    return failure(Fault::store_regressed,
                   fmt::format("{}: space \"{}\" has no meta row", database().path(), claim.space));
  }
  Standing standing{.meta = *row, .mark = {}, .engine = doubt_about(file_), .now = {}};
  if (claim.slot <= kMostValue) {
    MINTMARK_TRY(mark, read_mark(claim.space, claim.slot));
    standing.mark = mark;
  }
  MINTMARK_TRY(line, read_kept_line());
  const TimeLine now = here();
  standing.now = now_by(line, now, row->skew);
  Answer answer = decide(claim, standing);
  if (const auto* refusal = std::get_if<Refused>(&answer)) {
    const bool regressed = refusal->failure.error.fault() == Fault::store_regressed;
    if (regressed && !row->suspect) {
      // The caller stops in any case; a mark that cannot be written is set by the next who sees it.
      auto written = write_suspect(claim.space, refusal->failure.detail);
      if (written) written = transaction.commit();
    }
    return answer;
  }
  const auto* grant = std::get_if<Grant>(&answer);
  if (grant == nullptr) return answer;
  if (auto written = write_grant(claim, *standing.mark, *grant); !written) {
    return std::unexpected(written.error());
  }
  if (claim.marks == Marks::slots) {
    if (auto kept = write_line(newer_line(line, now, row->skew)); !kept) {
      return std::unexpected(kept.error());
    }
  }
  if (auto committed = transaction.commit(); !committed) return std::unexpected(committed.error());
  return answer;
}

Outcome<void> SqliteStore::write_grant(const Claim& claim, const Mark& before, const Grant& grant) {
  Query row{database(),
            "UPDATE marks SET hw = ?3, gseq = gseq + 1, owner = ?4 "
            "WHERE space = ?1 AND slot = ?2 AND hw = ?5 RETURNING gseq"};
  row.bind(1, claim.space).bind(2, claim.slot).bind(3, grant.end).bind(4, claim.life);
  row.bind(5, before.high_water);
  MINTMARK_TRY(updated, row.step());
  MINTMARK_CHECK(updated && row.unsigned_number(0) == grant.grants);
  // To the end before COMMIT (protocol 2.7.6).
  return row.run();
}

Outcome<bool> SqliteStore::put_new(std::string_view key, std::string_view value,
                                   BootInstant deadline) {
  if (auto checked = check_item(key, value); !checked) return std::unexpected(checked.error());
  Transaction transaction{database()};
  if (auto entered = enter(transaction, Kind::write, deadline); !entered) {
    return std::unexpected(entered.error());
  }
  bool inserted = false;
  {
    Query row{database(),
              "INSERT INTO items VALUES (?1, CAST(?2 AS BLOB)) ON CONFLICT DO NOTHING RETURNING 1"};
    MINTMARK_TRY(returned, row.bind(1, key).bind(2, value).step());
    inserted = returned;
    if (inserted) {
      if (auto done = row.run(); !done) return std::unexpected(done.error());
    }
  }
  if (!inserted) return false;
  if (auto committed = transaction.commit(); !committed) return std::unexpected(committed.error());
  return true;
}

Outcome<std::vector<Mark>> SqliteStore::scan(std::string_view space, BootInstant deadline) {
  Transaction transaction{database()};
  if (auto entered = enter(transaction, Kind::read, deadline); !entered) {
    return std::unexpected(entered.error());
  }
  MINTMARK_TRY(meta, read_meta(space));
  if (!meta) {
    return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
  }
  std::vector<Mark> marks;
  Query rows{database(), "SELECT slot, hw, gseq, owner FROM marks WHERE space = ?1 ORDER BY slot"};
  rows.bind(1, space);
  for (;;) {
    MINTMARK_TRY(row, rows.step());
    if (!row) return marks;
    marks.push_back({.slot = rows.unsigned_number(0),
                     .high_water = rows.unsigned_number(1),
                     .grants = rows.unsigned_number(2),
                     .owner = rows.nonce(3)});
  }
}

Outcome<Identity> SqliteStore::identity(BootInstant deadline) {
  Transaction transaction{database()};
  if (auto entered = enter(transaction, Kind::read, deadline); !entered) {
    return std::unexpected(entered.error());
  }
  Query sum{database(), "SELECT coalesce(sum(gseq), 0) FROM marks"};
  MINTMARK_TRY(summed, sum.step());
  MINTMARK_TRY(line, read_kept_line());
  return Identity{.engine = "sqlite",
                  .ident = fmt::format("{}/{}", hex(file_.store_id), file_.file.inode),
                  .progress = summed ? sum.unsigned_number(0) : 0,
                  .now = now_by(line, here(), SpaceSetup{}.skew)};
}

Outcome<void> SqliteStore::set_suspect(std::string_view space, std::string_view reason,
                                       BootInstant deadline) {
  Transaction transaction{database()};
  if (auto entered = enter(transaction, Kind::write, deadline); !entered) return entered;
  MINTMARK_TRY(meta, read_meta(space));
  if (!meta) {
    return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
  }
  if (meta->suspect) return {};
  if (auto written = write_suspect(space, reason); !written) return written;
  return transaction.commit();
}

Outcome<SpaceMeta> SqliteStore::fence(std::string_view space, const FenceOrder& order,
                                      BootInstant deadline) {
  Transaction transaction{database()};
  if (auto entered = enter(transaction, Kind::write, deadline); !entered) {
    return std::unexpected(entered.error());
  }
  MINTMARK_TRY(meta, read_meta(space));
  if (!meta) {
    return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
  }
  std::optional<Mark> counter;
  if (meta->marks == Marks::counter) {
    MINTMARK_TRY(mark, read_mark(space, 0));
    counter = mark;
  }
  MINTMARK_TRY(fence, fenced(space, std::move(*meta), counter, order, clock_.wall(), {}));
  if (auto written = write_fence(space, fence); !written) return std::unexpected(written.error());
  if (auto committed = transaction.commit(); !committed) return std::unexpected(committed.error());
  return fence.meta;
}

Outcome<void> SqliteStore::write_fence(std::string_view space, const Fenced& fence) {
  Query row{database(),
            "UPDATE meta SET epoch = ?2, incarnation = ?3, not_before = ?4, range_floor = ?5, "
            "suspect = NULL WHERE space = ?1"};
  row.bind(1, space).bind(2, std::uint64_t{fence.meta.epoch}).bind(3, fence.meta.incarnation);
  row.bind(4, fence.meta.not_before).bind(5, fence.meta.range_floor);
  if (auto written = row.run(); !written || !fence.counter) return written;
  Query mark{database(), "UPDATE marks SET hw = ?2 WHERE space = ?1 AND slot = 0"};
  return mark.bind(1, space).bind(2, fence.counter->high_water).run();
}

Outcome<void> SqliteStore::accept_time(BootInstant deadline) {
  Transaction transaction{database()};
  if (auto entered = enter(transaction, Kind::write, deadline); !entered) return entered;
  if (auto written = write_line(here()); !written) return written;
  return transaction.commit();
}

Outcome<std::optional<SpaceMeta>> SqliteStore::read_meta(std::string_view space) {
  Query row{database(),
            "SELECT incarnation, epoch, created_at, definition, marks, slot_base, slot_count, "
            "layout_epoch, unit, horizon_max, skew, not_before, range_floor, suspect FROM meta "
            "WHERE space = ?1"};
  MINTMARK_TRY(found, row.bind(1, space).step());
  if (!found) return std::nullopt;
  SpaceMeta read;
  read.store_id = file_.store_id;
  read.incarnation = row.nonce(0);
  read.epoch = static_cast<std::uint32_t>(row.number(1));
  read.created_at = Instant{Duration{row.number(2)}};
  read.definition = row.text(3);
  read.marks = row.number(4) == 1 ? Marks::counter : Marks::slots;
  read.slot_base = row.unsigned_number(5);
  read.slot_count = row.unsigned_number(6);
  read.layout_epoch = Instant{Duration{row.number(7)}};
  read.unit = Duration{row.number(8)};
  read.horizon_max = Duration{row.number(9)};
  read.skew = Duration{row.number(10)};
  read.not_before = row.unsigned_number(11);
  read.range_floor = row.unsigned_number(12);
  if (!row.null(13)) read.suspect = row.text(13);
  return read;
}

Outcome<std::optional<Mark>> SqliteStore::read_mark(std::string_view space, std::uint64_t slot) {
  Query row{database(), "SELECT hw, gseq, owner FROM marks WHERE space = ?1 AND slot = ?2"};
  MINTMARK_TRY(found, row.bind(1, space).bind(2, slot).step());
  if (!found) return std::nullopt;
  return Mark{.slot = slot,
              .high_water = row.unsigned_number(0),
              .grants = row.unsigned_number(1),
              .owner = row.nonce(2)};
}

Outcome<TimeLine> SqliteStore::read_kept_line() {
  Query row{database(), "SELECT boot_id, boot, wall, synchronized FROM host"};
  MINTMARK_TRY(found, row.step());
  if (!found) {
    return failure(Fault::store_regressed,
                   fmt::format("{}: its host row is missing", database().path()));
  }
  return TimeLine{.boot_id = row.text(0),
                  .boot = BootInstant{Duration{row.number(1)}},
                  .wall = Instant{Duration{row.number(2)}},
                  .synchronized = row.number(3) == 1 ? Synchronized::yes : Synchronized::no};
}

Outcome<void> SqliteStore::write_line(const TimeLine& line) {
  Query row{database(), "UPDATE host SET boot_id = ?1, boot = ?2, wall = ?3, synchronized = ?4"};
  row.bind(1, line.boot_id).bind(2, line.boot.time_since_epoch().count());
  row.bind(3, ticks(line.wall));
  row.bind(4, std::uint64_t{line.synchronized == Synchronized::yes ? 1U : 0U});
  return row.run();
}

Outcome<void> SqliteStore::write_suspect(std::string_view space, std::string_view reason) {
  Query row{database(), "UPDATE meta SET suspect = ?2 WHERE space = ?1 AND suspect IS NULL"};
  return row.bind(1, space).bind(2, reason).run();
}

}  // namespace

Outcome<std::unique_ptr<Store>> open_sqlite(const std::string& path, const Environment& environment,
                                            BootInstant deadline) {
  if (environment.absent == Absent::refuse) {
    const auto facts = io::facts_of(path);
    if (!facts) return failure(Fault::store_unavailable, facts.error().detail);
  }
  MINTMARK_TRY(file, open_sqlite_file(path, environment.clock, deadline));
  return std::make_unique<SqliteStore>(std::move(file), environment.clock);
}

}  // namespace mintmark::store
