// parse_config: the keys of a configuration file, a row each. docs/reference/config.md is their text.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mint/config_table.h"
#include "mint/did_you_mean.h"
#include "mint/space_config.h"
#include "mintmark/scheme/cuid2.h"
#include "store/store.h"

namespace mintmark::mint {
namespace {

/// A horizon below a few round trips to the store could not be renewed; above a minute, a crashed process
/// would keep its slot for too long (protocol R7).
constexpr Duration kLeastHorizon = std::chrono::milliseconds{20};
constexpr Duration kMostHorizon = std::chrono::minutes{1};
constexpr Duration kMostWait = std::chrono::minutes{1};
constexpr Duration kMostLead = std::chrono::minutes{1};
/// What a bare "wait" means: a full sequence ends with the tick, a small step back of a clock within 5 ms.
constexpr Duration kWaitFull = std::chrono::seconds{1};
constexpr Duration kWaitClockBack = std::chrono::milliseconds{5};
constexpr std::uint64_t kLargestNumber = (std::uint64_t{1} << 63) - 1;
constexpr std::uint64_t kMostThreads = 256;

void read_layout_key(ConfigReader& reader, std::string_view key, const toml::node& node,
                     SnowflakeConfig& config) {
  const auto text = reader.text(key, node);
  if (!text) return;
  if (config.scheme != SnowflakeConfig{}.scheme) {
    reader.mistake(node.source(), fmt::format("{}: {} has one already; \"snowflake\" takes any",
                                              key, config.scheme));
    return;
  }
  const auto layout = read_layout(*text);
  if (layout) {
    config.layout = *layout;
  } else {
    reader.mistake(node.source(), fmt::format("{}: {}", key, layout.error()));
  }
}

/// The same layout with another zero of its time field.
void read_epoch(ConfigReader& reader, std::string_view key, const toml::node& node,
                SnowflakeConfig& config) {
  const auto epoch = reader.instant(key, node);
  if (!epoch) return;
  const auto layout = config.layout.with_epoch(*epoch);
  if (!layout) {
    reader.mistake(node.source(),
                   fmt::format("{}: the time field would reach too far with it", key));
    return;
  }
  config.layout = *layout;
}

void read_preset(ConfigReader& reader, std::string_view key, const toml::node& node,
                 SnowflakeConfig& config) {
  // Twitter's server of 2010 (protocol R4): no ID ahead of the clock, wait for the next ms when the sequence
  // is full, refuse while the clock is back.
  constexpr std::array<std::string_view, 1> kPresets{"twitter-2010"};
  if (!reader.choice(key, node, kPresets)) return;
  config.policy.max_lead = Duration::zero();
  config.policy.max_borrow = Duration::zero();
  config.wait_full = kWaitFull;
  config.wait_clock_back = Duration::zero();
}

/// `refuse`, `wait`, or `wait 500ms`.
std::optional<Duration> read_patience(ConfigReader& reader, std::string_view key,
                                      const toml::node& node, Duration usual) {
  const auto text = reader.text(key, node);
  if (!text) return std::nullopt;
  if (*text == "refuse") return Duration::zero();
  if (*text == "wait") return usual;
  if (text->starts_with("wait ")) {
    const auto length = parse_duration(std::string_view{*text}.substr(5));
    if (length && *length > Duration::zero() && *length <= kMostWait) return length;
  }
  reader.mistake(node.source(),
                 fmt::format("{} must be \"refuse\", \"wait\" or a wait of at most 1m "
                             "such as \"wait 500ms\"",
                             key));
  return std::nullopt;
}

using Reader = ConfigReader;
using Node = toml::node;
using Name = std::string_view;

// The preset first: a key beside it overrides what it sets. The layout before its epoch.
constexpr std::array kSnowflakeKeys{
    ConfigKey<SnowflakeConfig>{"preset", read_preset},
    ConfigKey<SnowflakeConfig>{"layout", read_layout_key},
    ConfigKey<SnowflakeConfig>{"epoch", read_epoch},
    ConfigKey<SnowflakeConfig>{"worker",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 if (auto value =
                                         reader.number(key, node, 0, to.layout.slot_count() - 1))
                                   to.worker = *value;
                               }},
    ConfigKey<SnowflakeConfig>{"max_lead",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 if (auto value =
                                         reader.duration(key, node, Duration::zero(), kMostLead)) {
                                   to.policy.max_lead = *value;
                                 }
                               }},
    ConfigKey<SnowflakeConfig>{"max_borrow",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 if (auto value =
                                         reader.duration(key, node, Duration::zero(), kMostLead)) {
                                   to.policy.max_borrow = *value;
                                 }
                               }},
    ConfigKey<SnowflakeConfig>{"sequence_start",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 constexpr std::array<std::string_view, 2> kWords{"carry", "zero"};
                                 if (auto value = reader.choice(key, node, kWords)) {
                                   to.policy.sequence_start =
                                       *value == 0 ? SnowflakePolicy::SequenceStart::carry
                                                   : SnowflakePolicy::SequenceStart::zero;
                                 }
                               }},
    ConfigKey<SnowflakeConfig>{"on_full",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 if (auto value = read_patience(reader, key, node, kWaitFull))
                                   to.wait_full = *value;
                               }},
    ConfigKey<SnowflakeConfig>{"on_clock_back",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 if (auto value =
                                         read_patience(reader, key, node, kWaitClockBack)) {
                                   to.wait_clock_back = *value;
                                 }
                               }},
    ConfigKey<SnowflakeConfig>{"horizon",
                               [](Reader& reader, Name key, const Node& node, SnowflakeConfig& to) {
                                 if (auto value =
                                         reader.duration(key, node, kLeastHorizon, kMostHorizon)) {
                                   to.horizon = *value;
                                 }
                               }},
};

/// The last number of the kind: what its dress has room for.
std::uint64_t largest_of(const BlockConfig& config) {
  return std::get<BlockConfig>(*kind_of(config.scheme)).last;
}

constexpr std::array kBlockKeys{
    ConfigKey<BlockConfig>{"first",
                           [](Reader& reader, Name key, const Node& node, BlockConfig& to) {
                             if (auto value = reader.number(key, node, 0, largest_of(to)))
                               to.first = *value;
                           }},
    ConfigKey<BlockConfig>{"last",
                           [](Reader& reader, Name key, const Node& node, BlockConfig& to) {
                             if (auto value = reader.number(key, node, to.first, largest_of(to))) {
                               to.last = *value;
                             }
                           }},
    ConfigKey<BlockConfig>{"block_min",
                           [](Reader& reader, Name key, const Node& node, BlockConfig& to) {
                             if (auto value = reader.number(key, node, 1, kLargestNumber)) {
                               to.block_min = *value;
                               to.block_max = std::max(to.block_max, *value);
                             }
                           }},
    ConfigKey<BlockConfig>{"block_max",
                           [](Reader& reader, Name key, const Node& node, BlockConfig& to) {
                             if (auto value =
                                     reader.number(key, node, to.block_min, kLargestNumber)) {
                               to.block_max = *value;
                             }
                           }},
};

constexpr std::array kUuid7Keys{
    ConfigKey<Uuid7Config>{
        "method",
        [](Reader& reader, Name key, const Node& node, Uuid7Config& to) {
          using Method = UuidV7::Generator::Method;
          constexpr std::array<std::string_view, 3> kWords{"counter", "monotonic_random", "sub_ms"};
          constexpr std::array kMethods{Method::counter, Method::monotonic_random, Method::sub_ms};
          if (auto value = reader.choice(key, node, kWords)) to.options.method = kMethods[*value];
        }},
    ConfigKey<Uuid7Config>{"counter_bits",
                           [](Reader& reader, Name key, const Node& node, Uuid7Config& to) {
                             // RFC 9562, section 6.2, method 1.
                             if (auto value = reader.number(key, node, 12, 42)) {
                               to.options.counter_bits = static_cast<unsigned>(*value);
                             }
                           }},
    ConfigKey<Uuid7Config>{
        "max_borrow",
        [](Reader& reader, Name key, const Node& node, Uuid7Config& to) {
          if (auto value = reader.duration(key, node, Duration::zero(), std::chrono::hours{1})) {
            to.options.max_borrow = std::chrono::floor<std::chrono::milliseconds>(*value);
          }
        }},
    ConfigKey<Uuid7Config>{"on_clock_back",
                           [](Reader& reader, Name key, const Node& node, Uuid7Config& to) {
                             using FarBack = UuidV7::Generator::FarBack;
                             constexpr std::array<std::string_view, 2> kWords{"restart", "refuse"};
                             if (auto value = reader.choice(key, node, kWords)) {
                               to.options.far_back =
                                   *value == 0 ? FarBack::restart : FarBack::refuse;
                             }
                           }},
};

constexpr std::array<ConfigKey<PlainConfig>, 0> kPlainKeys{};

constexpr std::array kNanoidKeys{
    ConfigKey<NanoidConfig>{"alphabet",
                            [](Reader& reader, Name key, const Node& node, NanoidConfig& to) {
                              const auto text = reader.text(key, node);
                              if (!text) return;
                              to.alphabet = *text;
                              if (const auto checked = check_alphabet(*text); !checked) {
                                reader.mistake(node.source(),
                                               fmt::format("{}: {}", key, checked.error()));
                              }
                            }},
    ConfigKey<NanoidConfig>{"size",
                            [](Reader& reader, Name key, const Node& node, NanoidConfig& to) {
                              if (auto value = reader.number(key, node, 1, kLongestNanoid)) {
                                to.size = static_cast<std::size_t>(*value);
                              }
                            }},
};

constexpr std::array kCuid2Keys{ConfigKey<Cuid2Config>{
    "size", [](Reader& reader, Name key, const Node& node, Cuid2Config& to) {
      if (auto value = reader.number(key, node, cuid2::kShortest, cuid2::kLongest)) {
        to.size = static_cast<std::size_t>(*value);
      }
    }}};

constexpr std::array kTypeIdKeys{ConfigKey<TypeIdConfig>{
    "prefix", [](Reader& reader, Name key, const Node& node, TypeIdConfig& to) {
      const auto text = reader.text(key, node);
      if (!text) return;
      const auto prefix = TypePrefix::parse(*text);
      if (prefix) {
        to.prefix = *prefix;
      } else {
        reader.mistake(node.source(),
                       fmt::format("{}: at {}: a prefix has 63 lower-case letters at most, and `_` "
                                   "between them",
                                   key, prefix.error().position()));
      }
    }}};

constexpr std::array kTokenKeys{
    ConfigKey<TokenConfig>{
        "bits",
        [](Reader& reader, Name key, const Node& node, TokenConfig& to) {
          const auto bits = reader.number(key, node, Token::kFewestBits, Token::kMostBits);
          if (!bits) return;
          to.bits = static_cast<unsigned>(*bits);
          if (!Token::is_size(to.bits)) {
            reader.mistake(node.source(), fmt::format("{} must be a multiple of 8", key));
          }
        }},
    ConfigKey<TokenConfig>{"form",
                           [](Reader& reader, Name key, const Node& node, TokenConfig& to) {
                             std::array<std::string_view, kTokenDresses.size()> words;
                             for (std::size_t i = 0; i < words.size(); ++i) {
                               words[i] = kTokenDresses[i].name;
                             }
                             if (auto value = reader.choice(key, node, words)) {
                               to.dress = kTokenDresses[*value].dress;
                             }
                           }},
};

constexpr const auto& keys_of(const SnowflakeConfig&) { return kSnowflakeKeys; }
constexpr const auto& keys_of(const Uuid7Config&) { return kUuid7Keys; }
constexpr const auto& keys_of(const PlainConfig&) { return kPlainKeys; }
constexpr const auto& keys_of(const NanoidConfig&) { return kNanoidKeys; }
constexpr const auto& keys_of(const Cuid2Config&) { return kCuid2Keys; }
constexpr const auto& keys_of(const TypeIdConfig&) { return kTypeIdKeys; }
constexpr const auto& keys_of(const TokenConfig&) { return kTokenKeys; }
constexpr const auto& keys_of(const BlockConfig&) { return kBlockKeys; }

void read_space(ConfigReader& reader, const toml::key& name, const toml::node& node,
                Config& config) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    reader.mistake(name.source(),
                   fmt::format("write [space.{}] and its keys below it", name.str()));
    return;
  }
  if (!is_space_name(name.str())) {
    reader.mistake(name.source(),
                   fmt::format("'{}' is no name of a space: 1 to 64 letters, digits or "
                               "_ - . :, a letter or digit first",
                               name.str()));
  }
  constexpr std::array<std::string_view, 1> kReadAlready{"scheme"};
  const auto names = mintable_schemes();
  const toml::node* scheme = table->get("scheme");
  if (scheme == nullptr) {
    reader.mistake(name.source(), fmt::format("space '{}' has no scheme; it is one of {}",
                                              name.str(), fmt::join(names, ", ")));
    return;
  }
  const auto which = reader.choice("scheme", *scheme, names);
  if (!which) return;
  SpaceConfig space{.name = std::string{name.str()}, .kind = *kind_of(names[*which])};
  const std::string title = fmt::format("[space.{}]", name.str());
  std::visit(
      [&](auto& kind) { read_table(reader, title, *table, keys_of(kind), kind, kReadAlready); },
      space.kind);
  config.spaces.push_back(std::move(space));
}

void read_spaces(ConfigReader& reader, std::string_view key, const toml::node& node,
                 Config& config) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    reader.mistake(node.source(), fmt::format("{} must be tables: [space.NAME]", key));
    return;
  }
  for (const auto& [name, space] : *table) read_space(reader, name, space, config);
}

constexpr std::array kServerKeys{
    ConfigKey<Config>{"http",
                      [](Reader& reader, Name key, const Node& node, Config& to) {
                        if (auto value = reader.text(key, node)) to.http = *value;
                      }},
    ConfigKey<Config>{"resp",
                      [](Reader& reader, Name key, const Node& node, Config& to) {
                        if (auto value = reader.text(key, node)) to.resp = *value;
                      }},
    ConfigKey<Config>{"threads",
                      [](Reader& reader, Name key, const Node& node, Config& to) {
                        if (auto value = reader.number(key, node, 0, kMostThreads)) {
                          to.threads = static_cast<unsigned>(*value);
                        }
                      }},
};

/// What can be listened on, and by one of the two only.
void check_addresses(ConfigReader& reader, const toml::table& table, const Config& config) {
  const toml::node* http = table.get("http");
  const toml::node* resp = table.get("resp");
  // The defaults are good addresses; only their being taken is to be seen.
  const toml::node* last = resp != nullptr ? resp : http;
  if (last == nullptr) return;
  const auto first_address = reader.address("http", http != nullptr ? *http : *last, config.http);
  const auto other_address = reader.address("resp", resp != nullptr ? *resp : *last, config.resp);
  if (!first_address || !other_address || first_address->empty()) return;
  if (*first_address != *other_address) return;
  reader.mistake(last->source(),
                 fmt::format("http and resp cannot both listen on {}", *first_address));
}

void read_server(ConfigReader& reader, std::string_view key, const toml::node& node,
                 Config& config) {
  if (const toml::table* table = node.as_table()) {
    read_table(reader, "[server]", *table, kServerKeys, config);
    check_addresses(reader, *table, config);
  } else {
    reader.mistake(node.source(), fmt::format("{} must be a table: [server]", key));
  }
}

constexpr std::array kFileKeys{
    ConfigKey<Config>{"store",
                      [](Reader& reader, Name key, const Node& node, Config& to) {
                        const auto value = reader.text(key, node);
                        if (!value) return;
                        to.store = *value;
                        if (auto checked = store::check_url(*value); !checked) {
                          reader.mistake(node.source(),
                                         fmt::format("{}: {}", key, checked.error().detail));
                        }
                      }},
    ConfigKey<Config>{"allow_unsafe_store",
                      [](Reader& reader, Name key, const Node& node, Config& to) {
                        to.allow_unsafe_store = reader.boolean(key, node).value_or(false);
                      }},
    ConfigKey<Config>{"server", read_server},
    ConfigKey<Config>{"space", read_spaces},
};

}  // namespace

std::expected<Config, std::vector<ConfigMistake>> parse_config(std::string_view toml,
                                                               std::string_view file,
                                                               AddressReader read_address) {
  ConfigReader reader{file, read_address};
  Config config;
  const toml::parse_result parsed = toml::parse(toml);
  if (!parsed) {
    reader.mistake(parsed.error().source(), std::string{parsed.error().description()});
    return std::unexpected(std::move(reader.mistakes()));
  }
  read_table(reader, "the file", parsed.table(), kFileKeys, config);
  if (!reader.mistakes().empty()) {
    std::ranges::sort(reader.mistakes(), [](const ConfigMistake& a, const ConfigMistake& b) {
      return std::pair{a.line, a.column} < std::pair{b.line, b.column};
    });
    return std::unexpected(std::move(reader.mistakes()));
  }
  if (config.spaces.empty()) config.spaces = default_spaces();
  return config;
}

}  // namespace mintmark::mint
