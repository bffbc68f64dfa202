// new: makes IDs, as many as asked for, in constant memory.
#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/source.h"
#include "cli/words.h"
#include "io/blocks.h"
#include "mint/did_you_mean.h"

namespace mintmark::cli {
namespace {

/// IDs that are made at once: a clock reading and a compare-and-swap for all of them.
constexpr std::size_t kBatch = 1024;

/// How IDs are written: `before` and `after` each, `between` them, `open` and `close` around all.
struct Form {
  std::string_view name;
  std::string_view open;
  std::string_view before;
  std::string_view after;
  std::string_view between;
  std::string_view close;
};
constexpr std::array kForms{
    Form{"plain", "", "", "\n", "", ""},
    Form{"json", "[", "{\"id\":\"", "\"}", ",\n", "]\n"},
    Form{"jsonl", "", "{\"id\":\"", "\"}\n", "", ""},
    Form{"bin", "", "", "", "", ""},
};

constexpr const Form& kBinary = kForms.back();

/// REQUIRES: there is room.
void put(std::span<char>& room, std::string_view text) {
  std::copy(text.begin(), text.end(), room.begin());
  room = room.subspan(text.size());
}

void write_batch(const mint::Space& space, std::span<const std::byte> bytes, const Form& form,
                 bool first, io::BlockWriter& out) {
  const std::size_t width = space.width();
  const std::size_t longest =
      form.between.size() + form.before.size() + space.text_size() + form.after.size();
  for (; !bytes.empty(); bytes = bytes.subspan(width)) {
    std::span<char> room = out.room(longest);
    const std::size_t before = room.size();
    if (!first) put(room, form.between);
    first = false;
    put(room, form.before);
    room = room.subspan(space.write(bytes.first(width), room));
    put(room, form.after);
    out.used(before - room.size());
  }
}

/// Makes and writes them; returns the exit code.
int make(const Source& source, std::uint64_t count, const Form& form) {
  io::BlockWriter out{STDOUT_FILENO};
  const mint::Space& space = source.space();
  std::vector<std::byte> bytes(kBatch * space.width());
  out.put(form.open);
  for (std::uint64_t left = count; left > 0 && out.is_open();) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBatch));
    const auto made = source.fill(std::span{bytes}.first(wanted * space.width()));
    if (!made) {
      static_cast<void>(finish(out, kDone));
      return source.report(made.error());
    }
    const auto ids = std::span<const std::byte>{bytes}.first(*made * space.width());
    if (&form == &kBinary) {
      out.put(ids);
    } else {
      write_batch(space, ids, form, left == count, out);
    }
    if (count != kEndless) left -= *made;
  }
  out.put(form.close);
  return finish(out, kDone);
}

const Form* form_of(const Arguments& arguments) {
  const std::string name =
      arguments.value("output").value_or(arguments.has("json") ? "json" : "plain");
  std::vector<std::string_view> names;
  for (const Form& form : kForms) {
    if (form.name == name) return &form;
    names.push_back(form.name);
  }
  usage_error(fmt::format("--output: '{}' is not plain, json, jsonl or bin{}", name,
                          mint::did_you_mean(name, names)));
  return nullptr;
}

int run(const Arguments& arguments) {
  const Form* form = form_of(arguments);
  if (form == nullptr) return kUsage;
  const std::string text = arguments.value("count").value_or("1");
  const auto count = parse_count(text);
  if (!count) {
    return usage_error(
        fmt::format("--count: '{}' is no count; write 100, 1k, 1M, 1e6 or inf", text));
  }
  if (*count == kEndless && form->name == "json") {
    return usage_error("--output json never ends with --count inf; use jsonl, one document a line");
  }
  const auto source = Source::open(arguments.operands.front(), arguments, *count);
  if (!source) return source.error();
  return make(*source, *count, *form);
}

constexpr std::array kOptions{
    Option{"count", "nC", "N", "how many: 100, 1k, 1M, 1e6 or inf; default 1"},
    Option{"output", "o", "FORM", "plain, json, jsonl or bin (big-endian bytes); default plain"},
    Option{"json", "", "", "the same as --output json: one array"},
    Option{"layout", "l", "L", "snowflake: twitter, discord, instagram, sonyflake or widths"},
    Option{"worker", "w", "N", "snowflake: this worker number or none; default any free one"},
    Option{"store", "", "URL", "where worker numbers come from; none goes without; MINTMARK_STORE"},
    kConfigOption,
};
constexpr std::array kExamples{
    Example{"mintmark new uuid7", "one UUIDv7"},
    Example{"mintmark new ulid -n 5", "five ULIDs that rise"},
    Example{"mintmark new snowflake -n 1k --json", "a thousand Snowflakes, as text in an array"},
    Example{"mintmark new snowflake --layout discord", "one of Discord's layout"},
    Example{"mintmark new uuid4 -n inf | head -n 3", "as many as somebody reads"},
};

}  // namespace

const Command kNew{
    .name = "new",
    .summary = "makes IDs",
    .operands = "SCHEME|SPACE",
    .fewest_operands = 1,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Schemes: uuid7 uuid4 ulid snowflake block. Spaces: as the configuration names them.\n"
        "With --layout a snowflake comes from a space of its own, for example snowflake:discord.\n",
    .run = run,
};

}  // namespace mintmark::cli
