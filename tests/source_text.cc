#include "tests/source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

namespace mintmark::tidy {

Tree read_tree(const std::filesystem::path& root) {
  Tree tree;
  const std::set<std::string> foreign{".git", ".cache", "build", "node_modules", "__pycache__"};
  for (std::filesystem::recursive_directory_iterator entry{root}, end; entry != end; ++entry) {
    if (entry->is_directory() && foreign.contains(entry->path().filename().string())) {
      entry.disable_recursion_pending();
    }
    if (entry->is_symlink() || !entry->is_regular_file()) continue;
    std::ifstream stream{entry->path(), std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{stream}, {}};
    if (text.contains('\0')) continue;
    tree.push_back({entry->path().lexically_relative(root).generic_string(), std::move(text)});
  }
  std::ranges::sort(tree, {}, &SourceFile::path);
  return tree;
}

std::string code_of(std::string_view text) {
  std::string code;
  code.reserve(text.size());
  const auto blank_until = [&](std::size_t end) {
    while (code.size() < std::min(end, text.size())) {
      code.push_back(text[code.size()] == '\n' ? '\n' : ' ');
    }
  };
  const auto after = [&](std::string_view token, std::size_t from) {
    const std::size_t found = text.find(token, from);
    return found == text.npos ? text.size() : found + token.size();
  };
  const auto end_of_literal = [&](char quote, std::size_t i) {
    while (i < text.size() && text[i] != quote && text[i] != '\n') i += text[i] == '\\' ? 2U : 1U;
    return i + 1;
  };
  while (code.size() < text.size()) {
    const std::size_t i = code.size();
    const char before = i == 0 ? ' ' : text[i - 1];
    if (text.substr(i).starts_with("//")) {
      blank_until(std::min(text.find('\n', i), text.size()));
    } else if (text.substr(i).starts_with("/*")) {
      blank_until(after("*/", i + 2));
    } else if (text[i] == '"' && before == 'R') {
      const std::size_t open = std::min(text.find('(', i), text.size());
      blank_until(after(")" + std::string{text.substr(i + 1, open - i - 1)} + "\"", open));
    } else if (text[i] == '"') {
      blank_until(end_of_literal('"', i + 1));
    } else if (text[i] == '\'' && !std::isxdigit(static_cast<unsigned char>(before))) {
      blank_until(end_of_literal('\'', i + 1));
    } else {
      code.push_back(text[i]);
    }
  }
  return code;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back({lines.size() + 1, text.substr(0, end)});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && is_word_character(line[end])) ++end;
    if (end > i) words.push_back(line.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> includes;
  for (const auto& [number, line] : lines_of(text)) {
    std::string_view rest = line;
    const auto skip = [&rest](std::string_view token) {
      rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
      if (!rest.starts_with(token)) return false;
      rest.remove_prefix(token.size());
      return true;
    };
    if (!skip("#") || !skip("include")) continue;
    const bool quoted = skip("\"");
    if (!quoted && !skip("<")) continue;
    includes.push_back({number, rest.substr(0, rest.find(quoted ? '"' : '>')), quoted});
  }
  return includes;
}

}  // namespace mintmark::tidy
