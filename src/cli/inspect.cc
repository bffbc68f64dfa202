// inspect: says what IDs are, from arguments or from lines of standard input.
#include "mint/inspect.h"

#include <array>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "io/os_clock.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

void put_card(io::BlockWriter& out, const mint::Reading& reading) {
  out.put(fmt::format("{}  {}\n", reading.canonical, reading.title));
  for (const mint::FieldReading& field : reading.fields) {
    out.put(fmt::format("  {:<12} {:>2} bits  {}", field.name, field.bits, field.value));
    out.put(field.meaning.empty() ? "\n" : fmt::format("  {}\n", field.meaning));
  }
  out.put(
      fmt::format("  {:<12} 0x{}\n  {:<12} {}\n", "bytes", reading.hex, "because", reading.reason));
}

/// The answers as they go out, in either form.
class Answers {
 public:
  explicit Answers(const Arguments& arguments)
      : json_(arguments.has("json")), all_(arguments.has("all")), out_(STDOUT_FILENO) {
    if (json_) out_.put("[");
  }

  void answer(std::string_view text) {
    const auto readings = mint::inspect(text, io::wall_now());
    if (!readings) {
      refuse(text, mint::explain(text, readings.error()));
    } else if (json_) {
      put_document(mint::to_json(text, *readings));
    } else {
      put_cards(*readings);
    }
  }

  [[nodiscard]] bool wanted() const { return out_.is_open(); }

  int finish() {
    if (json_) out_.put("]\n");
    return cli::finish(out_, code_);
  }

 private:
  void refuse(std::string_view text, const std::string& why) {
    code_ = kInvalid;
    if (json_)
      put_document(fmt::format("{{\"schema\":1,\"input\":{},\"error\":{}}}", mint::json_text(text),
                               mint::json_text(why)));
    out_.flush();  // words and data in their order where both go to one terminal
    say(fmt::format("{} is not an ID: {}", shown(text), why));
  }

  void put_document(std::string_view document) {
    if (!first_) out_.put(",\n");
    first_ = false;
    out_.put(document);
  }

  void put_cards(const std::vector<mint::Reading>& readings) {
    if (!first_) out_.put("\n");
    first_ = false;
    put_card(out_, readings.front());
    for (std::size_t i = 1; i < readings.size(); ++i) {
      if (all_) {
        out_.put("or\n");
        put_card(out_, readings[i]);
      } else {
        out_.put(fmt::format("  {:<12} {}: {}\n", "or", readings[i].title, readings[i].reason));
      }
    }
  }

  const bool json_;
  const bool all_;
  bool first_ = true;
  int code_ = kDone;
  io::BlockWriter out_;
};

int run(const Arguments& arguments) {
  std::vector<std::string> operands = arguments.operands;
  if (operands.empty()) {
    if (io::is_terminal(STDIN_FILENO))
      return usage_error("inspect what? mintmark inspect ID..., or IDs on stdin");
    operands.emplace_back("-");
  }
  Answers answers{arguments};
  for (const std::string& operand : operands) {
    if (operand != "-") {
      answers.answer(operand);
      continue;
    }
    io::BlockReader in{STDIN_FILENO};
    std::string_view line;
    while (answers.wanted() && in.next_line(line)) {
      if (!line.empty()) answers.answer(line);
    }
    if (in.failed()) {
      say(fmt::format("standard input: {}", in.reason()));
      static_cast<void>(answers.finish());
      return kInvalid;
    }
  }
  return answers.finish();
}

constexpr std::array kOptions{
    Option{"all", "a", "", "the other possible readings in full, not in one line each"},
    Option{"json", "", "", "one array, an object for each ID, whatever their number"},
};
constexpr std::array kExamples{
    Example{"mintmark inspect 01ARZ3NDEKTSV4RRFFQ69G5FAV", "a ULID, its time and its bits"},
    Example{"mintmark inspect 017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "a UUIDv7"},
    Example{"mintmark inspect --all 1541815603606036480", "a Snowflake in every layout"},
    Example{"mintmark new uuid7 -n 2 | mintmark inspect --json", "IDs from standard input"},
};

}  // namespace

const Command kInspect{
    .name = "inspect",
    .summary = "says what IDs are and what is in them",
    .operands = "[ID...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "A Snowflake does not say which layout it has: all that fit are given, likeliest first.\n"
        "Exit code 1 if any input is not an ID.\n",
    .run = run,
};

}  // namespace mintmark::cli
