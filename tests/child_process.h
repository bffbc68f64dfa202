// Forked children of a test: what they do is a function, what they say is bytes in a pipe.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mintmark {

/// Writes all of it; a child has nobody to tell if it cannot.
inline void say(int pipe, std::string_view words) {
  while (!words.empty()) {
    const auto written = ::write(pipe, words.data(), words.size());
    if (written <= 0) ::_exit(3);
    words.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// A child that runs `body` and leaves with its result, without the parent's destructors.
class ChildProcess {
 public:
  enum class Birth : std::uint8_t {
    fork,
    raw_clone,  ///< the system call alone: no handler of pthread_atfork runs
  };

  /// `body` gets the end of a pipe to write to.
  explicit ChildProcess(const std::function<int(int)>& body, Birth birth = Birth::fork) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = birth == Birth::fork ? ::fork()
                                : static_cast<::pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    if (pid_ < 0) std::abort();
    if (pid_ == 0) {
      ::close(ends[0]);
      ::_exit(body(ends[1]));
    }
    ::close(ends[1]);
    pipe_ = ends[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    if (!over_) {
      ::kill(pid_, SIGKILL);
      status();
    }
    ::close(pipe_);
  }

  [[nodiscard]] ::pid_t pid() const { return pid_; }
  [[nodiscard]] int pipe() const { return pipe_; }

  /// Everything that the child says, until it closes the pipe or ends.
  [[nodiscard]] std::string words() const {
    std::string text;
    char piece[4096];
    for (;;) {
      const auto got = ::read(pipe_, piece, sizeof piece);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return text;
      text.append(piece, static_cast<std::size_t>(got));
    }
  }
  /// One byte, or false at the end.
  [[nodiscard]] bool heard() const {
    char byte = 0;
    return ::read(pipe_, &byte, 1) == 1;
  }

  /// Waits for the end: the exit code, or 1000 and the signal.
  int status() {
    int state = 0;
    while (::waitpid(pid_, &state, 0) < 0 && errno == EINTR) {
    }
    over_ = true;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state);
  }

 private:
  ::pid_t pid_ = -1;
  int pipe_ = -1;
  bool over_ = false;
};

}  // namespace mintmark
