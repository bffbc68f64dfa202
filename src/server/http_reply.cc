#include "server/http_reply.h"

#include <array>
#include <chrono>
#include <iterator>

#include <fmt/format.h>

namespace mintmark::server {

std::string_view status_title(unsigned status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 413:
      return "Content Too Large";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Error";
  }
}

std::string http_date(Instant instant) {
  using namespace std::chrono;
  constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = floor<days>(instant.time_since_epoch());
  const year_month_day date{sys_days{day}};
  const hh_mm_ss time{floor<seconds>(instant.time_since_epoch() - day)};
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[weekday{sys_days{day}}.c_encoding()], static_cast<unsigned>(date.day()),
                     kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<int>(date.year()), time.hours().count(), time.minutes().count(),
                     time.seconds().count());
}

void HttpReplyWriter::write(io::OutBuffer& out, const HttpReply& reply, HttpManner manner,
                            Instant now) {
  const auto second = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  if (second != date_second_ || date_.empty()) {
    date_ = http_date(now);
    date_second_ = second;
  }
  const std::string_view connection =
      manner.after == HttpManner::After::close      ? "Connection: close\r\n"
      : manner.after == HttpManner::After::keep_1_0 ? "Connection: keep-alive\r\n"
                                                    : "";
  constexpr std::size_t kMostHeader = 512;
  char* const start = out.room(kMostHeader + reply.more_headers.size() + reply.body.size());
  // Every reply is of its moment: an ID from a cache would be given out twice.
  char* end = fmt::format_to(start,
                             "HTTP/1.1 {} {}\r\nServer: mintmark\r\nDate: {}\r\n"
                             "Content-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
                             "X-Content-Type-Options: nosniff\r\n{}{}\r\n",
                             reply.status, status_title(reply.status), date_, reply.content_type,
                             reply.body.size(), connection, reply.more_headers);
  if (manner.body == HttpManner::Body::sent && !reply.body.empty()) {
    std::memcpy(end, reply.body.data(), reply.body.size());
    end += reply.body.size();
  }
  out.wrote(static_cast<std::size_t>(end - start));
}

}  // namespace mintmark::server
