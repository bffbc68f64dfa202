// UUIDv2: a UUIDv1 in which a user or group number has taken the place of the low 32 bits of the time. DCE
// 1.1, "Authentication and Security Services", section 5.2.1.1; RFC 9562 section 5.2 leaves it to that.
//
// Use it to read what old security software has left. It is not made here: a machine can give an account
// only 64 of them in seven minutes, and each of them tells the account.
//
//   octet  0                4             6             8      9         10                 15
//         [ local_id 32 ...][ time_mid 16][0010 high 12][10 s 6][domain 8][ node 48 .........]
//
// The time is in units of 2^32 * 100 ns, which is 429.4967296 s: time() is the start of that span.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/gregorian.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/versioned_uuid.h"

namespace mintmark {

/// A UUID that is known to be of version 2 and of the RFC's variant. The default one is of 1582-10-15.
class UuidV2 : public VersionedUuid<UuidV2, 2> {
 public:
  static constexpr Facts facts{.name = "uuid2",
                               .title = "UUIDv2",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::none,
                               .epoch = gregorian::kEpoch,
                               .unit = Duration{std::int64_t{1} << 32},
                               .random_bits = 0,
                               .specification = "DCE 1.1 section 5.2.1.1"};

  /// What local_id counts. Other values are legal and mean what their site says.
  enum class Domain : std::uint8_t { person = 0, group = 1, org = 2 };

  struct Fields {
    std::uint32_t local_id = 0;      ///< 32 bits: on POSIX a UID for person, a GID for group
    std::uint32_t spans = 0;         ///< 28 bits, of 2^32 * 100 ns since 1582-10-15
    std::uint8_t clock_seq = 0;      ///< 6 bits
    Domain domain = Domain::person;  ///< 8 bits
    std::uint64_t node = 0;          ///< 48 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr UuidV2() = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV2> pack(const Fields& fields) {
    if (fields.spans > low_bits(28)) return fail(Fault::timestamp_overflow);
    if (fields.clock_seq > low_bits(6) || fields.node > low_bits(48)) {
      return fail(Fault::value_overflow);
    }
    const std::uint64_t time_mid = fields.spans & low_bits(16);
    const std::uint64_t time_high = fields.spans >> 16;
    return of_bits(std::uint64_t{fields.local_id} << 32 | time_mid << 16 | time_high,
                   std::uint64_t{fields.clock_seq} << 56 |
                       static_cast<std::uint64_t>(fields.domain) << 48 | fields.node);
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const std::uint64_t high = uuid().high();
    const std::uint64_t low = uuid().low();
    return {.local_id = static_cast<std::uint32_t>(high >> 32),
            .spans = static_cast<std::uint32_t>((high & low_bits(12)) << 16 |
                                                (high >> 16 & low_bits(16))),
            .clock_seq = static_cast<std::uint8_t>(low >> 56 & low_bits(6)),
            .domain = static_cast<Domain>(low >> 48 & low_bits(8)),
            .node = low & low_bits(48)};
  }

  /// The start of the 429 s in which it was made.
  [[nodiscard]] constexpr Instant time() const {
    return gregorian::time_of(std::uint64_t{unpack().spans} << 32);
  }

  /// "person", "group", "org", and "" for what only its site knows.
  [[nodiscard]] static constexpr std::string_view name_of(Domain domain) {
    switch (domain) {
      case Domain::person:
        return "person";
      case Domain::group:
        return "group";
      case Domain::org:
        return "org";
    }
    return "";
  }
};

static_assert(Scheme<UuidV2> && !TimeOrdered<UuidV2>);

// The example of ramsey/uuid, docs/rfc4122/version2.rst: user 501 on 2020-03-05 at 04:30:10.
static_assert(UuidV2::parse("000001f5-5e9a-21ea-9e00-0242ac130003")->unpack() ==
              UuidV2::Fields{.local_id = 501,
                             .spans = 0x1ea5e9a,
                             .clock_seq = 0x1e,
                             .domain = UuidV2::Domain::person,
                             .node = 0x0242ac130003});
static_assert(std::chrono::floor<std::chrono::seconds>(
                  UuidV2::parse("000001f5-5e9a-21ea-9e00-0242ac130003")->time()) ==
              *parse_time("2020-03-05T04:30:10Z"));
static_assert(UuidV2::parse("000001f5-5e9a-11ea-9e00-0242ac130003").error() ==
              Error::at(Fault::wrong_version, 14));

}  // namespace mintmark
