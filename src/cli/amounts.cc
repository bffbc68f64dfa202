#include "cli/amounts.h"

#include <charconv>

namespace mintmark::cli {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 63;

struct Digits {
  std::uint64_t value = 0;
  std::string_view rest;
};

std::optional<Digits> leading_digits(std::string_view text) {
  Digits digits;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, digits.value);
  if (error != std::errc{}) return std::nullopt;
  digits.rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  return digits;
}

std::optional<std::uint64_t> times(std::uint64_t value, std::uint64_t factor) {
  if (value > kMost / factor) return std::nullopt;
  return value * factor;
}

std::optional<std::uint64_t> scientific(std::uint64_t value, std::string_view exponent) {
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const auto power = leading_digits(exponent);
  if (!power || !power->rest.empty() || power->value > 18) return std::nullopt;
  std::uint64_t factor = 1;
  for (std::uint64_t i = 0; i < power->value; ++i) factor *= 10;
  return times(value, factor);
}

}  // namespace

std::optional<std::uint64_t> parse_count(std::string_view text) {
  if (text == "inf") return kEndless;
  const auto digits = leading_digits(text);
  if (!digits) return std::nullopt;
  const std::string_view rest = digits->rest;
  if (rest.empty()) return times(digits->value, 1);
  if (rest == "k" || rest == "K") return times(digits->value, 1'000);
  if (rest == "M") return times(digits->value, 1'000'000);
  if (rest == "G") return times(digits->value, 1'000'000'000);
  if (rest[0] == 'e' || rest[0] == 'E') return scientific(digits->value, rest.substr(1));
  return std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  const auto digits = leading_digits(text);
  if (!digits) return std::nullopt;
  if (digits->rest.empty()) return times(digits->value, 1);
  if (digits->rest == "K" || digits->rest == "k")
    return times(digits->value, std::uint64_t{1} << 10);
  if (digits->rest == "M") return times(digits->value, std::uint64_t{1} << 20);
  if (digits->rest == "G") return times(digits->value, std::uint64_t{1} << 30);
  return std::nullopt;
}

}  // namespace mintmark::cli
