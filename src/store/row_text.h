// Rows as text: how a space and a mark look in engines that keep values, and names in all of them.
//
// Text, so that an operator sees with the engine's own tools what is there; one `name value` a line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace mintmark::store {

/// A name or key as letters, digits, '-' and '_' of ASCII, every other byte as %XX: the same in all engines,
/// whatever they think of case, slashes or encodings.
[[nodiscard]] std::string escape_name(std::string_view name);

/// Text on one line: printable ASCII as it is, but for % ' \ ? and every other byte, which become %XX. Fits
/// between the quotes of any SQL.
[[nodiscard]] std::string escape_text(std::string_view text);
/// Nothing if a % has no two hexadecimal digits behind it.
[[nodiscard]] std::optional<std::string> unescape(std::string_view text);

/// 32 hexadecimal digits, or nothing.
[[nodiscard]] std::optional<Nonce> parse_nonce(std::string_view text);

[[nodiscard]] std::string meta_text(const SpaceMeta& meta);
/// Nothing if it is not what meta_text writes.
[[nodiscard]] std::optional<SpaceMeta> parse_meta(std::string_view text);

/// `high_water grants owner`
[[nodiscard]] std::string mark_text(const Mark& mark);
[[nodiscard]] std::optional<Mark> parse_mark(std::uint64_t slot, std::string_view text);

}  // namespace mintmark::store
