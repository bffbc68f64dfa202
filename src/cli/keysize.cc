// keysize: what a key costs, over the rows, the indexes and the engines.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/key_size.h"
#include "cli/quantities.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

constexpr std::array<std::string_view, 7> kUsual{
    "bigint", "uuid7", "uuid4", "ulid:text", "uuid7:text", "uuid4:text", "nanoid:text"};

struct Question {
  double rows = 0;
  double secondaries = 0;
  double references = 0;
  std::vector<Engine> engines;
  std::vector<KeyForm> forms;
};

std::string_view name_of(Engine engine) { return kEngineNames[static_cast<std::size_t>(engine)]; }

OrExit<double> read_count(const Arguments& arguments, std::string_view name, double usual,
                          double least, double most) {
  const auto text = arguments.value(name);
  if (!text) return usual;
  const auto count = parse_whole(*text);
  if (!count || static_cast<double>(*count) < least || static_cast<double>(*count) > most) {
    return std::unexpected(
        usage_error(fmt::format("--{}: {} is no whole number from {} to {}", name, shown(*text),
                                count_words(least), count_words(most))));
  }
  return static_cast<double>(*count);
}

OrExit<std::vector<Engine>> read_engines(const Arguments& arguments) {
  const auto text = arguments.value("engine");
  if (!text)
    return std::vector{Engine::postgresql, Engine::innodb, Engine::sqlserver, Engine::sqlite};
  // What people call it, beside the engine's own name.
  const std::string_view name = *text == "postgres"                      ? "postgresql"
                                : *text == "mysql" || *text == "mariadb" ? "innodb"
                                                                         : std::string_view{*text};
  const auto found = std::ranges::find(kEngineNames, name);
  if (found == kEngineNames.end()) {
    return std::unexpected(
        usage_error(fmt::format("--engine: {} is not postgresql, innodb, sqlserver or sqlite{}",
                                shown(*text), mint::did_you_mean(*text, kEngineNames))));
  }
  return std::vector{static_cast<Engine>(found - kEngineNames.begin())};
}

OrExit<std::vector<KeyForm>> read_forms(const Arguments& arguments) {
  std::vector<KeyForm> forms;
  for (const std::string& name : arguments.operands) {
    const auto form = find_key_form(name);
    if (!form) {
      std::vector<std::string_view> names;
      for (const KeyForm& each : kKeyForms) names.push_back(each.name);
      const std::string hint = mint::did_you_mean(name, names);
      return std::unexpected(usage_error(fmt::format(
          "there is no form of a key {}{}", shown(name),
          hint.empty() ? "; there are bigint, uuid7, uuid7:text, text:N, binary:N and more"
                       : hint)));
    }
    forms.push_back(*form);
  }
  if (forms.empty()) {
    for (const std::string_view name : kUsual) forms.push_back(*find_key_form(name));
  }
  return forms;
}

OrExit<Question> read_question(const Arguments& arguments) {
  Question question;
  const auto rows = read_count(arguments, "rows", 1e6, 1, 1e18);
  if (!rows) return std::unexpected(rows.error());
  const auto secondaries = read_count(arguments, "indexes", 2, 0, 1'000);
  if (!secondaries) return std::unexpected(secondaries.error());
  const auto references = read_count(arguments, "references", 0, 0, 1'000);
  if (!references) return std::unexpected(references.error());
  auto engines = read_engines(arguments);
  if (!engines) return std::unexpected(engines.error());
  auto forms = read_forms(arguments);
  if (!forms) return std::unexpected(forms.error());
  return Question{*rows, *secondaries, *references, std::move(*engines), std::move(*forms)};
}

std::string to_text(const Question& question) {
  std::string out =
      fmt::format("the key alone, in {} rows with {} further index{}", count_words(question.rows),
                  count_words(question.secondaries), question.secondaries == 1 ? "" : "es");
  if (question.references > 0)
    out += fmt::format(" and {} references", count_words(question.references));
  out += '\n';
  for (const Engine engine : question.engines) {
    out +=
        fmt::format("\n{:<16} {:>6} {:>9} {:>10} {:>5} {:>8} {:>9}  {}\n", name_of(engine),
                    "in row", "key index", "each other", "fill", "a row", "in all", "to the first");
    double first = 0;
    for (const KeyForm& form : question.forms) {
      const KeyCost cost = key_cost(engine, form, question.rows);
      const double a_row = cost.a_row(question.secondaries, question.references);
      if (first == 0) first = a_row;
      out += fmt::format("{:<16} {:>6.0f} {:>9} {:>10.0f} {:>4.0f}% {:>8.1f} {:>9}  {:.1f}x\n",
                         form.name, cost.in_row,
                         cost.key_entry > 0 ? fmt::format("{:.0f}", cost.key_entry) : "-",
                         cost.in_secondary, cost.fill * 100, a_row,
                         bytes_words(a_row * question.rows), a_row / first);
    }
  }
  return out;
}

std::string to_json(const Question& question) {
  std::string out = fmt::format(
      "{{\"schema\":1,\"rows\":\"{:.0f}\",\"indexes\":{:.0f},\"references\":{:.0f},\"keys\":[",
      question.rows, question.secondaries, question.references);
  for (const Engine engine : question.engines) {
    for (const KeyForm& form : question.forms) {
      const KeyCost cost = key_cost(engine, form, question.rows);
      const double a_row = cost.a_row(question.secondaries, question.references);
      if (out.back() != '[') out += ",\n";
      out += fmt::format(
          "{{\"engine\":\"{}\",\"key\":{},\"bytes_in_row\":{:.4g},\"bytes_in_key_index\":{:.4g},"
          "\"bytes_in_each_index\":{:.4g},\"bytes_in_each_reference\":{:.4g},\"fill\":{:.2f},"
          "\"bytes_a_row\":{:.4g},\"bytes\":\"{:.0f}\"}}",
          name_of(engine), mint::json_text(form.name), cost.in_row, cost.key_entry,
          cost.in_secondary, cost.in_reference, cost.fill, a_row, a_row * question.rows);
    }
  }
  return out + "]}\n";
}

int run(const Arguments& arguments) {
  const auto question = read_question(arguments);
  if (!question) return question.error();
  return print(arguments.has("json") ? to_json(*question) : to_text(*question), kDone);
}

constexpr std::array kOptions{
    Option{"rows", "r", "N", "rows of the table: 100M, 1e9; default 1M"},
    Option{"indexes", "i", "N", "further indexes of the table; default 2"},
    Option{"references", "", "N",
           "columns of other tables that refer to it, each indexed; default 0"},
    Option{"engine", "e", "E", "postgresql, innodb, sqlserver or sqlite; default all"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark keysize --rows 100M --indexes 3", "the usual keys in every engine"},
    Example{"mintmark keysize bigint uuid7 --engine innodb", "two of them in one"},
    Example{"mintmark keysize uuid4:text uuid4 --rows 1G", "text, and the same as 16 bytes"},
    Example{"mintmark keysize text:40 --references 2 --json", "40 characters, for a script"},
};

}  // namespace

const Command kKeysize{
    .name = "keysize",
    .summary = "says what a key costs in tables and indexes",
    .operands = "[KEY...]",
    .fewest_operands = 0,
    .most_operands = 100,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Keys: int bigint snowflake tsid uuid4 uuid7 ulid objectid xid ksuid, each but the first "
        "two\n"
        "also as NAME:text; pushid:text nanoid:text cuid2:text; binary:N and text:N.\n"
        "InnoDB and SQL Server keep the key in every index. 'fill' is how full the pages of the\n"
        "key's index get: measured, for SQL Server by theory. 'a row' has that room in it.\n",
    .run = run,
};

}  // namespace mintmark::cli
