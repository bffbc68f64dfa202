// The table of the floors stands here a second time, apart from the build files and the words in
// docs/internals, so that neither can change what may include what by itself.
#include "tests/tidy_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <ranges>
#include <set>

namespace mintmark::tidy {
namespace {

namespace fs = std::filesystem;
using std::string_view_literals::operator""sv;

// From docs/internals/architecture.md: a floor and what it may include, itself aside. A name with a
// slash is one file, where a floor may see another's interface and nothing else of it.
struct Floor {
  std::string_view name;
  std::vector<std::string_view> below;
};

const std::array kFloors{
    Floor{"base", {}},
    Floor{"text", {"base"}},
    Floor{"scheme", {"text", "base"}},
    Floor{"seal", {"text", "base"}},
    Floor{"lease", {"base"}},
    Floor{"io", {"text", "base"}},
    Floor{"store", {"io", "base"}},
    Floor{"mint",
          {"scheme", "seal", "text", "lease", "store/store.h", "io/failure.h", "io/fork_guard.h",
           "io/text_kernels.h", "base"}},
    Floor{"server", {"mint", "io", "base"}},
    // The library: it defines what its two public headers declare.
    Floor{"c", {"mint", "store", "scheme", "io", "base", "mintmark/c.h", "mintmark/os.h"}},
    Floor{"cli",
          {"c", "server", "mint", "store", "io", "lease", "seal", "scheme", "text", "base",
           "umbrella"}},
    // mintmark.h and its neighbours: one include for a program that wants everything.
    Floor{"umbrella", {"seal", "scheme", "text", "base"}},
};

std::string at(const SourceFile& file, std::size_t line, std::string_view words) {
  return file.path + ":" + std::to_string(line) + ": " + std::string{words};
}

bool is_code(const SourceFile& file) {
  return file.path.ends_with(".h") || file.path.ends_with(".cc");
}

bool is_product(const SourceFile& file) {
  return is_code(file) && (file.path.starts_with("include/") || file.path.starts_with("src/"));
}

/// Where a quoted include of the product lies: public headers under include/, private ones under src/.
std::string path_of_include(std::string_view name) {
  return (name.starts_with("mintmark/") ? "include/" : "src/") + std::string{name};
}

/// The floor of a path, or nothing for what belongs to none.
std::optional<std::string_view> floor_of(std::string_view path) {
  for (const auto room : {"include/mintmark/"sv, "src/"sv}) {
    if (!path.starts_with(room)) continue;
    const std::string_view rest = path.substr(room.size());
    const std::size_t slash = rest.find('/');
    if (slash != rest.npos) return rest.substr(0, slash);
    if (room == "include/mintmark/") return "umbrella";
  }
  return std::nullopt;
}

bool may_include(const Floor& floor, std::string_view path) {
  const auto other = floor_of(path);
  if (!other) return false;
  return *other == floor.name || std::ranges::any_of(floor.below, [&](std::string_view below) {
    return below == *other || (below.contains('/') && path == path_of_include(below));
  });
}

std::set<std::string_view> paths_of(const Tree& tree) {
  std::set<std::string_view> paths;
  for (const SourceFile& file : tree) paths.insert(file.path);
  return paths;
}

const SourceFile* find(const Tree& tree, std::string_view path) {
  const auto found = std::ranges::find(tree, path, &SourceFile::path);
  return found == tree.end() ? nullptr : &*found;
}

/// A scheme is a header that declares its facts; what else lies on that floor is a part of one.
bool declares_facts(const SourceFile& file) {
  const std::string code = code_of(file.text);
  return std::ranges::any_of(lines_of(code), [](const Line& line) {
    const auto words = words_of(line.text);
    const auto type = std::ranges::adjacent_find(
        words, [](std::string_view a, std::string_view b) { return a == "Facts" && b == "facts"; });
    return type != words.end();
  });
}

/// uuid_v7 -> UuidV7
std::string type_of(std::string_view stem) {
  std::string type;
  bool upper = true;
  for (const char c : stem) {
    if (c != '_') type.push_back(upper ? static_cast<char>(std::toupper(c)) : c);
    upper = c == '_';
  }
  return type;
}

/// The name of the vectors: one file for all versions of UUID, and no underscores.
std::string family_of(std::string_view stem) {
  std::string family{stem.substr(0, stem.find("_v"))};
  std::erase(family, '_');
  return family;
}

/// The type itself, or one that begins with its name: a catalogue may list SnowflakeTwitter.
bool names_type(std::string_view line, std::string_view type) {
  return !line.contains("#include") &&
         std::ranges::any_of(words_of(line), [&](std::string_view word) {
           return word.starts_with(type) &&
                  (word.size() == type.size() || !std::islower(word[type.size()]));
         });
}

bool names_machine_path(std::string_view line) {
  for (const auto room : {"work", "root", "home", "Users"}) {
    const std::string path = "/" + std::string{room} + "/";
    for (std::size_t i = line.find(path); i != line.npos; i = line.find(path, i + 1)) {
      const char before = i == 0 ? ' ' : line[i - 1];
      if (!is_word_character(before) && !"./}*~-"sv.contains(before)) return true;
    }
  }
  return false;
}

/// Characters, not bytes: UTF-8 continues with 10xxxxxx.
std::size_t columns(std::string_view line) {
  return static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

Findings floor_findings(const Tree& tree) {
  Findings findings;
  const auto paths = paths_of(tree);
  for (const SourceFile& file : tree | std::views::filter(is_product)) {
    const auto name = floor_of(file.path);
    const auto floor = std::ranges::find(kFloors, name.value_or(""), &Floor::name);
    if (floor == kFloors.end()) {
      findings.push_back(at(file, 1, "lies on no floor of docs/internals/architecture.md"));
      continue;
    }
    for (const Include& include : includes_of(file.text)) {
      const std::string quoted{include.name};
      if (!include.quoted) {
        if (quoted.starts_with("mintmark/")) {
          findings.push_back(at(file, include.line, "write \"" + quoted + "\" with quotes"));
        }
        continue;
      }
      const std::string path = path_of_include(include.name);
      if (!paths.contains(path)) {
        findings.push_back(at(file, include.line, "\"" + quoted + "\": there is no " + path));
      } else if (!may_include(*floor, path)) {
        findings.push_back(
            at(file, include.line, "floor " + std::string{*name} + " may not include " + quoted));
      }
    }
  }
  return findings;
}

Findings cycle_findings(const Tree& tree) {
  std::map<std::string, std::vector<std::string>, std::less<>> graph;
  for (const SourceFile& file : tree | std::views::filter(is_product)) {
    for (const Include& include : includes_of(file.text)) {
      if (include.quoted) graph[file.path].push_back(path_of_include(include.name));
    }
  }
  Findings findings;
  std::set<std::string> done;
  std::vector<std::string> way;
  const auto visit = [&](const auto& self, const std::string& path) -> void {
    if (const auto first = std::ranges::find(way, path); first != way.end()) {
      std::string words = path + ":1: includes itself:";
      for (auto step = first; step != way.end(); ++step) words += " " + *step + " ->";
      findings.push_back(words + " " + path);
      return;
    }
    if (done.contains(path)) return;
    way.push_back(path);
    for (const std::string& next : graph[path]) self(self, next);
    way.pop_back();
    done.insert(path);
  };
  for (const SourceFile& file : tree | std::views::filter(is_product)) visit(visit, file.path);
  return findings;
}

Findings effect_findings(const Tree& tree) {
  static const std::set<std::string_view> kBanned{
      "system_clock", "high_resolution_clock", "clock_gettime", "gettimeofday", "getrandom",
      "getentropy",   "random_device",         "sleep",         "usleep",       "nanosleep",
      "sleep_for",    "clock_nanosleep",       "sleep_until"};
  // Names that a field of an ID may bear as well: only the call is banned.
  static const std::set<std::string_view> kBannedCalls{"rand", "srand"};
  static const std::set<std::string_view> kImpure{"iostream", "fstream", "random", "thread",
                                                  "mutex",    "format",  "print",  "filesystem"};
  Findings findings;
  for (const SourceFile& file : tree | std::views::filter(is_product)) {
    if (file.path.starts_with("src/io/")) continue;
    const std::string code = code_of(file.text);
    for (const auto& [number, line] : lines_of(code)) {
      for (const std::string_view word : words_of(line)) {
        const std::string_view rest{word.end(), line.end()};
        if (kBanned.contains(word) || (kBannedCalls.contains(word) && rest.starts_with('('))) {
          findings.push_back(
              at(file, number, std::string{word} + " is for src/io alone; take it as an argument"));
        }
      }
    }
    if (!file.path.starts_with("include/")) continue;
    for (const Include& include : includes_of(file.text)) {
      if (include.quoted || (!kImpure.contains(include.name) && !include.name.contains('/')))
        continue;
      findings.push_back(at(file, include.line,
                            "a public header may not include <" + std::string{include.name} + ">"));
    }
  }
  return findings;
}

Findings mirror_findings(const Tree& tree) {
  Findings findings;
  const SourceFile* catalogue = find(tree, "include/mintmark/scheme/catalogue.h");
  const std::string rows = catalogue ? code_of(catalogue->text) : std::string{};
  for (const SourceFile& file : tree) {
    if (floor_of(file.path) != "scheme" || !declares_facts(file)) continue;
    const std::string stem = fs::path{file.path}.stem().string();
    const std::string type = type_of(stem);
    const auto want = [&](bool there, const std::string& words) {
      if (!there) findings.push_back(at(file, 1, words));
    };
    const SourceFile* test = find(tree, "tests/scheme/" + stem + "_test.cc");
    want(test, "the scheme has no tests/scheme/" + stem + "_test.cc");
    const std::string family = family_of(stem);
    if (test && find(tree, "tests/vectors/" + family + ".txt")) {
      want(test->text.contains("\"" + family + "\"") ||
               test->text.contains("\"" + family + ".txt\""),
           "its test does not read tests/vectors/" + family + ".txt");
    }
    const std::string page = "docs/reference/scheme/" + stem + ".md";
    want(find(tree, page), "the scheme has no " + page);
    const bool has_row = std::ranges::any_of(
        lines_of(rows), [&](const Line& line) { return names_type(line.text, type); });
    want(has_row, "the scheme has no row of " + type + " in include/mintmark/scheme/catalogue.h");
  }
  return findings;
}

Findings text_findings(const Tree& tree) {
  constexpr std::size_t kLongestLine = 110;
  constexpr std::size_t kLongestFile = 500;
  // Put together here, because this file is held to the rule as well.
  static const std::set<std::string> kUnfinished{
      "TO"
      "DO",
      "FIX"
      "ME",
      "XX"
      "X"};
  static const std::set<std::string> kVague{"utils", "helpers", "common", "manager", "detail"};
  Findings findings;
  for (const SourceFile& file : tree) {
    const auto lines = lines_of(file.text);
    if (!file.text.empty() && !file.text.ends_with('\n')) {
      findings.push_back(at(file, lines.size(), "the last line has no end"));
    }
    for (const auto& [number, line] : lines) {
      for (const std::string_view word : words_of(line)) {
        if (!kUnfinished.contains(std::string{word})) continue;
        findings.push_back(at(file, number, std::string{word} + ": finish it or leave it out"));
      }
      if (names_machine_path(line)) findings.push_back(at(file, number, "a path of one machine"));
      if (!is_code(file)) continue;
      if (line.contains('\t')) findings.push_back(at(file, number, "a tab"));
      if (line.ends_with(' ')) findings.push_back(at(file, number, "a blank at the end"));
      if (line.ends_with('\r')) findings.push_back(at(file, number, "a carriage return"));
      if (columns(line) <= kLongestLine) continue;
      findings.push_back(at(file, number, std::to_string(columns(line)) + " columns"));
    }
    if (!is_code(file)) continue;
    for (const fs::path& part : fs::path{file.path}) {
      if (!kVague.contains(part.stem().string())) continue;
      findings.push_back(at(file, 1, part.string() + " says nothing; name what it is"));
    }
    if (lines.size() <= kLongestFile) continue;
    findings.push_back(at(file, kLongestFile + 1, "too long a file; a noun is missing"));
  }
  return findings;
}

}  // namespace mintmark::tidy
