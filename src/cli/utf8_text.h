// Text of others: names out of a database, fit to be shown on a terminal and to stand in JSON.
#pragma once

#include <string>
#include <string_view>

namespace mintmark::cli {

/// Whether the bytes are UTF-8 (RFC 3629): the shortest form, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The text, with a ? for each byte that could steer the terminal (C0, C1 and DEL), and for each that is not
/// ASCII where the whole is not UTF-8.
[[nodiscard]] std::string for_terminal(std::string_view text);

/// In quotes. UTF-8 stays as it is; of other texts each byte outside ASCII becomes the code point of Latin-1.
[[nodiscard]] std::string json_utf8(std::string_view text);

}  // namespace mintmark::cli
