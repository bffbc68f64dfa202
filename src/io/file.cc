#include "io/file.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "mintmark/base/erase.h"

namespace mintmark::io {

namespace {

constexpr mode_t kPrivate = 0700;
constexpr mode_t kModeBits = 07777;

std::unexpected<FileFailure> failure(int code, std::string_view path) {
  return std::unexpected(
      FileFailure{code, fmt::format("{}: {}", path, std::generic_category().message(code))});
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }

 private:
  int number_;
};

FileResult<std::string> read_all(const Descriptor& file, const std::string& path,
                                 std::size_t most_bytes) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t got = ::read(file.number(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure(errno, path);
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > most_bytes) return failure(EFBIG, path);
  }
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

/// linux/magic.h does not have these two.
constexpr std::uint64_t kLustre = 0x0bd00bd0;
constexpr std::uint64_t kGfs2 = 0x01161970;

}  // namespace

FileResult<std::string> read_file(const std::string& path, std::size_t most_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.open()) return failure(errno, path);
  return read_all(file, path, most_bytes);
}

FileResult<std::string> read_private_file(const std::string& path, std::size_t most_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat found {};
  // The rights of what was opened, not of what the path may name by now.
  if (!file.open() || ::fstat(file.number(), &found) != 0) return failure(errno, path);
  const bool of_root = found.st_uid == 0;
  if (!of_root && found.st_uid != ::geteuid()) {
    return std::unexpected(FileFailure{
        EACCES, fmt::format("{}: it belongs to user {}; its owner must be this user or root", path,
                            found.st_uid)});
  }
  const mode_t too_much = S_IRWXO | (of_root ? S_IWGRP | S_IXGRP : S_IRWXG);
  if (S_ISREG(found.st_mode) && (found.st_mode & too_much) != 0) {
    return std::unexpected(
        FileFailure{EACCES, fmt::format("{}: its mode {:04o} lets others at it; chmod 600 it", path,
                                        found.st_mode & kModeBits)});
  }
  // Room for all of it at once: a string that grows leaves copies behind.
  std::string secret(most_bytes + 1, '\0');
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(file.number(), secret.data() + size, secret.size() - size);
    if (got < 0 && errno == EINTR) continue;
    const int code = got < 0 ? errno : EFBIG;
    size += got > 0 ? static_cast<std::size_t>(got) : 0;
    if (got == 0) break;
    if (got > 0 && size <= most_bytes) continue;
    erase(std::as_writable_bytes(std::span{secret}));
    return failure(code, path);
  }
  secret.resize(size);
  return secret;
}

FileResult<std::string> default_state_folder() {
  const auto state = environment("XDG_STATE_HOME");
  if (state.starts_with('/')) return fmt::format("{}/mintmark", state);
  const auto home = environment("HOME");
  if (home.starts_with('/')) return fmt::format("{}/.local/state/mintmark", home);
  if (::geteuid() == 0) return std::string{"/var/lib/mintmark"};
  return std::unexpected(
      FileFailure{ENOENT, "neither XDG_STATE_HOME nor HOME names a folder for the state"});
}

std::string folder_of(const std::string& path) {
  const auto parent = std::filesystem::path{path}.parent_path().string();
  return parent.empty() ? "." : parent;
}

FileResult<void> make_folders(const std::string& path) {
  std::size_t end = 0;
  while (end < path.size()) {
    end = path.find('/', end + 1);
    if (end == std::string::npos) end = path.size();
    const auto part = path.substr(0, end);
    if (::mkdir(part.c_str(), kPrivate) == 0) {
      if (auto synced = sync_path(folder_of(part)); !synced) return synced;
      continue;
    }
    const int code = errno;
    // A folder that is there may also be refused as EROFS or EACCES, if the one above it is closed.
    const auto facts = facts_of(part);
    if (!facts) return failure(code, part);
    if (facts->kind != FileKind::folder) return failure(ENOTDIR, part);
  }
  return {};
}

FileResult<std::string> make_unique_folder(const std::string& prefix) {
  std::string name = prefix + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return failure(errno, prefix);
  return name;
}

FileResult<void> rename_to_free(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  return failure(errno, to);
}

FileResult<void> sync_path(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file.open() || ::fsync(file.number()) != 0) return failure(errno, path);
  return {};
}

void remove_tree(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

FileResult<FileFacts> facts_of(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return failure(errno, path);
  FileFacts facts;
  facts.id = {found.st_dev, found.st_ino};
  if (S_ISREG(found.st_mode)) facts.kind = FileKind::plain;
  if (S_ISDIR(found.st_mode)) facts.kind = FileKind::folder;
  facts.links = found.st_nlink;
  facts.bytes = static_cast<std::uint64_t>(found.st_size);
  return facts;
}

FileResult<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real{::realpath(path.c_str(), nullptr), std::free};
  if (!real) return failure(errno, path);
  return std::string{real.get()};
}

FileResult<FileSystem> file_system_of(const std::string& path) {
  struct statfs found {};
  while (::statfs(path.c_str(), &found) != 0) {
    if (errno != EINTR) return failure(errno, path);
  }
  return file_system_named(static_cast<std::uint64_t>(found.f_type) & 0xffff'ffff);
}

FileSystem file_system_named(std::uint64_t magic) {
  using enum FileSystem::Place;
  switch (magic) {
    case NFS_SUPER_MAGIC:
      return {elsewhere, "nfs"};
    case SMB_SUPER_MAGIC:
      return {elsewhere, "smb"};
    case CIFS_SUPER_MAGIC:
      return {elsewhere, "cifs"};
    case SMB2_SUPER_MAGIC:
      return {elsewhere, "smb2"};
    case FUSE_SUPER_MAGIC:
      return {elsewhere, "fuse"};
    case V9FS_MAGIC:
      return {elsewhere, "9p"};
    case CEPH_SUPER_MAGIC:
      return {elsewhere, "ceph"};
    case AFS_SUPER_MAGIC:
    case AFS_FS_MAGIC:
      return {elsewhere, "afs"};
    case CODA_SUPER_MAGIC:
      return {elsewhere, "coda"};
    case NCP_SUPER_MAGIC:
      return {elsewhere, "ncp"};
    case OCFS2_SUPER_MAGIC:
      return {elsewhere, "ocfs2"};
    case kGfs2:
      return {elsewhere, "gfs2"};
    case kLustre:
      return {elsewhere, "lustre"};
    default:
      return {local, "local"};
  }
}

}  // namespace mintmark::io
