#include "cli/sampled_ids.h"

#include <algorithm>

#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark::cli {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::size_t kPlainSize = 32;
constexpr std::size_t kHyphenSize = 36;
constexpr std::size_t kBracesSize = 38;

bool is_uuid(const std::string& text) {
  if (text.size() != kPlainSize && text.size() != kHyphenSize && text.size() != kBracesSize) {
    return false;
  }
  if (!Uuid::parse(text)) return false;
  if (text.size() != kPlainSize) return true;
  // RFC 9562, 4.1 and 4.2: the variant is 10, and there are eight versions.
  const std::string_view variants = "89abAB";
  return text[12] >= '1' && text[12] <= '8' && variants.contains(text[16]);
}

bool is_ulid(const std::string& text, Instant now) {
  const auto id = Ulid::parse(text);
  if (!id) return false;
  const Instant first{std::chrono::seconds{1'262'304'000}};  // 2010-01-01
  return id->time() >= first && id->time() <= now + std::chrono::days{366};
}

}  // namespace

std::optional<TextForm> text_form_of(std::span<const std::string> values, Instant now) {
  if (values.size() < kFewestSamples) return std::nullopt;
  const std::size_t size = values.front().size();
  const auto same_size = [size](const std::string& text) { return text.size() == size; };
  if (!std::ranges::all_of(values, same_size)) return std::nullopt;
  if (std::ranges::all_of(values, is_uuid)) return TextForm{"uuid", size, 16};
  const auto ulid = [now](const std::string& text) { return is_ulid(text, now); };
  if (std::ranges::all_of(values, ulid)) return TextForm{"ulid", size, 16};
  return std::nullopt;
}

bool tell_case_apart(std::span<const std::string> values, Uniqueness uniqueness) {
  constexpr std::size_t kShortest = 6;
  constexpr std::size_t kLongest = 63;
  if (values.size() < kFewestSamples) return false;
  const std::size_t size = values.front().size();
  std::size_t mixed = 0;
  std::size_t numbered = 0;
  for (const std::string& text : values) {
    if (text.size() < kShortest || text.size() > kLongest) return false;
    if (text.size() != size && uniqueness != Uniqueness::unique) return false;
    const bool fits = std::ranges::all_of(text, [](char c) {
      return is_upper(c) || is_lower(c) || is_digit(c) || c == '-' || c == '_';
    });
    if (!fits) return false;
    if (std::ranges::any_of(text, is_upper) && std::ranges::any_of(text, is_lower)) ++mixed;
    if (std::ranges::any_of(text, is_digit)) ++numbered;
  }
  return mixed * 2 >= values.size() && numbered * 3 >= values.size();
}

}  // namespace mintmark::cli
