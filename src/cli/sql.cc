// sql: the time in an ID and the IDs of a time, as functions for a database.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/settings.h"
#include "cli/sql_dialect.h"
#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/json_text.h"

namespace mintmark::cli {
namespace {

constexpr std::array<std::string_view, 4> kForms{"uuid", "bytes", "text", "integer"};
constexpr std::size_t kMostName = 50;  // with what is put behind it, below the 63 of PostgreSQL

OrExit<const SqlDialect*> dialect_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const SqlDialect* dialect : sql_dialects()) {
    if (dialect->name() == (name == "postgres" ? "postgresql" : name)) return dialect;
    names.push_back(dialect->name());
  }
  return std::unexpected(usage_error(fmt::format(
      "there is no dialect {}; there are postgresql, mysql, mariadb, sqlite and sqlserver{}",
      shown(name), mint::did_you_mean(name, names))));
}

OrExit<std::optional<ColumnForm>> read_form(const Arguments& arguments) {
  const auto text = arguments.value("form");
  if (!text) return std::nullopt;
  const auto found = std::ranges::find(kForms, *text);
  if (found == kForms.end()) {
    return std::unexpected(
        usage_error(fmt::format("--form: {} is not uuid, bytes, text or integer{}", shown(*text),
                                mint::did_you_mean(*text, kForms))));
  }
  return static_cast<ColumnForm>(found - kForms.begin());
}

/// A name that every database takes without quotes.
bool is_plain(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && name.size() <= kMostName && is_letter(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

OrExit<SqlNames> read_names(const Arguments& arguments) {
  SqlNames names;
  for (const auto& [option, name] :
       {std::pair{"prefix", &names.prefix}, {"table", &names.table}, {"column", &names.column}}) {
    *name = arguments.value(option).value_or(*name);
    if (is_plain(*name)) continue;
    return std::unexpected(
        usage_error(fmt::format("--{}: {} is no name of small letters, digits and _, at most {}",
                                option, shown(*name), kMostName)));
  }
  return names;
}

int run(const Arguments& arguments) {
  const auto dialect = dialect_named(arguments.operands[0]);
  if (!dialect) return dialect.error();
  const auto form = read_form(arguments);
  if (!form) return form.error();
  const auto names = read_names(arguments);
  if (!names) return names.error();
  const auto shape = shape_of(arguments.operands[1], *form, (*dialect)->has_uuid());
  if (!shape) return usage_error(shape.error());
  if (const std::string refusal = (*dialect)->refusal(*shape); !refusal.empty())
    return usage_error(refusal);
  const std::string script = sql_script(**dialect, *shape, *names);
  if (!arguments.has("json")) return print(script, kDone);
  return print(
      fmt::format(
          "{{\"schema\":1,\"dialect\":\"{}\",\"scheme\":{},\"form\":\"{}\",\"sorts_by_time\":{},"
          "\"script\":{}}}\n",
          (*dialect)->name(), mint::json_text(shape->scheme),
          kForms[static_cast<std::size_t>(shape->form)], shape->sorts, mint::json_text(script)),
      kDone);
}

constexpr std::array kOptions{
    Option{"form", "f", "FORM", "what the column holds: uuid, bytes, text or integer"},
    Option{"prefix", "p", "NAME", "of the functions: NAME_time, NAME_floor, NAME_ceil; default id"},
    Option{"table", "", "NAME", "of the example, and of the view of SQLite; default things"},
    Option{"column", "", "NAME", "the same; default id"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark sql postgresql uuid7", "for a column of type uuid"},
    Example{"mintmark sql mysql ulid --form text --prefix ulid",
            "ulid_time() and so on, for CHAR(26)"},
    Example{"mintmark sql mariadb twitter", "for a BIGINT"},
    Example{"mintmark sql sqlite uuid7 --table orders | sqlite3 ids.sqlite",
            "a view: SQLite has no functions"},
    Example{"mintmark sql sqlserver 'time:41 worker:10 seq:12 epoch=2020-01-01'",
            "a layout of your own"},
};

}  // namespace

const Command kSql{
    .name = "sql",
    .summary = "writes functions for a database: the time in an ID, the IDs of a time",
    .operands = "postgresql|mysql|mariadb|sqlite|sqlserver SCHEME|LAYOUT",
    .fewest_operands = 2,
    .most_operands = 2,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "Schemes: uuid7 uuid6 uuid1 ulid objectid ksuid xid pushid tsid rowid, and every layout.\n"
        "A uuid1 does not sort by time: it has a time, but no floor and ceil. What a column holds "
        "by\n"
        "default: uuid where the database has that type, text for objectid, ksuid, xid and "
        "pushid.\n",
    .run = run,
};

}  // namespace mintmark::cli
