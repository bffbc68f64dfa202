// Key size: the bytes that a key costs in a table and its indexes, by engine and by the form it is kept in.
//
// Only the key is counted, with what an engine adds to hold it: length bytes, alignment, index entries. The
// other columns cost the same whatever the key is. How full pages get was measured with 1 to 2 million rows
// on PostgreSQL 15, MariaDB 10.11 and SQLite 3.40, for keys that rise and for keys that are random. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mintmark::cli {

enum class Engine : std::uint8_t { postgresql, innodb, sqlserver, sqlite };
inline constexpr std::array<std::string_view, 4> kEngineNames{"postgresql", "innodb", "sqlserver",
                                                              "sqlite"};

/// How a column keeps a key.
enum class KeyType : std::uint8_t {
  integer,  ///< 4 or 8 bytes
  uuid,     ///< 16 bytes of fixed length, of the engine's own type where it has one
  binary,   ///< bytes of another length
  text,     ///< ASCII characters, compared by byte
};

enum class KeyOrder : std::uint8_t { rising, random };

struct KeyForm {
  std::string_view name;  ///< as typed
  KeyType type = KeyType::integer;
  unsigned size = 0;  ///< bytes, or characters of text
  KeyOrder order = KeyOrder::rising;
  /// Whether the values are small numbers from 1 on: SQLite writes those shorter.
  bool dense = false;
};

/// The forms by name: `bigint`, `uuid7`, `uuid7:text`, `ulid:text`, ...
inline constexpr KeyForm kKeyForms[] = {
    {"int", KeyType::integer, 4, KeyOrder::rising, true},
    {"bigint", KeyType::integer, 8, KeyOrder::rising, true},
    {"snowflake", KeyType::integer, 8, KeyOrder::rising},
    {"tsid", KeyType::integer, 8, KeyOrder::rising},
    {"uuid7", KeyType::uuid, 16, KeyOrder::rising},
    {"ulid", KeyType::uuid, 16, KeyOrder::rising},
    {"uuid4", KeyType::uuid, 16, KeyOrder::random},
    {"objectid", KeyType::binary, 12, KeyOrder::rising},
    {"xid", KeyType::binary, 12, KeyOrder::rising},
    {"ksuid", KeyType::binary, 20, KeyOrder::rising},
    {"snowflake:text", KeyType::text, 19, KeyOrder::rising},
    {"tsid:text", KeyType::text, 13, KeyOrder::rising},
    {"uuid7:text", KeyType::text, 36, KeyOrder::rising},
    {"ulid:text", KeyType::text, 26, KeyOrder::rising},
    {"uuid4:text", KeyType::text, 36, KeyOrder::random},
    {"objectid:text", KeyType::text, 24, KeyOrder::rising},
    {"xid:text", KeyType::text, 20, KeyOrder::rising},
    {"pushid:text", KeyType::text, 20, KeyOrder::rising},
    {"ksuid:text", KeyType::text, 27, KeyOrder::rising},
    {"nanoid:text", KeyType::text, 21, KeyOrder::random},
    {"cuid2:text", KeyType::text, 24, KeyOrder::random},
};

/// The form of that name; also `binary:N` and `text:N`, up to 126 bytes of random keys.
[[nodiscard]] std::optional<KeyForm> find_key_form(std::string_view name);

/// What one row pays for its key.
struct KeyCost {
  double in_row = 0;  ///< bytes in the table
  double key_entry =
      0;  ///< bytes of its entry in the index of the key; 0 where the table is that index
  double in_secondary = 0;  ///< bytes in each further index of the table
  double in_reference =
      0;            ///< bytes in a row of another table that refers to it, and in the index of it
  double fill = 1;  ///< how full the pages of the key's index get

  /// Of a row with so many further indexes and references, the room left empty in the key's index included.
  [[nodiscard]] double a_row(double secondaries, double references) const;
};

/// REQUIRES: rows >= 1.
[[nodiscard]] KeyCost key_cost(Engine engine, const KeyForm& form, double rows);

}  // namespace mintmark::cli
