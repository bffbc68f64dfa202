// Replies of RESP2, the side of the client. Sans IO: bytes in, values out.
//
// Unlike RespParser it keeps what it has understood: a reply may be long, and come in many pieces. It refuses
// what is not RESP2, and what is larger or deeper than its limits, before it takes memory for it.
// Specification: redis.io/docs/reference/protocol-spec (RESP2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mintmark::io {

struct RespReply {
  enum class Type : std::uint8_t { simple, error, integer, bulk, null, array };
  Type type = Type::null;
  std::string text{};              ///< of simple, error and bulk
  std::int64_t number = 0;         ///< of integer
  std::vector<RespReply> items{};  ///< of array

  [[nodiscard]] bool is(Type wanted) const { return type == wanted; }
};

/// What a reply may be at most.
struct RespReplyLimits {
  std::size_t line = 64 * 1024;           ///< bytes of a simple string or an error
  std::size_t bytes = 256 * 1024 * 1024;  ///< of all texts together
  std::size_t items = 4 * 1024 * 1024;    ///< values, nested ones included
  std::size_t depth = 8;                  ///< arrays in each other
};

/// Takes one reply after another from a stream. One thread at a time.
class RespReplyParser {
 public:
  enum class Status : std::uint8_t {
    complete,    ///< reply() is one
    incomplete,  ///< nothing is wrong so far
    broken,      ///< problem() says what; nothing after it can be understood
  };

  explicit RespReplyParser(RespReplyLimits limits = {}) : limits_(limits) {}

  /// Takes bytes from the front of the buffer: consumed() of them, which must not be offered again. The
  /// others must, with more behind them. REQUIRES: not broken.
  [[nodiscard]] Status parse(std::string_view buffer);

  /// The last complete reply, to be moved away.
  [[nodiscard]] RespReply& reply() { return reply_; }
  [[nodiscard]] std::size_t consumed() const { return consumed_; }
  /// Of a broken reply. Never bytes of it.
  [[nodiscard]] std::string_view problem() const { return problem_; }

 private:
  struct OpenArray {
    RespReply array;
    std::size_t missing;
  };
  /// An incomplete value leaves all as it was, a complete one moves consumed_ past itself.
  Status take_value(std::string_view buffer, RespReply& value, std::size_t& items);
  Status take_line(std::string_view buffer, RespReply& value);
  Status take_sized(std::string_view buffer, RespReply& value, std::size_t& items);
  Status take_bulk(std::string_view buffer, std::size_t from, std::size_t size, RespReply& value);
  Status begin_array(std::size_t from, std::size_t size, std::size_t& items);
  Status broken(std::string_view problem);

  RespReplyLimits limits_;
  std::vector<OpenArray> open_;
  std::size_t bytes_ = 0;  ///< of the texts of this reply so far
  std::size_t items_ = 0;  ///< values of this reply so far, announced ones included
  std::size_t consumed_ = 0;
  RespReply reply_;
  std::string_view problem_;
};

}  // namespace mintmark::io
