// docs/internals/field_reports.md tells the truth: every report has its row, and every row names tests that
// are there.
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/source_text.h"

namespace mintmark::tidy {
namespace {

constexpr std::string_view kPage = "docs/internals/field_reports.md";
constexpr std::size_t kReports = 35;

const Tree& tree() {
  static const Tree read = read_tree(MINTMARK_SOURCE_DIR);
  return read;
}

std::string text_of(std::string_view path) {
  const auto file = std::ranges::find(tree(), path, &SourceFile::path);
  return file == tree().end() ? "" : file->text;
}

/// A row of a table of the page: | mark | who said it | what went wrong | `Suite.Test`, `Suite.Test` |
struct Row {
  std::size_t line;
  std::string mark;
  std::string source;
  std::string wrong;
  std::vector<std::string> tests;
};

std::string_view trim(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// What stands between backticks.
std::vector<std::string> spans_of(std::string_view cell) {
  std::vector<std::string> spans;
  for (std::size_t at = 0; (at = cell.find('`', at)) != cell.npos;) {
    const std::size_t end = std::min(cell.find('`', at + 1), cell.size());
    spans.emplace_back(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return spans;
}

/// All rows of four cells but the heads and the rules below them.
std::vector<Row> rows_of(std::string_view page) {
  std::vector<Row> rows;
  for (const auto& [number, line] : lines_of(page)) {
    std::vector<std::string_view> cells;
    for (std::size_t at = 0; line.starts_with('|') && at + 1 < line.size();) {
      const std::size_t end = std::min(line.find('|', at + 1), line.size());
      cells.push_back(trim(line.substr(at + 1, end - at - 1)));
      at = end;
    }
    if (cells.size() != 4 || cells[0].starts_with('#') || cells[0].starts_with("--")) continue;
    rows.push_back({number, std::string{cells[0]}, std::string{cells[1]}, std::string{cells[2]},
                    spans_of(cells[3])});
  }
  return rows;
}

/// Every Suite.Name that the texts define by a macro of GoogleTest.
std::set<std::string> tests_in(const Tree& files) {
  constexpr std::array<std::string_view, 4> kMacros{"TEST(", "TEST_F(", "TEST_P(", "TYPED_TEST("};
  std::set<std::string> names;
  for (const SourceFile& file : files) {
    if (!file.path.starts_with("tests/") || !file.path.ends_with(".cc")) continue;
    const std::string code = code_of(file.text);
    for (const std::string_view macro : kMacros) {
      for (std::size_t at = 0; (at = code.find(macro, at)) != code.npos; ++at) {
        if (at > 0 && code[at - 1] != '\n') continue;
        const std::size_t end = std::min(code.find(')', at), code.size());
        const auto words = words_of(std::string_view{code}.substr(at, end - at));
        if (words.size() == 3) names.insert(std::string{words[1]} + "." + std::string{words[2]});
      }
    }
  }
  return names;
}

bool disabled(std::string_view test) { return test.contains("DISABLED_"); }

/// What is wrong with the rows of a page: `line: words`.
std::vector<std::string> findings_in(std::string_view page, const std::set<std::string>& tests) {
  std::vector<std::string> findings;
  for (const Row& row : rows_of(page)) {
    const auto add = [&](const std::string& words) {
      findings.push_back(std::to_string(row.line) + ": " + words);
    };
    if (row.source.empty() || row.wrong.empty()) add("an empty cell");
    if (row.tests.empty()) add("names no test");
    for (const std::string& test : row.tests) {
      if (!tests.contains(test)) add("there is no " + test);
      if (disabled(test)) add(test + " is not run");
      if (std::ranges::count(row.tests, test) > 1) add(test + " stands there twice");
    }
  }
  return findings;
}

TEST(FieldReports, EveryRowNamesTestsThatAreThere) {
  const auto findings = findings_in(text_of(kPage), tests_in(tree()));
  EXPECT_EQ(findings, std::vector<std::string>{});
}

TEST(FieldReports, EachOfTheReportsHasARow) {
  std::map<std::string, std::size_t> rows;
  for (const Row& row : rows_of(text_of(kPage))) {
    EXPECT_EQ(++rows[row.mark], 1U) << "two rows are marked " << row.mark;
    const bool numbered = row.mark.find_first_not_of("0123456789") == std::string::npos;
    if (!numbered) continue;
    // A report is named as project#number.
    const std::size_t hash = row.source.find('#');
    EXPECT_TRUE(row.source.contains('/') && hash + 1 < row.source.size()) << row.source;
  }
  for (std::size_t number = 1; number <= kReports; ++number) {
    EXPECT_TRUE(rows.contains(std::to_string(number))) << number;
  }
  EXPECT_FALSE(rows.contains("0") || rows.contains(std::to_string(kReports + 1)));
  for (const std::string mark : {"a", "b", "c", "d", "e", "f"}) {
    EXPECT_TRUE(rows.contains(mark)) << mark;
  }
  EXPECT_EQ(rows.size(), kReports + 6);
}

TEST(FieldReports, AWrongPageIsSeen) {
  const std::string head = "| # | Report | Wrong | Tests |\n|--:|---|---|---|\n";
  const std::set<std::string> tests =
      tests_in({{"tests/a_test.cc",
                 "TEST(A, B) {}\nTEST_F(A, C) {}\nTYPED_TEST(A,\n           D) {}\n"
                 "// TEST(A, E)\nauto s = \"TEST(A, F)\";\nTEST_P(DISABLED_A, G) {}\n"},
                {"src/a_test.cc", "TEST(A, H) {}\n"}});
  EXPECT_EQ(tests, (std::set<std::string>{"A.B", "A.C", "A.D", "DISABLED_A.G"}));
  const auto findings_of = [&](const std::string& row) { return findings_in(head + row, tests); };
  using Words = std::vector<std::string>;
  EXPECT_EQ(findings_of("| 1 | a/b#1 | x | `A.B`, `A.D` |\n"), Words{});
  EXPECT_EQ(findings_of("| 1 | a/b#1 | x | A.B |\n"), Words{"3: names no test"});
  EXPECT_EQ(findings_of("| 1 | a/b#1 |  | `A.B` |\n"), Words{"3: an empty cell"});
  EXPECT_EQ(findings_of("| 1 | a/b#1 | x | `A.E`, `A.H` |\n"),
            (Words{"3: there is no A.E", "3: there is no A.H"}));
  EXPECT_EQ(findings_of("| 1 | a/b#1 | x | `DISABLED_A.G` |\n"),
            Words{"3: DISABLED_A.G is not run"});
  EXPECT_EQ(findings_of("| 1 | a/b#1 | x | `A.B`, `A.B` |\n").size(), 2U);
}

// perry-mitchell/ulidx#19: what i is in capitals depends on the locale, unless nobody asks it. A program
// that never sets one stays in that of C; a header cannot know who includes it.
TEST(FieldReports, NothingInTheProductAsksTheLocale) {
  const std::set<std::string_view> setters{"setlocale", "uselocale", "locale", "imbue"};
  const std::set<std::string_view> askers{
      "tolower",  "toupper", "isalpha", "isdigit", "isxdigit", "isalnum",    "isspace",
      "isupper",  "islower", "isprint", "ispunct", "strtol",   "strtoul",    "strtoll",
      "strtoull", "strtod",  "stoi",    "stol",    "stoul",    "stoll",      "stoull",
      "stod",     "atoi",    "atol",    "sscanf",  "snprintf", "strcasecmp", "strcoll"};
  std::size_t headers = 0;
  for (const SourceFile& file : tree()) {
    const bool header = file.path.starts_with("include/");
    if (!header && !file.path.starts_with("src/")) continue;
    headers += header ? 1U : 0U;
    for (const auto& [number, line] : lines_of(code_of(file.text))) {
      for (const std::string_view word : words_of(line)) {
        EXPECT_FALSE(setters.contains(word) || (header && askers.contains(word)))
            << file.path << ':' << number << ": " << word;
      }
    }
  }
  EXPECT_GT(headers, 30U);
}

}  // namespace
}  // namespace mintmark::tidy
