// Reading a table of a configuration file: each key is a row, and what is no row is a mistake.
//
// All mistakes of a file are collected, each with its place: who corrects one wants to know of the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#ifndef TOML_HEADER_ONLY
#define TOML_HEADER_ONLY 1
#endif
#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "mint/space_config.h"

namespace mintmark::mint {

/// Takes values out of nodes and notes what is wrong with them. One thread at a time.
class ConfigReader {
 public:
  ConfigReader(std::string_view file, AddressReader read_address)
      : file_(file), read_address_(read_address) {}

  void mistake(const toml::source_region& place, std::string words) {
    mistakes_.push_back(
        {std::string{file_}, place.begin.line, place.begin.column, std::move(words)});
  }
  [[nodiscard]] std::vector<ConfigMistake>& mistakes() { return mistakes_; }

  /// Each gives nothing, and notes why, if the node is not what the name says.
  std::optional<std::string> text(std::string_view key, const toml::node& node);
  std::optional<bool> boolean(std::string_view key, const toml::node& node);
  std::optional<std::uint64_t> number(std::string_view key, const toml::node& node,
                                      std::uint64_t least, std::uint64_t most);
  /// A text such as "500us", "10ms", "2s", "1m", or "0".
  std::optional<Duration> duration(std::string_view key, const toml::node& node, Duration least,
                                   Duration most);
  /// A date or time of TOML, or the text of one.
  std::optional<Instant> instant(std::string_view key, const toml::node& node);
  /// The one spelling of an address, empty if it may occur twice.
  std::optional<std::string> address(std::string_view key, const toml::node& node,
                                     std::string_view text);
  /// One of a few words, as its index.
  std::optional<std::size_t> choice(std::string_view key, const toml::node& node,
                                    std::span<const std::string_view> words);

 private:
  std::string_view file_;
  AddressReader read_address_;
  std::vector<ConfigMistake> mistakes_;
};

/// One key of a table and what it does to the target.
template <class Target>
struct ConfigKey {
  std::string_view name;
  void (*read)(ConfigReader& reader, std::string_view key, const toml::node& node, Target& target);
};

/// Notes an unknown key with the closest known one.
void refuse_key(ConfigReader& reader, const toml::key& key, std::string_view table,
                std::span<const std::string_view> known);

/// Reads all keys of a table in the order of the rows, so that a later row may lean on an earlier one.
/// `elsewhere` are keys that are known and were read already.
template <class Target, std::size_t N>
void read_table(ConfigReader& reader, std::string_view name, const toml::table& table,
                const std::array<ConfigKey<Target>, N>& rows, Target& target,
                std::span<const std::string_view> elsewhere = {}) {
  std::vector<std::string_view> known(elsewhere.begin(), elsewhere.end());
  for (const ConfigKey<Target>& row : rows) {
    known.push_back(row.name);
    if (const toml::node* node = table.get(row.name)) row.read(reader, row.name, *node, target);
  }
  for (const auto& [key, node] : table) {
    bool found = false;
    for (const std::string_view each : known) found = found || each == key.str();
    if (!found) refuse_key(reader, key, name, known);
  }
}

/// `10ms`, `1.5s`: the number and a unit of us, ms, s or m; a bare 0 needs no unit.
[[nodiscard]] std::optional<Duration> parse_duration(std::string_view text);
/// The shortest such text of a length.
[[nodiscard]] std::string duration_text(Duration length);

}  // namespace mintmark::mint
