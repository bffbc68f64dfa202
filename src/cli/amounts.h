// Amounts as people type them: `1k`, `1M`, `1e6`, `inf` IDs; `256M` of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mintmark::cli {

/// As many as it takes until somebody ends the command.
inline constexpr std::uint64_t kEndless = ~std::uint64_t{0};

/// A count from 0 on: digits, with k, M or G for thousands, in scientific notation if it is whole, or
/// `inf`. Nothing for everything else, such as a sign, a fraction or a number above 2^63.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

/// Bytes: digits, with K, M or G for powers of 1024.
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);

}  // namespace mintmark::cli
