// choose: which ID for what, with reasons; by options, or by questions on a terminal.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/chooser.h"
#include "cli/command.h"
#include "cli/quantities.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

std::string list_of(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names)
    list += fmt::format("{}{}", list.empty() ? "" : " ", name);
  return list;
}

/// One of the names, spelled as in the list; empty if it is none of them.
std::string_view name_in(std::span<const std::string_view> names, std::string_view text) {
  if (text == "postgres") text = "postgresql";
  const auto found = std::ranges::find(names, text);
  return found == names.end() ? std::string_view{} : *found;
}

OrExit<std::string_view> read_name(const Arguments& arguments, std::string_view option,
                                   std::span<const std::string_view> names) {
  const auto text = arguments.value(option);
  if (!text) return std::string_view{};
  const std::string_view name = name_in(names, *text);
  if (!name.empty()) return name;
  return std::unexpected(
      usage_error(fmt::format("--{}: {} is none of {}{}", option, shown(*text), list_of(names),
                              mint::did_you_mean(*text, names))));
}

std::optional<Maker> maker_named(std::string_view name) {
  if (name.empty()) return std::nullopt;
  return static_cast<Maker>(std::ranges::find(kMakerNames, name) - kMakerNames.begin());
}

OrExit<Wish> read_wish(const Arguments& arguments) {
  Wish wish;
  for (const NeedRow& row : kNeeds) {
    wish.needs[static_cast<std::size_t>(row.need)] = arguments.has(row.option);
  }
  const auto maker = read_name(arguments, "maker", kMakerNames);
  if (!maker) return std::unexpected(maker.error());
  wish.maker = maker_named(*maker);
  const auto store = read_name(arguments, "store", kStores);
  if (!store) return std::unexpected(store.error());
  wish.store = *store;
  if (const auto text = arguments.value("rate")) {
    wish.rate = parse_rate(*text);
    if (!wish.rate) {
      return std::unexpected(
          usage_error(fmt::format("--rate: {} is not like 200/s, 1k/h or 1M/d", shown(*text))));
    }
  }
  return wish;
}

/// Asks on standard error and reads the answers from standard input; an end of input answers the rest.
class Interview {
 public:
  /// False for everything but a yes.
  bool yes(std::string_view question) {
    const std::string answer = ask(fmt::format("{} [y/N] ", question));
    return answer == "y" || answer == "Y" || answer == "yes";
  }

  /// One of the names or nothing; asked again while it is something else.
  std::string_view name(std::string_view question, std::span<const std::string_view> names) {
    for (;;) {
      const std::string answer = ask(fmt::format("{} [{}, or nothing] ", question, list_of(names)));
      const std::string_view found = name_in(names, answer);
      if (answer.empty() || !found.empty()) return found;
      io::write_words(fmt::format("{} is none of these\n", shown(answer)));
    }
  }

 private:
  std::string ask(const std::string& question) {
    if (over_) return {};
    io::write_words(question);
    std::string_view line;
    if (!in_.next_line(line)) over_ = true;
    return over_ ? std::string{} : std::string{line};
  }

  io::BlockReader in_{STDIN_FILENO};
  bool over_ = false;
};

Wish interview() {
  Interview talk;
  Wish wish;
  for (const NeedRow& row : kNeeds)
    wish.needs[static_cast<std::size_t>(row.need)] = talk.yes(row.question);
  wish.maker = maker_named(talk.name("Who makes them?", kMakerNames));
  wish.store = talk.name("Where are they kept?", kStores);
  io::write_words("\n");
  return wish;
}

/// The call that says the same without questions.
std::string call_of(const Wish& wish) {
  std::string call = "mintmark choose";
  for (const NeedRow& row : kNeeds) {
    if (wish.wants(row.need)) call += fmt::format(" --{}", row.option);
  }
  if (wish.maker)
    call += fmt::format(" --maker {}", kMakerNames[static_cast<std::size_t>(*wish.maker)]);
  if (!wish.store.empty()) call += fmt::format(" --store {}", wish.store);
  return call;
}

void put(std::string& out, std::string_view about, std::string_view words) {
  out += fmt::format("  {:<11} {}\n", about, words);
}

std::string to_text(const std::vector<Verdict>& verdicts) {
  const Verdict& best = verdicts.front();
  std::string out;
  if (!best.misses.empty()) out += "no ID is all of that; the nearest is\n\n";
  out += fmt::format("{}  {}: {}\n", best.choice->name, best.choice->title, best.choice->is);
  for (const std::string& words : best.reasons) put(out, "because", words);
  for (const std::string& words : best.misses) put(out, "but", words);
  if (!best.ddl.empty()) put(out, "table", best.ddl);
  put(out, "make", best.choice->make);
  for (const std::string& words : best.watch) put(out, "watch", words);
  std::string others;
  std::string rest;
  for (const Verdict& verdict : verdicts) {
    if (&verdict == &best) continue;
    if (verdict.misses.size() == best.misses.size()) {
      put(others, verdict.choice->name, verdict.choice->is);
    } else {
      put(rest, verdict.choice->name, verdict.misses.front());
    }
  }
  if (!others.empty()) out += fmt::format("\nnext best\n{}", others);
  if (!rest.empty()) out += fmt::format("\nnot\n{}", rest);
  return out;
}

void put_list(std::string& out, std::string_view name, const std::vector<std::string>& words) {
  out += fmt::format(",\"{}\":[", name);
  for (const std::string& each : words) {
    if (out.back() != '[') out += ',';
    out += mint::json_text(each);
  }
  out += ']';
}

std::string to_json(const std::vector<Verdict>& verdicts) {
  std::string out = "{\"schema\":1,\"ranking\":[";
  for (const Verdict& verdict : verdicts) {
    if (out.back() != '[') out += ",\n";
    const Choice& choice = *verdict.choice;
    out += fmt::format("{{\"name\":{},\"title\":{},\"bits\":{},\"characters\":{},\"suits\":{}",
                       mint::json_text(choice.name), mint::json_text(choice.title), choice.bits,
                       choice.text_size, verdict.misses.empty());
    put_list(out, "reasons", verdict.reasons);
    put_list(out, "misses", verdict.misses);
    put_list(out, "watch", verdict.watch);
    if (!verdict.ddl.empty()) out += fmt::format(",\"ddl\":{}", mint::json_text(verdict.ddl));
    out += fmt::format(",\"make\":{}}}", mint::json_text(choice.make));
  }
  return out + "]}\n";
}

int run(const Arguments& arguments) {
  auto wish = read_wish(arguments);
  if (!wish) return wish.error();
  const bool told = std::ranges::any_of(arguments.values,
                                        [](const auto& value) { return value.first != "json"; });
  if (arguments.has("ask") || (!told && io::is_terminal(STDIN_FILENO))) {
    wish = interview();
    say(fmt::format("the same without questions: {}", call_of(*wish)));
  }
  const std::vector<Verdict> verdicts = rank_choices(*wish);
  return print(arguments.has("json") ? to_json(verdicts) : to_text(verdicts), kDone);
}

constexpr std::array kOptions{
    Option{"sortable", "", "", "IDs sort by the time they were made"},
    Option{"hidden", "", "", "a stranger learns nothing from one, and cannot guess others"},
    Option{"compact", "", "", "it fits 64 bits"},
    Option{"uncoordinated", "", "", "made without a service or a store"},
    Option{"readable", "", "", "short as text: people read it, or it is in addresses"},
    Option{"maker", "", "WHO", "client, server or database"},
    Option{"store", "", "NAME",
           "postgresql, mysql, mariadb, sqlserver, sqlite, spanner, mongodb, ..."},
    Option{"rate", "r", "R", "how many are made a time: 200/s, 1M/s"},
    Option{"ask", "", "", "ask, whatever the input is"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark choose", "by questions, on a terminal"},
    Example{"mintmark choose --sortable --store postgresql", "the key of a table"},
    Example{"mintmark choose --sortable --compact --rate 20k/s --store mysql",
            "64 bits, at some pace"},
    Example{"mintmark choose --hidden --readable", "for addresses"},
    Example{"mintmark choose --hidden --compact --json", "the whole ranking, for a script"},
};

}  // namespace

const Command kChoose{
    .name = "choose",
    .summary = "says which ID suits, and why",
    .operands = "",
    .fewest_operands = 0,
    .most_operands = 0,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Stores: postgresql mysql mariadb sqlserver sqlite spanner cockroachdb tidb clickhouse "
        "mongodb\n"
        "dynamodb. Without options it asks on a terminal, and elsewhere ranks for no needs at "
        "all.\n",
    .run = run,
};

}  // namespace mintmark::cli
