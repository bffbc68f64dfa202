#include "server/server.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <optional>
#include <thread>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>

#include "io/os_clock.h"
#include "server/address.h"
#include "server/listener.h"
#include "server/worker.h"

namespace mintmark::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr unsigned kMostThreads = 256;

unsigned thread_count(unsigned wanted) {
  if (wanted == 0) wanted = std::thread::hardware_concurrency();
  return std::clamp(wanted, 1U, kMostThreads);
}

std::unexpected<Failure> refuse(Fault fault, std::string detail) {
  return std::unexpected(Failure{Error{fault}, std::move(detail)});
}

}  // namespace

struct Server::Inside {
  Inside(mint::Mint& mint, ServerOptions wanted)
      : options(std::move(wanted)),
        tallies(thread_count(options.threads), io::wall_now(), options.version) {
    for (unsigned i = 0; i < tallies.threads(); ++i) {
      workers.push_back(std::make_unique<Worker>(WorkerOptions{
          .mint = mint, .tallies = tallies, .index = i, .idle = options.idle, .ended = [this] {
            one_ended();
          }}));
    }
    if (options.on_signal == OnSignal::stop) {
      signals.emplace(gate, SIGINT, SIGTERM);
      wait_for_signal();
    }
  }

  /// On the thread of any worker. The gate stays open to signals, which can cut a drain short, until the
  /// last worker has ended.
  void one_ended() {
    if (ended.fetch_add(1) + 1 == workers.size()) gate.stop();
  }

  void wait_for_signal() {
    signals->async_wait([this](const error_code& error, int) {
      if (error) return;
      stop();
      wait_for_signal();
    });
  }

  Outcome<void> listen(Listener& listener, const std::string& text, std::string_view what) {
    const auto address = parse_address(text);
    if (!address) return refuse(Fault::invalid_argument, address.error());
    if (auto listening = listener.listen(*address, text); !listening) return listening;
    if (!address->local()) {
      warnings.push_back(std::string{what} + " on " + listener.name() +
                         " can be reached by everybody on the network: there is neither a password "
                         "nor encryption");
    }
    return {};
  }

  void stop() {
    const bool again = stops.fetch_add(1) > 0;
    asio::post(gate, [this] {
      http.close();
      resp.close();
    });
    for (const auto& worker : workers) {
      if (again) {
        worker->abort();
      } else {
        worker->drain(options.drain);
      }
    }
  }

  ServerOptions options;
  Tallies tallies;
  std::vector<std::unique_ptr<Worker>> workers;
  asio::io_context gate{1};  ///< accepts and waits for signals, on the thread of run()
  Listener http{Protocol::http, gate};
  Listener resp{Protocol::resp, gate};
  std::optional<asio::signal_set> signals;
  std::vector<std::string> warnings;
  std::atomic<unsigned> stops{0};
  std::atomic<std::size_t> ended{0};
};

Server::Server(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Server::~Server() {
  inside_->http.close();
  inside_->resp.close();
}

Outcome<std::unique_ptr<Server>> Server::open(mint::Mint& mint, ServerOptions options) {
  std::unique_ptr<Server> server{new Server{std::make_unique<Inside>(mint, std::move(options))}};
  Inside& inside = *server->inside_;
  if (auto open = inside.listen(inside.http, inside.options.http, "HTTP"); !open) {
    return std::unexpected(open.error());
  }
  if (auto open = inside.listen(inside.resp, inside.options.resp, "RESP"); !open) {
    return std::unexpected(open.error());
  }
  return server;
}

const std::string& Server::http_address() const { return inside_->http.name(); }
const std::string& Server::resp_address() const { return inside_->resp.name(); }
const std::vector<std::string>& Server::warnings() const { return inside_->warnings; }

void Server::run() {
  inside_->http.accept(inside_->workers, inside_->tallies);
  inside_->resp.accept(inside_->workers, inside_->tallies);
  const auto open = asio::make_work_guard(inside_->gate);
  std::vector<std::thread> threads;
  for (const auto& worker : inside_->workers) {
    threads.emplace_back([&worker] { worker->run(); });
  }
  inside_->gate.run();
  for (std::thread& thread : threads) thread.join();
}

void Server::stop() { inside_->stop(); }

}  // namespace mintmark::server
