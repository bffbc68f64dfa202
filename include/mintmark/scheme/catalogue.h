// The catalogue: the only list of schemes. One row says everything that inspect, help and the reference
// pages need to know about a kind of ID; adding a scheme is its header and one row here.
//
// Why the fields stand here and not in `Fields` of each scheme: a card shows bits by name and width, most
// significant first, which no struct can tell about itself.
//
// The order of the rows is the order in which readings of equal merit are shown. A scheme of a narrower
// claim (UUID of version 7) stands before the wider one (any UUID).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"

namespace mintmark {

/// What the bits of a field are, and so how a card shows them.
enum class FieldKind : std::uint8_t {
  time,      ///< the time of the ID; its value is ticks of the scheme's unit since its epoch
  version,   ///< the version of a UUID
  variant,   ///< the variant of a UUID
  node,      ///< a worker, a shard, a machine
  sequence,  ///< counts inside a tick
  random,    ///< nothing can be read from them
};

struct CatalogueField {
  std::string_view name;
  unsigned bits;
  FieldKind kind;
};

/// How a text of a scheme is spelled; for the words about a text that is not one.
enum class Spelling : std::uint8_t { hexadecimal, crockford, decimal };

enum class Minting : std::uint8_t { can_mint, reads_only };

/// One scheme, or one preset of a scheme that has several. The functions never allocate.
struct CatalogueRow {
  const Facts& scheme;
  std::string_view preset;  ///< the layout's name; empty where the scheme has no presets
  Spelling spelling;
  Minting minting;
  std::string_view evidence;                     ///< what about a text speaks for this scheme
  std::span<const CatalogueField> fields;        ///< most significant first, scheme.bits in all
  Result<U128> (*parse)(std::string_view text);  ///< as S::parse
  std::size_t (*write)(U128 value, std::span<char> out);
  std::optional<Instant> (*time)(U128 value);  ///< REQUIRES: the value is one that parse gave
};

namespace catalogue_rows {

template <Scheme S>
constexpr Result<U128> parse(std::string_view text) {
  MINTMARK_TRY(id, S::parse(text));
  std::array<std::byte, sizeof(U128)> bytes{};
  id.to_bytes(std::span{bytes}.last(S::facts.bytes));
  return load_be<U128>(bytes);
}

/// REQUIRES: parse gave the value, so that from_bytes takes it.
template <Scheme S>
constexpr S value_of(U128 value) {
  std::array<std::byte, sizeof(U128)> bytes{};
  store_be(bytes, value);
  return *S::from_bytes(std::span<const std::byte>{bytes}.last(S::facts.bytes));
}

template <Scheme S>
constexpr std::size_t write(U128 value, std::span<char> out) {
  return value_of<S>(value).write(out);
}

template <Scheme S>
constexpr std::optional<Instant> time(U128 value) {
  if constexpr (TimeOrdered<S>) {
    return value_of<S>(value).time();
  } else {
    static_cast<void>(value);
    return std::nullopt;
  }
}

template <Scheme S>
constexpr CatalogueRow row(std::string_view preset, Spelling spelling, std::string_view evidence,
                           std::span<const CatalogueField> fields) {
  return {.scheme = S::facts,
          .preset = preset,
          .spelling = spelling,
          .minting = Mintable<S> ? Minting::can_mint : Minting::reads_only,
          .evidence = evidence,
          .fields = fields,
          .parse = parse<S>,
          .write = write<S>,
          .time = time<S>};
}

// RFC 9562, section 5.7.
inline constexpr CatalogueField kUuidV7[] = {{"unix_ts_ms", 48, FieldKind::time},
                                             {"ver", 4, FieldKind::version},
                                             {"rand_a", 12, FieldKind::random},
                                             {"var", 2, FieldKind::variant},
                                             {"rand_b", 62, FieldKind::random}};
// RFC 9562, section 5.4.
inline constexpr CatalogueField kUuidV4[] = {{"random_a", 48, FieldKind::random},
                                             {"ver", 4, FieldKind::version},
                                             {"random_b", 12, FieldKind::random},
                                             {"var", 2, FieldKind::variant},
                                             {"random_c", 62, FieldKind::random}};
// RFC 9562, section 4: what every version has in common.
inline constexpr CatalogueField kUuid[] = {{"custom_a", 48, FieldKind::random},
                                           {"ver", 4, FieldKind::version},
                                           {"custom_b", 12, FieldKind::random},
                                           {"var", 2, FieldKind::variant},
                                           {"custom_c", 62, FieldKind::random}};
// ulid/spec, "Binary Layout and Byte Order".
inline constexpr CatalogueField kUlid[] = {{"time", 48, FieldKind::time},
                                           {"randomness", 80, FieldKind::random}};

constexpr FieldKind kind_of(FieldRole role) {
  return role == FieldRole::time       ? FieldKind::time
         : role == FieldRole::sequence ? FieldKind::sequence
                                       : FieldKind::node;
}

template <const SnowflakeLayout& kLayout>
inline constexpr auto kLayoutFields = [] {
  std::array<CatalogueField, kLayout.fields().size()> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const LayoutField& field = kLayout.fields()[i];
    fields[i] = {field.name(), field.width, kind_of(field.role)};
  }
  return fields;
}();

template <std::size_t kPreset>
constexpr CatalogueRow snowflake() {
  constexpr const layouts::Named& kNamed = layouts::kPresets[kPreset];
  return row<SnowflakeOf<kNamed.layout>>(
      kNamed.name, Spelling::decimal, "a decimal number of 64 bits", kLayoutFields<kNamed.layout>);
}

}  // namespace catalogue_rows

/// Every scheme. Constant; any thread may read it.
inline constexpr CatalogueRow kCatalogue[] = {
    catalogue_rows::row<UuidV7>("", Spelling::hexadecimal, "its version field says 7",
                                catalogue_rows::kUuidV7),
    catalogue_rows::row<UuidV4>("", Spelling::hexadecimal, "its version field says 4",
                                catalogue_rows::kUuidV4),
    catalogue_rows::row<Uuid>("", Spelling::hexadecimal, "128 bits in hexadecimal digits",
                              catalogue_rows::kUuid),
    catalogue_rows::row<Ulid>("", Spelling::crockford, "26 digits of Crockford base32",
                              catalogue_rows::kUlid),
    catalogue_rows::snowflake<0>(),
    catalogue_rows::snowflake<1>(),
    catalogue_rows::snowflake<2>(),
    catalogue_rows::snowflake<3>(),
};

namespace catalogue_checks {
constexpr bool fields_fill_each_id() {
  for (const CatalogueRow& row : kCatalogue) {
    unsigned bits = 0;
    for (const CatalogueField& field : row.fields) bits += field.bits;
    if (bits != row.scheme.bits) return false;
  }
  return true;
}
constexpr std::size_t presets() {
  std::size_t count = 0;
  for (const CatalogueRow& row : kCatalogue) count += row.preset.empty() ? 0U : 1U;
  return count;
}
static_assert(fields_fill_each_id());
static_assert(presets() == std::size(layouts::kPresets),
              "each preset of the layouts needs its row");
}  // namespace catalogue_checks

}  // namespace mintmark
