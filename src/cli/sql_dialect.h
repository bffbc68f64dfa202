// Dialects of SQL: how each says the few things that reading and bounding IDs takes, as texts of expressions.
//
// Everything is exact: no time passes through a floating point number. A time is microseconds since the epoch
// of the scheme, as an integer of 64 bits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/sql_shape.h"

namespace mintmark::cli {

/// A piece of an ID written in hex digits: digits as they are, or a number in so many digits.
struct HexPiece {
  std::string literal;
  std::string value;
  unsigned digits = 0;
};

/// What the functions are called.
struct SqlNames {
  std::string prefix = "id";     ///< of the three functions
  std::string table = "things";  ///< in the example, and in SQLite's view
  std::string column = "id";
};

/// What a script says, expressions already in the dialect.
struct SqlScript {
  const IdShape& shape;
  const SqlNames& names;
  std::string valid;    ///< whether `id` is an ID of the scheme
  std::string elapsed;  ///< microseconds from the epoch to the time in `id`
  std::string least;  ///< the smallest ID of `us` microseconds since the epoch; empty without order
  std::string largest;
};

/// One of them. Immutable and thread-safe.
class SqlDialect {
 public:
  SqlDialect() = default;
  SqlDialect(const SqlDialect&) = delete;
  SqlDialect& operator=(const SqlDialect&) = delete;
  virtual ~SqlDialect() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual std::string_view title() const = 0;
  /// Whether it has a type for UUIDs that sorts them by their bytes.
  [[nodiscard]] virtual bool has_uuid() const = 0;
  /// Whether an integer column may hold 64 bits without a sign.
  [[nodiscard]] virtual bool has_unsigned() const { return false; }
  /// Why it cannot do a shape; empty if it can.
  [[nodiscard]] virtual std::string refusal(const IdShape&) const { return {}; }

  // Expressions.
  [[nodiscard]] virtual std::string id() const { return "id"; }
  [[nodiscard]] virtual std::string microseconds() const { return "us"; }
  /// A literal of 64 bits.
  [[nodiscard]] virtual std::string number(std::uint64_t value) const;
  /// Whole numbers from 0 on, rounded down.
  [[nodiscard]] virtual std::string divided(const std::string& a, std::uint64_t b) const;
  /// The bits of a number above the lowest ones, the sign repeated.
  [[nodiscard]] virtual std::string shifted(const std::string& a, unsigned bits) const;
  [[nodiscard]] virtual std::string concat(std::span<const std::string> pieces) const;
  [[nodiscard]] virtual std::string substring(const std::string& text, unsigned first,
                                              unsigned count) const;
  [[nodiscard]] virtual std::string upper(const std::string& text) const;
  /// All hex digits of the ID, without hyphens.
  [[nodiscard]] virtual std::string hex(const IdShape& shape) const = 0;
  /// The number that up to 15 hex digits spell.
  [[nodiscard]] virtual std::string number_of_hex(const std::string& digits,
                                                  unsigned count) const = 0;
  /// A number as so many hex digits.
  [[nodiscard]] virtual std::string hex_of_number(const std::string& value,
                                                  unsigned count) const = 0;
  /// The place of a character in an alphabet, from 0 on.
  [[nodiscard]] virtual std::string place(std::string_view alphabet,
                                          const std::string& character) const = 0;
  /// The character at that place.
  [[nodiscard]] virtual std::string character(std::string_view alphabet,
                                              const std::string& place) const = 0;
  /// Whether `id` is one of the scheme; what is none has no time.
  [[nodiscard]] virtual std::string valid(const IdShape& shape) const = 0;
  /// The ID of these hex digits.
  [[nodiscard]] virtual std::string id_of_hex(const IdShape& shape,
                                              std::span<const HexPiece> pieces) const = 0;
  /// The seconds in a text of base 62 above 128 bits, and the text of a number of seconds above 128 bits
  /// that are all zeros or all ones.
  [[nodiscard]] virtual std::string seconds_of_base62(const IdShape& shape) const = 0;
  enum class Below : std::uint8_t { zeros, ones };
  [[nodiscard]] virtual std::string base62_of_seconds(const IdShape& shape,
                                                      const std::string& value,
                                                      Below below) const = 0;

  /// The whole script.
  [[nodiscard]] virtual std::string write(const SqlScript& script) const = 0;

 protected:
  /// Text of pieces in hex digits, with the hyphens of a UUID where the shape has them.
  [[nodiscard]] std::string text_of_hex(const IdShape& shape,
                                        std::span<const HexPiece> pieces) const;
  /// What the example has to say of a column of text; empty for other forms.
  [[nodiscard]] static std::string text_remark(const IdShape& shape);
};

/// `'...'`, for texts without quotes in them.
[[nodiscard]] std::string sql_quoted(std::string_view text);
/// 2^bits in decimal, for up to 159 bits; and 62^power, for up to 26.
[[nodiscard]] std::string decimal_power_of_2(unsigned bits);
[[nodiscard]] std::string decimal_power_of_62(unsigned power);
/// The last microsecond of the year 9999 since the epoch of the shape, where an ID may carry a later one.
[[nodiscard]] std::optional<std::int64_t> us_until_year_10000(const IdShape& shape);
/// `1582-10-15 00:00:00.000000`.
[[nodiscard]] std::string sql_epoch(const IdShape& shape);

/// Every dialect.
[[nodiscard]] std::span<const SqlDialect* const> sql_dialects();

/// The functions, or what a dialect has in their place, for a shape.
[[nodiscard]] std::string sql_script(const SqlDialect& dialect, const IdShape& shape,
                                     const SqlNames& names);

// Defined in the file of each.
extern const SqlDialect& kPostgresql;
extern const SqlDialect& kMysql;
extern const SqlDialect& kMariadb;
extern const SqlDialect& kSqlite;
extern const SqlDialect& kSqlServer;

}  // namespace mintmark::cli
