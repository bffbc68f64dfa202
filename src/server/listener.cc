#include "server/listener.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <sys/resource.h>

namespace mintmark::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::uint64_t kSparedFiles = 64;  // for the store, its journal and the program itself
constexpr auto kAcceptPause = std::chrono::milliseconds{100};

std::uint64_t most_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 1U << 20;
  return limit.rlim_cur > 2 * kSparedFiles ? limit.rlim_cur - kSparedFiles : limit.rlim_cur / 2;
}

/// A socket file that nobody answers on is left over from a process that was killed.
void remove_stale(const std::string& path, asio::io_context& loop) {
  error_code error;
  asio::local::stream_protocol::socket probe{loop};
  probe.connect(asio::local::stream_protocol::endpoint{path}, error);
  error_code ignored;
  if (error == asio::error::connection_refused && std::filesystem::is_socket(path, ignored)) {
    std::filesystem::remove(path, ignored);
  }
}

/// Connections of the process are numbered from 1, for CLIENT ID.
std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

Listener::Listener(Protocol protocol, asio::io_context& loop)
    : loop_(loop), acceptor_(loop), pause_(loop), protocol_(protocol), most_(most_connections()) {}

Outcome<void> Listener::listen(const Address& address, std::string_view text) {
  if (address.form == Address::Form::off) return {};
  error_code error;
  if (address.form == Address::Form::unix_path) remove_stale(address.path, loop_);
  acceptor_.open(address.endpoint.protocol(), error);
  if (!error && address.form == Address::Form::tcp) {
    // A port whose last connections are in TIME_WAIT is free; one that somebody listens on is not.
    acceptor_.set_option(asio::socket_base::reuse_address{true}, error);
  }
  if (!error) acceptor_.bind(address.endpoint, error);
  if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  const auto bound = error ? address.endpoint : acceptor_.local_endpoint(error);
  if (error) {
    return std::unexpected(
        Failure{Error{Fault::invalid_argument},
                "cannot listen on " + std::string{text} + ": " + error.message()});
  }
  path_ = address.path;
  name_ = describe(bound);
  return {};
}

void Listener::accept(const Workers& workers, const Tallies& tallies) {
  if (!acceptor_.is_open()) return;
  acceptor_.async_accept([this, &workers, &tallies](const error_code& error, Socket socket) {
    if (!acceptor_.is_open()) return;
    if (error) return accept_later(workers, tallies);
    if (tallies.sum(&Tally::open) < most_) {
      hand_over(std::move(socket), *workers[turn_++ % workers.size()]);
    }
    accept(workers, tallies);
  });
}

void Listener::hand_over(Socket socket, Worker& worker) {
  error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return;  // gone already
  const auto local = socket.local_endpoint(error);
  if (error) return;
  socket.native_non_blocking(true, error);
  if (error) return;
  error_code not_tcp;
  socket.set_option(asio::ip::tcp::no_delay{true}, not_tcp);
  io::StreamSocket released{socket.release(error)};
  if (error) return;
  worker.adopt(std::move(released), protocol_,
               {.number = next_number(), .address = describe(remote), .local = describe(local)});
}

/// Out of files or memory: the queue of the kernel holds the callers meanwhile.
void Listener::accept_later(const Workers& workers, const Tallies& tallies) {
  pause_.expires_after(kAcceptPause);
  pause_.async_wait([this, &workers, &tallies](const error_code& error) {
    if (!error) accept(workers, tallies);
  });
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  if (!path_.empty()) std::filesystem::remove(path_, ignored);
  path_.clear();
}

}  // namespace mintmark::server
