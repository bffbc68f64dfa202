#include "cli/utf8_text.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  ///< bytes; 0 if there is no character
};

/// The character that the text begins with. RFC 3629, section 3.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return {};
  std::uint32_t code = byte(0) & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[size] || surrogate || code > 0x10ffff) return {};
  return {code, size};
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = first_of(text).size;
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

std::string for_terminal(std::string_view text) {
  const bool utf8 = is_utf8(text);
  std::string shown;
  while (!text.empty()) {
    const Character character = utf8 ? first_of(text) : Character{0, 1};
    const std::uint32_t code = utf8 ? character.code : static_cast<unsigned char>(text[0]);
    const bool steers = code < 0x20 || (code >= 0x7f && (code < 0xa0 || !utf8));
    if (steers) {
      shown += '?';
    } else {
      shown += text.substr(0, character.size);
    }
    text.remove_prefix(character.size);
  }
  return shown;
}

std::string json_utf8(std::string_view text) {
  if (!is_utf8(text)) return mint::json_text(text);
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace mintmark::cli
