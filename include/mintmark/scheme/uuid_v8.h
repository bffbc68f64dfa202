// UUIDv8: 122 bits that mean what their maker says. RFC 9562 section 5.8.
//
// Use it to put a layout of your own into a UUID column, so that no reader takes it for another version. Do
// not use it where one of the other versions fits: nobody but you can read it, and whether it is unique is
// up to you.
//
//   octet  0                        6                 8                         15
//         [ custom_a 48 ..........][1000 custom_b 12][10 custom_c 62 .........]
//
// The two examples of the RFC are here as makers: time_based and name_based.
#pragma once

#include <cstdint>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/digest.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_namespace.h"
#include "mintmark/scheme/versioned_uuid.h"

namespace mintmark {

/// A UUID that is known to be of version 8 and of the RFC's variant.
class UuidV8 : public VersionedUuid<UuidV8, 8> {
 public:
  static constexpr Facts facts{.name = "uuid8",
                               .title = "UUIDv8",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 0,
                               .specification = "RFC 9562 section 5.8"};

  struct Fields {
    std::uint64_t custom_a = 0;  ///< 48 bits
    std::uint16_t custom_b = 0;  ///< 12 bits
    std::uint64_t custom_c = 0;  ///< 62 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr UuidV8() = default;

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV8> pack(const Fields& fields) {
    return pack_parts({fields.custom_a, fields.custom_b, fields.custom_c});
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const auto [a, b, c] = unpack_parts();
    return {a, b, c};
  }

  /// What the example of RFC 9562 appendix B.1 puts in: the time in custom_a and custom_b, then chance.
  struct TimeBased {
    std::uint64_t ticks = 0;   ///< 60 bits, of 10 ns since 1970; the last one is in 2335
    std::uint64_t random = 0;  ///< 62 bits
  };
  /// The RFC cuts a longer time off; it is refused here. Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV8> time_based(const TimeBased& fields) {
    if (fields.ticks > low_bits(60)) return fail(Fault::timestamp_overflow);
    return pack({.custom_a = fields.ticks >> 12,
                 .custom_b = static_cast<std::uint16_t>(fields.ticks & low_bits(12)),
                 .custom_c = fields.random});
  }

  /// The example of RFC 9562 appendix B.2: as UUIDv5, with SHA-256 in place of SHA-1.
  [[nodiscard]] static constexpr UuidV8 name_based(const Uuid& space, std::string_view name) {
    const Uuid digest = namespaces::digest_of<Sha256>(space, name);
    return of_bits(digest.high(), digest.low());
  }
};

static_assert(Scheme<UuidV8> && !Mintable<UuidV8> && !TimeOrdered<UuidV8>);

// RFC 9562 appendix B.1: 2022-02-22T19:22:22Z; appendix B.2: www.example.com in the namespace DNS.
static_assert(UuidV8::time_based({.ticks = 164'555'774'200'000'000, .random = 0x0ec932d5f69181c0})
                  ->uuid() == "2489e9ad-2ee2-8e00-8ec9-32d5f69181c0"_uuid);
static_assert(UuidV8::name_based(namespaces::kDns, "www.example.com").uuid() ==
              "5c146b14-3c52-8afd-938a-375d0df1fbf6"_uuid);
static_assert(UuidV8::parse("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0")->unpack() ==
              UuidV8::Fields{0x2489e9ad2ee2, 0xe00, 0x0ec932d5f69181c0});
static_assert(UuidV8::parse("2489e9ad-2ee2-7e00-8ec9-32d5f69181c0").error() ==
              Error::at(Fault::wrong_version, 14));

}  // namespace mintmark
