#include "cli/sort_order.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "cli/words.h"
#include "io/os_clock.h"
#include "mint/did_you_mean.h"
#include "mint/inspect.h"
#include "mint/recognize.h"
#include "mintmark/scheme/uuid_orders.h"

namespace mintmark::cli {
namespace {

using Key = std::expected<SortKey, std::string>;

SortKey key_of_bytes(std::span<const std::byte> bytes) {
  SortKey key;
  std::ranges::copy(bytes, key.bytes.begin());
  key.size = bytes.size();
  return key;
}

bool is_uuid(const CatalogueRow& row) { return row.scheme.name.starts_with(Uuid::facts.name); }

/// What a text of the row is called where any of its family will do.
std::string_view family(const CatalogueRow& row) {
  if (is_uuid(row)) return "UUID";
  return row.spelling == Spelling::decimal ? "64-bit number" : row.scheme.title;
}

bool is_known(std::string_view order) {
  return order == "text" || find_uuid_order(order).has_value();
}

}  // namespace

std::string sort_order_names() {
  std::string names = "text";
  for (const UuidOrder& order : kUuidOrders) names += fmt::format(" {}", order.name);
  return names;
}

std::expected<SortKeys, std::string> SortKeys::make(std::string_view order,
                                                    const CatalogueRow* row) {
  if (is_known(order)) return SortKeys{order, row};
  std::vector<std::string_view> names{"text"};
  for (const UuidOrder& each : kUuidOrders) names.push_back(each.name);
  return std::unexpected(fmt::format("there is no order '{}'{}; there are {}", order,
                                     mint::did_you_mean(order, names), sort_order_names()));
}

Key SortKeys::key_of(std::string_view text) {
  if (encode_ == nullptr) {
    const auto encode = settle(text);
    if (!encode) return std::unexpected(encode.error());
    encode_ = *encode;
  }
  return (this->*encode_)(text);
}

std::expected<SortKeys::Encode, std::string> SortKeys::settle(std::string_view text) {
  if (row_ == nullptr && order_ == "signed" && text.starts_with('-'))
    row_ = find_scheme("snowflake");
  if (row_ == nullptr) {
    const auto candidates = mint::recognize(text, io::wall_now());
    row_ = candidates.empty() ? &mint::closest_scheme(text) : candidates.front().row;
    if (candidates.empty()) return std::unexpected(refuse(text, row_->parse(text).error()));
  }
  if (order_ == "text") return &SortKeys::by_text;
  if (is_uuid(*row_)) return &SortKeys::by_uuid;
  if (row_->spelling == Spelling::decimal && (order_ == "signed" || order_ == "bytes")) {
    return &SortKeys::by_number;
  }
  // The prefix comes first, and it is not among the bytes.
  if (order_ == "bytes" && &row_->scheme == &TypeId::facts) return &SortKeys::by_text;
  if (order_ == "bytes") return &SortKeys::by_bytes;
  if (order_ == "signed") {
    return std::unexpected(
        fmt::format("the order signed is one of 64-bit numbers and UUIDs; {} is a {}", shown(text),
                    family(*row_)));
  }
  return std::unexpected(
      fmt::format("the order {} is one of UUIDs; {} is a {}", order_, shown(text), family(*row_)));
}

std::string SortKeys::refuse(std::string_view text, const Error& error) const {
  return fmt::format("{} is not a {}: {}", shown(text), family(*row_),
                     mint::explain_as(*row_, text, error));
}

Key SortKeys::by_text(std::string_view text) const {
  if (is_uuid(*row_)) {
    if (const auto id = Uuid::parse(text); !id) return std::unexpected(refuse(text, id.error()));
  } else if (row_->spelling == Spelling::decimal) {
    if (const auto id = Snowflake::parse(text); !id)
      return std::unexpected(refuse(text, id.error()));
  } else if (const auto id = row_->parse(text); !id) {
    return std::unexpected(refuse(text, id.error()));
  }
  return key_of_bytes(std::as_bytes(std::span{text}));
}

Key SortKeys::by_number(std::string_view text) const {
  std::uint64_t value = 0;
  if (order_ == "signed" && text.starts_with('-')) {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{} || read.ptr != end) {
      return std::unexpected(fmt::format("{} is not a signed 64-bit number", shown(text)));
    }
    value = static_cast<std::uint64_t>(number);
  } else {
    const auto id = Snowflake::parse(text);
    if (!id) return std::unexpected(refuse(text, id.error()));
    value = id->value();
  }
  // With its sign bit turned, a signed number has the order of an unsigned one.
  if (order_ == "signed") value ^= std::uint64_t{1} << 63;
  std::array<std::byte, sizeof value> bytes{};
  store_be(bytes, value);
  return key_of_bytes(bytes);
}

Key SortKeys::by_uuid(std::string_view text) const {
  const auto id = Uuid::parse(text);
  if (!id) return std::unexpected(refuse(text, id.error()));
  if (order_ == "mariadb" && !mariadb_accepts(*id))
    return std::unexpected(fmt::format("{}: MariaDB's type UUID refuses this value", shown(text)));
  return key_of_bytes(find_uuid_order(order_)->sort_key(*id));
}

Key SortKeys::by_bytes(std::string_view text) const {
  const auto id = row_->parse(text);
  if (!id) return std::unexpected(refuse(text, id.error()));
  return key_of_bytes(id->bytes());
}

}  // namespace mintmark::cli
