#include "io/net/resp_reply.h"

#include <charconv>
#include <utility>

#include "io/net/resp_length.h"

namespace mintmark::io {
namespace {

using Type = RespReply::Type;
using Status = RespReplyParser::Status;

}  // namespace

Status RespReplyParser::parse(std::string_view buffer) {
  consumed_ = 0;
  for (;;) {
    RespReply value;
    std::size_t items = 0;
    const Status taken = take_value(buffer, value, items);
    if (taken != Status::complete) return taken;
    if (items > 0) {
      open_.push_back({std::move(value), items});
      continue;
    }
    // The last item of an array makes the array an item of the one around it.
    while (!open_.empty()) {
      open_.back().array.items.push_back(std::move(value));
      if (--open_.back().missing > 0) break;
      value = std::move(open_.back().array);
      open_.pop_back();
    }
    if (!open_.empty()) continue;
    reply_ = std::move(value);
    bytes_ = 0;
    items_ = 0;
    return Status::complete;
  }
}

Status RespReplyParser::take_value(std::string_view buffer, RespReply& value, std::size_t& items) {
  if (consumed_ == buffer.size()) return Status::incomplete;
  switch (buffer[consumed_]) {
    case '+':
      value.type = Type::simple;
      return take_line(buffer, value);
    case '-':
      value.type = Type::error;
      return take_line(buffer, value);
    case ':':
      value.type = Type::integer;
      return take_line(buffer, value);
    case '$':
      value.type = Type::bulk;
      return take_sized(buffer, value, items);
    case '*':
      value.type = Type::array;
      return take_sized(buffer, value, items);
    default:
      return broken("a value of an unknown type");
  }
}

Status RespReplyParser::take_line(std::string_view buffer, RespReply& value) {
  const std::string_view rest = buffer.substr(consumed_ + 1, limits_.line + 2);
  const std::size_t end = rest.find_first_of("\r\n");
  if (end == rest.npos || end + 1 == rest.size()) {
    return rest.size() == limits_.line + 2 ? broken("a line that is too long") : Status::incomplete;
  }
  if (rest[end] != '\r' || rest[end + 1] != '\n') return broken("a line without CRLF");
  const std::string_view line = rest.substr(0, end);
  if (value.type == Type::integer) {
    const char* const last = line.data() + line.size();
    const auto [stop, error] = std::from_chars(line.data(), last, value.number);
    if (error != std::errc{} || stop != last) return broken("an integer that is none");
  } else {
    bytes_ += line.size();
    if (bytes_ > limits_.bytes) return broken("a reply with too many bytes");
    value.text = line;
  }
  consumed_ += 1 + end + 2;
  return Status::complete;
}

Status RespReplyParser::take_sized(std::string_view buffer, RespReply& value, std::size_t& items) {
  constexpr std::string_view kNull = "-1\r\n";
  const std::string_view rest = buffer.substr(consumed_ + 1);
  if (rest.starts_with('-')) {
    if (rest.size() < kNull.size() && kNull.starts_with(rest)) return Status::incomplete;
    if (!rest.starts_with(kNull)) return broken("a negative length");
    value.type = Type::null;
    consumed_ += 1 + kNull.size();
    return Status::complete;
  }
  RespLength length{buffer, consumed_ + 1};
  const RespLength::Outcome outcome = length.read();
  if (outcome == RespLength::Outcome::incomplete) return Status::incomplete;
  if (outcome == RespLength::Outcome::malformed) return broken("a length that is no number");
  return value.type == Type::bulk ? take_bulk(buffer, length.at(), length.value(), value)
                                  : begin_array(length.at(), length.value(), items);
}

Status RespReplyParser::take_bulk(std::string_view buffer, std::size_t from, std::size_t size,
                                  RespReply& value) {
  if (size > limits_.bytes - bytes_) return broken("a reply with too many bytes");
  if (buffer.size() - from < size + 2) return Status::incomplete;
  if (buffer.substr(from + size, 2) != "\r\n") return broken("a bulk string without CRLF");
  bytes_ += size;
  value.text = buffer.substr(from, size);
  consumed_ = from + size + 2;
  return Status::complete;
}

Status RespReplyParser::begin_array(std::size_t from, std::size_t size, std::size_t& items) {
  if (size > limits_.items - items_) return broken("a reply with too many items");
  if (open_.size() == limits_.depth) return broken("arrays that are too deep in each other");
  items_ += size;
  items = size;
  consumed_ = from;
  return Status::complete;
}

Status RespReplyParser::broken(std::string_view problem) {
  problem_ = problem;
  return Status::broken;
}

}  // namespace mintmark::io
