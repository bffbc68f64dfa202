#include "cli/sql_dialect.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mintmark/base/time.h"

namespace mintmark::cli {
namespace {

std::uint64_t power_of_2(unsigned bits) { return std::uint64_t{1} << bits; }

/// A product of decimal digits, the least significant first, and a small number.
void multiply(std::string& digits, unsigned factor) {
  unsigned carry = 0;
  for (char& digit : digits) {
    carry += static_cast<unsigned>(digit - '0') * factor;
    digit = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  for (; carry > 0; carry /= 10) digits += static_cast<char>('0' + carry % 10);
}

std::string decimal_power(unsigned base, unsigned power) {
  std::string digits = "1";
  for (unsigned i = 0; i < power; ++i) multiply(digits, base);
  return {digits.rbegin(), digits.rend()};
}

std::string joined(std::span<const std::string> terms) {
  std::string sum;
  for (const std::string& term : terms) sum += fmt::format("{}{}", sum.empty() ? "" : " + ", term);
  return terms.size() == 1 ? sum : fmt::format("({})", sum);
}

std::string times(const SqlDialect& dialect, const std::string& value, unsigned shift) {
  return shift == 0 ? value : fmt::format("{} * {}", value, dialect.number(power_of_2(shift)));
}

/// The tick in `id`.
std::string tick_of(const SqlDialect& dialect, const IdShape& shape) {
  std::vector<std::string> terms;
  switch (shape.kind) {
    case IdShape::Kind::hex:
      for (const HexRun& run : shape.runs) {
        const std::string digits = dialect.substring(dialect.hex(shape), run.first + 1, run.digits);
        terms.push_back(times(dialect, dialect.number_of_hex(digits, run.digits), run.shift));
      }
      return joined(terms);
    case IdShape::Kind::integer:
      return fmt::format("({} & {})", dialect.shifted(dialect.id(), shape.shift),
                         dialect.number(power_of_2(shape.width) - 1));
    case IdShape::Kind::digits: {
      const std::string text = shape.upper ? dialect.upper(dialect.id()) : dialect.id();
      for (unsigned i = 0; i < shape.time_digits; ++i) {
        const std::string place = dialect.place(shape.alphabet, dialect.substring(text, i + 1, 1));
        terms.push_back(times(dialect, place, shape.bits_per_digit * (shape.time_digits - 1 - i)));
      }
      const std::string sum = joined(terms);
      return shape.spare_bits == 0 ? sum : dialect.shifted(sum, shape.spare_bits);
    }
    case IdShape::Kind::base62:
      return dialect.seconds_of_base62(shape);
  }
  return {};
}

/// The ID whose time is `us`: the digits of the bound, with those of the time put in their places.
std::string id_by_hex(const SqlDialect& dialect, const IdShape& shape, const std::string& tick,
                      const std::string& bound) {
  unsigned bits = 0;
  for (const HexRun& run : shape.runs) bits = std::max(bits, run.shift + run.digits * 4);
  std::vector<HexPiece> pieces;
  unsigned at = 0;
  for (const HexRun& run : shape.runs) {
    if (run.first > at) pieces.push_back({bound.substr(at, run.first - at), {}, 0});
    std::string value = run.shift == 0 ? tick : dialect.shifted(tick, run.shift);
    if (run.shift + run.digits * 4 < bits)
      value = fmt::format("({} % {})", value, dialect.number(power_of_2(run.digits * 4)));
    pieces.push_back({{}, value, run.digits});
    at = run.first + run.digits;
  }
  pieces.push_back({bound.substr(at), {}, 0});
  return dialect.id_of_hex(shape, pieces);
}

std::string id_by_digits(const SqlDialect& dialect, const IdShape& shape, const std::string& tick,
                         const std::string& bound) {
  // The bits below the tick that its last digit has are those of the bound, which is of tick 0.
  const auto spare = shape.alphabet.find(bound[shape.time_digits - 1]);
  std::string value = tick;
  if (shape.spare_bits > 0)
    value = fmt::format("({} + {})", times(dialect, tick, shape.spare_bits), spare);
  std::vector<std::string> pieces;
  for (unsigned i = 0; i < shape.time_digits; ++i) {
    const unsigned shift = shape.bits_per_digit * (shape.time_digits - 1 - i);
    const std::string shifted = shift == 0 ? value : dialect.shifted(value, shift);
    pieces.push_back(dialect.character(
        shape.alphabet,
        fmt::format("{} % {}", shifted, dialect.number(power_of_2(shape.bits_per_digit)))));
  }
  pieces.push_back(sql_quoted(bound.substr(shape.time_digits)));
  return dialect.concat(pieces);
}

enum class End : std::uint8_t { least, largest };

/// The smallest or the largest ID of `us`.
std::string id_of(const SqlDialect& dialect, const IdShape& shape, End end) {
  const std::string us = dialect.microseconds();
  const std::string& bound = end == End::least ? shape.least : shape.largest;
  std::string tick = us;
  if (shape.tick_us > 1) tick = dialect.divided(us, static_cast<std::uint64_t>(shape.tick_us));
  if (shape.tick_us == 0) tick = fmt::format("({} * 10 + {})", us, end == End::least ? 0 : 9);
  switch (shape.kind) {
    case IdShape::Kind::hex:
      return id_by_hex(dialect, shape, tick, bound);
    case IdShape::Kind::integer:
      return fmt::format("{} + {}", times(dialect, tick, shape.shift), bound);
    case IdShape::Kind::digits:
      return id_by_digits(dialect, shape, tick, bound);
    case IdShape::Kind::base62:
      return dialect.base62_of_seconds(
          shape, tick, end == End::least ? SqlDialect::Below::zeros : SqlDialect::Below::ones);
  }
  return {};
}

}  // namespace

std::string SqlDialect::number(std::uint64_t value) const { return fmt::format("{}", value); }

std::string SqlDialect::divided(const std::string& a, std::uint64_t b) const {
  return fmt::format("({} / {})", a, number(b));
}

std::string SqlDialect::shifted(const std::string& a, unsigned bits) const {
  return fmt::format("({} >> {})", a, bits);
}

std::string SqlDialect::concat(std::span<const std::string> pieces) const {
  std::string all;
  for (const std::string& piece : pieces)
    all += fmt::format("{}{}", all.empty() ? "" : " || ", piece);
  return all;
}

std::string SqlDialect::substring(const std::string& text, unsigned first, unsigned count) const {
  return fmt::format("substr({}, {}, {})", text, first, count);
}

std::string SqlDialect::upper(const std::string& text) const {
  return fmt::format("upper({})", text);
}

std::string SqlDialect::text_of_hex(const IdShape& shape, std::span<const HexPiece> pieces) const {
  // RFC 9562 section 4: hyphens behind digits 8, 12, 16 and 20. A number that crosses one is cut there.
  constexpr std::array kHyphens{8U, 12U, 16U, 20U};
  const auto is_hyphen = [&shape, &kHyphens](unsigned at) {
    return shape.version != 0 && std::ranges::find(kHyphens, at) != kHyphens.end();
  };
  std::vector<std::string> texts;
  std::string literal;
  unsigned at = 0;
  const auto flush = [&] {
    if (!literal.empty()) texts.push_back(sql_quoted(literal));
    literal.clear();
  };
  for (const HexPiece& piece : pieces) {
    for (const char digit : piece.literal) {
      if (is_hyphen(at)) literal += '-';
      literal += digit;
      ++at;
    }
    if (piece.digits == 0) continue;
    std::string digits = hex_of_number(piece.value, piece.digits);
    for (unsigned done = 0; done < piece.digits;) {
      if (is_hyphen(at)) literal += '-';
      flush();
      unsigned end = done + 1;
      while (end < piece.digits && !is_hyphen(at + end - done)) ++end;
      const bool whole = done == 0 && end == piece.digits;
      texts.push_back(whole ? digits : substring(digits, done + 1, end - done));
      at += end - done;
      done = end;
    }
  }
  flush();
  return concat(texts);
}

std::string SqlDialect::text_remark(const IdShape& shape) {
  if (shape.form != ColumnForm::text) return {};
  return "-- A column of text has to compare bytes, or its IDs do not lie in the order of their "
         "times.\n";
}

std::string sql_quoted(std::string_view text) { return fmt::format("'{}'", text); }

std::string decimal_power_of_2(unsigned bits) { return decimal_power(2, bits); }

std::string decimal_power_of_62(unsigned power) { return decimal_power(62, power); }

std::optional<std::int64_t> us_until_year_10000(const IdShape& shape) {
  const Instant last = *parse_time("9999-12-31T23:59:59.999999Z");
  const std::int64_t us = last.time_since_epoch().count() / 10 - shape.epoch_us;
  return us < shape.last_us ? std::optional{us} : std::nullopt;
}

std::string sql_epoch(const IdShape& shape) {
  const Instant epoch{std::chrono::microseconds{shape.epoch_us}};
  const auto second = std::chrono::floor<std::chrono::seconds>(epoch);
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(epoch - second).count();
  const std::string text{TimeText{second}.view()};  // 1582-10-15T00:00:00.000Z
  return fmt::format("{} {}.{:06}", text.substr(0, 10), text.substr(11, 8), us);
}

std::span<const SqlDialect* const> sql_dialects() {
  static const std::array<const SqlDialect*, 5> kAll{&kPostgresql, &kMysql, &kMariadb, &kSqlite,
                                                     &kSqlServer};
  return kAll;
}

std::string sql_script(const SqlDialect& dialect, const IdShape& whole, const SqlNames& names) {
  IdShape shape = whole;
  // In a signed column the upper half of an unsigned layout would sort below the lower one: refused there.
  if (shape.is_unsigned && !dialect.has_unsigned())
    shape.last_us = (std::int64_t{1} << (63 - shape.shift)) * shape.tick_us - 1;
  SqlScript script{.shape = shape,
                   .names = names,
                   .valid = dialect.valid(shape),
                   .elapsed = {},
                   .least = {},
                   .largest = {}};
  const std::string tick = tick_of(dialect, shape);
  script.elapsed = shape.tick_us == 0   ? dialect.divided(tick, 10)
                   : shape.tick_us == 1 ? tick
                                        : fmt::format("{} * {}", tick, shape.tick_us);
  if (shape.sorts) {
    script.least = id_of(dialect, shape, End::least);
    script.largest = id_of(dialect, shape, End::largest);
  }
  return dialect.write(script);
}

}  // namespace mintmark::cli
