// What the tests of both engines ask of a connection.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "child_process.h"
#include "database_server.h"
#include "io/os_clock.h"
#include "io/sql/connection.h"
#include "server_files.h"

namespace mintmark::io::sql {

inline BootInstant in(std::chrono::milliseconds time) { return os_clock().boot() + time; }
/// Long enough for the slowest machine.
inline BootInstant ample() { return in(std::chrono::minutes{1}); }

inline SqlResult<std::unique_ptr<Connection>> connect_to(const std::string& url,
                                                         BootInstant deadline = ample()) {
  const auto parsed = parse_database_url(url);
  if (!parsed) return std::unexpected(SqlFailure{Trouble::bad_url, parsed.error(), {}});
  return connect(*parsed, deadline);
}

inline std::unique_ptr<Connection> connected(const std::string& url) {
  auto connection = connect_to(url);
  if (!connection) ADD_FAILURE() << connection.error().detail;
  return connection ? std::move(*connection) : nullptr;
}

/// The first value of the first row, or the words of the failure.
inline std::string ask(Connection& connection, const std::string& text,
                       const std::vector<Value>& parameters = {}) {
  const auto rows = connection.query(text, parameters, ample());
  if (!rows) return "failed: " + rows.error().detail;
  if (rows->empty()) return "no rows";
  return rows->front().front().value_or("NULL");
}

inline SqlFailure failure_of(Connection& connection, const std::string& text,
                             BootInstant deadline = ample()) {
  const auto rows = connection.query(text, deadline);
  if (rows) ADD_FAILURE() << text << " did not fail";
  return rows ? SqlFailure{} : rows.error();
}

/// That a paused peer holds a call until its deadline, and no longer.
template <class Call>
void expect_late(const Call& call) {
  const BootInstant before = os_clock().boot();
  const auto failure = call(before + std::chrono::milliseconds{300});
  const Duration took = os_clock().boot() - before;
  EXPECT_EQ(failure.trouble, Trouble::late) << failure.detail;
  EXPECT_GE(took, std::chrono::milliseconds{300});
  EXPECT_LT(took, std::chrono::seconds{20});
}

/// That a child which inherits a connection can neither use nor end it.
inline void expect_left_alone_by_a_child(std::unique_ptr<Connection>& connection) {
  ChildProcess child{[&](int) {
    const auto rows = connection->query("SELECT 1", ample());
    const bool refused = !rows && rows.error().trouble == Trouble::lost;
    connection.reset();
    return refused ? 0 : 1;
  }};
  EXPECT_EQ(child.status(), 0);
  EXPECT_EQ(ask(*connection, "SELECT 1"), "1");
}

}  // namespace mintmark::io::sql
