#include "io/one_line.h"

namespace mintmark::io {

std::string one_line(std::string_view words) {
  const auto is_end = [](char c) { return c == '\n' || c == '\r'; };
  while (!words.empty() && (is_end(words.back()) || words.back() == ' ')) words.remove_suffix(1);
  std::string line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto byte = static_cast<unsigned char>(words[i]);
    if (is_end(words[i])) {
      while (i + 1 < words.size() && (is_end(words[i + 1]) || words[i + 1] == '\t')) ++i;
      line += "; ";
    } else if (byte < 0x20 || byte == 0x7f) {
      line += words[i] == '\t' ? ' ' : '?';
    } else {
      line += words[i];
    }
  }
  return line;
}

}  // namespace mintmark::io
