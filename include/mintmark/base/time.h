// Time: wall time and boot time as different types, in one unit that every ID of the field fits.
//
// Why 100 ns: one signed 64-bit count of 100 ns reaches from 27,000 BC to 31,197 AD, so that the ends
// of every scheme are ordinary values: UUIDv1 starts in 1582 and ticks 100 ns, UUIDv7 ends in 10889.
// A count of ns would end in 2262.
//
// Nothing here reads a clock: time is an argument. The one place that asks the system is src/io.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <ratio>
#include <span>
#include <string_view>

#include "mintmark/base/error.h"

namespace mintmark {

/// A length of time in units of 100 ns.
using Duration = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;

/// The wall clock, as a tag: it has no now(). Its zero is 1970-01-01T00:00:00Z (POSIX, no leap seconds).
struct WallClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<WallClock>;
  static constexpr bool is_steady = false;
};

/// The time since the machine started, suspend included, as a tag (CLOCK_BOOTTIME). It is never set.
struct BootClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<BootClock>;
  static constexpr bool is_steady = true;
};

using Instant = WallClock::time_point;
using BootInstant = BootClock::time_point;

/// Where time comes from. The system's is io::os_clock(); tests and simulations bring their own.
/// Thread-safe: any thread may ask at any time.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;
  [[nodiscard]] virtual Instant wall() const = 0;
  [[nodiscard]] virtual BootInstant boot() const = 0;
  /// The kernel says that its wall clock follows a time server (adjtimex without STA_UNSYNC).
  [[nodiscard]] virtual bool synchronized() const = 0;
};

[[nodiscard]] constexpr Instant from_unix_ms(std::int64_t ms) {
  return Instant{std::chrono::milliseconds{ms}};
}

/// Whole milliseconds since 1970, rounded down, also before 1970.
[[nodiscard]] constexpr std::int64_t unix_ms(Instant instant) {
  return std::chrono::floor<std::chrono::milliseconds>(instant.time_since_epoch()).count();
}

/// Whole microseconds of a length that is not negative, rounded up: the wait after which it is over.
[[nodiscard]] constexpr std::uint64_t wait_us(Duration wait) {
  if (wait <= Duration::zero()) return 0;
  return static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::microseconds>(wait).count());
}

/// Text of an Instant as in RFC 3339, UTC, with three digits of a second, or seven if it has more.
/// A year above 9999 is written with all its digits. Never allocates.
class TimeText {
 public:
  constexpr explicit TimeText(Instant instant) {
    using namespace std::chrono;
    const auto day = floor<days>(instant.time_since_epoch());
    auto rest = instant.time_since_epoch() - day;
    const year_month_day date{sys_days{day}};
    put_year(static_cast<int>(date.year()));
    put('-');
    put_digits(static_cast<unsigned>(date.month()), 2);
    put('-');
    put_digits(static_cast<unsigned>(date.day()), 2);
    put('T');
    put_digits(static_cast<std::uint64_t>(floor<hours>(rest).count()), 2);
    put(':');
    put_digits(static_cast<std::uint64_t>(floor<minutes>(rest).count() % 60), 2);
    put(':');
    put_digits(static_cast<std::uint64_t>(floor<seconds>(rest).count() % 60), 2);
    put('.');
    const auto fraction = static_cast<std::uint64_t>((rest % seconds{1}).count());
    if (fraction % 10'000 == 0) {
      put_digits(fraction / 10'000, 3);
    } else {
      put_digits(fraction, 7);
    }
    put('Z');
  }

  [[nodiscard]] constexpr std::string_view view() const { return {text_.data(), size_}; }
  [[nodiscard]] constexpr operator std::string_view() const { return view(); }  // NOLINT: a text
  /// Ends with a zero. Lives as long as this object.
  [[nodiscard]] constexpr const char* c_str() const { return text_.data(); }

 private:
  constexpr void put(char c) { text_[size_++] = c; }
  constexpr void put_digits(std::uint64_t value, int width) {
    for (int i = width - 1; i >= 0; --i) {
      text_[size_ + static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 10);
      value /= 10;
    }
    size_ += static_cast<std::size_t>(width);
  }
  constexpr void put_year(int year) {
    if (year < 0) {
      put('-');
      year = -year;
    }
    put_digits(static_cast<std::uint64_t>(year), year > 9999 ? 5 : 4);
  }

  std::array<char, 32> text_{};
  std::size_t size_ = 0;
};

namespace time_text {

/// Reads exactly `digits` decimal digits at `at`.
constexpr Result<int> number(std::string_view text, std::size_t at, std::size_t digits) {
  int value = 0;
  for (std::size_t i = at; i < at + digits; ++i) {
    if (i >= text.size()) return fail(Error::at(Fault::wrong_length, text.size()));
    if (text[i] < '0' || text[i] > '9') return fail(Error::at(Fault::bad_character, i));
    value = value * 10 + (text[i] - '0');
  }
  return value;
}

constexpr Result<std::size_t> expect(std::string_view text, std::size_t at,
                                     std::string_view any_of) {
  if (at >= text.size()) return fail(Error::at(Fault::wrong_length, text.size()));
  if (any_of.find(text[at]) == std::string_view::npos) {
    return fail(Error::at(Fault::bad_character, at));
  }
  return at + 1;
}

}  // namespace time_text

/// Reads RFC 3339: `2026-12-01`, `2026-12-01T00:11:21Z`, with up to seven digits of a second and `Z` or
/// an offset `+01:00`. A date alone is midnight UTC. A year has four digits, or five from 10000 on, as
/// TimeText writes it. Errors: WrongLength, BadCharacter, NotCanonical (a five-digit year that begins with
/// 0), ValueOverflow (no such day, hour, minute or second), with position.
[[nodiscard]] constexpr Result<Instant> parse_time(std::string_view text) {
  using namespace std::chrono;
  const bool wide = text.size() > 5 && text[4] >= '0' && text[4] <= '9';
  const std::size_t year_end = wide ? 5 : 4;
  if (wide && text[0] == '0') return fail(Error::at(Fault::not_canonical, 0));
  MINTMARK_TRY(y, time_text::number(text, 0, year_end));
  MINTMARK_TRY(dash1, time_text::expect(text, year_end, "-"));
  MINTMARK_TRY(m, time_text::number(text, dash1, 2));
  MINTMARK_TRY(dash2, time_text::expect(text, dash1 + 2, "-"));
  MINTMARK_TRY(d, time_text::number(text, dash2, 2));
  constexpr int kLastYear = 31'196;  // the last whole one of an Instant
  if (y > kLastYear) return fail(Error::at(Fault::value_overflow, 0));
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)},
                            day{static_cast<unsigned>(d)}};
  if (!date.ok()) return fail(Error::at(Fault::value_overflow, dash1));
  Instant instant{sys_days{date}.time_since_epoch()};
  if (text.size() == dash2 + 2) return instant;

  MINTMARK_TRY(t, time_text::expect(text, dash2 + 2, "Tt "));
  MINTMARK_TRY(hour, time_text::number(text, t, 2));
  MINTMARK_TRY(colon1, time_text::expect(text, t + 2, ":"));
  MINTMARK_TRY(minute, time_text::number(text, colon1, 2));
  MINTMARK_TRY(colon2, time_text::expect(text, colon1 + 2, ":"));
  MINTMARK_TRY(second, time_text::number(text, colon2, 2));
  if (hour > 23) return fail(Error::at(Fault::value_overflow, t));
  if (minute > 59) return fail(Error::at(Fault::value_overflow, colon1));
  if (second > 59) return fail(Error::at(Fault::value_overflow, colon2));
  instant += hours{hour} + minutes{minute} + seconds{second};
  std::size_t at = colon2 + 2;
  if (at < text.size() && text[at] == '.') {
    std::int64_t unit = 1'000'000;
    const std::size_t first = ++at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      if (unit == 0) return fail(Error::at(Fault::wrong_length, at));
      instant += Duration{(text[at] - '0') * unit};
      unit /= 10;
      ++at;
    }
    if (at == first) return fail(Error::at(Fault::bad_character, at));
  }
  MINTMARK_TRY(zone, time_text::expect(text, at, "Zz+-"));
  if (text[at] == '+' || text[at] == '-') {
    MINTMARK_TRY(oh, time_text::number(text, zone, 2));
    MINTMARK_TRY(colon3, time_text::expect(text, zone + 2, ":"));
    MINTMARK_TRY(om, time_text::number(text, colon3, 2));
    if (oh > 23 || om > 59) return fail(Error::at(Fault::value_overflow, zone));
    const auto offset = hours{oh} + minutes{om};
    instant += text[at] == '-' ? Duration{offset} : Duration{-offset};
    zone += 5;
  }
  if (zone != text.size()) return fail(Error::at(Fault::wrong_length, zone));
  return instant;
}

}  // namespace mintmark
