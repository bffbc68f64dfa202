#include "cli/command.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "cli/amounts.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "prepared_shell.h"

namespace mintmark::cli {
namespace {

TEST(Command, EveryBlockOfTheReferenceRuns) {
  std::ifstream page{std::string{MINTMARK_SOURCE_DIR} + "/docs/reference/cli.md"};
  ASSERT_TRUE(page);
  const PreparedShell shell;
  std::size_t blocks = 0;
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```sh") {
      inside = true;
      block = "set -e\n";
    } else if (inside && line == "```") {
      inside = false;
      ++blocks;
      const Ran ran = shell.run(block);
      EXPECT_EQ(ran.code, 0) << block << ran.out << ran.err;
    } else if (inside) {
      block += line + '\n';
    }
  }
  EXPECT_GE(blocks, 8U);
}

TEST(Command, HelpComesFromTheRow) {
  const Shell shell;
  for (const Command* command : all_commands()) {
    const std::string name{command->name};
    const Ran asked = shell.run("mintmark " + name + " --help");
    EXPECT_EQ(asked.code, 0);
    EXPECT_EQ(asked.err, "");
    EXPECT_EQ(asked.out, help_of(*command));
    EXPECT_EQ(shell.run("mintmark " + name + " -h").out, asked.out);
    EXPECT_EQ(shell.run("mintmark help " + name).out, asked.out);
    for (const Option& option : command->options)
      EXPECT_TRUE(has(asked.out, "--" + std::string{option.name}));
  }
}

TEST(Command, HelpFitsATerminal) {
  for (const Command* command : all_commands()) {
    const std::string help = help_of(*command);
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = help.find('\n', at);
      EXPECT_LE(end - at, 100U) << help.substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(Command, WithoutArgumentsItShowsFiveExamples) {
  const Shell shell;
  const Ran ran = shell.run("mintmark");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  std::size_t examples = 0;
  for (std::size_t at = 0; (at = ran.out.find("\n  mintmark ", at)) != std::string::npos; ++at)
    ++examples;
  EXPECT_EQ(examples, 5U) << ran.out;
  for (const Command* command : all_commands())
    EXPECT_TRUE(has(ran.out, "\n  " + std::string{command->name}));
  EXPECT_EQ(shell.run("mintmark --help").out, ran.out);
  EXPECT_EQ(shell.run("mintmark help").out, ran.out);
}

TEST(Command, ATypoGetsAHint) {
  const Shell shell;
  const Ran ran = shell.run("mintmark inpsect 42");
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "mintmark: there is no command 'inpsect'; did you mean 'inspect'?\n");
  EXPECT_EQ(shell.run("mintmark frobnicate").code, 2);
  EXPECT_EQ(shell.run("mintmark --nothing").code, 2);
  EXPECT_EQ(shell.run("mintmark version --jsn").err,
            "mintmark: version has no option --jsn; did you mean 'json'?\n");
}

TEST(Command, SaysItsVersion) {
  const Shell shell;
  const Ran ran = shell.run("mintmark --version");
  EXPECT_TRUE(ran.out.starts_with("mintmark ")) << ran.out;
  EXPECT_EQ(shell.run("mintmark version").out, ran.out);
  EXPECT_TRUE(shell.run("mintmark version --json").out.starts_with("{\"schema\":1,\"version\":\""));
}

TEST(Arguments, TakesValuesInEverySpelling) {
  const auto parsed = [](std::initializer_list<const char*> words) {
    return parse_arguments(kNew, std::span{words.begin(), words.size()});
  };
  for (const auto& words : {std::initializer_list<const char*>{"uuid7", "-n", "3"},
                            {"-n3", "uuid7"},
                            {"--count", "3", "uuid7"},
                            {"uuid7", "--count=3"},
                            {"-n", "2", "-n", "3", "uuid7"}}) {
    const auto arguments = parsed(words);
    ASSERT_TRUE(arguments.has_value());
    EXPECT_EQ(arguments->value("count"), "3");
    EXPECT_EQ(arguments->operands, std::vector<std::string>{"uuid7"});
    EXPECT_FALSE(arguments->has("json"));
  }
  EXPECT_TRUE(parsed({"uuid7", "--json"})->has("json"));
  EXPECT_TRUE(parsed({"uuid7", "-h"})->has("help"));
  EXPECT_TRUE(parsed({"-h"})->has("help"));
  EXPECT_TRUE(parsed({})->operands.empty());
  EXPECT_FALSE(parsed({"uuid7", "ulid"}).has_value());
  EXPECT_FALSE(parsed({"uuid7", "--nothing"}).has_value());
  EXPECT_FALSE(parsed({"uuid7", "--json=3"}).has_value());
}

TEST(Amounts, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_count("0"), 0U);
  EXPECT_EQ(parse_count("10k"), 10'000U);
  EXPECT_EQ(parse_count("2M"), 2'000'000U);
  EXPECT_EQ(parse_count("1G"), 1'000'000'000U);
  EXPECT_EQ(parse_count("1e9"), 1'000'000'000U);
  EXPECT_EQ(parse_count("1e+3"), 1'000U);
  EXPECT_EQ(parse_count("inf"), kEndless);
  EXPECT_EQ(parse_bytes("256M"), std::size_t{256} << 20);
  EXPECT_EQ(parse_bytes("1024"), 1'024U);
  for (const std::string_view bad : {"", "-1", "+1", "1.5", "1e", "1e99", "k", "1 k",
                                     "18446744073709551615", "1x", "infinity"}) {
    EXPECT_FALSE(parse_count(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace mintmark::cli
