// UUIDv6: UUIDv1 with the bits of its time in the order in which they count. RFC 9562 section 5.6.
//
// Use it where UUIDv1 is in use and its IDs should sort by time: each v1 has its v6 and back. Do not use it
// for anything new: UUIDv7 sorts as well and tells nobody which generator made an ID.
//
//   octet  0                              6             8               10                 15
//         [ time_high 32 .. | time_mid 16][0110 low 12 ][10 clock_seq 14][ node 48 .........]
#pragma once

#include <cstdint>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/gregorian.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/versioned_uuid.h"

namespace mintmark {

/// A UUID that is known to be of version 6 and of the RFC's variant. The default one is the smallest.
class UuidV6 : public VersionedUuid<UuidV6, 6> {
 public:
  static constexpr Facts facts{
      .name = "uuid6",
      .title = "UUIDv6",
      .bits = 128,
      .bytes = 16,
      .text_size = 36,
      .order = TimeOrder::monotonic,
      .epoch = gregorian::kEpoch,
      .unit = Duration{1},
      .random_bits = 0,  // who knows one ID of a generator has only the time to guess
      .specification = "RFC 9562 section 5.6"};

  using Fields = GregorianFields;

  constexpr UuidV6() = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV6> pack(const Fields& fields) {
    if (const auto fits = fields.check(); !fits) return fail(fits.error());
    return of_fields(fields);
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const std::uint64_t high = uuid().high();
    return {.ticks = high >> 16 << 12 | (high & low_bits(12)),
            .clock_seq = static_cast<std::uint16_t>(uuid().low() >> 48 & low_bits(14)),
            .node = uuid().low() & low_bits(48)};
  }

  /// The same time, clock sequence and node as the other version.
  [[nodiscard]] static constexpr UuidV6 from_v1(const UuidV1& id) { return of_fields(id.unpack()); }
  [[nodiscard]] constexpr UuidV1 to_v1() const { return *UuidV1::pack(unpack()); }

  [[nodiscard]] constexpr Instant time() const { return gregorian::time_of(unpack().ticks); }

  /// The smallest and the largest UUIDv6 of the 100 ns that are `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<UuidV6> floor(Instant time) {
    MINTMARK_TRY(ticks, gregorian::ticks_of(time));
    return of_fields({.ticks = ticks, .clock_seq = 0, .node = 0});
  }
  [[nodiscard]] static constexpr Result<UuidV6> ceil(Instant time) {
    MINTMARK_TRY(ticks, gregorian::ticks_of(time));
    return of_fields({.ticks = ticks,
                      .clock_seq = static_cast<std::uint16_t>(low_bits(14)),
                      .node = low_bits(48)});
  }

  using Generator = GregorianGenerator<UuidV6>;

 private:
  /// REQUIRES: fields.check().
  static constexpr UuidV6 of_fields(const Fields& fields) {
    return of_bits(fields.ticks >> 12 << 16 | (fields.ticks & low_bits(12)),
                   std::uint64_t{fields.clock_seq} << 48 | fields.node);
  }
};

static_assert(TimeOrdered<UuidV6> && Mintable<UuidV6>);

// RFC 9562 appendix A.5: 2022-02-22T19:22:22Z, and the UUIDv1 of appendix A.1.
static_assert(UuidV6::pack({138'648'505'420'000'000, 0x33c8, 0x9f6bdeced846})->uuid() ==
              "1ec9414c-232a-6b00-b3c8-9f6bdeced846"_uuid);
static_assert(UuidV6::parse("1EC9414C-232A-6B00-B3C8-9F6BDECED846")->time() ==
              from_unix_ms(1'645'557'742'000));
static_assert(UuidV6::parse("1ec9414c-232a-6b00-b3c8-9f6bdeced846")->to_v1() ==
              *UuidV1::parse("c232ab00-9414-11ec-b3c8-9f6bdeced846"));
static_assert(UuidV6::parse("c232ab00-9414-11ec-b3c8-9f6bdeced846").error() ==
              Error::at(Fault::wrong_version, 14));

}  // namespace mintmark
