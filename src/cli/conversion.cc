#include "cli/conversion.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/words.h"
#include "mint/did_you_mean.h"
#include "mint/inspect.h"
#include "mint/recognize.h"
#include "mintmark/scheme/uuid_orders.h"
#include "mintmark/text/forms.h"

namespace mintmark::cli {
namespace {

/// The bytes of a UUID as a database or a language keeps them, written in hexadecimal digits.
struct ByteOrder {
  std::string_view name;
  UuidBytes (*to)(const Uuid& id);
  Result<Uuid> (*from)(std::span<const std::byte> bytes);
};
constexpr std::array kByteOrders{
    ByteOrder{"dotnet", to_dotnet_bytes, from_dotnet_bytes},
    ByteOrder{"mysql-swap", to_mysql_swap_bytes, from_mysql_swap_bytes},
    ByteOrder{"mariadb", to_mariadb_bytes, from_mariadb_bytes},
};

/// Other spellings of a UUID; all of them are read without being named.
struct UuidSpelling {
  std::string_view name;
  std::size_t (Uuid::*write)(std::span<char> out) const;
};
constexpr std::array kSpellings{
    UuidSpelling{"upper", &Uuid::write_upper},
    UuidSpelling{"plain", &Uuid::write_plain},
    UuidSpelling{"braced", &Uuid::write_braced},
    UuidSpelling{"urn", &Uuid::write_urn},
};

template <std::size_t N, class Row>
const Row* find(const std::array<Row, N>& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

bool is_uuid(const CatalogueRow& row) { return row.scheme.name.starts_with(Uuid::facts.name); }

/// Schemes of which one ID is another spelling of the other: the same 128 bits.
bool is_of_128_bits(const CatalogueRow& row) {
  return is_uuid(row) || &row.scheme == &Ulid::facts || &row.scheme == &TypeId::facts;
}

std::string wrong_text(const CatalogueRow& row, std::string_view text, const Error& error) {
  return fmt::format("{} is not a {}: {}", shown(text), row.scheme.title,
                     mint::explain_as(row, text, error));
}

OrWords<Uuid> uuid_of(const Value& value) {
  const auto id = Uuid::from_bytes(value.bytes());
  if (id) return *id;
  return std::unexpected(
      fmt::format("a UUID has 16 bytes, this value has {}", value.bytes().size()));
}

Value value_of(const CatalogueRow& row, const CatalogueId& id) {
  Value value{id.bytes(), &row};
  if (&row.scheme == &TypeId::facts) value.set_prefix_of(id.text());
  return value;
}

class DetectingReader final : public Reader {
 public:
  explicit DetectingReader(Instant now) : now_(now) {}
  [[nodiscard]] OrWords<Value> read(std::string_view text) const override {
    const auto candidates = mint::recognize(text, now_);
    if (!candidates.empty()) return value_of(*candidates.front().row, candidates.front().id);
    const CatalogueRow& row = mint::closest_scheme(text);
    return std::unexpected(fmt::format("{} is not an ID: {}", shown(text),
                                       mint::explain_as(row, text, row.parse(text).error())));
  }

 private:
  Instant now_;
};

class SchemeReader final : public Reader {
 public:
  explicit SchemeReader(const CatalogueRow& row) : row_(row) {}
  [[nodiscard]] OrWords<Value> read(std::string_view text) const override {
    const auto id = row_.parse(text);
    if (!id) return std::unexpected(wrong_text(row_, text, id.error()));
    return value_of(row_, *id);
  }

 private:
  const CatalogueRow& row_;
};

/// The fixed width, or for an integer the short form that people write.
class FormReader final : public Reader {
 public:
  FormReader(const TextForm& form, unsigned bits) : form_(form), bits_(bits) {}
  [[nodiscard]] OrWords<Value> read(std::string_view text) const override {
    // As inspect writes bytes.
    if (&form_.alphabet() == &kHexLower && text.starts_with("0x")) text.remove_prefix(2);
    std::array<std::byte, Value::kMostBytes> bytes{};
    const auto to = std::span{bytes}.first(bits_ / 8);
    const std::size_t size = form_.digits(bits_);
    const char zero = form_.alphabet()[0];
    const bool is_short = form_.alignment() == TextForm::Alignment::integer && text.size() < size;
    if (is_short && (text.empty() || (text.size() > 1 && text[0] == zero))) {
      return std::unexpected(refuse(text, Error::at(Fault::not_canonical, 0)));
    }
    const std::size_t zeros = is_short ? size - text.size() : 0;
    const auto read = form_.parse(std::string(zeros, zero).append(text), to);
    if (!read) {
      return std::unexpected(
          refuse(text, Error::at(read.error().fault(), read.error().position() - zeros)));
    }
    return Value{to, nullptr};
  }

 private:
  [[nodiscard]] std::string refuse(std::string_view text, const Error& error) const {
    return fmt::format("{} is not {} of {} bits: {} at {}", shown(text), form_.name(), bits_,
                       error.row().sentence, error.position());
  }
  const TextForm& form_;
  unsigned bits_;
};

class OrderReader final : public Reader {
 public:
  explicit OrderReader(const ByteOrder& order) : order_(order) {}
  [[nodiscard]] OrWords<Value> read(std::string_view text) const override {
    std::array<std::byte, 16> bytes{};
    if (const auto read = parse_hex(text, bytes); !read) {
      return std::unexpected(fmt::format("{} is not 32 hexadecimal digits: {} at {}", shown(text),
                                         read.error().row().sentence, read.error().position()));
    }
    return Value{order_.from(bytes)->bytes(), find_scheme("uuid")};
  }

 private:
  const ByteOrder& order_;
};

/// Into a scheme: the same bits, or between UUIDv1 and v6 the same time, sequence and node.
class SchemeWriter final : public Writer {
 public:
  SchemeWriter(const CatalogueRow& row, std::string prefix)
      : row_(row), prefix_(std::move(prefix)) {}
  [[nodiscard]] OrWords<std::string> write(const Value& value) const override {
    if (const auto moved = between_v1_and_v6(value)) return *moved;
    if (value.row() != nullptr && !goes_with(*value.row())) {
      return std::unexpected(
          fmt::format("a {} cannot be written as a {}: its bits mean something else",
                      mint::title_of(*value.row()), mint::title_of(row_)));
    }
    const auto id = row_.from_bytes(value.bytes());
    if (id) {
      const std::string& prefix = prefix_.empty() ? value.prefix() : prefix_;
      const bool bare = prefix.empty() || &row_.scheme != &TypeId::facts;
      return bare ? std::string{id->text()} : fmt::format("{}_{}", prefix, id->text());
    }
    if (id.error().fault() == Fault::wrong_length) {
      return std::unexpected(fmt::format("a {} has {} bytes, this value has {}", row_.scheme.title,
                                         row_.scheme.bytes, value.bytes().size()));
    }
    if (id.error().fault() == Fault::wrong_version) {
      return std::unexpected(
          fmt::format("its version and variant are not those of a {}; --to uuid "
                      "takes any 128 bits",
                      row_.scheme.title));
    }
    return std::unexpected(std::string{id.error().row().sentence});
  }

 private:
  [[nodiscard]] bool goes_with(const CatalogueRow& from) const {
    return &from == &row_ || (is_of_128_bits(from) && is_of_128_bits(row_));
  }
  [[nodiscard]] std::optional<std::string> between_v1_and_v6(const Value& value) const {
    const auto uuid = Uuid::from_bytes(value.bytes());
    if (!uuid) return std::nullopt;
    std::array<char, 36> text{};
    if (&row_.scheme == &UuidV6::facts && uuid->is_version(1)) {
      UuidV6::pack(UuidV1::from_uuid(*uuid)->unpack())->write(text);
    } else if (&row_.scheme == &UuidV1::facts && uuid->is_version(6)) {
      UuidV6::from_uuid(*uuid)->to_v1().write(text);
    } else {
      return std::nullopt;
    }
    return std::string{text.data(), text.size()};
  }

  const CatalogueRow& row_;
  std::string prefix_;
};

class FormWriter final : public Writer {
 public:
  explicit FormWriter(const TextForm& form) : form_(form) {}
  [[nodiscard]] OrWords<std::string> write(const Value& value) const override {
    std::string text(form_.digits(8 * static_cast<unsigned>(value.bytes().size())), '\0');
    text.resize(form_.write(value.bytes(), text));
    // A decimal number has no leading zeros; every other form keeps the width, so that texts sort.
    if (&form_.alphabet() == &kDecimal)
      text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
    return text;
  }

 private:
  const TextForm& form_;
};

class OrderWriter final : public Writer {
 public:
  explicit OrderWriter(const ByteOrder& order) : order_(order) {}
  [[nodiscard]] OrWords<std::string> write(const Value& value) const override {
    const auto id = uuid_of(value);
    if (!id) return std::unexpected(id.error());
    if (order_.name == "mariadb" && !mariadb_accepts(*id)) {
      return std::unexpected("MariaDB's type UUID refuses this value");
    }
    std::string text(32, '\0');
    write_hex(order_.to(*id), text);
    return text;
  }

 private:
  const ByteOrder& order_;
};

class SpellingWriter final : public Writer {
 public:
  explicit SpellingWriter(const UuidSpelling& spelling) : spelling_(spelling) {}
  [[nodiscard]] OrWords<std::string> write(const Value& value) const override {
    const auto id = uuid_of(value);
    if (!id) return std::unexpected(id.error());
    std::array<char, Uuid::kUrnSize> text{};
    return std::string{text.data(), ((*id).*spelling_.write)(text)};
  }

 private:
  const UuidSpelling& spelling_;
};

std::vector<std::string_view> all_names() {
  std::vector<std::string_view> names;
  for (const TextForm& form : kTextForms) names.push_back(form.name());
  for (const UuidSpelling& spelling : kSpellings) names.push_back(spelling.name);
  for (const ByteOrder& order : kByteOrders) names.push_back(order.name);
  return names;
}

std::string unknown(std::string_view name) {
  std::vector<std::string_view> names = all_names();
  for (const CatalogueRow& row : kCatalogue) names.push_back(row.name);
  return fmt::format("there is no scheme, form or order '{}'{}", name,
                     mint::did_you_mean(name, names));
}

/// Bits of a text form that is read: as asked for, or as the target has.
OrWords<unsigned> bits_of(const ConversionOptions& options) {
  if (options.bits == 0) {
    const CatalogueRow* row = find_scheme(options.to);
    return row == nullptr ? 128U : 8 * static_cast<unsigned>(row->scheme.bytes);
  }
  if (options.bits % 8 != 0 || options.bits > 8 * Value::kMostBytes) {
    return std::unexpected(
        fmt::format("--bits {}: it has to be whole bytes, 8 to 512", options.bits));
  }
  return options.bits;
}

}  // namespace

Value::Value(std::span<const std::byte> bytes, const CatalogueRow* row)
    : size_(bytes.size()), row_(row) {
  std::ranges::copy(bytes, bytes_.begin());
}

void Value::set_prefix_of(std::string_view text) {
  const std::size_t separator = text.rfind('_');
  if (separator != text.npos) prefix_ = text.substr(0, separator);
}

std::string conversion_names() { return fmt::format("{}", fmt::join(all_names(), " ")); }

OrWords<std::unique_ptr<Reader>> make_reader(const ConversionOptions& options) {
  if (options.from.empty()) return std::make_unique<DetectingReader>(options.now);
  if (const CatalogueRow* row = find_scheme(options.from))
    return std::make_unique<SchemeReader>(*row);
  if (const TextForm* form = find_form(options.from)) {
    const auto bits = bits_of(options);
    if (!bits) return std::unexpected(bits.error());
    return std::make_unique<FormReader>(*form, *bits);
  }
  if (const ByteOrder* order = find(kByteOrders, options.from))
    return std::make_unique<OrderReader>(*order);
  // Any spelling of a UUID is read as one.
  if (find(kSpellings, options.from) != nullptr)
    return std::make_unique<SchemeReader>(*find_scheme("uuid"));
  return std::unexpected(unknown(options.from));
}

OrWords<std::unique_ptr<Writer>> make_writer(const ConversionOptions& options) {
  if (const CatalogueRow* row = find_scheme(options.to)) {
    if (!options.prefix.empty() && &row->scheme != &TypeId::facts)
      return std::unexpected("only a TypeID has a prefix");
    if (!TypePrefix::parse(options.prefix))
      return std::unexpected(
          "the prefix of a TypeID has 63 lower-case letters at most, and `_` between");
    return std::make_unique<SchemeWriter>(*row, options.prefix);
  }
  if (!options.prefix.empty()) return std::unexpected("only a TypeID has a prefix");
  if (const TextForm* form = find_form(options.to)) return std::make_unique<FormWriter>(*form);
  if (const ByteOrder* order = find(kByteOrders, options.to))
    return std::make_unique<OrderWriter>(*order);
  if (const UuidSpelling* spelling = find(kSpellings, options.to))
    return std::make_unique<SpellingWriter>(*spelling);
  return std::unexpected(unknown(options.to));
}

}  // namespace mintmark::cli
