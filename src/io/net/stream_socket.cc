#include "io/net/stream_socket.h"

#include <cerrno>

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace mintmark::io {
namespace {

using Moved = StreamSocket::Moved;
using State = StreamSocket::State;

Moved failed() {
  const bool later = errno == EAGAIN || errno == EINTR;
  return {.state = later ? State::would_block : State::ended};
}

}  // namespace

Moved StreamSocket::read(std::span<char> to) const {
  const auto size = ::recv(descriptor_, to.data(), to.size(), 0);
  if (size > 0) return {.state = State::moved, .size = static_cast<std::size_t>(size)};
  return size == 0 ? Moved{.state = State::ended} : failed();
}

Moved StreamSocket::write(std::string_view bytes) const {
  // A peer that is gone is an answer here, not a signal for the process.
  const auto size = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (size > 0) return {.state = State::moved, .size = static_cast<std::size_t>(size)};
  return failed();
}

bool StreamSocket::finish_writing() const { return ::shutdown(descriptor_, SHUT_WR) == 0; }

bool StreamSocket::has_input() const {
  int size = 0;
  return ::ioctl(descriptor_, FIONREAD, &size) == 0 && size > 0;
}

void StreamSocket::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace mintmark::io
