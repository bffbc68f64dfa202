#include "io/net/resp_client.h"

#include <fmt/format.h>

#include "io/net/resp.h"

namespace mintmark::io {

void RespClient::add(std::span<const std::string_view> arguments) {
  RespWriter writer{commands_, RespVersion::two};
  writer.array(arguments.size());
  for (const std::string_view argument : arguments) writer.bulk(argument);
  ++count_;
}

NetResult<std::vector<RespReply>> RespClient::exchange(BootInstant deadline) {
  const auto sent = stream_->write_all(commands_.view(), deadline);
  if (!sent) return std::unexpected(sent.error());
  constexpr std::size_t kKept = 64 * 1024;
  commands_.clear_to(kKept);
  std::vector<RespReply> replies;
  for (; count_ > 0; --count_) {
    auto reply = receive(deadline);
    if (!reply) return std::unexpected(reply.error());
    replies.push_back(std::move(*reply));
  }
  return replies;
}

NetResult<RespReply> RespClient::receive(BootInstant deadline) {
  constexpr std::size_t kPiece = 64 * 1024;
  for (;;) {
    const auto status = parser_.parse(std::string_view{received_}.substr(taken_));
    if (status == RespReplyParser::Status::broken) {
      return std::unexpected(
          NetFailure{NetFailure::Cause::lost,
                     fmt::format("{}: the answer is not RESP: {}", words_, parser_.problem())});
    }
    taken_ += parser_.consumed();
    if (status == RespReplyParser::Status::complete) return std::move(parser_.reply());
    received_.erase(0, taken_);
    taken_ = 0;
    const std::size_t before = received_.size();
    received_.resize(before + kPiece);
    const auto size = stream_->read_some(std::span{received_}.subspan(before), deadline);
    received_.resize(before + size.value_or(0));
    if (!size) return std::unexpected(size.error());
  }
}

}  // namespace mintmark::io
