// headroom of a database: what in it runs out. Its page: docs/reference/headroom.md.
#pragma once

#include "cli/command.h"

namespace mintmark::cli {

// What the command has for databases alone.
inline constexpr Option kWarnOption{"warn", "", "P",
                                    "database: exit code 1 from so many percent on; default 80"};
inline constexpr Option kWatchOption{
    "watch", "", "T", "database: look twice, so long apart, and reckon with that pace"};
inline constexpr Option kTimeoutOption{"timeout", "", "T",
                                       "database: the longest that reading may take; default 60s"};

/// Surveys the database whose URL is the operand, and prints what it found. REQUIRES: one operand.
int headroom_of_database(const Arguments& arguments);

}  // namespace mintmark::cli
