// Rows of a SQL server, column by column, back into what they were.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/sql/connection.h"
#include "store/row_text.h"
#include "store/store.h"

namespace mintmark::store {

/// Reads a row column by column; once one was not as asked for, the row is not good.
class SqlColumns {
 public:
  explicit SqlColumns(const io::sql::Row& row) : row_(row) {}

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool next_is_null() const { return at_ < row_.size() && !row_[at_]; }
  void skip(std::size_t columns) { at_ += columns; }

  std::string_view text() {
    if (at_ < row_.size() && row_[at_]) return *row_[at_++];
    good_ = false;
    return {};
  }
  template <std::integral T>
  void read(T& number) {
    const auto from = text();
    const char* const end = from.data() + from.size();
    const auto [stop, error] = std::from_chars(from.data(), end, number);
    if (error != std::errc{} || stop != end) good_ = false;
  }
  void read(Duration& length) {
    Duration::rep ticks = 0;
    read(ticks);
    length = Duration{ticks};
  }
  void read(Instant& instant) {
    Duration since{};
    read(since);
    instant = Instant{since};
  }
  void read(Nonce& nonce) {
    const auto parsed = parse_nonce(text());
    if (parsed) nonce = *parsed;
    if (!parsed) good_ = false;
  }
  void read(std::string& plain) {
    auto parsed = unescape(text());
    if (parsed) plain = *std::move(parsed);
    if (!parsed) good_ = false;
  }

 private:
  const io::sql::Row& row_;
  std::size_t at_ = 0;
  bool good_ = true;
};

/// The columns of mintmark_meta but its key, of a row named `m`.
inline constexpr std::string_view kMetaColumns =
    "m.incarnation, m.epoch, m.created_at, m.definition, m.marks, m.slot_base, m.slot_count, "
    "m.layout_epoch, m.unit, m.horizon_max, m.skew, m.not_before, m.range_floor, m.engine_ident, "
    "m.suspect";

/// Reads kMetaColumns.
[[nodiscard]] SpaceMeta read_meta(SqlColumns& columns, const Nonce& store_id);

}  // namespace mintmark::store
