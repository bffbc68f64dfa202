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
#include <utility>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/bit_reversed.h"
#include "mintmark/scheme/cuid2.h"
#include "mintmark/scheme/ksuid.h"
#include "mintmark/scheme/nanoid.h"
#include "mintmark/scheme/object_id.h"
#include "mintmark/scheme/push_id.h"
#include "mintmark/scheme/row_id.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/shard_first.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/tsid.h"
#include "mintmark/scheme/type_id.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/uuid_v2.h"
#include "mintmark/scheme/uuid_v3.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v5.h"
#include "mintmark/scheme/uuid_v6.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/scheme/uuid_v8.h"
#include "mintmark/scheme/xid.h"

namespace mintmark {

/// What the bits of a field are, and so how a card shows them.
enum class FieldKind : std::uint8_t {
  time,       ///< the time of the ID, or its most significant part
  time_part,  ///< more of the time, elsewhere in the ID
  version,    ///< the version of a UUID
  variant,    ///< the variant of a UUID
  node,       ///< a worker, a shard, a machine
  address,    ///< 48 bits of a network card, or random with the multicast bit set
  sequence,   ///< a counter
  reversed,   ///< a counter, its last bit first
  random,     ///< nothing can be read from them
  digest,     ///< of a name: the same name gives the same bits
  prefix,     ///< no bits at all: the characters in front of the last underscore
};

struct CatalogueField {
  std::string_view name;
  unsigned bits;
  FieldKind kind;
};

/// How a text of a scheme is spelled; for the words about a text that is not one.
enum class Spelling : std::uint8_t {
  decimal,
  hexadecimal,
  base32hex,
  crockford,
  base36,
  base62,
  base64,
};

/// Characters that a digit of the spelling may be: what a text of it says about itself.
[[nodiscard]] constexpr unsigned symbols_of(Spelling spelling) {
  constexpr std::array<unsigned, 7> kSymbols{10, 16, 32, 32, 36, 62, 64};
  return kSymbols[static_cast<std::size_t>(spelling)];
}

enum class Minting : std::uint8_t { can_mint, reads_only };

/// Whether a text alone can say that it is of this scheme.
enum class Detection : std::uint8_t {
  by_text,
  by_hyphen,   ///< only with a `-` in front, as every push ID has until 2109: any word would be one
  when_named,  ///< never: any number is a bit-reversed one
};

/// One ID of whatever scheme, without the type: what a catalogue can hand on. Holds no pointer.
class CatalogueId {
 public:
  static constexpr std::size_t kMostBytes = 20;
  static constexpr std::size_t kMostText = 96;

  template <Scheme S>
  [[nodiscard]] static constexpr CatalogueId of(const S& id) {
    static_assert(S::facts.bytes <= kMostBytes && S::facts.text_size <= kMostText);
    CatalogueId any;
    any.byte_count_ = S::facts.bytes;
    id.to_bytes(std::span{any.bytes_}.first(S::facts.bytes));
    any.text_size_ = id.write(any.text_);
    if constexpr (requires { id.time(); }) any.time_ = id.time();
    return any;
  }

  /// The binary form, big-endian.
  [[nodiscard]] constexpr std::span<const std::byte> bytes() const {
    return std::span{bytes_}.first(byte_count_);
  }
  /// The one canonical spelling.
  [[nodiscard]] constexpr std::string_view text() const { return {text_.data(), text_size_}; }
  /// Nothing where the ID carries no time.
  [[nodiscard]] constexpr std::optional<Instant> time() const { return time_; }

  /// `count` bits, of which the last stands `below` bits above the end of the binary form.
  /// REQUIRES: they lie within it, count <= 128.
  [[nodiscard]] constexpr U128 bits(unsigned below, unsigned count) const {
    U128 value = 0;
    for (unsigned i = below + count; i-- > below;) {
      const unsigned octet = static_cast<unsigned>(bytes_[byte_count_ - 1 - i / 8]);
      value = value << 1 | (octet >> i % 8 & 1);
    }
    return value;
  }

 private:
  std::array<std::byte, kMostBytes> bytes_{};
  std::array<char, kMostText> text_{};
  std::size_t byte_count_ = 0;
  std::size_t text_size_ = 0;
  std::optional<Instant> time_;
};

/// One scheme, or one preset of a scheme that has several. The functions never allocate.
struct CatalogueRow {
  const Facts& scheme;
  std::string_view name;    ///< as typed: the scheme's, or the preset's where there are several
  std::string_view preset;  ///< the layout's name; empty where the scheme has no presets
  Spelling spelling;
  Minting minting;
  Detection detection;
  std::string_view evidence;               ///< what about a text speaks for this scheme
  std::span<const CatalogueField> fields;  ///< most significant first, scheme.bits in all
  Result<CatalogueId> (*parse)(std::string_view text);                  ///< as S::parse
  Result<CatalogueId> (*from_bytes)(std::span<const std::byte> bytes);  ///< as S::from_bytes
  Result<CatalogueId> (*floor)(Instant time);  ///< as S::floor; null where no time orders the IDs
  Result<CatalogueId> (*ceil)(Instant time);   ///< as S::ceil; null where floor is
};

namespace catalogue_rows {

template <Scheme S>
constexpr Result<CatalogueId> any(const Result<S>& id) {
  if (!id) return fail(id.error());
  return CatalogueId::of(*id);
}
template <Scheme S>
constexpr Result<CatalogueId> parse(std::string_view text) {
  return any(S::parse(text));
}
template <Scheme S>
constexpr Result<CatalogueId> from_bytes(std::span<const std::byte> bytes) {
  return any(S::from_bytes(bytes));
}
template <TimeOrdered S>
constexpr Result<CatalogueId> floor(Instant time) {
  return any(S::floor(time));
}
template <TimeOrdered S>
constexpr Result<CatalogueId> ceil(Instant time) {
  return any(S::ceil(time));
}

template <Scheme S>
constexpr CatalogueRow row(Spelling spelling, std::string_view evidence,
                           std::span<const CatalogueField> fields,
                           Detection detection = Detection::by_text,
                           Minting minting = Mintable<S> ? Minting::can_mint : Minting::reads_only,
                           std::string_view preset = "") {
  auto* least = static_cast<Result<CatalogueId> (*)(Instant)>(nullptr);
  auto* largest = least;
  if constexpr (TimeOrdered<S>) {
    least = floor<S>;
    largest = ceil<S>;
  }
  return {.scheme = S::facts,
          .name = preset.empty() ? S::facts.name : preset,
          .preset = preset,
          .spelling = spelling,
          .minting = minting,
          .detection = detection,
          .evidence = evidence,
          .fields = fields,
          .parse = parse<S>,
          .from_bytes = from_bytes<S>,
          .floor = least,
          .ceil = largest};
}

// RFC 9562, sections 5.1 to 5.8; version 2: DCE 1.1, appendix A.
inline constexpr CatalogueField kUuidV1[] = {
    {"time_low", 32, FieldKind::time_part}, {"time_mid", 16, FieldKind::time_part},
    {"ver", 4, FieldKind::version},         {"time_high", 12, FieldKind::time},
    {"var", 2, FieldKind::variant},         {"clock_seq", 14, FieldKind::sequence},
    {"node", 48, FieldKind::address}};
inline constexpr CatalogueField kUuidV2[] = {
    {"local_id", 32, FieldKind::node}, {"time_mid", 16, FieldKind::time_part},
    {"ver", 4, FieldKind::version},    {"time_high", 12, FieldKind::time},
    {"var", 2, FieldKind::variant},    {"clock_seq", 6, FieldKind::sequence},
    {"domain", 8, FieldKind::node},    {"node", 48, FieldKind::address}};
inline constexpr CatalogueField kUuidV3[] = {{"md5_high", 48, FieldKind::digest},
                                             {"ver", 4, FieldKind::version},
                                             {"md5_mid", 12, FieldKind::digest},
                                             {"var", 2, FieldKind::variant},
                                             {"md5_low", 62, FieldKind::digest}};
inline constexpr CatalogueField kUuidV4[] = {{"random_a", 48, FieldKind::random},
                                             {"ver", 4, FieldKind::version},
                                             {"random_b", 12, FieldKind::random},
                                             {"var", 2, FieldKind::variant},
                                             {"random_c", 62, FieldKind::random}};
inline constexpr CatalogueField kUuidV5[] = {{"sha1_high", 48, FieldKind::digest},
                                             {"ver", 4, FieldKind::version},
                                             {"sha1_mid", 12, FieldKind::digest},
                                             {"var", 2, FieldKind::variant},
                                             {"sha1_low", 62, FieldKind::digest}};
inline constexpr CatalogueField kUuidV6[] = {
    {"time_high", 32, FieldKind::time}, {"time_mid", 16, FieldKind::time_part},
    {"ver", 4, FieldKind::version},     {"time_low", 12, FieldKind::time_part},
    {"var", 2, FieldKind::variant},     {"clock_seq", 14, FieldKind::sequence},
    {"node", 48, FieldKind::address}};
inline constexpr CatalogueField kUuidV7[] = {{"unix_ts_ms", 48, FieldKind::time},
                                             {"ver", 4, FieldKind::version},
                                             {"rand_a", 12, FieldKind::random},
                                             {"var", 2, FieldKind::variant},
                                             {"rand_b", 62, FieldKind::random}};
inline constexpr CatalogueField kUuidV8[] = {{"custom_a", 48, FieldKind::random},
                                             {"ver", 4, FieldKind::version},
                                             {"custom_b", 12, FieldKind::random},
                                             {"var", 2, FieldKind::variant},
                                             {"custom_c", 62, FieldKind::random}};
// RFC 9562, section 4: what every version has in common.
inline constexpr CatalogueField kUuid[] = {{"bits_a", 48, FieldKind::random},
                                           {"ver", 4, FieldKind::version},
                                           {"bits_b", 12, FieldKind::random},
                                           {"var", 2, FieldKind::variant},
                                           {"bits_c", 62, FieldKind::random}};
// typeid/spec 0.3: a prefix, and a UUIDv7 if it was made as the specification says.
inline constexpr CatalogueField kTypeId[] = {
    {"prefix", 0, FieldKind::prefix}, {"unix_ts_ms", 48, FieldKind::time},
    {"ver", 4, FieldKind::version},   {"rand_a", 12, FieldKind::random},
    {"var", 2, FieldKind::variant},   {"rand_b", 62, FieldKind::random}};
// ulid/spec, "Binary Layout and Byte Order".
inline constexpr CatalogueField kUlid[] = {{"time", 48, FieldKind::time},
                                           {"randomness", 80, FieldKind::random}};
// segmentio/ksuid, ksuid.go.
inline constexpr CatalogueField kKsuid[] = {{"time", 32, FieldKind::time},
                                            {"payload", 128, FieldKind::random}};
// rs/xid, id.go.
inline constexpr CatalogueField kXid[] = {{"time", 32, FieldKind::time},
                                          {"machine", 24, FieldKind::random},
                                          {"pid", 16, FieldKind::node},
                                          {"counter", 24, FieldKind::sequence}};
// mongodb/specifications, bson-objectid.
inline constexpr CatalogueField kObjectId[] = {{"time", 32, FieldKind::time},
                                               {"random", 40, FieldKind::random},
                                               {"counter", 24, FieldKind::sequence}};
// Firebase, "The 2^120 ways to ensure unique identifiers".
inline constexpr CatalogueField kPushId[] = {{"time", 48, FieldKind::time},
                                             {"random", 72, FieldKind::random}};
inline constexpr CatalogueField kNanoid[] = {{"random", 126, FieldKind::random}};
inline constexpr CatalogueField kCuid2[] = {{"hash", 125, FieldKind::random}};
// f4b6a3/tsid-creator, with its default of 10 bits for the node.
inline constexpr CatalogueField kTsid[] = {{"time", 42, FieldKind::time},
                                           {"node", 10, FieldKind::node},
                                           {"counter", 12, FieldKind::sequence}};
// cockroachdb/cockroach, pkg/sql/sem/builtins.
inline constexpr CatalogueField kRowId[] = {{"time", 48, FieldKind::time},
                                            {"node", 15, FieldKind::node}};
inline constexpr CatalogueField kBitReversed[] = {{"reversed", 63, FieldKind::reversed}};
inline constexpr CatalogueField kShardFirst[] = {{"shard", 5, FieldKind::node},
                                                 {"counter", 58, FieldKind::sequence}};

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
  return row<SnowflakeOf<kNamed.layout>>(Spelling::decimal, "a decimal number of 64 bits",
                                         kLayoutFields<kNamed.layout>, Detection::by_text,
                                         Minting::can_mint, kNamed.name);
}

template <std::size_t... kPresets>
constexpr auto all(std::index_sequence<kPresets...>) {
  constexpr auto kNamed = Detection::when_named;
  constexpr auto kFromSpace = Minting::can_mint;  // a store gives the slot or the number
  return std::array{
      row<UuidV7>(Spelling::hexadecimal, "its version field says 7", kUuidV7),
      row<UuidV4>(Spelling::hexadecimal, "its version field says 4", kUuidV4),
      row<UuidV1>(Spelling::hexadecimal, "its version field says 1", kUuidV1),
      row<UuidV2>(Spelling::hexadecimal, "its version field says 2", kUuidV2),
      row<UuidV3>(Spelling::hexadecimal, "its version field says 3", kUuidV3),
      row<UuidV5>(Spelling::hexadecimal, "its version field says 5", kUuidV5),
      row<UuidV6>(Spelling::hexadecimal, "its version field says 6", kUuidV6),
      row<UuidV8>(Spelling::hexadecimal, "its version field says 8", kUuidV8),
      row<Uuid>(Spelling::hexadecimal, "128 bits in hexadecimal digits", kUuid),
      row<Ulid>(Spelling::crockford, "26 digits of Crockford base32", kUlid),
      row<Ksuid>(Spelling::base62, "27 digits of base62", kKsuid),
      row<ObjectId>(Spelling::hexadecimal, "24 hexadecimal digits", kObjectId),
      row<Xid>(Spelling::base32hex, "20 digits of base32hex in lower case", kXid),
      row<TypeId>(Spelling::crockford, "26 digits of Crockford base32 in lower case", kTypeId),
      row<PushId>(Spelling::base64, "20 characters of its base64, the first a hyphen", kPushId,
                  Detection::by_hyphen),
      row<Cuid2>(Spelling::base36, "a letter and 23 letters or digits, as any may be", kCuid2),
      row<Nanoid>(Spelling::base64, "21 characters of its alphabet, as any may be", kNanoid),
      row<Tsid>(Spelling::crockford, "13 digits of Crockford base32", kTsid, Detection::by_text,
                kFromSpace),
      snowflake<kPresets>()...,
      row<RowId>(Spelling::decimal, "a decimal number of 63 bits", kRowId, Detection::by_text,
                 kFromSpace),
      row<BitReversed>(Spelling::decimal, "asked for as one", kBitReversed, kNamed, kFromSpace),
      row<ShardFirst>(Spelling::decimal, "asked for as one", kShardFirst, kNamed, kFromSpace),
  };
}

}  // namespace catalogue_rows

/// Every scheme. Constant; any thread may read it.
inline constexpr auto kCatalogue =
    catalogue_rows::all(std::make_index_sequence<std::size(layouts::kPresets)>{});

/// The row of a name as it is typed: a scheme's, a preset's, or `snowflake` for Twitter's; null if there is
/// none.
[[nodiscard]] constexpr const CatalogueRow* find_scheme(std::string_view name) {
  if (name == "snowflake") name = "twitter";
  for (const CatalogueRow& row : kCatalogue) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

namespace catalogue_checks {
constexpr bool fields_fill_each_id() {
  for (const CatalogueRow& row : kCatalogue) {
    unsigned bits = 0;
    for (const CatalogueField& field : row.fields) bits += field.bits;
    if (bits != row.scheme.bits) return false;
  }
  return true;
}
constexpr bool names_are_distinct() {
  for (const CatalogueRow& row : kCatalogue) {
    if (find_scheme(row.name) != &row) return false;
  }
  return true;
}
static_assert(fields_fill_each_id());
static_assert(names_are_distinct());
}  // namespace catalogue_checks

}  // namespace mintmark
