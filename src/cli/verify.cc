// verify: counts IDs, finds duplicates, and says whether they rise; any number of them in bounded memory.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "cli/verify_tally.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "io/file.h"
#include "mint/inspect.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

/// Below this the runs on the disk would be too many and too short.
constexpr std::uint64_t kLeastMemory = std::uint64_t{4} << 20;
/// Workers in the text form; the JSON form has all.
constexpr std::size_t kWorkersShown = 16;

/// How the input is cut into IDs: lines, or records of 8 or 16 bytes.
struct Input {
  std::vector<std::string> files;
  std::size_t record = 0;  ///< 0 for lines
};

std::string shown_name(const std::string& file) { return file == "-" ? "stdin" : file; }

Result<AnyId> parse_record(std::span<const std::byte> record, std::size_t size) {
  if (record.size() != size) return fail(Error::at(Fault::wrong_length, record.size()));
  if (size == sizeof(std::uint64_t)) return AnyId{IdKind::decimal, load_be<std::uint64_t>(record)};
  return AnyId{IdKind::uuid, load_be<U128>(record)};
}

/// Calls on(place number, text of a line or empty, ID or error) for each; place numbers count from 1.
/// False if reading failed or `on` gave false.
template <class On>
bool read_ids(io::BlockReader& in, std::size_t record_size, On&& on) {
  std::uint64_t number = 0;
  std::string_view line;
  std::span<const std::byte> record;
  if (record_size == 0) {
    while (in.next_line(line)) {
      ++number;
      if (!line.empty() && !on(number, line, parse_any(line))) return false;
    }
  } else {
    while (in.next_record(record_size, record)) {
      if (!on(++number, line, parse_record(record, record_size))) return false;
    }
  }
  return !in.failed();
}

std::string bad_words(std::string_view line, const Error& error) {
  if (line.empty()) return "the last record is not whole";
  return fmt::format("{} is not an ID: {}", shown(line), mint::explain(line, error));
}

int count_file(const std::string& file, std::size_t record_size, Tally& tally) {
  io::BlockReader in{file};
  tally.start_file(shown_name(file));
  const bool read = read_ids(
      in, record_size, [&](std::uint64_t number, std::string_view line, const Result<AnyId>& id) {
        if (id && tally.fits(*id)) return tally.add(*id);
        if (!id && !line.empty()) {
          if (const auto other = parse_other(line)) return tally.add(*other);
        }
        const Error error = id ? Error::at(Fault::value_overflow, 0) : id.error();
        tally.add_bad(fmt::format("{}:{}", shown_name(file), number),
                      id ? fmt::format("{} is not an ID of this layout", shown(line))
                         : bad_words(line, error));
        return true;
      });
  if (read) return kDone;
  say(fmt::format("{}: {}", shown_name(file), in.failed() ? in.reason() : tally.failure()));
  return kInvalid;
}

/// A second reading, for the few duplicates that are shown: where they stand. Only of plain files.
void find_places(const Input& input, Tally& tally) {
  for (const std::string& file : input.files) {
    const auto facts = io::facts_of(file);
    if (file == "-" || !facts || facts->kind != io::FileKind::plain) return;
  }
  for (const std::string& file : input.files) {
    io::BlockReader in{file};
    static_cast<void>(
        read_ids(in, input.record,
                 [&](std::uint64_t number, std::string_view line, const Result<AnyId>& id) {
                   const auto other = id || line.empty() ? std::nullopt : parse_other(line);
                   for (Duplicate& each : tally.shown()) {
                     const bool same = id ? each.id == *id : other && each.text == other->id.text();
                     if (same && each.places.size() < 2) {
                       each.places.push_back(fmt::format("{}:{}", file, number));
                     }
                   }
                   return true;
                 }));
  }
}

std::string order_words(const FileTally& file) {
  if (file.rises()) return "strictly rising";
  return fmt::format("not rising: {} below and {} equal to the one before", file.descents,
                     file.repeats);
}

std::string to_text(Tally& tally, std::string_view layout) {
  std::string out = fmt::format("{:<12}{}", "ids", tally.ids());
  for (const IdKind kind : {IdKind::decimal, IdKind::uuid, IdKind::ulid}) {
    if (tally.ids(kind) > 0) out += fmt::format("  {} {}", name(kind), tally.ids(kind));
  }
  for (const auto& [scheme, count] : tally.others()) out += fmt::format("  {} {}", scheme, count);
  out += fmt::format("\n{:<12}{}\n", "invalid", tally.bad());
  for (const BadLine& bad : tally.bad_lines())
    out += fmt::format("  {}: {}\n", bad.place, bad.words);
  out += fmt::format("{:<12}{}", "duplicates", tally.duplicates());
  out += tally.duplicated() == 0 ? "\n" : fmt::format("  of {} values\n", tally.duplicated());
  for (const Duplicate& each : tally.shown()) {
    out += fmt::format("  {}  {} times", each.text, each.times);
    for (const std::string& place : each.places) out += fmt::format("  {}", place);
    out += '\n';
  }
  for (const FileTally& file : tally.files()) {
    out += fmt::format("{:<12}{}: {}\n", "order", file.name, order_words(file));
  }
  const auto workers = tally.workers();
  if (!workers.empty())
    out += fmt::format("{:<12}{}, read as {}\n", "workers", workers.size(), layout);
  for (std::size_t i = 0; i < std::min(workers.size(), kWorkersShown); ++i) {
    out += fmt::format("  {:<10}{}\n", workers[i].first, workers[i].second);
  }
  if (workers.size() > kWorkersShown)
    out += fmt::format("  and {} more\n", workers.size() - kWorkersShown);
  return out;
}

/// The elements of a JSON array.
template <class Items, class Write>
std::string joined(const Items& items, Write&& write) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ',';
    out += write(item);
  }
  return out;
}

std::string to_json(Tally& tally, std::string_view layout) {
  const bool rising = std::ranges::all_of(tally.files(), &FileTally::rises);
  std::string out = fmt::format(
      "{{\"schema\":1,\"ids\":{},\"invalid\":{},\"duplicates\":{},\"duplicated_values\":{},"
      "\"rising\":{}",
      tally.ids(), tally.bad(), tally.duplicates(), tally.duplicated(), rising);
  out += fmt::format(",\"kinds\":{{\"decimal\":{},\"uuid\":{},\"ulid\":{}",
                     tally.ids(IdKind::decimal), tally.ids(IdKind::uuid), tally.ids(IdKind::ulid));
  for (const auto& [scheme, count] : tally.others())
    out += fmt::format(",{}:{}", mint::json_text(scheme), count);
  out += '}';
  out += fmt::format(",\"files\":[{}]", joined(tally.files(), [](const FileTally& file) {
                       return fmt::format(
                           "{{\"file\":{},\"ids\":{},\"descents\":{},\"repeats\":{}}}",
                           mint::json_text(file.name), file.ids, file.descents, file.repeats);
                     }));
  out +=
      fmt::format(",\"first_duplicates\":[{}]", joined(tally.shown(), [](const Duplicate& each) {
                    return fmt::format("{{\"id\":\"{}\",\"times\":{},\"places\":[{}]}}", each.text,
                                       each.times, joined(each.places, mint::json_text));
                  }));
  out += fmt::format(",\"first_invalid\":[{}]", joined(tally.bad_lines(), [](const BadLine& bad) {
                       return fmt::format("{{\"place\":{},\"error\":{}}}",
                                          mint::json_text(bad.place), mint::json_text(bad.words));
                     }));
  out +=
      fmt::format(",\"layout\":{},\"workers\":[{}]}}\n", mint::json_text(layout),
                  joined(tally.workers(), [](const auto& worker) {
                    return fmt::format("{{\"worker\":{},\"ids\":{}}}", worker.first, worker.second);
                  }));
  return out;
}

OrExit<Tally::Options> options_of(const Arguments& arguments) {
  Tally::Options options;
  const std::string memory = arguments.value("memory").value_or("256M");
  const auto bytes = parse_bytes(memory);
  if (!bytes || *bytes < kLeastMemory) {
    return std::unexpected(
        usage_error(fmt::format("--memory: '{}' is not 4M or more, such as 256M or 2G", memory)));
  }
  options.memory = static_cast<std::size_t>(*bytes);
  if (const auto text = arguments.value("layout")) {
    const auto layout = mint::read_layout(*text);
    if (!layout) return std::unexpected(usage_error("--layout: " + layout.error()));
    options.layout = *layout;
    options.layout_given = true;
  }
  return options;
}

int run(const Arguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return options.error();
  Input input{.files = arguments.operands};
  if (const auto size = arguments.value("binary")) {
    if (*size != "8" && *size != "16") return usage_error("--binary: an ID has 8 or 16 bytes");
    input.record = *size == "8" ? 8 : 16;
  }
  if (input.files.empty()) {
    if (io::is_terminal(STDIN_FILENO))
      return usage_error("verify what? mintmark verify FILE..., or IDs on stdin");
    input.files.emplace_back("-");
  }
  Tally tally{*options};
  int code = kDone;
  for (const std::string& file : input.files)
    code = std::max(code, count_file(file, input.record, tally));
  if (code != kDone) return code;
  if (!tally.finish()) {
    say(tally.failure());
    return kInvalid;
  }
  if (tally.duplicates() > 0) find_places(input, tally);
  const std::string layout = arguments.value("layout").value_or("twitter");
  const bool sound = tally.duplicates() == 0 && tally.bad() == 0;
  return print(arguments.has("json") ? to_json(tally, layout) : to_text(tally, layout),
               sound ? kDone : kInvalid);
}

constexpr std::array kOptions{
    Option{"binary", "b", "N", "records of 8 or 16 bytes, big-endian, instead of lines"},
    Option{"layout", "l", "L",
           "read decimal IDs as this layout's; default twitter, for the workers only"},
    Option{"memory", "m", "SIZE",
           "for the search of duplicates; default 256M, the rest goes to $TMPDIR"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark new uuid7 -n 100k | mintmark verify", "counts, duplicates and order"},
    Example{"mintmark verify ids.txt other.txt", "duplicates across files, with their lines"},
    Example{"mintmark new ulid -n 1k -o bin | mintmark verify -b 16", "the binary form"},
    Example{"mintmark verify --json --layout discord ids.txt", "Discord's IDs, for a script"},
};

}  // namespace

const Command kVerify{
    .name = "verify",
    .summary = "counts IDs, finds duplicates and looks at their order",
    .operands = "[FILE...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "One ID a line, of any kind that inspect names; empty lines are skipped. Exit code 1 if "
        "there\n"
        "are duplicates or lines that are no IDs; the order is only reported.\n",
    .run = run,
};

}  // namespace mintmark::cli
