// headroom: when numbers run out: those of a column, of a block, of the time field of a scheme.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/headroom_database.h"
#include "cli/moments.h"
#include "cli/quantities.h"
#include "cli/runway.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::cli {
namespace {

/// Where no rate is given, the answer for each of these.
constexpr std::array<std::string_view, 4> kRates{"1/s", "100/s", "10k/s", "1M/s"};

struct Question {
  std::string what;
  Instant now;
  std::optional<double> rate;  ///< a second
  std::string rate_text;
  std::optional<double> within;  ///< seconds
};

std::unexpected<int> wrong(std::string_view words) { return std::unexpected(usage_error(words)); }

OrExit<std::optional<U128>> read_number(const Arguments& arguments, std::string_view name) {
  const auto text = arguments.value(name);
  if (!text) return std::nullopt;
  const auto number = parse_whole(*text);
  if (!number)
    return wrong(fmt::format("--{}: {} is no whole number; write 1500000, 1.5M or 2^31", name,
                             shown(*text)));
  return *number;
}

OrExit<Question> read_question(const Arguments& arguments) {
  Question question{.what = arguments.operands.empty() ? "" : arguments.operands.front(),
                    .now = io::wall_now(),
                    .rate = {},
                    .rate_text = {},
                    .within = {}};
  if (const auto text = arguments.value("now")) {
    const auto moment = parse_moment(*text, question.now);
    if (!moment) return wrong(fmt::format("--now: {}", moment.error()));
    question.now = *moment;
  }
  // An end is told to the second.
  question.now = std::chrono::floor<std::chrono::seconds>(question.now);
  if (const auto text = arguments.value("rate")) {
    question.rate = parse_rate(*text);
    question.rate_text = *text;
    if (!question.rate)
      return wrong(fmt::format("--rate: {} is not like 200/s, 1k/h or 1M/d", shown(*text)));
  }
  if (const auto text = arguments.value("within")) {
    question.within = parse_length(*text);
    if (!question.within)
      return wrong(fmt::format("--within: {} is not like 90d or 2y", shown(*text)));
  }
  return question;
}

/// Exit code 1 if the end comes within the time that was asked for, or has come.
int code_of(const Question& question, double seconds) {
  return seconds <= 0 || (question.within && seconds <= *question.within) ? kInvalid : kDone;
}

std::string end_words(Instant now, double seconds) {
  const auto end = later(now, seconds);
  return end ? fmt::format("{}, in {}", TimeText{*end}.view(), length_words(seconds))
             : fmt::format("in {}", length_words(seconds));
}

std::string end_json(Instant now, double seconds) {
  const auto end = later(now, seconds);
  return end ? fmt::format("\"{}\"", TimeText{*end}.view()) : "null";
}

void put(std::string& out, std::string_view about, const std::string& words) {
  out += fmt::format("  {:<8} {}\n", about, words);
}

int show_numbers(const Question& question, const Numbers& numbers, const Arguments& arguments) {
  if (question.within && !question.rate)
    return usage_error("--within needs --rate: without it nobody knows when numbers run out");
  const Runway runway = runway_of(numbers);
  const auto left = static_cast<double>(runway.left);
  std::vector<std::pair<std::string, double>> ends;  // a rate in words, seconds until the end
  if (question.rate) {
    ends.emplace_back(question.rate_text, left / *question.rate);
  } else {
    for (const std::string_view rate : kRates) ends.emplace_back(rate, left / *parse_rate(rate));
  }
  // Without a rate nobody knows when; only whether.
  const int code = runway.left == 0 ? kInvalid
                   : question.rate  ? code_of(question, ends.front().second)
                                    : kDone;
  if (arguments.has("json")) {
    std::string out = fmt::format(
        "{{\"schema\":1,\"what\":{},\"kind\":\"numbers\",\"first\":\"{}\",\"last\":\"{}\",\"step\":"
        "\"{}\","
        "\"at\":\"{}\",\"left\":\"{}\",\"used\":{:.6g},\"ends\":[",
        mint::json_text(question.what), digits_of(numbers.first), digits_of(numbers.last),
        digits_of(numbers.step), digits_of(numbers.at), digits_of(runway.left), runway.used);
    for (const auto& [rate, seconds] : ends) {
      if (out.back() != '[') out += ',';
      out += fmt::format("{{\"rate\":{},\"seconds\":{:.12g},\"time\":{}}}", mint::json_text(rate),
                         seconds, end_json(question.now, seconds));
    }
    return print(out + "]}\n", code);
  }
  std::string out = fmt::format(
      "{}: {} to {}{}\n", question.what, digits_of(numbers.first), digits_of(numbers.last),
      numbers.step == 1 ? "" : fmt::format(", every {}", digits_of(numbers.step)));
  put(out, "used", fmt::format("{:.2f} %", runway.used * 100));
  put(out, "left", digits_of(runway.left));
  if (runway.left == 0) {
    put(out, "ends", "now: the last number is used");
    return print(out, code);
  }
  for (const auto& [rate, seconds] : ends) {
    put(out, "ends",
        fmt::format("at {:<{}} {}", rate, question.rate ? 0 : 6, end_words(question.now, seconds)));
  }
  return print(out, code);
}

/// What one worker of a layout can make in a second.
double layout_rate(const SnowflakeLayout& layout) {
  const double unit = std::chrono::duration<double>(layout.unit()).count();
  return (static_cast<double>(low_bits(layout.sequence_bits())) + 1) / unit;
}

int show_time(const Question& question, Instant epoch, Instant last, const SnowflakeLayout* layout,
              const Arguments& arguments) {
  const double seconds = std::chrono::duration<double>(last - question.now).count();
  const int code = code_of(question, seconds);
  std::optional<double> workers;
  if (layout != nullptr && question.rate)
    workers = std::ceil(*question.rate / layout_rate(*layout));
  if (arguments.has("json")) {
    std::string out = fmt::format(
        "{{\"schema\":1,\"what\":{},\"kind\":\"time\",\"epoch\":\"{}\",\"last\":\"{}\",\"seconds\":"
        "{:.12g}",
        mint::json_text(question.what), TimeText{epoch}.view(), TimeText{last}.view(), seconds);
    if (layout != nullptr) {
      out += fmt::format(",\"per_second_and_worker\":{:.12g},\"workers\":\"{}\"",
                         layout_rate(*layout), layout->slot_count());
    }
    if (workers) out += fmt::format(",\"workers_needed\":\"{:.0f}\"", *workers);
    return print(out + "}\n", code);
  }
  std::string out = fmt::format("{}: time since {}\n", question.what, TimeText{epoch}.view());
  put(out, "last", fmt::format("{}", TimeText{last}.view()));
  put(out, "left",
      seconds > 0 ? length_words(seconds)
                  : fmt::format("none: it ended {} ago", length_words(-seconds)));
  if (layout != nullptr) {
    put(out, "pace",
        fmt::format("at most {} for each of {} workers", rate_words(layout_rate(*layout)),
                    layout->slot_count()));
  }
  if (workers) {
    put(out, "needs",
        fmt::format(
            "{:.0f} worker{} at {}{}", *workers, *workers == 1 ? "" : "s", question.rate_text,
            *workers > static_cast<double>(layout->slot_count()) ? ", more than there are" : ""));
  }
  return print(out, code);
}

int unknown(const std::string& what) {
  std::vector<std::string_view> names(number_column_names().begin(), number_column_names().end());
  for (const CatalogueRow& row : kCatalogue) names.push_back(row.name);
  const std::string hint = mint::did_you_mean(what, names);
  return usage_error(fmt::format(
      "headroom of {}? {}", shown(what),
      hint.empty() ? "a column (int, uint, bigint, 2^53), a scheme, a layout, or --from and --to"
                   : hint.substr(2)));
}

int show_column(const Question& question, const NumberColumn& column, const Arguments& arguments) {
  const auto at = read_number(arguments, "at");
  if (!at) return at.error();
  const auto step = read_number(arguments, "step");
  if (!step) return step.error();
  if (*step == U128{0}) return usage_error("--step: 1 is the smallest");
  return show_numbers(
      question, {.first = 1, .last = column.last, .at = at->value_or(0), .step = step->value_or(1)},
      arguments);
}

int show_block(Question question, const Arguments& arguments) {
  const auto from = read_number(arguments, "from");
  if (!from) return from.error();
  const auto to = read_number(arguments, "to");
  if (!to) return to.error();
  const auto at = read_number(arguments, "at");
  if (!at) return at.error();
  const auto step = read_number(arguments, "step");
  if (!step) return step.error();
  if (!*to) return usage_error("of what? a column, a scheme, a layout, or --from and --to");
  const Numbers numbers{
      .first = from->value_or(1), .last = **to, .at = at->value_or(0), .step = step->value_or(1)};
  if (numbers.first > numbers.last) return usage_error("--from is above --to");
  if (numbers.step == 0) return usage_error("--step: 1 is the smallest");
  question.what = "block";
  return show_numbers(question, numbers, arguments);
}

int run(const Arguments& arguments) {
  if (!arguments.operands.empty() && arguments.operands.front().contains("://"))
    return headroom_of_database(arguments);
  for (const Option& option : {kWarnOption, kWatchOption, kTimeoutOption}) {
    if (arguments.has(option.name))
      return usage_error(fmt::format("--{} is for a database", option.name));
  }
  const auto question = read_question(arguments);
  if (!question) return question.error();
  const std::string& what = question->what;
  const bool block = arguments.has("from") || arguments.has("to");
  if (what.empty() || what == "block") return show_block(*question, arguments);
  if (block) return usage_error("--from and --to are a block of their own: leave out the name");
  if (const auto column = find_number_column(what))
    return show_column(*question, *column, arguments);
  for (const std::string_view option : {"at", "step"}) {
    if (arguments.has(option))
      return usage_error(fmt::format("--{} is for numbers that count", option));
  }
  const SnowflakeLayout* layout = layouts::find(what == "snowflake" ? "twitter" : what);
  const auto spelled = SnowflakeLayout::parse(what);
  if (layout == nullptr && spelled) layout = &*spelled;
  if (layout != nullptr)
    return show_time(*question, layout->epoch(), layout->instant_of(layout->last_tick()), layout,
                     arguments);
  const CatalogueRow* row = find_scheme(what);
  if (row == nullptr) return unknown(what);
  const auto last = last_instant(*row);
  if (!last) return usage_error(fmt::format("{} has no time in it: nothing runs out", what));
  return show_time(*question, row->scheme.epoch, *last, nullptr, arguments);
}

constexpr std::array kOptions{
    Option{"at", "", "N", "the number that is used now: 1.5G, 2^30; default none"},
    Option{"rate", "r", "R", "how many a time are used: 200/s, 1k/h, 1M/d"},
    Option{"step", "", "N", "only every Nth number is used; default 1"},
    Option{"from", "", "N", "the first number of a block; default 1"},
    Option{"to", "", "N", "the last number of a block"},
    Option{"within", "", "T", "exit code 1 if the end is nearer than this: 90d, 2y"},
    Option{"now", "", "TIME", "reckon from this time, not from the clock's"},
    kWarnOption,
    kWatchOption,
    kTimeoutOption,
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark headroom int --at 1.5G --rate 200/s", "when a column of 32 bits is full"},
    Example{"mintmark headroom bigint --rate 1M/s --json", "64 bits, for a script"},
    Example{"mintmark headroom twitter --rate 5M/s", "a layout's last time, and its workers"},
    Example{"mintmark headroom 'time:41 worker:10 seq:12 epoch=2020-01-01'",
            "a layout of your own"},
    Example{"mintmark headroom --from 1M --to 2M --at 1.2M --rate 50/d", "a block of numbers"},
    Example{"mintmark headroom uint --at 1G --rate 10/s --within 2y",
            "exit code 1 when it gets near"},
};

}  // namespace

const Command kHeadroom{
    .name = "headroom",
    .summary = "says when numbers or times run out",
    .operands = "[COLUMN|SCHEME|LAYOUT|URL]",
    .fewest_operands = 0,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Columns: tinyint smallint mediumint int bigint, with a u in front unsigned, and 2^53,\n"
        "the largest number that JavaScript keeps exactly. Exit code 1 if it has ended.\n"
        "\n"
        "URL: a database, which is only read. The password is best in PGPASSWORD, ~/.pgpass or\n"
        "MYSQL_PWD. Exit code 1 if a counter in it has come to --warn.\n"
        "  mintmark headroom postgresql://reader@db.example/shop\n"
        "  mintmark headroom mariadb://reader@db.example/shop --watch 1min --within 1y\n",
    .run = run,
};

}  // namespace mintmark::cli
