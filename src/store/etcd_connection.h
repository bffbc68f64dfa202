// A connection to one member of an etcd cluster, logged in: messages to its JSON gateway, and what its errors
// prove.
//
// The errors are gRPC's. Some of them are the answer of a member that never put the request to the cluster,
// and prove that nothing was written. A time that ran out proves nothing, and neither does "database space
// exceeded": etcd 3.4 says so too of a write that it has carried out and that went over its quota.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/net/http_client.h"
#include "mintmark/base/time.h"
#include "store/etcd_place.h"

namespace mintmark::store::etcd {

struct Trouble {
  enum class Written : std::uint8_t {
    nothing,  ///< if the request was a write, it was not carried out; the connection is good if usable()
    perhaps,  ///< nobody knows, and the member may be of no use
  };
  Written written = Written::perhaps;
  std::string detail;  ///< member, path and the server's words
};
template <class T>
using OrTrouble = std::expected<T, Trouble>;

struct Answer {
  std::string text;            ///< JSON
  std::optional<Instant> now;  ///< the member's clock when it answered, whole seconds
};

/// One thread at a time. Deadlines are those of io::os_clock().
class Connection {
 public:
  /// Connects and logs in. `place` and `member` outlive the connection.
  [[nodiscard]] static OrTrouble<std::unique_ptr<Connection>> open(const Place& place,
                                                                   const Member& member,
                                                                   BootInstant deadline);

  /// Asks the gateway, for instance for `kv/txn`. Sends it a second time only after a login was found to be
  /// over, which proves that the first was not carried out.
  [[nodiscard]] OrTrouble<Answer> ask(std::string_view path, const std::string& message,
                                      BootInstant deadline);

  /// Fetches a page of the member's own, for instance `/metrics`; nothing if it has none.
  [[nodiscard]] OrTrouble<std::optional<std::string>> page(const std::string& target,
                                                           BootInstant deadline);

  [[nodiscard]] bool usable() const { return client_.usable(); }
  [[nodiscard]] const std::string& words() const { return member_.words; }

 private:
  Connection(const Place& place, const Member& member, io::HttpClient client)
      : place_(place), member_(member), client_(std::move(client)) {}

  [[nodiscard]] OrTrouble<void> log_in(BootInstant deadline);
  [[nodiscard]] OrTrouble<io::HttpReply> post(std::string_view path, const std::string& message,
                                              BootInstant deadline);
  [[nodiscard]] Trouble refusal(std::string_view path, const io::HttpReply& reply) const;

  const Place& place_;
  const Member& member_;
  io::HttpClient client_;
  std::string token_;  ///< empty: no login
};

}  // namespace mintmark::store::etcd
