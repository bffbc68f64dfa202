// Derived IDs: those that follow from what the caller says (UUIDv3, v5 and v8), so that nobody mints them.
#pragma once

#include <optional>
#include <string_view>

#include "cli/command.h"
#include "cli/id_output.h"

namespace mintmark::cli {

inline constexpr Option kNamespaceOption{"namespace", "", "NS",
                                         "uuid3, uuid5, uuid8: @dns, @url, @oid, @x500 or a UUID"};
inline constexpr Option kNameOption{"name", "N", "NAME",
                                    "its name; without it each line of standard input is one"};
inline constexpr Option kCustomOption{"custom", "", "HEX",
                                      "uuid8: 32 hex digits, of which it keeps 122 bits"};

/// Makes IDs of that scheme; nothing for a scheme whose IDs are minted. Returns the exit code.
[[nodiscard]] std::optional<int> make_derived(std::string_view scheme, const Arguments& arguments,
                                              const OutputForm& form);

}  // namespace mintmark::cli
