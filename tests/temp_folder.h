// A folder of its own for a test, gone with all its contents when the test ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace mintmark {

/// Left behind by a forked child: it belongs to the process that made it.
class TempFolder {
 public:
  TempFolder() {
    std::string name = ::testing::TempDir() + "/mintmark_test_XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    if (::getpid() == owner_) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  ::pid_t owner_ = ::getpid();
};

}  // namespace mintmark
