// Every block of the documentation that a reader could paste is run, every program compiled: a page that
// says what is not so fails here, by page and line.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "docs/page.h"
#include "docs/stage.h"
#include "fleet/process.h"

namespace mintmark::docs {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot{MINTMARK_SOURCE_DIR};

/// README.md and all of docs/, as paths from the root.
std::vector<std::string> all_pages() {
  std::vector<std::string> pages;
  if (fs::exists(kRoot / "README.md")) pages.emplace_back("README.md");
  for (const auto& entry : fs::recursive_directory_iterator{kRoot / "docs"}) {
    if (entry.path().extension() != ".md") continue;
    pages.push_back(fs::relative(entry.path(), kRoot).generic_string());
  }
  std::ranges::sort(pages);
  return pages;
}

Page read_page(const std::string& path) { return parse_page(path, fleet::contents(kRoot / path)); }

/// docs/reference/cli.md -> docs_reference_cli
std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.size() - std::string{".md"}.size());
  const auto separates = [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); };
  std::ranges::replace_if(name, separates, '_');
  return name;
}

class DocsPage : public ::testing::TestWithParam<std::string> {};

TEST_P(DocsPage, DoesWhatItSays) {
  const Page page = read_page(GetParam());
  Stage stage;
  for (const std::string& problem : stage.play(page)) ADD_FAILURE() << problem;
  for (const std::string& problem : broken_links(page, kRoot)) ADD_FAILURE() << problem;
}

INSTANTIATE_TEST_SUITE_P(Docs, DocsPage, ::testing::ValuesIn(all_pages()), test_name);

TEST(Docs, AreFound) {
  const std::vector<std::string> pages = all_pages();
  for (const char* page : {"README.md", "docs/reference/cli.md"}) {
    EXPECT_EQ(std::ranges::count(pages, page), 1) << page;
  }
}

TEST(Docs, OneIncludeBringsEveryScheme) {
  const std::string umbrella = fleet::contents(kRoot / "include/mintmark/mintmark.h");
  std::size_t schemes = 0;
  for (const auto& entry : fs::directory_iterator{kRoot / "include/mintmark/scheme"}) {
    const std::string line =
        "#include \"mintmark/scheme/" + entry.path().filename().string() + "\"";
    EXPECT_NE(umbrella.find(line), std::string::npos) << line;
    ++schemes;
  }
  EXPECT_GT(schemes, 0U);
}

// The tester itself: what is wrong on a page must come out, with its place.

std::vector<std::string> problems_of(const std::string& text) {
  Stage stage;
  return stage.play(parse_page("p.md", text));
}

void expect_one(const std::vector<std::string>& problems, const std::string& beginning,
                const std::string& part) {
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(problems[0].starts_with(beginning)) << problems[0];
  EXPECT_NE(problems[0].find(part), std::string::npos) << problems[0];
}

TEST(Page, CutsFencesAndLinks) {
  const Page page =
      parse_page("p.md",
                 "# T\n\n```sh\na\n```\n\n- item\n\n  ````text\n  ```\n    b\n  ````\n"
                 "[x](y.md#z) `[n](o)` [w](https://a.b/c) [t](#u)\n");
  ASSERT_EQ(page.blocks.size(), 2U);
  EXPECT_EQ(page.blocks[0].line, 3U);
  EXPECT_EQ(page.blocks[0].language, "sh");
  EXPECT_EQ(page.blocks[0].text, "a\n");
  EXPECT_EQ(page.blocks[1].line, 9U);
  EXPECT_EQ(page.blocks[1].language, "text");
  EXPECT_EQ(page.blocks[1].text, "```\n  b\n");
  ASSERT_EQ(page.links.size(), 1U);
  EXPECT_EQ(page.links[0].line, 13U);
  EXPECT_EQ(page.links[0].target, "y.md");
}

TEST(Stage, SaysWhichBlockFailed) {
  const std::string good = "```sh\ntrue\n```\n\n";
  expect_one(problems_of(good + "```sh\necho seen\nfalse | cat\necho not\n```\n"),
             "p.md:5: exit code 1", "--- output\nseen\n");
  expect_one(problems_of("```sh\n: \"$nowhere\"\n```\n"), "p.md:1: ", "nowhere");
}

TEST(Stage, KeepsTheFolderFromBlockToBlock) {
  EXPECT_TRUE(problems_of("```sh\necho 1 > a\n```\n```sh\ntest $(cat a) = 1\n```\n").empty());
}

TEST(Stage, RunsTheBinaryUnderBothNames) {
  const std::string block = "```sh\ntest \"$(./run --version)\" = \"$(mintmark --version)\"\n```\n";
  EXPECT_TRUE(problems_of(block).empty());
}

TEST(Stage, ComparesOnlyWhatIsPrintedExactly) {
  const std::string block = "```sh\necho a\n```\n\n";
  EXPECT_TRUE(problems_of(block + "```text\nb\n```\n").empty());
  EXPECT_TRUE(problems_of(block + "prints exactly\n\n```text\na\n```\n").empty());
  expect_one(problems_of(block + "prints exactly\n\n```text\nb\n```\n"), "p.md:7: another output",
             "--- output\na\n");
  expect_one(problems_of("prints exactly\n\n```text\nb\n```\n"), "p.md:3: ", "stands behind");
}

TEST(Stage, RefusesAMarkThatNobodyTests) {
  expect_one(problems_of("```bash\nfalse\n```\n"), "p.md:1: ", "'bash'");
}

TEST(Stage, ChecksConfigurations) {
  EXPECT_TRUE(problems_of("```toml\nnot for us\n```\n").empty());
  EXPECT_TRUE(problems_of("```toml\n# mintmark.toml\n[space.a]\nscheme = \"ulid\"\n```\n"
                          "```sh\nmintmark new a --config mintmark.toml\n```\n")
                  .empty());
  expect_one(problems_of("```toml\n# mintmark.toml\n[space.a]\nscheme = \"ulit\"\n```\n"),
             "p.md:1: exit code 2", "ulit");
}

TEST(Stage, CompilesAndRunsPrograms) {
  const auto program = [](const std::string& body) {
    return "```cpp\n#include \"mintmark/scheme/ulid.h\"\nint main() {" + body + "}\n```\n";
  };
  EXPECT_TRUE(problems_of("```cpp\nno program\n```\n" + program("")).empty());
  expect_one(problems_of(program("return 3;")), "p.md:1: exit code 3", "return 3");
  expect_one(problems_of(program("return x;")), "p.md:1: exit code 1", "not declared");
}

TEST(Stage, CompilesAndRunsProgramsInC) {
  const auto program = [](const std::string& body) {
    return "```c\n#include \"mintmark/c.h\"\nint main(void) {" + body + "}\n```\n";
  };
  EXPECT_EQ(problems_of("```c\nno program\n```\n" + program("return *mintmark_version() == 0;")),
            std::vector<std::string>{});
  expect_one(problems_of(program("return 3;")), "p.md:1: exit code 3", "return 3");
  expect_one(problems_of(program("return 0; // C89")), "p.md:1: exit code 1", "C++ style");
}

TEST(Stage, StartsAServerForTheBlocksBehindIt) {
  const std::string both =
      "```sh\nmintmark serve --http 127.0.0.1:8080 \\\n  --resp 127.0.0.1:6380\n```\n"
      "```sh\ncurl -sf http://127.0.0.1:8080/livez\ntest $(redis-cli -p 6380 PING) = PONG\n```\n";
  const std::string second =
      "```sh\n./run\n```\n```sh\ncurl -sf http://127.0.0.1:8080/readyz\n```\n";
  EXPECT_EQ(problems_of(both + second), std::vector<std::string>{});
  const std::string wrong =
      "```sh\nredis-cli -p 6380 MINT no\n```\n"
      "```sh\ncurl -s http://127.0.0.1:8080/no\n```\n";
  EXPECT_EQ(problems_of(both + wrong).size(), 2U);
  expect_one(problems_of("```sh\nmintmark serve\necho on\n```\n"),
             "p.md:1: ", "holds nothing else");
  expect_one(problems_of("```sh\nmintmark serve --threads many\n```\n"), "p.md:1: the server",
             "--threads");
}

TEST(Docs, ALinkThatLeadsNowhereIsFound) {
  const Page page =
      parse_page("docs/p.md", "[a](../README.md) [b](internals/protocol.md)\n[c](nowhere.md)\n");
  expect_one(broken_links(page, kRoot), "docs/p.md:2: ", "nowhere.md");
}

}  // namespace
}  // namespace mintmark::docs
