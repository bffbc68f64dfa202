// MariaDB and MySQL, through libmariadb and its non-blocking calls (MariaDB documentation, "Non-Blocking
// Client Library"): its own limits of time count whole seconds, and each packet anew.
#pragma once

#include "io/sql/connection.h"

namespace mintmark::io::sql {

/// As connect(). Parameters of the URL: sslmode is `disable` (the default), `require` (encrypted, the server
/// unproven) or `verify-full` (its certificate is checked against sslrootcert, and names the host);
/// sslrootcert, sslcert and sslkey name files of PEM. Without a password in the URL, MYSQL_PWD counts.
/// Without a host, the system's socket. The connection speaks utf8mb4, and reads no local file for a server.
///
/// Over TLS a deadline ends the wait for a server that has fallen silent, in the handshake up to a second
/// later; one that keeps on sending may overrun it.
[[nodiscard]] SqlResult<std::unique_ptr<Connection>> connect_mariadb(const DatabaseUrl& url,
                                                                     BootInstant deadline);

/// The text with each ? replaced by a parameter: NULL, or its UTF-8 as hexadecimal digits, which no SQL mode
/// and no encoding reads otherwise. Nothing if there are more or fewer of them.
[[nodiscard]] std::optional<std::string> with_parameters(std::string_view text,
                                                         std::span<const Value> parameters);

}  // namespace mintmark::io::sql
