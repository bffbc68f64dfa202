// The shape of an ID in a column: where its time lies among hex digits, bits or characters, and what stands
// around it in the smallest and the largest ID of a time.
//
// What stands around it is taken from the scheme itself, from its floor and ceil at the epoch: no constant of
// a format is written here a second time.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mintmark::cli {

/// What a column holds.
enum class ColumnForm : std::uint8_t { uuid, bytes, text, integer };

/// A run of hex digits, counted without hyphens, that are bits of the tick.
struct HexRun {
  unsigned first = 0;  ///< position of its first digit, from 0 on
  unsigned digits = 0;
  unsigned shift = 0;  ///< of its last bit in the tick
};

struct IdShape {
  enum class Kind : std::uint8_t {
    hex,      ///< bytes, or the hex digits that spell them: runs
    integer,  ///< one number: width bits above shift
    digits,   ///< characters of `bits_per_digit` bits each, the time in the first of them
    base62,   ///< one number of 160 bits in base 62: the time is above 128 bits
  };

  std::string scheme;
  Kind kind = Kind::hex;
  ColumnForm form = ColumnForm::bytes;
  bool sorts = true;        ///< by time; then there are a floor and a ceil
  unsigned characters = 0;  ///< of a text, or hex digits of bytes

  // The time: ticks since the epoch, reckoned in microseconds, which is what databases have.
  std::int64_t epoch_us = 0;  ///< since 1970
  std::int64_t tick_us = 0;   ///< length of a tick; 0 where ten ticks are a microsecond
  std::int64_t last_us = 0;   ///< since the epoch: the last microsecond of the last tick

  std::vector<HexRun> runs;
  unsigned version = 0;  ///< of a UUID; 0 for what is none

  unsigned shift = 0;
  unsigned width = 0;
  bool is_unsigned = false;

  std::string_view alphabet;
  std::string_view letters;  ///< the same as the inside of a bracket expression
  unsigned bits_per_digit = 0;
  unsigned time_digits = 0;
  unsigned spare_bits = 0;  ///< of the time digits, below the tick
  bool upper = false;       ///< lower case is read as upper case

  /// The ID of tick 0 that is the smallest or the largest: hex digits, decimal, or the text.
  std::string least;
  std::string largest;
};

/// The shape of a scheme or layout in a column. `form` is what was asked for, or nothing for the usual
/// one, which is `uuid` if `has_uuid` and the scheme allows it. The error is words for the user.
[[nodiscard]] std::expected<IdShape, std::string> shape_of(std::string_view scheme,
                                                           std::optional<ColumnForm> form,
                                                           bool has_uuid);

/// The names that shape_of takes, for hints.
[[nodiscard]] std::vector<std::string_view> shaped_schemes();

}  // namespace mintmark::cli
