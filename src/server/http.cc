// The only file of the server that sees Boost.Beast: its parser is strict and well worn, and compiles slowly.
#include "server/http.h"

#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "server/http_exchange.h"

namespace mintmark::server {
namespace {

namespace http = boost::beast::http;

constexpr std::uint32_t kMostHeader = 16 * 1024;
constexpr std::uint64_t kMostBody = 64 * 1024;
// The parser limits neither chunk extensions nor trailers, so a whole request has a limit too.
constexpr std::size_t kMostFraming = 16 * 1024;
constexpr std::size_t kMostRequest = kMostHeader + kMostBody + kMostFraming;
constexpr unsigned kMostEmptyLines = 4;  // before a request line; RFC 9112 section 2.2 asks for one
constexpr unsigned kHttp11 = 11;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// Why a request is refused before it is looked at.
struct Refusal {
  unsigned status;
  Fault code;
  std::string detail;
};
using Refused = std::optional<Refusal>;

Refused bad_framing(std::string_view detail) {
  return Refusal{400, Fault::invalid_argument, std::string{detail}};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// RFC 9112 sections 6.1 and 6.3. What the parser does not know as chunked it takes for no body, and
/// then reads the body as the next request: that is how requests are smuggled past a proxy.
Refused judge_codings(const http::request_header<>& header) {
  const auto [first, last] = header.equal_range(http::field::transfer_encoding);
  if (first == last) return std::nullopt;
  if (header.version() < kHttp11) return bad_framing("HTTP/1.0 has no Transfer-Encoding");
  bool chunked = false;
  bool unknown = false;
  for (auto field = first; field != last; ++field) {
    std::string_view rest = view(field->value());
    for (bool more = true; more;) {
      const std::size_t comma = rest.find(',');
      const std::string_view coding = trimmed(rest.substr(0, comma));
      more = comma != std::string_view::npos;
      if (more) rest.remove_prefix(comma + 1);
      if (coding.empty()) return bad_framing("a transfer coding without a name");
      if (chunked) return bad_framing("the last transfer coding is chunked, and it is there once");
      if (boost::beast::iequals(coding, "chunked")) {
        chunked = true;
      } else {
        unknown = true;
      }
    }
  }
  if (!unknown) return std::nullopt;
  return Refusal{501, Fault::invalid_argument, "the only transfer coding here is chunked"};
}

class HttpConversation final : public Conversation {
 public:
  explicit HttpConversation(Surroundings& surroundings)
      : around_(surroundings), exchange_(surroundings) {
    next_request();
  }

  [[nodiscard]] Turn turn(std::string_view input, io::OutBuffer& out,
                          const Moment& moment) override {
    using Next = Turn::Next;
    Turn turn;
    if (waiting_) {
      if (exchange_.resume(out, moment) == HttpExchange::State::waiting) return wait(turn);
      waiting_ = false;
      if (!parser_->get().keep_alive()) return end(turn);
      next_request();
    }
    while (true) {
      if (out.size() > kOutputHighWater) {
        turn.next = Next::flush;
        return turn;
      }
      turn.consumed += empty_lines(input.substr(turn.consumed));
      const std::string_view rest = input.substr(turn.consumed);
      if (rest.empty() || (size_ == 0 && rest == "\r")) return turn;
      boost::beast::error_code error;
      const std::size_t taken = parser_->put(boost::asio::buffer(rest), error);
      turn.consumed += taken;
      size_ += taken;
      if (const auto refusal = judge(error, rest.size() - taken)) {
        exchange_.refuse(refusal->status, refusal->code, refusal->detail, out, moment);
        return end(turn);
      }
      if (!parser_->is_done()) {
        welcome_body(out);
        if (error == http::error::need_more) return turn;
        continue;
      }
      around_.tally.requests.add(1);
      if (answer(out, moment) == HttpExchange::State::waiting) {
        waiting_ = true;
        return wait(turn);
      }
      if (!parser_->get().keep_alive()) return end(turn);
      next_request();
    }
  }

 private:
  [[nodiscard]] Turn wait(Turn turn) const {
    turn.next = Turn::Next::wait;
    turn.wait = exchange_.wait();
    return turn;
  }
  [[nodiscard]] static Turn end(Turn turn) {
    turn.next = Turn::Next::close;
    return turn;
  }

  void next_request() {
    parser_.emplace();
    parser_->header_limit(kMostHeader);
    parser_->body_limit(kMostBody);
    parser_->eager(true);
    size_ = 0;
    empty_lines_ = 0;
    judged_ = false;
    welcomed_ = false;
  }

  /// Bytes of the empty lines that may be skipped here.
  std::size_t empty_lines(std::string_view rest) {
    std::size_t size = 0;
    while (size_ == 0 && empty_lines_ < kMostEmptyLines && rest.substr(size).starts_with("\r\n")) {
      ++empty_lines_;
      size += 2;
    }
    return size;
  }

  /// After the parser took its part of the input; `left` it did not take.
  Refused judge(const boost::beast::error_code& error, std::size_t left) {
    const bool needs_more = error == http::error::need_more;
    if (!judged_ && parser_->is_header_done()) {
      judged_ = true;
      if (auto refusal = judge_codings(parser_->get())) return refusal;
    }
    if (error == http::error::header_limit) {
      return Refusal{431, Fault::too_many, "the headers may have 16 KiB"};
    }
    if (error == http::error::body_limit) {
      return Refusal{413, Fault::too_many, "the body may have 64 KiB"};
    }
    if (error && !needs_more) return bad_framing("not HTTP/1.1: " + error.message());
    if (size_ + (needs_more ? left : 0) > kMostRequest) {
      return Refusal{413, Fault::too_many,
                     "the body may have 64 KiB, and its chunk lines and trailers 16 KiB"};
    }
    return std::nullopt;
  }

  /// A client that asks whether its body is wanted would wait a second for the word.
  void welcome_body(io::OutBuffer& out) {
    if (welcomed_ || !parser_->is_header_done()) return;
    welcomed_ = true;
    if (view(parser_->get()[http::field::expect]) == "100-continue") {
      out.append("HTTP/1.1 100 Continue\r\n\r\n");
    }
  }

  HttpExchange::State answer(io::OutBuffer& out, const Moment& moment) {
    const auto& message = parser_->get();
    using After = HttpManner::After;
    HttpRequest request{
        .method = view(message.method_string()),
        .target = view(message.target()),
        .host = view(message[http::field::host]),
        .accept = view(message[http::field::accept]),
        .origin = view(message[http::field::origin]),
        .fetch_site = view(message["Sec-Fetch-Site"]),
        .after = !message.keep_alive()          ? After::close
                 : message.version() >= kHttp11 ? After::keep
                                                : After::keep_1_0,
    };
    // RFC 9112 section 3.2: a request of HTTP/1.1 without Host, or with two, is answered with 400.
    const auto hosts = message.count(http::field::host);
    if (hosts > 1 || (hosts == 0 && message.version() >= kHttp11)) {
      exchange_.refuse(400, Fault::invalid_argument, "a request has one Host header", out, moment);
      parser_->get().keep_alive(false);
      return HttpExchange::State::answered;
    }
    return exchange_.begin(request, out, moment);
  }

  Surroundings& around_;
  HttpExchange exchange_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::size_t size_ = 0;      ///< bytes of the running request that the parser has taken
  unsigned empty_lines_ = 0;  ///< before it
  bool judged_ = false;       ///< its transfer codings are
  bool welcomed_ = false;
  bool waiting_ = false;
};

}  // namespace

std::unique_ptr<Conversation> make_http_conversation(Surroundings& surroundings) {
  return std::make_unique<HttpConversation>(surroundings);
}

}  // namespace mintmark::server
