// The definition of a space, as a configuration file gives it.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/type_id.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/seal/token.h"

namespace mintmark::mint {

/// How the 64 bits of a worker-stamped ID are spelled.
enum class WindowText : std::uint8_t { decimal, tsid };

/// IDs with a worker field, stamped inside windows that the store grants.
struct SnowflakeConfig {
  std::string_view scheme = "snowflake";  ///< the word for it; constant text
  SnowflakeLayout layout = layouts::twitter;
  WindowText text = WindowText::decimal;
  SnowflakePolicy policy;
  Duration wait_full = std::chrono::seconds{1};        ///< on_full; zero refuses at once
  Duration wait_clock_back = std::chrono::seconds{0};  ///< on_clock_back; zero refuses at once
  Duration horizon = std::chrono::seconds{10};         ///< H of this process's claims
  std::optional<std::uint64_t> worker;                 ///< pins one slot
};

struct Uuid7Config {
  UuidV7::Generator::Options options;
};

/// A scheme whose IDs need neither a store nor an option: their uniqueness rests on random bits.
struct PlainConfig {
  std::string_view scheme;  ///< constant text: the name in the catalogue
};

/// NanoIDs of any length and alphabet.
struct NanoidConfig {
  /// The alphabet that the library publishes (ai/nanoid, url-alphabet).
  std::string alphabet = "useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict";
  std::size_t size = 21;  ///< characters
};
/// Characters of one ID that a space gives: a batch of them has to fit the memory.
inline constexpr std::size_t kLongestNanoid = 128;
/// What an alphabet must be to be used here: 2 to 94 different printable characters, none of them a quote or
/// a backslash, which would need an escape in JSON. The error is words.
[[nodiscard]] std::expected<void, std::string> check_alphabet(std::string_view alphabet);

/// CUID2s of any length.
struct Cuid2Config {
  std::size_t size = 24;  ///< characters
};

struct TypeIdConfig {
  TypePrefix prefix;
};

/// Secret texts for capability URLs and the like; not IDs: nothing is read from one but its bytes.
struct TokenConfig {
  unsigned bits = Token::kDefaultBits;
  TokenDress dress = TokenDress::base62;
};

/// Numbers from leased blocks: 1, 2, 3, ... with gaps where a block was not used up.
struct BlockConfig {
  std::string_view scheme = "block";  ///< or what the numbers are dressed as; constant text
  std::uint64_t first = 1;
  std::uint64_t last = (std::uint64_t{1} << 63) - 1;
  std::uint64_t block_min = 1'000;
  std::uint64_t block_max = 10'000'000;
};

using SpaceKind = std::variant<SnowflakeConfig, Uuid7Config, PlainConfig, NanoidConfig, Cuid2Config,
                               TypeIdConfig, TokenConfig, BlockConfig>;

struct SpaceConfig {
  std::string name;
  SpaceKind kind;

  /// The scheme's name, one of mintable_schemes().
  [[nodiscard]] std::string_view scheme() const;
  /// Everything that decides values, as the store keeps it (protocol R12). Empty for spaces that need
  /// no store.
  [[nodiscard]] std::string definition() const;
};

/// What a space can be made of, by the word for it in a configuration: every scheme that can be minted.
[[nodiscard]] std::span<const std::string_view> mintable_schemes();
/// The kind of that scheme with every option at its default; nothing for a word that is none.
[[nodiscard]] std::optional<SpaceKind> kind_of(std::string_view scheme);

/// Letters, digits, `_`, `-`, `.`, `:`; 1 to 64 of them, a letter or digit first.
[[nodiscard]] bool is_space_name(std::string_view name);

/// A layout by the name of a preset or spelled out. The error is words for a person.
[[nodiscard]] std::expected<SnowflakeLayout, std::string> read_layout(std::string_view text);

/// What a configuration file says. Keys that are not in it keep their defaults.
struct Config {
  std::string store;                ///< URL; empty means the default of the command line
  bool allow_unsafe_store = false;  ///< store::Unsafe::allow
  std::string http = "127.0.0.1:8080";
  std::string resp = "127.0.0.1:6380";
  unsigned threads = 0;  ///< of the server; 0 means one a core
  std::vector<SpaceConfig> spaces;
};

/// A mistake in a configuration file, with its place. Lines and columns count from 1.
struct ConfigMistake {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string words;  ///< what is wrong, and what would be right
};

/// The spaces that exist without a file: snowflake, block, and each scheme that needs no store; each named
/// as its scheme is.
[[nodiscard]] std::vector<SpaceConfig> default_spaces();

/// Reads an address to listen on: the one spelling of it, or nothing of what two listeners may share
/// (off, a free port). The error is words for a person.
using AddressReader = std::expected<std::string, std::string> (*)(std::string_view text);

/// Reads TOML. All mistakes are found, not only the first; unknown keys are mistakes. A file that
/// defines no space gets the default ones. Without `read_address` the addresses stay unread.
[[nodiscard]] std::expected<Config, std::vector<ConfigMistake>> parse_config(
    std::string_view toml, std::string_view file, AddressReader read_address = nullptr);

}  // namespace mintmark::mint
