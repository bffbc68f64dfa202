// A SQL server that all tests of the program share, with a database of its own for each store, and a second
// hand on its rows.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "io/os_clock.h"
#include "io/sql/connection.h"
#include "store/row_text.h"
#include "store/sql_store.h"
#include "tests/database_server.h"
#include "tests/store/clocks.h"
#include "tests/store/mutant.h"

namespace mintmark::store {

inline BootInstant in_a_minute() { return io::os_clock().boot() + std::chrono::minutes{1}; }

/// Of all engines of the program: some share a server.
inline std::string fresh_database() {
  static std::atomic<int> count{0};
  return "test_" + std::to_string(++count);
}

/// `Traits` names the server, the dialect, and the statement that keeps everybody else out of the tables.
template <class Traits>
class SqlEngine {
 public:
  static constexpr Clocks kClocks = Clocks::of_the_engine;
  static constexpr bool kMutant = is_mutant<Traits>();

  SqlEngine() : database_(fresh_database()) {
    auto made = connect("")->query("CREATE DATABASE " + database_, in_a_minute());
    EXPECT_TRUE(made.has_value()) << made.error().detail;
  }

  Outcome<std::unique_ptr<Store>> open(const Clock& clock, BootInstant deadline,
                                       Unsafe unsafe = Unsafe::refuse,
                                       Absent absent = Absent::make) {
    return open_sql(Traits::dialect(), io::sql::parse_database_url(url()).value(),
                    {.clock = clock, .unsafe = unsafe, .absent = absent}, deadline);
  }
  void set_mark(std::string_view space, std::uint64_t slot, std::uint64_t high_water) {
    raw("UPDATE mintmark_marks SET hw = " + std::to_string(high_water) + of(space) +
        " AND slot = " + std::to_string(slot));
  }
  void remove_mark(std::string_view space, std::uint64_t slot) {
    raw("DELETE FROM mintmark_marks" + of(space) + " AND slot = " + std::to_string(slot));
  }
  void remove_meta(std::string_view space) { raw("DELETE FROM mintmark_meta" + of(space)); }
  void fence(std::string_view space) {
    raw("UPDATE mintmark_meta SET epoch = epoch + 1, incarnation = repeat('f', 32)" + of(space));
  }
  void age(std::string_view space) { raw("UPDATE mintmark_meta SET not_before = 0" + of(space)); }
  void lock() {
    holder_ = connection();
    for (const std::string_view statement : Traits::kLock) run(*holder_, std::string{statement});
  }
  void unlock() { holder_.reset(); }

  void raw(const std::string& text) { run(*connection(), text); }
  io::sql::Rows ask(const std::string& text) {
    auto rows = connection()->query(text, in_a_minute());
    if (!rows) ADD_FAILURE() << text << ": " << rows.error().detail;
    return rows.value_or(io::sql::Rows{});
  }
  /// A session of the second hand.
  [[nodiscard]] std::unique_ptr<io::sql::Connection> connection() const {
    return connect(database_);
  }
  static void run(io::sql::Connection& connection, const std::string& text) {
    const auto done = connection.query(text, in_a_minute());
    EXPECT_TRUE(done.has_value()) << text << ": " << done.error().detail;
  }
  /// All others of this database.
  void end_sessions() { Traits::end_sessions(*connect(""), database_); }
  /// Who may read and write rows, and no more.
  [[nodiscard]] std::string url_of_user_without_tables() {
    for (const std::string& text : Traits::make_user(database_)) raw(text);
    return Traits::server().url(database_, "clerk");
  }
  [[nodiscard]] std::string url() const { return Traits::server().url(database_); }

 private:
  static std::string of(std::string_view space) {
    return " WHERE space = '" + escape_name(space) + "'";
  }
  static std::unique_ptr<io::sql::Connection> connect(const std::string& database) {
    const std::string name = database.empty() ? Traits::kAnyDatabase : database;
    auto opened = io::sql::connect(io::sql::parse_database_url(Traits::server().url(name)).value(),
                                   in_a_minute());
    if (opened) return std::move(*opened);
    ADD_FAILURE() << opened.error().detail;
    std::abort();
  }
  std::string database_;
  std::unique_ptr<io::sql::Connection> holder_;
};

}  // namespace mintmark::store
