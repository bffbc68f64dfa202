// Quantities as people write them: whole numbers `1.5G`, `2^53`, `1e12`; rates `200/s`, `1k/h`; lengths of
// time `90d`, `10y`; and the way back, in words.
//
// Why not double for whole numbers: a column of 64 bits is judged to the last value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mintmark/base/bytes.h"
#include "mintmark/base/time.h"

namespace mintmark::cli {

/// The mean year of the Gregorian calendar, in seconds.
inline constexpr double kYearSeconds = 365.2425 * 86'400;

/// A whole number from 0 to 2^127: digits, with a fraction if k, M, G or T or an exponent makes the whole
/// of it an integer; or 2^N. Nothing for everything else, such as a sign, or 1.5.
[[nodiscard]] std::optional<U128> parse_whole(std::string_view text);

/// How many a second: NUMBER, or NUMBER/UNIT with a unit of us, ms, s, min, h, d, w, month or y. Above
/// zero; the number may have a fraction, k, M, G or T, or an exponent.
[[nodiscard]] std::optional<double> parse_rate(std::string_view text);

/// Seconds of a length above zero: NUMBER and a unit as above.
[[nodiscard]] std::optional<double> parse_length(std::string_view text);

/// Decimal digits.
[[nodiscard]] std::string digits_of(U128 value);

/// A whole number that may be an estimate: all its digits below 10^12, four and an exponent above.
[[nodiscard]] std::string count_words(double value);

/// Four digits, without an exponent where a person would write none.
[[nodiscard]] std::string number_words(double value);

/// `1.5 MB`: three digits, in thousands.
[[nodiscard]] std::string bytes_words(double bytes);

/// A length of time in the unit that suits it.
[[nodiscard]] std::string length_words(double seconds);

/// `200/s`, `41.7/h`: in the smallest unit in which the number is 1 or more.
[[nodiscard]] std::string rate_words(double per_second);

/// The instant so many whole seconds after another, or nothing if no Instant is that late.
[[nodiscard]] std::optional<Instant> later(Instant from, double seconds);

}  // namespace mintmark::cli
