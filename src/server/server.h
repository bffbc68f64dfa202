// The server: the sockets, threads and end of a process that gives IDs to others.
//
// It speaks HTTP/JSON and RESP (the protocol of Redis) over one mint. Each thread runs one event loop;
// a connection stays on the thread that it was given to, in turn, when it was accepted, so that a few
// busy connections spread evenly. It refuses to be reached from other machines by accident: an address
// without an IP is loopback, names are not resolved, and a port that somebody has is an error.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/failure.h"
#include "mint/mint.h"
#include "mintmark/base/time.h"

namespace mintmark::server {

/// What SIGTERM and SIGINT do while run() runs: the first stops, a second one cuts the drain short.
/// They are handled from open() on, as PID 1 too.
enum class OnSignal : std::uint8_t { stop, ignore };

/// Addresses: "127.0.0.1:8080", "[::1]:8080", ":8080" (loopback), "localhost:8080" (127.0.0.1),
/// "unix:/path", or "off". Port 0 takes a free one.
struct ServerOptions {
  std::string http = "127.0.0.1:8080";
  std::string resp = "127.0.0.1:6380";
  unsigned threads = 0;                      ///< 0: one a core; at most 256
  Duration drain = std::chrono::seconds{5};  ///< the most that open requests get after stop()
  Duration idle =
      std::chrono::seconds{60};  ///< HTTP connections without a request are closed after it
  OnSignal on_signal = OnSignal::stop;
  std::string version = "unknown";  ///< for INFO and HELLO
};

/// Thread-safety: stop() from any thread, also while run() runs; the rest from one thread.
class Server {
 public:
  /// Binds and listens; clients may connect from now on and are served by run(). `mint` outlives the
  /// server. Errors: InvalidArgument: no such form of address, or it cannot be bound (the port is taken,
  /// the right is missing). The detail names the address and the reason.
  [[nodiscard]] static Outcome<std::unique_ptr<Server>> open(mint::Mint& mint,
                                                             ServerOptions options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// As bound, with the real port: "127.0.0.1:43817", "[::1]:8080", "unix:/path"; "off" if not served.
  [[nodiscard]] const std::string& http_address() const;
  [[nodiscard]] const std::string& resp_address() const;

  /// What a person should know before it runs, one sentence each; for example that everybody on the
  /// network can reach it.
  [[nodiscard]] const std::vector<std::string>& warnings() const;

  /// Serves, on `threads` threads, while this one accepts, until stop() or a signal; returns when every
  /// connection is closed. A request that was read is finished and answered first, within `drain`.
  /// Call once.
  void run();

  /// Asks run() to end. The first call stops accepting and drains, a second one closes at once.
  void stop();

 private:
  struct Inside;
  explicit Server(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace mintmark::server
