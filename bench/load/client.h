// The load itself: a fixed number of connections, each of which always has one batch in flight.
//
// Closed loop: a connection writes `depth` requests at once, waits for the last reply, and writes the
// next batch. So the round trip of a batch is what one caller waits, and the server is never asked
// for more than connections x depth at a time. It is not an open-loop test: a server that stalls
// is asked less during the stall, and the percentiles do not show the requests nobody sent.
//
// One thread, one epoll: it must not be what is measured. The report therefore carries the share of
// a processor that the client itself used; near 1 the client is the limit.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "bench/load/histogram.h"
#include "bench/load/reply_reader.h"
#include "bench/load/value_check.h"

namespace mintmark::bench {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Where the server listens: a path if `unix_path` is not empty, else host and port.
struct Target {
  std::string host;
  std::uint16_t port = 0;
  std::string unix_path;
};

/// How to wait for replies: asleep in the kernel, or asking it without a pause.
enum class Waiting : std::uint8_t { asleep, spinning };

/// What to send and for how long. Ends at `requests` replies or after `time`, whichever is first.
struct Work {
  std::string request;      ///< one encoded request
  std::uint32_t depth = 1;  ///< requests in one batch
  std::uint64_t requests = std::numeric_limits<std::uint64_t>::max();
  std::chrono::nanoseconds time = std::chrono::hours{24};
  std::chrono::nanoseconds stall = std::chrono::seconds{10};  ///< no reply for so long: give up
  Waiting waiting = Waiting::asleep;
  ValueCheck* check = nullptr;  ///< told every value until the next run, if there is one
};

/// What came back.
struct Tally {
  std::uint64_t requests = 0;  ///< whole replies, errors included
  std::uint64_t values = 0;    ///< numbers and strings in them: the IDs, when a reply carries many
  std::uint64_t errors = 0;
  std::chrono::nanoseconds elapsed{};
  Histogram batches;  ///< from before a batch's write to its last reply, ns
};

/// Connections to one server. One thread at a time; pinned, because the connections are registered
/// by their place.
class Client {
 public:
  Client() = default;
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Opens `connections` connections, each within 5 s. Fails with words.
  [[nodiscard]] std::expected<void, std::string> open(const Target& target,
                                                      std::uint32_t connections);

  /// Puts the load on all connections until the work is done or its time is over, and says what came
  /// back by then. Replies may still be outstanding.
  /// REQUIRES: the run before was drained.
  /// Fails with words when a connection breaks, a reply is not RESP, or nothing comes back any more.
  [[nodiscard]] std::expected<Tally, std::string> run(const Work& work);

  /// Sends nothing more and waits until every connection has all its replies.
  [[nodiscard]] std::expected<void, std::string> drain();

  /// Error replies since open, drained ones included, and the text of the first.
  [[nodiscard]] std::uint64_t errors() const { return errors_; }
  [[nodiscard]] std::string_view first_error() const { return first_error_; }

 private:
  struct Connection {
    int fd = -1;
    ReplyReader reader;
    std::string unread;          // the beginning of a value whose end has not arrived
    std::size_t batch_size = 0;  // bytes of the batch in flight
    std::size_t written = 0;     // of them
    std::uint32_t awaited = 0;   // replies still to come
    bool blocked = false;        // the kernel takes no more; told by EPOLLOUT when it does
    SteadyTime started;
  };
  class Sink;

  [[nodiscard]] std::expected<void, std::string> wait_for_events(SteadyTime until);
  [[nodiscard]] std::expected<void, std::string> read_replies(std::size_t index);
  [[nodiscard]] std::expected<void, std::string> start_batch(std::size_t index, SteadyTime now);
  [[nodiscard]] std::expected<void, std::string> write_batch(std::size_t index);
  void watch(std::size_t index, std::uint32_t events, int operation);

  int epoll_ = -1;
  std::vector<Connection> connections_;
  std::vector<char> buffer_;  // one read; shared, so that it stays in the cache
  std::string batch_;         // `depth` encoded requests
  std::uint64_t unsent_ = 0;  // requests that the work still allows
  std::size_t active_ = 0;    // connections with replies to come
  SteadyTime newest_reply_;
  Work work_;
  Tally tally_;
  std::uint64_t errors_ = 0;
  std::string first_error_;
};

}  // namespace mintmark::bench
