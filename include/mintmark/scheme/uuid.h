// UUID: sixteen bytes that say of themselves, in a version and a variant, how they were made.
//
// This is the value that every version shares: use it to carry, compare, read and write any UUID. To make
// one, or to know what the bits mean, use the type of its version (uuid_v4.h, uuid_v7.h, ...).
//
//   octet  0              4      6        8        10                 15
//         [ .. 32 ......][ .. 16][ver4 12][var2..14][ .. 48 ............]      RFC 9562 section 4
//
// Order is that of the 16 unsigned bytes, which is also the order of the canonical text (RFC 9562 section
// 6.11). It is not the order of java.util.UUID or of SQL Server.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/kernel.h"
#include "mintmark/text/lanes.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// Any 128 bits. Immutable but by assignment; threads may share a constant one.
class Uuid {
 public:
  static constexpr Facts facts{.name = "uuid",
                               .title = "UUID",
                               .bits = 128,
                               .bytes = 16,
                               .text_size = 36,
                               .order = TimeOrder::none,
                               .epoch = Instant{},
                               .unit = Duration::zero(),
                               .random_bits = 0,
                               .specification = "RFC 9562"};

  static constexpr std::size_t kPlainSize = 32;   ///< 6ba7b8109dad11d180b400c04fd430c8
  static constexpr std::size_t kBracedSize = 38;  ///< {6ba7b810-9dad-11d1-80b4-00c04fd430c8}
  static constexpr std::size_t kUrnSize = 45;     ///< urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8

  /// RFC 9562 section 4.1, table 1.
  enum class Variant : std::uint8_t { ncs, rfc, microsoft, future };

  /// The octets as two numbers. What is between them is a matter of the version.
  struct Fields {
    std::uint64_t high = 0;  ///< octets 0 to 7
    std::uint64_t low = 0;   ///< octets 8 to 15
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  /// The nil UUID.
  constexpr Uuid() = default;

  [[nodiscard]] static constexpr Uuid nil() { return Uuid{}; }
  [[nodiscard]] static constexpr Uuid max() { return of(~std::uint64_t{0}, ~std::uint64_t{0}); }

  /// Any two numbers make a UUID; the name says which is first.
  [[nodiscard]] static constexpr Uuid of(std::uint64_t high, std::uint64_t low) {
    Uuid id;
    if
      consteval {
        store_be(id.octets_, high);
        store_be(std::span{id.octets_}.subspan(8), low);
      }
    else {
      lanes::store(id.octets_.data(), lanes::big_endian(high, low));
    }
    return id;
  }

  /// The same with the six bits overwritten that say the version and the RFC's variant.
  /// REQUIRES: version < 16.
  [[nodiscard]] static constexpr Uuid of_version(unsigned version, std::uint64_t high,
                                                 std::uint64_t low) {
    constexpr std::uint64_t kVersionBits = 0xf000;                     // the high half of octet 6
    constexpr std::uint64_t kVariantBits = std::uint64_t{0b11} << 62;  // the top of octet 8
    constexpr std::uint64_t kRfc = std::uint64_t{0b10} << 62;
    return of((high & ~kVersionBits) | std::uint64_t{version} << 12, (low & ~kVariantBits) | kRfc);
  }

  /// Never fails: every 128 bits are a UUID.
  [[nodiscard]] static constexpr Result<Uuid> pack(const Fields& fields) {
    return of(fields.high, fields.low);
  }
  [[nodiscard]] constexpr Fields unpack() const { return {high(), low()}; }

  /// Reads the canonical form and the four other spellings in common use, each in any case and with nothing
  /// in front or behind: 32 digits, either of the two in braces, and `urn:uuid:` (RFC 8141: in any case)
  /// before the canonical form. Errors: WrongLength, BadCharacter, with the position.
  [[nodiscard]] static constexpr Result<Uuid> parse(std::string_view text) {
    Uuid id;
    if (id.read_canonical(text)) [[likely]]
      return id;
    return parse_other(text);
  }

  /// As parse, for one version of the RFC's variant. Errors: also WrongVersion, at the digit that says so.
  [[nodiscard]] static constexpr Result<Uuid> parse_version(std::string_view text,
                                                            unsigned version) {
    Uuid id;
    if (id.read_canonical(text) && id.is_version(version)) [[likely]]
      return id;
    return parse_other_version(text, version);
  }

  /// As parse, and `urn:uuid:` before 32 digits, as gofrs/uuid reads.
  [[nodiscard]] static constexpr Result<Uuid> parse_gofrs(std::string_view text) {
    if (text.size() == kUrn.size() + kPlainSize) return parse_after_urn(text, &parse_plain);
    return parse(text);
  }

  /// As PostgreSQL's type uuid reads: a hyphen may follow any group of four digits, braces may surround all.
  [[nodiscard]] static constexpr Result<Uuid> parse_postgres(std::string_view text);

  /// Writes the canonical form, 36 characters in lower case; returns 36.
  /// REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    write_canonical(Letters::lower, out);
    return 36;
  }
  /// The canonical form in upper case: 36 characters. REQUIRES: room for them.
  constexpr std::size_t write_upper(std::span<char> out) const {
    write_canonical(Letters::upper, out);
    return 36;
  }
  /// 32 digits in lower case. REQUIRES: room for kPlainSize.
  constexpr std::size_t write_plain(std::span<char> out) const { return write_hex(octets_, out); }
  /// The canonical form in braces. REQUIRES: room for kBracedSize.
  constexpr std::size_t write_braced(std::span<char> out) const {
    out[0] = '{';
    write_canonical(Letters::lower, out.subspan(1));
    out[kBracedSize - 1] = '}';
    return kBracedSize;
  }
  /// The canonical form as a URN (RFC 9562 section 4). REQUIRES: room for kUrnSize.
  constexpr std::size_t write_urn(std::span<char> out) const {
    std::ranges::copy(kUrn, out.begin());
    write_canonical(Letters::lower, out.subspan(kUrn.size()));
    return kUrnSize;
  }

  /// From 16 octets in network order. Errors: WrongLength.
  [[nodiscard]] static constexpr Result<Uuid> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    Uuid id;
    std::ranges::copy(from, id.octets_.begin());
    return id;
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { std::ranges::copy(octets_, to.begin()); }

  [[nodiscard]] constexpr std::span<const std::byte, 16> bytes() const { return octets_; }
  [[nodiscard]] constexpr std::uint64_t high() const { return load_be<std::uint64_t>(octets_); }
  [[nodiscard]] constexpr std::uint64_t low() const {
    return load_be<std::uint64_t>(std::span{octets_}.subspan(8));
  }
  [[nodiscard]] constexpr U128 integer() const { return load_be<U128>(octets_); }

  /// 0 to 15, from the high half of octet 6. It means something in the RFC's variant only (section 4.2).
  [[nodiscard]] constexpr unsigned version() const {
    return static_cast<unsigned>(octets_[6]) >> 4;
  }

  [[nodiscard]] constexpr Variant variant() const {
    const unsigned octet = static_cast<unsigned>(octets_[8]);
    if (octet < 0x80) return Variant::ncs;        // 0xx
    if (octet < 0xc0) return Variant::rfc;        // 10x
    if (octet < 0xe0) return Variant::microsoft;  // 110
    return Variant::future;                       // 111
  }

  [[nodiscard]] constexpr bool is_version(unsigned version) const {
    // Both at once: one branch where a text is read.
    const unsigned other_version = (static_cast<unsigned>(octets_[6]) >> 4) ^ version;
    const unsigned other_variant = (static_cast<unsigned>(octets_[8]) & 0xc0) ^ 0x80;
    return (other_version | other_variant) == 0;
  }
  [[nodiscard]] constexpr bool is_nil() const { return *this == nil(); }
  [[nodiscard]] constexpr bool is_max() const { return *this == max(); }

  friend constexpr bool operator==(const Uuid& a, const Uuid& b) {
    return ((a.high() ^ b.high()) | (a.low() ^ b.low())) == 0;
  }
  friend constexpr std::strong_ordering operator<=>(const Uuid& a, const Uuid& b) {
    return a.integer() <=> b.integer();
  }

 private:
  static constexpr std::string_view kUrn = "urn:uuid:";
  static constexpr std::array<std::size_t, 4> kHyphens{8, 13, 18, 23};

  enum class Letters : std::uint8_t { lower, upper };
  using Reader = Result<Uuid> (*)(std::string_view, std::size_t);

  /// Whether these are the 36 characters of the canonical form; only then the octets are of use.
  constexpr bool read_canonical(std::string_view text) {
    if (text.size() != facts.text_size) return false;
    if
      consteval {
        std::array<char, kPlainSize> digits{};
        std::size_t count = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
          if (std::ranges::find(kHyphens, i) == kHyphens.end()) digits[count++] = text[i];
        }
        return parse_hex({digits.data(), digits.size()}, octets_) && first_bad(text) == text.size();
      }
    else {
      return kernel::read_uuid(text.data(), octets_.data());
    }
  }

  /// Every spelling, and every error. Apart from parse, so that parse is small where it is called.
  [[gnu::noinline]] static constexpr Result<Uuid> parse_other(std::string_view text) {
    switch (text.size()) {
      case facts.text_size:
        return parse_canonical(text, 0);
      case kPlainSize:
        return parse_plain(text, 0);
      case kPlainSize + 2:
        return parse_in_braces(text, &parse_plain);
      case kBracedSize:
        return parse_in_braces(text, &parse_canonical);
      case kUrnSize:
        return parse_after_urn(text, &parse_canonical);
      default:
        return fail(wrong_length(text));
    }
  }

  [[gnu::noinline]] static constexpr Result<Uuid> parse_other_version(std::string_view text,
                                                                      unsigned version) {
    auto id = parse_other(text);
    if (id && !id->is_version(version)) {
      const std::size_t digit = id->version() != version ? 12 : 16;
      id = fail(Error::at(Fault::wrong_version, position_of_digit(text, digit)));
    }
    return id;
  }

  /// Reads 36 characters from `at` on; positions count from the beginning of `text`.
  static constexpr Result<Uuid> parse_canonical(std::string_view text, std::size_t at) {
    const std::string_view body = text.substr(at, facts.text_size);
    Uuid id;
    if (id.read_canonical(body)) return id;
    return fail(Error::at(Fault::bad_character, at + first_bad(body)));
  }

  static constexpr Result<Uuid> parse_plain(std::string_view text, std::size_t at) {
    Uuid id;
    const auto read = parse_hex(text.substr(at, kPlainSize), id.octets_);
    if (!read) return fail(Error::at(read.error().fault(), at + read.error().position()));
    return id;
  }

  static constexpr Result<Uuid> parse_in_braces(std::string_view text, Reader inside) {
    if (text.front() != '{') return fail(Error::at(Fault::bad_character, 0));
    const auto id = inside(text, 1);
    if (id && text.back() != '}') return fail(Error::at(Fault::bad_character, text.size() - 1));
    return id;
  }

  static constexpr Result<Uuid> parse_after_urn(std::string_view text, Reader inside) {
    for (std::size_t i = 0; i < kUrn.size(); ++i) {
      const char c = text[i];
      const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      if (lower != kUrn[i]) return fail(Error::at(Fault::bad_character, i));
    }
    return inside(text, kUrn.size());
  }

  /// Where a text that parse has read has its hex digit number `digit`, counted from 0: digit 12 is the
  /// version, digit 16 begins with the variant.
  static constexpr std::size_t position_of_digit(std::string_view text, std::size_t digit) {
    std::size_t at = text.size() == kUrnSize ? kUrn.size() : 0;
    for (;; ++at) {
      if (text[at] == '-' || text[at] == '{') continue;
      if (digit-- == 0) return at;
    }
  }

  /// No spelling has this length: the canonical one is what was meant.
  static constexpr Error wrong_length(std::string_view text) {
    return Error::at(Fault::wrong_length, std::min(text.size(), facts.text_size));
  }

  static constexpr std::size_t first_bad(std::string_view body) {
    std::size_t at = 0;
    for (; at < body.size(); ++at) {
      const bool hyphen = std::ranges::find(kHyphens, at) != kHyphens.end();
      if (hyphen ? body[at] != '-' : kHexLower.value_of(body[at]) == Alphabet::kNone) break;
    }
    return at;
  }

  constexpr void write_canonical(Letters letters, std::span<char> out) const {
    if
      consteval {
        std::array<char, kPlainSize> digits{};
        letters == Letters::lower ? write_hex<kHexLower>(octets_, digits)
                                  : write_hex<kHexUpper>(octets_, digits);
        for (std::size_t i = 0, at = 0; i < digits.size(); ++i, ++at) {
          if (std::ranges::find(kHyphens, at) != kHyphens.end()) out[at++] = '-';
          out[at] = digits[i];
        }
      }
    else {
      letters == Letters::lower ? kernel::write_uuid<kHexLower>(octets_.data(), out.data())
                                : kernel::write_uuid<kHexUpper>(octets_.data(), out.data());
    }
  }

  std::array<std::byte, 16> octets_{};
};

constexpr Result<Uuid> Uuid::parse_postgres(std::string_view text) {
  std::array<char, kPlainSize> digits{};
  std::size_t count = 0;
  const std::size_t begin = text.starts_with('{') ? 1 : 0;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    const bool after_hyphen = at > begin && text[at - 1] == '-';
    if (c == '-' && count % 4 == 0 && count > 0 && count < kPlainSize && !after_hyphen) continue;
    if (count == kPlainSize) {
      if (begin == 1 && c == '}' && at + 1 == text.size()) break;
      return fail(Error::at(begin == 1 ? Fault::bad_character : Fault::wrong_length, at));
    }
    if (kHexLower.value_of(c) == Alphabet::kNone) return fail(Error::at(Fault::bad_character, at));
    digits[count++] = c;
  }
  const bool closed = begin == 0 || text.ends_with('}');
  if (count < kPlainSize || !closed) return fail(Error::at(Fault::wrong_length, text.size()));
  return parse_plain({digits.data(), digits.size()}, 0);
}

inline namespace literals {

/// "6ba7b810-9dad-11d1-80b4-00c04fd430c8"_uuid: read, or refused, by the compiler.
[[nodiscard]] consteval Uuid operator""_uuid(const char* text, std::size_t size) {
  const auto id = Uuid::parse({text, size});
  MINTMARK_CHECK(id.has_value());
  return *id;
}

}  // namespace literals

static_assert(Scheme<Uuid>);
static_assert(sizeof(Uuid) == 16 && alignof(Uuid) == 1);

// RFC 9562 sections 4, 5.9 and 5.10.
static_assert("f81d4fae-7dec-11d0-a765-00a0c91e6bf6"_uuid ==
              Uuid::of(0xf81d4fae'7dec'11d0, 0xa765'00a0c91e6bf6));
static_assert("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"_uuid.version() == 1);
static_assert("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"_uuid.variant() == Uuid::Variant::rfc);
static_assert("00000000-0000-0000-0000-000000000000"_uuid == Uuid::nil());
static_assert("ffffffff-ffff-ffff-ffff-ffffffffffff"_uuid == Uuid::max());
static_assert(Uuid::parse("f81d4fae-7dec-11d0-a765-00a0c91e6bg6").error() ==
              Error::at(Fault::bad_character, 34));

}  // namespace mintmark

template <>
struct std::hash<mintmark::Uuid> {
  /// Mixes all bits: IDs that differ only in their time or only in their counter still spread.
  [[nodiscard]] std::size_t operator()(const mintmark::Uuid& id) const noexcept {
    const auto product = static_cast<mintmark::U128>(id.high() ^ 0x9e3779b97f4a7c15) *
                         (id.low() ^ 0xd1b54a32d192ed03);
    return static_cast<std::size_t>(static_cast<std::uint64_t>(product) ^
                                    static_cast<std::uint64_t>(product >> 64));
  }
};
