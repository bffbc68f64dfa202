#include "io/net/event_loop.h"

#include <array>
#include <ctime>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "mintmark/base/error.h"

namespace mintmark::io {
namespace {

constexpr int kMostEvents = 128;  // at a time, so that timers and posted work get their turn

std::uint32_t events_of(EventLoop::Interest interest) {
  return interest == EventLoop::Interest::read ? EPOLLIN : EPOLLOUT;
}

}  // namespace

EventLoop::EventLoop()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  MINTMARK_CHECK(epoll_ >= 0 && wake_ >= 0);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;  // a member is never null
  MINTMARK_CHECK(::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) == 0);
}

EventLoop::~EventLoop() {
  ::close(wake_);
  ::close(epoll_);
}

bool EventLoop::watch(int socket, Member& member, Interest before, Interest now) {
  if (before == now) return true;
  // A socket of no interest is taken out: its end would be reported all the same, again and again.
  if (now == Interest::none) return ::epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr) == 0;
  epoll_event event{};
  event.events = events_of(now);
  event.data.ptr = &member;
  const int operation = before == Interest::none ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  return ::epoll_ctl(epoll_, operation, socket, &event) == 0;
}

void EventLoop::post(Work work) {
  {
    const std::lock_guard lock{mutex_};
    posted_.push_back(std::move(work));
  }
  const std::uint64_t one = 1;
  // It fails only when the counter is full, and then the loop is awake anyway.
  static_cast<void>(!::write(wake_, &one, sizeof one));
}

void EventLoop::at(Steady time, Work work) { timers_.emplace(time, std::move(work)); }

void EventLoop::run() {
  std::array<epoll_event, kMostEvents> events;
  while (!ended_) {
    timespec left{};
    if (!timers_.empty()) {
      const auto wait = timers_.begin()->first - std::chrono::steady_clock::now();
      if (wait > wait.zero()) {
        const auto whole = std::chrono::floor<std::chrono::seconds>(wait);
        left.tv_sec = whole.count();
        left.tv_nsec = std::chrono::ceil<std::chrono::nanoseconds>(wait - whole).count();
      }
    }
    const timespec* const until = timers_.empty() ? nullptr : &left;
    const int count = ::epoll_pwait2(epoll_, events.data(), kMostEvents, until, nullptr);
    bool woken = false;
    for (int i = 0; i < count; ++i) {
      void* const member = events[static_cast<std::size_t>(i)].data.ptr;
      if (member == nullptr) {
        woken = true;
      } else {
        static_cast<Member*>(member)->ready();
      }
    }
    // After the sockets: posted work may end members whose events were still to come.
    if (woken) run_posted();
    if (!timers_.empty()) run_timers();
  }
}

void EventLoop::run_posted() {
  std::uint64_t count = 0;
  static_cast<void>(!::read(wake_, &count, sizeof count));
  std::vector<Work> work;
  {
    const std::lock_guard lock{mutex_};
    work.swap(posted_);
  }
  for (Work& each : work) each();
}

void EventLoop::run_timers() {
  const Steady now = std::chrono::steady_clock::now();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    auto due = timers_.extract(timers_.begin());
    due.mapped()();
  }
}

}  // namespace mintmark::io
