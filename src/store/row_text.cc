#include "store/row_text.h"

#include <charconv>
#include <concepts>
#include <iterator>

#include <fmt/format.h>

#include "store/decide.h"

namespace mintmark::store {

namespace {

constexpr std::string_view kFirstLine = "mintmark space 1";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

template <class Keep>
std::string escaped(std::string_view text, Keep keep) {
  std::string out;
  for (const char c : text) {
    if (keep(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

template <std::integral T>
bool parse_number(std::string_view text, T& number, int base = 10) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return !text.empty() && error == std::errc{} && stop == end;
}

/// Takes lines from the front of a text. Once one was not as asked for, none is.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// The value of the next line, which has this name.
  std::string_view value(std::string_view name) {
    const auto line = next();
    if (!line.starts_with(name) || line.substr(name.size(), 1) != " ") {
      good_ = false;
      return {};
    }
    return line.substr(name.size() + 1);
  }
  std::string_view next() {
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos) {
      good_ = false;
      return {};
    }
    const auto line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  [[nodiscard]] bool next_is(std::string_view name) const { return rest_.starts_with(name); }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  template <std::integral T>
  void read(std::string_view name, T& number) {
    if (!parse_number(value(name), number)) good_ = false;
  }
  void read(std::string_view name, Duration& length) {
    Duration::rep count = 0;
    read(name, count);
    length = Duration{count};
  }
  void read(std::string_view name, Instant& instant) {
    Duration since{};
    read(name, since);
    instant = Instant{since};
  }
  void read(std::string_view name, Nonce& nonce) {
    const auto parsed = parse_nonce(value(name));
    if (parsed) nonce = *parsed;
    if (!parsed) good_ = false;
  }
  void read(std::string_view name, std::string& text) {
    auto plain = unescape(value(name));
    if (plain) text = *std::move(plain);
    if (!plain) good_ = false;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::string escape_name(std::string_view name) {
  return escaped(name, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_'; });
}

std::string escape_text(std::string_view text) {
  return escaped(text, [](char c) {
    const bool special = c == '%' || c == '\'' || c == '\\' || c == '?';
    return c >= ' ' && c <= '~' && !special;
  });
}

std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    if (i + 2 >= text.size() || !parse_number(text.substr(i + 1, 2), byte, 16)) return {};
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

std::optional<Nonce> parse_nonce(std::string_view text) {
  Nonce nonce{};
  if (text.size() != 2 * nonce.size()) return {};
  for (std::size_t i = 0; i < nonce.size(); ++i) {
    unsigned char byte = 0;
    if (!parse_number(text.substr(2 * i, 2), byte, 16)) return {};
    nonce[i] = std::byte{byte};
  }
  return nonce;
}

std::string meta_text(const SpaceMeta& meta) {
  const auto count = [](Duration length) { return length.count(); };
  std::string text = fmt::format(
      "{}\nstore_id {}\nincarnation {}\nepoch {}\ncreated_at {}\nmarks {}\nslot_base {}\n"
      "slot_count {}\nlayout_epoch {}\nunit {}\nhorizon_max {}\nskew {}\nnot_before {}\n"
      "range_floor {}\nengine_ident {}\ndefinition {}\n",
      kFirstLine, hex(meta.store_id), hex(meta.incarnation), meta.epoch,
      count(meta.created_at.time_since_epoch()), meta.marks == Marks::counter ? "counter" : "slots",
      meta.slot_base, meta.slot_count, count(meta.layout_epoch.time_since_epoch()),
      count(meta.unit), count(meta.horizon_max), count(meta.skew), meta.not_before,
      meta.range_floor, escape_text(meta.engine_ident), escape_text(meta.definition));
  if (meta.suspect) {
    fmt::format_to(std::back_inserter(text), "suspect {}\n", escape_text(*meta.suspect));
  }
  return text;
}

std::optional<SpaceMeta> parse_meta(std::string_view text) {
  Lines lines{text};
  if (lines.next() != kFirstLine) return {};
  SpaceMeta meta;
  lines.read("store_id", meta.store_id);
  lines.read("incarnation", meta.incarnation);
  lines.read("epoch", meta.epoch);
  lines.read("created_at", meta.created_at);
  const auto marks = lines.value("marks");
  if (marks != "slots" && marks != "counter") return {};
  meta.marks = marks == "counter" ? Marks::counter : Marks::slots;
  lines.read("slot_base", meta.slot_base);
  lines.read("slot_count", meta.slot_count);
  lines.read("layout_epoch", meta.layout_epoch);
  lines.read("unit", meta.unit);
  lines.read("horizon_max", meta.horizon_max);
  lines.read("skew", meta.skew);
  lines.read("not_before", meta.not_before);
  lines.read("range_floor", meta.range_floor);
  lines.read("engine_ident", meta.engine_ident);
  lines.read("definition", meta.definition);
  if (lines.next_is("suspect ")) lines.read("suspect", meta.suspect.emplace());
  if (!lines.good() || !lines.at_end()) return {};
  return meta;
}

std::string mark_text(const Mark& mark) {
  return fmt::format("{} {} {}", mark.high_water, mark.grants, hex(mark.owner));
}

std::optional<Mark> parse_mark(std::uint64_t slot, std::string_view text) {
  Mark mark{.slot = slot};
  const auto first = text.find(' ');
  const auto second = text.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  const auto owner = parse_nonce(text.substr(second + 1));
  if (!owner || !parse_number(text.substr(0, first), mark.high_water) ||
      !parse_number(text.substr(first + 1, second - first - 1), mark.grants)) {
    return {};
  }
  mark.owner = *owner;
  return mark;
}

}  // namespace mintmark::store
