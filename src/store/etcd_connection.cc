#include "store/etcd_connection.h"

#include <fmt/format.h>

#include "io/one_line.h"
#include "store/etcd_messages.h"

namespace mintmark::store::etcd {
namespace {

using Written = Trouble::Written;

/// Far above what a page of a list has, and a bound for what a stranger may send.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;
constexpr unsigned kOk = 200;
constexpr unsigned kNotFound = 404;

/// gRPC documentation, "Status codes and their use"; which of them etcd raises where: its package rpctypes.
enum Code : int {
  kInvalidArgument = 3,
  kNotFoundHere = 5,
  kPermissionDenied = 7,
  kFailedPrecondition = 9,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kUnauthenticated = 16,
};

bool login_is_over(const Refusal& refusal) {
  return refusal.code == kUnauthenticated ||
         refusal.words == "etcdserver: revision of auth store is old";
}

/// Raised before the request is put to the cluster, or by the login's check before it is applied.
bool proves_nothing_written(const Refusal& refusal) {
  switch (refusal.code) {
    case kInvalidArgument:
    case kNotFoundHere:
    case kPermissionDenied:
    case kFailedPrecondition:
    case kOutOfRange:
    case kUnimplemented:
    case kUnauthenticated:
      return true;
    default:
      return login_is_over(refusal) || refusal.words == "etcdserver: too many requests";
  }
}

}  // namespace

OrTrouble<std::unique_ptr<Connection>> Connection::open(const Place& place, const Member& member,
                                                        BootInstant deadline) {
  auto stream = io::connect_stream(member.host, member.port, place.tls, deadline);
  if (!stream) return std::unexpected(Trouble{Written::nothing, stream.error().detail});
  std::unique_ptr<Connection> connection{
      new Connection{place, member, io::HttpClient{std::move(*stream), member.words, kMostBytes}}};
  if (!place.user.empty()) {
    if (auto done = connection->log_in(deadline); !done) {
      return std::unexpected(std::move(done.error()));
    }
  }
  return connection;
}

OrTrouble<void> Connection::log_in(BootInstant deadline) {
  constexpr std::string_view kPath = "auth/authenticate";
  token_.clear();
  MINTMARK_TRY(reply, post(kPath, login_text(place_.user, place_.password), deadline));
  if (reply.status != kOk) return std::unexpected(refusal(kPath, reply));
  auto token = parse_login(reply.body);
  if (!token || token->empty()) {
    return std::unexpected(
        Trouble{Written::nothing, fmt::format("{}: {}: no token", words(), kPath)});
  }
  token_ = std::move(*token);
  return {};
}

OrTrouble<io::HttpReply> Connection::post(std::string_view path, const std::string& message,
                                          BootInstant deadline) {
  io::HttpRequest request{.method = io::HttpRequest::Method::post,
                          .target = fmt::format("/v3/{}", path),
                          .headers = {{"Content-Type", "application/json"}},
                          .body = message};
  if (!token_.empty()) request.headers.emplace_back("Authorization", token_);
  auto reply = client_.exchange(request, deadline);
  if (reply) return std::move(*reply);
  const bool unsent = reply.error().sent == io::HttpFailure::Sent::nothing;
  return std::unexpected(Trouble{unsent ? Written::nothing : Written::perhaps,
                                 fmt::format("{}: {}", path, reply.error().why.detail)});
}

Trouble Connection::refusal(std::string_view path, const io::HttpReply& reply) const {
  const auto refusal = parse_refusal(reply.body);
  if (!refusal || refusal->words.empty()) {
    // Where its settings come from a file, etcd 3.4 has its gateway only if the file says so.
    const char* hint = reply.status == kNotFound ? "; is enable-grpc-gateway on?" : "";
    return {Written::perhaps,
            fmt::format("{}: {}: HTTP status {}{}", words(), path, reply.status, hint)};
  }
  return {proves_nothing_written(*refusal) ? Written::nothing : Written::perhaps,
          fmt::format("{}: {}: {}", words(), path, io::one_line(refusal->words))};
}

OrTrouble<Answer> Connection::ask(std::string_view path, const std::string& message,
                                  BootInstant deadline) {
  auto reply = post(path, message, deadline);
  if (reply && reply->status != kOk && !token_.empty()) {
    const auto refused = parse_refusal(reply->body);
    if (refused && login_is_over(*refused)) {
      if (auto again = log_in(deadline); !again) {
        return std::unexpected(Trouble{Written::nothing, std::move(again.error().detail)});
      }
      reply = post(path, message, deadline);
    }
  }
  if (!reply) return std::unexpected(std::move(reply.error()));
  if (reply->status != kOk) return std::unexpected(refusal(path, *reply));
  std::optional<Instant> now;
  if (const auto date = reply->header("Date")) now = io::parse_http_date(*date);
  return Answer{std::move(reply->body), now};
}

OrTrouble<std::optional<std::string>> Connection::page(const std::string& target,
                                                       BootInstant deadline) {
  auto reply = client_.exchange({.target = target}, deadline);
  if (!reply) {
    return std::unexpected(
        Trouble{Written::nothing, fmt::format("{}: {}", target, reply.error().why.detail)});
  }
  if (reply->status != kOk) return std::nullopt;
  return std::move(reply->body);
}

}  // namespace mintmark::store::etcd
