// The engine for MariaDB and MySQL (protocol 2.7.2).
#pragma once

#include "store/sql_store.h"

namespace mintmark::store {

/// For MariaDB 10.6 and MySQL 8 and later.
[[nodiscard]] const SqlDialect& mariadb_dialect();

}  // namespace mintmark::store
