#include "io/net/resp.h"

#include <expected>

#include "io/net/resp_length.h"

namespace mintmark::io {
namespace {

constexpr bool is_space(char c) { return c == ' ' || c == '\t'; }

/// One word of an inline command. Quotes delimit a word that may hold spaces.
struct Word {
  std::string_view text;
  std::size_t end;
};
std::expected<Word, std::string_view> next_word(std::string_view line, std::size_t at) {
  const char quote = line[at];
  if (quote != '"' && quote != '\'') {
    std::size_t end = at;
    while (end < line.size() && !is_space(line[end])) {
      if (line[end] == '"' || line[end] == '\'') {
        return std::unexpected("unbalanced quotes in request");
      }
      ++end;
    }
    return Word{line.substr(at, end - at), end};
  }
  const std::size_t end = line.find(quote, at + 1);
  if (end == std::string_view::npos) return std::unexpected("unbalanced quotes in request");
  const std::string_view text = line.substr(at + 1, end - at - 1);
  if (text.find('\\') != std::string_view::npos) {
    return std::unexpected("escapes in an inline request are not supported");
  }
  if (end + 1 < line.size() && !is_space(line[end + 1])) {
    return std::unexpected("unbalanced quotes in request");
  }
  return Word{text, end + 1};
}

}  // namespace

RespParser::Status RespParser::parse(std::string_view buffer) {
  if (buffer.empty()) return Status::incomplete;
  return buffer.front() == '*' ? parse_array(buffer) : parse_inline(buffer);
}

RespParser::Status RespParser::parse_array(std::string_view buffer) {
  using Outcome = RespLength::Outcome;
  RespLength count{buffer, 1};
  if (const auto outcome = count.read(); outcome != Outcome::read) {
    return outcome == Outcome::incomplete ? Status::incomplete : broken("invalid multibulk length");
  }
  if (count.value() > limits_.arguments) {
    return broken("too many arguments, at most " + std::to_string(limits_.arguments));
  }
  std::size_t at = count.at();
  for (std::size_t i = 0; i < count.value(); ++i) {
    if (at == buffer.size()) return Status::incomplete;
    if (buffer[at] != '$') {
      // A byte that would spoil the error line is not shown.
      const char got = buffer[at] >= ' ' && buffer[at] <= '~' ? buffer[at] : '?';
      return broken(std::string{"expected '$', got '"} + got + "'");
    }
    RespLength length{buffer, at + 1};
    if (const auto outcome = length.read(); outcome != Outcome::read) {
      return outcome == Outcome::incomplete ? Status::incomplete : broken("invalid bulk length");
    }
    if (length.value() > limits_.bulk) {
      return broken("invalid bulk length, at most " + std::to_string(limits_.bulk));
    }
    const std::size_t end = length.at() + length.value();
    if (buffer.size() > end && buffer[end] != '\r') {
      return broken("expected CRLF after a bulk string");
    }
    if (buffer.size() < end + 2) return Status::incomplete;
    if (buffer[end + 1] != '\n') return broken("expected CRLF after a bulk string");
    arguments_[i] = buffer.substr(length.at(), length.value());
    at = end + 2;
  }
  count_ = count.value();
  consumed_ = at;
  return Status::complete;
}

RespParser::Status RespParser::parse_inline(std::string_view buffer) {
  const std::size_t newline = buffer.find('\n');
  if (newline == std::string_view::npos) {
    return buffer.size() > limits_.inline_line ? broken("too big inline request")
                                               : Status::incomplete;
  }
  if (newline > limits_.inline_line) return broken("too big inline request");
  std::string_view line = buffer.substr(0, newline);
  if (line.ends_with('\r')) line.remove_suffix(1);
  count_ = 0;
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size()) break;
    auto word = next_word(line, at);
    if (!word) return broken(std::string{word.error()});
    if (count_ == arguments_.size()) {
      return broken("too many arguments, at most " + std::to_string(limits_.arguments));
    }
    arguments_[count_++] = word->text;
    at = word->end;
  }
  consumed_ = newline + 1;
  return Status::complete;
}

RespParser::Status RespParser::broken(std::string_view problem) {
  problem_ = problem;
  count_ = 0;
  consumed_ = 0;
  return Status::broken;
}

}  // namespace mintmark::io
