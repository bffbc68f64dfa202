// The definition of a space, as a configuration file gives it.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/uuid_v7.h"

namespace mintmark::mint {

/// IDs with a worker field, stamped inside windows that the store grants.
struct SnowflakeConfig {
  SnowflakeLayout layout = layouts::twitter;
  SnowflakePolicy policy;
  Duration wait_full = std::chrono::seconds{1};        ///< on_full; zero refuses at once
  Duration wait_clock_back = std::chrono::seconds{0};  ///< on_clock_back; zero refuses at once
  Duration horizon = std::chrono::seconds{10};         ///< H of this process's claims
  std::optional<std::uint64_t> worker;                 ///< pins one slot
};

struct Uuid4Config {};

struct Uuid7Config {
  UuidV7::Generator::Options options;
};

struct UlidConfig {};

/// Numbers from leased blocks: 1, 2, 3, ... with gaps where a block was not used up.
struct BlockConfig {
  std::uint64_t first = 1;
  std::uint64_t last = (std::uint64_t{1} << 63) - 1;
  std::uint64_t block_min = 1'000;
  std::uint64_t block_max = 10'000'000;
};

struct SpaceConfig {
  std::string name;
  std::variant<SnowflakeConfig, Uuid4Config, Uuid7Config, UlidConfig, BlockConfig> kind;

  /// The scheme's name: snowflake, uuid4, uuid7, ulid or block.
  [[nodiscard]] std::string_view scheme() const;
  /// Everything that decides values, as the store keeps it (protocol R12). Empty for spaces that need
  /// no store.
  [[nodiscard]] std::string definition() const;
};

/// Letters, digits, `_`, `-`, `.`, `:`; 1 to 64 of them, a letter or digit first.
[[nodiscard]] bool is_space_name(std::string_view name);

/// A layout by the name of a preset or spelled out. The error is words for a person.
[[nodiscard]] std::expected<SnowflakeLayout, std::string> read_layout(std::string_view text);

/// What a configuration file says. Keys that are not in it keep their defaults.
struct Config {
  std::string store;  ///< URL; empty means the default of the command line
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

/// The spaces that exist without a file: snowflake, uuid4, uuid7, ulid, block.
[[nodiscard]] std::vector<SpaceConfig> default_spaces();

/// Reads an address to listen on: the one spelling of it, or nothing of what two listeners may share
/// (off, a free port). The error is words for a person.
using AddressReader = std::expected<std::string, std::string> (*)(std::string_view text);

/// Reads TOML. All mistakes are found, not only the first; unknown keys are mistakes. A file that
/// defines no space gets the default ones. Without `read_address` the addresses stay unread.
[[nodiscard]] std::expected<Config, std::vector<ConfigMistake>> parse_config(
    std::string_view toml, std::string_view file, AddressReader read_address = nullptr);

}  // namespace mintmark::mint
