// The option --scheme: one scheme of the catalogue instead of whichever fits.
#pragma once

#include "cli/command.h"
#include "cli/settings.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {

inline constexpr Option kSchemeOption{"scheme", "s", "SCHEME", "read as this one, not as any"};

/// The scheme of that name; what is wrong was said.
[[nodiscard]] OrExit<const CatalogueRow*> scheme_named(std::string_view name);
/// That of --scheme, or null without it.
[[nodiscard]] OrExit<const CatalogueRow*> scheme_option(const Arguments& arguments);

}  // namespace mintmark::cli
