// A text as a JSON string.
#pragma once

#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace mintmark::mint {

/// In quotes, with what JSON does not allow escaped. The text need not be UTF-8: each byte outside ASCII
/// becomes the code point of Latin-1, so that the document stays valid whatever somebody typed.
[[nodiscard]] inline std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace mintmark::mint
