// A shell in a folder that holds what the examples of the help and of the reference speak of.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {

class PreparedShell : public Shell {
 public:
  PreparedShell() {
    const Ran ran =
        run("mintmark new uuid7 -n 10 >ids.txt && mintmark new uuid7 -n 10 >other.txt && "
            "mintmark new snowflake >snowflakes.txt && mintmark new snowflake --store "
            "sqlite:data/ids.db && mintmark seal --new-key >seal.keys && chmod 600 seal.keys");
    EXPECT_EQ(ran.code, 0) << ran.err;
    write("mintmark.toml",
          "[space.orders]\nscheme = \"snowflake\"\n[space.events]\nscheme = \"uuid7\"\n");
  }

  /// Runs one line with a limit of time. A line that is a server gets what is a long time to become ready,
  /// and then SIGTERM, upon which it must end well.
  [[nodiscard]] Ran run_example(const std::string& line) const {
    if (line.starts_with("mintmark serve"))
      return run("timeout --foreground --preserve-status 3 " + line + " --http off --resp off");
    write("example.sh", line + "\n");
    return run("timeout 120 bash -o pipefail example.sh");
  }
};

}  // namespace mintmark::cli
