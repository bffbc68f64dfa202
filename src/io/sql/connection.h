// Connection: one connection to a PostgreSQL or a MariaDB/MySQL server, as every part of mintmark sees it.
//
// Why not a database library: what is needed is one statement at a time, text in and text out, and above all
// a deadline on every call, which the usual wrappers lack. The client libraries libpq and libmariadb are
// opened when the first connection is made (library.h), so that the binary starts without them.
//
// It never connects again by itself: a statement whose end is not known must not be sent twice.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/sql/url.h"
#include "mintmark/base/time.h"

namespace mintmark::io::sql {

/// What went wrong, as far as a caller acts on it differently.
enum class Trouble : std::uint8_t {
  bad_url,        ///< the URL, or one of its parameters, is wrong
  no_library,     ///< the client library is not installed
  unreachable,    ///< no connection: nobody listens, a wrong password, no such database
  not_permitted,  ///< the statement needs a right that this user lacks; the connection is good
  cancelled,      ///< the server's own limit of time, or a lock; the connection is good
  refused,        ///< the server refused the statement for another reason; the connection is good
  // The connection is closed, and nobody knows whether the statement was carried out.
  late,  ///< the deadline passed
  lost,  ///< the connection broke, or was closed before
};

struct SqlFailure {
  Trouble trouble = Trouble::refused;
  std::string detail;  ///< the server's or the library's words, on one line; never a password
  std::string state;   ///< SQLSTATE as the server sent it, five characters; empty if it sent none
};
template <class T>
using SqlResult = std::expected<T, SqlFailure>;

/// A value as the server writes it, or NULL. bytea of PostgreSQL comes as \x and hexadecimal digits, BINARY
/// and BLOB of MariaDB as their bytes.
using Value = std::optional<std::string>;
using Row = std::vector<Value>;
using Rows = std::vector<Row>;

/// What the last statement that was carried out did.
struct Effect {
  std::uint64_t rows = 0;  ///< inserted, changed or removed
  /// The server had a warning. PostgreSQL tells in this way that a commit was not confirmed by its standby.
  bool warned = false;
};

/// One thread at a time; several connections work side by side. A forked child must not use one that its
/// parent made: query answers `lost`, and the destructor leaves the parent's session alone.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// Sends one statement and gives all its rows, none for a statement without rows. Parameters travel apart
  /// from the text or as hexadecimal digits, never as a part of it that could be read otherwise: $1, $2, ...
  /// in PostgreSQL, ? in MariaDB, where the text must have no other question mark. They are text; MariaDB
  /// wants no parameter behind LIMIT.
  [[nodiscard]] virtual SqlResult<Rows> query(const std::string& text,
                                              std::span<const Value> parameters,
                                              BootInstant deadline) = 0;
  [[nodiscard]] SqlResult<Rows> query(const std::string& text, BootInstant deadline) {
    return query(text, {}, deadline);
  }
  /// Of the last query() that gave no failure.
  [[nodiscard]] virtual Effect effect() const = 0;
};

/// Opens a connection. The deadline holds from the first packet on; before that, the system's resolver has
/// its own limits of time (resolv.conf(5)). Errors: no_library, bad_url, unreachable, late.
/// Thread-safe.
[[nodiscard]] SqlResult<std::unique_ptr<Connection>> connect(const DatabaseUrl& url,
                                                             BootInstant deadline);

/// A name of a table or column as the engine's SQL wants it, whatever characters are in it.
/// REQUIRES: no NUL, which no engine takes.
[[nodiscard]] std::string quoted_name(Engine engine, std::string_view name);

}  // namespace mintmark::io::sql
