// validate: says of each text whether it is an ID, by its exit code and a line each.
#include <array>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/schemes.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "io/os_clock.h"
#include "mint/inspect.h"
#include "mint/json_text.h"
#include "mint/recognize.h"

namespace mintmark::cli {
namespace {

/// What is known of one text.
struct Verdict {
  std::string_view scheme;  ///< empty if it is invalid
  std::string why;          ///< why it is
  std::uint64_t position = 0;
};

Verdict judge(std::string_view text, const CatalogueRow* wanted, Instant now) {
  const CatalogueRow& row = wanted != nullptr ? *wanted : mint::closest_scheme(text);
  if (wanted == nullptr) {
    const auto candidates = mint::recognize(text, now);
    if (!candidates.empty()) return {candidates.front().row->name, {}};
  } else if (wanted->parse(text)) {
    return {wanted->name, {}};
  }
  const Error error = row.parse(text).error();
  return {{}, mint::explain_as(row, text, error), error.position()};
}

class Verdicts {
 public:
  Verdicts(const Arguments& arguments, const CatalogueRow* wanted)
      : json_(arguments.has("json")),
        quiet_(arguments.has("quiet")),
        wanted_(wanted),
        out_(STDOUT_FILENO) {
    if (json_) out_.put("{\"schema\":1,\"results\":[");
  }

  bool add(std::string_view text, std::uint64_t line) {
    const Verdict verdict = judge(text, wanted_, io::wall_now());
    const bool valid = !verdict.scheme.empty();
    if (!valid) code_ = kInvalid;
    if (json_) {
      put_json(text, verdict);
    } else if (!quiet_) {
      out_.put(fmt::format("{}\t{}\t{}\n", valid ? "valid" : "invalid",
                           valid ? verdict.scheme : "-", text));
    }
    if (!valid && !quiet_) {
      out_.flush();
      say(fmt::format("{}{}: {}", line > 0 ? fmt::format("stdin:{}: ", line) : "", shown(text),
                      verdict.why));
    }
    return out_.is_open();
  }

  int finish(int code) {
    if (json_) out_.put("]}\n");
    return cli::finish(out_, code != kDone ? code : code_);
  }

 private:
  void put_json(std::string_view text, const Verdict& verdict) {
    out_.put(fmt::format("{}{{\"input\":{},\"valid\":{}", first_ ? "" : ",\n",
                         mint::json_text(text), !verdict.scheme.empty()));
    first_ = false;
    out_.put(verdict.scheme.empty()
                 ? fmt::format(",\"error\":{},\"position\":{}}}", mint::json_text(verdict.why),
                               verdict.position)
                 : fmt::format(",\"scheme\":{}}}", mint::json_text(verdict.scheme)));
  }

  const bool json_;
  const bool quiet_;
  const CatalogueRow* wanted_;
  bool first_ = true;
  int code_ = kDone;
  io::BlockWriter out_;
};

int run(const Arguments& arguments) {
  const auto wanted = scheme_option(arguments);
  if (!wanted) return wanted.error();
  Verdicts verdicts{arguments, *wanted};
  const int code = each_input(
      arguments, "validate what? mintmark validate ID..., or IDs on stdin",
      [&](std::string_view text, std::uint64_t line) { return verdicts.add(text, line); });
  return code == kUsage ? code : verdicts.finish(code);
}

constexpr std::array kOptions{
    kSchemeOption,
    Option{"quiet", "q", "", "nothing but the exit code"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark validate 01ARZ3NDEKTSV4RRFFQ69G5FAV", "any scheme will do"},
    Example{"mintmark validate -s uuid7 017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "this one only"},
    Example{"mintmark new ulid -n 1k | mintmark validate -q -s ulid && echo good",
            "for scripts: only the exit code"},
};

}  // namespace

const Command kValidate{
    .name = "validate",
    .summary = "says whether texts are IDs",
    .operands = "[ID...|-]",
    .fewest_operands = 0,
    .most_operands = 1'000'000,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "A line each: valid or invalid, the scheme, the text, with tabs between them.\n"
        "Exit code 1 if any text is invalid. Texts are read strictly: a blank or a line end\n"
        "inside or behind one is a mistake, only the end of an input line is not part of it.\n",
    .run = run,
};

}  // namespace mintmark::cli
