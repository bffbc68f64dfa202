#include "store/sqlite_file.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/host.h"
#include "io/os_clock.h"
#include "store/sole_name.h"
#include "store/time_line.h"

namespace mintmark::store {

namespace {

/// "mint" in the header of the file (fileformat2.html, 1.3.13), so that no other program's database is
/// taken for a store.
constexpr std::string_view kApplicationId = "1835626100";
constexpr std::string_view kSchemaVersion = "2";

/// Instants and durations are in units of 100 ns, wall time since 1970. Nonces are 16 bytes.
constexpr const char* kSchema = R"(
PRAGMA application_id = 1835626100;
PRAGMA user_version = 2;
CREATE TABLE host (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  store_id BLOB NOT NULL CHECK (length(store_id) = 16),
  machine_id TEXT NOT NULL,
  made_with_folder INTEGER NOT NULL CHECK (made_with_folder IN (0, 1)),
  boot_id TEXT NOT NULL,
  boot INTEGER NOT NULL,
  wall INTEGER NOT NULL,
  synchronized INTEGER NOT NULL CHECK (synchronized IN (0, 1))
) STRICT;
CREATE TABLE meta (
  space TEXT PRIMARY KEY,
  incarnation BLOB NOT NULL CHECK (length(incarnation) = 16),
  epoch INTEGER NOT NULL CHECK (epoch >= 0),
  created_at INTEGER NOT NULL,
  definition TEXT NOT NULL,
  marks INTEGER NOT NULL CHECK (marks IN (0, 1)),
  slot_base INTEGER NOT NULL,
  slot_count INTEGER NOT NULL,
  layout_epoch INTEGER NOT NULL,
  unit INTEGER NOT NULL,
  horizon_max INTEGER NOT NULL,
  skew INTEGER NOT NULL,
  not_before INTEGER NOT NULL CHECK (not_before >= 0),
  range_floor INTEGER NOT NULL CHECK (range_floor >= 0),
  suspect TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE marks (
  space TEXT NOT NULL,
  slot INTEGER NOT NULL,
  hw INTEGER NOT NULL CHECK (hw >= 0),
  gseq INTEGER NOT NULL CHECK (gseq >= 0),
  owner BLOB NOT NULL CHECK (length(owner) = 16),
  PRIMARY KEY (space, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE items (
  key TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
)";

Failure words(const io::FileFailure& failure) {
  return {Error{Fault::store_unavailable}, failure.detail};
}

std::string name_in(const std::string& folder, const std::string& path) {
  return folder + "/" + path.substr(path.find_last_of('/') + 1);
}

Outcome<void> require_local(const std::string& folder) {
  const auto system = io::file_system_of(folder);
  if (!system) return std::unexpected(words(system.error()));
  if (system->place == io::FileSystem::Place::local) return {};
  return failure(
      Fault::unsafe_store_config,
      fmt::format("{}: file system: found {}, wanted a local one", folder, system->name));
}

/// Builds a whole store in a file that nobody knows yet, and puts it on the disk.
Outcome<void> build(const std::string& path, Past past, const Clock& clock, BootInstant deadline) {
  MINTMARK_TRY(store_id, draw_nonce());
  {
    MINTMARK_TRY(database, Database::open(path, Database::Open::new_file, clock, deadline));
    // Synced once, below; until then nobody misses it.
    const auto* const modes = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF";
    if (auto set = database->execute(modes); !set) return set;
    Transaction transaction{*database};
    if (auto begun = transaction.begin(Transaction::Kind::write); !begun) return begun;
    if (auto made = database->execute(kSchema); !made) return made;
    const TimeLine line = read_line(clock, io::boot_id());
    Query row{*database, "INSERT INTO host VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7)"};
    row.bind(1, store_id).bind(2, io::machine_id());
    row.bind(3, std::uint64_t{past == Past::none ? 1U : 0U}).bind(4, line.boot_id);
    row.bind(5, line.boot.time_since_epoch().count()).bind(6, line.wall.time_since_epoch().count());
    row.bind(7, std::uint64_t{line.synchronized == Synchronized::yes ? 1U : 0U});
    if (auto inserted = row.run(); !inserted) return inserted;
    if (auto committed = transaction.commit(); !committed) {
      // Whatever the file holds now, nobody will ever see it.
      return failure(Fault::store_unavailable, std::move(committed.error().detail));
    }
  }
  for (const auto& part : {path, io::folder_of(path)}) {
    if (auto synced = io::sync_path(part); !synced) return std::unexpected(words(synced.error()));
  }
  return {};
}

/// A folder that goes away with its owner, unless it was moved to its place before.
class Scaffold {
 public:
  static Outcome<Scaffold> beside(const std::string& place) {
    const auto prefix =
        name_in(io::folder_of(place), "." + place.substr(place.find_last_of('/') + 1));
    auto path = io::make_unique_folder(prefix + ".new-");
    if (!path) return std::unexpected(words(path.error()));
    return Scaffold{std::move(*path)};
  }
  Scaffold(Scaffold&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scaffold& operator=(Scaffold&&) = delete;
  ~Scaffold() {
    if (!path_.empty()) io::remove_tree(path_);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

  /// Moves what was built to its place. Somebody else's there is as good.
  static Outcome<void> put(const std::string& from, const std::string& to) {
    if (auto moved = io::rename_to_free(from, to); !moved && moved.error().code != EEXIST) {
      if (moved.error().code != EINVAL) return std::unexpected(words(moved.error()));
      return failure(
          Fault::unsafe_store_config,
          fmt::format("{}: the file system cannot move a file without replacing another", to));
    }
    // Also after a lost race: the winner's name must be on the disk before anybody grants.
    if (auto synced = io::sync_path(io::folder_of(to)); !synced) {
      return std::unexpected(words(synced.error()));
    }
    return {};
  }

 private:
  explicit Scaffold(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Outcome<void> make_with_folder(const std::string& path, const Clock& clock, BootInstant deadline) {
  const auto folder = io::folder_of(path);
  const auto above = io::folder_of(folder);
  if (auto made = io::make_folders(above); !made) return std::unexpected(words(made.error()));
  if (auto local = require_local(above); !local) return local;
  MINTMARK_TRY(scaffold, Scaffold::beside(folder));
  if (auto built = build(name_in(scaffold.path(), path), Past::none, clock, deadline); !built) {
    return built;
  }
  return Scaffold::put(scaffold.path(), folder);
}

Outcome<void> make_in_folder(const std::string& path, const Clock& clock, BootInstant deadline) {
  if (auto local = require_local(io::folder_of(path)); !local) return local;
  for (const std::string_view rest : {"-wal", "-journal"}) {
    if (!io::facts_of(fmt::format("{}{}", path, rest))) continue;
    // The file may have come to its place, and its log been made, since it was looked for.
    if (io::facts_of(path)) return {};
    return failure(Fault::store_regressed,
                   fmt::format("{0}: the file is gone, but {0}{1} is still there", path, rest));
  }
  MINTMARK_TRY(scaffold, Scaffold::beside(path));
  const auto file = name_in(scaffold.path(), path);
  if (auto built = build(file, Past::possible, clock, deadline); !built) return built;
  return Scaffold::put(file, path);
}

/// There is a file in the end, or a failure.
Outcome<void> make(const std::string& path, const Clock& clock, BootInstant deadline) {
  const auto folder = io::facts_of(io::folder_of(path));
  if (folder) return make_in_folder(path, clock, deadline);
  if (folder.error().code == ENOENT) return make_with_folder(path, clock, deadline);
  return std::unexpected(words(folder.error()));
}

Outcome<void> check_kind(const std::string& path, const io::FileFacts& facts) {
  if (facts.kind == io::FileKind::folder) {
    return failure(Fault::invalid_argument, fmt::format("{}: is a folder", path));
  }
  if (facts.kind != io::FileKind::plain) {
    return failure(Fault::invalid_argument, fmt::format("{}: is not a plain file", path));
  }
  if (facts.bytes == 0) {
    return failure(
        Fault::store_regressed,
        fmt::format("{}: is empty. mintmark never makes an empty file: it was emptied, or "
                    "made by another program. Remove it if it never was a store",
                    path));
  }
  return {};
}

/// SQLite makes the log before its index (`-shm`) and removes it after: an index alone is what somebody
/// left who removed a log. The two are not looked at in one moment, so a race is looked at again.
Outcome<void> require_log(const std::string& path) {
  constexpr int kMostLooks = 20;
  for (int looks = 0; looks < kMostLooks; ++looks) {
    const auto before = io::facts_of(path + "-shm");
    if (!before || io::facts_of(path + "-wal")) return {};
    const auto after = io::facts_of(path + "-shm");
    if (!after || after->id != before->id) return {};
    io::pause_for(std::chrono::milliseconds{1});
  }
  return failure(
      Fault::store_regressed,
      fmt::format(
          "{0}-shm is there without {0}-wal: the log was removed after a crash. Put it back; "
          "if it is lost, end all processes of the store, wait 10 s and remove {0}-shm",
          path));
}

struct Setting {
  const char* set;
  const char* read;
  std::string_view name;
  std::string_view wanted;
};
/// FULL: NORMAL may lose the last commits with the power (protocol 2.7.6). A checkpoint with each commit:
/// a mark that is only in the log goes when somebody removes the log.
constexpr std::array kSettings{
    Setting{"PRAGMA journal_mode = WAL", "PRAGMA journal_mode", "journal_mode", "wal"},
    Setting{"PRAGMA synchronous = FULL", "PRAGMA synchronous", "synchronous", "2"},
    Setting{"PRAGMA wal_autocheckpoint = 1", "PRAGMA wal_autocheckpoint", "wal_autocheckpoint",
            "1"},
    Setting{"PRAGMA cell_size_check = ON", "PRAGMA cell_size_check", "cell_size_check", "1"},
};

Outcome<void> set_up(Database& database) {
  const auto& path = database.path();
  MINTMARK_TRY(application, database.ask("PRAGMA application_id"));
  if (application != kApplicationId) {
    return failure(Fault::invalid_argument,
                   fmt::format("{}: is a SQLite database of another program", path));
  }
  MINTMARK_TRY(version, database.ask("PRAGMA user_version"));
  if (version != kSchemaVersion) {
    return failure(
        Fault::unsafe_store_config,
        fmt::format("{}: schema version: found {}, wanted {}", path, version, kSchemaVersion));
  }
  if (database.read_only()) {
    return failure(Fault::store_unavailable, fmt::format("{}: may only be read", path));
  }
  for (const Setting& setting : kSettings) {
    if (auto set = database.execute(setting.set); !set) return set;
    MINTMARK_TRY(found, database.ask(setting.read));
    if (found == setting.wanted) continue;
    return failure(Fault::unsafe_store_config, fmt::format("{}: {}: found {}, wanted {}", path,
                                                           setting.name, found, setting.wanted));
  }
  return {};
}

Outcome<void> read_host(SqliteFile& file) {
  Query row{*file.database, "SELECT store_id, machine_id, made_with_folder FROM host"};
  MINTMARK_TRY(found, row.step());
  const auto& path = file.database->path();
  if (!found) {
    return failure(Fault::store_regressed, fmt::format("{}: its host row is missing", path));
  }
  file.store_id = row.nonce(0);
  file.past = row.number(2) == 1 ? Past::none : Past::possible;
  const auto owner = row.text(1);
  const auto here = io::machine_id();
  if (owner == here) return {};
  return failure(Fault::incarnation_changed,
                 fmt::format("{}: the file belongs to another host: machine-id {}, this one has {}",
                             path, owner.empty() ? "none" : owner, here.empty() ? "none" : here));
}

/// Nothing, if the path came to name another file meanwhile.
Outcome<std::optional<SqliteFile>> connect(const std::string& path, const io::FileFacts& before,
                                           const Clock& clock, BootInstant deadline) {
  MINTMARK_TRY(database, Database::open(path, Database::Open::existing, clock, deadline));
  SqliteFile file{.database = std::move(database), .file = before.id, .log = {}, .store_id = {}};
  if (auto set = set_up(*file.database); !set) return std::unexpected(set.error());
  if (auto read = read_host(file); !read) return std::unexpected(read.error());
  const auto log = io::facts_of(path + "-wal");
  if (!log) return std::nullopt;
  file.log = log->id;
  if (auto doubt = doubt_about(file)) {
    if (doubt->error.fault() == Fault::incarnation_changed) return std::nullopt;
    return std::unexpected(std::move(*doubt));
  }
  return file;
}

}  // namespace

std::optional<Failure> doubt_about(const SqliteFile& file) {
  const auto& path = file.database->path();
  const auto changed = [](std::string detail) {
    return Failure{Error{Fault::incarnation_changed}, std::move(detail)};
  };
  const auto now = io::facts_of(path);
  if (!now) return changed(fmt::format("the store's file is gone: {}", now.error().detail));
  if (now->links == 0 || now->id != file.file || file.database->moved()) {
    return changed(fmt::format("{}: another file has taken the place of the store's", path));
  }
  const auto log = io::facts_of(path + "-wal");
  if (!log || log->id != file.log) {
    return changed(fmt::format("{}-wal: the store's log was removed or replaced", path));
  }
  return second_name(path, *now);
}

Outcome<SqliteFile> open_sqlite_file(const std::string& path, const Clock& clock,
                                     BootInstant deadline) {
  if (path.empty()) return failure(Fault::invalid_argument, "sqlite: the path is missing");
  if (path.contains('\0')) {
    return failure(Fault::invalid_argument, "sqlite: the path contains a zero byte");
  }
  if (path.ends_with('/')) {
    return failure(Fault::invalid_argument, fmt::format("{}: names a folder, not a file", path));
  }
  // Races only repeat this: somebody else made, or replaced, the file in between.
  constexpr int kMostTries = 100;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const auto facts = io::facts_of(path);
    if (!facts) {
      if (facts.error().code != ENOENT) return std::unexpected(words(facts.error()));
      if (auto made = make(path, clock, deadline); !made) return std::unexpected(made.error());
      continue;
    }
    if (auto checked = check_kind(path, *facts); !checked) return std::unexpected(checked.error());
    const auto real = io::real_path(path);
    if (!real) continue;
    if (auto local = require_local(*real); !local) return std::unexpected(local.error());
    if (auto doubt = second_name(*real, *facts)) return std::unexpected(std::move(*doubt));
    if (auto whole = require_log(*real); !whole) return std::unexpected(whole.error());
    MINTMARK_TRY(file, connect(*real, *facts, clock, deadline));
    if (file) return std::move(*file);
    io::pause_for(std::chrono::milliseconds{1});
  }
  return failure(
      Fault::store_unavailable,
      fmt::format("{}: the file does not stay in its place, or is a link to nothing", path));
}

}  // namespace mintmark::store
