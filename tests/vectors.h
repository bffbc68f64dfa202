// The known-answer vectors: one parser for the grammar of tests/vectors/README.md, for every test.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace mintmark::vectors {

/// Text between double quotes, with the escapes \\ \" \n \r \xHH. Throws if it is not exactly that.
inline std::string unquoted(std::string_view quoted) {
  const auto wrong = [&] {
    return std::runtime_error("not a quoted text: " + std::string{quoted});
  };
  if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') throw wrong();
  const std::string_view inside = quoted.substr(1, quoted.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '"') throw wrong();
    if (inside[i] != '\\') {
      text += inside[i];
      continue;
    }
    if (++i == inside.size()) throw wrong();
    switch (inside[i]) {
      case '\\':
        text += '\\';
        break;
      case '"':
        text += '"';
        break;
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case 'x': {
        const std::string hex{inside.substr(i + 1, 2)};
        if (hex.size() != 2 || !std::isxdigit(static_cast<unsigned char>(hex[0])) ||
            !std::isxdigit(static_cast<unsigned char>(hex[1]))) {
          throw wrong();
        }
        text += static_cast<char>(std::stoi(hex, nullptr, 16));
        i += 2;
        break;
      }
      default:
        throw wrong();
    }
  }
  return text;
}

/// Splits at single blanks; blanks inside double quotes do not count.
inline std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\\' && quoted && i + 1 < text.size()) found.back() += text[i++];
    if (text[i] == ' ' && !quoted) {
      found.emplace_back();
    } else {
      found.back() += text[i];
    }
  }
  if (quoted) throw std::runtime_error("a quote does not end: " + std::string{text});
  return found;
}

/// One line of a file: what kind, from which input, to which answer.
struct Line {
  std::string file;
  std::size_t number = 0;
  std::string kind;
  std::vector<std::string> parameters;
  std::string input;     ///< as in the file; `(empty)` is already the empty string
  std::string expected;  ///< the same

  /// The input of a line whose kind says "quoted text".
  [[nodiscard]] std::string text() const { return unquoted(input); }
  [[nodiscard]] bool rejects() const { return expected.starts_with("reject"); }
  [[nodiscard]] bool fails() const { return expected == "error"; }

  /// The value of `name=value` in the answer, or throws.
  [[nodiscard]] std::string answer(std::string_view name) const {
    return value_in(words(expected), name);
  }
  /// The value of `name=value` in the input, or throws.
  [[nodiscard]] std::string given(std::string_view name) const {
    return value_in(words(input), name);
  }
  /// The value of the parameter `name=value`, unquoted, or `otherwise`.
  [[nodiscard]] std::string parameter(std::string_view name, std::string otherwise) const {
    const std::string start = std::string{name} + "=";
    for (const std::string& word : parameters) {
      if (!word.starts_with(start)) continue;
      const std::string value = word.substr(start.size());
      return value.starts_with('"') ? unquoted(value) : value;
    }
    return otherwise;
  }

  [[nodiscard]] std::string place() const { return file + ":" + std::to_string(number); }

 private:
  [[nodiscard]] std::string value_in(const std::vector<std::string>& fields,
                                     std::string_view name) const {
    const std::string start = std::string{name} + "=";
    for (const std::string& field : fields) {
      if (field.starts_with(start)) return field.substr(start.size());
    }
    throw std::runtime_error(place() + ": there is no " + start);
  }
};

/// Cuts one line, which is neither empty nor a comment. Throws if it breaks the grammar.
inline Line cut(std::string_view line, std::string file = "", std::size_t number = 0) {
  std::vector<std::string> fields;
  constexpr std::string_view kBar = " | ";
  for (std::size_t at = 0;;) {
    const std::size_t bar = line.find(kBar, at);
    fields.emplace_back(line.substr(at, bar - at));
    if (bar == std::string_view::npos) break;
    at = bar + kBar.size();
  }
  Line found{std::move(file), number, {}, {}, {}, {}};
  if (fields.size() != 3 || std::ranges::any_of(fields, &std::string::empty)) {
    throw std::runtime_error(found.place() + ": there must be three fields: " + std::string{line});
  }
  found.parameters = words(fields[0]);
  found.kind = found.parameters.front();
  found.parameters.erase(found.parameters.begin());
  found.input = fields[1] == "(empty)" ? "" : fields[1];
  found.expected = fields[2] == "(empty)" ? "" : fields[2];
  return found;
}

/// All lines of one family's file: read("uuid"). Throws if there is none or a line breaks the grammar.
inline std::vector<Line> read(std::string_view family) {
  const std::string file = std::string{family} + ".txt";
  std::ifstream stream{std::string{MINTMARK_VECTORS_DIR} + "/" + file};
  if (!stream) throw std::runtime_error("there is no file of vectors " + file);
  std::vector<Line> lines;
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line); ++number) {
    if (!line.empty() && line[0] != '#') lines.push_back(cut(line, file, number));
  }
  return lines;
}

using Checks = std::map<std::string, std::function<void(const Line&)>>;

/// Runs the check of each line's kind. A kind that is neither checked here nor named as another unit's is a
/// failure, and so is a check that no line needs.
inline void check_all(std::string_view family, const Checks& checks,
                      const std::set<std::string>& elsewhere = {}) {
  std::set<std::string> used;
  for (const Line& line : read(family)) {
    SCOPED_TRACE(line.place() + ": " + line.kind + " | " + line.input + " | " + line.expected);
    const auto check = checks.find(line.kind);
    if (check != checks.end()) {
      check->second(line);
      used.insert(line.kind);
    } else if (!elsewhere.contains(line.kind)) {
      ADD_FAILURE() << "nobody checks this kind";
    }
  }
  EXPECT_EQ(used.size(), checks.size())
      << "a check is about a kind that " << family << ".txt has not";
}

}  // namespace mintmark::vectors
