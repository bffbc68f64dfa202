// collide: how likely two random IDs are the same.
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/birthday.h"
#include "cli/command.h"
#include "cli/quantities.h"
#include "cli/settings.h"
#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {
namespace {

constexpr std::array kChances{1e-9, 1e-6, 0.01, 0.5};
constexpr double kMostAlphabet = 256;
constexpr double kMostSize = 255;

/// What a scheme leaves to chance.
struct Draw {
  std::string_view scheme;
  double bits = 0;      ///< random bits of one draw, or
  double alphabet = 0;  ///< the random characters of its text
  double size = 0;
  double tick_seconds = 0;  ///< the draws of one tick can collide; 0 if all can
  std::string_view drawn;   ///< what draws: "IDs", or what makes them
  std::string_view remark;  ///< ends in a line end if it is not empty
};

constexpr std::string_view kCounters =
    "A counter takes its bits away if it starts at 0, and one bit if it starts at random: "
    "--counter.\n";
constexpr std::string_view kOncePerGenerator =
    "Node and clock sequence are drawn once by a generator, not for each ID: two generators that "
    "drew the\n"
    "same can make the same ID in one 100 ns.\n";

// The bits are those of docs/reference/scheme and of the specifications named there.
constexpr std::array kDraws{
    Draw{.scheme = "uuid4", .bits = 122, .drawn = "IDs", .remark = ""},
    Draw{.scheme = "uuid7", .bits = 74, .tick_seconds = 1e-3, .drawn = "IDs", .remark = kCounters},
    Draw{.scheme = "typeid", .bits = 74, .tick_seconds = 1e-3, .drawn = "IDs", .remark = kCounters},
    Draw{.scheme = "ulid", .bits = 80, .tick_seconds = 1e-3, .drawn = "IDs", .remark = ""},
    Draw{.scheme = "ksuid", .bits = 128, .tick_seconds = 1, .drawn = "IDs", .remark = ""},
    Draw{.scheme = "pushid", .bits = 72, .tick_seconds = 1e-3, .drawn = "IDs", .remark = ""},
    Draw{.scheme = "nanoid", .alphabet = 64, .size = 21, .drawn = "IDs", .remark = ""},
    // A letter of 26, then 23 characters of base 36.
    Draw{.scheme = "cuid2",
         .bits = 4.700439718141092 + 23 * 5.169925001442312,
         .drawn = "IDs",
         .remark = ""},
    Draw{.scheme = "uuid3",
         .bits = 122,
         .drawn = "names",
         .remark =
             "Equal names give equal IDs; this is about different names with the same hash.\n"},
    Draw{.scheme = "uuid5",
         .bits = 122,
         .drawn = "names",
         .remark =
             "Equal names give equal IDs; this is about different names with the same hash.\n"},
    // RFC 9562 section 6.10: 14 bits of clock sequence, 47 of a random node whose multicast bit is set.
    Draw{.scheme = "uuid1", .bits = 61, .drawn = "generators", .remark = kOncePerGenerator},
    Draw{.scheme = "uuid6", .bits = 61, .drawn = "generators", .remark = kOncePerGenerator},
    Draw{.scheme = "xid",
         .bits = 24,
         .drawn = "machines",
         .remark = "Three bytes of a hash name the machine: two with the same bytes can make the "
                   "same ID.\n"},
    Draw{.scheme = "objectid",
         .bits = 40,
         .drawn = "processes",
         .remark =
             "Each process draws 40 bits once: two that drew the same can make the same ID.\n"},
};

/// Bits of the numbers that keep the makers of a scheme's IDs apart.
unsigned node_bits(const CatalogueRow& row) {
  unsigned bits = 0;
  for (const CatalogueField& field : row.fields) {
    if (field.kind == FieldKind::node) bits += field.bits;
  }
  return bits;
}

/// The question, read.
struct Question {
  std::string name;  ///< of the scheme; empty for a bare number of bits
  ValueSpace space = ValueSpace::of_bits(1);
  double tick_seconds = 0;
  std::string_view drawn = "IDs";
  std::string_view remark;
  std::optional<double> ids;
  std::optional<double> rate;  ///< a second
  std::string rate_text;       ///< as it was typed
  std::optional<double> seconds;

  [[nodiscard]] bool has_ticks() const { return tick_seconds > 0; }
};

/// The answer for one chance.
struct Threshold {
  double chance = 0;
  double ids = 0;                                ///< in all, or in one tick where no rate was given
  std::optional<double> seconds = std::nullopt;  ///< until then, at the rate
};

std::unexpected<int> wrong(std::string_view words) { return std::unexpected(usage_error(words)); }

OrExit<const Draw*> find_draw(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Draw& draw : kDraws) {
    if (draw.scheme == name) return &draw;
    names.push_back(draw.scheme);
  }
  if (name == "uuid8") return wrong("what is random in a uuid8 is its maker's choice: use --bits");
  if (const CatalogueRow* row = find_scheme(name)) {
    const unsigned bits = node_bits(*row);
    if (bits == 0) return wrong(fmt::format("nothing in {} is left to chance", name));
    return wrong(
        fmt::format("{} is unique by the number of its worker, not by chance; for workers that "
                    "draw their number "
                    "at random: mintmark collide --bits {} --ids WORKERS",
                    name, bits));
  }
  for (const CatalogueRow& row : kCatalogue) names.push_back(row.name);
  const std::string hint = mint::did_you_mean(name, names);
  return wrong(fmt::format("there is no scheme '{}'{}", name,
                           hint.empty() ? "; or say how much is random: --bits N" : hint));
}

OrExit<std::optional<double>> whole_option(const Arguments& arguments, std::string_view name,
                                           double least, double most) {
  const auto text = arguments.value(name);
  if (!text) return std::nullopt;
  const auto whole = parse_whole(*text);
  if (!whole || static_cast<double>(*whole) < least || static_cast<double>(*whole) > most) {
    return wrong(fmt::format("--{}: {} is no whole number from {} to {}", name, shown(*text),
                             count_words(least), count_words(most)));
  }
  return static_cast<double>(*whole);
}

using Reader = std::optional<double> (*)(std::string_view);

OrExit<std::optional<double>> read_option(const Arguments& arguments, std::string_view name,
                                          Reader read, std::string_view example) {
  const auto text = arguments.value(name);
  if (!text) return std::nullopt;
  const auto value = read(*text);
  if (!value) return wrong(fmt::format("--{}: {} is not like {}", name, shown(*text), example));
  return value;
}

/// Reads the space from the scheme, --bits, or --alphabet and --size.
OrExit<Question> read_space(const Arguments& arguments) {
  Question question;
  auto bits = whole_option(arguments, "bits", 1, ValueSpace::kMostBits);
  if (!bits) return std::unexpected(bits.error());
  auto alphabet = whole_option(arguments, "alphabet", 2, kMostAlphabet);
  if (!alphabet) return std::unexpected(alphabet.error());
  auto size = whole_option(arguments, "size", 1, kMostSize);
  if (!size) return std::unexpected(size.error());
  if (!arguments.operands.empty()) {
    if (*bits) return wrong("a scheme, or --bits, but not both");
    const auto draw = find_draw(arguments.operands.front());
    if (!draw) return std::unexpected(draw.error());
    question.name = (*draw)->scheme;
    question.tick_seconds = (*draw)->tick_seconds;
    question.drawn = (*draw)->drawn;
    question.remark = (*draw)->remark;
    if ((*draw)->alphabet == 0) {
      if (*alphabet || *size)
        return wrong("--alphabet and --size are for nanoid, or for no scheme at all");
      *bits = (*draw)->bits;
    } else {
      *alphabet = alphabet->value_or((*draw)->alphabet);
      *size = size->value_or((*draw)->size);
    }
  }
  if (*bits && (*alphabet || *size)) return wrong("--bits, or --alphabet and --size, but not both");
  if (alphabet->has_value() != size->has_value()) return wrong("--alphabet and --size go together");
  if (!*bits && !*alphabet) return wrong("of what? a scheme, --bits N, or --alphabet N --size L");
  auto counter = whole_option(arguments, "counter", 0, 73);
  if (!counter) return std::unexpected(counter.error());
  if (*counter && !question.has_ticks())
    return wrong("--counter is for a scheme whose IDs begin with their time");
  question.space = *bits ? ValueSpace::of_bits(**bits - counter->value_or(0))
                         : ValueSpace::of_text(**alphabet, **size);
  return question;
}

OrExit<Question> read_question(const Arguments& arguments) {
  auto question = read_space(arguments);
  if (!question) return question;
  const auto ids = whole_option(arguments, "ids", 1, std::exp2(127));
  if (!ids) return std::unexpected(ids.error());
  const auto rate = read_option(arguments, "rate", parse_rate, "200/s, 1k/h or 1M/d");
  if (!rate) return std::unexpected(rate.error());
  const auto length = read_option(arguments, "for", parse_length, "90d, 10y or 1h");
  if (!length) return std::unexpected(length.error());
  if (*ids && *rate) return wrong("--ids, or --rate, but not both");
  if (*length && !*rate) return wrong("--for needs --rate");
  question->ids = *ids;
  question->rate = *rate;
  question->rate_text = arguments.value("rate").value_or("");
  question->seconds = *length;
  if (*rate && *length && !question->has_ticks()) question->ids = std::round(**rate * **length);
  return question;
}

/// The chance that was asked for, if the question has all it takes.
std::optional<Chance> chance_of(const Question& question) {
  if (question.ids) return Chance::of_log_hazard(log_hazard(*question.ids, question.space));
  if (!question.has_ticks() || !question.rate || !question.seconds) return std::nullopt;
  const double ticks = *question.seconds / question.tick_seconds;
  const double mean = *question.rate * question.tick_seconds;
  return Chance::of_log_hazard(std::log(ticks) + log_hazard_of_mean(mean, question.space));
}

std::vector<Threshold> thresholds_of(const Question& question) {
  std::vector<Threshold> thresholds;
  for (const double chance : kChances) {
    Threshold threshold{.chance = chance};
    if (question.has_ticks() && question.rate) {
      const double mean = *question.rate * question.tick_seconds;
      threshold.seconds = ticks_for(chance, mean, question.space) * question.tick_seconds;
      threshold.ids = *threshold.seconds * *question.rate;
    } else {
      threshold.ids = ids_for(chance, question.space);
      if (question.rate) threshold.seconds = threshold.ids / *question.rate;
    }
    thresholds.push_back(threshold);
  }
  return thresholds;
}

/// `9.404e-14`, also far below what a double can hold.
std::string chance_words(const Chance& chance) {
  const double log10 = chance.log10();
  if (std::isinf(log10)) return "0";  // one alone is like no other
  if (chance.value() > 0.9999) return "above 0.9999";
  if (log10 > -3) return number_words(chance.value());
  double power = std::floor(log10);
  std::string digits = fmt::format("{:.3f}", std::pow(10.0, log10 - power));
  if (digits == "10.000") {
    digits = "1.000";
    ++power;
  }
  return fmt::format("{}e{:.0f}", digits, power);
}

std::string tick_words(const Question& question) {
  const std::string words = length_words(question.tick_seconds);
  return words.starts_with("1 ") ? words.substr(2) : words;
}

std::string to_text(const Question& question) {
  const std::string each =
      question.has_ticks() ? fmt::format(", anew in each {}", tick_words(question)) : "";
  std::string out =
      fmt::format("{:<11} {} random bits{}\n", question.name.empty() ? "space" : question.name,
                  number_words(question.space.bits()), each);
  const std::string in_tick =
      question.has_ticks() ? fmt::format(" in one {}", tick_words(question)) : "";
  if (question.ids) {
    out += fmt::format("{:<11} {}{}\n", question.drawn, count_words(*question.ids), in_tick);
  }
  if (question.rate) {
    out += fmt::format("{:<11} {}", "rate", question.rate_text);
    if (question.seconds) out += fmt::format(" for {}", length_words(*question.seconds));
    out += '\n';
  }
  if (const auto chance = chance_of(question)) {
    out += fmt::format("{:<11} {}", "chance", chance_words(*chance));
    if (chance->value() < 0.1 && chance->value() > 0)
      out += fmt::format(", 1 in {}", number_words(1 / chance->value()));
    out += '\n';
  }
  const bool in_all = !question.has_ticks() || question.rate.has_value();
  out += fmt::format("\n{:<11} {}{}", "chance", question.drawn, in_all ? "" : in_tick);
  if (question.rate)
    out += fmt::format("{:>{}} {}", "at", 24 - question.drawn.size(), question.rate_text);
  out += '\n';
  for (const Threshold& threshold : thresholds_of(question)) {
    out += fmt::format("{:<11g} {}", threshold.chance, count_words(threshold.ids));
    if (threshold.seconds) {
      out += fmt::format("{:>{}} {}", "in", 24 - count_words(threshold.ids).size(),
                         length_words(*threshold.seconds));
    }
    out += '\n';
  }
  if (!question.remark.empty()) out += fmt::format("\n{}", question.remark);
  return out;
}

std::string to_json(const Question& question) {
  std::string out =
      fmt::format("{{\"schema\":1,\"scheme\":{},\"bits\":{:.12g},\"tick_seconds\":{:g}",
                  question.name.empty() ? "null" : mint::json_text(question.name),
                  question.space.bits(), question.tick_seconds);
  out += fmt::format(",\"drawn\":{}", mint::json_text(question.drawn));
  if (question.ids) out += fmt::format(",\"ids\":\"{:.0f}\"", *question.ids);
  if (question.rate) out += fmt::format(",\"rate_per_second\":{:.12g}", *question.rate);
  if (question.seconds) out += fmt::format(",\"seconds\":{:.12g}", *question.seconds);
  if (const auto chance = chance_of(question)) {
    const double log10 = chance->log10();
    out += fmt::format(",\"probability\":{:.12g},\"log10_probability\":{}", chance->value(),
                       std::isinf(log10) ? "null" : fmt::format("{:.12g}", log10));
  }
  out += ",\"thresholds\":[";
  for (const Threshold& threshold : thresholds_of(question)) {
    if (out.back() != '[') out += ',';
    out +=
        fmt::format("{{\"probability\":{:g},\"ids\":\"{:.0f}\"", threshold.chance, threshold.ids);
    if (threshold.seconds) out += fmt::format(",\"seconds\":{:.12g}", *threshold.seconds);
    out += '}';
  }
  return out + "]}\n";
}

int run(const Arguments& arguments) {
  const auto question = read_question(arguments);
  if (!question) return question.error();
  return print(arguments.has("json") ? to_json(*question) : to_text(*question), kDone);
}

constexpr std::array kOptions{
    Option{"ids", "n", "N", "how many: 1e12, 2^40; in one tick for a scheme that has ticks"},
    Option{"rate", "r", "R", "how many a time: 200/s, 1k/h, 1M/d"},
    Option{"for", "", "T", "how long at that rate: 90d, 10y"},
    Option{"bits", "", "N", "no scheme: values of N random bits"},
    Option{"alphabet", "", "N", "no scheme or nanoid: texts of N different characters"},
    Option{"size", "", "L", "no scheme or nanoid: texts of L characters"},
    Option{"counter", "", "N", "uuid7, ulid: N bits less are random, a counter has them"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark collide uuid4 --ids 1e12", "among a million million UUIDv4"},
    Example{"mintmark collide nanoid --rate 1000/h", "when it becomes likely"},
    Example{"mintmark collide uuid7 --rate 1M/s --for 10y",
            "over all the milliseconds of ten years"},
    Example{"mintmark collide uuid7 --ids 1M", "of a million in one millisecond"},
    Example{"mintmark collide --bits 10 --ids 38", "38 workers that draw a number of 0 to 1023"},
    Example{"mintmark collide --alphabet 36 --size 8 --json", "short codes, for a script"},
};

}  // namespace

const Command kCollide{
    .name = "collide",
    .summary = "says how likely two random IDs are the same",
    .operands = "[SCHEME]",
    .fewest_operands = 0,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "IDs that begin with their time collide only within one tick of it. At a rate they are\n"
        "taken to be made independently of one another. All of it holds for good random bytes:\n"
        "not seeded with a constant, not copied with a virtual machine.\n",
    .run = run,
};

}  // namespace mintmark::cli
