#include <array>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/man_pages.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

TEST(Man, EveryPageFormatsWithoutAWarning) {
  const Shell shell;
  std::vector<std::string> calls{"mintmark man"};
  for (const Command* command : all_commands())
    calls.push_back("mintmark man " + std::string{command->name});
  for (const std::string& call : calls) {
    const Ran checked = shell.run(call + " | groff -man -Tutf8 -ww -z");
    EXPECT_EQ(checked.code, 0) << call;
    EXPECT_EQ(checked.err, "") << call;
  }
}

TEST(Man, APageHasWhatTheHelpHas) {
  const Shell shell;
  for (const Command* command : all_commands()) {
    const std::string call = "mintmark man " + std::string{command->name};
    const Ran page = shell.run(call + " | groff -man -Tascii -P-cbou -rLL=200n");
    EXPECT_TRUE(has(page.out, "mintmark-" + std::string{command->name} + " - ")) << page.out;
    for (const Option& option : command->options) {
      EXPECT_TRUE(has(page.out, "--" + std::string{option.name})) << call << ' ' << option.name;
    }
    for (const Example& example : command->examples) {
      EXPECT_TRUE(has(page.out, example.line)) << call << '\n' << page.out;
    }
  }
  const Ran overview = shell.run("mintmark man | groff -man -Tascii -P-cbou -rLL=200n");
  for (const Command* command : all_commands())
    EXPECT_TRUE(has(overview.out, "mintmark-" + std::string{command->name} + "(1)"))
        << overview.out;
}

TEST(Man, TextStandsForItself) {
  static constexpr std::array kOptions{
      Option{"odd", "", "V", ".start 'of' a \\line `with` ~ ^ \"marks\""}};
  static constexpr std::array kExamples{Example{"'quoted' -x", ".dot"}};
  const Command kRow{.name = "some",
                     .summary = "\\fBnot bold",
                     .operands = "",
                     .fewest_operands = 0,
                     .most_operands = 0,
                     .options = kOptions,
                     .examples = kExamples,
                     .notes = ".SH no heading\n'br\n",
                     .run = nullptr};
  const Shell shell;
  shell.write("page.1", man_page(kRow, "1.2.3"));
  const Ran page = shell.run("groff -man -Tascii -P-cbou -ww page.1");
  EXPECT_EQ(page.err, "");
  for (const char* text : {"\\fBnot bold", ".start 'of' a \\line `with` ~ ^ \"marks\"",
                           "'quoted' -x", ".dot", ".SH no heading", "'br"}) {
    EXPECT_TRUE(has(page.out, text)) << text << '\n' << page.out;
  }
}

TEST(Man, RefusesWithAHint) {
  const Shell shell;
  const Ran ran = shell.run("mintmark man comlete");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "there is no command 'comlete'")) << ran.err;
  EXPECT_TRUE(shell.run("mintmark man leak --json")
                  .out.starts_with("{\"schema\":1,\"name\":\"mintmark-leak\",\"section\":1,"));
}

}  // namespace
}  // namespace mintmark::cli
