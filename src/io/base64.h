// Base64 with padding (RFC 4648, section 4), as JSON carries bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mintmark::io {

/// Thread-safe.
[[nodiscard]] std::string base64(std::string_view bytes);

/// The bytes; nothing if the text is not base64 with its padding. Thread-safe.
[[nodiscard]] std::optional<std::string> parse_base64(std::string_view text);

}  // namespace mintmark::io
