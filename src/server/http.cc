// The only file that sees Boost.Beast: its parser is strict and well worn, and compiles slowly.
#include "server/http.h"

#include <array>
#include <optional>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "server/http_exchange.h"

namespace mintmark::server {
namespace {

namespace http = boost::beast::http;

constexpr std::uint32_t kMostHeader = 16 * 1024;
constexpr std::uint64_t kMostBody = 64 * 1024;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

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
      if (turn.consumed == input.size()) return turn;
      boost::beast::error_code error;
      turn.consumed += parser_->put(rest_of(input, turn.consumed), error);
      if (error && error != http::error::need_more) {
        refuse(error, out, moment);
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
  static boost::asio::const_buffer rest_of(std::string_view input, std::size_t at) {
    return {input.data() + at, input.size() - at};
  }
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
    welcomed_ = false;
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
    constexpr unsigned kHttp11 = 11;
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

  void refuse(const boost::beast::error_code& error, io::OutBuffer& out, const Moment& moment) {
    if (error == http::error::header_limit) {
      exchange_.refuse(431, Fault::too_many, "the headers may have 16 KiB", out, moment);
    } else if (error == http::error::body_limit) {
      exchange_.refuse(413, Fault::too_many, "the body may have 64 KiB", out, moment);
    } else {
      exchange_.refuse(400, Fault::invalid_argument, "not HTTP/1.1: " + error.message(), out,
                       moment);
    }
  }

  Surroundings& around_;
  HttpExchange exchange_;
  std::optional<http::request_parser<http::string_body>> parser_;
  bool welcomed_ = false;
  bool waiting_ = false;
};

}  // namespace

std::unique_ptr<Conversation> make_http_conversation(Surroundings& surroundings) {
  return std::make_unique<HttpConversation>(surroundings);
}

}  // namespace mintmark::server
