// Real processes of the real binary, for tests of a fleet: started, killed, stopped, continued.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temp_folder.h"

namespace mintmark::fleet {

/// A folder for a fleet, gone with everything in it when the test ends.
class Folder {
 public:
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_ / name;
  }
  /// A store in a folder that is not there yet.
  [[nodiscard]] std::string store() const { return "sqlite:" + (folder_ / "store/mintmark.db"); }

 private:
  TempFolder folder_;
};

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream stream{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

/// A child process with its output in files. Killed, if it still runs, and reaped at the end.
class Process {
 public:
  Process(const std::vector<std::string>& words, const std::filesystem::path& out,
          const std::filesystem::path& err = "/dev/null") {
    pid_ = ::fork();
    if (pid_ != 0) return;
    redirect(out, 1);
    redirect(err, 2);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  ~Process() {
    if (running()) {
      signal(SIGCONT);
      signal(SIGKILL);
      static_cast<void>(wait());
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// After SIGSTOP none of its threads runs any more; the signal alone takes its time.
  void signal(int number) const {
    ::kill(pid_, number);
    siginfo_t info{};
    if (number == SIGSTOP)
      ::waitid(P_PID, static_cast<::id_t>(pid_), &info, WSTOPPED | WEXITED | WNOWAIT);
  }

  /// Whether it has ended by itself; wait() still tells how.
  [[nodiscard]] bool over() const {
    siginfo_t info{};
    const int found =
        ::waitid(P_PID, static_cast<::id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return found == 0 && info.si_pid == pid_;
  }

  /// The exit code, or 128 + the number of the signal that ended it.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    ended_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  static void redirect(const std::filesystem::path& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(file, descriptor);
    ::close(file);
  }
  [[nodiscard]] bool running() const { return !ended_; }

  pid_t pid_ = -1;
  bool ended_ = false;
};

/// A pipe with a name, to be the output of a process that writes without end. Only the first line is
/// read; the process then fills the pipe and holds still, with whatever it holds.
class FirstLine {
 public:
  explicit FirstLine(std::filesystem::path path) : path_(std::move(path)) {
    ::mkfifo(path_.c_str(), 0600);
    reader_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  }
  ~FirstLine() { ::close(reader_); }
  FirstLine(const FirstLine&) = delete;
  FirstLine& operator=(const FirstLine&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Without its line end; empty if none came within 30 s.
  std::string wait() {
    std::string text;
    for (int tries = 0; tries < 3'000; ++tries) {
      char more[256];
      const ssize_t size = ::read(reader_, more, sizeof more);
      if (size > 0) text.append(more, static_cast<std::size_t>(size));
      const std::size_t end = text.find('\n');
      if (end != std::string::npos) return text.substr(0, end);
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return {};
  }

 private:
  std::filesystem::path path_;
  int reader_;
};

/// Runs to the end and gives the exit code.
inline int run(const std::vector<std::string>& words, const std::filesystem::path& out,
               const std::filesystem::path& err = "/dev/null") {
  return Process{words, out, err}.wait();
}

/// Cuts off what a killed writer left behind its last line end.
inline void drop_torn_line(const std::filesystem::path& path) {
  const std::string text = contents(path);
  const std::size_t last = text.rfind('\n');
  std::filesystem::resize_file(path, last == std::string::npos ? 0 : last + 1);
}

inline void rest(std::chrono::milliseconds length) { std::this_thread::sleep_for(length); }

}  // namespace mintmark::fleet
