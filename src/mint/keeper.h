// A keeper: the thread that keeps one space supplied with grants, away from every request.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "mintmark/base/time.h"

namespace mintmark::mint {

/// Calls `turn` on its own thread: at once, whenever it asks to be called again, and when nudged.
/// Thread-safe. Stops and joins when destroyed, after the turn under way has ended.
class Keeper {
 public:
  /// Does what is due and returns how long to wait for the next turn (zero: at once).
  using Turn = std::function<Duration()>;

  explicit Keeper(Turn turn);
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// The next turn is due now. Cheap enough for a path that has just failed; never blocks on a turn.
  void nudge();

 private:
  void run();

  Turn turn_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool nudged_ = false;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace mintmark::mint
