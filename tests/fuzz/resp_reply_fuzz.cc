// libFuzzer target: no bytes of a server make the parser of replies read outside of them, take more than its
// limits, or understand something else because they come in other pieces.
//
// LINK: src/io/net/resp_reply.cc
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "io/net/resp_reply.h"

namespace mintmark::io {
namespace {

constexpr RespReplyLimits kLimits{.line = 16, .bytes = 64, .items = 16, .depth = 3};

void note(const RespReply& reply, std::string& notes) {
  notes += static_cast<char>('0' + static_cast<int>(reply.type));
  notes += reply.text + "," + std::to_string(reply.number) + "(";
  for (const RespReply& item : reply.items) note(item, notes);
  notes += ")";
}

/// What is understood of the input when it comes in pieces of this size.
std::string notes_of(std::string_view input, std::size_t piece) {
  using Status = RespReplyParser::Status;
  RespReplyParser parser{kLimits};
  std::string notes;
  std::string come;
  for (std::size_t at = 0; at < input.size(); at += piece) {
    come += input.substr(at, piece);
    Status status = Status::complete;
    while (status == Status::complete) {
      // A copy of the exact size, so that a sanitizer sees a step beyond it.
      const std::vector<char> exact(come.begin(), come.end());
      status = parser.parse({exact.data(), exact.size()});
      if (status == Status::broken) return notes + "broken: " + std::string{parser.problem()};
      come.erase(0, parser.consumed());
      if (status == Status::complete) note(parser.reply(), notes);
    }
  }
  return notes;
}

}  // namespace
}  // namespace mintmark::io

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  const std::string whole = mintmark::io::notes_of(input, size + 1);
  for (const std::size_t piece : {1U, 2U, 5U}) {
    if (mintmark::io::notes_of(input, piece) != whole) std::abort();
  }
  return 0;
}
