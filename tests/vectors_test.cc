// The parser of the vectors, and that no line of theirs is lost.
#include "tests/vectors.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include <gtest/gtest.h>

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
