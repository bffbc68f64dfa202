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

#include <algorithm>
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

namespace mintmark {

/// A UUID that is known to be of version 4 and of the RFC's variant. The default one has no random bit set.
class UuidV4 {
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
    return UuidV4{Uuid::of_version(kVersion, high, low)};
  }

  /// Errors: ValueOverflow.
  [[nodiscard]] static constexpr Result<UuidV4> pack(const Fields& fields) {
    if (fields.random_a > low_bits(48) || fields.random_b > low_bits(12) ||
        fields.random_c > low_bits(62)) {
      return fail(Fault::value_overflow);
    }
    return from_random(fields.random_a << 16 | fields.random_b, fields.random_c);
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {uuid_.high() >> 16, static_cast<std::uint16_t>(uuid_.high() & low_bits(12)),
            uuid_.low() & low_bits(62)};
  }

  /// Reads what Uuid::parse reads. Errors: the same; WrongVersion at the digit that says so.
  [[nodiscard]] static constexpr Result<UuidV4> parse(std::string_view text) {
    MINTMARK_TRY(uuid, Uuid::parse_version(text, kVersion));
    return UuidV4{uuid};
  }
  /// Writes 36 characters, returns 36. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const { return uuid_.write(out); }

  /// Errors: WrongLength, WrongVersion.
  [[nodiscard]] static constexpr Result<UuidV4> from_bytes(std::span<const std::byte> from) {
    MINTMARK_TRY(uuid, Uuid::from_bytes(from));
    return from_uuid(uuid);
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { uuid_.to_bytes(to); }

  /// Errors: WrongVersion.
  [[nodiscard]] static constexpr Result<UuidV4> from_uuid(const Uuid& uuid) {
    if (!uuid.is_version(kVersion)) return fail(Fault::wrong_version);
    return UuidV4{uuid};
  }
  [[nodiscard]] constexpr const Uuid& uuid() const { return uuid_; }
  [[nodiscard]] constexpr operator Uuid() const { return uuid_; }  // NOLINT: every UUIDv4 is a UUID

  friend constexpr auto operator<=>(const UuidV4&, const UuidV4&) = default;

  class Generator;

 private:
  static constexpr unsigned kVersion = 4;

  constexpr explicit UuidV4(const Uuid& uuid) : uuid_(uuid) {}

  Uuid uuid_ = Uuid::of_version(kVersion, 0, 0);
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
    RandomWords<2 * kBatch> words;
    std::size_t made = 0;
    while (made < out.size()) {
      const std::size_t count = std::min(out.size() - made, kBatch);
      if (const auto drawn = words.draw(entropy_, 2 * count); !drawn) {
        if (made == 0) return fail(drawn.error());
        break;
      }
      for (std::size_t i = 0; i < count; ++i) {
        out[made + i] = from_random(words[2 * i], words[2 * i + 1]);
      }
      made += count;
    }
    return made;
  }

 private:
  static constexpr std::size_t kBatch = 64;  ///< IDs for one call of the entropy: 1 KiB of stack

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

template <>
struct std::hash<mintmark::UuidV4> {
  [[nodiscard]] std::size_t operator()(const mintmark::UuidV4& id) const noexcept {
    return std::hash<mintmark::Uuid>{}(id.uuid());
  }
};
