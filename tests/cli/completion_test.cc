// Each script is loaded into its shell, and each flag of each command is asked for as a person would, by TAB.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/completions.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

/// What a shell offered for each line, by line.
using Offers = std::map<std::string, std::set<std::string>>;

/// Reads `== LINE` and the words that were offered for it, a line each; what stands behind a tab is a
/// description.
Offers parse_offers(const std::string& text) {
  Offers offers;
  std::string line;
  std::istringstream in{text};
  for (std::string word; std::getline(in, word);) {
    if (word.starts_with("== ")) {
      line = word.substr(3);
      offers[line];
    } else if (!word.empty()) {
      offers[line].insert(word.substr(0, word.find('\t')));
    }
  }
  return offers;
}

/// The lines that are asked for: every command by itself, and every one with the begin of an option.
std::vector<std::string> all_lines() {
  std::vector<std::string> all{"mintmark ",
                               "mintmark help ",
                               "mintmark man ",
                               "mintmark completion ",
                               "mintmark collide --co",
                               "mintmark collide ulid --co",
                               "mintmark collide uu"};
  for (const Command* command : all_commands())
    all.push_back("mintmark " + std::string{command->name} + " -");
  for (const Command* command : all_commands())
    all.push_back("mintmark " + std::string{command->name} + " --");
  return all;
}

void write_lines(const Shell& shell) {
  std::string text;
  for (const std::string& line : all_lines()) text += line + "\n";
  shell.write("lines", text);
}

void expect_everything(const Offers& offers) {
  for (const std::string start : {"mintmark ", "mintmark help ", "mintmark man "}) {
    for (const Command* command : all_commands())
      EXPECT_TRUE(offers.at(start).contains(std::string{command->name})) << start << command->name;
  }
  EXPECT_EQ(offers.at("mintmark completion "), (std::set<std::string>{"bash", "fish", "zsh"}));
  for (const char* line : {"mintmark collide --co", "mintmark collide ulid --co"})
    EXPECT_EQ(offers.at(line), std::set<std::string>{"--counter"}) << line;
  EXPECT_TRUE(offers.at("mintmark collide uu").contains("uuid7"));
  EXPECT_FALSE(offers.at("mintmark collide uu").contains("ulid"));
  for (const Command* command : all_commands()) {
    const std::string line = "mintmark " + std::string{command->name} + " -";
    EXPECT_TRUE(offers.at(line + "-").contains("--help")) << line;
    for (const Option& option : command->options) {
      EXPECT_TRUE(offers.at(line + "-").contains("--" + std::string{option.name}))
          << line << option.name;
      for (const char letter : option.letters)
        EXPECT_TRUE(offers.at(line).contains(std::string{"-"} + letter)) << line << letter;
    }
  }
}

TEST(Completion, BashOffersEveryFlag) {
  const Shell shell;
  write_lines(shell);
  shell.write("ask.bash", R"script(
source <(mintmark completion bash)
while IFS= read -r line; do
  echo "== $line"
  read -ra COMP_WORDS <<<"$line"
  [[ $line == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  COMPREPLY=()
  $(complete -p mintmark | sed 's/.*-F \([^ ]*\) .*/\1/') mintmark
  printf '%s\n' "${COMPREPLY[@]}"
done <lines
)script");
  const Ran ran = shell.run("bash ask.bash");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err, "");
  expect_everything(parse_offers(ran.out));
}

TEST(Completion, BashKnowsWhatTakesAFileOrAScheme) {
  const Shell shell;
  shell.write("a file.toml", "");
  shell.write("ask.bash", R"script(
source <(mintmark completion bash)
ask() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _mintmark
  printf '[%s]' "${COMPREPLY[@]}"
  echo
}
ask mintmark new --config 'a f'
ask mintmark new --count ''
ask mintmark inspect --scheme ksu
ask mintmark new ksu
ask mintmark nothing ''
)script");
  EXPECT_EQ(shell.run("bash ask.bash").out, "[a file.toml]\n[]\n[ksuid]\n[ksuid]\n[]\n");
}

TEST(Completion, BashKnowsWhatAnOptionTakes) {
  const Shell shell;
  shell.write("ask.bash", R"script(
source <(mintmark completion bash)
ask() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _mintmark
  printf '[%s]' "${COMPREPLY[@]}"
  echo
}
ask mintmark new --layout tw
ask mintmark sort -l java
ask mintmark convert --to base64
ask mintmark convert --from objec
ask mintmark new --output js
ask mintmark new --form ba
ask mintmark sql --form ''
ask mintmark inspect --color ''
ask mintmark layout twi
ask mintmark inspect -s blo
ask mintmark range blo
ask mintmark sql blo
ask mintmark new blo
ask mintmark new tok
ask mintmark new uuid2
ask mintmark new uuid7
)script");
  const Ran ran = shell.run("bash ask.bash");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "[twitter]\n[java]\n[base64url]\n[objectid]\n[json][jsonl]\n"
            "[base62][base64url][base32]\n[uuid][bytes][text][integer]\n[auto][always][never]\n"
            "[twitter]\n[]\n[]\n[]\n[block]\n[token]\n[]\n[uuid7]\n");
}

TEST(Completion, ZshOffersEveryFlag) {
  const Shell shell;
  write_lines(shell);
  // An interactive shell at a terminal of its own. It writes down what is handed to compadd, where every
  // completion of zsh ends. ^A ^K empties the line again.
  shell.write("ask.zsh", R"script(
zmodload zsh/zpty zsh/zselect
mintmark completion zsh >_mintmark
zpty pty zsh -f -i
say() { zpty -w pty "$1" }
await() {
  local i echoed
  for ((i = 0; i < 2000; i++)); do
    while zpty -r -t pty echoed; do :; done  # or it would wait for somebody to read
    [[ -e ready ]] && return
    zselect -t 2
  done
  exit 3
}
say "stty columns 200 rows 200; LISTMAX=10000; fpath=(${(q)PWD} \$fpath)"
say 'autoload -Uz compinit; compinit -u -D'
say 'compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
  local -a hits; builtin compadd -A hits "$@"; print -rl -- $hits >>offers; builtin compadd "$@"
}'
say 'print >ready'
await
while IFS= read -r line; do
  rm ready
  print -r -- "== $line" >>offers
  zpty -w -n pty "$line"$'\t'
  zpty -w -n pty $'\x01\x0b'
  say 'print >ready'
  await
done <lines
zpty -d pty
cat offers
)script");
  const Ran ran = shell.run("timeout 120 zsh -f ask.zsh");
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_everything(parse_offers(ran.out));
}

TEST(Completion, FishOffersEveryFlag) {
  const Shell shell;
  write_lines(shell);
  shell.write("ask.fish", R"script(
mintmark completion fish | source
while read --line --local line
  echo "== $line"
  complete --do-complete "$line"
end <lines
)script");
  const Ran ran = shell.run("timeout 120 fish ask.fish");
  EXPECT_EQ(ran.code, 0) << ran.err;
  expect_everything(parse_offers(ran.out));
}

TEST(Completion, ReadsTheUsageLine) {
  const Command kRow{.name = "some",
                     .summary = "",
                     .operands = "show | accept-time [SCHEME|SPACE] [FILE...|-]",
                     .fewest_operands = 0,
                     .most_operands = 1,
                     .options = {},
                     .examples = {},
                     .notes = "",
                     .run = nullptr};
  const OperandWords operands = operand_words(kRow, all_commands());
  EXPECT_TRUE(operands.files);
  EXPECT_EQ(operands.words[0], "show");
  EXPECT_EQ(operands.words[1], "accept-time");
  EXPECT_EQ(std::ranges::count(operands.words, "snowflake"), 1);
  EXPECT_EQ(std::ranges::count(operands.words, std::string_view{"-"}), 0);
}

TEST(Completion, QuotesWhatShellsWouldRead) {
  static constexpr Option kOption{"odd", "o", "V", "it's [a] \\ `word`: $HOME"};
  static constexpr std::array kOptions{kOption};
  const Command kRow{.name = "some",
                     .summary = "isn't: $(it)",
                     .operands = "",
                     .fewest_operands = 0,
                     .most_operands = 0,
                     .options = kOptions,
                     .examples = {},
                     .notes = "",
                     .run = nullptr};
  const std::array kRows{&kRow};
  const Shell shell;
  shell.write("c.bash", bash_completion(kRows));
  shell.write("c.zsh", zsh_completion(kRows));
  shell.write("c.fish", fish_completion(kRows) + "complete --do-complete 'mintmark some --'\n");
  EXPECT_EQ(shell.run("bash -n c.bash && zsh -n c.zsh && fish c.fish").code, 0);
  const Ran fish = shell.run("fish c.fish");
  EXPECT_TRUE(has(fish.out, "--odd\tit's [a] \\ `word`: $HOME\n")) << fish.out;
}

TEST(Completion, RefusesOtherShells) {
  const Shell shell;
  EXPECT_EQ(shell.run("mintmark completion bsh").err,
            "mintmark: completion for bash, zsh or fish, not 'bsh'; did you mean 'bash'?\n");
  EXPECT_TRUE(shell.run("mintmark completion fish --json")
                  .out.starts_with("{\"schema\":1,\"shell\":\"fish\",\"script\":\""));
}

}  // namespace
}  // namespace mintmark::cli
