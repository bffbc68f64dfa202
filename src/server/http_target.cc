#include "server/http_target.h"

#include <algorithm>
#include <array>
#include <utility>

#include "server/printable.h"

namespace mintmark::server {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char lower = static_cast<char>(c | 0x20);
  if (lower >= 'a' && lower <= 'f') return static_cast<unsigned>(lower - 'a' + 10);
  return std::nullopt;
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const auto high = hex_digit(text[i + 1]);
    const auto low = hex_digit(text[i + 2]);
    if (!high || !low) return std::nullopt;
    decoded += static_cast<char>(*high << 4 | *low);
    i += 2;
  }
  return decoded;
}

/// Cuts the text up to `stop` off the front.
std::string_view cut(std::string_view& rest, char stop) {
  const std::size_t at = rest.find(stop);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return part;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool same_word(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  });
}

/// The weight of a media range in thousandths; 1000 without one. A malformed weight counts as none.
unsigned weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = trim(cut(parameters, ';'));
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    const std::string_view value = parameter.substr(2);
    if (value.empty() || value.front() != '0') return 1000;
    unsigned thousandths = 0;
    unsigned unit = 100;
    for (std::size_t i = 2; i < value.size() && i < 5; ++i, unit /= 10) {
      if (value[i] < '0' || value[i] > '9') return 1000;
      thousandths += static_cast<unsigned>(value[i] - '0') * unit;
    }
    return thousandths;
  }
  return 1000;
}

struct Media {
  IdFormat format;
  std::string_view name;
  std::string_view type;
  std::string_view family;  ///< its media range
};
/// The first is the one that is sent when all are equally welcome.
constexpr std::array kMedia{
    Media{IdFormat::json, "json", "application/json", "application/*"},
    Media{IdFormat::text, "text", "text/plain", "text/*"},
    Media{IdFormat::binary, "bin", "application/octet-stream", "application/*"},
};

}  // namespace

std::expected<HttpTarget, std::string> parse_target(std::string_view text) {
  if (const std::size_t authority = text.find("://");
      authority != std::string_view::npos && !text.starts_with('/')) {
    text.remove_prefix(authority + 3);
    const std::size_t slash = text.find('/');
    text = slash == std::string_view::npos ? "/" : text.substr(slash);
  }
  if (!text.starts_with('/')) return std::unexpected("the request has no path");
  HttpTarget target;
  std::string_view query = text;
  std::string_view path = cut(query, '?');
  path.remove_prefix(1);
  while (!path.empty()) {
    auto segment = percent_decode(cut(path, '/'));
    if (!segment) return std::unexpected("the path has a '%' without two hex digits");
    target.path.push_back(std::move(*segment));
  }
  while (!query.empty()) {
    std::string_view value = cut(query, '&');
    const std::string_view name = cut(value, '=');
    auto decoded_name = percent_decode(name);
    auto decoded_value = percent_decode(value);
    if (!decoded_name || !decoded_value) {
      return std::unexpected("the query has a '%' without two hex digits");
    }
    if (std::ranges::find(target.query, *decoded_name, &HttpTarget::Parameter::name) !=
        target.query.end()) {
      return std::unexpected("the parameter '" + printable(*decoded_name) + "' is given twice");
    }
    target.query.push_back({std::move(*decoded_name), std::move(*decoded_value)});
  }
  return target;
}

std::string_view media_type(IdFormat format) {
  return std::ranges::find(kMedia, format, &Media::format)->type;
}

std::optional<IdFormat> format_of_name(std::string_view name) {
  const auto found = std::ranges::find(kMedia, name, &Media::name);
  if (found == kMedia.end()) return std::nullopt;
  return found->format;
}

std::optional<IdFormat> format_of_accept(std::string_view accept) {
  if (trim(accept).empty()) return IdFormat::json;
  struct Choice {
    unsigned precision = 0;  // the most precise range decides (RFC 9110 section 12.5.1)
    unsigned weight = 0;
  };
  std::array<Choice, kMedia.size()> choices{};
  while (!accept.empty()) {
    std::string_view parameters = cut(accept, ',');
    const std::string_view range = trim(cut(parameters, ';'));
    const unsigned range_weight = weight(parameters);
    for (std::size_t i = 0; i < kMedia.size(); ++i) {
      const unsigned precision = same_word(range, kMedia[i].type)     ? 3
                                 : same_word(range, kMedia[i].family) ? 2
                                 : range == "*/*"                     ? 1
                                                                      : 0;
      if (precision > choices[i].precision) choices[i] = {precision, range_weight};
    }
  }
  const auto best = std::ranges::max_element(choices, {}, &Choice::weight);
  if (best->weight == 0) return std::nullopt;
  return kMedia[static_cast<std::size_t>(best - choices.begin())].format;
}

}  // namespace mintmark::server
