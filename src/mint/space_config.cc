#include "mint/space_config.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mint/did_you_mean.h"
#include "mintmark/scheme/bit_reversed.h"
#include "mintmark/scheme/cuid2.h"
#include "mintmark/scheme/nanoid.h"
#include "mintmark/scheme/nanoid_form.h"
#include "mintmark/scheme/row_id.h"
#include "mintmark/scheme/shard_first.h"
#include "mintmark/scheme/tsid.h"

namespace mintmark::mint {
namespace {

template <class... Callables>
struct Overloaded : Callables... {
  using Callables::operator()...;
};

constexpr std::size_t kMostName = 64;

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Each makes the kind of the scheme that it is called with.
SpaceKind plain(std::string_view scheme) { return PlainConfig{scheme}; }
SpaceKind nanoid(std::string_view) { return NanoidConfig{}; }
SpaceKind cuid2(std::string_view) { return Cuid2Config{}; }
SpaceKind type_id(std::string_view) { return TypeIdConfig{}; }
SpaceKind token(std::string_view) { return TokenConfig{}; }
SpaceKind block(std::string_view scheme) {
  BlockConfig config;
  config.scheme = scheme;
  // Counters of which the top bits make room for the shard.
  if (scheme == ShardFirst::facts.name) config.last = ShardFirst::layout().last_counter();
  return config;
}
SpaceKind uuid7(std::string_view) { return Uuid7Config{}; }
SpaceKind snowflake(std::string_view) { return SnowflakeConfig{}; }
/// One of the layouts that has a name.
SpaceKind preset(std::string_view name) {
  SnowflakeConfig config;
  config.scheme = name;
  config.layout = *layouts::find(name);
  return config;
}
SpaceKind tsid(std::string_view scheme) {
  SnowflakeConfig config;
  config.scheme = scheme;
  config.layout = layouts::tsid;
  config.text = WindowText::tsid;
  return config;
}
SpaceKind row_id(std::string_view scheme) {
  SnowflakeConfig config;
  config.scheme = scheme;
  config.layout = layouts::row_id;
  return config;
}

/// A space that nobody asked for must cost nothing: what holds a worker number is made when it is named.
enum class ByDefault : std::uint8_t { yes, when_named };

struct KindRow {
  std::string_view scheme;
  SpaceKind (*make)(std::string_view scheme);
  ByDefault by_default;
};
// In the order in which they are listed to a person.
constexpr std::array kKinds{
    KindRow{"snowflake", snowflake, ByDefault::yes},
    KindRow{"uuid4", plain, ByDefault::yes},
    KindRow{"uuid7", uuid7, ByDefault::yes},
    KindRow{"ulid", plain, ByDefault::yes},
    KindRow{"block", block, ByDefault::yes},
    KindRow{"uuid1", plain, ByDefault::yes},
    KindRow{"uuid6", plain, ByDefault::yes},
    KindRow{"ksuid", plain, ByDefault::yes},
    KindRow{"xid", plain, ByDefault::yes},
    KindRow{"objectid", plain, ByDefault::yes},
    KindRow{"nanoid", nanoid, ByDefault::yes},
    KindRow{"cuid2", cuid2, ByDefault::yes},
    KindRow{"pushid", plain, ByDefault::yes},
    KindRow{"typeid", type_id, ByDefault::yes},
    KindRow{"token", token, ByDefault::when_named},
    KindRow{"tsid", tsid, ByDefault::when_named},
    KindRow{"rowid", row_id, ByDefault::when_named},
    KindRow{"bitreversed", block, ByDefault::when_named},
    KindRow{"shardfirst", block, ByDefault::when_named},
    KindRow{"discord", preset, ByDefault::when_named},
    KindRow{"instagram", preset, ByDefault::when_named},
    KindRow{"sonyflake", preset, ByDefault::when_named},
    KindRow{"sonyflake2", preset, ByDefault::when_named},
    KindRow{"mastodon", preset, ByDefault::when_named},
    KindRow{"leaf", preset, ByDefault::when_named},
    KindRow{"baidu", preset, ByDefault::when_named},
    KindRow{"js53", preset, ByDefault::when_named},
};

}  // namespace

std::string_view SpaceConfig::scheme() const {
  return std::visit(Overloaded{[](const SnowflakeConfig& config) { return config.scheme; },
                               [](const Uuid7Config&) { return UuidV7::facts.name; },
                               [](const PlainConfig& config) { return config.scheme; },
                               [](const NanoidConfig&) { return Nanoid::facts.name; },
                               [](const Cuid2Config&) { return Cuid2::facts.name; },
                               [](const TypeIdConfig&) { return TypeId::facts.name; },
                               [](const TokenConfig&) { return std::string_view{"token"}; },
                               [](const BlockConfig& config) { return config.scheme; }},
                    kind);
}

std::string SpaceConfig::definition() const {
  if (const auto* snowflake = std::get_if<SnowflakeConfig>(&kind)) {
    std::array<char, SnowflakeLayout::kMostText> text{};
    const std::size_t size = snowflake->layout.write(text);
    return fmt::format("snowflake {}", std::string_view{text.data(), size});
  }
  if (const auto* block = std::get_if<BlockConfig>(&kind)) {
    // A dressed number is another value than the bare one.
    return fmt::format("{} first={}", block->scheme, block->first);
  }
  return {};
}

std::expected<void, std::string> check_alphabet(std::string_view alphabet) {
  for (const char c : alphabet) {
    if (c <= ' ' || c > '~' || c == '"' || c == '\\') {
      return std::unexpected(fmt::format(
          "byte 0x{:02x} cannot be in it: printable characters can, but for blanks, double "
          "quotes and backslashes",
          static_cast<unsigned char>(c)));
    }
  }
  const auto form = NanoidForm::make(alphabet, 1);
  if (form) return {};
  if (form.error().fault() == Fault::invalid_argument) {
    return std::unexpected(fmt::format("'{}' is in it twice", alphabet[form.error().position()]));
  }
  return std::unexpected("it must have 2 characters or more: one alone always gives the same ID");
}

bool is_space_name(std::string_view name) {
  if (name.empty() || name.size() > kMostName || !is_alphanumeric(name[0])) return false;
  return std::ranges::all_of(name, [](char c) {
    return is_alphanumeric(c) || std::string_view{"_-.:"}.find(c) != std::string_view::npos;
  });
}

std::span<const std::string_view> mintable_schemes() {
  static constexpr auto kNames = [] {
    std::array<std::string_view, kKinds.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = kKinds[i].scheme;
    return names;
  }();
  return kNames;
}

std::optional<SpaceKind> kind_of(std::string_view scheme) {
  const auto row = std::ranges::find(kKinds, scheme, &KindRow::scheme);
  if (row == kKinds.end()) return std::nullopt;
  return row->make(row->scheme);
}

std::vector<SpaceConfig> default_spaces() {
  std::vector<SpaceConfig> spaces;
  for (const KindRow& row : kKinds) {
    if (row.by_default == ByDefault::yes)
      spaces.push_back({std::string{row.scheme}, row.make(row.scheme)});
  }
  return spaces;
}

std::expected<SnowflakeLayout, std::string> read_layout(std::string_view text) {
  if (const SnowflakeLayout* preset = layouts::find(text)) return *preset;
  const auto layout = SnowflakeLayout::parse(text);
  if (layout) return *layout;
  if (text.contains(':')) {
    return std::unexpected(fmt::format("{} at character {} of \"{}\"",
                                       layout.error().row().sentence, layout.error().position() + 1,
                                       text));
  }
  std::vector<std::string_view> names;
  for (const layouts::Named& preset : layouts::kPresets) names.push_back(preset.name);
  return std::unexpected(
      fmt::format("there is no layout '{}'{}; there are {}, or spell one out: time:41 worker:10 "
                  "seq:12 epoch=2020-01-01",
                  text, did_you_mean(text, names), fmt::join(names, ", ")));
}

}  // namespace mintmark::mint
