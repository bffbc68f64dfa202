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

/// Whether a text was meant as a time, right or wrong: a date, with more behind it or not.
bool looks_like_time(std::string_view text) {
  constexpr std::string_view kDate = "0000-00-00";
  if (text.size() < kDate.size()) return false;
  for (std::size_t i = 0; i < kDate.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kDate[i] == '0' ? !digit : text[i] != '-') return false;
  }
  return text.size() == kDate.size() || text.find(':') != std::string_view::npos;
}

OrExit<std::vector<Seen>> read_operands(const Arguments& arguments, Instant now) {
  std::vector<Seen> all;
  for (const std::string& operand : arguments.operands) {
    // No ID reads as a time: those have colons, or hyphens behind four digits.
    const auto time = parse_moment(operand, now);
    if (!time && looks_like_time(operand)) return std::unexpected(usage_error(time.error()));
    if (time) {
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
  std::size_t different = 0;        ///< of the numbers
  TankEstimate tanks;
  std::optional<Pace> pace;  ///< from the first to the last
  double last_month = 0;     ///< made within 30 days, at that pace
  double by_now = 0;
};

OrExit<Sequence> work_out(const std::vector<Seen>& all, const std::vector<double>& numbers,
                          Instant now) {
  Sequence sequence;
  const std::set<double> distinct(numbers.begin(), numbers.end());
  sequence.different = distinct.size();
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
      fmt::format("{} if the {}{} seen {} a fair sample; 95 % sure: not above {}",
                  count_words(sequence.tanks.estimate), sequence.different,
                  sequence.different == seen ? "" : fmt::format(" different of the {}", seen),
                  sequence.different == 1 ? "is" : "are", count_words(sequence.tanks.most)));
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
  out += fmt::format("],\"different\":{}", sequence.different);
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

bool has_field(const CatalogueRow& row, FieldKind kind) {
  return std::ranges::find(row.fields, kind, &CatalogueField::kind) != std::end(row.fields);
}

/// Whether a process draws its bits once and counts up from then on: ObjectId and XID.
bool counts_for_good(const CatalogueRow& row) {
  return row.name == "objectid" || row.name == "xid";
}

/// Whether a maker counts up within a tick, and perhaps anew in the next: Snowflakes of every layout. The
/// clock sequence of a UUIDv1 is no such counter.
bool counts_in_tick(const CatalogueRow& row) {
  return !counts_for_good(row) && has_field(row, FieldKind::time) &&
         has_field(row, FieldKind::sequence) && !has_field(row, FieldKind::address);
}

/// What a stranger has to guess of the next ID.
struct Guess {
  unsigned bits = 0;
  bool plus_one = false;  ///< but nothing of it, if it is one more than this one
};

Guess guess_of(const CatalogueRow& row) {
  unsigned bits = 0;
  for (const CatalogueField& field : row.fields) {
    if (field.kind == FieldKind::random) bits += field.bits;
  }
  // The facts count what is unknown at the least, which is nothing where a generator goes on by one.
  const bool plus_one = row.scheme.random_bits == 0 && bits > 0 &&
                        has_field(row, FieldKind::time) && !counts_for_good(row);
  return plus_one ? Guess{bits, true} : Guess{row.scheme.random_bits, false};
}

std::string words_of(const Guess& guess) {
  if (guess.plus_one) {
    return fmt::format(
        "is this plus one, if a monotonic generator makes it in the same tick; "
        "otherwise it has {} random bits",
        guess.bits);
  }
  return guess.bits == 0
             ? "can be guessed: none of its bits are random"
             : fmt::format("has {} bits that must be guessed, at the least", guess.bits);
}

/// The words about one field; empty if it says nothing to a stranger.
std::string tells(const CatalogueRow& row, const CatalogueField& field, U128 bits) {
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
      if (has_field(row, FieldKind::address))
        return fmt::format("{} {}: as a rule the same for all of one maker's IDs", field.name,
                           number);
      return fmt::format("{} {}: a counter, so that two IDs {}tell how many lie between them",
                         field.name, number, counts_in_tick(row) ? "of one tick " : "");
    case FieldKind::reversed:
      return "a counter with its bits turned around: reversed, it is the number of IDs so far";
    case FieldKind::digest:
      return "made from a name: whoever guesses the name can prove it";
    case FieldKind::prefix:
      return "the kind of thing it names";
    case FieldKind::random:
      // What a process draws, it draws once; of an XID the number of the process is a field of its own.
      if (row.name == "objectid")
        return "40 bits that a process draws once: two IDs with the same are of one process";
      if (row.name == "xid")
        return "40 bits of machine and process: two IDs with the same are of one process";
      break;
    case FieldKind::time:
    case FieldKind::time_part:
    case FieldKind::version:
    case FieldKind::variant:
      break;
  }
  return {};
}

std::string_view aspect_of(const CatalogueRow& row, FieldKind kind) {
  switch (kind) {
    case FieldKind::node:
    case FieldKind::address:
    case FieldKind::random:
      return "who";
    case FieldKind::sequence:
      return has_field(row, FieldKind::address) ? "who" : "how many";
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
    std::string words = tells(*candidate.row, field, candidate.id.bits(below, field.bits));
    // The digest of a UUIDv3 is three fields, and all say the same.
    if (words.empty() || std::ranges::find(findings, words, &Finding::words) != findings.end())
      continue;
    findings.push_back({std::string{aspect_of(*candidate.row, field.kind)}, std::move(words)});
  }
  findings.push_back({"the next", words_of(guess_of(*candidate.row))});
  return findings;
}

/// What two IDs of one maker say by their counter: how many it made from the first on to the last, that
/// included. Nothing if they are of two makers, or if the counter may have started anew between them.
std::optional<std::uint64_t> made_between(const mint::Candidate& a, const mint::Candidate& b) {
  const bool for_good = counts_for_good(*a.row);
  if (a.row != b.row || (!for_good && !counts_in_tick(*a.row))) return std::nullopt;
  const bool one_tick = a.id.time() == b.id.time();
  if (!for_good && !one_tick) return std::nullopt;
  std::uint64_t between = 0;
  unsigned below = a.row->scheme.bits;
  for (const CatalogueField& field : a.row->fields) {
    below -= field.bits;
    const U128 first = a.id.bits(below, field.bits);
    const U128 second = b.id.bits(below, field.bits);
    if (field.kind == FieldKind::sequence) {
      between = static_cast<std::uint64_t>(second - first) & low_bits(field.bits);
      // Of one tick nobody knows by the time which was first. A sequence does not go round within one, and
      // a counter that never ends does so rarely.
      const std::uint64_t back = (std::uint64_t{0} - between) & low_bits(field.bits);
      if (one_tick) between = for_good ? std::min(between, back) : second < first ? back : between;
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
                    mint::json_text(best.row->name), guess_of(*best.row).bits);
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
          counts_for_good(*pair.first->row)
              ? fmt::format("{} more by the same maker, if its counter went round less than once",
                            *made)
              : fmt::format("{} more by the same maker in the same tick, the last one included",
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
