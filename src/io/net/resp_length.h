// The lengths of RESP: how many bytes a bulk string has, how many items an array. Both sides read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mintmark::io {

/// Reads `digits CRLF` at a place in a buffer. One thread at a time.
class RespLength {
 public:
  enum class Outcome : std::uint8_t { read, incomplete, malformed };

  explicit RespLength(std::string_view buffer, std::size_t at) : buffer_(buffer), at_(at) {}

  Outcome read() {
    const std::size_t first = at_;
    while (at_ < buffer_.size() && buffer_[at_] >= '0' && buffer_[at_] <= '9') {
      if (at_ - first == kMostDigits) return Outcome::malformed;
      value_ = value_ * 10 + static_cast<std::size_t>(buffer_[at_] - '0');
      ++at_;
    }
    if (at_ == buffer_.size()) return Outcome::incomplete;
    if (at_ == first || buffer_[at_] != '\r') return Outcome::malformed;
    if (at_ + 1 == buffer_.size()) return Outcome::incomplete;
    if (buffer_[at_ + 1] != '\n') return Outcome::malformed;
    at_ += 2;
    return Outcome::read;
  }
  [[nodiscard]] std::size_t value() const { return value_; }
  [[nodiscard]] std::size_t at() const { return at_; }

 private:
  static constexpr std::size_t kMostDigits = 10;  // enough for every limit, far from an overflow

  std::string_view buffer_;
  std::size_t at_;
  std::size_t value_ = 0;
};

}  // namespace mintmark::io
