// Whether a database file has one name only.
//
// Why: the log and the locks of a SQLite file belong to its path (`PATH-wal`, `PATH-shm`). Two processes
// that open one file by two paths have two logs, and each grants what the other has granted. So a file
// with a second name is refused. Symbolic links are no names: they are resolved before. A folder that is
// mounted at two places is none either: the log is in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/failure.h"
#include "io/file.h"

namespace mintmark::store {

/// Nothing, or why the file may have another name (UnsafeStoreConfig): a hard link, or a mount of the
/// file itself. `path` is absolute and without symbolic links, `facts` are its own.
[[nodiscard]] std::optional<Failure> second_name(const std::string& path,
                                                 const io::FileFacts& facts);

/// Whether a text in the form of /proc/PID/mountinfo (proc(5)) has a mount at exactly `path`.
[[nodiscard]] bool has_mount_at(std::string_view mountinfo, std::string_view path);

}  // namespace mintmark::store
