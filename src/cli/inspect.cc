// inspect: says what IDs are, from arguments or from lines of standard input.
#include "mint/inspect.h"

#include <array>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/card.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/schemes.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "io/os_clock.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

/// The answers as they go out, in either form.
class Answers {
 public:
  Answers(const Arguments& arguments, const CatalogueRow* wanted, CardStyle style)
      : json_(arguments.has("json")),
        all_(arguments.has("all")),
        wanted_(wanted),
        style_(style),
        out_(STDOUT_FILENO) {
    if (json_) out_.put("[");
  }

  void answer(std::string_view text, std::uint64_t line) {
    const auto readings = read(text);
    if (!readings) {
      refuse(text, line,
             wanted_ != nullptr ? mint::explain_as(*wanted_, text, readings.error())
                                : mint::explain(text, readings.error()));
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
  [[nodiscard]] Result<std::vector<mint::Reading>> read(std::string_view text) const {
    if (wanted_ == nullptr) return mint::inspect(text, io::wall_now());
    MINTMARK_TRY(reading, mint::inspect_as(*wanted_, text, io::wall_now()));
    return std::vector<mint::Reading>{std::move(reading)};
  }

  void refuse(std::string_view text, std::uint64_t line, const std::string& why) {
    code_ = kInvalid;
    if (json_)
      put_document(fmt::format("{{\"schema\":1,\"input\":{},\"error\":{}}}", mint::json_text(text),
                               mint::json_text(why)));
    out_.flush();  // words and data in their order where both go to one terminal
    say(fmt::format("{}{} is not {}: {}", line > 0 ? fmt::format("stdin:{}: ", line) : "",
                    shown(text), wanted_ == nullptr ? "an ID" : mint::title_of(*wanted_), why));
  }

  void put_document(std::string_view document) {
    if (!first_) out_.put(",\n");
    first_ = false;
    out_.put(document);
  }

  void put_cards(const std::vector<mint::Reading>& readings) {
    if (!first_) out_.put("\n");
    first_ = false;
    out_.put(card_of(readings.front(), style_));
    for (std::size_t i = 1; i < readings.size(); ++i) {
      if (all_) {
        out_.put("or\n");
        out_.put(card_of(readings[i], style_));
      } else {
        out_.put(fmt::format("  {:<12} {}: {}\n", "or", readings[i].title, readings[i].reason));
      }
    }
  }

  const bool json_;
  const bool all_;
  const CatalogueRow* wanted_;
  const CardStyle style_;
  bool first_ = true;
  int code_ = kDone;
  io::BlockWriter out_;
};

int run(const Arguments& arguments) {
  const auto wanted = scheme_option(arguments);
  if (!wanted) return wanted.error();
  const auto color = color_for(arguments, STDOUT_FILENO);
  if (!color) return color.error();
  const bool bits = arguments.has("bits") || *color == Color::on || io::is_terminal(STDOUT_FILENO);
  Answers answers{arguments, *wanted, {*color, bits ? Bits::shown : Bits::hidden}};
  const int code = each_input(arguments, "inspect what? mintmark inspect ID..., or IDs on stdin",
                              [&](std::string_view text, std::uint64_t line) {
                                answers.answer(text, line);
                                return answers.wanted();
                              });
  if (code == kUsage) return code;
  const int finished = answers.finish();
  return code != kDone ? code : finished;
}

constexpr std::array kOptions{
    Option{"all", "a", "", "the other possible readings in full, not in one line each"},
    kSchemeOption,
    Option{"bits", "b", "",
           "the bits too, with a letter for each field; a terminal has them anyway"},
    kColorOption,
    Option{"json", "", "", "one array, an object for each ID, whatever their number"},
};
constexpr std::array kExamples{
    Example{"mintmark inspect 01ARZ3NDEKTSV4RRFFQ69G5FAV", "a ULID, its time and its bits"},
    Example{"mintmark inspect 017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "a UUIDv7"},
    Example{"mintmark inspect --all 1541815603606036480", "a Snowflake in every layout"},
    Example{"mintmark inspect --bits -s discord 175928847299117063", "its bits, as Discord's"},
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
        "A kind that any number or word may be (bitreversed, shardfirst) is read when it is "
        "named.\n"
        "Exit code 1 if any input is not an ID.\n",
    .run = run,
};

}  // namespace mintmark::cli
