// One HTTP request and its reply: routes, verbs, and errors as problem documents (RFC 9457).
//
// Routes come from the verb table. It refuses to make IDs for pages of other sites: a GET that makes
// something could be sent by any page in a browser that reaches this machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mint/request.h"
#include "server/conversation.h"
#include "server/directory.h"
#include "server/http_reply.h"
#include "server/http_target.h"
#include "server/order.h"

namespace mintmark::server {

/// What is looked at of a request. Views live until begin() returns.
struct HttpRequest {
  std::string_view method;
  std::string_view target;
  std::string_view host;
  std::string_view accept;
  std::string_view origin;
  std::string_view fetch_site;  ///< Sec-Fetch-Site
  HttpManner::After after = HttpManner::After::keep;
};

/// One request after the other. One thread at a time.
class HttpExchange {
 public:
  enum class State : std::uint8_t { answered, waiting };

  explicit HttpExchange(Surroundings& surroundings) : around_(surroundings) {}

  /// REQUIRES: not waiting.
  State begin(const HttpRequest& request, io::OutBuffer& out, const Moment& moment);
  /// REQUIRES: waiting, since at least wait().
  State resume(io::OutBuffer& out, const Moment& moment);
  [[nodiscard]] Duration wait() const { return order_.wait(); }

  /// Answers what is no request that one could understand; the connection is closed after it.
  void refuse(unsigned status, Fault code, std::string_view detail, io::OutBuffer& out,
              const Moment& moment);

 private:
  State mint(const HttpRequest& request, const HttpTarget& target);
  State answer_order();
  void inspect(std::string_view id);
  void space(std::string_view name);
  State fail_with(const Error& error, std::string_view detail);
  void problem(Problem problem, std::string more_headers);
  void reply(const HttpReply& reply);
  void write_ids();

  Surroundings& around_;
  Order order_;
  HttpReplyWriter writer_;
  IdFormat format_ = IdFormat::json;
  HttpManner manner_;
  // Of the running call.
  io::OutBuffer* out_ = nullptr;
  Moment moment_;
};

}  // namespace mintmark::server
