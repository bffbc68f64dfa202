// new: makes IDs, as many as asked for, in constant memory.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/derived.h"
#include "cli/id_output.h"
#include "cli/source.h"
#include "cli/space_options.h"
#include "cli/words.h"

namespace mintmark::cli {
namespace {

/// IDs that are made at once: a clock reading and a compare-and-swap for all of them.
constexpr std::size_t kBatch = 1024;

/// Makes and writes them; returns the exit code.
int make(Source& source, std::uint64_t count, const OutputForm& form) {
  IdOutput out{form};
  const mint::Space& space = source.space();
  std::vector<std::byte> bytes(kBatch * space.width());
  for (std::uint64_t left = count; left > 0 && out.is_open();) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBatch));
    const auto made = source.fill(std::span{bytes}.first(wanted * space.width()));
    if (!made) {
      out.break_off();
      return source.report(made.error());
    }
    out.put(space, std::span<const std::byte>{bytes}.first(*made * space.width()));
    if (count != kEndless) left -= *made;
  }
  return out.finish(kDone);
}

int run(const Arguments& arguments) {
  const auto form = output_form(arguments);
  if (!form) return form.error();
  const std::string scheme =
      arguments.operands.empty() ? std::string{UuidV7::facts.name} : arguments.operands.front();
  if (const auto code = make_derived(scheme, arguments, **form)) return *code;
  const std::string text = arguments.value("count").value_or("1");
  const auto count = parse_count(text);
  if (!count) {
    return usage_error(
        fmt::format("--count: '{}' is no count; write 100, 1k, 1M, 1e6 or inf", text));
  }
  if (*count == kEndless && (*form)->name == "json") {
    return usage_error("--output json never ends with --count inf; use jsonl, one document a line");
  }
  auto source = Source::open(scheme, arguments, *count);
  if (!source) return source.error();
  return make(*source, *count, **form);
}

constexpr std::array kOptions{
    Option{"count", "nC", "N", "how many: 100, 1k, 1M, 1e6 or inf; default 1"},
    kOutputOption,
    Option{"json", "", "", "the same as --output json: one array"},
    kLayoutOption,
    kWorkerOption,
    kDatacenterOption,
    kShardOption,
    kMachineOption,
    kNodeOption,
    kPrefixOption,
    kAlphabetOption,
    kSizeOption,
    kBitsOption,
    kTextFormOption,
    kNamespaceOption,
    kNameOption,
    kCustomOption,
    kSeedOption,
    kNowOption,
    Option{"store", "", "URL", "where worker numbers come from; none goes without; MINTMARK_STORE"},
    kAllowUnsafeOption,
    kConfigOption,
};
constexpr std::array kExamples{
    Example{"mintmark new", "one UUIDv7"},
    Example{"mintmark new ulid -n 5", "five ULIDs that rise"},
    Example{"mintmark new snowflake -n 1k --json", "a thousand Snowflakes, as text in an array"},
    Example{"mintmark new instagram --shard 7", "one of Instagram's layout, of this shard"},
    Example{"mintmark new typeid --prefix user", "user_... and a UUIDv7"},
    Example{"mintmark new nanoid --alphabet 0123456789 --size 8", "eight digits by chance"},
    Example{"mintmark new token", "160 secret bits, for an address that nobody may guess"},
    Example{"mintmark new uuid5 --namespace @dns --name www.example.com", "always the same one"},
    Example{"mintmark new uuid4 -n inf | head -n 3", "as many as somebody reads"},
};

}  // namespace

const Command kNew{
    .name = "new",
    .summary = "makes IDs",
    .operands = "[SCHEME|SPACE]",
    .fewest_operands = 0,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Schemes: uuid1 uuid3 uuid4 uuid5 uuid6 uuid7 (the default) uuid8 ulid ksuid xid objectid\n"
        "nanoid cuid2 tsid pushid typeid snowflake discord instagram sonyflake sonyflake2 "
        "mastodon\n"
        "leaf js53 rowid block bitreversed shardfirst; and token. Spaces: as the configuration "
        "names them.\n"
        "With another layout a snowflake comes from a space of its own, for example\n"
        "snowflake:discord, whether it was named by --layout or by itself.\n",
    .run = run,
};

}  // namespace mintmark::cli
