// Numbers as short texts: Sqids and Hashids. Both are a spelling, not a secret: whoever knows the alphabet,
// and for Hashids the salt, reads the numbers, and both can be found out from a few texts.
#pragma once

#include <functional>
#include <optional>

#include "cli/command.h"
#include "cli/conversion.h"

namespace mintmark::cli {

inline constexpr Option kShortAlphabetOption{"alphabet", "", "CHARS",
                                             "sqids, hashids: their characters"};
inline constexpr Option kMinLengthOption{"min-length", "", "N",
                                         "sqids, hashids: the shortest text, 0 to 255"};
inline constexpr Option kSaltOption{"salt", "", "TEXT", "hashids: its salt, which is no key"};

using ShortNumbers = std::function<OrWords<std::string>(std::string_view)>;

/// The conversion to or from sqids or hashids, if --to or --from names one; an empty function if none does.
/// The error is words: options that are wrong, or that are for these alone.
[[nodiscard]] OrWords<ShortNumbers> short_numbers(const Arguments& arguments);

}  // namespace mintmark::cli
