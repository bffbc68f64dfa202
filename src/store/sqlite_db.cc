#include "store/sqlite_db.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "store/decide.h"

namespace mintmark::store {

namespace {

/// SQLite keeps one entry for each open file, by device and inode, that says which locks the process
/// holds. A child inherits the entries and not the locks. With another device number in each generation
/// it never finds its parent's entries, and takes locks of its own. SQLite uses the number for nothing
/// else (os_unix.c, findInodeInfo and findReusableFd).
dev_t of_this_process(dev_t device) {
  constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // odd: no two generations give the same
  return static_cast<dev_t>(device ^ (io::generation() * kSpread));
}

int stat_of_this_process(const char* path, struct stat* found) {
  const int code = ::stat(path, found);
  if (code == 0) found->st_dev = of_this_process(found->st_dev);
  return code;
}

int fstat_of_this_process(int descriptor, struct stat* found) {
  const int code = ::fstat(descriptor, found);
  if (code == 0) found->st_dev = of_this_process(found->st_dev);
  return code;
}

int install_system() {
  // Statistics would put one lock around every allocation; a child forked inside it would hang.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  if (const int code = sqlite3_initialize(); code != SQLITE_OK) return code;
  sqlite3_vfs* vfs = sqlite3_vfs_find("unix");
  if (vfs == nullptr || vfs->iVersion < 3) return SQLITE_NOTFOUND;
  const int code = vfs->xSetSystemCall(
      vfs, "stat", reinterpret_cast<sqlite3_syscall_ptr>(&stat_of_this_process));
  if (code != SQLITE_OK) return code;
  return vfs->xSetSystemCall(vfs, "fstat",
                             reinterpret_cast<sqlite3_syscall_ptr>(&fstat_of_this_process));
}

Fault fault_of(int code) {
  if (code == SQLITE_READONLY_DBMOVED) return Fault::incarnation_changed;
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return Fault::invalid_argument;
    default:
      return Fault::store_unavailable;
  }
}

constexpr std::size_t kMostRead = kMostDefinitionBytes * 2;

}  // namespace

Query::Query(Database& database, const char* sql)
    : database_(database), statement_(database.prepared(sql, code_)) {}

Query::~Query() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void Query::note(int code) {
  if (code_ == SQLITE_OK) code_ = code;
}

Query& Query::bind(int place, std::int64_t value) {
  note(sqlite3_bind_int64(statement_, place, value));
  return *this;
}

Query& Query::bind(int place, std::uint64_t value) {
  MINTMARK_CHECK(value <= kMostValue);
  return bind(place, static_cast<std::int64_t>(value));
}

Query& Query::bind(int place, std::string_view value) {
  note(sqlite3_bind_text(statement_, place, value.data() == nullptr ? "" : value.data(),
                         static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

Query& Query::bind(int place, const Nonce& value) {
  note(sqlite3_bind_blob(statement_, place, value.data(), static_cast<int>(value.size()),
                         SQLITE_TRANSIENT));
  return *this;
}

Outcome<bool> Query::step() {
  if (code_ == SQLITE_OK) {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    code_ = code;
  }
  return database_.failure(code_, "a statement");
}

Outcome<void> Query::run() {
  for (;;) {
    MINTMARK_TRY(row, step());
    if (!row) return {};
  }
}

std::int64_t Query::number(int column) const { return sqlite3_column_int64(statement_, column); }

std::uint64_t Query::unsigned_number(int column) const {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number(column)));
}

std::string Query::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? std::string{} : std::string{bytes, std::min(size, kMostRead)};
}

Nonce Query::nonce(int column) const {
  Nonce nonce{};
  const void* bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  if (bytes != nullptr) std::memcpy(nonce.data(), bytes, std::min(size, nonce.size()));
  return nonce;
}

bool Query::null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Outcome<std::unique_ptr<Database>> Database::open(const std::string& path, Open how,
                                                  const Clock& clock, BootInstant deadline) {
  static const int installed = install_system();
  if (installed != SQLITE_OK) {
    return mintmark::failure(Fault::store_unavailable,
                             fmt::format("SQLite cannot start: {}", sqlite3_errstr(installed)));
  }
  std::unique_ptr<Database> made{new Database{path, clock}};
  if (auto entered = made->enter(deadline); !entered) return std::unexpected(entered.error());
  // Without random bytes the waiting is only less fair.
  made->jitter_ = io::os_entropy().word().value_or(0);
  // One thread at a time: no locks inside SQLite but those that its connections share.
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  if (how == Open::new_file) flags |= SQLITE_OPEN_CREATE;
  // An absolute or dotted path is never read as one of SQLite's own URIs or special names.
  const auto name = path.starts_with('/') ? path : "./" + path;
  const int code = sqlite3_open_v2(name.c_str(), &made->connection_, flags, "unix");
  if (code != SQLITE_OK) return made->failure(code, "opening");
  sqlite3_extended_result_codes(made->connection_, 1);
  sqlite3_busy_handler(made->connection_, &Database::wait_for_lock, made.get());
  sqlite3_db_config(made->connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(made->connection_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return made;
}

Database::~Database() {
  if (!guard_.same_process()) return;
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(connection_);
}

Outcome<void> Database::enter(BootInstant deadline) {
  if (!guard_.same_process()) {
    return mintmark::failure(Fault::forked, fmt::format("{}: opened by the parent process", path_));
  }
  if (clock_.boot() >= deadline) {
    return mintmark::failure(Fault::store_unavailable,
                             fmt::format("{}: the deadline was over before the call", path_));
  }
  deadline_ = deadline;
  return {};
}

int Database::wait_for_lock(void* self, int count) {
  using std::chrono::microseconds;
  auto& database = *static_cast<Database*>(self);
  const Duration left = database.deadline_ - database.clock_.boot();
  if (left <= Duration::zero()) return 0;
  // From 0.25 to 8 ms: a commit that is waited for takes one or two syncs of the disk.
  const std::int64_t most = 250LL << std::min(count, 5);
  SeededEntropy random{database.jitter_++};
  const auto part = static_cast<std::int64_t>(random.word().value_or(0) % 1024);
  const microseconds length{most / 2 + most * part / 2048};
  io::pause_for(std::min(left, Duration{length}));
  return 1;
}

Outcome<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(code, "a statement");
  return {};
}

Outcome<std::string> Database::ask(const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  int code = sqlite3_prepare_v2(connection_, sql.c_str(), -1, &raw, nullptr);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement{raw, sqlite3_finalize};
  if (code != SQLITE_OK) return failure(code, sql);
  std::string answer;
  code = sqlite3_step(raw);
  if (code == SQLITE_ROW) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw, 0));
    if (text != nullptr) answer = text;
    while (code == SQLITE_ROW) code = sqlite3_step(raw);
  }
  if (code != SQLITE_DONE) return failure(code, sql);
  return answer;
}

sqlite3_stmt* Database::prepared(const char* sql, int& code) {
  if (const auto found = statements_.find(sql); found != statements_.end()) return found->second;
  sqlite3_stmt* statement = nullptr;
  code = sqlite3_prepare_v3(connection_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code == SQLITE_OK) statements_.emplace(sql, statement);
  return statement;
}

void Database::settle() {
  constexpr int kMostTries = 20;
  for (int tries = 0; tries < kMostTries; ++tries) {
    int in_log = 0;
    int in_file = 0;
    const int code = sqlite3_wal_checkpoint_v2(connection_, "main", SQLITE_CHECKPOINT_PASSIVE,
                                               &in_log, &in_file);
    // Another's checkpoint, or an older state that a reader still sees: both are short.
    const bool later = code == SQLITE_BUSY || (code == SQLITE_OK && in_file < in_log);
    if (!later || clock_.boot() >= deadline_) return;
    io::pause_for(std::chrono::milliseconds{1});
  }
}

bool Database::read_only() const { return sqlite3_db_readonly(connection_, "main") == 1; }

bool Database::moved() const {
  int moved = 0;
  const int code = sqlite3_file_control(connection_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code != SQLITE_OK || moved != 0;
}

std::int64_t Database::changes() const { return sqlite3_changes64(connection_); }

std::unexpected<Failure> Database::failure(int code, std::string_view doing) const {
  std::string words = connection_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection_);
  if ((code & 0xff) == SQLITE_BUSY) words = "locked by another process until the deadline";
  return mintmark::failure(fault_of(code),
                           fmt::format("{}: {} ({}, SQLite code {})", path_, words, doing, code));
}

Outcome<void> Transaction::begin(Kind kind) {
  const char* sql = kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN";
  if (auto begun = Query{database_, sql}.run(); !begun) return begun;
  open_ = true;
  return {};
}

Outcome<void> Transaction::commit() {
  int code = SQLITE_OK;
  sqlite3_stmt* statement = database_.prepared("COMMIT", code);
  if (code == SQLITE_OK) {
    code = sqlite3_step(statement);
    sqlite3_reset(statement);
  }
  if (code == SQLITE_DONE) {
    open_ = false;
    database_.settle();
    return {};
  }
  auto failure = database_.failure(code, "COMMIT");
  roll_back();
  // After a failed write or sync of the log its last transaction may yet be found valid after a crash.
  const bool may_stand = (code & 0xff) == SQLITE_IOERR;
  if (may_stand || sqlite3_get_autocommit(database_.connection_) == 0) {
    return mintmark::failure(Fault::outcome_unknown, std::move(failure.error().detail));
  }
  return failure;
}

void Transaction::roll_back() {
  if (!open_) return;
  open_ = false;
  // Some errors have rolled back by themselves (lang_transaction.html, "Response To Errors").
  if (sqlite3_get_autocommit(database_.connection_) != 0) return;
  // What fails here shows in commit(), or at the next BEGIN.
  static_cast<void>(database_.execute("ROLLBACK"));
}

}  // namespace mintmark::store
