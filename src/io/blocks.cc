#include "io/blocks.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace mintmark::io {
namespace {

/// Waits until a descriptor that was made non-blocking by somebody else takes or gives bytes.
void wait_for(int descriptor, short events) {
  pollfd one{.fd = descriptor, .events = events, .revents = 0};
  static_cast<void>(::poll(&one, 1, -1));
}

}  // namespace

BlockWriter::BlockWriter(int descriptor)
    : descriptor_(descriptor), block_(std::make_unique_for_overwrite<char[]>(kBlock)) {}

void BlockWriter::put(std::string_view text) {
  while (!text.empty()) {
    if (size_ == kBlock) flush();
    const std::size_t size = std::min(text.size(), kBlock - size_);
    std::memcpy(block_.get() + size_, text.data(), size);
    size_ += size;
    text.remove_prefix(size);
  }
}

void BlockWriter::flush() {
  std::size_t done = 0;
  while (state_ == State::open && done < size_) {
    const ssize_t wrote = ::write(descriptor_, block_.get() + done, size_ - done);
    if (wrote >= 0) {
      done += static_cast<std::size_t>(wrote);
    } else if (errno == EAGAIN) {
      wait_for(descriptor_, POLLOUT);
    } else if (errno != EINTR) {
      code_ = errno;
      state_ = code_ == EPIPE ? State::reader_gone : State::failed;
    }
  }
  size_ = 0;
}

std::string BlockWriter::reason() const { return std::strerror(code_); }

void ignore_broken_pipes() {
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));  // a limit of file sizes is then EFBIG
}

void write_words(std::string_view words) {
  while (!words.empty()) {
    const ssize_t wrote = ::write(STDERR_FILENO, words.data(), words.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return;
    words.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

BlockReader::BlockReader(int descriptor)
    : descriptor_(descriptor), block_(std::make_unique_for_overwrite<char[]>(kBlock)) {}

BlockReader::BlockReader(const std::string& path)
    : descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      code_(descriptor_ < 0 ? errno : 0),
      block_(std::make_unique_for_overwrite<char[]>(kBlock)) {}

BlockReader::~BlockReader() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

bool BlockReader::refill() {
  if (ended_ || !is_open()) return false;
  if (begin_ > 0) {
    std::memmove(block_.get(), block_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  for (;;) {
    const ssize_t got = ::read(descriptor_, block_.get() + end_, kBlock - end_);
    if (got > 0) {
      end_ += static_cast<std::size_t>(got);
      return true;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) {
      wait_for(descriptor_, POLLIN);
      continue;
    }
    if (got < 0) code_ = errno;
    ended_ = true;
    return false;
  }
}

bool BlockReader::next_line(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    const char* found =
        static_cast<const char*>(std::memchr(block_.get() + searched, '\n', end_ - searched));
    if (found != nullptr) {
      line = {block_.get() + begin_, static_cast<std::size_t>(found - block_.get()) - begin_};
      begin_ += line.size() + 1;
      searched = begin_;
      if (std::exchange(passing_, false)) continue;
      if (line.ends_with('\r')) line.remove_suffix(1);
      line = line.substr(0, kLongestLine);
      return true;
    }
    if (!passing_ && end_ - begin_ >= kLongestLine) {
      line = {block_.get() + begin_, kLongestLine};
      begin_ = end_;
      passing_ = true;
      return true;
    }
    if (passing_) begin_ = end_;
    const std::size_t pending = end_ - begin_;
    if (!refill()) break;
    searched = begin_ + pending;
  }
  if (begin_ == end_) return false;
  line = {block_.get() + begin_, end_ - begin_};
  begin_ = end_;
  return true;
}

bool BlockReader::next_piece(std::string_view& piece) {
  std::size_t searched = begin_;
  for (;;) {
    const char* found =
        static_cast<const char*>(std::memchr(block_.get() + searched, '\n', end_ - searched));
    const std::size_t whole = found == nullptr
                                  ? kLongestLine
                                  : static_cast<std::size_t>(found - block_.get()) - begin_ + 1;
    if (found != nullptr || end_ - begin_ >= kLongestLine) {
      piece = {block_.get() + begin_, std::min(whole, kLongestLine)};
      break;
    }
    const std::size_t pending = end_ - begin_;
    if (!refill()) {
      piece = {block_.get() + begin_, end_ - begin_};
      break;
    }
    searched = begin_ + pending;
  }
  begin_ += piece.size();
  return !piece.empty();
}

bool BlockReader::next_record(std::size_t size, std::span<const std::byte>& record) {
  while (end_ - begin_ < size && refill()) {
  }
  const std::size_t given = std::min(size, end_ - begin_);
  record = {reinterpret_cast<const std::byte*>(block_.get() + begin_), given};
  begin_ += given;
  return given > 0;
}

std::string BlockReader::reason() const { return std::strerror(code_); }

}  // namespace mintmark::io
