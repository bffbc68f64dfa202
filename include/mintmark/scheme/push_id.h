// Push ID: 48 bits of milliseconds and 72 random bits, as 20 characters that sort. Firebase blog, "The 2^120
// ways to ensure unique identifiers".
//
// Use it where a Firebase database or its clients expect it. Do not use it where the ID must be hard to
// guess from its neighbour: inside one millisecond the next one is this one plus one. Elsewhere ULID has the
// same time, eight random bits more, and characters that survive being read aloud.
//
//   octet  0                  6                            14
//         [ unix_ms 48 ......][ random 72 .................]
//   text   -JhLeOlG           IEjaIOFHR0xd
//          8 characters       12 characters, 6 bits each
//
// What it refuses: the step behind 12 characters `z`. The published code drops the carry there, and the
// millisecond begins again at its smallest ID.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/successor_generator.h"
#include "mintmark/scheme/unix_ms48.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/text/alphabet.h"
#include "mintmark/text/slice.h"

namespace mintmark {

/// Any 120 bits, ordered as an unsigned number, which is the order of its text and of its bytes.
class PushId {
 public:
  static constexpr Facts facts{
      .name = "pushid",
      .title = "push ID",
      .bits = 120,
      .bytes = 15,
      .text_size = 20,
      .order = TimeOrder::monotonic,
      .epoch = Instant{},
      .unit = std::chrono::milliseconds{1},
      .random_bits = 0,  // of an ID whose neighbour in the same ms is known
      .specification = "Firebase blog, The 2^120 ways to ensure unique identifiers"};

  static constexpr std::int64_t kLastMs = unix_ms48::kLast;  ///< 10889-08-02T05:31:50.655Z

  struct Fields {
    std::uint64_t unix_ms = 0;  ///< 48 bits
    U128 random = 0;            ///< 72 bits
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  constexpr PushId() = default;

  /// Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<PushId> pack(const Fields& fields) {
    if (fields.unix_ms > static_cast<std::uint64_t>(kLastMs))
      return fail(Fault::timestamp_overflow);
    if (fields.random > kLargestRandom) return fail(Fault::value_overflow);
    return PushId{static_cast<U128>(fields.unix_ms) << kRandomBits | fields.random};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {static_cast<std::uint64_t>(value_ >> kRandomBits), value_ & kLargestRandom};
  }

  /// Reads exactly 20 of `-0-9A-Z_a-z`. Every such text is a push ID. Errors: WrongLength, BadCharacter.
  [[nodiscard]] static constexpr Result<PushId> parse(std::string_view text) {
    MINTMARK_TRY(value, (parse_slices<kBase64Push, facts.bits>(text)));
    return PushId{value};
  }

  /// Writes 20 characters, returns 20. REQUIRES: out.size() >= facts.text_size.
  constexpr std::size_t write(std::span<char> out) const {
    write_slices<kBase64Push, facts.text_size>(value_, out);
    return facts.text_size;
  }

  /// The 15 bytes that the 20 characters stand for; the published code has no binary form.
  /// Errors: WrongLength.
  [[nodiscard]] static constexpr Result<PushId> from_bytes(std::span<const std::byte> from) {
    if (from.size() != facts.bytes) return fail(Error::at(Fault::wrong_length, from.size()));
    std::array<std::byte, sizeof(U128)> bytes{};
    std::ranges::copy(from, bytes.begin() + 1);
    return PushId{load_be<U128>(bytes)};
  }
  /// REQUIRES: to.size() >= facts.bytes.
  constexpr void to_bytes(std::span<std::byte> to) const {
    std::array<std::byte, sizeof(U128)> bytes{};
    store_be(bytes, value_);
    std::ranges::copy(std::span{bytes}.subspan(1), to.begin());
  }

  [[nodiscard]] constexpr U128 integer() const { return value_; }

  [[nodiscard]] constexpr Instant time() const {
    return from_unix_ms(static_cast<std::int64_t>(value_ >> kRandomBits));
  }

  /// The smallest and the largest push ID of the millisecond that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<PushId> floor(Instant time) {
    MINTMARK_TRY(ms, tick_of(time));
    return PushId{static_cast<U128>(ms) << kRandomBits};
  }
  [[nodiscard]] static constexpr Result<PushId> ceil(Instant time) {
    MINTMARK_TRY(ms, tick_of(time));
    return PushId{static_cast<U128>(ms) << kRandomBits | kLargestRandom};
  }

  /// The next push ID of the same millisecond: its random part plus one.
  /// Errors: SequenceExhausted behind 12 characters `z`.
  [[nodiscard]] constexpr Result<PushId> successor() const {
    if (room() == 0) return fail(Fault::sequence_exhausted);
    return plus(1);
  }

  friend constexpr auto operator<=>(const PushId&, const PushId&) = default;

  /// 72 fresh random bits in the first ID of a millisecond.
  using Generator = SuccessorGenerator<PushId>;

 private:
  friend Generator;

  static constexpr unsigned kRandomBits = 72;
  static constexpr U128 kLargestRandom = (U128{1} << kRandomBits) - 1;

  constexpr explicit PushId(U128 value) : value_(value) {}

  static constexpr Result<std::int64_t> tick_of(Instant time) { return unix_ms48::at(time); }
  /// All of the first word, the low 8 bits of the second.
  static constexpr PushId fresh(std::int64_t ms, std::uint64_t low, std::uint64_t high) {
    return PushId{static_cast<U128>(ms) << kRandomBits |
                  static_cast<U128>(high & low_bits(kRandomBits - 64)) << 64 | low};
  }
  [[nodiscard]] constexpr U128 room() const { return kLargestRandom - (value_ & kLargestRandom); }
  [[nodiscard]] constexpr PushId plus(std::size_t count) const { return PushId{value_ + count}; }

  U128 value_ = 0;
};

static_assert(TimeOrdered<PushId> && Mintable<PushId>);

// Public push IDs of 2015; the last one is the end of a millisecond.
static_assert(PushId::parse("-JhLeOlGIEjaIOFHR0xd")->time() ==
              *parse_time("2015-02-04T22:15:31.153Z"));
static_assert(PushId::parse("-JhQ76OEK_848CkIFhAq")->unpack().unix_ms == 1'423'163'029'071);
static_assert(PushId::parse("-JhQ7APk0UtyRTFO9-TS")->unpack().unix_ms == 1'423'163'045'552);
static_assert(!PushId::parse("-JhQ7APkzzzzzzzzzzzz")->successor());

}  // namespace mintmark

template <>
struct std::hash<mintmark::PushId> {
  [[nodiscard]] std::size_t operator()(const mintmark::PushId& id) const noexcept {
    const mintmark::U128 value = id.integer();
    return std::hash<mintmark::Uuid>{}(mintmark::Uuid::of(static_cast<std::uint64_t>(value >> 64),
                                                          static_cast<std::uint64_t>(value)));
  }
};
