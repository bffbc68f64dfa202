#include "mint/keeper.h"

#include <algorithm>
#include <chrono>

namespace mintmark::mint {
namespace {

// A wait has an end even if nothing is due: the wall clock may be set while the keeper sleeps.
constexpr Duration kLongestWait = std::chrono::seconds{1};

}  // namespace

Keeper::Keeper(Turn turn) : turn_(std::move(turn)), thread_([this] { run(); }) {}

Keeper::~Keeper() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Keeper::nudge() {
  {
    const std::lock_guard lock{mutex_};
    nudged_ = true;
  }
  changed_.notify_one();
}

void Keeper::run() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    nudged_ = false;
    lock.unlock();
    const Duration wait = std::min(turn_(), kLongestWait);
    lock.lock();
    if (wait > Duration::zero()) {
      changed_.wait_for(lock, wait, [this] { return stopping_ || nudged_; });
    }
  }
}

}  // namespace mintmark::mint
