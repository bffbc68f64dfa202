#include "cli/verify_tally.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/os_clock.h"
#include "mint/recognize.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid.h"

namespace mintmark::cli {
namespace {

/// A count for each worker: 8 MiB at the most.
constexpr std::uint64_t kMostWorkers = std::uint64_t{1} << 20;

}  // namespace

std::string_view name(IdKind kind) {
  constexpr std::array<std::string_view, kIdKinds> kNames{"decimal", "uuid", "ulid"};
  return kNames[static_cast<std::size_t>(kind)];
}

Result<AnyId> parse_any(std::string_view text) {
  if (text.size() <= Snowflake::kMostText) {
    MINTMARK_TRY(value, parse_decimal(text));
    return AnyId{IdKind::decimal, value};
  }
  if (text.size() == Ulid::facts.text_size) {
    MINTMARK_TRY(ulid, Ulid::parse(text));
    return AnyId{IdKind::ulid, ulid.integer()};
  }
  MINTMARK_TRY(uuid, Uuid::parse(text));
  return AnyId{IdKind::uuid, uuid.integer()};
}

std::string text_of(const AnyId& id) {
  std::array<char, 64> text{};
  std::size_t size = 0;
  const auto high = static_cast<std::uint64_t>(id.value >> 64);
  const auto low = static_cast<std::uint64_t>(id.value);
  switch (id.kind) {
    case IdKind::decimal:
      size = write_decimal(low, text);
      break;
    case IdKind::uuid:
      size = Uuid::of(high, low).write(text);
      break;
    case IdKind::ulid:
      size = Ulid::from_uuid(Uuid::of(high, low)).write(text);
      break;
  }
  return {text.data(), size};
}

std::optional<OtherId> parse_other(std::string_view text) {
  const auto candidates = mint::recognize(text, io::wall_now());
  if (candidates.empty()) return std::nullopt;
  return OtherId{candidates.front().row, candidates.front().id};
}

Tally::Tally(const Options& options) : options_(options) {
  if (options_.layout.slot_count() <= kMostWorkers) {
    workers_.resize(static_cast<std::size_t>(options_.layout.slot_count()));
  }
}

void Tally::start_file(std::string name) {
  files_.push_back({.name = std::move(name)});
  last_ = {};
  last_other_.reset();
}

/// Half for the kind that comes first, which is nearly always the only one; the others share the rest.
std::size_t Tally::share_of_memory() {
  return std::exchange(first_share_, false) ? options_.memory / 2 : options_.memory / 6;
}

template <class Key>
bool Tally::keep(std::unique_ptr<DuplicateFinder<Key>>& finder, Key key) {
  if (!finder) finder = std::make_unique<DuplicateFinder<Key>>(share_of_memory());
  return finder->add(key);
}

bool Tally::add(const AnyId& id) {
  ++counts_[static_cast<std::size_t>(id.kind)];
  ++files_.back().ids;
  note_order(id);
  if (id.kind != IdKind::decimal) return keep(wide_[static_cast<std::size_t>(id.kind)], id.value);
  const auto value = static_cast<std::uint64_t>(id.value);
  if (!workers_.empty()) ++workers_[static_cast<std::size_t>(options_.layout.slot_of(value))];
  return keep(decimals_, value);
}

bool Tally::add(const OtherId& other) {
  ++others_[other.row->name];
  ++files_.back().ids;
  note_order(other);
  if (!texts_)
    texts_ = std::make_unique<TextSorter>(TextSorter::Options{.memory = share_of_memory()});
  const std::string_view text = other.id.text();
  return texts_->add(std::as_bytes(std::span{text}), text);
}

void Tally::note_order(const OtherId& other) {
  if (last_other_ && last_other_->row == other.row) {
    const auto before = last_other_->id.bytes();
    const auto after = other.id.bytes();
    if (last_other_->id.text() == other.id.text()) {
      ++files_.back().repeats;
    } else if (std::ranges::lexicographical_compare(after, before)) {
      ++files_.back().descents;
    }
  }
  last_other_ = other;
}

void Tally::note_order(const AnyId& id) {
  std::optional<U128>& last = last_[static_cast<std::size_t>(id.kind)];
  if (last && id.value < *last) ++files_.back().descents;
  if (last && id.value == *last) ++files_.back().repeats;
  last = id.value;
}

void Tally::add_bad(std::string place, std::string words) {
  ++bad_;
  if (bad_lines_.size() < kShown) bad_lines_.push_back({std::move(place), std::move(words)});
}

template <class Key>
bool Tally::find_in(std::unique_ptr<DuplicateFinder<Key>>& finder, IdKind kind) {
  if (!finder) return true;
  const bool found = finder->finish([this, kind](Key key, std::uint64_t times) {
    duplicates_ += times - 1;
    ++duplicated_;
    if (shown_.size() >= kShown) return;
    const AnyId id{kind, key};
    shown_.push_back({.id = id, .text = text_of(id), .times = times, .places = {}});
  });
  if (found) finder.reset();
  return found;
}

bool Tally::find_in_others() {
  if (!texts_) return true;
  std::string last;
  std::uint64_t times = 0;
  const auto end_run = [&] {
    if (times < 2) return;
    duplicates_ += times - 1;
    ++duplicated_;
    if (shown_.size() < kShown)
      shown_.push_back({.id = {}, .text = last, .times = times, .places = {}});
  };
  const bool found = texts_->finish([&](std::string_view text) {
    if (times > 0 && text == last) {
      ++times;
      return true;
    }
    end_run();
    last = text;
    times = 1;
    return true;
  });
  if (!found) return false;
  end_run();
  texts_.reset();
  return true;
}

bool Tally::finish() {
  bool found = find_in(decimals_, IdKind::decimal);
  for (const IdKind kind : {IdKind::uuid, IdKind::ulid}) {
    found = found && find_in(wide_[static_cast<std::size_t>(kind)], kind);
  }
  return found && find_in_others();
}

std::string Tally::failure() const {
  if (texts_ && !texts_->failure().detail.empty()) return texts_->failure().detail;
  if (decimals_ && !decimals_->failure().detail.empty()) return decimals_->failure().detail;
  for (const auto& finder : wide_) {
    if (finder && !finder->failure().detail.empty()) return finder->failure().detail;
  }
  return {};
}

std::uint64_t Tally::ids() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  for (const auto& [name, count] : others_) sum += count;
  return sum;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> Tally::workers() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> occurring;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    if (workers_[i] > 0) occurring.emplace_back(i, workers_[i]);
  }
  return occurring;
}

}  // namespace mintmark::cli
