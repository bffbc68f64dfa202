// Orders: what databases and languages make of the order of IDs, as keys whose bytes have that order.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "mintmark/scheme/catalogue.h"

namespace mintmark::cli {

/// Bytes that sort as the order says.
struct SortKey {
  std::array<std::byte, CatalogueId::kMostText> bytes{};
  std::size_t size = 0;
  [[nodiscard]] std::span<const std::byte> view() const { return std::span{bytes}.first(size); }
};

/// Makes the keys of IDs that are all of one kind: that of the first, or the one that is given. One thread.
class SortKeys {
 public:
  /// `order` is `text`, `bytes`, `signed`, or the name of an order of UUIDs; the error is words. `row` may
  /// be null: then the first text decides.
  [[nodiscard]] static std::expected<SortKeys, std::string> make(std::string_view order,
                                                                 const CatalogueRow* row);

  /// The error is words: no ID, or one of another kind than those before, or one that has no such order.
  [[nodiscard]] std::expected<SortKey, std::string> key_of(std::string_view text);

 private:
  using Encode = std::expected<SortKey, std::string> (SortKeys::*)(std::string_view) const;

  SortKeys(std::string_view order, const CatalogueRow* row) : order_(order), row_(row) {}
  [[nodiscard]] std::expected<SortKey, std::string> by_text(std::string_view text) const;
  [[nodiscard]] std::expected<SortKey, std::string> by_number(std::string_view text) const;
  [[nodiscard]] std::expected<SortKey, std::string> by_uuid(std::string_view text) const;
  [[nodiscard]] std::expected<SortKey, std::string> by_bytes(std::string_view text) const;
  /// Chooses how the keys are made.
  [[nodiscard]] std::expected<Encode, std::string> settle(std::string_view text);
  [[nodiscard]] std::string refuse(std::string_view text, const Error& error) const;

  std::string order_;
  const CatalogueRow* row_;
  Encode encode_ = nullptr;
};

/// The names of all orders, for help and errors.
[[nodiscard]] std::string sort_order_names();

}  // namespace mintmark::cli
