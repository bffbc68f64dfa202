// layout: what a Snowflake layout means, before anybody lives with it.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/layout_report.h"
#include "cli/quantities.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

using Start = SnowflakePolicy::SequenceStart;

/// Powers of two, and the counts that shards, days and tables come in.
constexpr std::array kModuli{2u, 3u, 4u, 5u, 6u, 8u, 10u, 12u, 16u, 20u, 24u, 32u, 48u, 64u, 100u};

struct Way {
  Start start;
  Workers workers;
};
/// From the left to the right of the table.
constexpr std::array kWays{Way{Start::zero, Workers::one}, Way{Start::zero, Workers::all},
                           Way{Start::carry, Workers::one}, Way{Start::carry, Workers::all}};

/// 4194304000 -> 4,194,304,000; a fraction stays as it is.
std::string grouped(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}
std::string grouped(U128 value) { return grouped(digits_of(value)); }

double years(Duration length) {
  return std::chrono::duration<double, std::chrono::years::period>(length).count();
}

std::string distance(Instant then, Instant now) {
  const Duration length = then < now ? now - then : then - now;
  // A tenth of a year says nothing where it is days that are left.
  const std::string words = length < std::chrono::years{2}
                                ? length_words(std::chrono::duration<double>(length).count())
                                : fmt::format("{:.1f} years", years(length));
  return then < now ? fmt::format("{} ago", words) : fmt::format("in {}", words);
}

std::string_view name_of(FieldRole role) {
  constexpr std::array<std::string_view, 3> kNames{"time", "node", "sequence"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string_view name_of(Overlap::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames{"same_time", "given", "to_come", "never"};
  return kNames[static_cast<std::size_t>(kind)];
}

void put(std::string& out, std::string_view label, std::string_view words) {
  out += fmt::format("  {:<12} {}\n", label, words);
}

void put_fields(std::string& out, const SnowflakeLayout& layout) {
  for (const LayoutField& field : layout.fields()) {
    const U128 values =
        field.role == FieldRole::time ? U128{layout.last_tick()} + 1 : U128{1} << field.width;
    out += fmt::format("  {:<12} {:>2} bits  {:>2} to {:<2}  {} {}\n", field.name(), field.width,
                       field.shift + field.width - 1, field.shift, grouped(values),
                       field.role == FieldRole::time       ? "ticks"
                       : field.role == FieldRole::sequence ? "IDs a tick and worker"
                                                           : "values");
  }
}

void put_capacity(std::string& out, const SnowflakeLayout& layout) {
  put(out, "workers", grouped(layout.slot_count()));
  for (const Workers workers : {Workers::one, Workers::all}) {
    put(out, workers == Workers::one ? "capacity" : "",
        fmt::format("{} ID{} a tick, {} a second, of {}", grouped(ids_a_tick(layout, workers)),
                    ids_a_tick(layout, workers) == 1 ? "" : "s",
                    grouped(ids_a_second(layout, workers)),
                    workers == Workers::one ? "one worker" : "all workers"));
  }
}

void put_life(std::string& out, const SnowflakeLayout& layout, Instant now) {
  const auto at = [now](Instant time) {
    return fmt::format("{} ({})", TimeText{time}.view(), distance(time, now));
  };
  put(out, "first", at(layout.epoch()));
  put(out, "last", at(layout.instant_of(layout.last_tick())));
  const auto negative = exceeds(layout, low_bits(63));
  put(out, layout.signedness() == Signedness::is_signed ? "signed" : "unsigned",
      negative ? fmt::format("from {} on negative in a signed 64-bit column", at(*negative))
               : "never negative in a signed 64-bit column");
  const auto rounded = exceeds(layout, low_bits(53));
  put(out, "javascript",
      rounded ? fmt::format("from {} on 2^53 and more: send text", at(*rounded))
              : "every ID is below 2^53 and exact as a number");
  put(out, "order",
      layout.sorts_by_time() ? "IDs sort by time"
                             : "IDs do not sort by time: a field stands above it");
}

void put_residues(std::string& out, const SnowflakeLayout& layout) {
  out +=
      "\n  id mod n, one ID a tick: how many residues occur, and the share of the commonest\n"
      "          sequence starts at 0           carried over (the default)\n"
      "       n  one worker    all workers      one worker    all workers\n";
  for (const unsigned n : kModuli) {
    std::string row = fmt::format("  {:>6}", n);
    for (const Way& way : kWays) {
      const Residues residues = residues_of(layout, n, way.start, way.workers);
      const bool begins = way.workers == Workers::one && way.start == Start::carry;
      row += fmt::format("{}{:>4} {:>5.1f} %", begins ? "     " : "  ", residues.count,
                         100 * residues.busiest);
    }
    out += row + "\n";
  }
  const auto say_why = [&](Start start, std::string_view when) {
    const unsigned bits = constant_bits(layout, start);
    put(out, "",
        bits == 0 ? fmt::format("{}: the lowest bit of a worker's IDs moves", when)
                  : fmt::format("{}: the lowest {} bits of all of a worker's IDs are the "
                                "same, so 2^k has one residue up to 2^{}",
                                when, bits, bits));
  };
  if (layout.sequence_bits() == 0) {
    say_why(Start::zero, "no sequence");
  } else {
    say_why(Start::zero, "from 0");
    say_why(Start::carry, "carried");
  }
}

void put_overlaps(std::string& out, const SnowflakeLayout& layout, Instant now) {
  const auto overlaps = overlaps_of(layout, now);
  if (overlaps.empty()) return;
  out += "\n  the values of now in other layouts: in one column they collide\n";
  for (const Overlap& overlap : overlaps) {
    std::string words;
    if (overlap.kind == Overlap::Kind::never) words = "beyond its end";
    if (overlap.kind == Overlap::Kind::same_time) words = "gives them now as well";
    if (overlap.kind == Overlap::Kind::given)
      words = fmt::format("gave them at {}", TimeText{*overlap.time}.view());
    if (overlap.kind == Overlap::Kind::to_come)
      words = fmt::format("will give them at {}", TimeText{*overlap.time}.view());
    put(out, overlap.name, words);
  }
}

std::string to_text(const KnownLayout& known, Instant now) {
  const SnowflakeLayout& layout = known.layout;
  std::string out = known.name.empty() ? "" : fmt::format("{}  ", known.name);
  out += text_of(layout) + "\n";
  put_fields(out, layout);
  out += '\n';
  put_capacity(out, layout);
  put_life(out, layout, now);
  put_residues(out, layout);
  put_overlaps(out, layout, now);
  return out;
}

std::string json_time(const std::optional<Instant>& time) {
  return time ? mint::json_text(TimeText{*time}.view()) : "null";
}

std::string json_residues(const SnowflakeLayout& layout, unsigned n) {
  std::string out = fmt::format("{{\"n\":{}", n);
  for (const Way& way : kWays) {
    const Residues residues = residues_of(layout, n, way.start, way.workers);
    out += fmt::format(",\"{}_{}\":{{\"count\":{},\"busiest\":{:.6f}}}",
                       way.start == Start::zero ? "zero" : "carry",
                       way.workers == Workers::one ? "one_worker" : "all_workers", residues.count,
                       residues.busiest);
  }
  return out + '}';
}

std::string to_json(const KnownLayout& known, Instant now) {
  const SnowflakeLayout& layout = known.layout;
  std::string out = fmt::format(
      "{{\"schema\":1,\"name\":{},\"layout\":{},\"signed\":{},\"sorts_by_time\":{},\"fields\":[",
      known.name.empty() ? "null" : mint::json_text(known.name), mint::json_text(text_of(layout)),
      layout.signedness() == Signedness::is_signed, layout.sorts_by_time());
  const auto next = [&out](std::string_view item) {
    if (out.back() != '[') out += ',';
    out += item;
  };
  for (const LayoutField& field : layout.fields()) {
    next(fmt::format("{{\"name\":{},\"role\":{},\"bits\":{},\"lowest_bit\":{}}}",
                     mint::json_text(field.name()), mint::json_text(name_of(field.role)),
                     field.width, field.shift));
  }
  out += fmt::format("],\"workers\":\"{}\"", layout.slot_count());
  for (const Workers workers : {Workers::one, Workers::all}) {
    const std::string_view suffix = workers == Workers::one ? "" : "_all_workers";
    out +=
        fmt::format(",\"ids_a_tick{}\":\"{}\",\"ids_a_second{}\":\"{}\"", suffix,
                    digits_of(ids_a_tick(layout, workers)), suffix, ids_a_second(layout, workers));
  }
  out += fmt::format(
      ",\"first\":{},\"last\":{},\"years_left\":{:.2f},\"ended\":{},\"largest\":\"{}\","
      "\"negative_from\":{},\"inexact_in_javascript_from\":{},\"residues\":[",
      json_time(layout.epoch()), json_time(layout.instant_of(layout.last_tick())),
      std::max(0.0, years(layout.end() - now)), life_of(layout, now) == Life::ended,
      layout.largest(), json_time(exceeds(layout, low_bits(63))),
      json_time(exceeds(layout, low_bits(53))));
  for (const unsigned n : kModuli) next(json_residues(layout, n));
  out += "],\"overlaps\":[";
  for (const Overlap& overlap : overlaps_of(layout, now)) {
    next(fmt::format("{{\"layout\":\"{}\",\"kind\":\"{}\",\"time\":{}}}", overlap.name,
                     name_of(overlap.kind), json_time(overlap.time)));
  }
  out += "],\"warnings\":[";
  for (const std::string& warning : warnings_of(layout, now)) next(mint::json_text(warning));
  return out + "]}\n";
}

int run(const Arguments& arguments) {
  std::string text;
  for (const std::string& operand : arguments.operands) {
    if (!text.empty()) text += ' ';
    text += operand;
  }
  const auto known = find_layout(text);
  if (!known) return usage_error(known.error());
  const Instant now = io::wall_now();
  const int code = life_of(known->layout, now) == Life::ended ? kInvalid : kDone;
  const int printed =
      print(arguments.has("json") ? to_json(*known, now) : to_text(*known, now), code);
  for (const std::string& warning : warnings_of(known->layout, now)) say(warning);
  return printed;
}

constexpr std::array kOptions{kJsonOption};
constexpr std::array kExamples{
    Example{"mintmark layout twitter", "a layout by its name: twitter, discord, js53, tsid, ..."},
    Example{"mintmark layout time:41 worker:10 seq:12 epoch=2026-01-01", "or spelled out"},
    Example{"mintmark layout instagram --json", "the same for a script"},
};

}  // namespace

const Command kLayout{
    .name = "layout",
    .summary = "says what a Snowflake layout has room for, and until when",
    .operands = "LAYOUT",
    .fewest_operands = 1,
    .most_operands = 16,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Exit code 1 if the time field has ended. The text form of layouts:\n"
        "docs/reference/scheme/snowflake.md.\n",
    .run = run,
};

}  // namespace mintmark::cli
