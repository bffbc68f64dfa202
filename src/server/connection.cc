#include "server/connection.h"

#include <utility>

#include "io/os_clock.h"
#include "server/worker.h"

namespace mintmark::server {
namespace {

using State = io::StreamSocket::State;

constexpr std::size_t kKeptOutput = 1024 * 1024;  // of the thread's buffer, after a large reply
constexpr std::size_t kKeptInput = 64 * 1024;
constexpr Duration kLinger = std::chrono::seconds{2};
// Shorter, because pools of clients never look at resting sockets.
constexpr Duration kLingerAtEnd = std::chrono::milliseconds{500};
constexpr Duration kStall = std::chrono::seconds{30};  // the peer takes nothing of its replies

/// Assigning an empty string would keep the memory.
void release(std::string& bytes) { std::string{}.swap(bytes); }

}  // namespace

Connection::Connection(Worker& worker, io::StreamSocket socket,
                       std::unique_ptr<Conversation> conversation, Duration idle)
    : worker_(worker),
      socket_(std::move(socket)),
      conversation_(std::move(conversation)),
      idle_(idle),
      active_(worker.about_now()) {}

void Connection::start() { watch(Interest::read); }

void Connection::watch(Interest interest) {
  if (interest == interest_) return;
  const Interest before = std::exchange(interest_, interest);
  if (!worker_.loop().watch(socket_.descriptor(), *this, before, interest)) close();
}

void Connection::ready() {
  if (interest_ == Interest::write) {
    send_rest();
  } else {
    read();
  }
}

void Connection::read() {
  auto& buffer = worker_.input();
  const auto moved = socket_.read(buffer);
  if (moved.state == State::would_block) return;
  if (moved.state == State::ended) return close();
  if (phase_ == Phase::lingering) return;
  active_ = worker_.about_now();
  const std::string_view bytes{buffer.data(), moved.size};
  if (input_.empty()) return work(bytes, Duration::zero());
  input_.append(bytes);
  work(input_, Duration::zero());
}

void Connection::work(std::string_view input, Duration waited) {
  phase_ = Phase::working;
  io::OutBuffer& out = worker_.output();
  const Turn turn =
      conversation_->turn(input, out, Moment{.wall = io::wall_now(), .waited = waited});
  keep(input.substr(turn.consumed));
  if (send(out)) {
    go_on(turn.next, turn.wait);
  } else {
    after_sent_ = turn.next;
    after_sent_wait_ = turn.wait;
  }
}

/// `rest` is a part of input_, or of the thread's buffer while input_ is empty.
void Connection::keep(std::string_view rest) {
  if (input_.empty()) {
    input_.assign(rest);
  } else if (rest.size() < input_.size()) {
    input_.erase(0, input_.size() - rest.size());
  }
  if (input_.empty() && input_.capacity() > kKeptInput) release(input_);
}

void Connection::go_on(Turn::Next next, Duration wait) {
  switch (next) {
    case Turn::Next::read:
      if (draining_) return linger();
      phase_ = Phase::reading;
      return watch(Interest::read);
    case Turn::Next::flush:
      watch(Interest::none);
      // Others get a turn before this one goes on.
      worker_.loop().post([self = shared_from_this()] {
        if (self->phase_ != Phase::closed) self->work(self->input_, Duration::zero());
      });
      return;
    case Turn::Next::wait:
      return wait_for(wait);
    case Turn::Next::close:
      return linger();
  }
}

void Connection::wait_for(Duration wait) {
  watch(Interest::none);
  const io::Steady began = std::chrono::steady_clock::now();
  worker_.loop().at(began + wait, [self = shared_from_this(), began] {
    if (self->phase_ == Phase::closed) return;
    const auto waited = std::chrono::steady_clock::now() - began;
    self->work(self->input_, std::chrono::ceil<Duration>(waited));
  });
}

/// True when everything is with the kernel. Otherwise the rest is kept, and send_rest() goes on.
bool Connection::send(io::OutBuffer& out) {
  std::string_view rest = out.view();
  State state = State::moved;
  while (!rest.empty() && state == State::moved) {
    const auto moved = socket_.write(rest);
    rest.remove_prefix(moved.size);
    state = moved.state;
  }
  if (state == State::would_block) {
    unsent_.assign(rest);
    sent_ = 0;
    active_ = worker_.about_now();
    watch(Interest::write);
  } else if (state == State::ended) {
    close();
  }
  out.clear_to(kKeptOutput);
  return state == State::moved;
}

void Connection::send_rest() {
  while (sent_ < unsent_.size()) {
    const auto moved = socket_.write(std::string_view{unsent_}.substr(sent_));
    if (moved.state == State::would_block) return;
    if (moved.state == State::ended) return close();
    sent_ += moved.size;
    active_ = worker_.about_now();
  }
  release(unsent_);
  sent_ = 0;
  go_on(after_sent_, after_sent_wait_);
}

void Connection::drain() {
  draining_ = true;
  if (phase_ != Phase::reading) return;
  if (socket_.has_input()) return linger();
  close();
}

void Connection::linger() {
  // Why not close: input that nobody read would turn into a reset, which can overtake the last replies.
  phase_ = Phase::lingering;
  active_ = worker_.about_now();
  release(input_);
  if (!socket_.finish_writing()) return close();
  watch(Interest::read);
}

void Connection::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  if (interest_ != Interest::none) {
    static_cast<void>(
        !worker_.loop().watch(socket_.descriptor(), *this, interest_, Interest::none));
    interest_ = Interest::none;
  }
  socket_.close();
  worker_.leave(*this);
}

void Connection::sweep() {
  const auto rested = worker_.about_now() - active_;
  if (phase_ == Phase::lingering) {
    if (rested >= (draining_ ? kLingerAtEnd : kLinger)) close();
  } else if (!unsent_.empty()) {
    if (rested >= kStall) close();
  } else if (phase_ == Phase::reading && idle_ > Duration::zero() && rested >= idle_) {
    close();
  }
}

}  // namespace mintmark::server
