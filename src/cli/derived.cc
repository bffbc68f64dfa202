#include "cli/derived.h"

#include <array>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/words.h"
#include "mint/inspect.h"
#include "mintmark/scheme/uuid_namespace.h"
#include "mintmark/scheme/uuid_v3.h"
#include "mintmark/scheme/uuid_v5.h"
#include "mintmark/scheme/uuid_v8.h"

namespace mintmark::cli {
namespace {

/// A name in a namespace as a UUID.
using Derive = Uuid (*)(const Uuid& space, std::string_view name);

struct DerivedRow {
  std::string_view scheme;
  Derive derive;
};
constexpr std::array kRows{
    DerivedRow{
        UuidV3::facts.name,
        [](const Uuid& space, std::string_view name) { return UuidV3::of(space, name).uuid(); }},
    DerivedRow{
        UuidV5::facts.name,
        [](const Uuid& space, std::string_view name) { return UuidV5::of(space, name).uuid(); }},
    DerivedRow{UuidV8::facts.name,
               [](const Uuid& space, std::string_view name) {
                 return UuidV8::name_based(space, name).uuid();
               }},
};

void put(IdOutput& out, const Uuid& id) {
  std::array<char, 36> text{};
  id.write(text);
  out.put({text.data(), text.size()}, id.bytes());
}

/// The 122 bits that are free in a UUIDv8, from 32 digits or a UUID of any spelling.
int make_custom(const std::string& digits, const OutputForm& form) {
  const auto bits = Uuid::parse(digits);
  if (!bits) {
    return usage_error(fmt::format("--custom: {} is not 32 hexadecimal digits: {} at {}",
                                   shown(digits), bits.error().row().sentence,
                                   bits.error().position()));
  }
  IdOutput out{form};
  put(out, Uuid::of_version(8, bits->high(), bits->low()));
  return out.finish(kDone);
}

int make_named(const DerivedRow& row, const Uuid& space, const Arguments& arguments,
               const OutputForm& form) {
  const auto name = arguments.value("name");
  if (!name && io::is_terminal(STDIN_FILENO)) {
    return usage_error(fmt::format("{} of which name? --name NAME, or names on stdin", row.scheme));
  }
  IdOutput out{form};
  if (name) {
    put(out, row.derive(space, *name));
    return out.finish(kDone);
  }
  io::BlockReader in{STDIN_FILENO};
  std::string_view line;
  for (std::uint64_t number = 1; out.is_open() && in.next_line(line); ++number) {
    // A name that was cut would get the ID of another one.
    if (line.size() >= io::BlockReader::kLongestLine) {
      out.break_off();
      say(fmt::format("stdin:{}: a name of 64 KiB or more", number));
      return kInvalid;
    }
    put(out, row.derive(space, line));
  }
  if (!in.failed()) return out.finish(kDone);
  out.break_off();
  say(fmt::format("standard input: {}", in.reason()));
  return kInvalid;
}

}  // namespace

std::optional<int> make_derived(std::string_view scheme, const Arguments& arguments,
                                const OutputForm& form) {
  const auto* const row = std::ranges::find(kRows, scheme, &DerivedRow::scheme);
  if (row == kRows.end()) return std::nullopt;
  for (const std::string_view option :
       {"layout", "worker", "datacenter", "shard", "machine", "node", "prefix", "alphabet", "size",
        "bits", "form", "seed", "now"}) {
    if (arguments.has(option)) {
      return usage_error(fmt::format("--{} changes nothing in {}: it is derived", option, scheme));
    }
  }
  if (arguments.has("count")) {
    return usage_error(
        fmt::format("{} is derived: the same name always gives the same ID, so there is "
                    "one of each; give several names on stdin",
                    scheme));
  }
  if (const auto custom = arguments.value("custom")) {
    if (scheme != UuidV8::facts.name) return usage_error("--custom is for uuid8");
    if (arguments.has("namespace") || arguments.has("name"))
      return usage_error("a uuid8 is --custom bits or a --name in a --namespace, not both");
    return make_custom(*custom, form);
  }
  const auto text = arguments.value("namespace");
  if (!text) {
    return usage_error(
        fmt::format("{} is a name in a namespace: --namespace @url --name "
                    "https://example.com/{}",
                    scheme, scheme == UuidV8::facts.name ? "; or --custom HEX" : ""));
  }
  const auto space = namespaces::parse(*text);
  if (!space) {
    return usage_error(
        fmt::format("--namespace: {} is not @dns, @url, @oid, @x500 or a UUID", shown(*text)));
  }
  return make_named(*row, *space, arguments, form);
}

}  // namespace mintmark::cli
