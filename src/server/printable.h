// Text of a peer as it may stand in a reply line, a JSON document or a log: printable ASCII, not long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mintmark::server {

/// At most 128 bytes; what is not printable ASCII becomes '?'.
[[nodiscard]] inline std::string printable(std::string_view text) {
  constexpr std::size_t kMost = 128;
  std::string shown{text.substr(0, kMost)};
  for (char& c : shown) {
    if (c < ' ' || c > '~') c = '?';
  }
  return shown;
}

}  // namespace mintmark::server
