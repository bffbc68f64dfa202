// What the types of single UUID versions have in common: text, octets, order and hash of 128 bits that are
// known to be of one version and of the RFC's variant. Once here, so that a version's header holds what its
// bits mean and nothing else.
//
// It is a part of a scheme, not one: it has no facts and no fields. A class derives from it and names
// itself:
//
//   class UuidV5 : public VersionedUuid<UuidV5, 5> { ... };
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark {

/// A UUID of version kNumber and of the RFC's variant. The default one has no other bit set.
/// Immutable but by assignment; threads may share a constant one.
template <class Self, unsigned kNumber>
class VersionedUuid {
 public:
  static constexpr unsigned kVersion = kNumber;

  /// Reads what Uuid::parse reads. Errors: the same; WrongVersion at the digit that says so.
  [[nodiscard]] static constexpr Result<Self> parse(std::string_view text) {
    MINTMARK_TRY(uuid, Uuid::parse_version(text, kNumber));
    return of_uuid(uuid);
  }
  /// Writes 36 characters, returns 36. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const { return uuid_.write(out); }

  /// Errors: WrongLength, WrongVersion.
  [[nodiscard]] static constexpr Result<Self> from_bytes(std::span<const std::byte> from) {
    MINTMARK_TRY(uuid, Uuid::from_bytes(from));
    return from_uuid(uuid);
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { uuid_.to_bytes(to); }

  /// Errors: WrongVersion.
  [[nodiscard]] static constexpr Result<Self> from_uuid(const Uuid& uuid) {
    if (!uuid.is_version(kNumber)) return fail(Fault::wrong_version);
    return of_uuid(uuid);
  }
  [[nodiscard]] constexpr const Uuid& uuid() const { return uuid_; }
  [[nodiscard]] constexpr operator Uuid() const { return uuid_; }  // NOLINT: each of them is a UUID

  friend constexpr auto operator<=>(const VersionedUuid&, const VersionedUuid&) = default;

 private:
  friend Self;

  constexpr VersionedUuid() = default;

  /// The six bits of version and variant are written over whatever stands there.
  static constexpr Self of_bits(std::uint64_t high, std::uint64_t low) {
    return of_uuid(Uuid::of_version(kNumber, high, low));
  }
  static constexpr Self of_uuid(const Uuid& uuid) {
    Self id;
    static_cast<VersionedUuid&>(id).uuid_ = uuid;
    return id;
  }

  /// The 122 other bits, as three numbers of 48, 12 and 62 bits. Errors: ValueOverflow.
  struct Parts {
    std::uint64_t a = 0;
    std::uint16_t b = 0;
    std::uint64_t c = 0;
  };
  static constexpr Result<Self> pack_parts(const Parts& parts) {
    if (parts.a > low_bits(48) || parts.b > low_bits(12) || parts.c > low_bits(62)) {
      return fail(Fault::value_overflow);
    }
    return of_bits(parts.a << 16 | parts.b, parts.c);
  }
  [[nodiscard]] constexpr Parts unpack_parts() const {
    return {uuid_.high() >> 16, static_cast<std::uint16_t>(uuid_.high() & low_bits(12)),
            uuid_.low() & low_bits(62)};
  }

  Uuid uuid_ = Uuid::of_version(kNumber, 0, 0);
};

template <class Id>
concept OneUuidVersion = std::derived_from<Id, VersionedUuid<Id, Id::kVersion>>;

}  // namespace mintmark

template <mintmark::OneUuidVersion Id>
struct std::hash<Id> {
  [[nodiscard]] std::size_t operator()(const Id& id) const noexcept {
    return std::hash<mintmark::Uuid>{}(id.uuid());
  }
};
