// What the functions of `mintmark sql` are held against: IDs and bounds as the library has them, for random
// times and for the ends of each scheme.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/uuid.h"
#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/uuid_v6.h"
#include "seed.h"

namespace mintmark::cli {

/// A scheme, kept in one way.
struct SqlCase {
  std::string_view scheme;
  std::string_view form;  ///< as --form has it
};

/// One time, an ID of it, and its bounds; all as texts: hex digits for bytes.
struct SqlSample {
  std::string id;
  std::string time_of_id;
  std::string time;
  std::string floor;  ///< empty for a scheme that does not sort
  std::string ceil;
};

/// `2026-12-01 08:30:00.123456`.
inline std::string sql_time(Instant time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  const auto us = std::chrono::floor<std::chrono::microseconds>(time.time_since_epoch() -
                                                                second.time_since_epoch())
                      .count();
  const std::string text{TimeText{second}.view()};
  const std::size_t t = text.find('T');
  const std::string digits = std::to_string(1'000'000 + us).substr(1);
  return text.substr(0, t) + " " + text.substr(t + 1, 8) + "." + digits;
}

/// As it stands in a column of that form.
inline std::string sql_spelling(const CatalogueId& id, std::string_view form) {
  if (form == "integer") return std::to_string(static_cast<std::uint64_t>(id.bits(0, 64)));
  if (form == "uuid") {
    std::array<char, 36> text{};
    return {text.data(), Uuid::from_bytes(id.bytes())->write(text)};
  }
  if (form != "bytes") return std::string{id.text()};
  std::string hex;
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const std::byte byte : id.bytes()) {
    hex += kDigits[static_cast<std::size_t>(byte) >> 4];
    hex += kDigits[static_cast<std::size_t>(byte) & 15];
  }
  return hex;
}

/// An ID between the bounds: the bits in which they differ are free.
inline CatalogueId random_id(const CatalogueRow& row, Instant time, std::mt19937_64& random) {
  const CatalogueId least = *row.floor(time);
  const CatalogueId largest = *row.ceil(time);
  std::array<std::byte, CatalogueId::kMostBytes> bytes{};
  for (std::size_t i = 0; i < least.bytes().size(); ++i) {
    const std::byte free = least.bytes()[i] ^ largest.bytes()[i];
    bytes[i] = least.bytes()[i] | (free & static_cast<std::byte>(random()));
  }
  return *row.from_bytes(std::span{bytes}.first(least.bytes().size()));
}

/// The last time of an unsigned layout whose IDs are not negative in a signed column.
inline Instant last_of_signed(const SqlCase& given, Instant otherwise) {
  if (given.scheme != "discord" && given.scheme != "tsid") return otherwise;
  const Facts& facts = find_scheme(given.scheme)->scheme;
  return facts.epoch + (std::int64_t{1} << 41) * facts.unit - std::chrono::microseconds{1};
}

class SqlSamples {
 public:
  /// `first` and `last` are what the database can say of times.
  SqlSamples(const SqlCase& given, Instant first, Instant last)
      : case_(given), random_(test_seed()) {
    // Of the same time, with the same bits, in the order in which they sort.
    is_v1_ = given.scheme == "uuid1";
    row_ = find_scheme(is_v1_ ? "uuid6" : given.scheme);
    first_ = std::max(first, row_->scheme.epoch);
    last_ = std::min(last, end_of(*row_));
  }

  [[nodiscard]] Instant first() const { return first_; }
  [[nodiscard]] Instant last() const { return last_; }
  /// The end of the scheme itself: one microsecond later there is none.
  [[nodiscard]] bool ends_itself() const { return last_ == end_of(*row_); }

  /// The ends, times of these years, and times of all that the scheme has.
  [[nodiscard]] std::vector<SqlSample> make(std::size_t count) {
    std::vector<SqlSample> samples{of(first_), of(last_)};
    const Instant from = std::max(first_, *parse_time("2000-01-01"));
    const Instant to = std::min(last_, *parse_time("2040-01-01"));
    while (samples.size() < count) {
      samples.push_back(of(between(first_, last_)));
      if (from < to) samples.push_back(of(between(from, to)));
    }
    return samples;
  }

 private:
  static Instant end_of(const CatalogueRow& row) {
    Instant fits = std::max(row.scheme.epoch, Instant{});
    Instant fails = Instant::max();
    while (fails - fits > Duration{1}) {
      const Instant middle = fits + (fails - fits) / 2;
      (row.floor(middle) ? fits : fails) = middle;
    }
    // The last microsecond of which every tick is there.
    const Duration others = row.scheme.unit == Duration{1} ? Duration{9} : Duration{0};
    return std::chrono::floor<std::chrono::microseconds>(fits - others);
  }

  Instant between(Instant from, Instant to) {
    std::uniform_int_distribution<std::int64_t> any{from.time_since_epoch().count() / 10,
                                                    to.time_since_epoch().count() / 10};
    return Instant{std::chrono::microseconds{any(random_)}};
  }

  SqlSample of(Instant time) {
    // A microsecond of ten ticks has its largest ID in the last of them.
    const Instant last_tick = row_->scheme.unit == Duration{1} ? time + Duration{9} : time;
    CatalogueId id = random_id(*row_, time, random_);
    if (is_v1_) id = CatalogueId::of(UuidV6::parse(id.text())->to_v1());
    SqlSample sample{.id = sql_spelling(id, case_.form),
                     .time_of_id = sql_time(*id.time()),
                     .time = sql_time(time),
                     .floor = {},
                     .ceil = {}};
    if (is_v1_) return sample;
    sample.floor = sql_spelling(*row_->floor(time), case_.form);
    sample.ceil = sql_spelling(*row_->ceil(last_tick), case_.form);
    return sample;
  }

  SqlCase case_;
  std::mt19937_64 random_;
  bool is_v1_ = false;
  const CatalogueRow* row_ = nullptr;
  Instant first_;
  Instant last_;
};

/// IDs of the form that are none of the scheme, and so have no time.
inline std::vector<std::string> sql_strangers(const SqlCase& given, std::string good) {
  if (given.scheme == "discord" || given.scheme == "tsid")
    return {};  // every number of 64 bits is one
  if (given.form == "integer") return {"-1"};
  if (given.form == "uuid" && given.scheme == "ulid") return {};
  if (given.scheme.starts_with("uuid")) {
    const std::size_t version = given.form == "bytes" ? 12 : 14;
    const std::size_t variant = given.form == "bytes" ? 16 : 19;
    std::string other = good;
    other[version] = '4';
    std::string microsoft = good;
    microsoft[variant] = 'c';
    return {other, microsoft};
  }
  if (given.form == "bytes") return {good.substr(2)};
  std::string odd = good;
  odd[3] = '!';
  std::vector<std::string> strangers{good.substr(1), odd};
  if (given.scheme == "ulid") strangers.push_back("8" + good.substr(1));
  if (given.scheme == "xid") strangers.push_back(good.substr(0, 19) + "1");
  if (given.scheme == "ksuid") strangers.push_back(std::string(27, 'z'));
  return strangers;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

}  // namespace mintmark::cli
