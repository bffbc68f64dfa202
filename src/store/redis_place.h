// Where a Redis is, and as whom to come: its URL, understood.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/failure.h"
#include "io/net/client_stream.h"
#include "io/net/service_url.h"

namespace mintmark::store {

struct RedisPlace {
  std::string host = "127.0.0.1";  ///< or the path of a Unix socket
  std::uint16_t port = 6379;
  std::optional<io::TlsOptions> tls{};
  std::optional<std::string> user{};
  std::optional<std::string> password{};
  std::string database = "0";
  std::string prefix = "mintmark";
  std::string words{};  ///< fit to be shown
};

/// The forms are those of redis.h. Reads REDISCLI_AUTH. Errors: InvalidArgument, without a word that may be
/// secret.
[[nodiscard]] Outcome<RedisPlace> redis_place(const io::ServiceUrl& url);

}  // namespace mintmark::store
