#include "store/zookeeper_session.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <iterator>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "io/os_clock.h"

namespace mintmark::store {
namespace {

/// What is asked for; a server makes it 2 to 20 of its ticks of 2 s (ZooKeeper Administrator's Guide,
/// minSessionTimeout). Nothing of ours lives by a session: it only bounds how long a dead one is kept.
constexpr int kSessionTimeoutMs = 10'000;

/// Waits for `done`, which `changed` announces, or for the deadline. In short pieces: the condition's clock
/// stands still while the machine is suspended.
template <class Done>
bool wait_until(std::unique_lock<std::mutex>& lock, std::condition_variable& changed,
                BootInstant deadline, Done done) {
  while (!done()) {
    const Duration left = deadline - io::os_clock().boot();
    if (left <= Duration::zero()) return false;
    changed.wait_for(lock, std::min<Duration>(left, std::chrono::seconds{1}));
  }
  return true;
}

/// Standard error belongs to the program, not to the library.
void drop_words(const char*) {}

}  // namespace

/// What the library's thread has said about the connection.
struct ZookeeperSession::Link {
  std::mutex mutex;
  std::condition_variable changed;
  bool connected = false;  ///< at some time
  bool lost = false;       ///< and cut off later
};

ZookeeperSession::ZookeeperSession() : link_(std::make_unique<Link>()) {}

ZookeeperSession::~ZookeeperSession() {
  if (guard_.same_process()) {
    if (handle_ != nullptr) zookeeper_library().close(handle_);
  } else {
    // To close the handle would end the parent's session; its threads are not here to be waited for.
    static_cast<void>(link_.release());
  }
}

void ZookeeperSession::abandon(std::unique_ptr<ZookeeperSession> session) {
  if (!session) return;
  // The system may have no thread to give; then the call is late.
  try {
    std::thread{[ending = std::move(session)]() mutable { ending.reset(); }}.detach();
  } catch (const std::system_error&) {
  }
}

Outcome<std::unique_ptr<ZookeeperSession>> ZookeeperSession::open(
    const std::string& hosts, const std::optional<std::string>& digest, std::string_view where,
    BootInstant deadline) {
  const ZookeeperLibrary& zoo = zookeeper_library();
  if (zoo.missing) return failure(Fault::store_unavailable, *zoo.missing);
  std::unique_ptr<ZookeeperSession> session{new ZookeeperSession};
  // Without ZOO_READONLY among the flags: a server that has lost the others refuses such a client, even if
  // it is set up to let others read (Administrator's Guide, readonlymode.enabled).
  errno = 0;
  session->handle_ = zoo.init(hosts.c_str(), &on_event, kSessionTimeoutMs, nullptr,
                              session->link_.get(), 0, &drop_words);
  if (session->handle_ == nullptr) {
    return failure(Fault::store_unavailable,
                   fmt::format("{}: no host could be found: {}", where, std::strerror(errno)));
  }
  if (digest) {
    const auto on_added = [](int, const void*) {};
    const int code = zoo.add_auth(session->handle_, "digest", digest->data(),
                                  static_cast<int>(digest->size()), on_added, nullptr);
    if (code != ZOK) {
      return failure(Fault::store_unavailable,
                     fmt::format("{}: addauth: {}", where, zoo.words(code)));
    }
  }
  if (!session->wait_for_connection(deadline)) {
    abandon(std::move(session));
    return failure(Fault::store_unavailable, fmt::format("{}: no connection in time", where));
  }
  return session;
}

bool ZookeeperSession::wait_for_connection(BootInstant deadline) {
  std::unique_lock lock{link_->mutex};
  return wait_until(lock, link_->changed, deadline, [this] { return link_->connected; });
}

bool ZookeeperSession::lost() const {
  const std::lock_guard lock{link_->mutex};
  return link_->lost;
}

void ZookeeperSession::on_event(zhandle_t*, int type, int state, const char*, void* context) {
  const ZookeeperLibrary& zoo = zookeeper_library();
  if (type != *zoo.session_event) return;
  auto& link = *static_cast<Link*>(context);
  const std::lock_guard lock{link.mutex};
  if (link.connected) {
    link.lost = true;
  } else if (state == *zoo.connected_state) {
    link.connected = true;
    link.changed.notify_all();
  }
}

/// Where answers are put, by the library's thread.
struct ZookeeperRequests::Board {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<ZookeeperReply> replies;
  std::size_t open = 0;
  std::vector<zoo_op_result_t> results;  ///< of the multi; the library writes them
};

/// A place on a board, in the hands of the library. The answer ends it.
struct ZookeeperRequests::Ticket {
  std::shared_ptr<Board> board;
  std::size_t place;
};

ZookeeperRequests::ZookeeperRequests(const ZookeeperSession& session)
    : handle_(session.handle()), board_(std::make_shared<Board>()) {}

template <class Send>
void ZookeeperRequests::request(Send send) {
  auto ticket = std::make_unique<Ticket>(board_, board_->replies.size());
  const std::size_t place = ticket->place;
  {
    const std::lock_guard lock{board_->mutex};
    board_->replies.emplace_back();
    ++board_->open;
  }
  const int code = send(ticket.get());
  if (code == ZINVALIDSTATE || code == ZBADARGUMENTS) {
    const std::lock_guard lock{board_->mutex};
    board_->replies[place] = {.code = code, .sent = false};
    --board_->open;
    return;
  }
  // Of ZMARSHALLINGERROR nobody knows whether an answer follows.
  static_cast<void>(ticket.release());
}

void ZookeeperRequests::sync(const std::string& path) {
  request([&](const void* ticket) { return zoo_.sync(handle_, path.c_str(), &on_text, ticket); });
}

void ZookeeperRequests::exists(const std::string& path) {
  request(
      [&](const void* ticket) { return zoo_.exists(handle_, path.c_str(), 0, &on_stat, ticket); });
}

void ZookeeperRequests::get(const std::string& path) {
  request(
      [&](const void* ticket) { return zoo_.get(handle_, path.c_str(), 0, &on_value, ticket); });
}

void ZookeeperRequests::children(const std::string& path) {
  request([&](const void* ticket) {
    return zoo_.children(handle_, path.c_str(), 0, &on_children, ticket);
  });
}

void ZookeeperRequests::create(const std::string& path, const ACL_vector& acl) {
  request([&](const void* ticket) {
    return zoo_.create(handle_, path.c_str(), "", 0, &acl, 0, &on_text, ticket);
  });
}

void ZookeeperRequests::set(const std::string& path, std::string_view value) {
  request([&](const void* ticket) {
    return zoo_.set(handle_, path.c_str(), value.data(), static_cast<int>(value.size()), -1,
                    &on_stat, ticket);
  });
}

void ZookeeperRequests::multi(std::span<const zoo_op_t> operations) {
  board_->results.resize(operations.size());
  request([&](const void* ticket) {
    return zoo_.multi(handle_, static_cast<int>(operations.size()), operations.data(),
                      board_->results.data(), &on_end, ticket);
  });
}

std::vector<ZookeeperReply> ZookeeperRequests::wait(BootInstant deadline) {
  std::unique_lock lock{board_->mutex};
  wait_until(lock, board_->changed, deadline, [this] { return board_->open == 0; });
  return {std::make_move_iterator(board_->replies.begin()),
          std::make_move_iterator(board_->replies.end())};
}

void ZookeeperRequests::answer(const void* ticket, ZookeeperReply reply) {
  const std::unique_ptr<const Ticket> mine{static_cast<const Ticket*>(ticket)};
  Board& board = *mine->board;
  const std::lock_guard lock{board.mutex};
  board.replies[mine->place] = std::move(reply);
  if (--board.open == 0) board.changed.notify_all();
}

void ZookeeperRequests::on_stat(int code, const Stat* stat, const void* ticket) {
  ZookeeperReply reply{.code = code};
  if (code == ZOK) reply.stat = *stat;
  answer(ticket, std::move(reply));
}

void ZookeeperRequests::on_value(int code, const char* value, int size, const Stat* stat,
                                 const void* ticket) {
  ZookeeperReply reply{.code = code};
  if (code == ZOK) {
    reply.stat = *stat;
    // A node without a value has the size -1.
    if (size > 0) reply.value.assign(value, static_cast<std::size_t>(size));
  }
  answer(ticket, std::move(reply));
}

void ZookeeperRequests::on_children(int code, const String_vector* names, const void* ticket) {
  ZookeeperReply reply{.code = code};
  if (code == ZOK) reply.children.assign(names->data, names->data + names->count);
  answer(ticket, std::move(reply));
}

void ZookeeperRequests::on_text(int code, const char*, const void* ticket) {
  answer(ticket, {.code = code});
}

void ZookeeperRequests::on_end(int code, const void* ticket) { answer(ticket, {.code = code}); }

}  // namespace mintmark::store
