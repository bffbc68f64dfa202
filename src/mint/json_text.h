// A text as a JSON string.
#pragma once

#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace mintmark::mint {

/// Bytes of the UTF-8 sequence that the text begins with (RFC 3629, section 4); 0 if it begins with none, or
/// with a byte of ASCII.
[[nodiscard]] inline std::size_t utf8_sequence(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto continues = [&byte](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0);
  if (first >= 0xc2 && first <= 0xdf) return continues(1) ? 2 : 0;
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (first < 0xe0 || first > 0xf4 || byte(1) < least || byte(1) > most || !continues(2)) return 0;
  if (first <= 0xef) return 3;
  return continues(3) ? 4 : 0;
}

/// In quotes, with what JSON does not allow escaped. The text need not be UTF-8: a byte that is part of no
/// sequence becomes the code point of Latin-1, so that the document stays valid whatever somebody typed.
[[nodiscard]] inline std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t size = utf8_sequence(text.substr(at)); size > 0) {
      out += text.substr(at, size);
      at += size - 1;
    } else if (c == '"' || c == '\\') {
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
