// UUIDv5: the first 128 bits of the SHA-1 digest of a namespace and a name. RFC 9562 section 5.5.
//
// Use it where the same thing must get the same ID everywhere, with nobody to ask: a URL, a file, a row of
// another system. Do not use it for what must not be guessed: who can guess the name has the ID. Nor as a
// proof of the name: SHA-1 is broken, two names with one digest can be made on purpose.
//
//   octet  0                        6                 8                         15
//         [ sha1_high 48 ..........][0101 sha1_mid 12][10 sha1_low 62 .......]
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

/// A UUID that is known to be of version 5 and of the RFC's variant. It is derived, never minted: of().
class UuidV5 : public VersionedUuid<UuidV5, 5> {
 public:
  static constexpr Facts facts{.name = "uuid5",
                               .title = "UUIDv5",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 0,
                               .specification = "RFC 9562 section 5.5"};

  struct Fields {
    std::uint64_t sha1_high = 0;  ///< 48 bits
    std::uint16_t sha1_mid = 0;   ///< 12 bits
    std::uint64_t sha1_low = 0;   ///< 62 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr UuidV5() = default;

  /// The ID of a name in a namespace, of which namespaces:: has four. The octets of the name count as they
  /// are; text should be UTF-8. The name may be empty.
  [[nodiscard]] static constexpr UuidV5 of(const Uuid& space, std::string_view name) {
    const Uuid digest = namespaces::digest_of<Sha1>(space, name);
    return of_bits(digest.high(), digest.low());
  }

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV5> pack(const Fields& fields) {
    return pack_parts({fields.sha1_high, fields.sha1_mid, fields.sha1_low});
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const auto [high, mid, low] = unpack_parts();
    return {high, mid, low};
  }
};

static_assert(Scheme<UuidV5> && !Mintable<UuidV5> && !TimeOrdered<UuidV5>);

// RFC 9562 appendix A.4: the name www.example.com in the namespace DNS.
static_assert(UuidV5::of(namespaces::kDns, "www.example.com").uuid() ==
              "2ed6657d-e927-568b-95e1-2665a8aea6a2"_uuid);
static_assert(UuidV5::of(namespaces::kDns, "www.example.com") !=
              UuidV5::of(namespaces::kUrl, "www.example.com"));
static_assert(UuidV5::parse("2ed6657d-e927-568b-95e1-2665a8aea6a2")->unpack().sha1_high ==
              0x2ed6657de927);
static_assert(UuidV5::parse("2ed6657d-e927-368b-95e1-2665a8aea6a2").error() ==
              Error::at(Fault::wrong_version, 14));

}  // namespace mintmark
