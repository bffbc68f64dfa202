// TypeID: a UUID in base32, behind a prefix that says what it is the ID of. github.com/jetify-com/typeid,
// specification 0.3.
//
// Use it where IDs travel in addresses, logs and interfaces, and a user's ID must not pass for an order's. Do
// not use it where the text is the key of a large index: store the 16 bytes of the UUID, and let the column
// be the type.
//
//   text   user_01h455vb4pex5vsknk084sn02q
//          [prefix, 0 to 63 of a-z and _][_][26 digits of Crockford's base32, in lower case: 128 bits]
//
// The binary form is that of the UUID alone; the prefix lives in the type or the column that holds it.
// from_bytes gives an ID without a prefix, with_prefix names it.
//
// New ones are UUIDv7. What is read may be any 128 bits, so that a TypeID has a time only perhaps.
//
// What it refuses: upper case, I, L, O, U and hyphens; a first digit above 7 (jetify-com/typeid#20); a prefix
// that begins or ends with `_`. The text is split at its last `_`.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// 0 to 63 of a-z and _, the first and the last a letter: `^([a-z]([a-z_]{0,61}[a-z])?)?$`. A value; the
/// default one is empty.
class TypePrefix {
 public:
  static constexpr std::size_t kLongest = 63;

  constexpr TypePrefix() = default;

  /// A literal, which the compiler checks.
  consteval TypePrefix(const char* literal)  // NOLINT: {.prefix = "user"}
      : TypePrefix(parse(literal).value()) {}

  /// Errors: WrongLength at 63; BadCharacter at the first character that may not stand where it does.
  [[nodiscard]] static constexpr Result<TypePrefix> parse(std::string_view text) {
    TypePrefix prefix;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at == kLongest) return fail(Error::at(Fault::wrong_length, at));
      const bool inside = at > 0 && at + 1 < text.size();
      const bool letter = text[at] >= 'a' && text[at] <= 'z';
      if (!letter && !(inside && text[at] == '_')) return fail(Error::at(Fault::bad_character, at));
      prefix.chars_[at] = text[at];
    }
    prefix.size_ = static_cast<std::uint8_t>(text.size());
    return prefix;
  }

  /// Lives as long as this object.
  [[nodiscard]] constexpr std::string_view view() const { return {chars_.data(), size_}; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }

  friend constexpr bool operator==(const TypePrefix& a, const TypePrefix& b) {
    return a.view() == b.view();
  }
  friend constexpr std::strong_ordering operator<=>(const TypePrefix& a, const TypePrefix& b) {
    return a.view() <=> b.view();
  }

 private:
  std::array<char, kLongest> chars_{};
  std::uint8_t size_ = 0;
};

/// A prefix and any 128 bits, ordered by the prefix, then by the bits, which is the order of the text.
class TypeId {
 public:
  static constexpr std::size_t kSuffixSize = 26;

  static constexpr Facts facts{
      .name = "typeid",
      .title = "TypeID",
      .bits = 128,  // without the prefix, as the bytes
      .bytes = 16,
      .text_size = TypePrefix::kLongest + 1 + kSuffixSize,
      .order = TimeOrder::monotonic,  // of one prefix, where it is a UUIDv7
      .epoch = UuidV7::facts.epoch,
      .unit = UuidV7::facts.unit,
      .random_bits = UuidV7::facts.random_bits,
      .specification = "github.com/jetify-com/typeid spec 0.3"};

  struct Fields {
    TypePrefix prefix;
    Uuid uuid;
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr TypeId() = default;
  constexpr TypeId(const TypePrefix& prefix, const Uuid& uuid) : prefix_(prefix), uuid_(uuid) {}

  /// Never fails: any prefix goes with any UUID.
  [[nodiscard]] static constexpr Result<TypeId> pack(const Fields& fields) {
    return TypeId{fields.prefix, fields.uuid};
  }
  [[nodiscard]] constexpr Fields unpack() const { return {prefix_, uuid_}; }

  /// Reads 26 digits, or a prefix, `_` and 26 digits. Errors, of the prefix before those of the digits:
  /// WrongLength, BadCharacter, ValueOverflow (a first digit above 7), at the place in the whole text.
  [[nodiscard]] static constexpr Result<TypeId> parse(std::string_view text) {
    TypePrefix prefix;
    std::size_t suffix = 0;
    if (text.size() != kSuffixSize) {
      // No digit is a `_`, so the last one of a TypeID can only stand right before the digits.
      if (text.size() < kSuffixSize || text[text.size() - kSuffixSize - 1] != '_') [[unlikely]] {
        return fail(what_is_wrong(text));
      }
      suffix = text.size() - kSuffixSize;
      const auto read = TypePrefix::parse(text.substr(0, suffix - 1));
      if (!read) return fail(read.error());
      if (read->empty()) return fail(Error::at(Fault::bad_character, 0));
      prefix = *read;
    }
    const auto value = parse_slices<kCrockfordLower, 128>(text.substr(suffix));
    if (!value) [[unlikely]] {
      if (suffix == 0 && text.contains('_')) return fail(what_is_wrong(text));
      return fail(Error::at(value.error().fault(), suffix + value.error().position()));
    }
    return TypeId{prefix, Uuid::of(static_cast<std::uint64_t>(*value >> 64),
                                   static_cast<std::uint64_t>(*value))};
  }

  /// Writes the prefix and `_`, unless it is empty, and 26 digits. Returns how many characters that is.
  /// REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    const std::string_view prefix = prefix_.view();
    std::size_t at = prefix.size();
    std::ranges::copy(prefix, out.begin());
    if (at > 0) out[at++] = '_';
    write_slices<kCrockfordLower, kSuffixSize>(uuid_.integer(), out.subspan(at));
    return at + kSuffixSize;
  }

  /// From the 16 octets of the UUID, without a prefix. Errors: WrongLength.
  [[nodiscard]] static constexpr Result<TypeId> from_bytes(std::span<const std::byte> from) {
    MINTMARK_TRY(uuid, Uuid::from_bytes(from));
    return TypeId{TypePrefix{}, uuid};
  }
  /// The octets of the UUID; the prefix is not among them. REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const { uuid_.to_bytes(to); }

  [[nodiscard]] constexpr const TypePrefix& prefix() const { return prefix_; }
  [[nodiscard]] constexpr const Uuid& uuid() const { return uuid_; }

  /// The same UUID under another prefix.
  [[nodiscard]] constexpr TypeId with_prefix(const TypePrefix& prefix) const {
    return {prefix, uuid_};
  }

  /// The time of the UUID if it is of version 7.
  [[nodiscard]] constexpr std::optional<Instant> time() const {
    const auto v7 = UuidV7::from_uuid(uuid_);
    if (!v7) return std::nullopt;
    return v7->time();
  }

  /// The smallest and the largest of a prefix, among those of version 7, of the millisecond that holds
  /// `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<TypeId> floor(const TypePrefix& prefix, Instant time) {
    MINTMARK_TRY(v7, UuidV7::floor(time));
    return TypeId{prefix, v7};
  }
  [[nodiscard]] static constexpr Result<TypeId> ceil(const TypePrefix& prefix, Instant time) {
    MINTMARK_TRY(v7, UuidV7::ceil(time));
    return TypeId{prefix, v7};
  }

  friend constexpr bool operator==(const TypeId&, const TypeId&) = default;
  friend constexpr std::strong_ordering operator<=>(const TypeId&, const TypeId&) = default;

  class Generator;

 private:
  /// Of a text whose last `_`, if any, does not stand before 26 characters.
  static constexpr Error what_is_wrong(std::string_view text) {
    const std::size_t separator = text.rfind('_');
    if (separator == text.npos) {
      // Too long for digits alone and no `_` where the prefix would have to end.
      if (text.size() > kSuffixSize + 1)
        return Error::at(Fault::bad_character, text.size() - kSuffixSize - 1);
      return Error::at(Fault::wrong_length, std::min(text.size(), kSuffixSize));
    }
    const auto prefix = TypePrefix::parse(text.substr(0, separator));
    if (!prefix) {
      // 26 characters with one `_` among digits are not a prefix: the `_` is what is wrong.
      if (text.size() == kSuffixSize) return slice::first_bad_character<kCrockfordLower>(text);
      return prefix.error();
    }
    if (prefix->empty()) return Error::at(Fault::bad_character, 0);
    return Error::at(Fault::wrong_length, std::min(text.size(), separator + 1 + kSuffixSize));
  }

  TypePrefix prefix_;
  Uuid uuid_;
};

/// Makes TypeIDs of one prefix and version 7, which rise strictly. One thread at a time. What is said of
/// UuidV7::Generator holds: its options, its limits and its errors are those of this one.
class TypeId::Generator {
 public:
  struct Options {
    TypePrefix prefix = {};
    UuidV7::Generator::Options uuid = {};
  };

  /// REQUIRES: `entropy` outlives the generator.
  explicit Generator(Entropy& entropy) : Generator(entropy, Options{}) {}
  /// REQUIRES: UuidV7::Generator::check(options.uuid).
  Generator(Entropy& entropy, const Options& options)
      : prefix_(options.prefix), uuids_(entropy, options.uuid) {}
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Errors: those of UuidV7::Generator.
  [[nodiscard]] Result<TypeId> next(Instant now) {
    MINTMARK_TRY(v7, uuids_.next(now));
    return TypeId{prefix_, v7};
  }

  /// Fills the front of `out` with as many IDs as can be made at `now`, and returns how many. Errors as next,
  /// only if none was made. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<TypeId> out, Instant now) {
    std::array<UuidV7, kBatch> batch;
    std::size_t made = 0;
    while (made < out.size()) {
      const std::size_t wanted = std::min(out.size() - made, kBatch);
      const auto count = uuids_.fill(std::span{batch}.first(wanted), now);
      if (!count && made == 0) return fail(count.error());
      if (!count) break;
      for (std::size_t i = 0; i < *count; ++i) out[made + i] = TypeId{prefix_, batch[i]};
      made += *count;
      if (*count < wanted) break;
    }
    return made;
  }

  /// How often the clock fell behind by more than 10 s and the generator started anew.
  [[nodiscard]] std::uint64_t rollbacks() const { return uuids_.rollbacks(); }

 private:
  static constexpr std::size_t kBatch =
      64;  ///< as many as UuidV7::Generator draws entropy for at once

  const TypePrefix prefix_;
  UuidV7::Generator uuids_;
};

// No TimeOrdered: a TypeID that was read has a time only if its UUID is of version 7.
static_assert(Mintable<TypeId> && !TimeOrdered<TypeId>);

// github.com/jetify-com/typeid, spec/valid.yml and spec/invalid.yml.
static_assert(TypeId::parse("prefix_01h455vb4pex5vsknk084sn02q") ==
              TypeId{"prefix", "01890a5d-ac96-774b-bcce-b302099a8057"_uuid});
static_assert(TypeId::parse("pre_fix_00000000000000000000000000")->prefix().view() == "pre_fix");
static_assert(TypeId::parse("7zzzzzzzzzzzzzzzzzzzzzzzzz")->uuid() == Uuid::max());
static_assert(TypeId::parse("prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz").error() ==
              Error::at(Fault::value_overflow, 7));
static_assert(TypeId::parse("_00000000000000000000000000").error() ==
              Error::at(Fault::bad_character, 0));

}  // namespace mintmark

template <>
struct std::hash<mintmark::TypePrefix> {
  [[nodiscard]] std::size_t operator()(const mintmark::TypePrefix& prefix) const noexcept {
    return std::hash<std::string_view>{}(prefix.view());
  }
};

template <>
struct std::hash<mintmark::TypeId> {
  [[nodiscard]] std::size_t operator()(const mintmark::TypeId& id) const noexcept {
    return std::hash<mintmark::Uuid>{}(id.uuid()) * 31 +
           std::hash<mintmark::TypePrefix>{}(id.prefix());
  }
};
