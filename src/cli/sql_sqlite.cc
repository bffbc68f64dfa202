// SQLite: it keeps no functions, so that there are a view with the time of each row, and a query of the two
// bounds with a parameter. Both are plain expressions, and can be copied to where they are needed.
//
// A time is a text, `2026-12-01 08:30:00.123456` in UTC, with up to six digits of a second. Reading words as
// a path of JSON is the one way in which an expression can raise an error that says something.
#include <vector>

#include <fmt/format.h>

#include "cli/sql_dialect.h"

namespace mintmark::cli {
namespace {

constexpr std::uint64_t kMask32 = 0xffff'ffff;

class Sqlite final : public SqlDialect {
 public:
  [[nodiscard]] std::string_view name() const override { return "sqlite"; }
  [[nodiscard]] std::string_view title() const override { return "SQLite 3.38 and later"; }
  [[nodiscard]] bool has_uuid() const override { return false; }

  [[nodiscard]] std::string hex(const IdShape& shape) const override {
    return shape.form == ColumnForm::bytes ? "lower(hex(id))" : "replace(id, '-', '')";
  }
  [[nodiscard]] std::string number_of_hex(const std::string& digits,
                                          unsigned count) const override {
    std::string sum;
    for (unsigned i = 0; i < count; ++i) {
      sum += fmt::format("{}{} * {}", sum.empty() ? "" : " + ",
                         place("0123456789abcdef", substring(digits, i + 1, 1)),
                         std::uint64_t{1} << 4 * (count - 1 - i));
    }
    return fmt::format("({})", sum);
  }
  [[nodiscard]] std::string hex_of_number(const std::string& value, unsigned count) const override {
    return fmt::format("printf('%0{}x', {})", count, value);
  }
  [[nodiscard]] std::string place(std::string_view alphabet,
                                  const std::string& character) const override {
    return fmt::format("(instr('{}', {}) - 1)", alphabet, character);
  }
  [[nodiscard]] std::string character(std::string_view alphabet,
                                      const std::string& place) const override {
    return fmt::format("substr('{}', 1 + {}, 1)", alphabet, place);
  }

  [[nodiscard]] std::string valid(const IdShape& shape) const override {
    if (shape.form == ColumnForm::integer) return shape.is_unsigned ? "id IS NOT NULL" : "id >= 0";
    std::string valid =
        shape.form == ColumnForm::bytes
            ? fmt::format("typeof(id) = 'blob' AND length(id) = {}", shape.characters / 2)
            : fmt::format("length(id) = {}", shape.characters);
    if (shape.kind == IdShape::Kind::hex && shape.form == ColumnForm::text)
      valid += fmt::format(" AND {0} NOT GLOB '*[^0-9a-f]*' AND length({0}) = {1}", hex(shape),
                           shape.version == 0 ? shape.characters : 32);
    if (shape.kind != IdShape::Kind::hex)
      valid += fmt::format(" AND {} NOT GLOB '*[^{}]*'", shape.upper ? "upper(id)" : "id",
                           shape.letters);
    if (shape.kind == IdShape::Kind::base62) valid += " AND id <= 'aWgEPTl1tmebfsQzFP4bxwgy80V'";
    if (shape.kind == IdShape::Kind::digits && shape.upper) valid += " AND id < '8'";
    if (shape.kind == IdShape::Kind::digits && shape.spare_bits > 0)
      valid += " AND substr(id, -1) IN ('0', 'g')";
    if (shape.version != 0)
      valid += fmt::format(
          " AND substr({0}, 13, 1) = '{1}' AND substr({0}, 17, 1) IN ('8', '9', 'a', 'b')",
          hex(shape), shape.version);
    return valid;
  }

  [[nodiscard]] std::string id_of_hex(const IdShape& shape,
                                      std::span<const HexPiece> pieces) const override {
    return shape.form == ColumnForm::text ? text_of_hex(shape, pieces) : blob_of_hex(pieces);
  }

  // No integer of SQLite has 160 bits: five of 32 bits, multiplied and divided as on paper.
  [[nodiscard]] std::string seconds_of_base62(const IdShape& shape) const override {
    std::string step = fmt::format("(instr('{}', substr(id, n + 1, 1)) - 1)", shape.alphabet);
    std::string columns;
    for (int limb = 4; limb >= 0; --limb) {
      // What is carried into a limb is what the ones below it give.
      const std::string product = fmt::format("(x{} * 62 + {})", limb, step);
      columns = fmt::format(", {} & {}{}", product, kMask32, columns);
      step = fmt::format("({} >> 32)", product);
    }
    return fmt::format(
        "(WITH RECURSIVE number(n, x0, x1, x2, x3, x4) AS (VALUES (0, 0, 0, 0, 0, 0)\n"
        "      UNION ALL SELECT n + 1{} FROM number WHERE n < {})\n"
        "    SELECT x0 FROM number WHERE n = {})",
        columns, shape.characters, shape.characters);
  }
  [[nodiscard]] std::string base62_of_seconds(const IdShape& shape, const std::string& value,
                                              Below below) const override {
    std::string columns;
    std::string rest = "0";
    for (int limb = 0; limb < 5; ++limb) {
      const std::string part = fmt::format("({} * {} + x{})", rest, kMask32 + 1, limb);
      columns += fmt::format(", {} / 62", part);
      rest = fmt::format("({} % 62)", part);
    }
    const std::uint64_t low = below == Below::zeros ? 0 : kMask32;
    return fmt::format(
        "(WITH RECURSIVE number(n, text, x0, x1, x2, x3, x4) AS (\n"
        "        VALUES (0, '', {0}, {1}, {1}, {1}, {1})\n"
        "        UNION ALL SELECT n + 1, substr('{2}', 1 + {3}, 1) || text{4} FROM number WHERE n "
        "< {5})\n"
        "      SELECT text FROM number WHERE n = {5})",
        value, low, shape.alphabet, rest, columns, shape.characters);
  }

  [[nodiscard]] std::string write(const SqlScript& script) const override {
    const std::int64_t epoch = script.shape.epoch_us;
    // The second and the part of a second that the epoch stands at: the part is never negative.
    const std::int64_t part = (epoch % 1'000'000 + 1'000'000) % 1'000'000;
    const std::int64_t second = (epoch - part) / 1'000'000;
    std::string out = fmt::format(
        "-- The time in a {0}, for {1}: UTC. What is no {0} has none: NULL.\n"
        "CREATE VIEW IF NOT EXISTS {2}_{3}_time AS\n"
        "  SELECT id, strftime('%Y-%m-%d %H:%M:%S', {4} + us / 1000000, 'unixepoch')\n"
        "    || printf('.%06d', us % 1000000) AS {3}_time\n"
        "  FROM (SELECT id, CASE WHEN {5} THEN\n    {6} + {7}\n  END AS us\n"
        "  FROM (SELECT {8} AS id FROM {2}));\n",
        script.shape.scheme, title(), script.names.table, script.names.prefix, second, script.valid,
        script.elapsed, part, script.names.column);
    if (!script.shape.sorts) return out;
    return out + fmt::format(
                     "\n-- The smallest and the largest {0} of the time :time, to be bound, for "
                     "example to\n"
                     "-- '2026-12-01 08:30:00.123'.\n"
                     "SELECT CASE WHEN us BETWEEN 0 AND {1} THEN {2}\n"
                     "  ELSE json_extract('{{}}', '{0} has no such time') END AS {3}_floor,\n"
                     "  CASE WHEN us BETWEEN 0 AND {1} THEN {4}\n"
                     "  ELSE json_extract('{{}}', '{0} has no such time') END AS {3}_ceil\n"
                     "FROM (SELECT CAST(strftime('%s', substr(:time, 1, 19)) AS INTEGER) * 1000000 "
                     "- ({5})\n"
                     "  + CAST(substr(substr(rtrim(:time, 'Z'), 21) || '000000', 1, 6) AS INTEGER) "
                     "AS us)\n"
                     "WHERE us IS NOT NULL;\n",
                     script.shape.scheme, script.shape.last_us, script.least, script.names.prefix,
                     script.largest, epoch);
  }

 private:
  /// There is no unhex before SQLite 3.41: bytes are cut out of a blob that has every byte.
  static std::string blob_of_hex(std::span<const HexPiece> pieces) {
    std::string joined;
    const auto put = [&joined](const std::string& piece) {
      joined += fmt::format("{}{}", joined.empty() ? "" : " || ", piece);
    };
    std::string half;  // a digit that waits for the other half of its byte
    for (const HexPiece& piece : pieces) {
      if (piece.digits == 0) {
        const std::string digits = half + piece.literal;
        half = digits.substr(digits.size() - digits.size() % 2);
        if (digits.size() > 1)
          put(fmt::format("x'{}'", digits.substr(0, digits.size() - half.size())));
        continue;
      }
      std::string value = piece.value;
      unsigned digits = piece.digits;
      if (!half.empty()) {
        const std::uint64_t front = std::stoull(half, nullptr, 16) << 4 * piece.digits;
        value = fmt::format("({} + {})", front, value);
        ++digits;
        half.clear();
      }
      for (unsigned byte = digits / 2; byte-- > 0;)
        put(fmt::format("substr(bytes, 1 + ({} >> {} & 255), 1)", value, 8 * byte));
    }
    std::string all;
    for (unsigned byte = 0; byte < 256; ++byte) all += fmt::format("{:02x}", byte);
    return fmt::format("(SELECT CAST({} AS BLOB)\n    FROM (SELECT x'{}' AS bytes))", joined, all);
  }
};

const Sqlite kDialect;

}  // namespace

const SqlDialect& kSqlite = kDialect;

}  // namespace mintmark::cli
