// UUIDv4: 122 random bits. RFC 9562 section 5.4.
//
// Use it where an ID must say nothing: not when it was made, not by whom, not how many there are. Do not
// use it as the key of a large index: every insert hits another page. UUIDv7 is for that.
//
//   octet  0                        6          8                        15
//         [ random_a 48 ..........][0100 b 12][10 random_c 62 ..........]
//
// It needs no clock and no coordination. Its uniqueness rests on the entropy alone: among 10^12 IDs the
// chance of one collision is about 9e-14.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/random_words.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/versioned_uuid.h"

namespace mintmark {

/// A UUID that is known to be of version 4 and of the RFC's variant. The default one has no random bit set.
class UuidV4 : public VersionedUuid<UuidV4, 4> {
 public:
  static constexpr Facts facts{.name = "uuid4",
                               .title = "UUIDv4",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 122,
                               .specification = "RFC 9562 section 5.4"};

  struct Fields {
    std::uint64_t random_a = 0;  ///< 48 bits
    std::uint16_t random_b = 0;  ///< 12 bits
    std::uint64_t random_c = 0;  ///< 62 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr UuidV4() = default;

  /// Any 128 bits, six of which become the version and the variant. Never fails.
  [[nodiscard]] static constexpr UuidV4 from_random(std::uint64_t high, std::uint64_t low) {
    return of_bits(high, low);
  }

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV4> pack(const Fields& fields) {
    return pack_parts({fields.random_a, fields.random_b, fields.random_c});
  }
  [[nodiscard]] constexpr Fields unpack() const {
    const auto [a, b, c] = unpack_parts();
    return {a, b, c};
  }

  class Generator;
};

/// Makes UUIDv4s. One thread at a time. It keeps nothing between calls; it is pinned like every generator.
class UuidV4::Generator {
 public:
  /// REQUIRES: `entropy` outlives the generator.
  explicit Generator(Entropy& entropy) : entropy_(entropy) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// The time is not looked at. Errors: EntropyUnavailable.
  [[nodiscard]] Result<UuidV4> next(Instant /*now*/ = {}) {
    RandomWords<2> words;
    if (!words.draw(entropy_, 2)) return fail(Fault::entropy_unavailable);
    return from_random(words[0], words[1]);
  }

  /// Fills `out` and returns its size, or fewer if the entropy fails in between; then the rest is untouched.
  /// Errors: EntropyUnavailable, only if none was made.
  [[nodiscard]] Result<std::size_t> fill(std::span<UuidV4> out, Instant /*now*/ = {}) {
    return fill_from_words<2>(entropy_, out, [](const auto& words, std::size_t first) {
      return from_random(words[first], words[first + 1]);
    });
  }

 private:
  Entropy& entropy_;
};

static_assert(Mintable<UuidV4> && !TimeOrdered<UuidV4>);

// RFC 9562 appendix A.3: these random bytes give this UUID.
static_assert(UuidV4::from_random(0x919108f7'52d13320, 0x5bacf847'db4148a8).uuid() ==
              "919108f7-52d1-4320-9bac-f847db4148a8"_uuid);
static_assert(UuidV4::parse("919108f7-52d1-7320-9bac-f847db4148a8").error() ==
              Error::at(Fault::wrong_version, 14));
static_assert(UuidV4::parse("{919108f7-52d1-4320-cbac-f847db4148a8}").error() ==
              Error::at(Fault::wrong_version, 20));

}  // namespace mintmark
