// A scratch file: room on the disk for what does not fit the memory, gone when the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/file.h"

namespace mintmark::io {

/// A nameless file in $TMPDIR, or /tmp. One thread at a time.
class ScratchFile {
 public:
  /// Errors: those of open(2), with the folder.
  [[nodiscard]] static FileResult<ScratchFile> make();
  ScratchFile(ScratchFile&& other) noexcept;
  ScratchFile& operator=(ScratchFile&&) = delete;
  ~ScratchFile();

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Adds at the end. Errors: ENOSPC and others of write(2).
  [[nodiscard]] FileResult<void> append(std::span<const std::byte> bytes);
  /// REQUIRES: offset + out.size() <= size().
  [[nodiscard]] FileResult<void> read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  explicit ScratchFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace mintmark::io
