// A listener: one listening socket, which gives its connections to the workers in turn.
//
// Why one socket and not one a thread with SO_REUSEPORT: with that a second server on the same port would
// be no error, and its hash spreads a few connections badly over the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "mint/mint.h"
#include "server/address.h"
#include "server/worker.h"

namespace mintmark::server {

using Workers = std::vector<std::unique_ptr<Worker>>;

/// Every call on the thread of `loop`, or while it does not run.
class Listener {
 public:
  Listener(Protocol protocol, boost::asio::io_context& loop);

  /// Does nothing for an address that is off. `text` is what the person wrote. Errors: InvalidArgument
  /// if the system refuses the address, in its words.
  [[nodiscard]] Outcome<void> listen(const Address& address, std::string_view text);
  /// Accepts until close(). `workers` and `tallies` outlive the loop's run.
  void accept(const Workers& workers, const Tallies& tallies);
  void close();

  /// As bound; "off" if not.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol,
                                                  boost::asio::io_context::executor_type>;

  void hand_over(Socket socket, Worker& worker);
  void accept_later(const Workers& workers, const Tallies& tallies);

  boost::asio::io_context& loop_;
  boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol,
                                     boost::asio::io_context::executor_type>
      acceptor_;
  boost::asio::steady_timer pause_;
  Protocol protocol_;
  std::string name_ = "off";
  std::string path_;    ///< of a Unix socket, to be removed
  std::uint64_t most_;  ///< connections of the process
  std::size_t turn_ = 0;
};

}  // namespace mintmark::server
