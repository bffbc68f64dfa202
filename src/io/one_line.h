// Words of somebody else, made fit for one line of our own.
#pragma once

#include <string>
#include <string_view>

namespace mintmark::io {

/// Words of a server on one line: line ends become "; ", other control characters "?". Thread-safe.
[[nodiscard]] std::string one_line(std::string_view words);

}  // namespace mintmark::io
