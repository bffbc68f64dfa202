// What an HTTP request asks for: its path, its query, and the form of answer that it accepts.
// RFC 9112 section 3.2 (target), RFC 3986 (percent-encoding), RFC 9110 section 12.5.1 (Accept).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mintmark::server {

struct HttpTarget {
  std::vector<std::string> path;  ///< segments, decoded; "/v1/spaces" has two
  struct Parameter {
    std::string name;
    std::string value;
  };
  std::vector<Parameter> query;
};

/// Origin form, or absolute form, of which the authority is dropped. Otherwise words that say what is
/// wrong: no path, a bad percent-encoding, a control character, a parameter given twice.
[[nodiscard]] std::expected<HttpTarget, std::string> parse_target(std::string_view text);

/// How a list of IDs is written.
enum class IdFormat : std::uint8_t { json, text, binary };

[[nodiscard]] std::string_view media_type(IdFormat format);

/// json, text or bin.
[[nodiscard]] std::optional<IdFormat> format_of_name(std::string_view name);

/// The best of an Accept header's value; JSON if it is empty or has no preference; nothing if it allows
/// none of the three.
[[nodiscard]] std::optional<IdFormat> format_of_accept(std::string_view accept);

}  // namespace mintmark::server
