#include "cli/sql_shape.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "mint/did_you_mean.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::cli {
namespace {

constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::string_view kBase32Hex = "0123456789abcdefghijklmnopqrstuv";
constexpr std::string_view kPush =
    "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase62 =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Where the time lies. RFC 9562 sections 5.1, 5.6 and 5.7: the digit of the version is left out.
constexpr std::array kV1Runs{HexRun{0, 8, 0}, HexRun{8, 4, 32}, HexRun{13, 3, 48}};
constexpr std::array kV6Runs{HexRun{0, 12, 12}, HexRun{13, 3, 0}};
constexpr std::array kMsRuns{HexRun{0, 12, 0}};
constexpr std::array kSecondsRuns{HexRun{0, 8, 0}};

struct Characters {
  std::string_view alphabet;
  std::string_view letters;
  unsigned bits_per_digit;
  unsigned time_digits;
  unsigned spare_bits;
  bool upper;
};

/// What is known of a scheme besides its row of the catalogue.
struct SchemeRow {
  std::string_view name;
  std::span<const HexRun> runs;
  unsigned version = 0;
  bool is_uuid = false;  ///< a column of the type uuid may hold it
  std::optional<Characters> characters = std::nullopt;
  bool hex_text =
      false;  ///< its text is its bytes in hex digits, with the hyphens of a UUID or without
  bool base62 = false;
  ColumnForm usual = ColumnForm::bytes;
};
constexpr SchemeRow kSchemes[] = {
    {.name = "uuid7", .runs = kMsRuns, .version = 7, .is_uuid = true, .hex_text = true},
    {.name = "uuid6", .runs = kV6Runs, .version = 6, .is_uuid = true, .hex_text = true},
    {.name = "uuid1", .runs = kV1Runs, .version = 1, .is_uuid = true, .hex_text = true},
    {.name = "ulid",
     .runs = kMsRuns,
     .is_uuid = true,
     .characters = Characters{kCrockford, "0-9A-HJKMNP-TV-Z", 5, 10, 0, true}},
    {.name = "objectid", .runs = kSecondsRuns, .hex_text = true, .usual = ColumnForm::text},
    {.name = "ksuid", .runs = kSecondsRuns, .base62 = true, .usual = ColumnForm::text},
    {.name = "xid",
     .runs = kSecondsRuns,
     .characters = Characters{kBase32Hex, "0-9a-v", 5, 7, 3, false},
     .usual = ColumnForm::text},
    {.name = "pushid",
     .runs = {},
     .characters = Characters{kPush, "-0-9A-Z_a-z", 6, 8, 0, false},
     .usual = ColumnForm::text},
};

/// Numbers whose bits are no layout of the presets: f4b6a3/tsid-creator, and cockroachdb/cockroach,
/// pkg/sql/sem/builtins.
struct NumberRow {
  std::string_view name;
  unsigned shift;
  unsigned width;
};
constexpr NumberRow kNumbers[] = {{"tsid", 22, 42}, {"rowid", 15, 48}};

std::string hex_of(std::span<const std::byte> bytes) {
  std::string hex;
  for (const std::byte byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return hex;
}

std::int64_t microseconds(Duration length) { return length.count() / 10; }

/// The time of a shape whose tick has so many bits.
void put_time(IdShape& shape, Instant epoch, Duration unit, unsigned bits) {
  shape.epoch_us = microseconds(epoch.time_since_epoch());
  shape.tick_us = microseconds(unit);
  const auto ticks = static_cast<std::int64_t>(low_bits(bits)) + 1;
  shape.last_us = shape.tick_us > 0 ? ticks * shape.tick_us - 1 : ticks / 10 - 1;
}

/// The IDs of tick 0 by the scheme's own rules; as hex, text or decimal, by the kind.
void put_bounds(IdShape& shape, const CatalogueRow& row) {
  shape.sorts = row.floor != nullptr;
  if (!shape.sorts) return;
  const auto spelled = [&shape](const CatalogueId& id) {
    return shape.kind == IdShape::Kind::hex ? hex_of(id.bytes()) : std::string{id.text()};
  };
  shape.least = spelled(*row.floor(row.scheme.epoch));
  shape.largest = spelled(*row.ceil(row.scheme.epoch));
}

std::expected<IdShape, std::string> shape_of_scheme(const SchemeRow& scheme,
                                                    std::optional<ColumnForm> form, bool has_uuid) {
  const CatalogueRow& row = *find_scheme(scheme.name);
  const bool native = has_uuid && scheme.is_uuid;
  IdShape shape;
  shape.scheme = scheme.name;
  shape.form = form.value_or(native ? ColumnForm::uuid : scheme.usual);
  shape.version = scheme.version;
  if (shape.form == ColumnForm::integer)
    return std::unexpected(fmt::format("a {} is no integer: uuid, bytes or text", scheme.name));
  if (shape.form == ColumnForm::uuid && !native)
    return std::unexpected(fmt::format("a {} is no uuid there: bytes or text", scheme.name));
  if (shape.form == ColumnForm::text && !scheme.hex_text) {
    shape.kind = scheme.base62 ? IdShape::Kind::base62 : IdShape::Kind::digits;
    shape.alphabet = kBase62;
    shape.letters = "0-9A-Za-z";
    if (scheme.characters) {
      shape.alphabet = scheme.characters->alphabet;
      shape.letters = scheme.characters->letters;
      shape.bits_per_digit = scheme.characters->bits_per_digit;
      shape.time_digits = scheme.characters->time_digits;
      shape.spare_bits = scheme.characters->spare_bits;
      shape.upper = scheme.characters->upper;
    }
  } else if (scheme.runs.empty()) {
    return std::unexpected(fmt::format("a {} is kept as text", scheme.name));
  }
  shape.runs.assign(scheme.runs.begin(), scheme.runs.end());
  const bool is_text = shape.form == ColumnForm::text;
  shape.characters = static_cast<unsigned>(is_text ? row.scheme.text_size : row.scheme.bytes * 2);
  unsigned bits = 0;
  for (const CatalogueField& field : row.fields) {
    if (field.kind == FieldKind::time || field.kind == FieldKind::time_part) bits += field.bits;
  }
  put_time(shape, row.scheme.epoch, row.scheme.unit, bits);
  put_bounds(shape, row);
  return shape;
}

IdShape integer_shape(std::string_view name, Instant epoch, Duration unit, unsigned shift,
                      unsigned width) {
  IdShape shape;
  shape.scheme = name;
  shape.kind = IdShape::Kind::integer;
  shape.form = ColumnForm::integer;
  shape.shift = shift;
  shape.width = width;
  put_time(shape, epoch, unit, width);
  shape.least = "0";
  shape.largest = fmt::format("{}", low_bits(shift));
  return shape;
}

std::expected<IdShape, std::string> shape_of_layout(std::string_view name,
                                                    const SnowflakeLayout& layout) {
  const LayoutField* time = nullptr;
  for (const LayoutField& field : layout.fields()) {
    if (field.role == FieldRole::time) time = &field;
  }
  IdShape shape = integer_shape(name, layout.epoch(), layout.unit(), time->shift, time->width);
  shape.sorts = layout.sorts_by_time();
  shape.is_unsigned = layout.signedness() == Signedness::is_unsigned && layout.bits() == 64;
  shape.last_us = microseconds(layout.end() - layout.epoch()) - 1;
  return shape;
}

}  // namespace

std::vector<std::string_view> shaped_schemes() {
  std::vector<std::string_view> names;
  for (const SchemeRow& row : kSchemes) names.push_back(row.name);
  for (const NumberRow& row : kNumbers) names.push_back(row.name);
  names.emplace_back("snowflake");
  for (const layouts::Named& preset : layouts::kPresets) names.push_back(preset.name);
  return names;
}

std::expected<IdShape, std::string> shape_of(std::string_view scheme,
                                             std::optional<ColumnForm> form, bool has_uuid) {
  const auto known = std::ranges::find(kSchemes, scheme, &SchemeRow::name);
  if (known != std::end(kSchemes)) return shape_of_scheme(*known, form, has_uuid);
  if (form && *form != ColumnForm::integer) {
    return std::unexpected(fmt::format("the form of {} is integer", scheme));
  }
  const auto number = std::ranges::find(kNumbers, scheme, &NumberRow::name);
  if (number != std::end(kNumbers)) {
    const Facts& facts = find_scheme(scheme)->scheme;
    IdShape shape = integer_shape(scheme, facts.epoch, facts.unit, number->shift, number->width);
    shape.is_unsigned = number->shift + number->width == 64;
    return shape;
  }
  if (const auto* layout = layouts::find(scheme == "snowflake" ? "twitter" : scheme))
    return shape_of_layout(scheme, *layout);
  if (const auto layout = SnowflakeLayout::parse(scheme)) return shape_of_layout("layout", *layout);
  if (scheme == "typeid")
    return std::unexpected("keep the UUID of a typeid in the table: it is a uuid7");
  if (find_scheme(scheme) != nullptr)
    return std::unexpected(fmt::format("a {} has no time that SQL could read", scheme));
  const std::string hint = mint::did_you_mean(scheme, shaped_schemes());
  return std::unexpected(fmt::format("there is no scheme or layout '{}'{}", scheme, hint));
}

}  // namespace mintmark::cli
