// The layout of a Snowflake: which bits of a 64-bit ID are time, worker and sequence.
//
// Why a value and not a template of widths: fleets choose their own layouts in a configuration file, and
// a store must be able to say "this space has another layout" (protocol R12). A layout is checked once,
// when it is made; after that every operation on it is total or refuses with a typed error. No value is
// ever masked to fit: a worker ID that is cut to its field is a second worker with the same ID.
//
//   bit 63                                                     bit 0
//   [unused] [ field ] [ field ] ... [ field ]      most significant first
//
// A layout has exactly one time field, at most one sequence field (without one there is one ID a tick and
// slot), and any number of node fields (datacenter, worker, shard, machine, ...). Read together, most
// significant first, the node fields are
// one number: the slot that a process takes from the store.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark {

/// A reader that takes a JSON number for a double, as JavaScript does, still has this very number. Above
/// 2^53 - 1 neighbours become one double, and even a value that is a double prints other digits
/// (653247040368672768 prints as 653247040368672800): send text.
[[nodiscard]] constexpr bool is_exact_in_javascript(std::uint64_t value) {
  return value <= low_bits(53);
}

enum class FieldRole : std::uint8_t { time, node, sequence };
enum class Signedness : std::uint8_t { is_signed, is_unsigned };

/// One field. The role follows from the name: `time`; `seq`, `sequence` or `inc`; any other is a node.
struct LayoutField {
  static constexpr std::size_t kMostName = 11;

  std::array<char, kMostName> letters{};
  std::uint8_t letter_count = 0;
  FieldRole role = FieldRole::node;
  std::uint8_t width = 0;  ///< bits, 1 to 63
  std::uint8_t shift = 0;  ///< position of the lowest bit

  [[nodiscard]] constexpr std::string_view name() const { return {letters.data(), letter_count}; }
  friend constexpr bool operator==(const LayoutField&, const LayoutField&) = default;
};

/// A slot number that was checked against a layout, with its bits in place.
class SnowflakeSlot {
 public:
  [[nodiscard]] constexpr std::uint64_t number() const { return number_; }
  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }

 private:
  friend class SnowflakeLayout;
  constexpr SnowflakeSlot(std::uint64_t number, std::uint64_t bits)
      : number_(number), bits_(bits) {}
  std::uint64_t number_;
  std::uint64_t bits_;
};

/// A node field by its name, and a value for it: {"dc", 1}.
struct FieldValue {
  std::string_view name;
  std::uint64_t value = 0;
};

/// The slots whose named node fields have the given values.
struct SlotSet {
  std::uint64_t mask = 0;   ///< the bits of a slot number that are given
  std::uint64_t value = 0;  ///< what they are

  [[nodiscard]] constexpr bool holds(std::uint64_t number) const {
    return (number & mask) == value;
  }
  friend constexpr bool operator==(const SlotSet&, const SlotSet&) = default;
};

/// An immutable description of 64 bits. Regular and thread-safe; copying it is cheap (about 150 bytes).
class SnowflakeLayout {
 public:
  static constexpr std::size_t kMostFields = 6;
  static constexpr unsigned kMostNodeBits = 32;

  struct Field {
    std::string_view name;
    unsigned width;
  };
  struct Spec {
    std::initializer_list<Field> fields;  ///< most significant first
    Duration unit;                        ///< of the time field, whole microseconds
    Instant epoch;                        ///< zero of the time field
    Signedness signedness = Signedness::is_signed;
  };

  /// Checks: 2 to 6 fields of 1 to 63 bits; one time field, at most one sequence field; at most 64 bits in
  /// all, and in a signed layout no use of the sign bit but by a time field on top, which then loses that
  /// bit; node fields of at most 32 bits; a unit of whole microseconds; names of 1 to 11 letters, digits or
  /// `_`, each once; an epoch in the years 0 to 31,196, an end that an Instant can hold.
  /// Error: BadLayout, at the index of the offending field, or at their number if it is none of them.
  [[nodiscard]] static constexpr Result<SnowflakeLayout> make(const Spec& spec) {
    SnowflakeLayout layout;
    layout.unit_ = spec.unit;
    layout.epoch_ = spec.epoch;
    layout.signedness_ = spec.signedness;
    for (const Field& field : spec.fields) {
      if (auto added = layout.add(field.name, field.width); !added) return fail(added.error());
    }
    if (auto placed = layout.place(); !placed) return fail(placed.error());
    return layout;
  }

  /// Reads the text form, for example
  /// `time:41 dc:5 worker:5 seq:12 unit=1ms epoch=2010-11-04T01:42:54.657Z signed`.
  /// Units: us, ms, s with a whole number. `signed` is the default; the other word is `unsigned`.
  /// Errors: BadLayout or BadCharacter, at the byte offset of the offending word.
  [[nodiscard]] static constexpr Result<SnowflakeLayout> parse(std::string_view text);

  /// Writes the text form; equal layouts give equal texts, so that it is also the fingerprint that a
  /// store keeps. Returns the size. REQUIRES: out.size() >= kMostText.
  static constexpr std::size_t kMostText = 192;
  constexpr std::size_t write(std::span<char> out) const;

  /// The same fields with another zero of the time field. Error: BadLayout, as make.
  [[nodiscard]] constexpr Result<SnowflakeLayout> with_epoch(Instant epoch) const {
    SnowflakeLayout moved = *this;
    moved.epoch_ = epoch;
    if (!moved.reaches_its_end()) return bad(field_count_);
    return moved;
  }

  /// Tick of the time field at `now`. Errors: ClockBeforeEpoch with the wait, TimestampOverflow.
  [[nodiscard]] constexpr Result<std::uint64_t> tick_at(Instant now) const {
    if (now < epoch_) [[unlikely]] {
      // An hour and more is the largest wait that an Error can say.
      const Instant reachable = epoch_ - std::chrono::hours{2};
      return fail(
          Error::retry(Fault::clock_before_epoch, wait_us(epoch_ - std::max(now, reachable))));
    }
    // Two instants may be further apart than a signed count reaches.
    const std::uint64_t since = static_cast<std::uint64_t>(now.time_since_epoch().count()) -
                                static_cast<std::uint64_t>(epoch_.time_since_epoch().count());
    // Most layouts tick in ms: a division by a constant is several times cheaper.
    const auto unit = static_cast<std::uint64_t>(unit_.count());
    const std::uint64_t tick = unit == 10'000 ? since / 10'000 : since / unit;
    if (tick > last_tick_) return fail(Fault::timestamp_overflow);
    return tick;
  }

  /// The first instant of a tick. REQUIRES: tick <= last_tick() + 1.
  [[nodiscard]] constexpr Instant instant_of(std::uint64_t tick) const {
    return epoch_ + static_cast<std::int64_t>(tick) * unit_;
  }

  /// Whole ticks in a length of time, rounded down; 0 for a negative one.
  [[nodiscard]] constexpr std::uint64_t ticks_in(Duration length) const {
    return length <= Duration::zero() ? 0 : static_cast<std::uint64_t>(length / unit_);
  }

  /// Refuses a slot that its node fields cannot hold. Error: ValueOverflow.
  [[nodiscard]] constexpr Result<SnowflakeSlot> slot(std::uint64_t number) const {
    if (number >= slot_count()) return fail(Fault::value_overflow);
    std::uint64_t bits = 0;
    std::uint64_t rest = number;
    for (std::size_t i = field_count_; i-- > 0;) {
      const LayoutField& field = fields_[i];
      if (field.role != FieldRole::node) continue;
      bits |= (rest & low_bits(field.width)) << field.shift;
      rest >>= field.width;
    }
    return SnowflakeSlot{number, bits};
  }

  /// The slots that are left to choose from when some node fields have their values, for example all
  /// workers of one datacenter. Errors, at the index of the offending value: InvalidArgument (no node field
  /// has that name, or it was named before), ValueOverflow.
  [[nodiscard]] constexpr Result<SlotSet> slots_of_fields(
      std::span<const FieldValue> values) const {
    SlotSet set;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t mask = slot_mask(values[i].name);
      if (mask == 0 || (set.mask & mask) != 0) return fail(Error::at(Fault::invalid_argument, i));
      const auto shift = static_cast<unsigned>(std::countr_zero(mask));
      if (values[i].value > mask >> shift) return fail(Error::at(Fault::value_overflow, i));
      set.mask |= mask;
      set.value |= values[i].value << shift;
    }
    return set;
  }

  /// The slot by the values of all its node fields, in any order: {{"dc", 1}, {"worker", 3}}.
  /// Errors: those of slots_of_fields; InvalidArgument at values.size() if a node field has no value.
  [[nodiscard]] constexpr Result<SnowflakeSlot> slot_of_fields(
      std::span<const FieldValue> values) const {
    MINTMARK_TRY(set, slots_of_fields(values));
    if (set.mask != slot_count() - 1) {
      return fail(Error::at(Fault::invalid_argument, values.size()));
    }
    return slot(set.value);
  }
  [[nodiscard]] constexpr Result<SnowflakeSlot> slot_of_fields(
      std::initializer_list<FieldValue> values) const {
    return slot_of_fields(std::span{values.begin(), values.size()});
  }

  /// The slot number in an ID. Total.
  [[nodiscard]] constexpr std::uint64_t slot_of(std::uint64_t id) const {
    std::uint64_t number = 0;
    for (const LayoutField& field : fields()) {
      if (field.role == FieldRole::node) number = number << field.width | part(field, id);
    }
    return number;
  }

  /// The ID with this tick, slot and sequence. REQUIRES: tick <= last_tick(), sequence < 2^sequence_bits();
  /// the generator's hot path has checked both. Everybody else calls pack.
  [[nodiscard]] constexpr std::uint64_t join(std::uint64_t tick, SnowflakeSlot slot,
                                             std::uint64_t sequence) const {
    return tick << time_.shift | slot.bits() | sequence << sequence_.shift;
  }

  [[nodiscard]] constexpr std::uint64_t tick_of(std::uint64_t id) const { return part(time_, id); }
  [[nodiscard]] constexpr std::uint64_t sequence_of(std::uint64_t id) const {
    return part(sequence_, id);
  }
  /// The value of one field of an ID. Total.
  [[nodiscard]] static constexpr std::uint64_t part(const LayoutField& field, std::uint64_t id) {
    return id >> field.shift & low_bits(field.width);
  }

  [[nodiscard]] constexpr std::span<const LayoutField> fields() const {
    return std::span{fields_}.first(field_count_);
  }
  [[nodiscard]] constexpr Duration unit() const { return unit_; }
  [[nodiscard]] constexpr Instant epoch() const { return epoch_; }
  [[nodiscard]] constexpr Signedness signedness() const { return signedness_; }
  [[nodiscard]] constexpr unsigned bits() const { return total_bits_; }
  [[nodiscard]] constexpr unsigned sequence_bits() const { return sequence_.width; }
  [[nodiscard]] constexpr unsigned time_shift() const { return time_.shift; }
  [[nodiscard]] constexpr unsigned sequence_shift() const { return sequence_.shift; }
  [[nodiscard]] constexpr std::uint64_t slot_count() const {
    return std::uint64_t{1} << node_bits_;
  }
  /// The largest ID of this layout.
  [[nodiscard]] constexpr std::uint64_t largest() const {
    return join(last_tick_, *slot(slot_count() - 1), low_bits(sequence_.width));
  }
  [[nodiscard]] constexpr std::uint64_t last_tick() const { return last_tick_; }
  /// The first instant whose time does not fit any more.
  [[nodiscard]] constexpr Instant end() const { return instant_of(last_tick_ + 1); }
  /// IDs sort by time: nothing stands above the time field.
  [[nodiscard]] constexpr bool sorts_by_time() const { return fields_[0].role == FieldRole::time; }

  friend constexpr bool operator==(const SnowflakeLayout&, const SnowflakeLayout&) = default;

 private:
  constexpr SnowflakeLayout() = default;

  [[nodiscard]] constexpr std::unexpected<Error> bad(std::size_t field) const {
    return fail(Error::at(Fault::bad_layout, field));
  }

  static constexpr bool is_name_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  }

  constexpr Result<void> add(std::string_view name, unsigned width) {
    if (field_count_ == kMostFields || name.empty() || name.size() > LayoutField::kMostName ||
        width < 1 || width > 63) {
      return bad(field_count_);
    }
    for (const LayoutField& other : fields()) {
      if (other.name() == name) return bad(field_count_);
    }
    LayoutField& field = fields_[field_count_];
    for (const char c : name) {
      if (!is_name_letter(c)) return bad(field_count_);
      field.letters[field.letter_count++] = c;
    }
    field.width = static_cast<std::uint8_t>(width);
    field.role = name == "time"                                         ? FieldRole::time
                 : name == "seq" || name == "sequence" || name == "inc" ? FieldRole::sequence
                                                                        : FieldRole::node;
    ++field_count_;
    return {};
  }

  /// Gives each field its shift, from the lowest up, and checks the whole.
  constexpr Result<void> place() {
    unsigned shift = 0;
    unsigned times = 0;
    unsigned sequences = 0;
    for (std::size_t i = field_count_; i-- > 0;) {
      LayoutField& field = fields_[i];
      field.shift = static_cast<std::uint8_t>(shift);
      shift += field.width;
      if (shift > 64) return bad(i);
      if (field.role == FieldRole::node) node_bits_ += field.width;
      if (field.role == FieldRole::time && times++ == 0) time_ = field;
      if (field.role == FieldRole::sequence && sequences++ == 0) sequence_ = field;
    }
    total_bits_ = shift;
    if (field_count_ < 2 || times != 1 || sequences > 1 || node_bits_ > kMostNodeBits) {
      return bad(field_count_);
    }
    if (unit_.count() < 10 || unit_.count() % 10 != 0) return bad(field_count_);
    unsigned time_bits = time_.width;
    if (signedness_ == Signedness::is_signed && total_bits_ == 64) {
      if (fields_[0].role != FieldRole::time || time_bits < 2) return bad(0);
      --time_bits;
    }
    last_tick_ = low_bits(time_bits);
    if (!reaches_its_end()) return bad(field_count_);
    return {};
  }

  /// The text form can say the epoch, and an Instant every tick after it.
  [[nodiscard]] constexpr bool reaches_its_end() const {
    using namespace std::chrono;
    constexpr Instant kFirst{sys_days{year{0} / January / 1}.time_since_epoch()};
    constexpr Instant kEnd{sys_days{year{31'197} / January / 1}.time_since_epoch()};
    if (epoch_ < kFirst || epoch_ >= kEnd) return false;
    const auto room = static_cast<U128>((Instant::max() - std::max(epoch_, Instant{})).count());
    return (static_cast<U128>(last_tick_) + 1) * static_cast<U128>(unit_.count()) <= room;
  }

  /// The bits of a slot number that belong to a node field; 0 if there is none of that name.
  [[nodiscard]] constexpr std::uint64_t slot_mask(std::string_view name) const {
    unsigned shift = node_bits_;
    for (const LayoutField& field : fields()) {
      if (field.role != FieldRole::node) continue;
      shift -= field.width;
      if (field.name() == name) return low_bits(field.width) << shift;
    }
    return 0;
  }

  std::array<LayoutField, kMostFields> fields_{};
  std::size_t field_count_ = 0;
  LayoutField time_{};
  LayoutField sequence_{};
  Duration unit_{};
  Instant epoch_{};
  std::uint64_t last_tick_ = 0;
  unsigned total_bits_ = 0;
  unsigned node_bits_ = 0;
  Signedness signedness_ = Signedness::is_signed;
};

namespace layout_text {

/// Reads a whole decimal number that ends where the word ends. No value above 2^53.
constexpr Result<std::int64_t> whole_number(std::string_view digits, std::size_t at) {
  if (digits.empty()) return fail(Error::at(Fault::bad_layout, at));
  std::int64_t value = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] < '0' || digits[i] > '9') return fail(Error::at(Fault::bad_character, at + i));
    value = value * 10 + (digits[i] - '0');
    if (value > std::int64_t{1} << 53) return fail(Error::at(Fault::bad_layout, at + i));
  }
  return value;
}

/// Reads `10ms`, `1s`, `100us`.
constexpr Result<Duration> unit(std::string_view text, std::size_t at) {
  std::int64_t scale = 0;
  std::size_t suffix = 1;
  if (text.ends_with("us")) {
    scale = 10;
    suffix = 2;
  } else if (text.ends_with("ms")) {
    scale = 10'000;
    suffix = 2;
  } else if (text.ends_with("s")) {
    scale = 10'000'000;
  } else {
    return fail(Error::at(Fault::bad_layout, at));
  }
  MINTMARK_TRY(count, whole_number(text.substr(0, text.size() - suffix), at));
  if (count < 1 || count > 86'400'000) return fail(Error::at(Fault::bad_layout, at));
  return Duration{count * scale};
}

class Writer {
 public:
  constexpr explicit Writer(std::span<char> out) : out_(out) {}
  constexpr void put(std::string_view text) {
    for (const char c : text) out_[size_++] = c;
  }
  constexpr void put_number(std::uint64_t value) {
    std::array<char, 20> digits{};
    std::size_t first = digits.size();
    do {
      digits[--first] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    put({digits.data() + first, digits.size() - first});
  }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }

 private:
  std::span<char> out_;
  std::size_t size_ = 0;
};

}  // namespace layout_text

constexpr Result<SnowflakeLayout> SnowflakeLayout::parse(std::string_view text) {
  SnowflakeLayout layout;
  layout.unit_ = std::chrono::milliseconds{1};
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    const std::size_t stop = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, stop - at);
    if (word == "signed" || word == "unsigned") {
      layout.signedness_ = word == "signed" ? Signedness::is_signed : Signedness::is_unsigned;
    } else if (word.starts_with("unit=")) {
      MINTMARK_TRY(unit, layout_text::unit(word.substr(5), at + 5));
      layout.unit_ = unit;
    } else if (word.starts_with("epoch=")) {
      const auto epoch = parse_time(word.substr(6));
      if (!epoch) return fail(Error::at(epoch.error().fault(), at + 6 + epoch.error().position()));
      layout.epoch_ = *epoch;
    } else {
      const std::size_t colon = word.find(':');
      if (colon == std::string_view::npos) return fail(Error::at(Fault::bad_layout, at));
      MINTMARK_TRY(width, layout_text::whole_number(word.substr(colon + 1), at + colon + 1));
      const auto bits = static_cast<unsigned>(width > 64 ? 64 : width);
      if (!layout.add(word.substr(0, colon), bits)) return fail(Error::at(Fault::bad_layout, at));
    }
    at = stop;
  }
  if (!layout.place()) return fail(Error::at(Fault::bad_layout, 0));
  return layout;
}

constexpr std::size_t SnowflakeLayout::write(std::span<char> out) const {
  layout_text::Writer writer{out};
  for (const LayoutField& field : fields()) {
    writer.put(field.name());
    writer.put(":");
    writer.put_number(field.width);
    writer.put(" ");
  }
  const auto unit = static_cast<std::uint64_t>(unit_.count());
  writer.put("unit=");
  if (unit % 10'000'000 == 0) {
    writer.put_number(unit / 10'000'000);
    writer.put("s");
  } else if (unit % 10'000 == 0) {
    writer.put_number(unit / 10'000);
    writer.put("ms");
  } else {
    writer.put_number(unit / 10);
    writer.put("us");
  }
  writer.put(" epoch=");
  writer.put(TimeText{epoch_}.view());
  writer.put(signedness_ == Signedness::is_signed ? " signed" : " unsigned");
  return writer.size();
}

}  // namespace mintmark
