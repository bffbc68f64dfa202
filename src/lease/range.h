// The range machine: when to lease the next block of numbers, and how large.
//
// Blocks are permanent grants (protocol 2.8). The next one is fetched while the current one is used, one
// at a time, early enough that a slow store goes unnoticed, and large enough to last about a minute, so
// that an outage shorter than that is invisible. Sans-IO, like the window machine.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::lease {

struct RangeConfig {
  std::uint64_t block_min = 1'000;
  std::uint64_t block_max = 10'000'000;
  Duration target = std::chrono::seconds{60};         ///< how long a block should last
  Duration store_deadline = std::chrono::seconds{1};  ///< of one call to the store
  Duration backoff_min = std::chrono::milliseconds{50};
  Duration backoff_max = std::chrono::seconds{1};
};

struct RangeClaim {
  std::uint64_t request = 0;
  std::uint64_t length = 0;
  std::optional<std::uint64_t> my_end;  ///< end of the newest grant
};
struct RangeGrant {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

// Events.
/// How much is left over all blocks, and the longest run that somebody waits for and that no block has
/// room for; 0 if none.
struct RangeLevel {
  std::uint64_t left = 0;
  std::uint64_t wanted_run = 0;
};
struct RangeGranted {
  std::uint64_t request;
  std::uint64_t start;
  std::uint64_t end;
};
struct RangeRefused {
  std::uint64_t request;
  Error error;
};
struct RangeUnknown {
  std::uint64_t request;
};
/// The store was opened again after claims had stopped, and grants again.
struct RangeReadmitted {
  enum class Incarnation : std::uint8_t { same, fenced } incarnation = Incarnation::same;
};
using RangeEvent =
    std::variant<RangeLevel, RangeGranted, RangeRefused, RangeUnknown, RangeReadmitted>;

struct RangeActions {
  std::optional<RangeGrant> deliver;  ///< durable: numbers of it may be given out
  bool set_suspect = false;           ///< tell the store that it is suspect
  bool run_refused = false;           ///< the run that somebody waits for will never fit
  std::optional<RangeClaim> claim;    ///< send it, and answer with Granted, Refused or Unknown
};

/// One thread at a time.
class RangeMachine {
 public:
  /// REQUIRES: 0 < block_min <= block_max.
  explicit RangeMachine(const RangeConfig& config);

  /// `now` is boot time: the pace of consumption must not depend on a clock that is set.
  [[nodiscard]] RangeActions step(const RangeEvent& event, BootInstant now);

  /// When to report the level again, unless it falls to refill_below() first.
  [[nodiscard]] BootInstant wake_at() const { return wake_at_; }
  /// The level at which the next block is due.
  [[nodiscard]] std::uint64_t refill_below() const { return refill_below_; }
  [[nodiscard]] const std::optional<Error>& trouble() const { return trouble_; }
  /// No claim is sent until the store is opened again (RangeReadmitted).
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  void on(const RangeLevel& level, BootInstant now, RangeActions& actions);
  void on(const RangeGranted& granted, BootInstant now, RangeActions& actions);
  void on(const RangeRefused& refused, BootInstant now, RangeActions& actions);
  void on(const RangeUnknown& unknown, BootInstant now, RangeActions& actions);
  void on(const RangeReadmitted& readmitted, BootInstant now, RangeActions& actions);
  void on_end(Error error, BootInstant now, RangeActions& actions);
  bool answers(std::uint64_t request);
  void back_off(Error error, BootInstant now);
  void adapt(BootInstant now);

  const RangeConfig config_;
  std::uint64_t length_;
  std::uint64_t refill_below_ = ~std::uint64_t{0};
  std::optional<std::uint64_t> newest_end_;  ///< of the incarnation that is claimed from
  std::uint64_t highest_end_ = 0;            ///< of all grants of this life
  std::optional<BootInstant> last_claim_;
  std::uint64_t last_request_ = 0;
  std::uint64_t outstanding_ = 0;
  bool fresh_ = true;     ///< a grant came since the length was last adapted
  bool for_run_ = false;  ///< the outstanding claim is longer than a block, for a run
  bool stopped_ = false;
  Duration backoff_;
  BootInstant wake_at_ = BootInstant::min();
  std::optional<Error> trouble_;
};

}  // namespace mintmark::lease
