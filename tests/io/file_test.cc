// Files and folders: what a store rests on when it is made.

#include "io/file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/host.h"
#include "tests/child_process.h"
#include "tests/temp_folder.h"

namespace mintmark::io {
namespace {

namespace fs = std::filesystem;

void write(const std::string& path, const std::string& text) {
  std::ofstream{path, std::ios::binary} << text;
}

TEST(File, ReadsAWholeFileUpToItsLimit) {
  const TempFolder folder;
  const auto path = folder / "file";
  const std::string text(10'000, 'x');
  write(path, text);
  EXPECT_EQ(read_file(path, 10'000).value(), text);
  EXPECT_EQ(read_file(path, 9'999).error().code, EFBIG);
  EXPECT_EQ(read_file(folder.path(), 100).error().code, EISDIR);
  const auto missing = read_file(folder / "missing", 100).error();
  EXPECT_EQ(missing.code, ENOENT);
  EXPECT_TRUE(missing.detail.contains("missing"));
  // A file without a size of its own.
  EXPECT_FALSE(read_file("/proc/self/status", 100'000)->empty());
}

TEST(File, ReadsASecretOnlyIfNobodyElseCan) {
  const TempFolder folder;
  const auto path = folder / "secret";
  write(path, "1:00");
  for (const ::mode_t mode : {0600U, 0400U, 0700U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_EQ(read_private_file(path, 4).value_or("refused"), "1:00") << mode;
  }
  EXPECT_EQ(read_private_file(path, 3).error().code, EFBIG);
  for (const ::mode_t mode : {0604U, 0602U, 0601U, 0620U, 0610U, 0644U, 0666U, 0777U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const auto refused = read_private_file(path, 100);
    ASSERT_FALSE(refused) << mode;
    EXPECT_EQ(refused.error().code, EACCES);
    EXPECT_TRUE(refused.error().detail.contains("chmod 600")) << refused.error().detail;
  }
  EXPECT_EQ(read_private_file(folder / "missing", 100).error().code, ENOENT);
  // A pipe has no mode that matters: it is the shell's, as in --keys <(command).
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "key", 3), 3);
  ::close(ends[1]);
  EXPECT_EQ(read_private_file("/dev/fd/" + std::to_string(ends[0]), 100).value_or("refused"),
            "key");
  ::close(ends[0]);
}

TEST(File, LooksAtTheOwnerOfASecret) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TempFolder folder;
  const auto path = folder / "secret";
  write(path, "1:00");
  // As an orchestrator mounts it: root's, readable by the group of the service.
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  EXPECT_TRUE(read_private_file(path, 100));
  constexpr ::uid_t kNobody = 65'534;
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  ASSERT_EQ(::chown(path.c_str(), kNobody, kNobody), 0);
  const auto refused = read_private_file(path, 100);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, EACCES);
  EXPECT_TRUE(refused.error().detail.contains("65534")) << refused.error().detail;
}

TEST(File, FindsTheFolderOfTheState) {
  // The environment of a child: that of this process stays as it is.
  const auto in = [](const char* state, const char* home, ::uid_t user) {
    ChildProcess child{[=](int pipe) {
      ::unsetenv("XDG_STATE_HOME");
      ::unsetenv("HOME");
      if (state != nullptr) ::setenv("XDG_STATE_HOME", state, 1);
      if (home != nullptr) ::setenv("HOME", home, 1);
      if (user != ::geteuid() && ::setuid(user) != 0) return 1;
      const auto folder = default_state_folder();
      say(pipe, folder ? *folder : "none");
      return 0;
    }};
    return child.words();
  };
  const auto me = ::geteuid();
  EXPECT_EQ(in("/x/state", "/h", me), "/x/state/mintmark");
  EXPECT_EQ(in("relative", "/h", me), "/h/.local/state/mintmark");
  EXPECT_EQ(in("", "/h", me), "/h/.local/state/mintmark");
  if (me == 0) {
    EXPECT_EQ(in(nullptr, nullptr, 0), "/var/lib/mintmark");
    EXPECT_EQ(in(nullptr, nullptr, 65534), "none");
  }
}

TEST(File, MakesFoldersThatOnlyTheirOwnerSees) {
  const TempFolder folder;
  const auto path = folder / "a/b//c";
  ASSERT_TRUE(make_folders(path).has_value());
  ASSERT_TRUE(make_folders(path).has_value());
  struct stat facts {};
  ASSERT_EQ(::stat((folder / "a").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700U);
  write(folder / "file", "");
  EXPECT_EQ(make_folders(folder / "file").error().code, ENOTDIR);
  EXPECT_EQ(make_folders(folder / "file/x").error().code, ENOTDIR);
}

TEST(File, NamesTheFolderOfAPath) {
  EXPECT_EQ(folder_of("a"), ".");
  EXPECT_EQ(folder_of("a/b"), "a");
  EXPECT_EQ(folder_of("/a/b"), "/a");
  EXPECT_EQ(folder_of("/a"), "/");
}

TEST(File, RenamesOnlyToAFreeName) {
  const TempFolder folder;
  fs::create_directory(folder / "from");
  fs::create_directory(folder / "taken");
  EXPECT_EQ(rename_to_free(folder / "from", folder / "taken").error().code, EEXIST);
  EXPECT_TRUE(fs::exists(folder / "from"));
  EXPECT_TRUE(rename_to_free(folder / "from", folder / "to").has_value());
  EXPECT_TRUE(fs::exists(folder / "to"));
  EXPECT_EQ(rename_to_free(folder / "from", folder / "again").error().code, ENOENT);
}

TEST(File, LetsOneOfManyMoveToAName) {
  const TempFolder folder;
  std::atomic<int> winners{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        const auto mine = make_unique_folder(folder / ".new-");
        ASSERT_TRUE(mine.has_value()) << mine.error().detail;
        write(*mine + "/file", "x");
        if (rename_to_free(*mine, folder / "place")) {
          ++winners;
        } else {
          remove_tree(*mine);
        }
      });
    }
  }
  EXPECT_EQ(winners, 1);
  EXPECT_EQ(std::distance(fs::directory_iterator{folder.path()}, fs::directory_iterator{}), 1);
}

TEST(File, TellsFilesApart) {
  const TempFolder folder;
  write(folder / "a", "12345");
  write(folder / "b", "12345");
  fs::create_symlink(folder / "a", folder / "link");
  const auto a = facts_of(folder / "a").value();
  EXPECT_EQ(a.kind, FileKind::plain);
  EXPECT_EQ(a.bytes, 5U);
  EXPECT_EQ(a.links, 1U);
  EXPECT_EQ(a.id, facts_of(folder / "link")->id);
  EXPECT_NE(a.id, facts_of(folder / "b")->id);
  EXPECT_EQ(real_path(folder / "link").value(), real_path(folder / "a").value());
  EXPECT_EQ(facts_of(folder.path())->kind, FileKind::folder);
  EXPECT_EQ(facts_of("/dev/null")->kind, FileKind::other);
  EXPECT_EQ(facts_of(folder / "c").error().code, ENOENT);
}

TEST(File, PutsFilesAndFoldersOnTheDisk) {
  const TempFolder folder;
  write(folder / "a", "x");
  EXPECT_TRUE(sync_path(folder / "a").has_value());
  EXPECT_TRUE(sync_path(folder.path()).has_value());
  EXPECT_EQ(sync_path(folder / "b").error().code, ENOENT);
}

TEST(File, KnowsFileSystemsOfOtherMachines) {
  const TempFolder folder;
  EXPECT_EQ(file_system_of(folder.path())->place, FileSystem::Place::local);
  for (const auto magic : {NFS_SUPER_MAGIC, FUSE_SUPER_MAGIC, V9FS_MAGIC, CEPH_SUPER_MAGIC}) {
    EXPECT_EQ(file_system_named(static_cast<std::uint64_t>(magic)).place,
              FileSystem::Place::elsewhere);
  }
  // A number with its highest bit set, as a signed f_type gives it.
  EXPECT_EQ(file_system_named(0xff534d42).name, "cifs");
  for (const auto magic : {EXT4_SUPER_MAGIC, TMPFS_MAGIC, OVERLAYFS_SUPER_MAGIC}) {
    EXPECT_EQ(file_system_named(static_cast<std::uint64_t>(magic)).place, FileSystem::Place::local);
  }
}

TEST(Host, NamesTheStartOfTheMachine) {
  EXPECT_EQ(boot_id().size(), 36U);  // a UUID
  EXPECT_EQ(boot_id(), boot_id());
  EXPECT_TRUE(machine_id().empty() || machine_id().size() == 32);
}

}  // namespace
}  // namespace mintmark::io
