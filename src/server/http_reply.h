// An HTTP reply: the status line, the headers and the body as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/net/out_buffer.h"
#include "mintmark/base/time.h"

namespace mintmark::server {

/// What of the request decides the form of every reply.
struct HttpManner {
  enum class Body : std::uint8_t { sent, left_out };          ///< left out for HEAD
  enum class After : std::uint8_t { keep, keep_1_0, close };  ///< keep_1_0: HTTP/1.0 wants it said
  Body body = Body::sent;
  After after = After::keep;
};

struct HttpReply {
  unsigned status = 200;
  std::string_view content_type = "application/json";
  std::string_view body{};
  std::string more_headers{};  ///< whole lines, each with CRLF
};

/// One a conversation: it remembers the text of the Date header for a second.
class HttpReplyWriter {
 public:
  void write(io::OutBuffer& out, const HttpReply& reply, HttpManner manner, Instant now);

 private:
  std::int64_t date_second_ = -1;
  std::string date_;
};

/// The words of a status (RFC 9110 section 15).
[[nodiscard]] std::string_view status_title(unsigned status);

/// As in the Date header: Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110 section 5.6.7).
[[nodiscard]] std::string http_date(Instant instant);

}  // namespace mintmark::server
