// Text kernels: UUIDs and ULIDs as text and back by the best instructions of the CPU that the program runs
// on, many at a time.
//
// Why here and not in the headers: those choose when they are compiled, and the packaged binary is compiled
// for every x86-64 there is. One by one, the choice costs a call through a pointer; it saves most in batches.
//
// IDs are 16 bytes each, big-endian. Readers are as strict as Uuid::parse of the canonical form and
// Ulid::parse, and say only yes or no: whoever needs the position asks those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "mintmark/base/error.h"

namespace mintmark::io {

/// One kind of text of 16 bytes, both ways. Immutable; any thread may use it.
template <std::size_t kTextSize>
class TextCodec {
 public:
  static constexpr std::size_t kChars = kTextSize;
  static constexpr std::size_t kBytes = 16;

  void write(std::span<const std::byte, kBytes> id, std::span<char, kChars> out) const {
    write_one(id.data(), out.data());
  }
  /// False, and `id` is of no use, if the text is none; of any other size it is none.
  [[nodiscard]] bool read(std::string_view text, std::span<std::byte, kBytes> id) const {
    return text.size() == kChars && read_one(text.data(), id.data());
  }

  /// Writes each ID and `after` behind it; returns the characters written.
  /// REQUIRES: ids.size() is a multiple of kBytes; room for kChars + 1 characters an ID.
  std::size_t write_all(std::span<const std::byte> ids, char after, std::span<char> out) const {
    const std::size_t count = ids.size() / kBytes;
    const std::size_t written = count * (kChars + 1);
    MINTMARK_CHECK(out.size() >= written);
    write_many(ids.data(), count, after, out.data());
    return written;
  }
  /// Reads texts that have `after` behind each of them, until one is none, the text ends or `ids` is full;
  /// returns how many. Of the one that it stopped at, `ids` may hold something.
  [[nodiscard]] std::size_t read_all(std::string_view text, char after,
                                     std::span<std::byte> ids) const {
    const std::size_t count = std::min(text.size() / (kChars + 1), ids.size() / kBytes);
    return read_many(text.data(), count, after, ids.data());
  }

  // The functions of a kernel; public, so that each kernel is one constant.
  void (*write_one)(const std::byte* id, char* out);
  bool (*read_one)(const char* text, std::byte* id);
  void (*write_many)(const std::byte* ids, std::size_t count, char after, char* out);
  std::size_t (*read_many)(const char* text, std::size_t count, char after, std::byte* ids);
};

/// What one set of instructions does. Immutable; any thread may use it.
struct TextKernel {
  enum class Kind : std::uint8_t {
    portable,  ///< what this program is compiled for, on any machine
    sse4,      ///< SSE4.1
    avx2,
  };
  /// Whether this CPU has what the kernel needs.
  [[nodiscard]] static bool runs(Kind kind);
  /// REQUIRES: runs(kind).
  [[nodiscard]] static const TextKernel& of(Kind kind);
  /// The fastest that runs, chosen once.
  [[nodiscard]] static const TextKernel& best();

  TextCodec<36> uuid;  ///< the canonical form, in lower case; read in either
  TextCodec<26> ulid;  ///< in upper case; read in either
};

}  // namespace mintmark::io
