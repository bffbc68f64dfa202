#include "cli/moments.h"

#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "cli/words.h"

namespace mintmark::cli {
namespace {

constexpr std::string_view kForms =
    "write 2026-12-01, 2026-12-01T08:30:00Z, @1645557742, now or now-90m";

/// The whole of `text` as a number of decimal digits.
std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || text[0] == '-' || read.ec != std::errc{} ||
      read.ptr != text.data() + text.size())
    return std::nullopt;
  return value;
}

constexpr std::int64_t kTicksASecond = Duration{std::chrono::seconds{1}}.count();

/// `90m` and the like.
std::optional<Duration> length(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto count = whole(text.substr(0, text.size() - 1));
  std::int64_t seconds = 0;
  switch (text.back()) {
    case 's':
      seconds = 1;
      break;
    case 'm':
      seconds = 60;
      break;
    case 'h':
      seconds = 3'600;
      break;
    case 'd':
      seconds = 86'400;
      break;
    default:
      return std::nullopt;
  }
  std::int64_t ticks = 0;
  if (!count || __builtin_mul_overflow(*count, seconds * kTicksASecond, &ticks))
    return std::nullopt;
  return Duration{ticks};
}

/// The years that a time can be written in: beyond them the text of an instant overflows.
std::optional<Instant> within_years(Instant time) {
  constexpr Instant kFirst = *parse_time("0000-01-01");
  constexpr Instant kEnd = *parse_time("31196-12-31");
  if (time < kFirst || time > kEnd) return std::nullopt;
  return time;
}

std::optional<Instant> moved(Instant from, Duration by) {
  std::int64_t ticks = 0;
  if (__builtin_add_overflow(from.time_since_epoch().count(), by.count(), &ticks))
    return std::nullopt;
  return within_years(Instant{Duration{ticks}});
}

/// Behind the `@`: seconds since 1970, also before it, with up to seven digits of a fraction.
std::optional<Instant> since_1970(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = std::min(text.find('.'), text.size());
  const auto seconds = whole(text.substr(0, point));
  std::int64_t ticks = 0;
  if (!seconds || __builtin_mul_overflow(*seconds, kTicksASecond, &ticks)) return std::nullopt;
  if (point < text.size()) {
    std::string digits{text.substr(point + 1)};
    if (digits.empty() || digits.size() > 7) return std::nullopt;
    digits.resize(7, '0');
    const auto fraction = whole(digits);
    if (!fraction || __builtin_add_overflow(ticks, *fraction, &ticks)) return std::nullopt;
  }
  return within_years(Instant{Duration{negative ? -ticks : ticks}});
}

std::optional<Instant> relative(std::string_view text, Instant now) {
  if (text.empty()) return now;
  const auto by = length(text.substr(1));
  if (!by || (text[0] != '-' && text[0] != '+')) return std::nullopt;
  return moved(now, text[0] == '-' ? -*by : *by);
}

}  // namespace

std::expected<Instant, std::string> parse_moment(std::string_view text, Instant now) {
  constexpr std::string_view kNow = "now";
  const bool is_relative = text.starts_with(kNow);
  if (is_relative || text.starts_with('@')) {
    const auto moment =
        is_relative ? relative(text.substr(kNow.size()), now) : since_1970(text.substr(1));
    if (moment) return *moment;
    return std::unexpected(fmt::format("{} is no time; {}", shown(text), kForms));
  }
  const auto moment = parse_time(text);
  if (moment) return *moment;
  const Error& error = moment.error();
  return std::unexpected(fmt::format("{} is no time: {} at {}; {}", shown(text),
                                     error.row().sentence, error.position(), kForms));
}

}  // namespace mintmark::cli
