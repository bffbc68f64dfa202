// One connection to a SQLite file: the C interface in terms of Outcome, with deadlines.
//
// Why an own waiting handler: SQLite's busy_timeout knows lengths of time and not deadlines, and its
// fixed steps make many processes wake up together.
//
// What fork() does: the child keeps the memory of SQLite, and with it the belief that locks are held
// which belong to the parent. So a child never uses or closes an inherited connection (protocol R11),
// and the files that it opens itself get other identities in SQLite's book of locks (install_system).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "io/fork_guard.h"
#include "mintmark/base/time.h"
#include "store/store.h"

struct sqlite3;
struct sqlite3_stmt;

namespace mintmark::store {

class Database;

/// A statement that is being used: bound, stepped, read; ready for the next use when it goes. A failure
/// of binding shows at the first step. One at a time for each text.
class Query {
 public:
  Query(Database& database, const char* sql);
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  Query& bind(int place, std::uint64_t value);  ///< REQUIRES: value < 2^63
  Query& bind(int place, std::int64_t value);
  Query& bind(int place, std::string_view value);
  Query& bind(int place, const Nonce& value);

  /// True: there is a row. False: the statement is done.
  Outcome<bool> step();
  /// To the end, whatever rows come.
  Outcome<void> run();

  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::uint64_t unsigned_number(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] Nonce nonce(int column) const;
  [[nodiscard]] bool null(int column) const;

 private:
  void note(int code);

  Database& database_;
  sqlite3_stmt* statement_;
  int code_ = 0;
};

/// One thread at a time.
class Database {
 public:
  enum class Open : std::uint8_t { existing, new_file };

  /// Errors: those of failure().
  static Outcome<std::unique_ptr<Database>> open(const std::string& path, Open how,
                                                 const Clock& clock, BootInstant deadline);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  /// Leaks the connection in a forked child.
  ~Database();

  /// Begins a call: Forked in a child, StoreUnavailable if the deadline is over.
  Outcome<void> enter(BootInstant deadline);

  /// Statements without parameters; their rows are dropped.
  Outcome<void> execute(const std::string& sql);
  /// The first column of the first row, as text; empty if there is none.
  Outcome<std::string> ask(const std::string& sql);

  /// Brings what was committed from the log to the file, unless a reader holds it up for long: it stays
  /// durable in the log then.
  void settle();

  [[nodiscard]] bool read_only() const;
  /// SQLite's own look: the path does not name the open file any more.
  [[nodiscard]] bool moved() const;
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] const std::string& path() const { return path_; }

  /// The last error in SQLite's words. Codes: busy, full, I/O, rights -> StoreUnavailable;
  /// not a database -> InvalidArgument; moved -> IncarnationChanged.
  [[nodiscard]] std::unexpected<Failure> failure(int code, std::string_view doing) const;

 private:
  friend class Query;
  friend class Transaction;

  Database(std::string path, const Clock& clock) : path_(std::move(path)), clock_(clock) {}
  sqlite3_stmt* prepared(const char* sql, int& code);
  static int wait_for_lock(void* self, int count);

  std::string path_;
  const Clock& clock_;
  sqlite3* connection_ = nullptr;
  std::map<std::string_view, sqlite3_stmt*> statements_;
  BootInstant deadline_{};
  std::uint64_t jitter_ = 0;
  io::ForkGuard guard_;
};

/// BEGIN to COMMIT; rolled back unless committed.
class Transaction {
 public:
  enum class Kind : std::uint8_t {
    read,   ///< sees one state of the store
    write,  ///< BEGIN IMMEDIATE: is alone from its start
  };
  explicit Transaction(Database& database) : database_(database) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() { roll_back(); }

  Outcome<void> begin(Kind kind);
  /// Errors: StoreUnavailable: nothing was written. OutcomeUnknown: it is not known (the log may hold the
  /// transaction although its sync failed, or the rollback failed).
  Outcome<void> commit();

 private:
  void roll_back();

  Database& database_;
  bool open_ = false;
};

}  // namespace mintmark::store
