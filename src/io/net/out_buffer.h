// An output buffer: replies are appended to its end, and the socket takes them from its front.
//
// Why not std::string: resize() would write zeros over bytes that are about to be written anyway, and a
// reply of a few bytes should cost one compare and a store.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace mintmark::io {

/// Bytes in the order appended. One thread at a time. Pinned: writers hold pointers into it.
class OutBuffer {
 public:
  OutBuffer() = default;
  OutBuffer(const OutBuffer&) = delete;
  OutBuffer& operator=(const OutBuffer&) = delete;

  /// Room for `most` more bytes. Write to it, then call wrote(). Valid until the next call of room().
  [[nodiscard]] char* room(std::size_t most) {
    if (capacity_ - size_ < most) grow(most);
    return bytes_.get() + size_;
  }
  /// REQUIRES: count <= most of the last room().
  void wrote(std::size_t count) { size_ += count; }

  void append(std::string_view text) {
    if (text.empty()) return;
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void append(char c) {
    *room(1) = c;
    ++size_;
  }

  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

  void clear() { size_ = 0; }
  /// Clears, and gives memory above `most` bytes back.
  void clear_to(std::size_t most) {
    size_ = 0;
    if (capacity_ <= most) return;
    bytes_.reset();
    capacity_ = 0;
  }

 private:
  void grow(std::size_t most) {
    const std::size_t doubled = capacity_ * 2;
    const std::size_t wanted = size_ + most < 256 ? 256 : size_ + most;
    const std::size_t capacity = doubled > wanted ? doubled : wanted;
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace mintmark::io
