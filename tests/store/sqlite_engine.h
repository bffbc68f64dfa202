// A SQLite store in a temporary folder, and a second hand on its file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/sqlite.h"
#include "tests/store/clocks.h"
#include "tests/temp_folder.h"

namespace mintmark::store {

/// A connection that obeys no rule of the store.
class RawDatabase {
 public:
  explicit RawDatabase(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &connection_), SQLITE_OK);
    sqlite3_busy_timeout(connection_, 60'000);
  }
  RawDatabase(const RawDatabase&) = delete;
  RawDatabase& operator=(const RawDatabase&) = delete;
  ~RawDatabase() { sqlite3_close(connection_); }

  void run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(connection_);
  }
  std::string ask(const std::string& sql) {
    std::string answer;
    sqlite3_exec(
        connection_, sql.c_str(),
        [](void* to, int, char** values, char**) {
          if (values[0] != nullptr) *static_cast<std::string*>(to) = values[0];
          return 0;
        },
        &answer, nullptr);
    return answer;
  }

 private:
  sqlite3* connection_ = nullptr;
};

class SqliteEngine {
 public:
  static constexpr Clocks kClocks = Clocks::of_this_host;

  Outcome<std::unique_ptr<Store>> open(const Clock& clock, BootInstant deadline) {
    return open_sqlite(path_, Environment{clock}, deadline);
  }
  void set_mark(std::string_view space, std::uint64_t slot, std::uint64_t high_water) {
    raw("UPDATE marks SET hw = " + std::to_string(high_water) + of(space) +
        " AND slot = " + std::to_string(slot));
  }
  void remove_mark(std::string_view space, std::uint64_t slot) {
    raw("DELETE FROM marks" + of(space) + " AND slot = " + std::to_string(slot));
  }
  void remove_meta(std::string_view space) { raw("DELETE FROM meta" + of(space)); }
  void fence(std::string_view space) {
    raw("UPDATE meta SET epoch = epoch + 1, incarnation = randomblob(16)" + of(space));
  }
  void age(std::string_view space) { raw("UPDATE meta SET not_before = 0" + of(space)); }
  void lock() {
    holder_ = std::make_unique<RawDatabase>(path_);
    holder_->run("BEGIN IMMEDIATE");
  }
  void unlock() { holder_.reset(); }

  void raw(const std::string& sql) { RawDatabase{path_}.run(sql); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const TempFolder& folder() const { return folder_; }

 private:
  static std::string of(std::string_view space) {
    return " WHERE space = '" + std::string{space} + "'";
  }

  TempFolder folder_;
  std::string path_ = folder_ / "state/store.db";
  std::unique_ptr<RawDatabase> holder_;
};

}  // namespace mintmark::store
