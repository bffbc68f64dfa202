// The time line: the clock of a store that has none of its own (protocol R8).
//
// It is one reading of wall time and boot time together. Within one start of the machine the boot time
// tells how long ago that was, whatever happened to the wall clock since; after another start it tells
// nothing. It is evidence against a clock that is ahead, never a source of time for an ID.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "mintmark/base/time.h"

namespace mintmark::store {

/// Whether the kernel said that the wall time follows a time server.
enum class Synchronized : std::uint8_t { no, yes };

struct TimeLine {
  std::string boot_id;  ///< names the start of the machine; empty: unknown, and no evidence
  BootInstant boot{};
  Instant wall{};
  Synchronized synchronized = Synchronized::no;
};

/// A step of the wall clock is a difference to the boot time above this (protocol 3.1).
inline constexpr Duration kStep = std::chrono::milliseconds{500};

/// The clocks as they are.
[[nodiscard]] TimeLine read_line(const Clock& clock, std::string boot_id);

/// What time it is by `line`, when `here` is a reading of this moment; nothing if the line is of another
/// start, or if the kernel's word says now that the line was wrong: a synchronized clock is more than
/// 2 * skew away from it. That word is fresh even if the line was made with it too: every setting of the
/// clock takes it away (Linux, kernel/time/ntp.c, ntp_clear), so a time server has confirmed the step
/// since. Boot time stands still while a virtual machine is paused, and the line is wrong then.
[[nodiscard]] std::optional<Instant> now_by(const TimeLine& line, const TimeLine& here,
                                            Duration skew);

/// The line to keep after a grant at `here`. A step that nobody confirms leaves the old one: otherwise a
/// clock could be led away step by step, each just small enough.
[[nodiscard]] const TimeLine& newer_line(const TimeLine& line, const TimeLine& here, Duration skew);

}  // namespace mintmark::store
