// Whether a file has one name: the table of mounts, which older kernels have to be asked for.

#include "store/sole_name.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/temp_folder.h"

namespace mintmark::store {
namespace {

constexpr std::string_view kTable =
    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n"
    "36 22 0:31 / /data rw,nosuid master:3 - tmpfs tmpfs rw\n"
    "41 22 254:0 /var/lib/ids/store.db /data/ids\\040of\\134us.db rw - ext4 /dev/vda rw\n"
    "42 22 254:0 /data/other.db /srv/other.db rw,relatime - ext4 /dev/vda rw";

TEST(SoleName, FindsAMountAtExactlyThePath) {
  EXPECT_TRUE(has_mount_at(kTable, "/"));
  EXPECT_TRUE(has_mount_at(kTable, "/data"));
  EXPECT_TRUE(has_mount_at(kTable, "/srv/other.db"));
  for (const std::string_view path : {"/data/", "/dat", "/data/store.db", "/srv/other.d", ""}) {
    EXPECT_FALSE(has_mount_at(kTable, path)) << path;
  }
  // The place in its own file system is no name here.
  EXPECT_FALSE(has_mount_at(kTable, "/var/lib/ids/store.db"));
  EXPECT_FALSE(has_mount_at(kTable, "/data/other.db"));
}

TEST(SoleName, ReadsTheKernelsEscapes) {
  EXPECT_TRUE(has_mount_at(kTable, "/data/ids of\\us.db"));
  EXPECT_FALSE(has_mount_at(kTable, "/data/ids\\040of\\134us.db"));
  EXPECT_TRUE(has_mount_at("1 2 3:4 / /a\\01 rw", "/a\\01"));
}

TEST(SoleName, TakesATableThatIsCutShort) {
  for (std::size_t length = 0; length < kTable.size(); ++length) {
    EXPECT_FALSE(has_mount_at(kTable.substr(0, length), "/nowhere"));
  }
}

TEST(SoleName, CountsHardLinksAndNoSymbolicOnes) {
  const TempFolder folder;
  const auto path = folder / "a";
  std::ofstream{path} << "x";
  const auto doubt = [&] { return second_name(path, io::facts_of(path).value()); };
  EXPECT_FALSE(doubt().has_value());
  std::filesystem::create_symlink(path, folder / "b");
  EXPECT_FALSE(doubt().has_value());
  std::filesystem::create_hard_link(path, folder / "c");
  ASSERT_TRUE(doubt().has_value());
  EXPECT_EQ(doubt()->error.fault(), Fault::unsafe_store_config);
}

}  // namespace
}  // namespace mintmark::store
