// UUIDv1: 60 bits of 100 ns since 1582, a clock sequence and a node. RFC 9562 section 5.1.
//
// Use it where another system asks for exactly this version. Do not use it for anything new: its text does
// not sort by time, because the low bits of the time come first. UUIDv6 is the same three numbers in an
// order that sorts, UUIDv7 needs no node.
//
//   octet  0                4             6             8               10                 15
//         [ time_low 32 ...][ time_mid 16][0001 high 12][10 clock_seq 14][ node 48 .........]
//
// It has a time() and no floor() or ceil(): the IDs of an instant do not lie together, so no pair of IDs
// bounds them. Convert to UUIDv6 for that.
#pragma once

#include <cstdint>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/gregorian.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/versioned_uuid.h"

namespace mintmark {

/// A UUID that is known to be of version 1 and of the RFC's variant. The default one is of 1582-10-15.
class UuidV1 : public VersionedUuid<UuidV1, 1> {
 public:
  static constexpr Facts facts{
      .name = "uuid1",
      .title = "UUIDv1",
      .bits = 128,
      .bytes = 16,
      .text_size = 36,
      .order = TimeOrder::none,
      .epoch = gregorian::kEpoch,
      .unit = Duration{1},
      .random_bits = 0,  // who knows one ID of a generator has only the time to guess
      .specification = "RFC 9562 section 5.1"};

  using Fields = GregorianFields;

  constexpr UuidV1() = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV1> pack(const Fields& fields) {
    if (const auto fits = fields.check(); !fits) return fail(fits.error());
    const std::uint64_t time_low = fields.ticks & low_bits(32);
    const std::uint64_t time_mid = fields.ticks >> 32 & low_bits(16);
    const std::uint64_t time_high = fields.ticks >> 48;
    return of_bits(time_low << 32 | time_mid << 16 | time_high,
                   std::uint64_t{fields.clock_seq} << 48 | fields.node);
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const std::uint64_t high = uuid().high();
    return {.ticks = (high & low_bits(12)) << 48 | (high >> 16 & low_bits(16)) << 32 | high >> 32,
            .clock_seq = static_cast<std::uint16_t>(uuid().low() >> 48 & low_bits(14)),
            .node = uuid().low() & low_bits(48)};
  }

  [[nodiscard]] constexpr Instant time() const { return gregorian::time_of(unpack().ticks); }

  using Generator = GregorianGenerator<UuidV1>;
};

static_assert(Mintable<UuidV1> && !TimeOrdered<UuidV1>);

// RFC 9562 appendix A.1: 2022-02-22T19:22:22Z.
static_assert(UuidV1::pack({138'648'505'420'000'000, 0x33c8, 0x9f6bdeced846})->uuid() ==
              "c232ab00-9414-11ec-b3c8-9f6bdeced846"_uuid);
static_assert(UuidV1::parse("C232AB00-9414-11EC-B3C8-9F6BDECED846")->time() ==
              from_unix_ms(1'645'557'742'000));
static_assert(TimeText{UuidV1{}.time()}.view() == "1582-10-15T00:00:00.000Z");
static_assert(UuidV1::parse("1ec9414c-232a-6b00-b3c8-9f6bdeced846").error() ==
              Error::at(Fault::wrong_version, 14));

}  // namespace mintmark
