#include "mint/config_table.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mint/did_you_mean.h"

namespace mintmark::mint {
namespace {

struct UnitRow {
  std::string_view name;
  Duration length;
};
/// Longest first, so that the first that divides a length gives its shortest text.
constexpr std::array kUnits{
    UnitRow{"m", std::chrono::minutes{1}}, UnitRow{"s", std::chrono::seconds{1}},
    UnitRow{"ms", std::chrono::milliseconds{1}}, UnitRow{"us", std::chrono::microseconds{1}}};
/// A year and more is no setting of this program; this bound keeps the product in its type.
constexpr double kMostSeconds = 1e8;

std::string_view type_words(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
      return "a number";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::table:
      return "a table";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
      return "a date or time";
    default:
      return "something else";
  }
}

}  // namespace

std::optional<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration::zero();
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  // Not a number is not above zero either.
  if (error != std::errc{} || !(value >= 0)) return std::nullopt;
  const std::string_view unit{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  for (const UnitRow& row : kUnits) {
    if (row.name != unit) continue;
    const double seconds = value * std::chrono::duration<double>(row.length).count();
    if (seconds > kMostSeconds) return std::nullopt;
    return std::chrono::round<Duration>(std::chrono::duration<double>{seconds});
  }
  return std::nullopt;
}

std::string duration_text(Duration length) {
  if (length == Duration::zero()) return "0";
  for (const UnitRow& row : kUnits) {
    if (length % row.length == Duration::zero()) {
      return fmt::format("{}{}", length / row.length, row.name);
    }
  }
  return fmt::format("{}us", std::chrono::duration<double, std::micro>(length).count());
}

std::optional<std::string> ConfigReader::text(std::string_view key, const toml::node& node) {
  if (const auto* value = node.as_string()) return value->get();
  mistake(node.source(), fmt::format("{} must be a text in quotes, not {}", key, type_words(node)));
  return std::nullopt;
}

std::optional<bool> ConfigReader::boolean(std::string_view key, const toml::node& node) {
  if (const auto* value = node.as_boolean()) return value->get();
  mistake(node.source(), fmt::format("{} must be true or false, not {}", key, type_words(node)));
  return std::nullopt;
}

std::optional<std::uint64_t> ConfigReader::number(std::string_view key, const toml::node& node,
                                                  std::uint64_t least, std::uint64_t most) {
  const auto* value = node.as_integer();
  if (value == nullptr) {
    mistake(node.source(), fmt::format("{} must be a whole number, not {}", key, type_words(node)));
    return std::nullopt;
  }
  const std::int64_t number = value->get();
  if (number < 0 || static_cast<std::uint64_t>(number) < least ||
      static_cast<std::uint64_t>(number) > most) {
    mistake(node.source(), fmt::format("{} = {} is not in {} to {}", key, number, least, most));
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(number);
}

std::optional<Duration> ConfigReader::duration(std::string_view key, const toml::node& node,
                                               Duration least, Duration most) {
  const auto* whole = node.as_integer();
  const auto* words = node.as_string();
  std::optional<Duration> length;
  if (whole != nullptr && whole->get() == 0) length = Duration::zero();
  if (words != nullptr) length = parse_duration(words->get());
  if (!length) {
    mistake(node.source(),
            fmt::format("{} must be a length of time such as \"10ms\" or \"2s\"", key));
    return std::nullopt;
  }
  if (*length < least || *length > most) {
    mistake(node.source(), fmt::format("{} = {} is not in {} to {}", key, duration_text(*length),
                                       duration_text(least), duration_text(most)));
    return std::nullopt;
  }
  return length;
}

std::optional<Instant> ConfigReader::instant(std::string_view key, const toml::node& node) {
  std::string text;
  if (const auto* words = node.as_string()) {
    text = words->get();
  } else if (const auto* date = node.as_date()) {
    const toml::date& day = date->get();
    text = fmt::format("{:04}-{:02}-{:02}", day.year, day.month, day.day);
  } else if (const auto* moment = node.as_date_time()) {
    const toml::date_time& value = moment->get();
    if (value.offset && value.offset->minutes == 0) {
      text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:07}Z", value.date.year,
                         value.date.month, value.date.day, value.time.hour, value.time.minute,
                         value.time.second, value.time.nanosecond / 100);
    }
  }
  const auto time = parse_time(text);
  if (!time) {
    mistake(node.source(),
            fmt::format("{} must be a time in UTC such as \"2020-01-01T00:00:00Z\"", key));
    return std::nullopt;
  }
  return *time;
}

std::optional<std::string> ConfigReader::address(std::string_view key, const toml::node& node,
                                                 std::string_view text) {
  if (read_address_ == nullptr) return std::nullopt;
  auto read = read_address_(text);
  if (read) return std::move(*read);
  mistake(node.source(), fmt::format("{}: {}", key, read.error()));
  return std::nullopt;
}

std::optional<std::size_t> ConfigReader::choice(std::string_view key, const toml::node& node,
                                                std::span<const std::string_view> words) {
  const auto word = text(key, node);
  if (!word) return std::nullopt;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == *word) return i;
  }
  mistake(node.source(), fmt::format("{} = \"{}\" is not one of {}{}", key, *word,
                                     fmt::join(words, ", "), did_you_mean(*word, words)));
  return std::nullopt;
}

void refuse_key(ConfigReader& reader, const toml::key& key, std::string_view table,
                std::span<const std::string_view> known) {
  std::string words = fmt::format("unknown key '{}' in {}", key.str(), table);
  const std::string hint = did_you_mean(key.str(), known);
  words += hint.empty() ? fmt::format("; it knows {}", fmt::join(known, ", ")) : hint;
  reader.mistake(key.source(), std::move(words));
}

}  // namespace mintmark::mint
