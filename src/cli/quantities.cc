#include "cli/quantities.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace mintmark::cli {
namespace {

constexpr U128 kMost = U128{1} << 127;
constexpr double kDay = 86'400;

struct Unit {
  std::string_view name;
  double seconds;
};
// In rising order: rate_words goes through them.
constexpr std::array kUnits{
    Unit{"us", 1e-6},
    Unit{"ms", 1e-3},
    Unit{"s", 1},
    Unit{"min", 60},
    Unit{"h", 3'600},
    Unit{"d", kDay},
    Unit{"w", 7 * kDay},
    Unit{"month", kYearSeconds / 12},
    Unit{"y", kYearSeconds},
};

std::optional<double> seconds_of(std::string_view unit) {
  const auto found = std::ranges::find(kUnits, unit, &Unit::name);
  if (found == kUnits.end()) return std::nullopt;
  return found->seconds;
}

/// The power of ten of a letter behind a number.
std::optional<int> power_of(char letter) {
  switch (letter) {
    case 'k':
    case 'K':
      return 3;
    case 'M':
      return 6;
    case 'G':
      return 9;
    case 'T':
      return 12;
    default:
      return std::nullopt;
  }
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A decimal number apart: its digits without the point, and the power of ten that they are multiplied by.
struct Decimal {
  U128 digits = 0;
  int power = 0;
};

/// Takes a decimal number off the front of `text`.
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal decimal;
  std::size_t at = 0;
  bool any = false;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction && any) {
      fraction = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    any = true;
    if (decimal.digits > kMost / 10 - 1) return std::nullopt;
    decimal.digits = decimal.digits * 10 + static_cast<unsigned>(text[at] - '0');
    if (fraction) --decimal.power;
  }
  if (!any || (fraction && !is_digit(text[at - 1]))) return std::nullopt;
  text.remove_prefix(at);
  if (text.empty()) return decimal;
  if (const auto power = power_of(text[0])) {
    decimal.power += *power;
    text.remove_prefix(1);
  } else if (text[0] == 'e' || text[0] == 'E') {
    std::string_view exponent = text.substr(1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    int value = 0;
    const auto [stop, error] =
        std::from_chars(exponent.data(), exponent.data() + exponent.size(), value);
    if (error != std::errc{} || value < -300 || value > 300) return std::nullopt;
    decimal.power += value;
    text = exponent.substr(static_cast<std::size_t>(stop - exponent.data()));
  }
  return decimal;
}

std::optional<double> take_number(std::string_view& text) {
  const auto decimal = take_decimal(text);
  if (!decimal || decimal->digits == 0) return std::nullopt;
  return static_cast<double>(decimal->digits) * std::pow(10.0, decimal->power);
}

/// `1.308e18` for the `1.308e+18` of the formatter.
std::string without_plus(std::string text) {
  if (const std::size_t at = text.find("e+"); at != std::string::npos) text.erase(at + 1, 1);
  return text;
}

}  // namespace

std::optional<U128> parse_whole(std::string_view text) {
  if (text.starts_with("2^")) {
    text.remove_prefix(2);
    unsigned power = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), power);
    if (error != std::errc{} || stop != text.data() + text.size() || power > 127)
      return std::nullopt;
    return U128{1} << power;
  }
  auto decimal = take_decimal(text);
  if (!decimal || !text.empty()) return std::nullopt;
  for (; decimal->power < 0; ++decimal->power) {
    if (decimal->digits % 10 != 0) return std::nullopt;
    decimal->digits /= 10;
  }
  for (; decimal->power > 0 && decimal->digits != 0; --decimal->power) {
    if (decimal->digits > kMost / 10) return std::nullopt;
    decimal->digits *= 10;
  }
  return decimal->digits;
}

std::optional<double> parse_rate(std::string_view text) {
  const auto number = take_number(text);
  if (!number) return std::nullopt;
  if (text.empty()) return number;
  if (text[0] != '/') return std::nullopt;
  const auto seconds = seconds_of(text.substr(1));
  if (!seconds) return std::nullopt;
  return *number / *seconds;
}

std::optional<double> parse_length(std::string_view text) {
  // "1M" would be a million of nothing, "5min" is five minutes: the unit is what is left.
  const auto number = take_number(text);
  const auto seconds = seconds_of(text);
  if (!number || !seconds) return std::nullopt;
  return *number * *seconds;
}

std::string digits_of(U128 value) { return fmt::format("{}", value); }

std::string count_words(double value) {
  if (value < 1e12) return fmt::format("{:.0f}", value);
  return without_plus(fmt::format("{:.4g}", value));
}

std::string number_words(double value) {
  if (value >= 1e4 && value < 1e9) return fmt::format("{:.0f}", value);
  return without_plus(fmt::format("{:.4g}", value));
}

std::string bytes_words(double bytes) {
  constexpr std::array<std::string_view, 6> kByteUnits{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < kByteUnits.size(); ++unit) bytes /= 1'000;
  return fmt::format("{:.3g} {}", bytes, kByteUnits[unit]);
}

std::string length_words(double seconds) {
  const auto in = [seconds](double unit, std::string_view name) {
    const std::string number = without_plus(fmt::format("{:.3g}", seconds / unit));
    return fmt::format("{} {}{}", number, name, number == "1" ? "" : "s");
  };
  if (seconds < 1e-3) return without_plus(fmt::format("{:.3g} us", seconds * 1e6));
  if (seconds < 1) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 120) return in(1, "second");
  if (seconds < 7'200) return in(60, "minute");
  if (seconds < 2 * kDay) return in(3'600, "hour");
  if (seconds < 2 * kYearSeconds) return in(kDay, "day");
  if (seconds < 1e6 * kYearSeconds) {
    return fmt::format("{:.{}f} years", seconds / kYearSeconds,
                       seconds < 100 * kYearSeconds ? 1 : 0);
  }
  return in(kYearSeconds, "year");
}

std::string rate_words(double per_second) {
  for (const std::string_view name : {"s", "min", "h", "d", "y"}) {
    const double number = per_second * *seconds_of(name);
    if (number >= 1) return fmt::format("{}/{}", number_words(number), name);
  }
  return fmt::format("{}/y", number_words(per_second * kYearSeconds));
}

std::optional<Instant> later(Instant from, double seconds) {
  const double room =
      std::chrono::duration<double>(Instant::max() - std::max(from, Instant{})).count();
  if (!(seconds >= 0) || seconds >= room) return std::nullopt;
  return from + std::chrono::seconds{static_cast<std::int64_t>(seconds)};
}

}  // namespace mintmark::cli
