// The process's own mint: every scheme that needs no store, made on first use, for all threads.
//
// Why one for the process: its time-ordered IDs rise strictly over all threads and over both interfaces, C
// and C++. Why another one in a forked child: the parent's counters are the parent's (protocol R11), and a
// server that forks its workers must not lose the calls that need no handle.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "io/failure.h"
#include "mint/space.h"

namespace mintmark::c {

/// The space of a scheme, which lives as long as this process. Thread-safe, also in a child that was forked
/// while another thread stood in here. Errors: UnknownSpace, InvalidArgument (it is only read, or needs a
/// store), EntropyUnavailable.
[[nodiscard]] Outcome<mint::Space*> process_space(std::string_view scheme);

/// Fills all of `out` with IDs of the space at the system's time, waiting as long as its policy lets a caller
/// wait. After an error what was made is burnt. REQUIRES: out.size() is a multiple of the space's width.
[[nodiscard]] Result<void> fill_all(mint::Space& space, std::span<std::byte> out);

}  // namespace mintmark::c
