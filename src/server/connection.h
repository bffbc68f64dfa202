// A connection: one socket and the conversation on it.
//
// One read, all complete requests, one write: the bytes lie in buffers of the thread, so that a connection
// that rests costs no buffer, and only what a peer leaves unread or unfinished is kept here. While the
// peer does not read its replies, its requests are not read either.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/net/event_loop.h"
#include "io/net/stream_socket.h"
#include "server/conversation.h"

namespace mintmark::server {

class Worker;

/// Owned by its worker, on whose thread it lives, until close().
class Connection final : public io::EventLoop::Member,
                         public std::enable_shared_from_this<Connection> {
 public:
  /// `idle` is how long a peer may send nothing; zero is for ever.
  Connection(Worker& worker, io::StreamSocket socket, std::unique_ptr<Conversation> conversation,
             Duration idle);

  void start();
  /// Finishes what was read, and ends the connection.
  void drain();
  /// Closes the socket at once.
  void close();
  /// Ends a connection that rested, stalled or lingered too long.
  void sweep();

  void ready() override;

 private:
  enum class Phase : std::uint8_t { reading, working, lingering, closed };
  using Interest = io::EventLoop::Interest;

  void read();
  void work(std::string_view input, Duration waited);
  void go_on(Turn::Next next, Duration wait);
  void wait_for(Duration wait);
  bool send(io::OutBuffer& out);
  void send_rest();
  void linger();
  void keep(std::string_view rest);
  void watch(Interest interest);

  Worker& worker_;
  io::StreamSocket socket_;
  std::unique_ptr<Conversation> conversation_;
  Duration idle_;
  io::Steady active_;
  std::string input_;     ///< read, and not yet consumed
  std::string unsent_;    ///< written by the conversation, and not yet taken by the socket
  std::size_t sent_ = 0;  ///< of unsent_
  Turn::Next after_sent_ = Turn::Next::read;
  Duration after_sent_wait_{};
  Phase phase_ = Phase::reading;
  Interest interest_ = Interest::none;
  bool draining_ = false;
};

}  // namespace mintmark::server
