// The parser of the vectors, and that no line of theirs is lost.
#include "tests/vectors.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/source_text.h"

namespace mintmark::vectors {
namespace {

// The table "Lines in each file" of tests/vectors/README.md.
const std::map<std::string, std::size_t> kLines{
    {"cuid2", 2},       {"encodings", 51}, {"hashids", 19},     {"ksuid", 15}, {"nanoid", 7},
    {"objectid", 8},    {"ordering", 26},  {"permutation", 13}, {"pushid", 3}, {"snowflake", 26},
    {"sqids", 39},      {"tsid", 5},       {"typeid", 33},      {"ulid", 23},  {"uuid", 61},
    {"uuid_parse", 37}, {"xid", 6}};

TEST(Vectors, HaveAllTheirLines) {
  std::size_t all = 0;
  for (const auto& [family, count] : kLines) {
    EXPECT_EQ(read(family).size(), count) << family;
    all += count;
  }
  EXPECT_EQ(all, 374u);
}

TEST(Vectors, HaveNoFileThatNobodyCounts) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{MINTMARK_VECTORS_DIR}) {
    if (entry.path().extension() != ".txt") continue;
    EXPECT_TRUE(kLines.contains(entry.path().stem().string())) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, kLines.size());
}

/// What calls of check_all do with the kinds of one family.
struct Claims {
  std::set<std::string> checked;    ///< by the function behind the kind
  std::set<std::string> elsewhere;  ///< left to another test
};

/// The literals that begin in text[from, to), which lie where `code` has blanks.
std::set<std::string> literals(std::string_view text, std::size_t from, std::size_t to) {
  std::set<std::string> found;
  for (std::size_t at = from; (at = text.find('"', at)) < to;) {
    const std::size_t end = text.find('"', at + 1);
    found.insert(std::string{text.substr(at + 1, end - at - 1)});
    at = end + 1;
  }
  return found;
}

/// Of each call in the text of a test: check_all("family", {{"kind", check}, ...}, {"other kind", ...}).
void add_claims(std::string_view text, std::map<std::string, Claims>& claims) {
  constexpr std::string_view kCall = "check_all(";
  const std::string code = tidy::code_of(text);
  for (std::size_t at = code.find(kCall); at != code.npos; at = code.find(kCall, at + 1)) {
    const std::size_t name = text.find('"', at) + 1;
    Claims& family = claims[std::string{text.substr(name, text.find('"', name) - name)}];
    std::size_t braces = 0;
    std::size_t parentheses = 1;
    std::size_t list = 0;     // from 0: the checks, then what is checked elsewhere
    std::size_t opening = 0;  // of the list
    for (std::size_t i = at + kCall.size(); i < code.size() && parentheses > 0; ++i) {
      if (code[i] == '(') ++parentheses;
      if (code[i] == ')') --parentheses;
      if (code[i] == '{' && ++braces == 1) opening = i;
      if (code[i] == '{' && braces == 2 && list == 0) {
        family.checked.merge(literals(text, i, code.find(',', i)));
      }
      if (code[i] == '}' && --braces == 0 && list++ == 1) {
        family.elsewhere.merge(literals(text, opening, i));
      }
    }
  }
}

// A kind that each test leaves to another one would be checked by none.
TEST(Vectors, EveryKindIsCheckedByATest) {
  std::map<std::string, Claims> claims;
  for (const tidy::SourceFile& file : tidy::read_tree(MINTMARK_SOURCE_DIR)) {
    if (file.path.starts_with("tests/") && file.path.ends_with("_test.cc")) {
      add_claims(file.text, claims);
    }
  }
  for (const auto& [family, count] : kLines) {
    std::set<std::string> kinds;
    for (const Line& line : read(family)) kinds.insert(line.kind);
    EXPECT_EQ(claims[family].checked, kinds) << family;
    for (const std::string& kind : claims[family].elsewhere) {
      EXPECT_TRUE(kinds.contains(kind)) << family << ".txt has no kind " << kind;
    }
  }
  EXPECT_EQ(claims.size(), kLines.size()) << "somebody checks a family that has no file";
}

TEST(Vectors, AKindThatIsOnlyLeftToOthersIsSeen) {
  std::map<std::string, Claims> claims;
  add_claims(R"x(// check_all("comment", {{"no", f}});
    vectors::check_all("ulid", {{"one", f}, {"two", [](const Line& line) {
      for (const char c : {'{', '"'}) g("{\"three\",", h({c, line}));
    }}}, {"four", "five"});
    check_all(
        "xid",
        {{"six",
          [](const Line& line) { EXPECT_EQ(Fields{1}, line); }}});
    check_all("ulid", {{"seven", f}}, {"one"});)x",
             claims);
  EXPECT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims["ulid"].checked, (std::set<std::string>{"one", "two", "seven"}));
  EXPECT_EQ(claims["ulid"].elsewhere, (std::set<std::string>{"four", "five", "one"}));
  EXPECT_EQ(claims["xid"].checked, std::set<std::string>{"six"});
  EXPECT_TRUE(claims["xid"].elsewhere.empty());
}

TEST(Vectors, CutsALineIntoKindParametersInputAndAnswer) {
  const Line line = cut(R"(hashids salt="this is my salt" min= strict | [1, 2] | ms=5 time=x)");
  EXPECT_EQ(line.kind, "hashids");
  EXPECT_EQ(line.parameters.size(), 3u);
  EXPECT_EQ(line.parameter("salt", ""), "this is my salt");
  EXPECT_EQ(line.parameter("min", "none"), "");
  EXPECT_EQ(line.parameter("max", "none"), "none");
  EXPECT_EQ(line.input, "[1, 2]");
  EXPECT_EQ(line.answer("ms"), "5");
  EXPECT_EQ(line.answer("time"), "x");
  EXPECT_THROW((void)line.answer("tim"), std::runtime_error);
}

TEST(Vectors, ReadsEmptyAndRefusingAnswers) {
  EXPECT_EQ(cut("b58 | (empty) | (empty)").input, "");
  EXPECT_EQ(cut("b58 | (empty) | (empty)").expected, "");
  EXPECT_TRUE(cut("xidreject | \"\" | reject (too short)").rejects());
  EXPECT_EQ(cut("xidreject | \"\" | reject (too short)").text(), "");
  EXPECT_TRUE(cut("sqids | [1] | error").fails());
}

TEST(Vectors, ReadsEveryEscape) {
  EXPECT_EQ(unquoted(R"("a\\b\"c\nd\re\x00\xfF")"), std::string("a\\b\"c\nd\re\0\xff", 11));
}

TEST(Vectors, RefusesWhatBreaksTheGrammar) {
  EXPECT_THROW((void)cut("kind | input"), std::runtime_error);
  EXPECT_THROW((void)cut("kind | a | b | c"), std::runtime_error);
  EXPECT_THROW((void)cut("kind |  | b"), std::runtime_error);
  EXPECT_THROW((void)cut("kind salt=\"open | a | b"), std::runtime_error);
  EXPECT_THROW((void)unquoted("bare"), std::runtime_error);
  EXPECT_THROW((void)unquoted(R"("a"b")"), std::runtime_error);
  EXPECT_THROW((void)unquoted(R"("\q")"), std::runtime_error);
  EXPECT_THROW((void)unquoted(R"("\x1")"), std::runtime_error);
  EXPECT_THROW((void)unquoted(R"("\x1g")"), std::runtime_error);
  EXPECT_THROW((void)read("no_such_family"), std::runtime_error);
}

}  // namespace
}  // namespace mintmark::vectors
