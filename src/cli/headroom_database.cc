#include "cli/headroom_database.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/database_survey.h"
#include "cli/moments.h"
#include "cli/quantities.h"
#include "cli/settings.h"
#include "cli/utf8_text.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/request.h"

namespace mintmark::cli {
namespace {

using io::sql::SqlFailure;
using io::sql::Trouble;

struct Question {
  io::sql::DatabaseUrl url;
  Instant now;
  double warn = 0.8;           ///< a share
  std::optional<double> rate;  ///< numbers a second, of every counter
  std::optional<Duration> watch;
  std::optional<double> within;  ///< seconds
  Duration timeout = std::chrono::minutes{1};
};

/// A counter, and when it ends, if anything says how fast it moves.
struct Forecast {
  Counter counter;
  Runway runway;
  std::optional<double> rate;     ///< numbers a second
  std::optional<double> seconds;  ///< until the end; none for a counter that stands still
};

std::unexpected<int> wrong(std::string_view words) { return std::unexpected(usage_error(words)); }

Duration duration_of(double seconds) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>{seconds});
}

/// A length of time that somebody waits for; within a day.
OrExit<std::optional<Duration>> read_length(const Arguments& arguments, std::string_view name) {
  const auto text = arguments.value(name);
  if (!text) return std::nullopt;
  const auto seconds = parse_length(*text);
  if (!seconds || *seconds < 1e-3 || *seconds > 86'400) {
    return wrong(fmt::format("--{}: {} is not like 30s or 5min, up to a day", name, shown(*text)));
  }
  return duration_of(*seconds);
}

OrExit<Question> read_question(const Arguments& arguments) {
  const auto url = io::sql::parse_database_url(arguments.operands.front());
  if (!url) return wrong(fmt::format("the URL of the database: {}", url.error()));
  for (const std::string_view option : {"at", "step", "from", "to"}) {
    if (arguments.has(option)) return wrong(fmt::format("--{} is not for a database", option));
  }
  Question question;
  question.url = *url;
  question.now = io::wall_now();
  if (const auto text = arguments.value("now")) {
    const auto moment = parse_moment(*text, question.now);
    if (!moment) return wrong(fmt::format("--now: {}", moment.error()));
    question.now = *moment;
  }
  question.now = std::chrono::floor<std::chrono::seconds>(question.now);
  if (const auto text = arguments.value("warn")) {
    double percent = 0;
    const std::string_view digits{text->data(), text->size() - (text->ends_with('%') ? 1 : 0)};
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), percent);
    if (error != std::errc{} || stop != digits.data() + digits.size() || !(percent > 0) ||
        percent > 100) {
      return wrong(fmt::format("--warn: {} is no percentage above 0, up to 100", shown(*text)));
    }
    question.warn = percent / 100;
  }
  if (const auto text = arguments.value("rate")) {
    question.rate = parse_rate(*text);
    if (!question.rate)
      return wrong(fmt::format("--rate: {} is not like 200/s, 1k/h or 1M/d", shown(*text)));
  }
  if (const auto text = arguments.value("within")) {
    question.within = parse_length(*text);
    if (!question.within)
      return wrong(fmt::format("--within: {} is not like 90d or 2y", shown(*text)));
  }
  const auto watch = read_length(arguments, "watch");
  if (!watch) return std::unexpected(watch.error());
  question.watch = *watch;
  const auto timeout = read_length(arguments, "timeout");
  if (!timeout) return std::unexpected(timeout.error());
  if (*timeout) question.timeout = **timeout;
  if (question.rate && question.watch)
    return wrong("--rate says what --watch would measure: one of them");
  if (question.within && !question.rate && !question.watch)
    return wrong("--within needs a pace: --rate or --watch");
  return question;
}

int refuse(const io::sql::DatabaseUrl& url, const SqlFailure& failure) {
  // Most words name the place already.
  const std::string place = url.words();
  const std::string words = for_terminal(failure.detail);
  say(words.contains(place) || failure.trouble == Trouble::no_library
          ? words
          : fmt::format("{}: {}", place, words));
  return mint::row_of(failure.trouble == Trouble::bad_url ? Kind::bad_input : Kind::busy).exit_code;
}

std::string id_of(const Counter& counter) {
  return counter.name.words() + ' ' + counter.kind + ' ' + counter.source;
}

/// Looks a second time, and says how fast each counter moved. `seen` is when the first look began.
OrExit<std::map<std::string, double>> watch(const Question& question, DatabaseReader& reader,
                                            const std::vector<Counter>& before, BootInstant seen) {
  io::pause_for(*question.watch);
  const double seconds = std::chrono::duration<double>(io::os_clock().boot() - seen).count();
  const auto after = survey_counters(reader);
  if (!after) return std::unexpected(refuse(question.url, after.error()));
  std::map<std::string, double> rates;
  for (const Counter& counter : before) rates[id_of(counter)] = -static_cast<double>(counter.at);
  for (const Counter& counter : *after) {
    const auto found = rates.find(id_of(counter));
    if (found == rates.end()) continue;
    const double moved = found->second + static_cast<double>(counter.at);
    found->second = std::max(moved, 0.0) / static_cast<double>(counter.step) / seconds;
  }
  return rates;
}

std::vector<Forecast> forecasts_of(const Question& question, const std::vector<Counter>& counters,
                                   const std::map<std::string, double>& rates) {
  std::vector<Forecast> forecasts;
  for (const Counter& counter : counters) {
    Forecast forecast{counter, counter.runway(), question.rate, {}};
    if (const auto found = rates.find(id_of(counter)); found != rates.end())
      forecast.rate = found->second;
    if (forecast.rate && *forecast.rate > 0)
      forecast.seconds = static_cast<double>(forecast.runway.left) / *forecast.rate;
    forecasts.push_back(std::move(forecast));
  }
  return forecasts;
}

bool is_near(const Question& question, const Forecast& forecast) {
  return forecast.runway.used >= question.warn ||
         (question.within && forecast.seconds && *forecast.seconds <= *question.within);
}

std::string what_of(const Counter& counter) {
  std::string words = fmt::format("{}: {}", counter.name.words(), counter.kind);
  if (!counter.source.empty()) {
    words += fmt::format("{} {}", counter.kind == "reference" ? " to" : "", counter.source);
  }
  if (!counter.remark.empty()) words += "; " + counter.remark;
  return for_terminal(words);
}

std::string end_of(const Question& question, const Forecast& forecast) {
  if (!forecast.seconds) return "it stands still";
  const auto end = later(question.now, *forecast.seconds);
  const std::string words = fmt::format("in {}", length_words(*forecast.seconds));
  return end ? fmt::format("{} {}", std::string{TimeText{*end}.view()}.substr(0, 10), words)
             : words;
}

std::string words_of(const TextIds& ids) {
  std::string words = fmt::format(
      "{}: {}s as {}, {} bytes each instead of {}", ids.column.name.words(), ids.form.scheme,
      ids.column.type, ids.form.text_bytes + ids.column.length_bytes, ids.form.binary_bytes);
  if (ids.column.rows > 0) {
    const double more = ids.column.rows * ids.column.copies * static_cast<double>(ids.more_bytes());
    const unsigned indexes = ids.column.copies - 1;
    words +=
        fmt::format("; about {} more in {} rows{}", bytes_words(more), count_words(ids.column.rows),
                    indexes == 0   ? ""
                    : indexes == 1 ? " and an index"
                                   : fmt::format(" and {} indexes", indexes));
  }
  return for_terminal(words);
}

std::string to_text(const Question& question, const DatabaseReader& reader, const Survey& survey,
                    const std::vector<Forecast>& forecasts) {
  std::string out = fmt::format("{}: {}\n", for_terminal(question.url.words()), reader.server());
  const bool paced = question.rate || question.watch;
  std::size_t type_width = 4;
  std::size_t end_width = 3;
  for (const Forecast& forecast : forecasts) {
    type_width = std::max(type_width, forecast.counter.type.size());
    if (paced) end_width = std::max(end_width, end_of(question, forecast).size());
  }
  const auto line = [&](std::string_view used, std::string_view left, std::string_view type,
                        std::string_view end, std::string_view what) {
    out += fmt::format("{:>8}  {:>12}  {:<{}}  ", used, left, type, type_width);
    if (paced) out += fmt::format("{:<{}}  ", end, end_width);
    out += fmt::format("{}\n", what);
  };
  if (!forecasts.empty()) {
    out += '\n';
    line("used", "left", "type", "end", "counter");
  }
  for (const Forecast& forecast : forecasts) {
    line(fmt::format("{:.2f} %", forecast.runway.used * 100),
         count_words(static_cast<double>(forecast.runway.left)),
         for_terminal(forecast.counter.type), paced ? end_of(question, forecast) : "",
         what_of(forecast.counter));
  }
  const auto section = [&out](std::string_view title, const auto& lines, const auto& words) {
    if (lines.empty()) return;
    out += fmt::format("\n{}\n", title);
    for (const auto& one : lines) out += fmt::format("  {}\n", words(one));
  };
  section("IDs as text, which a binary type holds in less", survey.text_ids,
          [](const TextIds& ids) { return words_of(ids); });
  section("IDs that differ in case alone are the same here", survey.folded_ids,
          [](const TextColumn& column) {
            return for_terminal(fmt::format("{}: {}, compared by {}", column.name.words(),
                                            column.type, column.folding));
          });
  section("not read", survey.not_read,
          [](const std::string& words) { return for_terminal(words); });
  if (forecasts.empty()) out += "\nno counters\n";
  return out;
}

std::string json_number(I128 value) { return fmt::format("\"{}\"", value); }

std::string json_of(const Question& question, const Forecast& forecast) {
  const Counter& counter = forecast.counter;
  std::string out = fmt::format(
      "{{\"name\":{},\"kind\":\"{}\",\"source\":{},\"type\":{},\"first\":{},\"last\":{},\"at\":{},"
      "\"step\":{},\"left\":\"{}\",\"used\":{:.6g},\"near\":{},\"remark\":{}",
      json_utf8(counter.name.words()), counter.kind, json_utf8(counter.source),
      json_utf8(counter.type), json_number(counter.first), json_number(counter.last),
      counter.at < counter.first ? "null" : json_number(counter.at), json_number(counter.step),
      digits_of(forecast.runway.left), forecast.runway.used, is_near(question, forecast),
      json_utf8(counter.remark));
  if (forecast.rate) {
    const auto end = forecast.seconds ? later(question.now, *forecast.seconds) : std::nullopt;
    out += fmt::format(",\"per_second\":{:.6g},\"seconds\":{},\"time\":{}", *forecast.rate,
                       forecast.seconds ? fmt::format("{:.12g}", *forecast.seconds) : "null",
                       end ? fmt::format("\"{}\"", TimeText{*end}.view()) : "null");
  }
  return out + '}';
}

std::string json_of(const TextIds& ids) {
  return fmt::format(
      "{{\"name\":{},\"type\":{},\"scheme\":\"{}\",\"bytes\":{},\"binary_bytes\":{},\"copies\":{},"
      "\"rows\":{}}}",
      json_utf8(ids.column.name.words()), json_utf8(ids.column.type), ids.form.scheme,
      ids.form.text_bytes + ids.column.length_bytes, ids.form.binary_bytes, ids.column.copies,
      ids.column.rows < 0 ? "null" : fmt::format("{:.0f}", ids.column.rows));
}

template <class T, class Words>
std::string json_list(const std::vector<T>& all, const Words& words) {
  std::string out = "[";
  for (const T& one : all) {
    if (out.size() > 1) out += ',';
    out += words(one);
  }
  return out + ']';
}

std::string to_json(const Question& question, const DatabaseReader& reader, const Survey& survey,
                    const std::vector<Forecast>& forecasts) {
  return fmt::format(
      "{{\"schema\":1,\"what\":{},\"kind\":\"database\",\"server\":{},\"counters\":{},\"text_ids\":"
      "{},"
      "\"folded_ids\":{},\"not_read\":{}}}\n",
      json_utf8(question.url.words()), json_utf8(reader.server()),
      json_list(forecasts, [&](const Forecast& forecast) { return json_of(question, forecast); }),
      json_list(survey.text_ids, [](const TextIds& ids) { return json_of(ids); }),
      json_list(survey.folded_ids,
                [](const TextColumn& column) {
                  return fmt::format("{{\"name\":{},\"type\":{},\"compared_by\":{}}}",
                                     json_utf8(column.name.words()), json_utf8(column.type),
                                     json_utf8(column.folding));
                }),
      json_list(survey.not_read, [](const std::string& words) { return json_utf8(words); }));
}

}  // namespace

int headroom_of_database(const Arguments& arguments) {
  const auto question = read_question(arguments);
  if (!question) return question.error();
  const Duration patience = question->timeout + question->watch.value_or(Duration::zero());
  auto reader = DatabaseReader::open(question->url, io::os_clock().boot() + patience);
  if (!reader) return refuse(question->url, reader.error());
  const BootInstant seen = io::os_clock().boot();
  const auto survey = survey_database(*reader, io::wall_now());
  if (!survey) return refuse(question->url, survey.error());
  std::map<std::string, double> rates;
  if (question->watch) {
    auto measured = watch(*question, *reader, survey->counters, seen);
    if (!measured) return measured.error();
    rates = std::move(*measured);
  }
  const std::vector<Forecast> forecasts = forecasts_of(*question, survey->counters, rates);
  const bool near = std::ranges::any_of(
      forecasts, [&](const Forecast& forecast) { return is_near(*question, forecast); });
  return print(arguments.has("json") ? to_json(*question, *reader, *survey, forecasts)
                                     : to_text(*question, *reader, *survey, forecasts),
               near ? kInvalid : kDone);
}

}  // namespace mintmark::cli
