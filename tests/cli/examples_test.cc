// Every example of every command is run: help that does not work is worse than none.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "prepared_shell.h"

namespace mintmark::cli {
namespace {

std::string test_name(const ::testing::TestParamInfo<const Command*>& info) {
  std::string name{info.param->name};
  std::ranges::replace(name, '-', '_');
  return name;
}

class Examples : public ::testing::TestWithParam<const Command*> {};

// In their order and in one folder: one may use what the one before it has made.
TEST_P(Examples, DoWhatTheySay) {
  const PreparedShell shell;
  ASSERT_FALSE(GetParam()->examples.empty());
  for (const Example& example : GetParam()->examples) {
    const Ran ran = shell.run_example(std::string{example.line});
    EXPECT_EQ(ran.code, 0) << example.line << '\n' << ran.out.substr(0, 4'000) << ran.err;
    EXPECT_FALSE(example.words.empty()) << example.line;
    EXPECT_TRUE(has(example.line, "mintmark " + std::string{GetParam()->name})) << example.line;
  }
}

INSTANTIATE_TEST_SUITE_P(Help, Examples,
                         ::testing::ValuesIn(all_commands().begin(), all_commands().end()),
                         test_name);

TEST(Examples, AreRunWithALimit) {
  const PreparedShell shell;
  EXPECT_EQ(shell.run_example("false").code, 1);
  EXPECT_EQ(shell.run_example("mintmark nothing").code, 2);
}

}  // namespace
}  // namespace mintmark::cli
