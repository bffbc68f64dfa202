// Blocks: standard output written and text read in blocks, with constant memory at any length.
//
// Why not stdio or iostream: a command that prints ten million IDs spends its time in them, and both
// hide which write failed. A reader that went away (`mintmark new ... | head`) is no failure, and is told
// apart from a full disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace mintmark::io {

/// Collects bytes and writes them to a descriptor, which it does not own. One thread at a time.
class BlockWriter {
 public:
  static constexpr std::size_t kBlock = std::size_t{64} * 1024;

  enum class State : std::uint8_t {
    open,
    reader_gone,  ///< EPIPE: nobody reads any more
    failed,       ///< reason() says why
  };

  /// The process must ignore SIGPIPE: see ignore_broken_pipes().
  explicit BlockWriter(int descriptor);
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Room for at least `size` characters, to be filled from the front; then call used().
  /// REQUIRES: size <= kBlock. Writes a block if the rest of it is too small.
  [[nodiscard]] std::span<char> room(std::size_t size) {
    if (kBlock - size_ < size) flush();
    return {block_.get() + size_, kBlock - size_};
  }
  void used(std::size_t size) { size_ += size; }

  void put(std::string_view text);
  void put(std::span<const std::byte> bytes) {
    put({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  /// Writes what was collected. After a failure everything is dropped.
  void flush();

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool is_open() const { return state_ == State::open; }
  /// The system's words about the failure.
  [[nodiscard]] std::string reason() const;

 private:
  int descriptor_;
  int code_ = 0;
  State state_ = State::open;
  std::size_t size_ = 0;
  std::unique_ptr<char[]> block_;
};

/// Writes to a pipe that nobody reads then fail with EPIPE instead of ending the process.
void ignore_broken_pipes();

/// Writes words to standard error at once, as far as it takes them.
void write_words(std::string_view words);

/// Whether a person sits at the other end.
[[nodiscard]] bool is_terminal(int descriptor);

/// Reads a descriptor in blocks. One thread at a time.
class BlockReader {
 public:
  static constexpr std::size_t kBlock = std::size_t{1024} * 1024;
  /// No ID and no record is longer; of a longer line only so many characters are given.
  static constexpr std::size_t kLongestLine = std::size_t{64} * 1024;

  /// Owns the descriptor unless it is standard input.
  explicit BlockReader(int descriptor);
  /// Opens a file; `-` is standard input. open() says whether that worked.
  explicit BlockReader(const std::string& path);
  ~BlockReader();
  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  /// The next line without its end (LF or CRLF). False at the end, and after a failure. The view lives
  /// until the next call.
  [[nodiscard]] bool next_line(std::string_view& line);

  /// The next line with its end, or of a longer one the next kLongestLine bytes: all bytes come, in order.
  [[nodiscard]] bool next_piece(std::string_view& piece);

  /// The next `size` bytes, or the fewer that are left; false if none are. REQUIRES: size <= kLongestLine.
  [[nodiscard]] bool next_record(std::size_t size, std::span<const std::byte>& record);

  /// True once reading or opening has failed; reason() says why.
  [[nodiscard]] bool failed() const { return code_ != 0; }
  [[nodiscard]] std::string reason() const;

 private:
  /// Gets more bytes behind those not yet given; false if there are none.
  bool refill();

  int descriptor_ = -1;
  int code_ = 0;
  bool ended_ = false;
  bool passing_ = false;  ///< over the rest of a line of which enough was given
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::unique_ptr<char[]> block_;
};

}  // namespace mintmark::io
