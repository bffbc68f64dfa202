// A connection to a server: TCP or a Unix socket, plain or under TLS, with a deadline on every call.
//
// Why not Asio's: a store's client asks one thing at a time and waits for it; poll(2) and two calls do that,
// and end by the deadline in TLS's handshake too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mintmark/base/time.h"

namespace mintmark::io {

/// How a server proves itself, and this side to it. Files hold PEM.
struct TlsOptions {
  enum class Proof : std::uint8_t {
    none,   ///< encrypted, the server unproven
    named,  ///< its certificate is checked, and names the host that was asked for
  };
  Proof proof = Proof::named;
  std::string authorities;  ///< file of certificates to trust; empty: the system's
  std::string certificate;  ///< own, where the server asks for one; empty: none
  std::string key;          ///< of the own certificate
};

struct NetFailure {
  enum class Cause : std::uint8_t {
    unreachable,  ///< no such host, nobody listens, TLS was not agreed on
    late,         ///< the deadline passed
    lost,         ///< the connection has ended or failed
  };
  Cause cause = Cause::lost;
  std::string detail;  ///< names the address and what the system said; never a credential
};
template <class T>
using NetResult = std::expected<T, NetFailure>;

/// One thread at a time. After a failure it is of no use but to be destroyed. A forked child that drops it
/// sends nothing: the parent's session goes on. Deadlines are those of io::os_clock().
class ClientStream {
 public:
  ClientStream() = default;
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;
  virtual ~ClientStream() = default;

  /// At least one byte.
  [[nodiscard]] virtual NetResult<std::size_t> read_some(std::span<char> to,
                                                         BootInstant deadline) = 0;
  /// All of them.
  [[nodiscard]] virtual NetResult<void> write_all(std::string_view bytes, BootInstant deadline) = 0;
};

/// Connects to a host and port, each address of it in turn, or to a Unix socket if `host` begins with '/'.
/// The system's resolver has its own limits of time (resolv.conf(5)). Thread-safe.
[[nodiscard]] NetResult<std::unique_ptr<ClientStream>> connect_stream(
    const std::string& host, std::uint16_t port, const std::optional<TlsOptions>& tls,
    BootInstant deadline);

}  // namespace mintmark::io
