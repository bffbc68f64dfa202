// The PostgreSQL engine (protocol 2.7.1).
#pragma once

#include "store/sql_store.h"

namespace mintmark::store {

/// For PostgreSQL 12 and later.
[[nodiscard]] const SqlDialect& postgres_dialect();

}  // namespace mintmark::store
