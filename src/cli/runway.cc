#include "cli/runway.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace mintmark::cli {
namespace {

constexpr U128 below_power(unsigned bits) { return (U128{1} << bits) - 1; }

// The names that people get to see first: find_number_column takes the aliases too.
constexpr std::array<std::string_view, 11> kNames{"tinyint", "smallint", "mediumint", "int",
                                                  "bigint",  "utinyint", "usmallint", "umediumint",
                                                  "uint",    "ubigint",  "2^53"};

constexpr NumberColumn kColumns[] = {
    {"tinyint", below_power(7)},    {"smallint", below_power(15)},   {"mediumint", below_power(23)},
    {"int", below_power(31)},       {"bigint", below_power(63)},     {"utinyint", below_power(8)},
    {"usmallint", below_power(16)}, {"umediumint", below_power(24)}, {"uint", below_power(32)},
    {"ubigint", below_power(64)},   {"2^53", below_power(53)},  // Number.MAX_SAFE_INTEGER
};

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kAliases{{
    {"int2", "smallint"},
    {"smallserial", "smallint"},
    {"serial2", "smallint"},
    {"integer", "int"},
    {"int4", "int"},
    {"serial", "int"},
    {"serial4", "int"},
    {"int32", "int"},
    {"int8", "bigint"},
    {"bigserial", "bigint"},
    {"serial8", "bigint"},
    {"int64", "bigint"},
    {"long", "bigint"},
    {"int unsigned", "uint"},
    {"unsigned", "uint"},
    {"uint32", "uint"},
    {"bigint unsigned", "ubigint"},
    {"uint64", "ubigint"},
    {"smallint unsigned", "usmallint"},
    {"mediumint unsigned", "umediumint"},
    {"tinyint unsigned", "utinyint"},
    {"integer unsigned", "uint"},
    {"js", "2^53"},
    {"double", "2^53"},
}};

/// Of a scheme that has a time and does not sort by it: what its time fields hold together.
std::optional<Instant> last_instant_of_fields(const CatalogueRow& row) {
  unsigned bits = 0;
  for (const CatalogueField& field : row.fields) {
    if (field.kind == FieldKind::time || field.kind == FieldKind::time_part) bits += field.bits;
  }
  if (bits == 0 || bits > 62) return std::nullopt;
  const U128 last = below_power(bits) * static_cast<U128>(row.scheme.unit.count());
  if (last >= below_power(62)) return std::nullopt;
  return row.scheme.epoch + Duration{static_cast<Duration::rep>(last)};
}

}  // namespace

std::optional<NumberColumn> find_number_column(std::string_view name) {
  std::string lower{name};
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  std::string_view canonical = lower;
  for (const auto& [alias, meant] : kAliases) {
    if (alias == lower) canonical = meant;
  }
  for (const NumberColumn& column : kColumns) {
    if (column.name == canonical) return column;
  }
  return std::nullopt;
}

std::span<const std::string_view> number_column_names() { return kNames; }

Runway runway_of(const Numbers& numbers) {
  const U128 all = (numbers.last - numbers.first) / numbers.step + 1;
  if (numbers.at < numbers.first) return {all, 0};
  if (numbers.at >= numbers.last) return {0, 1};
  const U128 left = (numbers.last - numbers.at) / numbers.step;
  return {left, 1 - static_cast<double>(left) / static_cast<double>(all)};
}

std::optional<Instant> last_instant(const CatalogueRow& row) {
  if (row.ceil == nullptr) return last_instant_of_fields(row);
  // The times that a scheme takes are one stretch from its epoch on, and every one lasts beyond 1970.
  Instant fits = std::max(row.scheme.epoch, Instant{});
  if (!row.ceil(fits)) return std::nullopt;
  Instant fails = Instant::max();
  while (fails - fits > Duration{1}) {
    const Instant middle = fits + (fails - fits) / 2;
    (row.ceil(middle) ? fits : fails) = middle;
  }
  // The beginning of its last tick.
  return row.scheme.epoch + (fits - row.scheme.epoch) / row.scheme.unit * row.scheme.unit;
}

}  // namespace mintmark::cli
