// The rules of the tree hold in the tree, and each of them catches what it is there for.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/tidy_rules.h"

namespace mintmark::tidy {
namespace {

const Tree& tree() {
  static const Tree read = read_tree(MINTMARK_SOURCE_DIR);
  return read;
}

std::string listing(const Findings& findings) {
  std::string text;
  for (const std::string& finding : findings) text += "\n" + finding;
  return text;
}

void expect_none(const Findings& findings) { EXPECT_TRUE(findings.empty()) << listing(findings); }

void expect_one(const Findings& findings, const std::string& start) {
  ASSERT_EQ(findings.size(), 1U) << listing(findings);
  EXPECT_TRUE(findings[0].starts_with(start)) << listing(findings);
}

/// Headers of three floors, and one file more that includes of them.
Tree tree_with(SourceFile file) {
  return {{"include/mintmark/base/time.h", "#pragma once\n"},
          {"include/mintmark/scheme/ulid.h", "#include \"mintmark/base/time.h\"\n"},
          {"src/store/store.h", "#include \"mintmark/base/time.h\"\n"},
          {"src/store/memory.h", "#include \"store/store.h\"\n"},
          std::move(file)};
}

TEST(Tidy, TheTreeWasRead) {
  for (const std::string path :
       {"CMakeLists.txt", ".ci/run", "include/mintmark/scheme/scheme.h", "tests/tidy_test.cc"}) {
    EXPECT_EQ(std::ranges::count(tree(), path, &SourceFile::path), 1) << path;
  }
}

TEST(Tidy, IncludesPointToLowerFloors) { expect_none(floor_findings(tree())); }
TEST(Tidy, NoHeaderIncludesItself) { expect_none(cycle_findings(tree())); }
TEST(Tidy, OnlyIoTouchesClockAndRandomness) { expect_none(effect_findings(tree())); }
TEST(Tidy, EverySchemeStandsInEveryRoom) { expect_none(mirror_findings(tree())); }
TEST(Tidy, TextIsClean) { expect_none(text_findings(tree())); }

TEST(TidyFloors, CatchesAnIncludeOfAHigherFloor) {
  expect_one(floor_findings(tree_with(
                 {"include/mintmark/text/hex.h", "\n#include \"mintmark/scheme/ulid.h\"\n"})),
             "include/mintmark/text/hex.h:2: floor text may not include mintmark/scheme/ulid.h");
  expect_one(floor_findings(tree_with({"src/io/file.cc", "#include \"store/store.h\"\n"})),
             "src/io/file.cc:1: floor io may not include store/store.h");
}

TEST(TidyFloors, MintSeesTheInterfaceOfTheStoreAlone) {
  expect_none(floor_findings(tree_with({"src/mint/mint.cc", "#include \"store/store.h\"\n"})));
  expect_one(floor_findings(tree_with({"src/mint/mint.cc", "  #  include \"store/memory.h\"\n"})),
             "src/mint/mint.cc:1: floor mint may not include store/memory.h");
}

TEST(TidyFloors, CatchesWhatIsNotThere) {
  expect_one(floor_findings(tree_with({"src/io/file.cc", "#include \"file.h\"\n"})),
             "src/io/file.cc:1: \"file.h\": there is no src/file.h");
  expect_one(floor_findings(tree_with({"src/attic/a.cc", ""})),
             "src/attic/a.cc:1: lies on no floor");
}

TEST(TidyFloors, CatchesAngleBracketsAroundOurOwn) {
  expect_one(floor_findings(tree_with({"src/io/file.cc", "#include <mintmark/base/time.h>\n"})),
             "src/io/file.cc:1: write \"mintmark/base/time.h\" with quotes");
}

TEST(TidyCycles, CatchesAWayBack) {
  const Tree cycle{{"src/mint/a.h", "#include \"mint/b.h\"\n"},
                   {"src/mint/b.h", "#include <vector>\n#include \"mint/c.h\"\n"},
                   {"src/mint/c.h", "#include \"mint/a.h\"\n"},
                   {"src/mint/d.h", "#include \"mint/a.h\"\n"}};
  expect_one(cycle_findings(cycle),
             "src/mint/a.h:1: includes itself: src/mint/a.h -> src/mint/b.h -> "
             "src/mint/c.h -> src/mint/a.h");
}

TEST(TidyCycles, TwoWaysToOneHeaderAreNone) {
  expect_none(cycle_findings({{"src/mint/a.h", "#include \"mint/b.h\"\n#include \"mint/c.h\"\n"},
                              {"src/mint/b.h", "#include \"mint/d.h\"\n"},
                              {"src/mint/c.h", "#include \"mint/d.h\"\n"},
                              {"src/mint/d.h", ""}}));
}

TEST(TidyEffects, CatchesEachBannedWord) {
  for (const std::string word :
       {"std::chrono::system_clock::now()", "clock_gettime(0, &t)", "rand()", "getrandom(p, 1, 0)",
        "std::random_device device", "sleep(1)", "std::this_thread::sleep_for(wait)"}) {
    const SourceFile file{"src/mint/keeper.cc", "int a;\nvoid f() { " + word + "; }\n"};
    expect_one(effect_findings({file}), "src/mint/keeper.cc:2: ");
    expect_none(effect_findings({{"src/io/os_clock.cc", file.text}}));
  }
}

TEST(TidyEffects, WordsAndTextsAreNoCode) {
  expect_none(effect_findings({{"src/mint/keeper.cc",
                                "// getrandom\n/* sleep\n rand() */ int rand = 1'0 + 'a';\n"
                                "auto a = \"check getrandom(2)\\\" sleep\"; auto asleep = 2;\n"
                                "auto b = R\"x(\" sleep )\" rand() )x\";\n"}}));
  expect_one(effect_findings({{"src/mint/keeper.cc", "auto c = '\"'; sleep(1); auto d = '\"';\n"}}),
             "src/mint/keeper.cc:1: sleep");
  expect_one(effect_findings({{"src/mint/keeper.cc", "auto c = R\"(\n)\"; sleep(1);\n"}}),
             "src/mint/keeper.cc:2: sleep");
}

TEST(TidyEffects, PublicHeadersIncludeTheStandardLibraryAlone) {
  expect_one(effect_findings({{"include/mintmark/base/a.h", "#include <iostream>\n"}}),
             "include/mintmark/base/a.h:1: a public header may not include <iostream>");
  expect_one(effect_findings({{"include/mintmark/base/a.h", "#include <fmt/format.h>\n"}}),
             "include/mintmark/base/a.h:1: a public header may not include <fmt/format.h>");
  expect_none(effect_findings({{"include/mintmark/base/a.h", "#include <span>\n"},
                               {"src/mint/a.h", "#include <fmt/format.h>\n"}}));
}

class TidyMirror : public testing::Test {
 protected:
  Tree whole_{{"docs/reference/scheme/uuid_v7.md", "# UUIDv7\n"},
              {"include/mintmark/scheme/catalogue.h",
               "#include \"mintmark/scheme/uuid_v7.h\"\nRow<UuidV7>(),\n"},
              {"include/mintmark/scheme/scheme.h",
               "struct Facts {};\n{ S::facts } -> same_as<const Facts&>;\n"},
              {"include/mintmark/scheme/uuid_v7.h",
               "class UuidV7 {\n static constexpr Facts facts{};\n};\n"},
              {"include/mintmark/scheme/parts.h", "// Facts facts of none\n"},
              {"tests/scheme/uuid_v7_test.cc", "vectors(\"uuid.txt\");\n"},
              {"tests/vectors/uuid.txt", "\n"}};

  void replace(std::string_view path, std::string text) {
    std::ranges::find(whole_, path, &SourceFile::path)->text = std::move(text);
  }
  void remove(std::string_view path) {
    std::erase_if(whole_, [&](const SourceFile& file) { return file.path == path; });
  }
};

TEST_F(TidyMirror, IsContentWithAWholeScheme) { expect_none(mirror_findings(whole_)); }

TEST_F(TidyMirror, CatchesAMissingTest) {
  remove("tests/scheme/uuid_v7_test.cc");
  expect_one(mirror_findings(whole_),
             "include/mintmark/scheme/uuid_v7.h:1: the scheme has no tests/");
}

TEST_F(TidyMirror, CatchesVectorsThatNobodyReads) {
  replace("tests/scheme/uuid_v7_test.cc", "TEST(UuidV7, Nothing) {}\n");
  expect_one(mirror_findings(whole_),
             "include/mintmark/scheme/uuid_v7.h:1: its test does not read");
}

TEST_F(TidyMirror, CatchesAMissingPage) {
  remove("docs/reference/scheme/uuid_v7.md");
  expect_one(mirror_findings(whole_),
             "include/mintmark/scheme/uuid_v7.h:1: the scheme has no docs/");
}

TEST_F(TidyMirror, CatchesAMissingRow) {
  replace("include/mintmark/scheme/catalogue.h",
          "#include \"mintmark/scheme/uuid_v7.h\"\n// UuidV7\nRow<UuidV7x>(),\n");
  expect_one(mirror_findings(whole_), "include/mintmark/scheme/uuid_v7.h:1: the scheme has no row");
}

TEST(TidyText, CatchesUnclearedText) {
  const auto findings_in = [](std::string text) { return text_findings({{"src/a.cc", text}}); };
  expect_none(findings_in(std::string(110, 'a') + "\n"));
  expect_none(findings_in("// \u00fc" + std::string(106, 'a') + "\n"));
  expect_one(findings_in("\n" + std::string(111, 'a') + "\n"), "src/a.cc:2: 111 columns");
  expect_one(findings_in("\ta\n"), "src/a.cc:1: a tab");
  expect_one(findings_in("a \n"), "src/a.cc:1: a blank at the end");
  expect_one(findings_in("a\r\n"), "src/a.cc:1: a carriage return");
  expect_one(findings_in("a\nb"), "src/a.cc:2: the last line has no end");
  std::string long_file;
  for (int i = 0; i < 500; ++i) long_file += "a\n";
  expect_none(findings_in(long_file));
  expect_one(findings_in(long_file + "a\n"), "src/a.cc:501: too long");
}

TEST(TidyText, CatchesUnfinishedBusinessAndMachinePaths) {
  const auto findings_in = [](std::string text) { return text_findings({{"docs/a.md", text}}); };
  for (const std::string word : {"TO"
                                 "DO",
                                 "FIX"
                                 "ME",
                                 "XX"
                                 "X"}) {
    expect_one(findings_in("a " + word + ": b\n"), "docs/a.md:1: " + word);
  }
  expect_none(findings_in("mkstemp(\"XXXXXX\")\n"));
  for (const std::string room : {"work", "root", "home"}) {
    expect_one(findings_in("see `/" + room + "/main`\n"), "docs/a.md:1: a path of one machine");
  }
  expect_none(findings_in("and/or/work/life, $HOME/work/x, /var/lib/mintmark\n"));
}

TEST(TidyText, CatchesNamesThatSayNothing) {
  expect_one(text_findings({{"src/io/utils.cc", "\n"}}),
             "src/io/utils.cc:1: utils.cc says nothing");
  expect_one(text_findings({{"src/common/file.cc", "\n"}}), "src/common/file.cc:1: common says");
  expect_none(text_findings({{"docs/common.md", "\n"}}));
}

}  // namespace
}  // namespace mintmark::tidy
