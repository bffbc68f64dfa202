// sort: puts IDs in the order that a database or a language would, any number of them in bounded memory.
#include <array>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/schemes.h"
#include "cli/sort_order.h"
#include "cli/text_sorter.h"
#include "cli/words.h"
#include "io/blocks.h"

namespace mintmark::cli {
namespace {

/// Below this the runs on the disk would be too many and too short.
constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 20;

std::string shown_name(const std::string& file) { return file == "-" ? "stdin" : file; }

/// Nothing that cannot be sorted is left out in silence: the first one ends the command.
int read_file(const std::string& file, SortKeys& keys, TextSorter& sorter) {
  io::BlockReader in{file};
  std::string_view line;
  for (std::uint64_t number = 1; in.next_line(line); ++number) {
    if (line.empty()) continue;
    const auto key = keys.key_of(line);
    if (!key) {
      say(fmt::format("{}:{}: {}", shown_name(file), number, key.error()));
      return kInvalid;
    }
    if (!sorter.add(key->view(), line)) {
      say(sorter.failure().detail);
      return kInvalid;
    }
  }
  if (!in.failed()) return kDone;
  say(fmt::format("{}: {}", shown_name(file), in.reason()));
  return kInvalid;
}

int write_sorted(TextSorter& sorter) {
  io::BlockWriter out{STDOUT_FILENO};
  const bool good = sorter.finish([&](std::string_view text) {
    out.put(text);
    out.put("\n");
    return out.is_open();
  });
  const int code = finish(out, kDone);
  if (good) return code;
  say(sorter.failure().detail);
  return kInvalid;
}

int run(const Arguments& arguments) {
  const auto wanted = scheme_option(arguments);
  if (!wanted) return wanted.error();
  auto keys = SortKeys::make(arguments.value("like").value_or("bytes"), *wanted);
  if (!keys) return usage_error("--like: " + keys.error());
  TextSorter::Options options;
  if (const auto text = arguments.value("memory")) {
    const auto memory = parse_bytes(*text);
    if (!memory || *memory < kLeastMemory) {
      return usage_error(fmt::format("--memory: {} is no size of 1M or more", shown(*text)));
    }
    options.memory = *memory;
  }
  if (arguments.has("reverse")) options.direction = Direction::descending;
  if (arguments.has("unique")) options.repeats = Repeats::dropped;
  std::vector<std::string> files = arguments.operands;
  if (files.empty()) {
    if (io::is_terminal(STDIN_FILENO))
      return usage_error("sort what? mintmark sort FILE..., or IDs on stdin");
    files.emplace_back("-");
  }
  TextSorter sorter{options};
  for (const std::string& file : files) {
    if (const int code = read_file(file, *keys, sorter); code != kDone) return code;
  }
  return write_sorted(sorter);
}

constexpr std::array kOptions{
    Option{"like", "l", "ORDER", "whose order; default bytes"},
    kSchemeOption,
    Option{"reverse", "r", "", "the largest first"},
    Option{"unique", "u", "", "one of those that are equal in the order"},
    Option{"memory", "m", "SIZE", "how much to use, such as 64M; default 256M"},
};
constexpr std::array kExamples{
    Example{"mintmark new uuid4 -n 5 | mintmark sort", "as PostgreSQL and RFC 9562 order them"},
    Example{"mintmark new uuid7 -n 5 | mintmark sort --like sqlserver",
            "as a uniqueidentifier column does"},
    Example{"mintmark new ulid -n 1k | mintmark sort --like text --reverse", "the newest first"},
};

}  // namespace

const Command kSort{
    .name = "sort",
    .summary = "puts IDs in the order of a database or language",
    .operands = "[FILE...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Orders: bytes (RFC 9562, PostgreSQL), text, signed, java, sqlserver, mysql-swap, "
        "mariadb,\n"
        "mariadb-old, clickhouse. One ID a line, all of one kind: that of the first, or of "
        "--scheme.\n"
        "What is more than the memory is sorted in a scratch file in $TMPDIR. The first line that "
        "is\n"
        "no such ID ends the command with exit code 1, before anything is written.\n",
    .run = run,
};

}  // namespace mintmark::cli
