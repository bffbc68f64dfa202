// The directory: documents about the spaces of a mint, the same on every protocol.
#pragma once

#include <string>
#include <string_view>

#include "mint/mint.h"
#include "mintmark/base/time.h"

namespace mintmark::server {

/// {"spaces":[...]}: each as in space_json.
[[nodiscard]] std::string spaces_json(const mint::Mint& mint, Instant now);

/// {"name","scheme","definition","contiguous","ready","state", and what the space knows of "slot",
/// "window_end","left","trouble","detail"}. Numbers of 64 bits are strings.
[[nodiscard]] std::string space_json(const mint::Space& space, Instant now);

/// {"ready":...,"spaces":[{"name","ready","state",...reasons}]}.
struct Readiness {
  bool ready = true;
  std::string json;
};
[[nodiscard]] Readiness readiness(const mint::Mint& mint, Instant now);

/// A refusal as RFC 9457 has it.
struct Problem {
  unsigned status = 500;
  std::string_view title{};  ///< the status in words
  std::string_view code{};   ///< name of the fault
  std::string detail{};
  std::uint64_t retry_after_ms = 0;  ///< left out when 0
};
[[nodiscard]] std::string problem_json(const Problem& problem);

}  // namespace mintmark::server
