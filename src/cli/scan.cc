// scan: finds IDs in logs and any other text, with their place, their kind and their time.
#include <array>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/id_finder.h"
#include "cli/schemes.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "io/os_clock.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

std::string shown_name(const std::string& file) { return file == "-" ? "stdin" : file; }

std::string time_of(const mint::Candidate& candidate) {
  const auto time = candidate.id.time();
  return time ? std::string{TimeText{*time}.view()} : std::string{};
}

/// What a command makes of the IDs of a line.
enum class Form : std::uint8_t { places, json, annotated };

class Scanner {
 public:
  Scanner(Form form, const CatalogueRow* wanted)
      : form_(form), wanted_(wanted), out_(STDOUT_FILENO) {}

  int scan(const std::string& file) {
    io::BlockReader in{file};
    form_ == Form::annotated ? copy(in) : list(in, shown_name(file));
    if (!in.failed()) return kDone;
    out_.flush();
    say(fmt::format("{}: {}", shown_name(file), in.reason()));
    return kInvalid;
  }

  int finish(int code) { return cli::finish(out_, code); }

 private:
  void list(io::BlockReader& in, const std::string& name) {
    std::string_view line;
    for (std::uint64_t number = 1; out_.is_open() && in.next_line(line); ++number) {
      find_ids(line, wanted_, io::wall_now(),
               [&](const Find& find) { put_place(name, number, find); });
    }
  }

  /// Every byte goes out as it came in, line ends too.
  void copy(io::BlockReader& in) {
    std::string_view piece;
    bool line_begins = true;
    while (out_.is_open() && in.next_piece(piece)) {
      std::size_t copied = 0;
      if (line_begins) {
        find_ids(piece, wanted_, io::wall_now(), [&](const Find& find) {
          const std::size_t end = find.at + find.text.size();
          out_.put(piece.substr(copied, end - copied));
          out_.put(note_of(find));
          copied = end;
        });
      }
      out_.put(piece.substr(copied));
      line_begins = piece.ends_with('\n');
    }
  }

  static std::string note_of(const Find& find) {
    const std::string time = time_of(find.candidate);
    return fmt::format("[{}]", time.empty() ? std::string{find.candidate.row->name} : time);
  }

  void put_place(const std::string& name, std::uint64_t line, const Find& find) {
    const std::string time = time_of(find.candidate);
    const std::string_view scheme = find.candidate.row->name;
    if (form_ == Form::json) {
      out_.put(fmt::format("{{\"file\":{},\"line\":{},\"column\":{},\"id\":{},\"scheme\":{}{}}}\n",
                           mint::json_text(name), line, find.at + 1, mint::json_text(find.text),
                           mint::json_text(scheme),
                           time.empty() ? "" : fmt::format(",\"time\":\"{}\"", time)));
    } else {
      out_.put(fmt::format("{}:{}:{}: {} {}{}{}\n", name, line, find.at + 1, scheme, find.text,
                           time.empty() ? "" : " ", time));
    }
  }

  const Form form_;
  const CatalogueRow* wanted_;
  io::BlockWriter out_;
};

int run(const Arguments& arguments) {
  const auto wanted = scheme_option(arguments);
  if (!wanted) return wanted.error();
  if (arguments.has("annotate") && arguments.has("json"))
    return usage_error("--annotate writes the text, --json writes what is in it: one of them");
  std::vector<std::string> files = arguments.operands;
  if (files.empty()) {
    if (io::is_terminal(STDIN_FILENO))
      return usage_error("scan what? mintmark scan FILE..., or text on stdin");
    files.emplace_back("-");
  }
  Scanner scanner{arguments.has("annotate") ? Form::annotated
                  : arguments.has("json")   ? Form::json
                                            : Form::places,
                  *wanted};
  int code = kDone;
  for (const std::string& file : files) {
    if (const int each = scanner.scan(file); each != kDone) code = each;
  }
  return scanner.finish(code);
}

constexpr std::array kOptions{
    Option{"annotate", "a", "", "copy the text, with the time of each ID behind it"},
    Option{"scheme", "s", "SCHEME",
           "only IDs of this one, and also those that words may look like"},
    Option{"json", "", "", "an object a line: file, line, column, id, scheme, time"},
};
constexpr std::array kExamples{
    Example{"echo 'job 01ARZ3NDEKTSV4RRFFQ69G5FAV done' | mintmark scan",
            "file:line:column, kind, ID and time"},
    Example{"echo 'job 01ARZ3NDEKTSV4RRFFQ69G5FAV done' | mintmark scan --annotate",
            "the same text with times in it"},
    Example{"echo 'tweet 1541815603606036480' | mintmark scan -s twitter",
            "numbers are IDs only when their layout is named"},
};

}  // namespace

const Command kScan{
    .name = "scan",
    .summary = "finds IDs in logs and other text",
    .operands = "[FILE...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "By itself it finds UUID, ULID, KSUID, XID, ObjectId, TypeID and push IDs of a plausible "
        "time.\n"
        "A number may be anything, and any word of 21 or 24 letters a NanoID or CUID2: name those "
        "with\n"
        "--scheme. Lines and columns count from 1; of a line above 64 KiB only the front is "
        "searched.\n",
    .run = run,
};

}  // namespace mintmark::cli
