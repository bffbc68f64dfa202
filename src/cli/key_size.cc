#include "cli/key_size.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace mintmark::cli {
namespace {

/// Longer values get another header in PostgreSQL, and another length byte in InnoDB.
constexpr unsigned kMostSize = 126;

double align_8(double bytes) { return std::ceil(bytes / 8) * 8; }

// PostgreSQL 15: docs, "Database Page Layout" and "B-Tree Indexes"; src/include/access/itup.h.
// Measured fill of 2 million rows: 90.1 % rising, 71.0 % random.
KeyCost in_postgresql(const KeyForm& form) {
  constexpr double kLinePointer = 4;
  constexpr double kIndexTuple = 8;
  const bool has_length = form.type == KeyType::binary || form.type == KeyType::text;
  const double datum = form.size + (has_length ? 1 : 0);
  const double entry = kLinePointer + align_8(kIndexTuple + datum);
  constexpr double kPageRoom = 8192.0 / (8192 - 24 - 16);  // page header and the tree's own
  KeyCost cost;
  cost.in_row = datum;
  cost.key_entry = entry * kPageRoom;
  cost.in_secondary = 0;  // an index points to the place of the row, in 6 bytes, whatever its key
  cost.fill = form.order == KeyOrder::rising ? 0.90 : 0.71;
  // References come in any order: their index fills as a random one.
  cost.in_reference = datum + entry * kPageRoom / 0.71;
  return cost;
}

// InnoDB: the table is the index of the key, and every further index ends with the key. Reference manual,
// "Clustered and Secondary Indexes" and "InnoDB Row Formats". Measured fill: 92 % rising, 65 % random.
KeyCost in_innodb(const KeyForm& form) {
  constexpr double kRecordHeader = 5;
  KeyCost cost;
  cost.in_row = form.size;
  cost.in_secondary = form.size;
  cost.in_reference = form.size + kRecordHeader + form.size;
  cost.fill = form.order == KeyOrder::rising ? 0.92 : 0.65;
  return cost;
}

// SQL Server: as InnoDB while the primary key is clustered, which is the default. Docs, "Clustered and
// Nonclustered Index Architecture", "Estimate the Size of a Clustered Index". Fill by theory: nothing was
// measured. A uniqueidentifier is compared from its tenth byte on, so that UUIDv7 and ULID come in random
// order.
KeyCost in_sqlserver(const KeyForm& form) {
  constexpr double kRandomFill = 0.69;  // ln 2
  constexpr double kIndexRow = 1;
  const double bytes = form.size;
  KeyCost cost;
  cost.in_row = bytes;
  cost.in_secondary = bytes;
  cost.in_reference = bytes + kIndexRow + bytes;
  const bool scrambled = form.type == KeyType::uuid;
  cost.fill = form.order == KeyOrder::rising && !scrambled ? 1.0 : kRandomFill;
  return cost;
}

/// Bytes of an integer in an SQLite record. SQLite, "Database File Format", section 2.1.
double sqlite_integer(double most) {
  constexpr std::array<std::pair<int, double>, 6> kSizes{
      {{7, 1}, {15, 2}, {23, 3}, {31, 4}, {47, 6}, {63, 8}}};
  for (const auto& [bits, bytes] : kSizes) {
    if (most < std::exp2(bits)) return bytes;
  }
  return 8;
}

/// Bytes of a varint: 7 bits each, the ninth has 8.
double sqlite_varint(double most) {
  for (int bytes = 1; bytes < 9; ++bytes) {
    if (most < std::exp2(7 * bytes)) return bytes;
  }
  return 9;
}

// SQLite: a row has a rowid, and an INTEGER PRIMARY KEY is that. Every other key stands in the row and in an
// index of its own. "Database File Format", sections 1.6 and 2.1. Measured fill: 87 to 91 % for every order
// of an index, nearly all for rowids that rise.
KeyCost in_sqlite(const KeyForm& form, double rows) {
  constexpr double kCell = 2;          // the pointer to it
  constexpr double kPayloadSize = 1;   // of up to 127 bytes
  constexpr double kRecordHeader = 1;  // its own length
  constexpr double kTypeCode = 1;      // for each column
  constexpr double kSnowflakeBits = 63;
  const bool is_rowid = form.type == KeyType::integer;
  const double largest = is_rowid && !form.dense ? std::exp2(kSnowflakeBits) - 1 : rows;
  const double rowid = sqlite_integer(largest);
  const double pointer = kTypeCode + rowid;
  KeyCost cost;
  cost.in_secondary = pointer;
  if (is_rowid) {
    cost.in_row = sqlite_varint(largest) + kTypeCode;  // the column itself is kept as NULL
    cost.in_reference = pointer + kCell + kPayloadSize + kRecordHeader + pointer + kTypeCode + 4;
    cost.fill = 0.99;
    return cost;
  }
  // A type code of 128 and more takes two bytes: blobs of 58 bytes, texts of 57.
  const double type_code = form.size * 2 + 13 >= 128 ? 2 : kTypeCode;
  const double value = type_code + form.size;
  const double entry = kCell + kPayloadSize + kRecordHeader + value + pointer;
  cost.in_row = sqlite_varint(rows) + value;
  cost.key_entry = entry;
  cost.in_reference = value + entry / 0.89;
  cost.fill = 0.89;
  return cost;
}

}  // namespace

std::optional<KeyForm> find_key_form(std::string_view name) {
  for (const KeyForm& form : kKeyForms) {
    if (form.name == name) return form;
  }
  for (const auto& [prefix, type] :
       {std::pair<std::string_view, KeyType>{"binary:", KeyType::binary},
        {"text:", KeyType::text}}) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view digits = name.substr(prefix.size());
    unsigned size = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    if (error != std::errc{} || stop != digits.data() + digits.size()) return std::nullopt;
    if (size < 1 || size > kMostSize) return std::nullopt;
    return KeyForm{name, type, size, KeyOrder::random};
  }
  return std::nullopt;
}

double KeyCost::a_row(double secondaries, double references) const {
  // Where the table is the index of the key, the room left empty is counted for the key's share alone.
  const double filled = key_entry > 0 ? in_row + key_entry / fill : in_row / fill;
  return filled + secondaries * in_secondary + references * in_reference;
}

KeyCost key_cost(Engine engine, const KeyForm& form, double rows) {
  switch (engine) {
    case Engine::postgresql:
      return in_postgresql(form);
    case Engine::innodb:
      return in_innodb(form);
    case Engine::sqlserver:
      return in_sqlserver(form);
    case Engine::sqlite:
      return in_sqlite(form, rows);
  }
  return {};
}

}  // namespace mintmark::cli
