// PostgreSQL, from version 14 on: functions in plain SQL, which anybody may create.
//
// All of them are IMMUTABLE, so that they may stand in an index, a generated column and a partition bound: no
// part of them looks at the session's time zone. The reader is no STRICT function: only so can it be inlined.
// A CASE cannot raise an error by itself; reading words as a number does.
#include <vector>

#include <fmt/format.h>

#include "cli/sql_dialect.h"

namespace mintmark::cli {
namespace {

std::string_view type_of(const IdShape& shape) {
  switch (shape.form) {
    case ColumnForm::uuid:
      return "uuid";
    case ColumnForm::bytes:
      return "bytea";
    case ColumnForm::text:
      return "text";
    case ColumnForm::integer:
      return "bigint";
  }
  return {};
}

class Postgresql final : public SqlDialect {
 public:
  [[nodiscard]] std::string_view name() const override { return "postgresql"; }
  [[nodiscard]] std::string_view title() const override { return "PostgreSQL 14 and later"; }
  [[nodiscard]] bool has_uuid() const override { return true; }

  [[nodiscard]] std::string hex(const IdShape& shape) const override {
    if (shape.form == ColumnForm::bytes) return "encode(id, 'hex')";
    return shape.form == ColumnForm::uuid ? "replace(id::text, '-', '')" : "replace(id, '-', '')";
  }
  [[nodiscard]] std::string number_of_hex(const std::string& digits, unsigned) const override {
    return fmt::format("('x' || lpad({}, 16, '0'))::bit(64)::bigint", digits);
  }
  [[nodiscard]] std::string hex_of_number(const std::string& value, unsigned count) const override {
    return fmt::format("lpad(to_hex({}), {}, '0')", value, count);
  }
  [[nodiscard]] std::string place(std::string_view alphabet,
                                  const std::string& character) const override {
    return fmt::format("(strpos('{}', {}) - 1)::bigint", alphabet, character);
  }
  [[nodiscard]] std::string character(std::string_view alphabet,
                                      const std::string& place) const override {
    return fmt::format("substr('{}', 1 + ({})::int, 1)", alphabet, place);
  }

  [[nodiscard]] std::string valid(const IdShape& shape) const override {
    if (shape.form == ColumnForm::integer) return shape.is_unsigned ? "id IS NOT NULL" : "id >= 0";
    if (shape.form == ColumnForm::bytes && shape.version == 0)
      return fmt::format("octet_length(id) = {}", shape.characters / 2);
    if (shape.version != 0) {
      const std::string_view text = shape.form == ColumnForm::uuid   ? "id::text"
                                    : shape.form == ColumnForm::text ? "id"
                                                                     : "encode(id, 'hex')";
      const std::string_view pattern =
          shape.form == ColumnForm::bytes
              ? "^[0-9a-f]{{12}}{}[0-9a-f]{{3}}[89ab][0-9a-f]{{15}}$"
              : "^[0-9a-f]{{8}}-[0-9a-f]{{4}}-{}[0-9a-f]{{3}}-[89ab][0-9a-f]{{3}}-[0-9a-f]{{12}}$";
      return fmt::format("{} ~ '{}'", text, fmt::format(fmt::runtime(pattern), shape.version));
    }
    if (shape.form == ColumnForm::uuid) return "id IS NOT NULL";
    if (shape.kind == IdShape::Kind::hex)
      return fmt::format("id ~ '^[0-9a-f]{{{}}}$'", shape.characters);
    std::string valid = fmt::format("{} ~ '^[{}]{{{}}}$'", shape.upper ? "upper(id)" : "id",
                                    shape.letters, shape.characters);
    return valid + bound_of_text(shape);
  }

  [[nodiscard]] std::string id_of_hex(const IdShape& shape,
                                      std::span<const HexPiece> pieces) const override {
    const std::string text = text_of_hex(shape, pieces);
    if (shape.form == ColumnForm::uuid) return fmt::format("({})::uuid", text);
    if (shape.form == ColumnForm::text) return text;
    IdShape plain = shape;
    plain.version = 0;  // no hyphens
    return fmt::format("decode({}, 'hex')", text_of_hex(plain, pieces));
  }

  [[nodiscard]] std::string seconds_of_base62(const IdShape& shape) const override {
    std::string sum;
    for (unsigned i = 0; i < shape.characters; ++i) {
      const unsigned power = shape.characters - 1 - i;
      sum += fmt::format("{}(strpos('{}', substr(id, {}, 1)) - 1)", sum.empty() ? "" : " + ",
                         shape.alphabet, i + 1);
      if (power > 0) sum += fmt::format(" * {}::numeric", decimal_power_of_62(power));
    }
    return fmt::format("div({}, {})::bigint", sum, decimal_power_of_2(128));
  }
  [[nodiscard]] std::string base62_of_seconds(const IdShape& shape, const std::string& value,
                                              Below below) const override {
    const std::string all =
        fmt::format("({}::numeric * {} + {})", value, decimal_power_of_2(128),
                    below == Below::zeros ? "0" : "340282366920938463463374607431768211455");
    std::vector<std::string> digits;
    for (unsigned i = 0; i < shape.characters; ++i) {
      digits.push_back(fmt::format("substr('{}', 1 + mod(div({}, {}), 62)::int, 1)", shape.alphabet,
                                   all, decimal_power_of_62(shape.characters - 1 - i)));
    }
    return concat(digits);
  }

  [[nodiscard]] std::string write(const SqlScript& script) const override {
    const std::string epoch = sql_epoch(script.shape);
    std::string out = fmt::format(
        "-- The time in a {0}, for {1}. What is no {0} has none: NULL.\n"
        "CREATE OR REPLACE FUNCTION {2}_time(id {3}) RETURNS timestamptz\n"
        "LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$\n"
        "  SELECT CASE WHEN {4} THEN\n"
        "    (timestamp '{5}'\n"
        "      + ({6} / 86400000000)::int * interval '1 day'\n"
        "      + ({6} % 86400000000) * interval '1 microsecond') AT TIME ZONE 'UTC'\n"
        "  END\n$$;\n",
        script.shape.scheme, title(), script.names.prefix, type_of(script.shape), script.valid,
        epoch, "(" + script.elapsed + ")");
    if (!script.shape.sorts) return out;
    out += bound(script, "floor", "smallest", script.least);
    out += bound(script, "ceil", "largest", script.largest);
    return out +
           fmt::format(
               "\n-- The rows of a day, by the index of the key:\n{3}"
               "--   SELECT * FROM {0} WHERE {1} BETWEEN {2}_floor('2026-12-01Z')\n"
               "--                             AND {2}_ceil('2026-12-01T23:59:59.999999Z');\n",
               script.names.table, script.names.column, script.names.prefix,
               text_remark(script.shape));
  }

 private:
  /// What a text of the right letters must not exceed; a comparison by bytes.
  static std::string bound_of_text(const IdShape& shape) {
    if (shape.kind == IdShape::Kind::base62)
      return " AND id COLLATE \"C\" <= 'aWgEPTl1tmebfsQzFP4bxwgy80V'";
    if (shape.upper) return " AND id COLLATE \"C\" < '8'";
    if (shape.spare_bits > 0) return " AND right(id, 1) IN ('0', 'g')";
    return {};
  }

  static std::string bound(const SqlScript& script, std::string_view function,
                           std::string_view which, const std::string& expression) {
    const std::string_view type = type_of(script.shape);
    const std::string error =
        fmt::format("('{} has no such time: ' || us)::int", script.shape.scheme);
    const std::string wrong = script.shape.form == ColumnForm::integer ? error + "::bigint"
                              : script.shape.form == ColumnForm::bytes
                                  ? fmt::format("decode({}::text, 'hex')", error)
                                  : fmt::format("{}::text::{}", error, type);
    return fmt::format(
        "\n-- The {} {} of a time.\n"
        "CREATE OR REPLACE FUNCTION {}_{}(moment timestamptz) RETURNS {}\n"
        "LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$\n"
        "  SELECT CASE WHEN us BETWEEN 0 AND {} THEN\n    {}\n"
        "  ELSE {} END\n"
        "  FROM (SELECT (extract(epoch FROM moment AT TIME ZONE 'UTC') * 1000000)::bigint - ({}) "
        "AS us) AS since\n$$;\n",
        which, script.shape.scheme, script.names.prefix, function, type, script.shape.last_us,
        expression, wrong, script.shape.epoch_us);
  }
};

const Postgresql kDialect;

}  // namespace

const SqlDialect& kPostgresql = kDialect;

}  // namespace mintmark::cli
