// The shape of every engine across a network: see, decide, and write if nothing of what was seen has changed.
//
// Why not the steps of advance in each engine's own language: they are the safety of the whole, and would
// exist five times. So they are decide() alone; an engine adds one conditional write, whose condition is all
// that was decided upon. No lock is held while a packet travels, and of many who write at once one is never
// turned away, so that the others' next try finds a mark that has moved.
//
// A read may be stale. It then costs a try, never a mark: what decides is the condition of the write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/fork_guard.h"
#include "store/key_value.h"
#include "store/store.h"

namespace mintmark::store {

/// The coarsest clock of an engine (etcd's header `Date`) is rounded down by less than this. What has to
/// start after all earlier grants counts from that much later.
inline constexpr Duration kClockGrain = std::chrono::seconds{1};

/// A space and one of its marks, as an engine saw them.
struct Sight {
  SpaceMeta meta;
  std::optional<Mark> mark;    ///< nothing: not asked for, or missing
  std::string ident;           ///< Identity::ident of the engine
  std::optional<Instant> now;  ///< the store's clock, read before the sight was complete
  // What a key-value engine compares; SQL compares the fields themselves.
  std::optional<Kept> kept_meta{};
  std::optional<Kept> kept_mark{};
};

/// What follows from the engine's two acts. Deadlines given to the engine are those of io::os_clock().
class ConditionalStore : public Store {
 public:
  explicit ConditionalStore(const Environment& environment) : clock_(environment.clock) {}

  Answer advance(const Claim& claim, BootInstant deadline) final;
  Outcome<void> set_suspect(std::string_view space, std::string_view reason,
                            BootInstant deadline) final;
  Outcome<SpaceMeta> fence(std::string_view space, const FenceOrder& order,
                           BootInstant deadline) final;
  /// The engine has a clock of its own, and believes it.
  Outcome<void> accept_time(BootInstant deadline) final;

 protected:
  /// The space and, where `slot` says one, its mark. Nothing: there is no meta row.
  virtual Outcome<std::optional<Sight>> see(std::string_view space,
                                            std::optional<std::uint64_t> slot,
                                            BootInstant deadline) = 0;

  /// Writes `meta`, `mark` or both, durably, if the rows are still as `seen`: true. False: they are not, and
  /// nothing was written. Errors: StoreUnavailable, OutcomeUnknown.
  virtual Outcome<bool> change(std::string_view space, const Sight& seen, const SpaceMeta* meta,
                               const Mark* mark, BootInstant deadline) = 0;

  /// Begins a call: the deadline as one of io::os_clock(). Errors: Forked, StoreUnavailable (it has passed).
  [[nodiscard]] Outcome<BootInstant> enter(BootInstant deadline) const;

  /// This host's time, where a new store has none of its own yet.
  [[nodiscard]] const Clock& clock() const { return clock_; }

 private:
  /// As see(), with a space that must be there. Errors also: UnknownSpace.
  Outcome<Sight> see_space(std::string_view space, std::optional<std::uint64_t> slot,
                           BootInstant deadline);
  void make_suspect(std::string_view space, const Sight& seen, std::string_view reason,
                    BootInstant deadline);

  const Clock& clock_;
  io::ForkGuard guard_;
};

}  // namespace mintmark::store
