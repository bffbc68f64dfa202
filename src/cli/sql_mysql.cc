// MySQL and MariaDB: stored functions. They differ in the type UUID, which only MariaDB has.
//
// Times are DATETIME, which knows no time zone: they are UTC. It ends with the year 9999; a later time is
// NULL. The script is for the client programs of both, which need DELIMITER around a function of several
// statements.
#include <vector>

#include <fmt/format.h>

#include "cli/sql_dialect.h"

namespace mintmark::cli {
namespace {

class MysqlFamily : public SqlDialect {
 public:
  [[nodiscard]] bool has_unsigned() const override { return true; }

  [[nodiscard]] std::string divided(const std::string& a, std::uint64_t b) const override {
    return fmt::format("({} DIV {})", a, b);
  }
  [[nodiscard]] std::string concat(std::span<const std::string> pieces) const override {
    std::string all;
    for (const std::string& piece : pieces)
      all += fmt::format("{}{}", all.empty() ? "" : ", ", piece);
    return fmt::format("CONCAT({})", all);
  }
  [[nodiscard]] std::string hex(const IdShape& shape) const override {
    if (shape.form == ColumnForm::bytes) return "HEX(id)";
    return shape.form == ColumnForm::uuid ? "REPLACE(CAST(id AS CHAR(36)), '-', '')"
                                          : "REPLACE(id, '-', '')";
  }
  [[nodiscard]] std::string number_of_hex(const std::string& digits, unsigned) const override {
    return fmt::format("CAST(CONV({}, 16, 10) AS SIGNED)", digits);
  }
  [[nodiscard]] std::string hex_of_number(const std::string& value, unsigned count) const override {
    return fmt::format("LPAD(LOWER(HEX({})), {}, '0')", value, count);
  }
  [[nodiscard]] std::string place(std::string_view alphabet,
                                  const std::string& character) const override {
    return fmt::format("(LOCATE({}, '{}') - 1)", character, alphabet);
  }
  [[nodiscard]] std::string character(std::string_view alphabet,
                                      const std::string& place) const override {
    return fmt::format("SUBSTR('{}', 1 + {}, 1)", alphabet, place);
  }

  [[nodiscard]] std::string valid(const IdShape& shape) const override {
    if (shape.form == ColumnForm::integer) return shape.is_unsigned ? "id IS NOT NULL" : "id >= 0";
    if (shape.version != 0) {
      const std::string digits = hex(shape);
      const std::string length =
          shape.form == ColumnForm::text
              ? "id REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' AND "
              : "";
      return fmt::format("{}SUBSTR({}, 13, 1) = '{}' AND SUBSTR({}, 17, 1) IN ('8', '9', 'a', 'b')",
                         length, digits, shape.version, digits);
    }
    if (shape.form == ColumnForm::bytes)
      return fmt::format("LENGTH(id) = {}", shape.characters / 2);
    if (shape.kind == IdShape::Kind::hex)
      return fmt::format("id REGEXP '^[0-9a-f]{{{}}}$'", shape.characters);
    const std::string text = shape.upper ? "UPPER(id)" : "id";
    std::string valid =
        fmt::format("{} REGEXP '^[{}]{{{}}}$'", text, shape.letters, shape.characters);
    if (shape.kind == IdShape::Kind::base62) valid += " AND id <= 'aWgEPTl1tmebfsQzFP4bxwgy80V'";
    if (shape.upper) valid += " AND id < '8'";
    if (shape.spare_bits > 0) valid += " AND RIGHT(id, 1) IN ('0', 'g')";
    return valid;
  }

  [[nodiscard]] std::string id_of_hex(const IdShape& shape,
                                      std::span<const HexPiece> pieces) const override {
    if (shape.form != ColumnForm::bytes) return text_of_hex(shape, pieces);
    IdShape plain = shape;
    plain.version = 0;  // no hyphens
    return fmt::format("UNHEX({})", text_of_hex(plain, pieces));
  }

  // A quotient of decimals is rounded: what is divided has to be a multiple.
  [[nodiscard]] std::string seconds_of_base62(const IdShape& shape) const override {
    std::string sum;
    for (unsigned i = 0; i < shape.characters; ++i) {
      const unsigned power = shape.characters - 1 - i;
      sum += fmt::format("{}(LOCATE(SUBSTR(id, {}, 1), '{}') - 1)", sum.empty() ? "" : " + ", i + 1,
                         shape.alphabet);
      if (power > 0) sum += fmt::format(" * {}.", decimal_power_of_62(power));
    }
    const std::string two = decimal_power_of_2(128);
    return fmt::format("CAST((({0}) - MOD({0}, {1}.)) / {1}. AS SIGNED)", sum, two);
  }
  [[nodiscard]] std::string base62_of_seconds(const IdShape& shape, const std::string& value,
                                              Below below) const override {
    const std::string all =
        fmt::format("(CAST({} AS DECIMAL(20)) * {}. + {})", value, decimal_power_of_2(128),
                    below == Below::zeros ? "0" : "340282366920938463463374607431768211455.");
    std::vector<std::string> digits;
    for (unsigned i = 0; i < shape.characters; ++i) {
      const std::string power = decimal_power_of_62(shape.characters - 1 - i);
      digits.push_back(fmt::format("SUBSTR('{0}', 1 + MOD(({1} - MOD({1}, {2}.)) / {2}., 62), 1)",
                                   shape.alphabet, all, power));
    }
    return concat(digits);
  }

  [[nodiscard]] std::string write(const SqlScript& script) const override {
    std::string out = fmt::format(
        "-- The time in a {0}, for {1}: UTC. What is no {0} has none: NULL.\n"
        "DROP FUNCTION IF EXISTS {2}_time;\n"
        "CREATE FUNCTION {2}_time(id {3}) RETURNS DATETIME(6) DETERMINISTIC NO SQL\n"
        "RETURN IF({4},\n"
        "  TIMESTAMPADD(MICROSECOND, ({5}) % 86400000000,\n"
        "    TIMESTAMPADD(DAY, ({5}) DIV 86400000000, TIMESTAMP '{6}')), NULL);\n",
        script.shape.scheme, title(), script.names.prefix, parameter_of(script.shape),
        has_time(script), script.elapsed, sql_epoch(script.shape));
    if (!script.shape.sorts) return out;
    out += "\nDELIMITER //\n";
    out += bound(script, "floor", "smallest", script.least);
    out += bound(script, "ceil", "largest", script.largest);
    return out + fmt::format(
                     "DELIMITER ;\n"
                     "\n-- The rows of a day, by the index of the key:\n{3}"
                     "--   SELECT * FROM {0} WHERE {1} BETWEEN {2}_floor('2026-12-01')\n"
                     "--                             AND {2}_ceil('2026-12-01 23:59:59.999999');\n",
                     script.names.table, script.names.column, script.names.prefix,
                     text_remark(script.shape));
  }

 private:
  static std::string has_time(const SqlScript& script) {
    const auto last = us_until_year_10000(script.shape);
    return last ? fmt::format("{} AND {} <= {}", script.valid, script.elapsed, *last)
                : script.valid;
  }

  /// Longer than the ID: a value that does not fit would be filled up or cut.
  static std::string parameter_of(const IdShape& shape) {
    if (shape.form == ColumnForm::bytes) return "VARBINARY(64)";
    if (shape.form == ColumnForm::text) return "VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin";
    return type_of(shape);
  }

  static std::string type_of(const IdShape& shape) {
    switch (shape.form) {
      case ColumnForm::uuid:
        return "UUID";
      case ColumnForm::bytes:
        return fmt::format("BINARY({})", shape.characters / 2);
      case ColumnForm::text:
        return fmt::format("CHAR({}) CHARACTER SET ascii COLLATE ascii_bin", shape.characters);
      case ColumnForm::integer:
        return shape.is_unsigned ? "BIGINT UNSIGNED" : "BIGINT";
    }
    return {};
  }

  static std::string bound(const SqlScript& script, std::string_view function,
                           std::string_view which, const std::string& expression) {
    return fmt::format(
        "-- The {0} {1} of a time.\n"
        "DROP FUNCTION IF EXISTS {2}_{3} //\n"
        "CREATE FUNCTION {2}_{3}(moment DATETIME(6)) RETURNS {4} DETERMINISTIC NO SQL\n"
        "BEGIN\n"
        "  DECLARE since BIGINT DEFAULT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '{5}', moment);\n"
        "  DECLARE us BIGINT UNSIGNED;\n"
        "  IF since NOT BETWEEN 0 AND {6} THEN\n"
        "    SIGNAL SQLSTATE '22003' SET MESSAGE_TEXT = '{1} has no such time';\n"
        "  END IF;\n"
        "  SET us = since;\n"
        "  RETURN {7};\n"
        "END //\n",
        which, script.shape.scheme, script.names.prefix, function, type_of(script.shape),
        sql_epoch(script.shape), script.shape.last_us, expression);
  }
};

class Mysql final : public MysqlFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "mysql"; }
  [[nodiscard]] std::string_view title() const override { return "MySQL 8"; }
  [[nodiscard]] bool has_uuid() const override { return false; }
};

class Mariadb final : public MysqlFamily {
 public:
  [[nodiscard]] std::string_view name() const override { return "mariadb"; }
  [[nodiscard]] std::string_view title() const override { return "MariaDB 10.11 and later"; }
  [[nodiscard]] bool has_uuid() const override { return true; }
  [[nodiscard]] std::string refusal(const IdShape& shape) const override {
    if (shape.form == ColumnForm::uuid && shape.version == 0)
      return "the type UUID of MariaDB turns around what is of no version above 5: use --form "
             "bytes";
    return {};
  }
};

const Mysql kMysqlDialect;
const Mariadb kMariadbDialect;

}  // namespace

const SqlDialect& kMysql = kMysqlDialect;
const SqlDialect& kMariadb = kMariadbDialect;

}  // namespace mintmark::cli
