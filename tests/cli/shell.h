// A shell of a test: runs lines as a person would type them, with the real binary on the path and a home
// folder of its own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temp_folder.h"

namespace mintmark::cli {

struct Ran {
  int code = -1;  ///< 128 and the signal, as a shell has it
  std::string out;
  std::string err;
  long most_kib = 0;  ///< the largest resident size of any process of the line
};

class Shell {
 public:
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }

  void write(const std::string& name, std::string_view text) const {
    std::ofstream{folder_ / name, std::ios::binary} << text;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file{folder_ / name, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
  }

  /// Standard input is empty unless the line says otherwise.
  [[nodiscard]] Ran run(const std::string& line) const {
    const ::pid_t pid = ::fork();
    if (pid == 0) become(line);
    Ran ran;
    int state = 0;
    rusage usage{};
    while (::wait4(pid, &state, 0, &usage) < 0 && errno == EINTR) {
    }
    ran.code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    ran.out = read(".out");
    ran.err = read(".err");
    ran.most_kib = usage.ru_maxrss;
    return ran;
  }

 private:
  [[noreturn]] void become(const std::string& line) const {
    const std::string path =
        std::filesystem::path{MINTMARK_BINARY}.parent_path().string() + ":" + std::getenv("PATH");
    ::setenv("PATH", path.c_str(), 1);
    ::setenv("HOME", folder().c_str(), 1);
    ::setenv("TMPDIR", folder().c_str(), 1);
    for (const char* name :
         {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "MINTMARK_STORE", "MINTMARK_CONFIG"}) {
      ::unsetenv(name);
    }
    const std::string script = "cd '" + folder() + "' && exec </dev/null >.out 2>.err; " + line;
    ::execl("/bin/bash", "bash", "-o", "pipefail", "-c", script.c_str(), nullptr);
    ::_exit(127);
  }

  TempFolder folder_;
};

/// The number of lines.
inline std::size_t lines(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += c == '\n' ? 1U : 0U;
  return count;
}

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace mintmark::cli
