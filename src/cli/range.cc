// range: the smallest and the largest ID of a time span, so that the key answers what a created_at column and
// its index would; and the page that follows an ID.
#include <array>
#include <optional>

#include <fmt/format.h>

#include "cli/amounts.h"
#include "cli/command.h"
#include "cli/moments.h"
#include "cli/schemes.h"
#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/json_text.h"
#include "mint/recognize.h"

namespace mintmark::cli {
namespace {

/// How an ID stands in a statement.
enum class Literal : std::uint8_t { by_scheme, hexadecimal };

std::string literal(const CatalogueRow& row, const CatalogueId& id, Literal form) {
  if (form == Literal::hexadecimal) {
    std::string text = "X'";
    for (const std::byte octet : id.bytes())
      text += fmt::format("{:02x}", static_cast<unsigned>(octet));
    return text + "'";
  }
  return row.spelling == Spelling::decimal ? std::string{id.text()}
                                           : fmt::format("'{}'", id.text());
}

/// A column, or several words that the caller means: `t.id`, `"order id"`.
bool is_column(std::string_view text) {
  return !text.empty() && text.find_first_of(std::string_view{"\n\r;\\\0", 5}) == text.npos;
}

struct Span {
  Instant from;
  Instant to;  ///< the first instant that is not in it
};

OrExit<Instant> moment_option(const Arguments& arguments, std::string_view name, Instant now) {
  const auto moment = parse_moment(*arguments.value(name), now);
  if (!moment) return std::unexpected(usage_error(fmt::format("--{}: {}", name, moment.error())));
  return *moment;
}

OrExit<Span> span_of(const Arguments& arguments) {
  const Instant now = io::wall_now();
  if (!arguments.has("from")) return std::unexpected(usage_error("range needs --from T"));
  const auto from = moment_option(arguments, "from", now);
  if (!from) return std::unexpected(from.error());
  if (!arguments.has("to")) return Span{*from, now};
  const auto to = moment_option(arguments, "to", now);
  if (!to) return std::unexpected(to.error());
  return Span{*from, *to};
}

/// A time that the scheme cannot hold, in words.
int refuse_time(const CatalogueRow& row, std::string_view which, Instant time, const Error& error) {
  return usage_error(fmt::format("{} {}: {}; a {} counts from {}", which, TimeText{time}.view(),
                                 error.row().sentence, row.scheme.title,
                                 TimeText{row.scheme.epoch}.view()));
}

/// As the row's, and of a TypeID for its prefix.
Result<CatalogueId> floor_of(const CatalogueRow& row, const TypePrefix& prefix, Instant time) {
  if (&row.scheme != &TypeId::facts) return row.floor(time);
  MINTMARK_TRY(id, TypeId::floor(prefix, time));
  return CatalogueId::of(id);
}
Result<CatalogueId> ceil_of(const CatalogueRow& row, const TypePrefix& prefix, Instant time) {
  if (&row.scheme != &TypeId::facts) return row.ceil(time);
  MINTMARK_TRY(id, TypeId::ceil(prefix, time));
  return CatalogueId::of(id);
}

/// Options that go together with neither what is asked for nor one another: one of them would be ignored.
std::optional<std::string> contradiction(const Arguments& arguments, const CatalogueRow* row) {
  const bool page = arguments.has("before") || arguments.has("after");
  if (arguments.has("before") && arguments.has("after"))
    return "a page lies --before an ID or --after it";
  if (page && (arguments.has("from") || arguments.has("to")))
    return "a page begins at an ID, a span at a time: --before and --after go without --from and "
           "--to";
  if (!page && arguments.has("limit")) return "--limit is for a page: --before ID or --after ID";
  if (arguments.has("json") && (page || arguments.has("sql")))
    return "--json writes the two IDs of a span, --sql a condition: one of them";
  if (arguments.has("hex") && !arguments.has("sql")) return "--hex is about --sql";
  if (const auto prefix = arguments.value("prefix")) {
    if (row == nullptr || &row->scheme != &TypeId::facts) return "only a TypeID has a prefix";
    if (!TypePrefix::parse(*prefix))
      return "--prefix: 63 lower-case letters at most, and `_` between them";
  }
  return std::nullopt;
}

int print_span(const CatalogueRow& row, const Span& span, const Arguments& arguments) {
  if (span.to <= span.from) {
    return usage_error(fmt::format("the span is empty: it would go from {} to {}",
                                   TimeText{span.from}.view(), TimeText{span.to}.view()));
  }
  const TypePrefix prefix = *TypePrefix::parse(arguments.value("prefix").value_or(""));
  const auto smallest = floor_of(row, prefix, span.from);
  if (!smallest) return refuse_time(row, "from", span.from, smallest.error());
  const Instant last = span.to - Duration{1};
  const auto largest = ceil_of(row, prefix, last);
  if (!largest) return refuse_time(row, "to", last, largest.error());
  if (const auto column = arguments.value("sql")) {
    const Literal form = arguments.has("hex") ? Literal::hexadecimal : Literal::by_scheme;
    return print(fmt::format("{} BETWEEN {} AND {}\n", *column, literal(row, *smallest, form),
                             literal(row, *largest, form)),
                 kDone);
  }
  if (arguments.has("json")) {
    return print(
        fmt::format("{{\"schema\":1,\"scheme\":{},\"from\":\"{}\",\"to\":\"{}\",\"smallest\":{},"
                    "\"largest\":{}}}\n",
                    mint::json_text(row.name), TimeText{span.from}.view(), TimeText{span.to}.view(),
                    mint::json_text(smallest->text()), mint::json_text(largest->text())),
        kDone);
  }
  return print(fmt::format("{}\n{}\n", smallest->text(), largest->text()), kDone);
}

/// The page behind or in front of one ID.
int print_page(const Arguments& arguments, const CatalogueRow* wanted) {
  const bool before = arguments.has("before");
  const std::string text = *arguments.value(before ? "before" : "after");
  const auto column = arguments.value("sql");
  if (!column) return usage_error("a page is a piece of a statement: name its column with --sql");
  const auto limit = parse_count(arguments.value("limit").value_or("100"));
  if (!limit || *limit == 0 || *limit == kEndless) {
    return usage_error(
        fmt::format("--limit: {} is no number of rows above 0", shown(*arguments.value("limit"))));
  }
  const auto candidates = mint::recognize(text, io::wall_now());
  const CatalogueRow* row = wanted;
  if (row == nullptr && !candidates.empty()) row = candidates.front().row;
  const CatalogueRow& meant = row != nullptr ? *row : mint::closest_scheme(text);
  const auto id = meant.parse(text);
  if (!id) {
    return usage_error(fmt::format("{} is not a {}: {}", shown(text), meant.scheme.title,
                                   id.error().row().sentence));
  }
  const Literal form = arguments.has("hex") ? Literal::hexadecimal : Literal::by_scheme;
  return print(fmt::format("{} {} {} ORDER BY {} {} LIMIT {}\n", *column, before ? "<" : ">",
                           literal(meant, *id, form), *column, before ? "DESC" : "ASC", *limit),
               kDone);
}

int run(const Arguments& arguments) {
  if (const auto column = arguments.value("sql"); column && !is_column(*column)) {
    return usage_error(fmt::format("--sql: {} is no column", shown(*column)));
  }
  const CatalogueRow* row = nullptr;
  if (!arguments.operands.empty()) {
    const auto named = scheme_named(arguments.operands.front());
    if (!named) return named.error();
    row = *named;
  }
  if (const auto words = contradiction(arguments, row)) return usage_error(*words);
  if (arguments.has("before") || arguments.has("after")) return print_page(arguments, row);
  if (row == nullptr) return usage_error("range of which scheme? mintmark range --from T uuid7");
  if (row->floor == nullptr && &row->scheme != &TypeId::facts) {
    return usage_error(fmt::format(
        "IDs of {} are not in the order of their time, so that no range of them is a span",
        row->name));
  }
  const auto span = span_of(arguments);
  if (!span) return span.error();
  return print_span(*row, *span, arguments);
}

constexpr std::array kOptions{
    Option{"from", "", "T", "the first instant of the span"},
    Option{"to", "", "T", "the first instant behind it; default now"},
    Option{"sql", "", "COLUMN", "a condition on this column instead of the two IDs"},
    Option{"before", "", "ID", "with --sql: the page of rows in front of this one, newest first"},
    Option{"after", "", "ID", "with --sql: the page of rows behind it, oldest first"},
    Option{"limit", "", "N", "rows of a page; default 100"},
    Option{"prefix", "", "P", "of the TypeIDs"},
    Option{"hex", "", "", "IDs as X'...', for a column of bytes"},
    kJsonOption,
};
constexpr std::array kExamples{
    Example{"mintmark range --from 2026-12-01 --to 2026-12-02 uuid7", "the IDs of one day"},
    Example{"mintmark range --from now-1h --sql id twitter", "a WHERE clause for the last hour"},
    Example{"mintmark range --before 01ARZ3NDEKTSV4RRFFQ69G5FAV --limit 20 --sql id",
            "the next page"},
};

}  // namespace

const Command kRange{
    .name = "range",
    .summary = "the smallest and largest ID of a time span",
    .operands = "[SCHEME]",
    .fewest_operands = 0,
    .most_operands = 1,
    .options = kOptions,
    .examples = kExamples,
    .notes =
        "T: 2026-12-01, 2026-12-01T08:30:00Z, @1645557742 (Unix seconds), now, now-90m.\n"
        "The span holds --from and ends in front of --to, in whole units of the scheme's time: "
        "all\n"
        "IDs of the unit that an end lies in are in it, so that spans that touch within a second\n"
        "share KSUIDs. Pages order by the ID alone: no OFFSET, no created_at.\n",
    .run = run,
};

}  // namespace mintmark::cli
