// The words about an ID: what recognize has found, field by field, with reasons.
#include "mint/inspect.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "mint/json_text.h"
#include "mint/recognize.h"

namespace mintmark::mint {
namespace {

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

std::string reason_of(const Candidate& candidate, Instant now) {
  std::string reason{candidate.row->evidence};
  const auto time = candidate.id.time();
  if (time) {
    const Duration age = now - *time;
    reason += age < Duration::zero() ? fmt::format("; its time is {} ahead", words_of(-age))
                                     : fmt::format("; its time is {} ago", words_of(age));
  }
  if (candidate.merit == Merit::from_the_future) reason += ", which speaks against it";
  if (candidate.merit == Merit::at_the_epoch) {
    reason += fmt::format(", only {} after the epoch: it may be another number",
                          words_of(*time - candidate.row->scheme.epoch));
  }
  return reason;
}

constexpr std::string_view variant_words(std::uint64_t bits) {
  // RFC 9562, section 4.1, table 1: the third bit belongs to the variant only where the first two are ones.
  return bits == 2 ? "RFC 9562" : bits == 3 ? "Microsoft or future" : "NCS";
}

constexpr bool is_number(FieldKind kind) {
  return kind != FieldKind::random && kind != FieldKind::digest && kind != FieldKind::address;
}

/// A number as decimal, what is no number as hexadecimal with all its digits.
std::string value_text(const CatalogueField& field, U128 bits) {
  const auto number = static_cast<std::uint64_t>(bits);
  const auto high = static_cast<std::uint64_t>(bits >> 64);
  if (is_number(field.kind) && high == 0) return fmt::format("{}", number);
  const std::size_t digits = (field.bits + 3) / 4;
  return digits > 16 ? fmt::format("0x{:0{}x}{:016x}", high, digits - 16, number)
                     : fmt::format("0x{:0{}x}", number, digits);
}

/// Of the node of a UUID: the multicast bit is set where it is no network card (RFC 9562, section 6.10).
std::string address_words(U128 bits) {
  const auto address = static_cast<std::uint64_t>(bits);
  if ((address >> 40 & 1) != 0) return "random";
  std::string words = "network card ";
  for (unsigned i = 6; i-- > 0;)
    words += fmt::format("{:02x}{}", address >> 8 * i & 0xff, i > 0 ? ":" : "");
  return words;
}

std::uint64_t reversed(U128 bits, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) {
    value = value << 1 | static_cast<std::uint64_t>(bits >> i & 1);
  }
  return value;
}

FieldReading read_field(const CatalogueField& field, U128 bits, const CatalogueId& id) {
  FieldReading read{.name = std::string{field.name},
                    .bits = field.bits,
                    .kind = field.kind,
                    .value = value_text(field, bits),
                    .meaning = {}};
  if (field.kind == FieldKind::time && id.time()) read.meaning = TimeText{*id.time()}.view();
  if (field.kind == FieldKind::version) read.meaning = fmt::format("version {}", read.value);
  if (field.kind == FieldKind::variant) {
    read.meaning = variant_words(static_cast<std::uint64_t>(bits));
  }
  if (field.kind == FieldKind::address) read.meaning = address_words(bits);
  if (field.kind == FieldKind::reversed) {
    read.meaning = fmt::format("counter {}", reversed(bits, field.bits));
  }
  if (field.kind == FieldKind::prefix) read.value = id.text().substr(0, id.text().rfind('_'));
  return read;
}

std::string title_of(const CatalogueRow& row, const CatalogueId& id) {
  const auto all = [&](unsigned char octet) {
    return std::ranges::all_of(id.bytes(),
                               [octet](std::byte each) { return each == std::byte{octet}; });
  };
  // RFC 9562, sections 5.9 and 5.10.
  if (&row.scheme == &Uuid::facts && all(0x00)) return "Nil UUID";
  if (&row.scheme == &Uuid::facts && all(0xff)) return "Max UUID";
  return mint::title_of(row);
}

Reading read(const Candidate& candidate, Instant now) {
  const CatalogueRow& row = *candidate.row;
  Reading reading;
  reading.scheme = row.name;
  reading.title = title_of(row, candidate.id);
  reading.canonical = candidate.id.text();
  for (const std::byte octet : candidate.id.bytes()) {
    reading.hex += fmt::format("{:02x}", static_cast<unsigned>(octet));
  }
  reading.time = candidate.id.time();
  unsigned below = row.scheme.bits;
  for (const CatalogueField& field : row.fields) {
    below -= field.bits;
    const U128 bits = candidate.id.bits(below, field.bits);
    if (field.kind == FieldKind::prefix && !candidate.id.text().contains('_')) continue;
    reading.fields.push_back(read_field(field, bits, candidate.id));
  }
  reading.reason = reason_of(candidate, now);
  return reading;
}

std::string_view alphabet_words(const CatalogueRow& row) {
  if (&row.scheme == &TypeId::facts) {
    return "a lower-case letter of its prefix or digit of its base32 there";
  }
  switch (row.spelling) {
    case Spelling::decimal:
      return "a decimal digit";
    case Spelling::hexadecimal:
      return "a hexadecimal digit or a hyphen in its place";
    case Spelling::base32hex:
      return "in 0-9 and a-v";
    case Spelling::crockford:
      return "in Crockford base32";
    case Spelling::base36:
      return "in 0-9 and a-z";
    case Spelling::base62:
      return "in 0-9, A-Z and a-z";
    case Spelling::base64:
      return "in 0-9, A-Z, a-z, - and _";
  }
  return {};
}

/// As they are spoken: an ObjectId, an XID, a ULID, a UUID.
std::string_view article_of(const CatalogueRow& row) {
  return &row.scheme == &ObjectId::facts || &row.scheme == &Xid::facts ? "an" : "a";
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

std::string title_of(const CatalogueRow& row) {
  return row.preset.empty() ? std::string{row.scheme.title}
                            : fmt::format("{} ({})", row.scheme.title, row.preset);
}

Result<std::vector<Reading>> inspect(std::string_view text, Instant now) {
  std::vector<Reading> readings;
  for (const Candidate& candidate : recognize(text, now)) readings.push_back(read(candidate, now));
  if (readings.empty()) return fail(closest_scheme(text).parse(text).error());
  return readings;
}

Result<Reading> inspect_as(const CatalogueRow& row, std::string_view text, Instant now) {
  const auto candidate = recognize_as(row, text, now);
  if (!candidate) return fail(candidate.error());
  return read(*candidate, now);
}

std::string explain(std::string_view text, const Error& error) {
  return explain_as(closest_scheme(text), text, error);
}

std::string explain_as(const CatalogueRow& row, std::string_view text, const Error& error) {
  const std::size_t at = error.kind() == Kind::bad_input ? error.position() : 0;
  switch (error.fault()) {
    case Fault::bad_character:
      if (at < text.size()) {
        return fmt::format("{} at {} is not {}", visible(text[at]), at, alphabet_words(row));
      }
      break;
    case Fault::wrong_length:
      if (text.empty()) return "the text is empty";
      return fmt::format(
          "it has {} character{}; the closest is {} {} of {}", text.size(),
          text.size() == 1 ? "" : "s", article_of(row), row.scheme.title,
          &row.scheme == &TypeId::facts ? "26 to 90" : fmt::format("{}", row.scheme.text_size));
    case Fault::value_overflow:
      // A number that no layout holds, or one that this layout does not.
      if (row.spelling == Spelling::decimal && !Snowflake::parse(text))
        return "its value needs more than 64 bits";
      return fmt::format("its value needs more than the {} bits of {} {}", row.scheme.bits,
                         article_of(row), mint::title_of(row));
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
