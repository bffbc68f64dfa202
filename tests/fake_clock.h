// A clock that stands still until a test moves it.
//
// Why: a test of a rule about time must neither wait for it nor depend on how long anything takes.
#pragma once

#include <atomic>
#include <chrono>

#include "mintmark/base/time.h"

namespace mintmark {

/// Wall time, boot time and the kernel's word, each set by hand. Thread-safe; a reader may see the wall
/// time of one moment and the boot time of the next, as with the real one.
class FakeClock final : public Clock {
 public:
  /// 2026-12-01T00:00:00Z, one hour after the start of the machine, synchronized.
  FakeClock() = default;
  explicit FakeClock(Instant wall) : wall_(wall.time_since_epoch()) {}

  [[nodiscard]] Instant wall() const override { return Instant{wall_.load()}; }
  [[nodiscard]] BootInstant boot() const override { return BootInstant{boot_.load()}; }
  [[nodiscard]] bool synchronized() const override { return synchronized_.load(); }

  /// Time passes: both lines move. REQUIRES: length is not negative.
  void advance(Duration length) {
    boot_ = boot_.load() + length;
    wall_ = wall_.load() + length;
  }
  /// Somebody sets the wall clock, forward or back; no time passes. The kernel takes back its word with
  /// every setting of the clock (Linux, kernel/time/ntp.c, ntp_clear), until a time server is heard again.
  void step_wall(Duration by) {
    synchronized_ = false;
    wall_ = wall_.load() + by;
  }

  /// The wall time of this test from its start; no step.
  void set_wall(Instant wall) { wall_ = wall.time_since_epoch(); }
  void set_boot(BootInstant boot) { boot_ = boot.time_since_epoch(); }

  void lose_synchronization() { synchronized_ = false; }
  void gain_synchronization() { synchronized_ = true; }

 private:
  std::atomic<Duration> wall_{from_unix_ms(1'796'083'200'000).time_since_epoch()};
  std::atomic<Duration> boot_{std::chrono::hours{1}};
  std::atomic<bool> synchronized_{true};
};

}  // namespace mintmark
