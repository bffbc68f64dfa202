// A connected stream socket that never blocks: TCP or Unix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace mintmark::io {

/// Closes what it owns. One thread at a time.
class StreamSocket {
 public:
  enum class State : std::uint8_t {
    moved,        ///< `size` bytes, at least one
    would_block,  ///< nothing now
    ended,        ///< the peer has ended, or the connection has failed
  };
  struct Moved {
    State state;
    std::size_t size = 0;
  };

  /// Takes over a descriptor in non-blocking mode.
  explicit StreamSocket(int descriptor) : descriptor_(descriptor) {}
  StreamSocket(StreamSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  StreamSocket& operator=(StreamSocket&& other) = delete;
  StreamSocket(const StreamSocket&) = delete;
  StreamSocket& operator=(const StreamSocket&) = delete;
  ~StreamSocket() { close(); }

  [[nodiscard]] Moved read(std::span<char> to) const;
  /// REQUIRES: not empty.
  [[nodiscard]] Moved write(std::string_view bytes) const;
  /// The peer sees the end after what was written. False if the connection is gone.
  [[nodiscard]] bool finish_writing() const;
  /// Bytes have come that were not read.
  [[nodiscard]] bool has_input() const;
  void close();

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace mintmark::io
