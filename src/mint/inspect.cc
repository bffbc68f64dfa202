// Every row of the catalogue is tried; what it reads is then weighed by the time it would mean.
//
// No reading is dropped for being unlikely: a Snowflake does not say which epoch it counts from, so the
// alternatives stay in the answer, with what speaks against them.
#include "mint/inspect.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "mint/json_text.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::mint {
namespace {

constexpr Duration kDay = std::chrono::hours{24};
/// How far a fleet's clock, or a time zone taken for another, may put an ID into the future.
constexpr Duration kMostAhead = kDay;
/// IDs made in the first days of an epoch are rare; small numbers that are no IDs are common.
constexpr Duration kEpochRush = 30 * kDay;

/// What the time of a reading says about it, likeliest first.
enum class Merit : std::uint8_t { plausible, timeless, from_the_future, at_the_epoch };

struct Weighed {
  Reading reading;
  Merit merit;
};

std::string words_of(Duration length) {
  const auto count = [](double value, std::string_view unit) {
    const std::string number = fmt::format("{:.3g}", value);
    return fmt::format("{} {}{}", number, unit, number == "1" ? "" : "s");
  };
  const double seconds = std::chrono::duration<double>(length).count();
  constexpr double kHour = 3'600;
  constexpr double kDayLength = 86'400;
  constexpr double kYear = 365.2425 * kDayLength;
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1000);
  if (seconds < 120) return count(seconds, "second");
  if (seconds < 2 * kHour) return count(seconds / 60, "minute");
  if (seconds < 2 * kDayLength) return count(seconds / kHour, "hour");
  if (seconds < 2 * kYear) return fmt::format("{:.0f} days", seconds / kDayLength);
  return fmt::format("{:.1f} years", seconds / kYear);
}

Merit merit_of(const CatalogueRow& row, const std::optional<Instant>& time, Instant now) {
  if (!time) return Merit::timeless;
  if (*time > now + kMostAhead) return Merit::from_the_future;
  if (*time < row.scheme.epoch + kEpochRush) return Merit::at_the_epoch;
  return Merit::plausible;
}

std::string reason_of(const CatalogueRow& row, const Reading& reading, Merit merit, Instant now) {
  std::string reason{row.evidence};
  if (reading.time) {
    const Duration age = now - *reading.time;
    reason += age < Duration::zero() ? fmt::format("; its time is {} ahead", words_of(-age))
                                     : fmt::format("; its time is {} ago", words_of(age));
  }
  if (merit == Merit::from_the_future) reason += ", which speaks against it";
  if (merit == Merit::at_the_epoch) {
    reason += fmt::format(", only {} after the epoch: it may be another number",
                          words_of(*reading.time - row.scheme.epoch));
  }
  return reason;
}

constexpr std::string_view variant_words(std::uint64_t bits) {
  // RFC 9562, section 4.1, table 1: the third bit belongs to the variant only where the first two are ones.
  return bits == 2 ? "RFC 9562" : bits == 3 ? "Microsoft or future" : "NCS";
}

FieldReading read_field(const CatalogueField& field, U128 bits, const Reading& reading) {
  FieldReading read{
      .name = std::string{field.name}, .bits = field.bits, .value = {}, .meaning = {}};
  const auto number = static_cast<std::uint64_t>(bits);
  if (field.kind == FieldKind::random) {
    const auto high = static_cast<std::uint64_t>(bits >> 64);
    const std::size_t digits = (field.bits + 3) / 4;
    read.value = digits > 16 ? fmt::format("0x{:0{}x}{:016x}", high, digits - 16, number)
                             : fmt::format("0x{:0{}x}", number, digits);
    return read;
  }
  read.value = fmt::format("{}", number);
  if (field.kind == FieldKind::time && reading.time) read.meaning = TimeText{*reading.time}.view();
  if (field.kind == FieldKind::version) read.meaning = fmt::format("version {}", number);
  if (field.kind == FieldKind::variant) read.meaning = variant_words(number);
  return read;
}

Reading read_as(const CatalogueRow& row, U128 value) {
  Reading reading;
  reading.scheme = row.preset.empty() ? std::string{row.scheme.name}
                                      : fmt::format("{} {}", row.scheme.name, row.preset);
  reading.title = row.preset.empty() ? std::string{row.scheme.title}
                                     : fmt::format("{} ({})", row.scheme.title, row.preset);
  std::array<char, 64> text{};
  reading.canonical.assign(text.data(), row.write(value, text));
  const auto low = static_cast<std::uint64_t>(value);
  reading.hex = row.scheme.bytes == sizeof(U128)
                    ? fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(value >> 64), low)
                    : fmt::format("{:016x}", low);
  reading.time = row.time(value);
  unsigned shift = row.scheme.bits;
  for (const CatalogueField& field : row.fields) {
    shift -= field.bits;
    const U128 bits = value >> shift & ((U128{1} << field.bits) - 1);
    reading.fields.push_back(read_field(field, bits, reading));
  }
  return reading;
}

/// A wider claim says nothing new beside a narrower one of the same family.
bool is_covered(const CatalogueRow& row, const std::vector<Weighed>& readings) {
  return &row.scheme == &Uuid::facts && std::ranges::any_of(readings, [](const Weighed& other) {
    return other.reading.scheme.starts_with(Uuid::facts.name);
  });
}

/// The row that a person most likely meant with a text that none reads: by its length first.
const CatalogueRow& closest_row(std::string_view text) {
  const bool digits = !text.empty() && text[0] >= '0' && text[0] <= '9' &&
                      text.find_first_not_of("0123456789") >= std::min<std::size_t>(text.size(), 4);
  const CatalogueRow* best = nullptr;
  std::size_t smallest = 0;
  for (const CatalogueRow& row : kCatalogue) {
    std::size_t off = text.size() > row.scheme.text_size ? text.size() - row.scheme.text_size
                                                         : row.scheme.text_size - text.size();
    if (row.spelling == Spelling::decimal && text.size() <= row.scheme.text_size)
      off = digits ? 0 : 16;
    if (row.spelling == Spelling::hexadecimal) {
      // The widest claim of the family: a wrong version is no reason to refuse a UUID.
      if (&row.scheme != &Uuid::facts) continue;
      for (const std::size_t size : {Uuid::kPlainSize, Uuid::kBracedSize, Uuid::kUrnSize}) {
        if (text.size() == size) off = 0;
      }
    }
    if (best == nullptr || off < smallest) {
      best = &row;
      smallest = off;
    }
  }
  return *best;
}

std::string_view alphabet_words(Spelling spelling) {
  switch (spelling) {
    case Spelling::hexadecimal:
      return "a hexadecimal digit or a hyphen in its place";
    case Spelling::crockford:
      return "in Crockford base32";
    case Spelling::decimal:
      return "a decimal digit";
  }
  return {};
}

/// A byte as a person can see it.
std::string visible(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte < 0x7f ? fmt::format("'{}'", c) : fmt::format("byte 0x{:02x}", byte);
}

void put_json_member(std::string& out, std::string_view name, std::string_view value) {
  if (out.back() != '{') out += ',';
  out += json_text(name);
  out += ':';
  out += json_text(value);
}

void put_json(std::string& out, const Reading& reading) {
  out += '{';
  put_json_member(out, "scheme", reading.scheme);
  put_json_member(out, "title", reading.title);
  put_json_member(out, "canonical", reading.canonical);
  put_json_member(out, "hex", reading.hex);
  if (reading.time) put_json_member(out, "time", TimeText{*reading.time}.view());
  out += ",\"fields\":[";
  for (const FieldReading& field : reading.fields) {
    if (out.back() != '[') out += ',';
    out += '{';
    put_json_member(out, "name", field.name);
    out += fmt::format(",\"bits\":{}", field.bits);
    put_json_member(out, "value", field.value);
    if (!field.meaning.empty()) put_json_member(out, "meaning", field.meaning);
    out += '}';
  }
  out += ']';
  put_json_member(out, "reason", reading.reason);
  out += '}';
}

}  // namespace

Result<std::vector<Reading>> inspect(std::string_view text, Instant now) {
  std::vector<Weighed> weighed;
  for (const CatalogueRow& row : kCatalogue) {
    const auto value = row.parse(text);
    if (!value || is_covered(row, weighed)) continue;
    Reading reading = read_as(row, *value);
    const Merit merit = merit_of(row, reading.time, now);
    reading.reason = reason_of(row, reading, merit, now);
    // Behind all of the same merit: the order of the catalogue decides among equals.
    const auto place = std::ranges::upper_bound(weighed, merit, {}, &Weighed::merit);
    weighed.insert(place, {std::move(reading), merit});
  }
  if (weighed.empty()) return fail(closest_row(text).parse(text).error());
  std::vector<Reading> readings;
  for (Weighed& each : weighed) readings.push_back(std::move(each.reading));
  return readings;
}

std::string explain(std::string_view text, const Error& error) {
  const CatalogueRow& row = closest_row(text);
  const std::size_t at = error.kind() == Kind::bad_input ? error.position() : 0;
  switch (error.fault()) {
    case Fault::bad_character:
      if (at < text.size()) {
        return fmt::format("{} at {} is not {}", visible(text[at]), at,
                           alphabet_words(row.spelling));
      }
      break;
    case Fault::wrong_length:
      if (text.empty()) return "the text is empty";
      return fmt::format("it has {} characters; the closest is a {} of {}", text.size(),
                         row.scheme.title, row.scheme.text_size);
    case Fault::value_overflow:
      return fmt::format("its value needs more than the {} bits of a {}", row.scheme.bytes * 8,
                         row.scheme.title);
    case Fault::not_canonical:
      return fmt::format("{} at {} is not part of the one spelling of its value",
                         at < text.size() ? visible(text[at]) : "the end", at);
    default:
      break;
  }
  return std::string{error.row().sentence};
}

std::string to_json(std::string_view text, const std::vector<Reading>& readings) {
  std::string out = "{\"schema\":1";
  put_json_member(out, "input", text);
  out += ",\"readings\":[";
  for (const Reading& reading : readings) {
    if (out.back() != '[') out += ',';
    put_json(out, reading);
  }
  out += "]}";
  return out;
}

}  // namespace mintmark::mint
