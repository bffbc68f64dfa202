#include "cli/space_options.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/named_space.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/nanoid_form.h"

namespace mintmark::cli {
namespace {

using mint::SpaceConfig;

int unknown_space(const std::string& name, const mint::Config& config) {
  if (const CatalogueRow* row = find_scheme(name); row && row->minting == Minting::reads_only) {
    return usage_error(
        fmt::format("'{}' is read, not made; make a version of it: uuid7, uuid4", name));
  }
  std::vector<std::string_view> known;
  for (const SpaceConfig& space : config.spaces) known.push_back(space.name);
  for (const std::string_view scheme : mint::mintable_schemes()) {
    if (std::ranges::find(known, scheme) == known.end()) known.push_back(scheme);
  }
  for (const std::string_view derived : {"uuid3", "uuid5", "uuid8"}) known.push_back(derived);
  std::string words = fmt::format("there is no scheme or space '{}'", name);
  const std::string hint = mint::did_you_mean(name, known);
  if (!hint.empty()) return usage_error(words + hint);
  words += "; there are";
  for (const std::string_view each : known) words += fmt::format(" {}", each);
  return usage_error(words);
}

/// An option that says a field of the worker number, by the field's name in the layouts that have it.
struct NodeOption {
  std::string_view option;
  std::string_view field;
};
constexpr std::array kNodeOptions{
    NodeOption{"datacenter", "dc"},
    NodeOption{"shard", "shard"},
    NodeOption{"machine", "machine"},
    NodeOption{"node", "node"},
};

OrExit<std::uint64_t> number_of(const Arguments& arguments, std::string_view option) {
  const std::string text = *arguments.value(option);
  const auto number = parse_decimal(text);
  if (number) return *number;
  return std::unexpected(usage_error(fmt::format("--{}: {} is no number", option, shown(text))));
}

std::string fields_of(const SnowflakeLayout& layout) {
  std::string names;
  for (const LayoutField& field : layout.fields()) {
    if (field.role != FieldRole::node) continue;
    names += fmt::format("{}{} (0 to {})", names.empty() ? "" : ", ", field.name(),
                         low_bits(field.width));
  }
  return names.empty() ? "none" : names;
}

/// The slot by its fields: every one has to be said.
OrExit<void> apply_fields(mint::SnowflakeConfig& snowflake, const Arguments& arguments,
                          std::vector<FieldValue> values) {
  if (arguments.has("worker")) {
    const auto number = number_of(arguments, "worker");
    if (!number) return std::unexpected(number.error());
    values.push_back({"worker", *number});
  }
  const auto slot = snowflake.layout.slot_of_fields(values);
  if (slot) {
    snowflake.worker = snowflake.layout.slot_of(slot->bits());
    return {};
  }
  const std::size_t at = slot.error().position();
  const std::string has = fields_of(snowflake.layout);
  if (at >= values.size()) {
    return std::unexpected(usage_error(fmt::format(
        "a worker number is all of its fields together, and one is missing; the layout has {}",
        has)));
  }
  return std::unexpected(
      usage_error(slot.error().fault() == Fault::value_overflow
                      ? fmt::format("{} {} does not fit; the layout has {}", values[at].name,
                                    values[at].value, has)
                      : fmt::format("the layout has no field {} beside the others; it has {}",
                                    values[at].name, has)));
}

OrExit<void> apply_worker(mint::SnowflakeConfig& snowflake, const Arguments& arguments) {
  std::vector<FieldValue> values;
  for (const NodeOption& each : kNodeOptions) {
    if (!arguments.has(each.option)) continue;
    const auto number = number_of(arguments, each.option);
    if (!number) return std::unexpected(number.error());
    values.push_back({each.field, *number});
  }
  if (!values.empty()) return apply_fields(snowflake, arguments, std::move(values));
  const auto text = arguments.value("worker");
  if (!text) return {};
  const auto worker = parse_decimal(*text);
  if (!worker || !snowflake.layout.slot(*worker)) {
    return std::unexpected(usage_error(
        fmt::format("--worker: '{}' is not in 0 to {}", *text, snowflake.layout.slot_count() - 1)));
  }
  snowflake.worker = *worker;
  return {};
}

OrExit<std::size_t> size_option(const Arguments& arguments, std::size_t least, std::size_t most) {
  const std::string text = *arguments.value("size");
  const auto size = parse_decimal(text);
  if (size && *size >= least && *size <= most) return static_cast<std::size_t>(*size);
  return std::unexpected(
      usage_error(fmt::format("--size: {} is not in {} to {}", shown(text), least, most)));
}

OrExit<void> apply_nanoid(mint::NanoidConfig& nanoid, const Arguments& arguments) {
  if (arguments.has("size")) {
    const auto size = size_option(arguments, 1, NanoidForm::kLongest);
    if (!size) return std::unexpected(size.error());
    nanoid.size = *size;
  }
  if (const auto alphabet = arguments.value("alphabet")) {
    if (const auto checked = mint::check_alphabet(*alphabet); !checked) {
      return std::unexpected(usage_error("--alphabet: " + checked.error()));
    }
    nanoid.alphabet = *alphabet;
  }
  return {};
}

OrExit<void> apply_cuid2(mint::Cuid2Config& config, const Arguments& arguments) {
  if (!arguments.has("size")) return {};
  const auto size = size_option(arguments, cuid2::kShortest, cuid2::kLongest);
  if (!size) return std::unexpected(size.error());
  config.size = *size;
  return {};
}

OrExit<void> apply_prefix(mint::TypeIdConfig& config, const Arguments& arguments) {
  const auto text = arguments.value("prefix");
  if (!text) return {};
  const auto prefix = TypePrefix::parse(*text);
  if (!prefix) {
    return std::unexpected(usage_error(fmt::format(
        "--prefix: {} at {}: it has 63 lower-case letters at most, and `_` between them",
        shown(*text), prefix.error().position())));
  }
  config.prefix = *prefix;
  return {};
}

OrExit<void> apply_token(mint::TokenConfig& config, const Arguments& arguments) {
  if (const auto text = arguments.value("bits")) {
    const auto bits = parse_decimal(*text);
    if (!bits || *bits > Token::kMostBits || !Token::is_size(static_cast<unsigned>(*bits))) {
      return std::unexpected(usage_error(
          fmt::format("--bits: {} is not a multiple of 8 in 128 to 512", shown(*text))));
    }
    config.bits = static_cast<unsigned>(*bits);
  }
  if (const auto name = arguments.value("form")) {
    const auto form =
        std::ranges::find(kTokenDresses, *name, [](const auto& row) { return row.name; });
    if (form == kTokenDresses.end()) {
      return std::unexpected(
          usage_error(fmt::format("--form: {} is not base62, base64url or base32", shown(*name))));
    }
    config.dress = form->dress;
  }
  return {};
}

/// What an option is for; refused elsewhere, because it would say something that is not heeded.
struct Purpose {
  std::string_view option;
  bool (*fits)(const mint::SpaceKind& kind);
  std::string_view words;
};
template <class... Kinds>
bool holds(const mint::SpaceKind& kind) {
  return (std::holds_alternative<Kinds>(kind) || ...);
}
/// For schemes that are derived, which make_derived has made before any space was looked for.
bool never(const mint::SpaceKind&) { return false; }
constexpr std::array kPurposes{
    Purpose{"namespace", never, "uuid3, uuid5 and uuid8"},
    Purpose{"name", never, "uuid3, uuid5 and uuid8"},
    Purpose{"custom", never, "uuid8"},
    Purpose{"layout", holds<mint::SnowflakeConfig>, "snowflakes"},
    Purpose{"worker", holds<mint::SnowflakeConfig>, "snowflakes"},
    Purpose{"datacenter", holds<mint::SnowflakeConfig>, "snowflakes"},
    Purpose{"shard", holds<mint::SnowflakeConfig>, "snowflakes"},
    Purpose{"machine", holds<mint::SnowflakeConfig>, "snowflakes"},
    Purpose{"node", holds<mint::SnowflakeConfig>, "tsid and rowid"},
    Purpose{"prefix", holds<mint::TypeIdConfig>, "typeid"},
    Purpose{"bits", holds<mint::TokenConfig>, "token"},
    Purpose{"form", holds<mint::TokenConfig>, "token"},
    Purpose{"alphabet", holds<mint::NanoidConfig>, "nanoid"},
    Purpose{"size", holds<mint::NanoidConfig, mint::Cuid2Config>, "nanoid and cuid2"},
};

}  // namespace

OrExit<SpaceConfig> space_named(const std::string& name, const mint::Config& config) {
  auto space = mint::find_space(name, config);
  if (space) return std::move(*space);
  return std::unexpected(unknown_space(name, config));
}

OrExit<void> apply_options(SpaceConfig& space, const Arguments& arguments) {
  for (const Purpose& purpose : kPurposes) {
    if (!arguments.has(purpose.option) || purpose.fits(space.kind)) continue;
    return std::unexpected(usage_error(fmt::format("--{} is for {}, '{}' is {}", purpose.option,
                                                   purpose.words, space.name, space.scheme())));
  }
  if (std::holds_alternative<mint::SnowflakeConfig>(space.kind)) {
    if (const auto layout = arguments.value("layout")) {
      auto other = mint::with_layout(std::move(space), *layout);
      if (!other) return std::unexpected(usage_error("--layout: " + other.error()));
      space = std::move(*other);
    }
    return apply_worker(std::get<mint::SnowflakeConfig>(space.kind), arguments);
  }
  if (auto* nanoid = std::get_if<mint::NanoidConfig>(&space.kind))
    return apply_nanoid(*nanoid, arguments);
  if (auto* config = std::get_if<mint::Cuid2Config>(&space.kind))
    return apply_cuid2(*config, arguments);
  if (auto* config = std::get_if<mint::TypeIdConfig>(&space.kind))
    return apply_prefix(*config, arguments);
  if (auto* config = std::get_if<mint::TokenConfig>(&space.kind))
    return apply_token(*config, arguments);
  return {};
}

}  // namespace mintmark::cli
