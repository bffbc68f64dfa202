#include "server/http_exchange.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "mint/inspect.h"
#include "server/printable.h"

namespace mintmark::server {
namespace {

using mint::Verb;

/// A route of the verb table, cut: methods, and a path whose parts in braces are arguments.
struct Route {
  Verb verb;
  std::string_view methods;  ///< as in the table: "POST|GET"
  std::string_view path;
};

constexpr Route cut_route(const mint::VerbRow& row) {
  const std::size_t space = row.http.find(' ');
  if (space == std::string_view::npos) return {row.verb, {}, {}};
  const std::string_view path = row.http.substr(space + 1);
  return {row.verb, row.http.substr(0, space), path.substr(0, path.find('?'))};
}

constexpr auto kRoutes = [] {
  std::array<Route, mint::kVerbs.size() + 1> routes{};
  for (std::size_t i = 0; i < mint::kVerbs.size(); ++i) routes[i] = cut_route(mint::kVerbs[i]);
  routes.back() = {Verb::spaces, "GET", "/v1/spaces/{space}"};  // the list, narrowed to one
  return routes;
}();

/// Whether the path is of the route; `argument` becomes the part in braces.
bool matches(const Route& route, const std::vector<std::string>& path, std::string_view& argument) {
  if (route.path.empty()) return false;
  std::string_view rest = route.path.substr(1);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part.starts_with('{') && !path[i].empty()) {
      argument = path[i];
    } else if (part != path[i]) {
      return false;
    }
    if (slash == std::string_view::npos) return i + 1 == path.size();
    rest.remove_prefix(slash + 1);
  }
  return false;
}

bool has_method(const Route& route, std::string_view method) {
  // A HEAD that made an ID and did not send it would waste it.
  if (method == "HEAD") return route.verb != Verb::mint && has_method(route, "GET");
  std::string_view rest = route.methods;
  while (!rest.empty()) {
    const std::size_t bar = rest.find('|');
    if (rest.substr(0, bar) == method) return true;
    rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
  }
  return false;
}

std::string allow_header(const Route& route) {
  std::string allow{"Allow: "};
  for (const char c : route.methods) {
    if (c == '|') {
      allow += ", ";
    } else {
      allow += c;
    }
  }
  return allow + (has_method(route, "HEAD") ? ", HEAD\r\n" : "\r\n");
}

/// The request was sent by a page of another site, as far as a browser tells.
bool is_foreign(const HttpRequest& request) {
  const bool same_site = request.fetch_site.empty() || request.fetch_site == "same-origin" ||
                         request.fetch_site == "none";
  if (!same_site) return true;
  if (request.origin.empty()) return false;
  if (request.method == "GET") return true;
  const std::size_t slashes = request.origin.find("://");
  return slashes == std::string_view::npos || request.origin.substr(slashes + 3) != request.host;
}

}  // namespace

HttpExchange::State HttpExchange::begin(const HttpRequest& request, io::OutBuffer& out,
                                        const Moment& moment) {
  out_ = &out;
  moment_ = moment;
  manner_ = {.body = request.method == "HEAD" ? HttpManner::Body::left_out : HttpManner::Body::sent,
             .after = request.after};
  const auto target = parse_target(request.target);
  if (!target) return fail_with(Error{Fault::invalid_argument}, target.error());
  std::string_view argument;
  const auto route = std::ranges::find_if(
      kRoutes, [&](const Route& each) { return matches(each, target->path, argument); });
  if (route == kRoutes.end()) return fail_with(Error{Fault::unknown_verb}, {});
  if (!has_method(*route, request.method)) {
    problem({.status = 405,
             .code = row_of(Fault::unknown_verb).name,
             .detail = "the route does not know this method"},
            allow_header(*route));
    return State::answered;
  }
  if (route->verb == Verb::mint) return mint(request, *target);
  if (!target->query.empty()) {
    return fail_with(Error{Fault::invalid_argument},
                     fmt::format("unknown parameter '{}'", printable(target->query.front().name)));
  }
  switch (route->verb) {
    case Verb::inspect:
      inspect(argument);
      break;
    case Verb::spaces:
      if (argument.empty()) {
        reply({.body = spaces_json(around_.mint, moment_.wall)});
      } else {
        space(argument);
      }
      break;
    case Verb::live:
      reply({.body = R"({"live":true})"});
      break;
    case Verb::ready: {
      const Readiness readiness = server::readiness(around_.mint, moment_.wall);
      reply({.status = readiness.ready ? 200U : 503U,
             .body = readiness.json,
             .more_headers = readiness.ready ? "" : "Retry-After: 1\r\n"});
      break;
    }
    case Verb::mint:
    case Verb::take:
      break;
  }
  return State::answered;
}

HttpExchange::State HttpExchange::resume(io::OutBuffer& out, const Moment& moment) {
  out_ = &out;
  moment_ = moment;
  return order_.resume(around_.mint, moment) == Order::State::waiting ? State::waiting
                                                                      : answer_order();
}

HttpExchange::State HttpExchange::mint(const HttpRequest& request, const HttpTarget& target) {
  if (is_foreign(request)) {
    return fail_with(Error{Fault::not_allowed},
                     "a page of another site may not make IDs; from a page of this one, use POST");
  }
  std::uint64_t count = 1;
  std::optional<IdFormat> format;
  for (const auto& [name, value] : target.query) {
    if (name == "count") {
      const auto parsed = parse_count(value);
      if (!parsed) {
        return fail_with(parsed.error(),
                         fmt::format("count is a number from 1 to {}", mint::kMostIds));
      }
      count = *parsed;
    } else if (name == "format") {
      format = format_of_name(value);
      if (!format) {
        return fail_with(Error{Fault::invalid_argument}, "format is json, text or bin");
      }
    } else {
      return fail_with(Error{Fault::invalid_argument},
                       fmt::format("unknown parameter '{}'", printable(name)));
    }
  }
  if (!format) format = format_of_accept(request.accept);
  if (!format) {
    problem({.status = 406,
             .code = row_of(Fault::invalid_argument).name,
             .detail = "there are application/json, text/plain and application/octet-stream"},
            {});
    return State::answered;
  }
  format_ = *format;
  const std::string_view name = target.path[2];  // /v1/spaces/{space}/ids
  mint::Space* const space = around_.mint.find(name);
  if (space == nullptr) {
    return fail_with(Error{Fault::unknown_space}, fmt::format("'{}'", printable(name)));
  }
  const auto state = order_.mint(around_.mint, *space, count, moment_);
  return state == Order::State::waiting ? State::waiting : answer_order();
}

HttpExchange::State HttpExchange::answer_order() {
  if (order_.state() == Order::State::refused) {
    around_.tally.refusals.add(1);
    const mint::Space& space = order_.space();
    std::string detail = fmt::format("space '{}'", space.name());
    if (const auto health = space.health(moment_.wall); !health.detail.empty()) {
      detail += ": " + printable(health.detail);
    }
    fail_with(order_.error(), detail);
  } else {
    around_.tally.ids.add(order_.batch().made);
    write_ids();
  }
  order_.finish();
  return State::answered;
}

void HttpExchange::write_ids() {
  const mint::Batch& batch = order_.batch();
  const mint::Space& space = order_.space();
  if (format_ == IdFormat::binary) {
    const char* const bytes = reinterpret_cast<const char*>(batch.bytes.data());
    reply({.content_type = media_type(format_), .body = {bytes, batch.made * space.width()}});
    return;
  }
  const bool json = format_ == IdFormat::json;
  const std::size_t text_size = space.text_size();
  const std::string_view scheme = space.config().scheme();
  constexpr std::size_t kFrame = 64;  // braces, keys and the end
  constexpr std::size_t kAround = 3;  // quotes and comma, or the newline
  io::OutBuffer body;
  char* to =
      body.room(kFrame + space.name().size() + scheme.size() + batch.made * (text_size + kAround));
  const char* const start = to;
  // Names of spaces and texts of IDs hold nothing that JSON would escape.
  if (json)
    to = fmt::format_to(to, R"({{"space":"{}","scheme":"{}","ids":[)", space.name(), scheme);
  for (std::size_t i = 0; i < batch.made; ++i) {
    if (json) *to++ = '"';
    to += space.write(batch.id(i), {to, text_size});
    if (json) *to++ = '"';
    *to++ = json ? ',' : '\n';
  }
  if (json) {
    to[-1] = ']';
    *to++ = '}';
    *to++ = '\n';
  }
  body.wrote(static_cast<std::size_t>(to - start));
  reply({.content_type = media_type(format_), .body = body.view()});
}

void HttpExchange::inspect(std::string_view id) {
  const auto readings = mint::inspect(id, moment_.wall);
  if (!readings) {
    fail_with(readings.error(), printable(mint::explain(id, readings.error())));
    return;
  }
  reply({.body = mint::to_json(id, *readings)});
}

void HttpExchange::space(std::string_view name) {
  const mint::Space* const found = around_.mint.find(name);
  if (found == nullptr) {
    fail_with(Error{Fault::unknown_space}, fmt::format("'{}'", printable(name)));
    return;
  }
  reply({.body = space_json(*found, moment_.wall)});
}

HttpExchange::State HttpExchange::fail_with(const Error& error, std::string_view detail) {
  constexpr std::uint64_t kUsInMs = 1000;
  constexpr std::uint64_t kMsInSecond = 1000;
  const FaultRow& row = error.row();
  std::string words{row.sentence};
  if (!detail.empty()) words += fmt::format(": {}", detail);
  const std::uint64_t ms = (error.retry_after_us() + kUsInMs - 1) / kUsInMs;
  std::string retry;
  if (row.retryable) {
    retry = fmt::format("Retry-After: {}\r\n",
                        std::max<std::uint64_t>(1, (ms + kMsInSecond - 1) / kMsInSecond));
  }
  problem({.status = mint::row_of(error.kind()).http_status,
           .code = row.name,
           .detail = std::move(words),
           .retry_after_ms = ms},
          std::move(retry));
  return State::answered;
}

void HttpExchange::refuse(unsigned status, Fault code, std::string_view detail, io::OutBuffer& out,
                          const Moment& moment) {
  out_ = &out;
  moment_ = moment;
  manner_ = {.after = HttpManner::After::close};
  problem({.status = status, .code = row_of(code).name, .detail = std::string{detail}}, {});
}

void HttpExchange::problem(Problem problem, std::string more_headers) {
  problem.title = status_title(problem.status);
  reply({.status = problem.status,
         .content_type = "application/problem+json",
         .body = problem_json(problem),
         .more_headers = std::move(more_headers)});
}

void HttpExchange::reply(const HttpReply& reply) {
  writer_.write(*out_, reply, manner_, moment_.wall);
}

}  // namespace mintmark::server
