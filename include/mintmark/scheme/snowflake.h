// Snowflake: a 64-bit ID of a time, the number of the worker that made it, and a sequence.
//
// Use it where an ID must fit a 64-bit column, sort by time and be made without a round trip. Do not
// use it where the ID is a secret (it tells when and by whom it was made, and its neighbours can be
// guessed), where a JavaScript client reads it as a number (above 2^53 it is rounded: send text), or
// where two processes might be given one worker number: take the slot from a store instead.
//
//   twitter    [0][ time 41 | 1 ms         ][dc 5][worker 5][  seq 12  ]   epoch 2010-11-04
//   discord    [   time 42 | 1 ms          ][worker 5][pid 5][ inc 12  ]   epoch 2015-01-01
//   instagram  [   time 41 | 1 ms         ][    shard 13    ][ seq 10  ]   epoch 2011-08-24
//   sonyflake  [0][ time 39 | 10 ms    ][ seq 8 ][     machine 16      ]   epoch 2014-09-01
//   sonyflake2 [0][ time 39 | 10 ms    ][ seq 8 ][     machine 16      ]   epoch 2025-01-01
//   mastodon   [      time 48 | 1 ms           ][       seq 16         ]   epoch 1970-01-01
//   leaf       [0][ time 41 | 1 ms         ][   worker 10   ][  seq 12  ]   epoch 2010-11-04
//   baidu      [0][ time 28 | 1 s    ][    worker 22      ][   seq 13   ]   2016-05-20 to 2024-11-20
//   js53       [ 11 zeros ][ time 41 | 1 ms        ][worker 5][  seq 7  ]   epoch 2020-01-01
//
// The presets and their sources are in snowflake_presets.h, what a layout is in snowflake_layout.h.
//
// What the generator promises is rule R4 of the protocol (docs/internals/protocol.md): it stamps only
// ticks inside the window that it was granted, its IDs rise strictly, and a refusal changes nothing. It
// never waits: a full sequence is a refusal with the time after which it is worth asking again.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"
#include "mintmark/scheme/snowflake_layout.h"
#include "mintmark/scheme/snowflake_presets.h"
#include "mintmark/text/radix.h"

namespace mintmark {

/// A 64-bit ID whose layout is known at run time only. Ordered as an unsigned number; text is decimal.
class Snowflake {
 public:
  static constexpr std::size_t kBytes = 8;
  static constexpr std::size_t kMostText = 20;

  constexpr Snowflake() = default;
  constexpr explicit Snowflake(std::uint64_t value) : value_(value) {}

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  /// Reads decimal digits, without sign or leading zeros. Errors: WrongLength (no digits), BadCharacter,
  /// NotCanonical (a leading zero), ValueOverflow (above 2^64 - 1).
  [[nodiscard]] static constexpr Result<Snowflake> parse(std::string_view text) {
    MINTMARK_TRY(value, parse_decimal(text));
    return Snowflake{value};
  }
  /// Writes decimal digits, returns how many. REQUIRES: out.size() >= kMostText.
  constexpr std::size_t write(std::span<char> out) const { return write_decimal(value_, out); }

  /// Big-endian. REQUIRES: to.size() >= kBytes.
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value_); }

  friend constexpr auto operator<=>(const Snowflake&, const Snowflake&) = default;

 private:
  std::uint64_t value_ = 0;
};

template <class Id>
class SnowflakeGeneratorOf;

/// The same with the layout in the type: a Scheme.
template <const SnowflakeLayout& kLayout>
class SnowflakeOf {
 public:
  struct Fields {
    std::uint64_t tick = 0;  ///< of the layout's time field
    std::uint64_t slot = 0;  ///< all node fields as one number
    std::uint64_t sequence = 0;
    friend constexpr bool operator==(const Fields&, const Fields&) = default;
  };

  static constexpr const SnowflakeLayout& layout() { return kLayout; }
  static constexpr Facts facts{
      .name = "snowflake",
      .title = "Snowflake",
      .bits = kLayout.bits(),
      .bytes = Snowflake::kBytes,
      .text_size = Snowflake::kMostText,
      .order = kLayout.sorts_by_time() ? TimeOrder::monotonic : TimeOrder::none,
      .epoch = kLayout.epoch(),
      .unit = kLayout.unit(),
      .random_bits = 0,
      .specification = "twitter-archive/snowflake, tag snowflake-2010"};

  constexpr SnowflakeOf() = default;

  /// Refuses what does not fit its field. Errors: TimestampOverflow, ValueOverflow.
  [[nodiscard]] static constexpr Result<SnowflakeOf> pack(const Fields& fields) {
    if (fields.tick > kLayout.last_tick()) return fail(Fault::timestamp_overflow);
    if (fields.sequence > low_bits(kLayout.sequence_bits())) return fail(Fault::value_overflow);
    MINTMARK_TRY(slot, kLayout.slot(fields.slot));
    return SnowflakeOf{kLayout.join(fields.tick, slot, fields.sequence)};
  }
  [[nodiscard]] constexpr Fields unpack() const {
    return {kLayout.tick_of(value()), kLayout.slot_of(value()), kLayout.sequence_of(value())};
  }

  /// As Snowflake::parse; ValueOverflow also for a value that this layout never gives.
  [[nodiscard]] static constexpr Result<SnowflakeOf> parse(std::string_view text) {
    MINTMARK_TRY(value, parse_decimal(text));
    return checked(value);
  }
  constexpr std::size_t write(std::span<char> out) const { return id_.write(out); }

  [[nodiscard]] static constexpr Result<SnowflakeOf> from_bytes(std::span<const std::byte> from) {
    if (from.size() != Snowflake::kBytes) return fail(Error::at(Fault::wrong_length, from.size()));
    return checked(load_be<std::uint64_t>(from));
  }
  constexpr void to_bytes(std::span<std::byte> to) const { store_be(to, value()); }

  [[nodiscard]] constexpr std::uint64_t value() const { return id_.value(); }
  [[nodiscard]] constexpr Instant time() const {
    return kLayout.instant_of(kLayout.tick_of(value()));
  }

  /// The smallest and the largest ID of the tick that holds `time`.
  /// Errors: ClockBeforeEpoch, TimestampOverflow.
  [[nodiscard]] static constexpr Result<SnowflakeOf> floor(Instant time) {
    MINTMARK_TRY(tick, kLayout.tick_at(time));
    return pack({.tick = tick});
  }
  [[nodiscard]] static constexpr Result<SnowflakeOf> ceil(Instant time) {
    MINTMARK_TRY(tick, kLayout.tick_at(time));
    return pack({.tick = tick,
                 .slot = kLayout.slot_count() - 1,
                 .sequence = low_bits(kLayout.sequence_bits())});
  }

  friend constexpr auto operator<=>(const SnowflakeOf&, const SnowflakeOf&) = default;

  using Generator = SnowflakeGeneratorOf<SnowflakeOf>;

 private:
  friend Generator;
  constexpr explicit SnowflakeOf(std::uint64_t value) : id_(value) {}
  [[nodiscard]] static constexpr Result<SnowflakeOf> checked(std::uint64_t value) {
    if (value > kLayout.largest()) return fail(Error::at(Fault::value_overflow, 0));
    return SnowflakeOf{value};
  }
  Snowflake id_;
};

using TwitterId = SnowflakeOf<layouts::twitter>;
using DiscordId = SnowflakeOf<layouts::discord>;
using InstagramId = SnowflakeOf<layouts::instagram>;
using SonyflakeId = SnowflakeOf<layouts::sonyflake>;
using Sonyflake2Id = SnowflakeOf<layouts::sonyflake2>;
using MastodonId = SnowflakeOf<layouts::mastodon>;
using LeafId = SnowflakeOf<layouts::leaf>;
using BaiduId = SnowflakeOf<layouts::baidu>;
using Js53Id = SnowflakeOf<layouts::js53>;

/// A half-open interval [start, end) of ticks that one slot was granted.
struct TickWindow {
  std::uint64_t start = 0;
  std::uint64_t end = 0;

  [[nodiscard]] static constexpr TickWindow whole(const SnowflakeLayout& layout) {
    return {0, layout.last_tick() + 1};
  }
  friend constexpr bool operator==(const TickWindow&, const TickWindow&) = default;
};

/// What happens at the limits of time (protocol R4).
struct SnowflakePolicy {
  enum class SequenceStart : std::uint8_t {
    carry,  ///< a new tick goes on where the sequence was, so that slow traffic does not make IDs even
    zero,  ///< a new tick starts at 0
  };

  /// How far an ID's time may be ahead of the clock at the call; rides out a small step back.
  Duration max_lead = std::chrono::seconds{2};
  /// How far a full sequence may run into coming ticks, past the newest clock reading.
  Duration max_borrow = std::chrono::milliseconds{10};
  SequenceStart sequence_start = SequenceStart::carry;
};

/// Makes the IDs of one slot inside one granted window: the `Lease` of protocol R13.
///
/// Thread-safe: any number of threads may call next and fill, one may call extend. Lock-free: the whole
/// state is one 64-bit word, tick << sequence_bits | sequence, moved by compare-and-swap.
/// Pinned: a copy would make the same IDs. After fork() the child must not use it (protocol R11).
class SnowflakeGenerator {
 public:
  /// With `window` from a store, or TickWindow::whole(layout) where nothing but the caller guards the
  /// slot. REQUIRES: window.start < window.end.
  SnowflakeGenerator(const SnowflakeLayout& layout, SnowflakeSlot slot, TickWindow window,
                     SnowflakePolicy policy = {})
      : layout_(layout),
        slot_(slot),
        start_(window.start),
        lead_(layout.ticks_in(policy.max_lead)),
        borrow_(std::min(layout.ticks_in(policy.max_borrow), lead_)),
        shape_{layout.sequence_bits(), layout.time_shift(), layout.sequence_shift(), slot.bits()},
        carried_(carried_bits(layout, policy)),
        next_(window.start << layout.sequence_bits()),
        newest_(window.start),
        end_(std::min(window.end, layout.last_tick() + 1)) {
    MINTMARK_CHECK(window.start < window.end);
  }
  SnowflakeGenerator(const SnowflakeGenerator&) = delete;
  SnowflakeGenerator& operator=(const SnowflakeGenerator&) = delete;

  /// The next ID. Errors, each without any change of state: ClockBeforeEpoch, TimestampOverflow,
  /// ClockBehind and SequenceExhausted (with the wait), WindowExhausted.
  [[nodiscard]] Result<Snowflake> next(Instant now) {
    Run taken;
    if (const auto refused = reserve(1, now, taken)) return fail(*refused);
    return shape_.id_at(taken.first);
  }

  /// Fills the front of `out` with as many IDs as the limits allow at `now`, at least one; returns how
  /// many. One compare-and-swap for all. Errors as next. An empty span gives 0.
  [[nodiscard]] Result<std::size_t> fill(std::span<Snowflake> out, Instant now) {
    if (out.empty()) return 0;
    Run taken;
    if (const auto refused = reserve(out.size(), now, taken)) return fail(*refused);
    // A copy on the stack: the compiler then knows that writing IDs does not change it.
    const Shape shape = shape_;
    for (std::size_t i = 0; i < taken.count; ++i) out[i] = shape.id_at(taken.first + i);
    return taken.count;
  }

  /// Moves the end of the window up; a contiguous grant of the same slot. Never down.
  void extend(std::uint64_t end) {
    end = std::min(end, layout_.last_tick() + 1);
    if (end > end_.load(std::memory_order_relaxed)) end_.store(end, std::memory_order_relaxed);
  }

  [[nodiscard]] const SnowflakeLayout& layout() const { return layout_; }
  [[nodiscard]] SnowflakeSlot slot() const { return slot_; }
  [[nodiscard]] TickWindow window() const { return {start_, end_.load(std::memory_order_relaxed)}; }

 private:
  struct Run {
    std::uint64_t first = 0;  ///< tick << sequence_bits | sequence
    std::size_t count = 0;
  };

  /// What turns a word of the state into an ID.
  struct Shape {
    unsigned sequence_bits;
    unsigned time_shift;
    unsigned sequence_shift;
    std::uint64_t slot_bits;

    [[nodiscard]] Snowflake id_at(std::uint64_t word) const {
      return Snowflake{(word >> sequence_bits) << time_shift | slot_bits |
                       (word & low_bits(sequence_bits)) << sequence_shift};
    }
  };

  /// With max_lead = 0 the carried sequence is cut to its lowest sequence_bits - 2 bits, so that three
  /// quarters of a new tick remain (protocol R4).
  static std::uint64_t carried_bits(const SnowflakeLayout& layout, const SnowflakePolicy& policy) {
    if (policy.sequence_start == SnowflakePolicy::SequenceStart::zero) return 0;
    const std::uint64_t mask = low_bits(layout.sequence_bits());
    return layout.ticks_in(policy.max_lead) == 0 ? mask >> 2 : mask;
  }

  /// Takes up to `wanted` consecutive words, or says why there is none. Inlined, and not a Result: to return
  /// 16 bytes and an error through memory costs as much as all the rest.
  [[nodiscard, gnu::always_inline]] inline std::optional<Error> reserve(std::size_t wanted,
                                                                        Instant now, Run& taken) {
    const auto read = layout_.tick_at(now);
    if (!read) [[unlikely]]
      return read.error();
    const std::uint64_t tick = *read;
    const unsigned bits = shape_.sequence_bits;
    const std::uint64_t seen = newest_.load(std::memory_order_relaxed);
    const std::uint64_t newest = std::max(seen, tick);
    const std::uint64_t end = end_.load(std::memory_order_relaxed);
    const std::uint64_t last_tick = std::min(std::min(end - 1, tick + lead_), newest + borrow_);
    std::uint64_t next = next_.load(std::memory_order_relaxed);
    for (;;) {
      const std::uint64_t fresh = tick << bits | (next & carried_);
      const std::uint64_t first = (next >> bits) < tick ? fresh : next;
      const std::uint64_t first_tick = first >> bits;
      if (first_tick > last_tick) [[unlikely]]
        return refuse(first_tick, tick, newest, end, now);
      const std::uint64_t room = (last_tick << bits | low_bits(bits)) - first;
      const std::uint64_t count = std::min<std::uint64_t>(wanted - 1, room) + 1;
      // A carry out of the last tick of a 64-bit word would wrap to 0: keep the word at its largest.
      const std::uint64_t after = first + count;
      if (after < first) [[unlikely]]
        return Error{Fault::timestamp_overflow};
      if (next_.compare_exchange_weak(next, after, std::memory_order_relaxed)) {
        if (tick > seen) note_reading(tick);
        taken = {first, static_cast<std::size_t>(count)};
        return std::nullopt;
      }
    }
  }

  /// Which limit stands in the way of `first_tick`, and until when.
  [[nodiscard, gnu::cold, gnu::noinline]] Error refuse(std::uint64_t first_tick, std::uint64_t tick,
                                                       std::uint64_t newest, std::uint64_t end,
                                                       Instant now) const {
    if (first_tick >= end) {
      return Error{end > layout_.last_tick() ? Fault::timestamp_overflow : Fault::window_exhausted};
    }
    const bool outran_clock = first_tick > newest + borrow_;
    const std::uint64_t allowed = outran_clock ? borrow_ : lead_;
    const Instant ready = layout_.instant_of(first_tick - allowed);
    const Fault fault =
        outran_clock && tick == newest ? Fault::sequence_exhausted : Fault::clock_behind;
    return Error::retry(fault, wait_us(ready - now));
  }

  /// Keeps the newest reading that an ID was issued on; the reference of max_borrow.
  void note_reading(std::uint64_t tick) {
    std::uint64_t newest = newest_.load(std::memory_order_relaxed);
    while (tick > newest &&
           !newest_.compare_exchange_weak(newest, tick, std::memory_order_relaxed)) {
    }
  }

  const SnowflakeLayout layout_;
  const SnowflakeSlot slot_;
  const std::uint64_t start_;
  const std::uint64_t lead_;
  const std::uint64_t borrow_;
  const Shape shape_;
  const std::uint64_t carried_;
  alignas(64) std::atomic<std::uint64_t> next_;
  std::atomic<std::uint64_t> newest_;
  std::atomic<std::uint64_t> end_;
};

/// SnowflakeGenerator with a typed ID whose bits are those of Id::layout(). Same rules, same thread-safety.
template <class Id>
class SnowflakeGeneratorOf {
 public:
  explicit SnowflakeGeneratorOf(SnowflakeSlot slot,
                                TickWindow window = TickWindow::whole(Id::layout()),
                                SnowflakePolicy policy = {})
      : generator_(Id::layout(), slot, window, policy) {}

  [[nodiscard]] Result<Id> next(Instant now) {
    MINTMARK_TRY(id, generator_.next(now));
    return Id{id.value()};
  }
  [[nodiscard]] Result<std::size_t> fill(std::span<Id> out, Instant now) {
    std::size_t done = 0;
    std::array<Snowflake, 64> batch;
    while (done < out.size()) {
      const std::size_t wanted = std::min(batch.size(), out.size() - done);
      const auto taken = generator_.fill(std::span{batch}.first(wanted), now);
      if (!taken) {
        if (done != 0) break;
        return fail(taken.error());
      }
      for (std::size_t i = 0; i < *taken; ++i) out[done++] = Id{batch[i].value()};
    }
    return done;
  }
  void extend(std::uint64_t end) { generator_.extend(end); }

 private:
  SnowflakeGenerator generator_;
};

static_assert(Scheme<TwitterId> && TimeOrdered<TwitterId> && Mintable<TwitterId>);
static_assert(Scheme<SonyflakeId> && Mintable<SonyflakeId>);

// twitter-archive/snowflake and the public tweet 1541815603606036480.
static_assert(TwitterId::parse("1541815603606036480")->unpack() ==
              TwitterId::Fields{.tick = 367'597'485'448, .slot = 11 << 5 | 26, .sequence = 0});
static_assert(TwitterId::parse("1541815603606036480")->time() == from_unix_ms(1'656'432'460'105));
// discord/discord-api-docs, reference, "Snowflakes".
static_assert(DiscordId::parse("175928847299117063")->time() == from_unix_ms(1'462'015'105'796));
// mastodon/mastodon, lib/mastodon/snowflake.rb: the ms, and 16 bits that tell IDs of one ms apart.
static_assert(MastodonId::parse("108555957705445940")->unpack() ==
              MastodonId::Fields{.tick = 1'656'432'460'105, .slot = 0, .sequence = 0x1234});
// Instagram engineering blog: shard 1341, sequence 5001 % 1024.
static_assert(InstagramId::pack({.tick = 1'387'263'000, .slot = 1341, .sequence = 905})->value() ==
              11'637'205'501'278'089);

}  // namespace mintmark

template <>
struct std::hash<mintmark::Snowflake> {
  std::size_t operator()(mintmark::Snowflake id) const noexcept {
    return std::hash<std::uint64_t>{}(id.value());
  }
};
