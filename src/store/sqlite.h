// The SQLite engine: the store of one host, in one file; the default.
#pragma once

#include <memory>
#include <string>

#include "store/store.h"

namespace mintmark::store {

/// Opens the file, or makes it with its folder. Errors as those of open().
[[nodiscard]] Outcome<std::unique_ptr<Store>> open_sqlite(const std::string& path,
                                                          const Environment& environment,
                                                          BootInstant deadline);

}  // namespace mintmark::store
