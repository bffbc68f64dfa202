// The likeliest scheme is the one of which most of the texts look like this one.
//
// A scheme with s symbols has s^n texts of n characters, so that a text of ten decimal digits is rather a
// number than ten characters of base64 that happen to be digits: the cost of a reading is the bits of such a
// text, and some more for each thing that an ID of the scheme would not have, a time in the future above all.
#include "mint/recognize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace mintmark::mint {
namespace {

constexpr Duration kDay = std::chrono::hours{24};
/// How far a fleet's clock, or a time zone taken for another, may put an ID into the future.
constexpr Duration kMostAhead = kDay;
/// IDs made in the first days of an epoch are rare; small numbers that are no IDs are common.
constexpr Duration kEpochRush = 30 * kDay;

// In bits, as the cost of the text: one ID of 2^20 is what these are thought to be.
constexpr double kFromTheFuture = 20;
constexpr double kAtTheEpoch = 24;
constexpr double kNoTimeWhereOneIsUsual = 10;
constexpr double kOtherSpelling = 1;

Merit merit_of(const CatalogueRow& row, const std::optional<Instant>& time, Instant now) {
  if (!time) return Merit::timeless;
  if (*time > now + kMostAhead) return Merit::from_the_future;
  if (*time < row.scheme.epoch + kEpochRush) return Merit::at_the_epoch;
  return Merit::plausible;
}

double cost_of(const Candidate& candidate, std::string_view text) {
  double cost = static_cast<double>(text.size()) * std::log2(symbols_of(candidate.row->spelling));
  if (candidate.id.text() != text) cost += kOtherSpelling;
  switch (candidate.merit) {
    case Merit::plausible:
      return cost;
    case Merit::timeless:
      return cost + (candidate.row->scheme.order == TimeOrder::none ? 0 : kNoTimeWhereOneIsUsual);
    case Merit::from_the_future:
      return cost + kFromTheFuture;
    case Merit::at_the_epoch:
      return cost + kAtTheEpoch;
  }
  return cost;
}

/// A claim that says nothing new beside another one: a UUID beside one of a version, and a TypeID without
/// prefix and time beside the ULID of the same digits.
bool is_covered(const Candidate& candidate, const std::vector<Candidate>& others) {
  const auto beside = [&others](std::string_view family) {
    return std::ranges::any_of(others, [family](const Candidate& other) {
      return other.row->scheme.name.starts_with(family);
    });
  };
  if (&candidate.row->scheme == &Uuid::facts) return beside(Uuid::facts.name);
  return &candidate.row->scheme == &TypeId::facts && candidate.merit == Merit::timeless &&
         beside(Ulid::facts.name);
}

/// How many characters the text has too many or too few for the scheme.
std::size_t off_by(const CatalogueRow& row, std::string_view text) {
  const std::size_t size = row.scheme.text_size;
  return text.size() > size ? text.size() - size : size - text.size();
}

/// Four digits in front, or nothing but digits.
bool begins_as_number(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9' &&
         text.find_first_not_of("0123456789") >= std::min<std::size_t>(text.size(), 4);
}

bool only_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// The text could be taken for an ID of the scheme without anybody saying so.
bool may_be(const CatalogueRow& row, std::string_view text) {
  switch (row.detection) {
    case Detection::by_text:
      return true;
    case Detection::by_hyphen:
      return text.starts_with('-');
    case Detection::when_named:
      return false;
  }
  return false;
}

/// A text whose last part could be the suffix of a TypeID.
bool has_prefix(std::string_view text) { return text.find('_') != text.npos; }

}  // namespace

Result<Candidate> recognize_as(const CatalogueRow& row, std::string_view text, Instant now) {
  auto id = row.parse(text);
  if (!id) return fail(id.error());
  return Candidate{&row, *id, merit_of(row, id->time(), now)};
}

std::vector<Candidate> recognize(std::string_view text, Instant now) {
  std::vector<Candidate> candidates;
  for (const CatalogueRow& row : kCatalogue) {
    if (!may_be(row, text)) continue;
    auto candidate = recognize_as(row, text, now);
    if (candidate && !is_covered(*candidate, candidates)) candidates.push_back(*candidate);
  }
  // The order of the catalogue, which is that of the rows, decides among equals.
  std::ranges::sort(candidates, [text](const Candidate& a, const Candidate& b) {
    const double first = cost_of(a, text);
    const double second = cost_of(b, text);
    return first < second || (first == second && a.row < b.row);
  });
  return candidates;
}

const CatalogueRow& closest_scheme(std::string_view text) {
  constexpr std::size_t kFar = 16;
  const bool number = begins_as_number(text);
  const CatalogueRow* best = nullptr;
  std::size_t smallest = 0;
  for (const CatalogueRow& row : kCatalogue) {
    if (!may_be(row, text)) continue;
    std::size_t off = off_by(row, text);
    if (row.spelling == Spelling::decimal && text.size() <= row.scheme.text_size) {
      off = number ? 0 : kFar;
    } else if (only_digits(text)) {
      off += kFar;
    }
    if (row.scheme.name.starts_with(Uuid::facts.name)) {
      // The widest claim of the family: a wrong version is no reason to refuse a UUID.
      if (&row.scheme != &Uuid::facts) continue;
      for (const std::size_t size : {Uuid::kPlainSize, Uuid::kBracedSize, Uuid::kUrnSize}) {
        if (text.size() == size) off = 0;
      }
    }
    if (row.fields.front().kind == FieldKind::prefix) off = has_prefix(text) ? 0 : kFar;
    if (best == nullptr || off < smallest) {
      best = &row;
      smallest = off;
    }
  }
  return *best;
}

}  // namespace mintmark::mint
