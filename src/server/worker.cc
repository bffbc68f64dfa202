#include "server/worker.h"

#include <chrono>
#include <utility>
#include <vector>

#include "server/http.h"
#include "server/resp.h"

namespace mintmark::server {
namespace {

constexpr auto kSweepPeriod = std::chrono::milliseconds{500};

}  // namespace

Worker::Worker(const WorkerOptions& options)
    : surroundings_{options.mint, options.tallies.of(options.index), options.tallies},
      idle_(options.idle),
      ended_(options.ended),
      about_now_(std::chrono::steady_clock::now()) {}

void Worker::adopt(io::StreamSocket socket, Protocol protocol, Peer peer) {
  loop_.post([this, socket = std::move(socket), protocol, peer = std::move(peer)]() mutable {
    if (!draining_) open(std::move(socket), protocol, std::move(peer));
  });
}

void Worker::open(io::StreamSocket socket, Protocol protocol, Peer peer) {
  std::unique_ptr<Conversation> conversation;
  if (protocol == Protocol::resp) {
    conversation = std::make_unique<RespConversation>(surroundings_, std::move(peer));
  } else {
    conversation = make_http_conversation(surroundings_);
  }
  if (!sweeping_) sweep_later();
  const Duration idle = protocol == Protocol::http ? idle_ : Duration::zero();
  auto connection =
      std::make_shared<Connection>(*this, std::move(socket), std::move(conversation), idle);
  surroundings_.tally.accepted.add(1);
  surroundings_.tally.open.add(1);
  Connection& opened = *connection;
  connections_.emplace(&opened, std::move(connection));
  opened.start();
}

void Worker::leave(Connection& connection) {
  const auto found = connections_.find(&connection);
  if (found == connections_.end()) return;
  // It is still running: it goes when everything that is ready now is done.
  loop_.post([last = std::move(found->second)] {});
  connections_.erase(found);
  surroundings_.tally.open.sub(1);
  end_if_empty();
}

void Worker::sweep_later() {
  sweeping_ = true;
  about_now_ = std::chrono::steady_clock::now();
  loop_.at(about_now_ + kSweepPeriod, [this] {
    sweeping_ = false;
    if (connections_.empty()) return;
    sweep_later();
    for_each(&Connection::sweep);
  });
}

void Worker::drain(Duration most) {
  loop_.post([this, most] {
    if (draining_) return;
    draining_ = true;
    loop_.at(std::chrono::steady_clock::now() + most, [this] { close_all(); });
    for_each(&Connection::drain);
    end_if_empty();
  });
}

void Worker::abort() {
  loop_.post([this] {
    draining_ = true;
    close_all();
    end_if_empty();
  });
}

void Worker::close_all() { for_each(&Connection::close); }

void Worker::for_each(void (Connection::*act)()) {
  // A connection may leave while it is acted on.
  std::vector<std::shared_ptr<Connection>> all;
  all.reserve(connections_.size());
  for (const auto& [connection, owner] : connections_) all.push_back(owner);
  for (const auto& connection : all) (connection.get()->*act)();
}

void Worker::end_if_empty() {
  if (!draining_ || !connections_.empty()) return;
  loop_.end();
  if (auto ended = std::exchange(ended_, nullptr)) ended();
}

}  // namespace mintmark::server
