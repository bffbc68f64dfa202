// A client of HTTP/1.1 (RFC 9112): one connection that is kept, one request at a time, each with a deadline
// on the whole exchange.
//
// What a store must know of a request that failed is whether the server may have carried it out, so each
// failure says it. Nothing is ever sent twice. Refused: a reply that ends only with the connection, because
// nobody can tell whether it is whole. Redirects, cookies and caches are for browsers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/net/client_stream.h"
#include "mintmark/base/time.h"

namespace mintmark::io {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  enum class Method : std::uint8_t { get, post };
  Method method = Method::get;
  std::string target = "/";  ///< path and query, as they go out
  HttpHeaders headers{};     ///< beside Host and Content-Length
  std::string body{};
};

struct HttpReply {
  unsigned status = 0;
  HttpHeaders headers;
  std::string body;

  /// The first value of a header, whose name is compared without case; nothing if there is none.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
};

struct HttpFailure {
  enum class Sent : std::uint8_t {
    nothing,  ///< the server has seen no byte of the request
    perhaps,  ///< it may have carried it out
  };
  NetFailure why;
  Sent sent = Sent::perhaps;
};

/// One thread at a time. Deadlines are those of io::os_clock().
class HttpClient {
 public:
  /// `host` goes into the header of that name, as a URL writes it with its port, and names the server in
  /// details. A reply with a body of more than `most_bytes` is a failure.
  HttpClient(std::unique_ptr<ClientStream> stream, std::string host, std::size_t most_bytes);

  /// Any status is a reply. After a failure, or a reply with `Connection: close`, the client is of no use.
  [[nodiscard]] std::expected<HttpReply, HttpFailure> exchange(const HttpRequest& request,
                                                               BootInstant deadline);

  /// Whether another exchange may be tried.
  [[nodiscard]] bool usable() const { return stream_ != nullptr; }

 private:
  [[nodiscard]] NetResult<HttpReply> receive(BootInstant deadline);
  [[nodiscard]] std::unexpected<NetFailure> broken(std::string_view why) const;

  std::unique_ptr<ClientStream> stream_;
  std::string host_;
  std::size_t most_bytes_;
};

/// The date of a header `Date` (RFC 9110, 5.6.7), in whole seconds: `Tue, 01 Dec 2026 09:48:21 GMT`. Only
/// this form, which every server has to write. Thread-safe.
[[nodiscard]] std::optional<Instant> parse_http_date(std::string_view text);

}  // namespace mintmark::io
