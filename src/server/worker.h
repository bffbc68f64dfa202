// A worker: one thread's event loop, its connections, and the buffers that they share.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

#include "io/net/event_loop.h"
#include "io/net/out_buffer.h"
#include "io/net/stream_socket.h"
#include "server/connection.h"
#include "server/conversation.h"

namespace mintmark::server {

/// What is spoken on a listening socket.
enum class Protocol : std::uint8_t { http, resp };

struct WorkerOptions {
  mint::Mint& mint;
  Tallies& tallies;
  unsigned index = 0;
  Duration idle{};                ///< of HTTP connections
  std::function<void()> ended{};  ///< called once, when the last connection is closed after a drain
};

/// adopt(), drain() and abort() from any thread; the rest on the thread that calls run().
class Worker {
 public:
  explicit Worker(const WorkerOptions& options);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void adopt(io::StreamSocket socket, Protocol protocol, Peer peer);
  /// Ends every connection when its requests are answered, at the latest after `most`.
  void drain(Duration most);
  void abort();
  /// Returns after drain() or abort(), when the last connection is closed.
  void run() { loop_.run(); }

  // For connections.
  [[nodiscard]] io::EventLoop& loop() { return loop_; }
  void leave(Connection& connection);
  [[nodiscard]] std::array<char, 64 * 1024>& input() { return input_; }
  [[nodiscard]] io::OutBuffer& output() { return output_; }
  /// Steady time, at most half a second old; costs no clock read.
  [[nodiscard]] io::Steady about_now() const { return about_now_; }

 private:
  void open(io::StreamSocket socket, Protocol protocol, Peer peer);
  void sweep_later();
  void for_each(void (Connection::*act)());
  void close_all();
  void end_if_empty();

  std::array<char, 64 * 1024> input_;
  io::OutBuffer output_;
  Surroundings surroundings_;
  Duration idle_;
  std::function<void()> ended_;
  io::Steady about_now_;
  bool sweeping_ = false;
  bool draining_ = false;
  io::EventLoop loop_;
  std::unordered_map<Connection*, std::shared_ptr<Connection>> connections_;
};

}  // namespace mintmark::server
