// The URL of a database: where it is, and as whom to come. One form for all engines.
//
//   postgresql://user:password@host:port/database?sslmode=require      also postgres://
//   mariadb://user:password@host:port/database?sslmode=verify-full     also mysql://
//   postgresql:///database?host=/run/postgresql                        the folder of a Unix socket
//   mariadb:///database?host=/run/mysqld/mysqld.sock                   a Unix socket
//
// Every part may be left out and may hold %XX (RFC 3986, 2.1). Parsed here and not by the client library,
// because the words of libpq about a wrong URL repeat the whole of it, with the password.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mintmark::io::sql {

enum class Engine : std::uint8_t { postgres, mariadb };

struct DatabaseUrl {
  Engine engine = Engine::postgres;
  std::optional<std::string> user;
  std::optional<std::string> password;
  std::string host;  ///< empty: the engine's default; a path: a Unix socket
  std::optional<std::uint16_t> port;
  std::string database;
  /// What stands behind the ?, without user, password, host and port, which may stand there too.
  std::vector<std::pair<std::string, std::string>> parameters;

  /// Fit to be shown: without user, password and parameters.
  [[nodiscard]] std::string words() const;
};

/// The URL apart. The error is words that say what is wrong and repeat no part of it that may be secret.
[[nodiscard]] std::expected<DatabaseUrl, std::string> parse_database_url(std::string_view text);

}  // namespace mintmark::io::sql
