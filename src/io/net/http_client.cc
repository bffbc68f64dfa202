// The only file of this floor that sees Boost.Beast: its parser is strict and well worn, and compiles slowly.
// It reads and writes messages; the bytes travel over ClientStream.
#include "io/net/http_client.h"

#include <algorithm>
#include <array>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

#include "io/os_clock.h"

namespace mintmark::io {
namespace {

namespace http = boost::beast::http;
using Cause = NetFailure::Cause;
using Sent = HttpFailure::Sent;

constexpr unsigned kHttp11 = 11;
constexpr std::uint32_t kMostHeader = 64 * 1024;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

/// Such a byte would end the header and begin another one (RFC 9110, 5.5).
bool fits_a_line(std::string_view text) {
  return text.find_first_of(std::string_view{"\r\n\0", 3}) == std::string_view::npos;
}

std::string message(const HttpRequest& request, const std::string& host) {
  const bool posts = request.method == HttpRequest::Method::post;
  http::request<http::string_body> whole{posts ? http::verb::post : http::verb::get, request.target,
                                         kHttp11, request.body};
  whole.set(http::field::host, host);
  for (const auto& [name, value] : request.headers) whole.set(name, value);
  if (posts) whole.content_length(request.body.size());
  std::string bytes;
  http::request_serializer<http::string_body> serializer{whole};
  boost::system::error_code error;
  while (!error && !serializer.is_done()) {
    serializer.next(error, [&](boost::system::error_code&, const auto& buffers) {
      std::size_t size = 0;
      for (auto piece = boost::asio::buffer_sequence_begin(buffers);
           piece != boost::asio::buffer_sequence_end(buffers); ++piece) {
        const boost::asio::const_buffer part{*piece};
        bytes.append(static_cast<const char*>(part.data()), part.size());
        size += part.size();
      }
      serializer.consume(size);
    });
  }
  return bytes;
}

HttpReply reply_of(http::response<http::string_body> message) {
  HttpReply reply;
  reply.status = message.result_int();
  for (const auto& field : message) {
    reply.headers.emplace_back(view(field.name_string()), view(field.value()));
  }
  reply.body = std::move(message.body());
  return reply;
}

/// Two decimal digits, or -1.
int two_digits(std::string_view text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return digit(text[0]) && digit(text[1]) ? (text[0] - '0') * 10 + (text[1] - '0') : -1;
}

}  // namespace

std::optional<std::string_view> HttpReply::header(std::string_view name) const {
  const auto found = std::ranges::find_if(headers, [&](const auto& header) {
    return boost::beast::iequals({header.first.data(), header.first.size()},
                                 {name.data(), name.size()});
  });
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

HttpClient::HttpClient(std::unique_ptr<ClientStream> stream, std::string host,
                       std::size_t most_bytes)
    : stream_(std::move(stream)), host_(std::move(host)), most_bytes_(most_bytes) {}

std::unexpected<NetFailure> HttpClient::broken(std::string_view why) const {
  return std::unexpected(NetFailure{Cause::lost, fmt::format("{}: {}", host_, why)});
}

std::expected<HttpReply, HttpFailure> HttpClient::exchange(const HttpRequest& request,
                                                           BootInstant deadline) {
  const auto unsent = [](NetFailure why) {
    return std::unexpected(HttpFailure{std::move(why), Sent::nothing});
  };
  if (!usable()) return unsent(broken("the connection was closed").error());
  if (os_clock().boot() >= deadline) {
    return unsent({Cause::late, host_ + ": the deadline was over before the request"});
  }
  if (!fits_a_line(request.target) || std::ranges::any_of(request.headers, [](const auto& header) {
        return !fits_a_line(header.first) || !fits_a_line(header.second);
      })) {
    return unsent(broken("a line end in a header").error());
  }
  const auto written = stream_->write_all(message(request, host_), deadline);
  auto reply = written ? receive(deadline) : std::unexpected(written.error());
  if (reply) return std::move(*reply);
  stream_.reset();
  return std::unexpected(HttpFailure{std::move(reply.error()), Sent::perhaps});
}

NetResult<HttpReply> HttpClient::receive(BootInstant deadline) {
  std::optional<http::response_parser<http::string_body>> parser;
  const auto begin = [&] {
    parser.emplace();
    parser->eager(true);
    parser->header_limit(kMostHeader);
    parser->body_limit(most_bytes_);
  };
  begin();
  std::string unread;
  std::array<char, 16 * 1024> piece;
  for (;;) {
    boost::system::error_code error;
    const std::size_t used = unread.empty() ? 0 : parser->put(boost::asio::buffer(unread), error);
    unread.erase(0, used);
    if (error && error != http::error::need_more) return broken(error.message());
    if (parser->is_header_done() && parser->need_eof()) {
      return broken("a reply that ends only with the connection");
    }
    if (parser->is_done()) {
      // RFC 9110, 15.2: any number of interim replies may come first.
      if (parser->get().result_int() >= 200) break;
      begin();
      continue;
    }
    if (used != 0 && !unread.empty()) continue;
    const auto got = stream_->read_some(piece, deadline);
    if (!got) return std::unexpected(got.error());
    unread.append(piece.data(), *got);
  }
  // What nobody asked for would be taken for the answer to the next request.
  if (!parser->keep_alive() || !unread.empty()) stream_.reset();
  return reply_of(parser->release());
}

std::optional<Instant> parse_http_date(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  constexpr std::string_view kForm = "???, ?? ??? ???? ??:??:?? GMT";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] != '?' && kForm[i] != text[i]) return std::nullopt;
  }
  const std::size_t month = kMonths.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  const int century = two_digits(text.substr(12));
  const int year = two_digits(text.substr(14));
  const int day = two_digits(text.substr(5));
  if (century < 0 || year < 0 || day < 0) return std::nullopt;
  const auto instant = parse_time(fmt::format("{:02}{:02}-{:02}-{:02}T{}Z", century, year,
                                              month / 3 + 1, day, text.substr(17, 8)));
  if (!instant) return std::nullopt;
  return *instant;
}

}  // namespace mintmark::io
