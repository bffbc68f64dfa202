#include "io/scratch_file.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace mintmark::io {
namespace {

/// $TMPDIR for the length of a test.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& path) { ::setenv("TMPDIR", path.c_str(), 1); }
  ~ScratchFolder() { ::unsetenv("TMPDIR"); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

TEST(ScratchFile, GivesBackWhatItTookAndLeavesNoName) {
  const TempFolder folder;
  const ScratchFolder scratch{folder.path()};
  auto file = ScratchFile::make();
  ASSERT_TRUE(file.has_value()) << file.error().detail;
  const std::array<std::byte, 4> first{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  const std::array<std::byte, 2> second{std::byte{5}, std::byte{6}};
  ASSERT_TRUE(file->append(first).has_value());
  ASSERT_TRUE(file->append(second).has_value());
  EXPECT_EQ(file->size(), 6U);
  std::array<std::byte, 3> out{};
  ASSERT_TRUE(file->read(3, out).has_value());
  EXPECT_EQ(out, (std::array{std::byte{4}, std::byte{5}, std::byte{6}}));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ScratchFile, NamesTheFolderThatIsNotThere) {
  const TempFolder folder;
  const ScratchFolder scratch{folder / "none"};
  const auto file = ScratchFile::make();
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().detail, (folder / "none") + ": No such file or directory");
}

}  // namespace
}  // namespace mintmark::io
