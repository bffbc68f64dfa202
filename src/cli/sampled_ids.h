// Sampled IDs: what a few values of a text column say about all of it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mintmark/base/time.h"

namespace mintmark::cli {

/// Fewer values say nothing about a column.
inline constexpr std::size_t kFewestSamples = 5;

/// An ID that takes more room as text than it has to.
struct TextForm {
  std::string_view scheme;   ///< "uuid" or "ulid"
  std::size_t text_bytes;    ///< as the values are spelled
  std::size_t binary_bytes;  ///< as a binary type holds them
};

/// The form that every one of the values has. UUIDs without hyphens must all say a version and a variant, or
/// they may as well be digests; ULIDs must be of a time that can be (2010 to a year from `now`).
[[nodiscard]] std::optional<TextForm> text_form_of(std::span<const std::string> values,
                                                   Instant now);

enum class Uniqueness : std::uint8_t { unknown, unique };

/// Whether the values look like IDs in which a letter and its capital are different digits (base62, base58,
/// nanoid, push IDs): one length, or a column whose values are `unique`; characters of base64url; both cases
/// in half of them, and a digit in a third. Names of people and of things fail one of these.
[[nodiscard]] bool tell_case_apart(std::span<const std::string> values, Uniqueness uniqueness);

}  // namespace mintmark::cli
