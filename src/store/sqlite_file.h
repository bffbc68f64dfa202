// The file of a SQLite store: how it is made, opened and recognised again.
//
// Making. Nobody may ever see half a store, so it is built under a temporary name beside its place and
// moved there in one step that fails if something is there already; who loses such a race throws away
// what it built. Two cases differ for good, and the row `host` of the file says which it was:
//  * The folder was missing, and file and folder came to be in one step: no earlier store of this path
//    can have grants that are still in use. Spaces made in the file, whenever, may grant at once.
//  * The folder was there. The file may have been in it yesterday, and its grants may be alive: spaces
//    made in this file grant nothing before now + H_max (protocol 2.2; E counts as 0, one host has one
//    clock).
// So an empty file is refused (somebody emptied it: none is ever made), and so is a missing file whose
// log is still there (SQLite would replay the old log into the new file).
//
// Recognising. SQLite goes on writing to a file that was removed, replaced or moved away, while others
// open the new one. Each write therefore checks that the path, and the path of the log, still name the
// files that were opened (protocol 2.7), and that the file has no second name (sole_name.h).
//
// What the log holds. Each commit is brought from the log to the file before it is answered, as far as no
// reader stands in the way: then the log may be lost, and the file alone still has every mark. Outside
// the guarantee: somebody removes the log after all processes died in the moment between a commit and
// that, or puts an older copy of the file in its place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/file.h"
#include "mintmark/base/time.h"
#include "store/decide.h"
#include "store/sqlite_db.h"
#include "store/store.h"

namespace mintmark::store {

/// An open store file.
struct SqliteFile {
  std::unique_ptr<Database> database;
  io::FileId file;
  io::FileId log;  ///< of the write-ahead log; fixed as long as a connection is open
  Nonce store_id{};
  Past past = Past::possible;
};

/// Errors: InvalidArgument (path, not a store), StoreUnavailable, StoreRegressed (emptied, or a log
/// without its file, or the index of a log without the log), UnsafeStoreConfig (file system, a second
/// name, pragmas, schema version), IncarnationChanged (another host's).
[[nodiscard]] Outcome<SqliteFile> open_sqlite_file(const std::string& path, const Clock& clock,
                                                   BootInstant deadline);

/// Nothing, or why the open files are not those of the path any more (IncarnationChanged) or not of it
/// alone (UnsafeStoreConfig).
[[nodiscard]] std::optional<Failure> doubt_about(const SqliteFile& file);

}  // namespace mintmark::store
