// UUIDv3: the MD5 digest of a namespace and a name. RFC 9562 section 5.3.
//
// Use it only where other programs have made their IDs with this version: UUIDv5 is the same with SHA-1. Do
// not use it for what must not be guessed: who can guess the name has the ID. Nor as a proof of the name: MD5
// is broken, two names with one digest can be made on purpose.
//
//   octet  0                        6                 8                         15
//         [ md5_high 48 ...........][0011 md5_mid 12][10 md5_low 62 ........]
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

/// A UUID that is known to be of version 3 and of the RFC's variant. It is derived, never minted: of().
class UuidV3 : public VersionedUuid<UuidV3, 3> {
 public:
  static constexpr Facts facts{.name = "uuid3",
                               .title = "UUIDv3",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 0,
                               .specification = "RFC 9562 section 5.3"};

  struct Fields {
    std::uint64_t md5_high = 0;  ///< 48 bits
    std::uint16_t md5_mid = 0;   ///< 12 bits
    std::uint64_t md5_low = 0;   ///< 62 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr UuidV3() = default;

  /// The ID of a name in a namespace, of which namespaces:: has four. The octets of the name count as they
  /// are; text should be UTF-8. The name may be empty.
  [[nodiscard]] static constexpr UuidV3 of(const Uuid& space, std::string_view name) {
    const Uuid digest = namespaces::digest_of<Md5>(space, name);
    return of_bits(digest.high(), digest.low());
  }

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV3> pack(const Fields& fields) {
    return pack_parts({fields.md5_high, fields.md5_mid, fields.md5_low});
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const auto [high, mid, low] = unpack_parts();
    return {high, mid, low};
  }
};

static_assert(Scheme<UuidV3> && !Mintable<UuidV3> && !TimeOrdered<UuidV3>);

// RFC 9562 appendix A.2: the name www.example.com in the namespace DNS.
static_assert(UuidV3::of(namespaces::kDns, "www.example.com").uuid() ==
              "5df41881-3aed-3515-88a7-2f4a814cf09e"_uuid);
static_assert(UuidV3::of(namespaces::kDns, "www.example.com") !=
              UuidV3::of(namespaces::kUrl, "www.example.com"));
static_assert(UuidV3::parse("5df41881-3aed-3515-88a7-2f4a814cf09e")->unpack().md5_high ==
              0x5df418813aed);
static_assert(UuidV3::parse("5df41881-3aed-5515-88a7-2f4a814cf09e").error() ==
              Error::at(Fault::wrong_version, 14));

}  // namespace mintmark
