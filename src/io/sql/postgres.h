// PostgreSQL, through libpq (PostgreSQL documentation, chapter "libpq", section "Asynchronous Command
// Processing").
#pragma once

#include "io/sql/connection.h"

namespace mintmark::io::sql {

/// As connect(). The parameters of the URL are those of libpq (sslmode, sslrootcert, options, ...); what the
/// URL leaves out, libpq takes from PGHOST, PGUSER, PGPASSWORD, ~/.pgpass and the like. The encoding is
/// UTF-8, whatever they say.
[[nodiscard]] SqlResult<std::unique_ptr<Connection>> connect_postgres(const DatabaseUrl& url,
                                                                      BootInstant deadline);

}  // namespace mintmark::io::sql
