// Reads RESP replies as they arrive: any cut of the stream into reads gives the same result.
//
// Why not recursion: a reply that nests arrays is one count of values that are still to come. An
// aggregate of n adds n to it and takes itself away; the reply is whole when the count is zero. So
// the state between two reads is a few numbers, and a reply of a million values is never read twice.
//
// It speaks RESP2 and RESP3 (the types of the RESP3 specification, github.com/redis/redis-specifications,
// protocol/RESP3.md). It refuses streamed strings and aggregates (`$?`, `*?`), which no server in use
// sends, lines above 16 KiB, and numbers that are not canonical decimal: a load client that guesses
// would count replies that were never sent.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <expected>
#include <limits>
#include <string_view>

namespace mintmark::bench {

/// One connection's place in the stream of replies. One thread at a time.
///
/// A Sink has these members, called in the order of the stream:
///   integer(int64_t)    a number reply, or one inside an aggregate
///   text(string_view)   a string of any kind, double, big number or boolean; empty if above 4 KiB
///   error(string_view)  an error of any kind
///   null()              a null of any kind
///   reply()             the values since the last call make one whole reply
/// Attributes and pushes are read and dropped: they answer no request.
class ReplyReader {
 public:
  /// Reads as much of `bytes` as is whole and says how many bytes that was. The caller presents the
  /// rest again, with more behind it. Fails with words when the bytes are not RESP; the connection is
  /// of no use after that.
  template <class Sink>
  [[nodiscard]] std::expected<std::size_t, std::string_view> feed(std::string_view bytes,
                                                                  Sink& sink) {
    std::size_t at = 0;
    while (at < bytes.size()) {
      const std::string_view rest = bytes.substr(at);
      const Step step = body_left_ > 0 ? drop_body(rest, sink) : read_value(rest, sink);
      if (step.broken != nullptr) return std::unexpected(step.broken);
      if (step.used == 0) break;
      at += step.used;
    }
    return at;
  }

  /// The most bytes that feed leaves unread.
  static constexpr std::size_t kMostUnread = std::size_t{16} << 10;

 private:
  static constexpr std::uint64_t kNeverQuiet = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::int64_t kWholeBody = 4096;  // longer bodies are dropped unread
  static constexpr std::int64_t kMostBody = std::int64_t{512} << 20;  // proto-max-bulk-len of Redis
  static constexpr std::int64_t kMostValues = std::int64_t{1} << 31;

  struct Step {
    std::size_t used = 0;  ///< 0: the bytes end in the middle of a value
    const char* broken = nullptr;
  };

  template <class Sink>
  Step read_value(std::string_view rest, Sink& sink) {
    const auto* end = static_cast<const char*>(std::memchr(rest.data(), '\r', rest.size()));
    const auto size = end == nullptr ? rest.size() : static_cast<std::size_t>(end - rest.data());
    if (size > kMostUnread - 2) return {.broken = "a line above 16 KiB"};
    if (end == nullptr || size + 2 > rest.size()) return {};
    if (end[1] != '\n') return {.broken = "a carriage return without a line feed"};
    if (size == 0) return {.broken = "an empty line"};

    if (rest[0] == '>' && pending_ != 0) return {.broken = "a push inside a reply"};
    if (pending_ == 0) pending_ = 1;
    const std::string_view line = rest.substr(1, size - 1);
    switch (rest[0]) {
      case ':':
        return read_integer(line, size + 2, sink);
      case '+':
      case ',':
      case '(':
      case '#':
        if (is_loud()) sink.text(line);
        return finish_value(size + 2, sink);
      case '-':
        if (is_loud()) sink.error(line);
        return finish_value(size + 2, sink);
      case '_':
        if (is_loud()) sink.null();
        return finish_value(size + 2, sink);
      case '$':
      case '=':
      case '!':
        return read_body(rest, line, size + 2, sink);
      case '*':
      case '~':
      case '%':
      case '|':
      case '>':
        return read_aggregate(rest[0], line, size + 2, sink);
      default:
        return {.broken = "an unknown type byte"};
    }
  }

  template <class Sink>
  Step read_integer(std::string_view line, std::size_t used, Sink& sink) {
    std::int64_t value = 0;
    if (!to_number(line, value)) return {.broken = "a number that is not one"};
    if (is_loud()) sink.integer(value);
    return finish_value(used, sink);
  }

  template <class Sink>
  Step read_body(std::string_view rest, std::string_view line, std::size_t used, Sink& sink) {
    std::int64_t length = 0;
    if (!to_number(line, length) || length < -1 || length > kMostBody) {
      return {.broken = "a string of impossible length"};
    }
    if (length == -1) {
      if (is_loud()) sink.null();
      return finish_value(used, sink);
    }
    const auto size = static_cast<std::size_t>(length);
    std::string_view body;
    if (length <= kWholeBody) {
      if (rest.size() < used + size + 2) return {};
      if (rest.substr(used + size, 2) != "\r\n") return {.broken = "a string longer than it said"};
      body = rest.substr(used, size);
    }
    if (is_loud()) {
      if (rest[0] == '!') {
        sink.error(length <= kWholeBody ? body : "an error above 4 KiB");
      } else {
        sink.text(body);
      }
    }
    if (length <= kWholeBody) return finish_value(used + size + 2, sink);
    body_left_ = size + 2;
    return {.used = used};
  }

  template <class Sink>
  Step read_aggregate(char type, std::string_view line, std::size_t used, Sink& sink) {
    std::int64_t count = 0;
    if (!to_number(line, count) || count < -1 || count > kMostValues) {
      return {.broken = "an aggregate of impossible size"};
    }
    if (count == -1) {
      if (is_loud()) sink.null();
      return finish_value(used, sink);
    }
    auto values = static_cast<std::uint64_t>(count);
    if (type == '%' || type == '|') values *= 2;
    if (pending_ > kNeverQuiet / 2) return {.broken = "aggregates nested beyond reason"};
    if (type == '|') {
      // The value that the attribute is about still follows, so nothing is taken away for it.
      if (values > 0 && quiet_above_ == kNeverQuiet) quiet_above_ = pending_;
      pending_ += values;
      return {.used = used};
    }
    if (type == '>') quiet_above_ = 0;
    pending_ += values;
    return finish_value(used, sink);
  }

  template <class Sink>
  Step drop_body(std::string_view rest, Sink& sink) {
    const std::size_t used = rest.size() < body_left_ ? rest.size() : body_left_;
    body_left_ -= used;
    if (body_left_ > 0) return {.used = used};
    return finish_value(used, sink);
  }

  template <class Sink>
  Step finish_value(std::size_t used, Sink& sink) {
    --pending_;
    const bool was_quiet = pending_ == quiet_above_;
    if (was_quiet) quiet_above_ = kNeverQuiet;
    if (pending_ == 0 && !was_quiet) sink.reply();
    return {.used = used};
  }

  [[nodiscard]] bool is_loud() const { return pending_ <= quiet_above_; }

  static bool to_number(std::string_view text, std::int64_t& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc{} && end == text.data() + text.size();
  }

  std::uint64_t pending_ = 0;                // values still to come in the present reply
  std::uint64_t quiet_above_ = kNeverQuiet;  // values are dropped while pending_ is above it
  std::size_t body_left_ = 0;                // bytes of a long string still to drop
};

}  // namespace mintmark::bench
