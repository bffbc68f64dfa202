// Files and folders: the few calls that a store and a configuration need, with the system's words when
// they fail.
//
// Nothing here opens a database: closing a second descriptor of a SQLite file would drop the locks of
// the first (protocol 2.7.6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

namespace mintmark::io {

/// What the system said: `code` is an errno, `detail` names the path and the reason.
struct FileFailure {
  int code = 0;
  std::string detail;
};
template <class T>
using FileResult = std::expected<T, FileFailure>;

/// The whole file; EFBIG if it has more than `most_bytes`, EISDIR for a folder.
[[nodiscard]] FileResult<std::string> read_file(const std::string& path, std::size_t most_bytes);

/// The same for a file that holds a secret. EACCES, before a byte is read, if anybody else may read or change
/// it: it has to belong to this user or to root, without rights for others, and for its group no more than
/// reading where root owns it (as packages and orchestrators give a service its secrets).
[[nodiscard]] FileResult<std::string> read_private_file(const std::string& path,
                                                        std::size_t most_bytes);

/// Where mintmark keeps its state unless told otherwise: $XDG_STATE_HOME/mintmark if that is absolute
/// (XDG Base Directory Specification 0.8), $HOME/.local/state/mintmark, and /var/lib/mintmark for root
/// without a home. ENOENT if there is no such place.
[[nodiscard]] FileResult<std::string> default_state_folder();

/// The folder that a path is in: "." for a bare name.
[[nodiscard]] std::string folder_of(const std::string& path);

/// Makes the folder and those above it, each with mode 0700 and on the disk. It may be there already.
[[nodiscard]] FileResult<void> make_folders(const std::string& path);

/// Makes an empty folder, mode 0700, under a name nobody else has: `prefix` and random letters.
[[nodiscard]] FileResult<std::string> make_unique_folder(const std::string& prefix);

/// Moves a file or folder to a name that must be free, in one step: EEXIST if it is not, EINVAL if the
/// file system cannot promise that (renameat2(2), RENAME_NOREPLACE). Both in one file system.
[[nodiscard]] FileResult<void> rename_to_free(const std::string& from, const std::string& to);

/// Puts a file, or the entries of a folder, on the disk. Not for an open database.
[[nodiscard]] FileResult<void> sync_path(const std::string& path);

/// Removes a folder and what is in it, as far as it can.
void remove_tree(const std::string& path);

/// Which file a path names; equal for two paths of one file.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};
enum class FileKind : std::uint8_t { plain, folder, other };
struct FileFacts {
  FileId id;
  FileKind kind = FileKind::other;
  std::uint64_t links = 0;
  std::uint64_t bytes = 0;
};
/// Follows symbolic links. ENOENT if there is nothing.
[[nodiscard]] FileResult<FileFacts> facts_of(const std::string& path);

/// The absolute path without symbolic links.
[[nodiscard]] FileResult<std::string> real_path(const std::string& path);

/// The file system of an existing path: locks and fsync of one that is not local cannot be relied on.
struct FileSystem {
  enum class Place : std::uint8_t { local, elsewhere } place = Place::local;
  std::string name;  ///< "nfs", "fuse", ...; "local" if it is none of the known others
};
[[nodiscard]] FileResult<FileSystem> file_system_of(const std::string& path);

/// The same, for the `f_type` of statfs(2).
[[nodiscard]] FileSystem file_system_named(std::uint64_t magic);

}  // namespace mintmark::io
