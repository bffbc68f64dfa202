// An event loop: one thread that serves many sockets, timers, and work from other threads.
//
// Why our own and not Asio's: its sockets re-arm epoll, or try a read in vain, once for each request. At
// one request in flight that system call is the difference to Redis. Here a socket is watched by level,
// so a request costs one read and one write. Asio still accepts, and waits for signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace mintmark::io {

using Steady = std::chrono::steady_clock::time_point;

/// post() from any thread; everything else on the thread of run(), or before it.
class EventLoop {
 public:
  using Work = std::move_only_function<void()>;

  /// What has a socket. It must live until work posted after its last interest has run.
  class Member {
   public:
    /// The socket can do what was asked for, or has failed, which the next read or write will tell.
    virtual void ready() = 0;

   protected:
    ~Member() = default;
  };
  enum class Interest : std::uint8_t { none, read, write };

  EventLoop();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// False if the kernel refuses (out of memory or of watches). With none the socket may be closed.
  [[nodiscard]] bool watch(int socket, Member& member, Interest before, Interest now);

  /// Runs after the sockets that are ready now, in the order posted. Dropped if the loop never runs.
  void post(Work work);
  /// Runs at that time or later.
  void at(Steady time, Work work);

  /// Until end().
  void run();
  void end() { ended_ = true; }

 private:
  void run_posted();
  void run_timers();

  int epoll_;
  int wake_;  ///< an eventfd
  bool ended_ = false;
  std::multimap<Steady, Work> timers_;
  std::mutex mutex_;
  std::vector<Work> posted_;  ///< guarded by mutex_
};

}  // namespace mintmark::io
