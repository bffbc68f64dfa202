// Erasing what was secret: random words, keys, tokens.
//
// A secret that stays in memory is one that a core dump, a forked child or a later reader of the stack may
// find. The compiler may drop an ordinary write to memory that dies; it may not drop this one.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace mintmark {

inline void erase(std::span<std::byte> bytes) {
  if (bytes.empty()) return;
  std::memset(bytes.data(), 0, bytes.size());
  asm volatile("" : : "r"(bytes.data()) : "memory");
}

/// Erases on every way out of a scope. Pinned. REQUIRES: the bytes outlive it.
class EraseAtExit {
 public:
  explicit EraseAtExit(std::span<std::byte> bytes) : bytes_(bytes) {}
  EraseAtExit(const EraseAtExit&) = delete;
  EraseAtExit& operator=(const EraseAtExit&) = delete;
  ~EraseAtExit() { erase(bytes_); }

 private:
  std::span<std::byte> bytes_;
};

}  // namespace mintmark
