// Where an etcd cluster is, and as whom to come: its URL, read.
//
//   etcd://user:password@host:2379,host:2379/prefix
//   etcds://...?sslmode=verify-full&sslrootcert=FILE&sslcert=FILE&sslkey=FILE       over TLS
//
// The path is what all keys begin with, `mintmark` if there is none. A password that the URL does not have is
// taken from the environment, ETCD_PASSWORD.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "io/net/client_stream.h"
#include "io/net/service_url.h"

namespace mintmark::store::etcd {

struct Member {
  std::string host;
  std::uint16_t port = 0;
  std::string words;  ///< `host:port`
};

struct Place {
  std::vector<Member> members;  ///< at least one
  std::optional<io::TlsOptions> tls;
  std::string user;  ///< empty: none
  std::string password;
  std::string prefix;
};

/// The words of an error say what is wrong and what is possible, and repeat no password.
[[nodiscard]] std::expected<Place, std::string> place_of(const io::ServiceUrl& url);

}  // namespace mintmark::store::etcd
