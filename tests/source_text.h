// Source text as data: the files of the tree, their lines, names and includes, and their code alone.
//
// Just enough of C++ to tell code from comments and literals. It is no parser, and need not be one:
// what it reads has been compiled.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mintmark::tidy {

struct SourceFile {
  std::string path;  ///< relative to the root of the tree, with '/'
  std::string text;
};

using Tree = std::vector<SourceFile>;

/// Every text file below `root` in the order of the paths, but for what git and the build keep there.
/// A file with a NUL byte is no text.
[[nodiscard]] Tree read_tree(const std::filesystem::path& root);

/// The same text with blanks for comments and the insides of literals; lines and columns stay.
[[nodiscard]] std::string code_of(std::string_view text);

struct Line {
  std::size_t number;  ///< from 1
  std::string_view text;
};

[[nodiscard]] std::vector<Line> lines_of(std::string_view text);

[[nodiscard]] bool is_word_character(char c);

/// The names and numbers in a line, in their order.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line);

struct Include {
  std::size_t line;
  std::string_view name;
  bool quoted;  ///< with "", not with <>
};

[[nodiscard]] std::vector<Include> includes_of(std::string_view text);

}  // namespace mintmark::tidy
