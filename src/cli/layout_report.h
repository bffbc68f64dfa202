// What a Snowflake layout means for those who live with it: how long it lasts, how many IDs it has room for,
// how evenly `id mod n` falls, and with which other layout its values overlap.
//
// Why figures and not advice: every trap of a layout (a sign that comes in 2046, shards that stay empty, a
// number that JavaScript rounds) follows from its widths alone, and nobody sees it in the first day's IDs.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mintmark/base/bytes.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::cli {

/// A layout and what it is called; spelled out, it has no name.
struct KnownLayout {
  std::string_view name;
  SnowflakeLayout layout;
};

/// The presets of snowflake, and the layouts of tsid and rowid.
[[nodiscard]] const std::vector<KnownLayout>& known_layouts();

/// One of known_layouts by its name, or a layout spelled out. The error is words for a person.
[[nodiscard]] std::expected<KnownLayout, std::string> find_layout(std::string_view text);

enum class Workers : std::uint8_t { one, all };

/// As many IDs as there is room for in one tick.
[[nodiscard]] U128 ids_a_tick(const SnowflakeLayout& layout, Workers workers);
/// The same in a second, in decimal digits, with up to three behind the point where it is no whole number.
[[nodiscard]] std::string ids_a_second(const SnowflakeLayout& layout, Workers workers);

/// The first instant whose IDs may be above `most`, or nothing if none ever is.
[[nodiscard]] std::optional<Instant> exceeds(const SnowflakeLayout& layout, std::uint64_t most);

enum class Life : std::uint8_t { not_begun, lasting, in_its_last_year, ended };
[[nodiscard]] Life life_of(const SnowflakeLayout& layout, Instant now);

/// How `id mod n` falls at slow traffic: IDs so far apart that each has a tick of its own.
struct Residues {
  unsigned count = 0;  ///< how many of the n ever occur
  double busiest = 0;  ///< the share of IDs that fall on the commonest one; 1/n is even
};
/// Exact for ticks of which each is as likely; in the long run, for a sequence that is carried; of workers
/// that are equally busy. REQUIRES: 1 <= n <= 4096.
[[nodiscard]] Residues residues_of(const SnowflakeLayout& layout, unsigned n,
                                   SnowflakePolicy::SequenceStart start, Workers workers);
/// Two IDs of one worker differ by a multiple of 2^this.
[[nodiscard]] unsigned constant_bits(const SnowflakeLayout& layout,
                                     SnowflakePolicy::SequenceStart start);

/// Where else the values stand that a layout gives now.
struct Overlap {
  enum class Kind : std::uint8_t {
    same_time,  ///< the other one gives them now too
    given,      ///< the other one gave them before
    to_come,    ///< it will give them
    never,      ///< its values or its time end below them
  };
  std::string_view name;
  Kind kind = Kind::never;
  std::optional<Instant> time;  ///< when, but for never
};
/// With each known layout that is another one. Nothing for a layout that gives no IDs now, or whose values do
/// not rise with time.
[[nodiscard]] std::vector<Overlap> overlaps_of(const SnowflakeLayout& layout, Instant now);

/// The text form.
[[nodiscard]] std::string text_of(const SnowflakeLayout& layout);

/// What somebody should act on, a sentence each.
[[nodiscard]] std::vector<std::string> warnings_of(const SnowflakeLayout& layout, Instant now);

}  // namespace mintmark::cli
