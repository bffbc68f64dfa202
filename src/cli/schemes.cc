#include "cli/schemes.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/words.h"
#include "mint/did_you_mean.h"

namespace mintmark::cli {

OrExit<const CatalogueRow*> scheme_named(std::string_view name) {
  if (const CatalogueRow* row = find_scheme(name)) return row;
  std::vector<std::string_view> names{"snowflake"};
  for (const CatalogueRow& row : kCatalogue) names.push_back(row.name);
  std::string words = fmt::format("there is no scheme '{}'", name);
  const std::string hint = mint::did_you_mean(name, names);
  if (!hint.empty()) return std::unexpected(usage_error(words + hint));
  words += "; there are";
  for (const std::string_view each : names) words += fmt::format(" {}", each);
  return std::unexpected(usage_error(words));
}

OrExit<const CatalogueRow*> scheme_option(const Arguments& arguments) {
  const auto name = arguments.value("scheme");
  if (!name) return nullptr;
  return scheme_named(*name);
}

}  // namespace mintmark::cli
