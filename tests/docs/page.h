// A page of the documentation as data: its fenced blocks and its links.
//
// Just enough of Markdown (CommonMark 0.31, section 4.5) for fences of backticks. What a fence is marked
// with decides what the tests do with it, so an unknown mark is for them to refuse, not to skip.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mintmark::docs {

struct Block {
  std::size_t line = 0;  ///< of the opening fence, from 1
  std::string language;  ///< first word behind the fence; may be empty
  std::string text;      ///< without the fences and their indentation; ends in a line end
  bool exact =
      false;  ///< the last words before it are "prints exactly": it is an output to compare
};

struct Link {
  std::size_t line = 0;
  std::string target;  ///< without "#..." ; never an address with a scheme
};

struct Page {
  std::string path;  ///< relative to the root of the tree
  std::vector<Block> blocks;
  std::vector<Link> links;
};

namespace markdown {

inline constexpr std::string_view kExact = "prints exactly";

inline std::size_t indentation(std::string_view line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? line.size() : first;
}

/// The number of backticks of a fence, or 0 for another line.
inline std::size_t fence(std::string_view line) {
  const std::string_view rest = line.substr(indentation(line));
  const std::size_t ticks = std::min(rest.find_first_not_of('`'), rest.size());
  const bool inline_code = rest.substr(ticks).find('`') != std::string_view::npos;
  return ticks >= 3 && !inline_code ? ticks : 0;
}

inline std::string first_word(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::string_view rest = text.substr(begin);
  return std::string{rest.substr(0, rest.find(' '))};
}

/// `[words](target)` in a line; spans of code hold no links.
inline void find_links(std::string_view line, std::size_t number, std::vector<Link>& links) {
  bool code = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '`') code = !code;
    if (code || !line.substr(at).starts_with("](")) continue;
    std::string_view target = line.substr(at + 2);
    target = target.substr(0, target.find(')'));
    if (target.find("://") != std::string_view::npos) continue;
    target = target.substr(0, target.find('#'));
    if (!target.empty()) links.push_back({number, std::string{target}});
  }
}

}  // namespace markdown

inline Page parse_page(std::string path, std::string_view text) {
  Page page{std::move(path), {}, {}};
  std::size_t number = 0;
  std::size_t open = 0;    // backticks of the fence that is open
  std::size_t margin = 0;  // its indentation
  std::string before;      // the last line with words before a fence
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    const std::size_t ticks = markdown::fence(line);
    if (open != 0) {
      const bool bare =
          markdown::first_word(line.substr(markdown::indentation(line) + ticks)).empty();
      if (ticks >= open && bare) {
        open = 0;
        before.clear();
      } else {
        page.blocks.back().text += line.substr(std::min(margin, markdown::indentation(line)));
        page.blocks.back().text += '\n';
      }
    } else if (ticks != 0) {
      open = ticks;
      margin = markdown::indentation(line);
      page.blocks.push_back({.line = number,
                             .language = markdown::first_word(line.substr(margin + ticks)),
                             .text = {},
                             .exact = before.find(markdown::kExact) != std::string::npos});
    } else {
      markdown::find_links(line, number, page.links);
      if (markdown::indentation(line) < line.size()) before = line;
    }
  }
  return page;
}

}  // namespace mintmark::docs
