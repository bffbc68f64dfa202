// The window machine: how a process comes by the right to stamp a worker ID, and keeps it.
//
// It decides when to look at the slots, which one to claim, when to renew, and what to do with each
// answer (protocol R1 to R9, states of 2.5). It is sans-IO: events and the time go in, duties come out.
// The keeper carries them out in production, a simulation in tests. What it refuses: to act on a reply
// that is not the outstanding one (R2), to claim with a doubtful clock (R8), to take a slot whose mark
// has not passed (R6), and to claim anything once the store is in doubt (R9).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "lease/time_evidence.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::lease {

/// Turns time into the ticks of a layout and back.
struct TickScale {
  Instant epoch{};
  Duration unit{};

  /// The tick that holds `time`; 0 before the epoch.
  [[nodiscard]] std::uint64_t tick(Instant time) const {
    return time < epoch ? 0 : static_cast<std::uint64_t>((time - epoch) / unit);
  }
  [[nodiscard]] std::uint64_t ticks(Duration length) const {
    return static_cast<std::uint64_t>(length / unit);
  }
  [[nodiscard]] Instant time(std::uint64_t tick) const {
    return epoch + static_cast<std::int64_t>(tick) * unit;
  }
};

struct WindowConfig {
  TickScale scale;
  Duration horizon{};  ///< H of this process, at most H_max
  TimeBounds bounds;
  std::uint64_t slot_base = 0;
  std::uint64_t slot_count = 0;
  std::optional<std::uint64_t> pinned;  ///< this slot or none
  std::uint64_t last_tick = 0;          ///< of the layout
  std::uint64_t not_before = 0;         ///< no window of the space starts below this tick
  std::uint64_t seed = 0;               ///< of slot choice and jitter
  Duration backoff_min = std::chrono::milliseconds{50};
  Duration backoff_max = std::chrono::seconds{1};
};

enum class WindowState : std::uint8_t {
  init,
  acquiring,
  active,
  renewing,
  drained,
  fenced,
  suspect,
  quarantined,
  forked,
  closed,
};
[[nodiscard]] std::string_view name(WindowState state);

/// A slot's mark, as a scan saw it.
struct SlotMark {
  std::uint64_t slot = 0;
  std::uint64_t high_water = 0;
};

/// A claim to send to the store.
struct WindowClaim {
  std::uint64_t request = 0;  ///< names it within this life of the process
  std::uint64_t slot = 0;
  std::uint64_t floor = 0;
  std::uint64_t end = 0;
  Instant floor_time{};
  std::optional<std::uint64_t> my_end;  ///< present when renewing
};

struct WindowGrant {
  std::uint64_t slot = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

// Events.
struct Wake {};
struct Scanned {
  std::span<const SlotMark> marks;
  TimeEvidence evidence;
};
struct Granted {
  std::uint64_t request;
  std::uint64_t start;
  std::uint64_t end;
};
struct NotYet {
  std::uint64_t request;
  std::uint64_t high_water;
};
/// A definite refusal or failure of a claim, or with request 0 of a scan.
struct Refused {
  std::uint64_t request;
  Error error;
};
/// A claim whose outcome is unknown: it is burnt.
struct Unknown {
  std::uint64_t request;
};
/// The store was opened again after claims had stopped, and grants again.
struct Readmitted {
  /// The first tick of a new incarnation, in which nothing of the old one is renewed; nothing: it is the
  /// same.
  std::optional<std::uint64_t> not_before;
};
struct Forked {};
struct Close {};
using WindowEvent =
    std::variant<Wake, Scanned, Granted, NotYet, Refused, Unknown, Readmitted, Forked, Close>;

/// Duties, to be carried out in this order. Every field may be empty.
struct WindowActions {
  /// The generator in use may stamp up to this tick now. Its grant is durable: the reply was its event.
  std::optional<std::uint64_t> extend;
  /// A new generator for this grant replaces the one in use; threads still inside the old one stay
  /// inside its grant.
  std::optional<WindowGrant> install;
  /// Tell the store that it is suspect, so that processes without a memory of it stop too.
  bool set_suspect = false;
  /// Read all marks and the evidence, and answer with Scanned or Refused{0}.
  bool scan = false;
  /// Send this claim, and answer with Granted, NotYet, Refused or Unknown.
  std::optional<WindowClaim> claim;
  /// The state changed: log and count it.
  std::optional<WindowState> entered;
};

/// One thread at a time.
class WindowMachine {
 public:
  /// REQUIRES: horizon > 0, slot_count > 0.
  explicit WindowMachine(const WindowConfig& config);

  [[nodiscard]] WindowActions step(const WindowEvent& event, Instant now);

  /// When the next Wake is due. A duty that is not answered yet has no wake-up of its own: whoever
  /// carries it out answers by its deadline.
  [[nodiscard]] Instant wake_at() const { return wake_at_; }

  [[nodiscard]] WindowState state() const { return state_; }
  /// No claim is sent until the store is opened again (Readmitted).
  [[nodiscard]] bool stopped() const { return claims_stopped_; }
  /// The newest grant, if this process has one.
  [[nodiscard]] const std::optional<WindowGrant>& grant() const { return grant_; }
  /// Why the last claim or scan failed; empty after one that succeeded.
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }

 private:
  void on(const Wake&, Instant now, WindowActions& actions);
  void on(const Scanned& scanned, Instant now, WindowActions& actions);
  void on(const Granted& granted, Instant now, WindowActions& actions);
  void on(const NotYet& not_yet, Instant now, WindowActions& actions);
  void on(const Refused& refused, Instant now, WindowActions& actions);
  void on(const Unknown& unknown, Instant now, WindowActions& actions);
  void on(const Readmitted& readmitted, Instant now, WindowActions& actions);
  void on(const Forked&, Instant now, WindowActions& actions);
  void on(const Close&, Instant now, WindowActions& actions);

  void look_for_slot(WindowActions& actions);
  void renew(Instant now, WindowActions& actions);
  void send(std::uint64_t slot, std::optional<std::uint64_t> my_end, Instant now,
            WindowActions& actions);
  void install(const WindowGrant& grant, Instant now, WindowActions& actions);
  bool answers(std::uint64_t request);
  void back_off(Error error, Instant now);
  void stop_claims(Error error, WindowActions& actions);
  void enter(WindowState state, WindowActions& actions);
  [[nodiscard]] bool in_window(Instant now) const;
  [[nodiscard]] Duration with_jitter(Duration length);
  [[nodiscard]] std::uint64_t random();

  const WindowConfig config_;
  std::uint64_t not_before_;
  WindowState state_ = WindowState::init;
  Instant wake_at_ = Instant::min();
  std::optional<WindowGrant> grant_;
  std::optional<WindowGrant> pending_;  ///< of a pinned slot, for when grant_ is used up
  std::optional<Error> trouble_;
  std::uint64_t last_request_ = 0;
  std::uint64_t outstanding_ = 0;  ///< 0: none
  std::uint64_t claimed_slot_ = 0;
  bool scanning_ = false;
  bool leave_slot_ = false;  ///< a lost renewal blocks this slot's near future: take another
  bool claims_stopped_ = false;
  Duration backoff_{};
  unsigned misses_ = 0;  ///< slots lost to others in a row
  std::uint64_t random_state_;
};

}  // namespace mintmark::lease
