// SQL Server, from version 2016 SP1 on: scalar functions.
//
// A uniqueidentifier is compared from its tenth byte on, so that no two of them bound a time: UUIDs are
// binary(16) here, which sorts. Times are datetime2, which knows no time zone: UTC. Written by Microsoft's
// reference of Transact-SQL; unlike the other dialects it is run by no test.
#include <vector>

#include <fmt/format.h>

#include "cli/sql_dialect.h"

namespace mintmark::cli {
namespace {

class SqlServer final : public SqlDialect {
 public:
  [[nodiscard]] std::string_view name() const override { return "sqlserver"; }
  [[nodiscard]] std::string_view title() const override { return "SQL Server 2016 SP1 and later"; }
  [[nodiscard]] bool has_uuid() const override { return false; }
  [[nodiscard]] std::string refusal(const IdShape& shape) const override {
    if (shape.kind == IdShape::Kind::base62)
      return "SQL Server has no integer that holds a ksuid: use --form bytes";
    return {};
  }

  [[nodiscard]] std::string id() const override { return "@id"; }
  [[nodiscard]] std::string microseconds() const override { return "@us"; }
  /// What exceeds 32 bits is a decimal, with which a quotient has a fraction.
  [[nodiscard]] std::string number(std::uint64_t value) const override {
    return value <= 2'147'483'647 ? fmt::format("{}", value)
                                  : fmt::format("CAST({} AS bigint)", value);
  }
  [[nodiscard]] std::string shifted(const std::string& a, unsigned bits) const override {
    return bits == 0 ? a : fmt::format("({} / {})", a, number(std::uint64_t{1} << bits));
  }
  [[nodiscard]] std::string concat(std::span<const std::string> pieces) const override {
    std::string all;
    for (const std::string& piece : pieces)
      all += fmt::format("{}{}", all.empty() ? "" : " + ", piece);
    return all;
  }
  [[nodiscard]] std::string substring(const std::string& text, unsigned first,
                                      unsigned count) const override {
    return fmt::format("SUBSTRING({}, {}, {})", text, first, count);
  }
  [[nodiscard]] std::string hex(const IdShape& shape) const override {
    if (shape.form == ColumnForm::bytes)
      return fmt::format("LOWER(CONVERT(char({}), @id, 2))", shape.characters);
    return "REPLACE(@id, '-', '')";
  }
  [[nodiscard]] std::string number_of_hex(const std::string& digits, unsigned) const override {
    return fmt::format("CAST(CONVERT(binary(8), RIGHT('0000000000000000' + {}, 16), 2) AS bigint)",
                       digits);
  }
  [[nodiscard]] std::string hex_of_number(const std::string& value, unsigned count) const override {
    return fmt::format(
        "RIGHT(LOWER(CONVERT(char(16), CAST(CAST({} AS bigint) AS binary(8)), 2)), {})", value,
        count);
  }
  [[nodiscard]] std::string place(std::string_view alphabet,
                                  const std::string& character) const override {
    return fmt::format("CAST(CHARINDEX({} COLLATE Latin1_General_100_BIN2, '{}') - 1 AS bigint)",
                       character, alphabet);
  }
  [[nodiscard]] std::string character(std::string_view alphabet,
                                      const std::string& place) const override {
    return fmt::format("SUBSTRING('{}', CAST(1 + {} AS int), 1)", alphabet, place);
  }

  [[nodiscard]] std::string valid(const IdShape& shape) const override {
    if (shape.form == ColumnForm::integer) return "@id >= 0";
    constexpr std::string_view kBinary = "COLLATE Latin1_General_100_BIN2";
    std::string valid = shape.form == ColumnForm::bytes
                            ? fmt::format("DATALENGTH(@id) = {}", shape.characters / 2)
                            : fmt::format("LEN(@id) = {}", shape.characters);
    if (shape.form == ColumnForm::text) {
      const std::string text = shape.kind == IdShape::Kind::hex ? hex(shape)
                               : shape.upper                    ? "UPPER(@id)"
                                                                : "@id";
      valid += fmt::format(" AND {} {} NOT LIKE '%[^{}]%'", text, kBinary,
                           shape.kind == IdShape::Kind::hex ? "0-9a-f" : shape.letters);
      if (shape.upper) valid += " AND @id < '8'";
      if (shape.spare_bits > 0) valid += " AND RIGHT(@id, 1) IN ('0', 'g')";
    }
    if (shape.version != 0)
      valid += fmt::format(
          " AND SUBSTRING({0}, 13, 1) = '{1}' AND SUBSTRING({0}, 17, 1) IN ('8', '9', 'a', 'b')",
          hex(shape), shape.version);
    return valid;
  }

  [[nodiscard]] std::string id_of_hex(const IdShape& shape,
                                      std::span<const HexPiece> pieces) const override {
    if (shape.form == ColumnForm::text) return text_of_hex(shape, pieces);
    IdShape plain = shape;
    plain.version = 0;  // no hyphens
    return fmt::format("CONVERT(binary({}), {}, 2)", shape.characters / 2,
                       text_of_hex(plain, pieces));
  }

  [[nodiscard]] std::string seconds_of_base62(const IdShape&) const override { return {}; }
  [[nodiscard]] std::string base62_of_seconds(const IdShape&, const std::string&,
                                              Below) const override {
    return {};
  }

  [[nodiscard]] std::string write(const SqlScript& script) const override {
    std::string later;
    if (const auto last = us_until_year_10000(script.shape))
      later = fmt::format("  IF @us > {} RETURN NULL;\n", *last);
    std::string out = fmt::format(
        "-- The time in a {0}, for {1}: UTC. What is no {0} has none: NULL.\n"
        "CREATE OR ALTER FUNCTION dbo.{2}_time(@id {3}) RETURNS datetime2(7) WITH SCHEMABINDING "
        "AS\n"
        "BEGIN\n"
        "  IF @id IS NULL OR NOT ({4}) RETURN NULL;\n"
        "  DECLARE @us bigint = {5};\n{7}"
        "  RETURN DATEADD(microsecond, CAST(@us % 1000000 AS int),\n"
        "    DATEADD(second, CAST(@us / 1000000 % 86400 AS int),\n"
        "      DATEADD(day, CAST(@us / CAST(86400000000 AS bigint) AS int), CAST('{6}' AS "
        "datetime2(7)))));\n"
        "END;\nGO\n",
        script.shape.scheme, title(), script.names.prefix, parameter_of(script.shape), script.valid,
        script.elapsed, sql_epoch(script.shape), later);
    if (!script.shape.sorts) return out;
    out += bound(script, "floor", "smallest", script.least);
    out += bound(script, "ceil", "largest", script.largest);
    return out +
           fmt::format(
               "\n-- The rows of a day, by the index of the key:\n{3}"
               "--   SELECT * FROM {0} WHERE {1} BETWEEN dbo.{2}_floor('2026-12-01')\n"
               "--                             AND dbo.{2}_ceil('2026-12-01 23:59:59.9999999');\n",
               script.names.table, script.names.column, script.names.prefix,
               text_remark(script.shape));
  }

 private:
  /// Longer than the ID: a value that does not fit would be filled up or cut.
  static std::string parameter_of(const IdShape& shape) {
    if (shape.form == ColumnForm::bytes) return "varbinary(64)";
    if (shape.form == ColumnForm::text) return "varchar(64)";
    return type_of(shape);
  }

  static std::string type_of(const IdShape& shape) {
    switch (shape.form) {
      case ColumnForm::uuid:
        return "uniqueidentifier";
      case ColumnForm::bytes:
        return fmt::format("binary({})", shape.characters / 2);
      case ColumnForm::text:
        return fmt::format("char({})", shape.characters);
      case ColumnForm::integer:
        return "bigint";
    }
    return {};
  }

  static std::string bound(const SqlScript& script, std::string_view function,
                           std::string_view which, const std::string& expression) {
    return fmt::format(
        "\n-- The {0} {1} of a time.\n"
        "CREATE OR ALTER FUNCTION dbo.{2}_{3}(@moment datetime2(7)) RETURNS {4} WITH SCHEMABINDING "
        "AS\n"
        "BEGIN\n"
        "  DECLARE @us bigint = DATEDIFF_BIG(microsecond, CAST('{5}' AS datetime2(7)), @moment);\n"
        "  IF @us NOT BETWEEN 0 AND {6} RETURN CAST(CAST('{1} has no such time' AS int) AS {4});\n"
        "  RETURN {7};\n"
        "END;\nGO\n",
        which, script.shape.scheme, script.names.prefix, function, type_of(script.shape),
        sql_epoch(script.shape), script.shape.last_us, expression);
  }
};

const SqlServer kDialect;

}  // namespace

const SqlDialect& kSqlServer = kDialect;

}  // namespace mintmark::cli
