// Inspect: what a text may be, as readings with reasons, likeliest first.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::mint {

/// One field of an ID, most significant first.
struct FieldReading {
  std::string name;
  unsigned bits = 0;  ///< 0 for a prefix, which stands in the text alone
  FieldKind kind = FieldKind::random;
  std::string value;    ///< decimal, or hex with 0x for what is no number
  std::string meaning;  ///< a time, a version in words; may be empty
};

/// One way to read a text.
struct Reading {
  std::string scheme;  ///< as on the command line; for a snowflake the name of its layout
  std::string title;
  std::string canonical;  ///< the one spelling
  std::string hex;        ///< the bytes, big-endian
  std::optional<Instant> time;
  std::vector<FieldReading> fields;
  std::string reason;  ///< why this reading, or what speaks against it
};

/// All readings of the text, likeliest first. `now` is what a plausible time is measured against.
/// Errors: that of the scheme that came closest, with the position: WrongLength, BadCharacter,
/// ValueOverflow, NotCanonical.
[[nodiscard]] Result<std::vector<Reading>> inspect(std::string_view text, Instant now);

/// The text as an ID of this scheme alone. Errors: those of the scheme's parse.
[[nodiscard]] Result<Reading> inspect_as(const CatalogueRow& row, std::string_view text,
                                         Instant now);

/// What a scheme is called in prose, a layout with its name: `Snowflake (discord)`.
[[nodiscard]] std::string title_of(const CatalogueRow& row);

/// Words for a person: what is wrong with the text, where, and what was expected.
[[nodiscard]] std::string explain(std::string_view text, const Error& error);
/// The same for a text that should have been of this scheme.
[[nodiscard]] std::string explain_as(const CatalogueRow& row, std::string_view text,
                                     const Error& error);

/// {"schema":1,"input":...,"readings":[...]}: the same on every protocol.
[[nodiscard]] std::string to_json(std::string_view text, const std::vector<Reading>& readings);

}  // namespace mintmark::mint
