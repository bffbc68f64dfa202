// RESP: the protocol of Redis, versions 2 and 3, the side of the server. Sans IO: bytes in, words out.
//
// Requests are arrays of bulk strings, or inline commands: words on a line, as typed into telnet.
// Replies are written straight into the output buffer. Why our own: the protocol is small, we need its
// server side, and the packaged client library knows neither RESP3 nor parsing without copies.
//
// It refuses what Redis refuses (wrong lengths, missing CRLF, unbalanced quotes), and two things that
// Redis lets pass because they are never meant: a negative count of arguments and escapes in quotes.
// Specification: redis.io/docs/reference/protocol-spec (RESP2), RESP3 of Redis 6.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/net/out_buffer.h"

namespace mintmark::io {

/// What a request may be at most. Beyond it the connection is told why and closed.
struct RespLimits {
  std::size_t arguments = 64;
  std::size_t bulk = 64 * 1024;         ///< bytes of one argument
  std::size_t inline_line = 64 * 1024;  ///< bytes of an inline command, as in Redis
};

/// Takes commands from the front of a buffer. Keeps no bytes: an incomplete command is parsed again
/// from its start when more has come. One thread at a time.
class RespParser {
 public:
  enum class Status : std::uint8_t {
    complete,    ///< arguments() is a command, possibly of no words, which needs no reply
    incomplete,  ///< nothing is wrong so far
    broken,      ///< problem() says what; nothing after it can be understood
  };

  explicit RespParser(RespLimits limits = {}) : limits_(limits), arguments_(limits.arguments) {}

  [[nodiscard]] Status parse(std::string_view buffer);

  /// Of the last complete command: views into the buffer that was parsed.
  [[nodiscard]] std::span<const std::string_view> arguments() const {
    return {arguments_.data(), count_};
  }
  /// Bytes of the last complete command.
  [[nodiscard]] std::size_t consumed() const { return consumed_; }
  /// In Redis's words, without a prefix.
  [[nodiscard]] std::string_view problem() const { return problem_; }

 private:
  Status parse_array(std::string_view buffer);
  Status parse_inline(std::string_view buffer);
  Status broken(std::string_view problem);

  RespLimits limits_;
  std::vector<std::string_view> arguments_;
  std::size_t count_ = 0;
  std::size_t consumed_ = 0;
  std::string problem_;
};

enum class RespVersion : std::uint8_t { two = 2, three = 3 };

/// Appends replies to a buffer. The caller keeps the structure right: array(n) is followed by n replies,
/// map(n) by n pairs. REQUIRES: text of simple() and error() holds neither CR nor LF.
class RespWriter {
 public:
  RespWriter(OutBuffer& out, RespVersion version) : out_(out), version_(version) {}

  void simple(std::string_view text) { line('+', text); }
  void error(std::string_view text) { line('-', text); }
  void integer(std::int64_t value) { number(':', value); }
  void bulk(std::string_view text) {
    number('$', static_cast<std::int64_t>(text.size()));
    char* to = out_.room(text.size() + 2);
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    to[text.size()] = '\r';
    to[text.size() + 1] = '\n';
    out_.wrote(text.size() + 2);
  }
  void null() { out_.append(version_ == RespVersion::three ? "_\r\n" : "$-1\r\n"); }
  void array(std::size_t size) { number('*', static_cast<std::int64_t>(size)); }
  /// In RESP2 a flat array of keys and values.
  void map(std::size_t pairs) {
    if (version_ == RespVersion::three) {
      number('%', static_cast<std::int64_t>(pairs));
    } else {
      array(pairs * 2);
    }
  }

 private:
  void line(char type, std::string_view text) {
    char* to = out_.room(text.size() + 3);
    to[0] = type;
    if (!text.empty()) std::memcpy(to + 1, text.data(), text.size());
    to[text.size() + 1] = '\r';
    to[text.size() + 2] = '\n';
    out_.wrote(text.size() + 3);
  }
  void number(char type, std::int64_t value) {
    constexpr std::size_t kMost = 1 + 20 + 2;  // type, -2^63, CRLF
    char* const start = out_.room(kMost);
    *start = type;
    char* end = std::to_chars(start + 1, start + kMost, value).ptr;
    *end++ = '\r';
    *end++ = '\n';
    out_.wrote(static_cast<std::size_t>(end - start));
  }

  OutBuffer& out_;
  RespVersion version_;
};

}  // namespace mintmark::io
