// A client of RESP2: commands out, one reply for each back, several of them in one round trip.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/net/client_stream.h"
#include "io/net/out_buffer.h"
#include "io/net/resp_reply.h"

namespace mintmark::io {

/// One thread at a time. After a failure it is of no use but to be destroyed: what it would read next may be
/// the reply to a command of before.
class RespClient {
 public:
  /// `words` names the server in the details of failures.
  RespClient(std::unique_ptr<ClientStream> stream, std::string words, RespReplyLimits limits = {})
      : stream_(std::move(stream)), words_(std::move(words)), parser_(limits) {}

  /// Puts a command behind those that wait for the next exchange. Arguments are any bytes.
  void add(std::span<const std::string_view> arguments);
  void add(std::initializer_list<std::string_view> arguments) {
    add(std::span{arguments.begin(), arguments.size()});
  }

  /// Sends the waiting commands and gives their replies, in their order; an error is a reply like the
  /// others. Errors: late; lost, also for bytes that are not RESP2.
  [[nodiscard]] NetResult<std::vector<RespReply>> exchange(BootInstant deadline);

 private:
  [[nodiscard]] NetResult<RespReply> receive(BootInstant deadline);

  std::unique_ptr<ClientStream> stream_;
  std::string words_;
  RespReplyParser parser_;
  OutBuffer commands_;
  std::size_t count_ = 0;  ///< of the commands that wait
  std::string received_;
  std::size_t taken_ = 0;  ///< bytes at the front of received_ that were parsed
};

}  // namespace mintmark::io
