// leak: what IDs give away to whoever sees them: of numbers that count up the pace and the total, of IDs
// with a time in them when and by whom they were made.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/leaked.h"
#include "cli/moments.h"
#include "cli/quantities.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/inspect.h"
#include "mint/json_text.h"
#include "mint/recognize.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {
namespace {

/// Nobody counts one by one beyond this (a million a second for 35 years); IDs with a time are above.
constexpr double kMostCounted = 1e15;
constexpr Duration kMonth = std::chrono::hours{24 * 30};

/// An ID as it was given, with the time when it was seen if one was.
struct Seen {
  std::string text;
  std::optional<Instant> time;
};

/// One thing that an ID gives away.
struct Finding {
  std::string about;
  std::string words;
};

OrExit<std::vector<Seen>> read_operands(const Arguments& arguments, Instant now) {
  std::vector<Seen> all;
  for (const std::string& operand : arguments.operands) {
    // No ID reads as a time: those have colons, or hyphens behind four digits.
    if (const auto time = parse_moment(operand, now)) {
      if (all.empty() || all.back().time)
        return std::unexpected(
            usage_error(fmt::format("the time {} stands behind no ID", shown(operand))));
      all.back().time = *time;
    } else {
      all.push_back({operand, std::nullopt});
    }
  }
  return all;
}

/// All of them as numbers that count up, or nothing if any is something else.
std::optional<std::vector<double>> as_numbers(const std::vector<Seen>& all) {
  std::vector<double> numbers;
  for (const Seen& seen : all) {
    const auto number = parse_decimal(seen.text);
    if (!number || *number < 1 || static_cast<double>(*number) > kMostCounted) return std::nullopt;
    numbers.push_back(static_cast<double>(*number));
  }
  return numbers;
}

std::string time_words(Instant time) { return std::string{TimeText{time}.view()}; }

/// What a row of sightings says, worked out.
struct Sequence {
  std::vector<Sighting> sightings;  ///< those with a time, by time
  TankEstimate tanks;
  std::optional<Pace> pace;  ///< from the first to the last
  double last_month = 0;     ///< made within 30 days, at that pace
  double by_now = 0;
};

OrExit<Sequence> work_out(const std::vector<Seen>& all, const std::vector<double>& numbers,
                          Instant now) {
  Sequence sequence;
  const std::set<double> distinct(numbers.begin(), numbers.end());
  sequence.tanks = estimate_tanks(std::vector<double>(distinct.begin(), distinct.end()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].time) sequence.sightings.push_back({numbers[i], *all[i].time});
  }
  std::ranges::stable_sort(sequence.sightings, {}, &Sighting::time);
  if (sequence.sightings.size() < 2) return sequence;
  const Sighting& last = sequence.sightings.back();
  sequence.pace = pace_between(sequence.sightings.front(), last);
  if (!sequence.pace) {
    return std::unexpected(
        usage_error("the numbers do not rise with their times: they are no sequence"));
  }
  sequence.last_month = sequence.pace->per_second * std::chrono::duration<double>(kMonth).count();
  sequence.by_now = count_at(last, *sequence.pace, now);
  return sequence;
}

void put(std::string& out, std::string_view about, const std::string& words) {
  out += fmt::format("  {:<10} {}\n", about, words);
}

std::string to_text(const Sequence& sequence, std::size_t seen) {
  std::string out = "numbers that count up\n";
  if (sequence.pace) {
    const double a_day = sequence.pace->per_second * 86'400;
    put(out, "pace",
        fmt::format("{} a day, {} in 30 days", number_words(a_day),
                    count_words(sequence.last_month)));
    if (sequence.sightings.size() > 2) {
      std::string steps;
      for (std::size_t i = 1; i < sequence.sightings.size(); ++i) {
        const auto step = pace_between(sequence.sightings[i - 1], sequence.sightings[i]);
        steps += fmt::format("{}{}", steps.empty() ? "" : ", then ",
                             step ? number_words(step->per_second * 86'400) : "none");
      }
      put(out, "trend", steps + " a day");
    }
    if (sequence.pace->began)
      put(out, "began",
          fmt::format("about {}, had the pace always been this",
                      time_words(*sequence.pace->began)));
    put(out, "by now", fmt::format("about {} in all", count_words(sequence.by_now)));
  }
  put(out, "at least",
      fmt::format("{} in all, if the first was 1", count_words(sequence.tanks.least)));
  put(out, "estimate",
      fmt::format("{} if the {} seen {} a fair sample; 95 % sure: not above {}",
                  count_words(sequence.tanks.estimate), seen, seen == 1 ? "is" : "are",
                  count_words(sequence.tanks.most)));
  put(out, "others", "can be asked for: each number up to the last is somebody's");
  return out;
}

std::string to_json(const Sequence& sequence, const std::vector<Seen>& all) {
  std::string out = "{\"schema\":1,\"kind\":\"sequence\",\"seen\":[";
  for (const Seen& seen : all) {
    if (out.back() != '[') out += ',';
    out += fmt::format("{{\"id\":{}", mint::json_text(seen.text));
    if (seen.time) out += fmt::format(",\"time\":\"{}\"", time_words(*seen.time));
    out += '}';
  }
  out += ']';
  if (sequence.pace) {
    out += fmt::format(",\"per_second\":{:.12g},\"per_day\":{:.12g}", sequence.pace->per_second,
                       sequence.pace->per_second * 86'400);
    if (sequence.pace->began)
      out += fmt::format(",\"began\":\"{}\"", time_words(*sequence.pace->began));
    out += fmt::format(",\"by_now\":\"{:.0f}\"", sequence.by_now);
  }
  return out + fmt::format(
                   ",\"at_least\":\"{:.0f}\",\"estimate\":\"{:.0f}\",\"at_most_95\":\"{:.0f}\"}}\n",
                   sequence.tanks.least, sequence.tanks.estimate, sequence.tanks.most);
}

/// The words about one field; empty if it says nothing to a stranger.
std::string tells(const CatalogueField& field, U128 bits) {
  const auto number = static_cast<std::uint64_t>(bits);
  switch (field.kind) {
    case FieldKind::node:
      return fmt::format("{} {}: which maker, whose IDs can be told from the others'", field.name,
                         number);
    case FieldKind::address:
      if ((number >> 40 & 1) != 0)
        return "a random number that stays the same for all of one maker's IDs";
      return "the address of a network card: which machine made it";
    case FieldKind::sequence:
      return fmt::format("{} {}: a counter, so that two IDs tell how many lie between them",
                         field.name, number);
    case FieldKind::reversed:
      return "a counter with its bits turned around: reversed, it is the number of IDs so far";
    case FieldKind::digest:
      return "made from a name: whoever guesses the name can prove it";
    case FieldKind::prefix:
      return "the kind of thing it names";
    case FieldKind::time:
    case FieldKind::time_part:
    case FieldKind::version:
    case FieldKind::variant:
    case FieldKind::random:
      break;
  }
  return {};
}

std::string_view aspect_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::node:
    case FieldKind::address:
      return "who";
    case FieldKind::sequence:
    case FieldKind::reversed:
      return "how many";
    default:
      return "what";
  }
}

std::vector<Finding> findings_of(const mint::Candidate& candidate) {
  std::vector<Finding> findings;
  if (const auto time = candidate.id.time()) {
    findings.push_back(
        {"when",
         fmt::format(
             "{}, to {}", time_words(*time),
             length_words(std::chrono::duration<double>(candidate.row->scheme.unit).count()))});
  }
  unsigned below = candidate.row->scheme.bits;
  for (const CatalogueField& field : candidate.row->fields) {
    below -= field.bits;
    std::string words = tells(field, candidate.id.bits(below, field.bits));
    if (!words.empty()) findings.push_back({std::string{aspect_of(field.kind)}, std::move(words)});
  }
  const unsigned random = candidate.row->scheme.random_bits;
  findings.push_back(
      {"the next", random == 0
                       ? std::string{"can be guessed: none of its bits are random"}
                       : fmt::format("has {} bits that must be guessed, at the least", random)});
  return findings;
}

/// What two IDs of one maker say by a counter that never starts anew: how many it made between them. Nothing
/// if they are of two makers, or the counter is not of that kind.
std::optional<std::uint64_t> made_between(const mint::Candidate& a, const mint::Candidate& b) {
  if (a.row != b.row || (a.row->name != "objectid" && a.row->name != "xid")) return std::nullopt;
  std::uint64_t between = 0;
  unsigned below = a.row->scheme.bits;
  for (const CatalogueField& field : a.row->fields) {
    below -= field.bits;
    const U128 first = a.id.bits(below, field.bits);
    const U128 second = b.id.bits(below, field.bits);
    if (field.kind == FieldKind::sequence) {
      between = static_cast<std::uint64_t>(second - first) & low_bits(field.bits);
    } else if (field.kind != FieldKind::time && first != second) {
      return std::nullopt;
    }
  }
  return between;
}

/// What the earliest and the latest of some IDs say together.
struct Pair {
  std::optional<mint::Candidate> first;
  std::optional<mint::Candidate> last;

  void add(const mint::Candidate& candidate) {
    if (!candidate.id.time()) return;
    if (!first || candidate.id.time() < first->id.time()) first = candidate;
    if (!last || candidate.id.time() >= last->id.time()) last = candidate;
  }
  [[nodiscard]] double seconds() const {
    return first ? std::chrono::duration<double>(*last->id.time() - *first->id.time()).count() : 0;
  }
};

int explain_ids(const std::vector<Seen>& all, const Arguments& arguments, Instant now) {
  std::string text;
  std::string json = "{\"schema\":1,\"kind\":\"ids\",\"ids\":[";
  int code = kDone;
  Pair pair;
  for (const Seen& seen : all) {
    const auto candidates = mint::recognize(seen.text, now);
    if (candidates.empty()) {
      code = kInvalid;
      say(fmt::format("{} is no ID that is known here", shown(seen.text)));
      continue;
    }
    const mint::Candidate& best = candidates.front();
    const auto findings = findings_of(best);
    pair.add(best);
    std::string title{best.row->scheme.title};
    if (!best.row->preset.empty()) title += fmt::format(" ({})", best.row->preset);
    text += fmt::format("{}{}  {}\n", text.empty() ? "" : "\n", best.id.text(), title);
    if (json.back() != '[') json += ',';
    json +=
        fmt::format("{{\"id\":{},\"scheme\":{},\"random_bits\":{}", mint::json_text(best.id.text()),
                    mint::json_text(best.row->name), best.row->scheme.random_bits);
    if (const auto time = best.id.time())
      json += fmt::format(",\"time\":\"{}\"", time_words(*time));
    json += ",\"tells\":[";
    for (const Finding& finding : findings) {
      put(text, finding.about, finding.words);
      if (json.back() != '[') json += ',';
      json += fmt::format("{{\"about\":{},\"words\":{}}}", mint::json_text(finding.about),
                          mint::json_text(finding.words));
    }
    json += "]}";
  }
  json += ']';
  if (all.size() > 1 && pair.first) {
    text += "\nbetween the first and the last\n";
    put(text, "time", length_words(pair.seconds()));
    json += fmt::format(",\"seconds_between\":{:.12g}", pair.seconds());
    if (const auto made = made_between(*pair.first, *pair.last)) {
      put(text, "made",
          fmt::format("{} more by the same maker, if its counter went round less than once",
                      *made));
      json += fmt::format(",\"made_between\":\"{}\"", *made);
    }
  }
  return print(arguments.has("json") ? json + "}\n" : text, code);
}

int run(const Arguments& arguments) {
  Instant now = io::wall_now();
  if (const auto text = arguments.value("now")) {
    const auto moment = parse_moment(*text, now);
    if (!moment) return usage_error(fmt::format("--now: {}", moment.error()));
    now = *moment;
  }
  const auto all = read_operands(arguments, now);
  if (!all) return all.error();
  const auto numbers = as_numbers(*all);
  if (!numbers) return explain_ids(*all, arguments, now);
  const auto sequence = work_out(*all, *numbers, now);
  if (!sequence) return sequence.error();
  return print(arguments.has("json") ? to_json(*sequence, *all) : to_text(*sequence, all->size()),
               kDone);
}

constexpr std::array kOptions{
    Option{"now", "", "TIME", "reckon from this time, not from the clock's"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark leak 104211 2026-10-01 119875 2026-11-01", "two invoices and their dates"},
    Example{"mintmark leak 19 40 42 60", "four serial numbers, no dates"},
    Example{"mintmark leak 1541815603606036480", "what a Snowflake tells a stranger"},
    Example{"mintmark leak 017f22e2-79b0-7cc3-98c4-dc0c0c07398f --json", "a UUIDv7, for a script"},
};

}  // namespace

const Command kLeak{
    .name = "leak",
    .summary = "says what IDs give away to a stranger",
    .operands = "ID [TIME] [ID [TIME]]...",
    .fewest_operands = 1,
    .most_operands = 1'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "A TIME belongs to the ID before it: 2026-10-01, 2026-10-01T08:30:00Z, now-30d.\n"
        "Numbers below 10^15 are taken as a count. The estimate is that of the German tanks: good\n"
        "if what was seen is a fair sample of all there are.\n",
    .run = run,
};

}  // namespace mintmark::cli
