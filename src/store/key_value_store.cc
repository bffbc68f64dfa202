#include "store/key_value_store.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "store/conditional.h"
#include "store/decide.h"
#include "store/row_text.h"

namespace mintmark::store {

namespace {

Key store_key() { return {"store", "id"}; }
std::string folder_of(std::string_view space) { return "spaces/" + escape_name(space); }
Key meta_key(std::string_view space) { return {folder_of(space), "meta"}; }
Key making_key(std::string_view space) { return {folder_of(space), "making"}; }
std::string marks_folder(std::string_view space) { return folder_of(space) + "/marks"; }
Key mark_key(std::string_view space, std::uint64_t slot) {
  return {marks_folder(space), fmt::format("{:05}", slot)};
}

std::unexpected<Failure> damaged(std::string_view what, std::string_view space) {
  return failure(Fault::store_regressed,
                 fmt::format("the {} of space \"{}\" is not what mintmark writes", what, space));
}

class KeyValueStore final : public ConditionalStore {
 public:
  KeyValueStore(std::unique_ptr<KeyValue> engine, const Environment& environment, Identity identity)
      : ConditionalStore(environment),
        engine_(std::move(engine)),
        ident_(std::move(identity.ident)) {}

  Outcome<SpaceMeta> open_space(const SpaceSetup& setup, BootInstant deadline) override;
  Outcome<bool> put_new(std::string_view key, std::string_view value,
                        BootInstant deadline) override;
  Outcome<std::vector<Mark>> scan(std::string_view space, BootInstant deadline) override;
  Outcome<Identity> identity(BootInstant deadline) override;

 protected:
  Outcome<std::optional<Sight>> see(std::string_view space, std::optional<std::uint64_t> slot,
                                    BootInstant deadline) override;
  Outcome<bool> change(std::string_view space, const Sight& seen, const SpaceMeta* meta,
                       const Mark* mark, BootInstant deadline) override;

 private:
  /// A space that is not there yet: the store's id, and what says that it is being made.
  struct Site {
    Nonce store_id{};
    std::optional<Kept> making;
    Instant now;
  };
  /// The space if it is there, or how far its making has come.
  Outcome<std::variant<SpaceMeta, Site>> look(const SpaceSetup& setup, BootInstant deadline);
  Outcome<Nonce> make_store_id(BootInstant deadline);
  Outcome<void> begin_making(const SpaceSetup& setup, BootInstant deadline);
  Outcome<void> finish_making(const SpaceSetup& setup, const Site& site, BootInstant deadline);
  Outcome<bool> make_rows(const SpaceSetup& setup, const Site& site, BootInstant deadline);
  Outcome<std::vector<Mark>> marks_of(std::string_view space, BootInstant deadline);

  std::unique_ptr<KeyValue> engine_;
  std::string ident_;
};

std::uint64_t rows_of(Marks marks, std::uint64_t slot_count) {
  return marks == Marks::slots ? slot_count : 1;
}

/// What the rows of a space are made from, behind the nonce in `making`: another maker's may differ.
std::string rows_wanted(const SpaceSetup& setup) {
  return setup.marks == Marks::slots ? fmt::format("slots {}", setup.slot_count)
                                     : fmt::format("counter {}", setup.first_value);
}

Outcome<SpaceMeta> KeyValueStore::open_space(const SpaceSetup& setup, BootInstant deadline) {
  if (auto checked = check_setup(setup); !checked) return std::unexpected(checked.error());
  MINTMARK_TRY(until, enter(deadline));
  // Each round finds what the one before, or somebody else, has made; a write that did not come to pass, or
  // of which nobody knows, is looked at again.
  for (;;) {
    MINTMARK_TRY(found, look(setup, until));
    if (auto* meta = std::get_if<SpaceMeta>(&found)) return std::move(*meta);
    const Site& site = std::get<Site>(found);
    const auto done = site.making ? finish_making(setup, site, until) : begin_making(setup, until);
    if (!done && done.error().error.fault() != Fault::outcome_unknown) {
      return std::unexpected(done.error());
    }
  }
}

auto KeyValueStore::look(const SpaceSetup& setup, BootInstant deadline)
    -> Outcome<std::variant<SpaceMeta, Site>> {
  const std::array keys{store_key(), meta_key(setup.name), making_key(setup.name)};
  MINTMARK_TRY(reading, engine_->read(keys, deadline));
  const auto& [id, meta, making] = std::tie(reading.kept[0], reading.kept[1], reading.kept[2]);
  if (meta) {
    auto parsed = parse_meta(meta->value);
    if (!parsed) return damaged("meta row", setup.name);
    MINTMARK_TRY(marks, marks_of(setup.name, deadline));
    const std::uint64_t wanted = rows_of(parsed->marks, parsed->slot_count);
    if (marks.size() == wanted) return *std::move(parsed);
    return failure(Fault::store_regressed,
                   fmt::format("space \"{}\" has {} rows of {}", setup.name, marks.size(), wanted));
  }
  Site site{.making = making, .now = reading.now.value_or(clock().wall())};
  if (!id) {
    MINTMARK_TRY(made, make_store_id(deadline));
    site.store_id = made;
    return site;
  }
  const auto store_id = parse_nonce(id->value);
  if (!store_id)
    return failure(Fault::store_regressed, "the store's id is not what mintmark writes");
  site.store_id = *store_id;
  return site;
}

Outcome<Nonce> KeyValueStore::make_store_id(BootInstant deadline) {
  MINTMARK_TRY(id, draw_nonce());
  const std::array conditions{Condition{store_key(), {}}};
  const std::array changes{Change{store_key(), hex(id)}};
  MINTMARK_TRY(written, engine_->write(conditions, changes, deadline));
  if (written) return id;
  const std::array keys{store_key()};
  MINTMARK_TRY(reading, engine_->read(keys, deadline));
  const auto theirs = reading.kept[0] ? parse_nonce(reading.kept[0]->value) : std::nullopt;
  if (!theirs) return failure(Fault::store_regressed, "the store's id is not what mintmark writes");
  return *theirs;
}

Outcome<void> KeyValueStore::begin_making(const SpaceSetup& setup, BootInstant deadline) {
  MINTMARK_TRY(marks, engine_->list(marks_folder(setup.name), deadline));
  if (!marks.empty()) {
    // Somebody may have begun between the two looks.
    const std::array keys{meta_key(setup.name), making_key(setup.name)};
    MINTMARK_TRY(again, engine_->read(keys, deadline));
    if (again.kept[0] || again.kept[1]) return {};
    return failure(Fault::store_regressed,
                   fmt::format("space \"{}\" has rows and no meta row", setup.name));
  }
  MINTMARK_TRY(making, draw_nonce());
  const std::array conditions{Condition{making_key(setup.name), {}},
                              Condition{meta_key(setup.name), {}}};
  const std::array changes{
      Change{making_key(setup.name), fmt::format("{} {}", hex(making), rows_wanted(setup))}};
  MINTMARK_TRY(written, engine_->write(conditions, changes, deadline));
  static_cast<void>(written);  // somebody began before: as good
  return {};
}

Outcome<void> KeyValueStore::finish_making(const SpaceSetup& setup, const Site& site,
                                           BootInstant deadline) {
  if (!site.making->value.ends_with(" " + rows_wanted(setup))) {
    return failure(Fault::layout_mismatch,
                   fmt::format("space \"{}\" is being made with other rows: found {}, wanted {}",
                               setup.name, site.making->value, rows_wanted(setup)));
  }
  MINTMARK_TRY(rows, make_rows(setup, site, deadline));
  if (!rows) return {};
  MINTMARK_TRY(meta, new_meta(setup, site.store_id, site.now + kClockGrain, setup.skew,
                              Past::possible, ident_));
  const std::array conditions{Condition{making_key(setup.name), site.making},
                              Condition{meta_key(setup.name), {}}};
  const std::array changes{Change{making_key(setup.name), {}},
                           Change{meta_key(setup.name), meta_text(meta)}};
  MINTMARK_TRY(written, engine_->write(conditions, changes, deadline));
  static_cast<void>(written);  // somebody finished before: as good
  return {};
}

/// True if all rows are there. False: somebody else makes them too; look again.
Outcome<bool> KeyValueStore::make_rows(const SpaceSetup& setup, const Site& site,
                                       BootInstant deadline) {
  MINTMARK_TRY(made, engine_->list(marks_folder(setup.name), deadline));
  std::set<std::string, std::less<>> there;
  for (auto& [name, value] : made) there.insert(std::move(name));
  const bool counter = setup.marks == Marks::counter;
  const Mark fresh{.high_water = counter ? setup.first_value : 0};
  const std::uint64_t rows = rows_of(setup.marks, setup.slot_count);
  // One place is for the condition on `making`.
  const std::size_t batch = engine_->most_changes() - 1;
  std::vector<Condition> conditions;
  std::vector<Change> changes;
  for (std::uint64_t slot = 0; slot < rows; ++slot) {
    Key key = mark_key(setup.name, slot);
    if (!there.contains(key.name)) {
      conditions.push_back({key, {}});
      changes.push_back({std::move(key), mark_text(fresh)});
    }
    if (changes.empty() || (changes.size() < batch && slot + 1 < rows)) continue;
    conditions.push_back({making_key(setup.name), site.making});
    MINTMARK_TRY(written, engine_->write(conditions, changes, deadline));
    if (!written) return false;
    conditions.clear();
    changes.clear();
  }
  return true;
}

Outcome<std::optional<Sight>> KeyValueStore::see(std::string_view space,
                                                 std::optional<std::uint64_t> slot,
                                                 BootInstant deadline) {
  std::vector<Key> keys{meta_key(space)};
  if (slot) keys.push_back(mark_key(space, *slot));
  MINTMARK_TRY(reading, engine_->read(keys, deadline));
  auto& meta = reading.kept[0];
  if (!meta) return std::nullopt;
  auto parsed = parse_meta(meta->value);
  if (!parsed) return damaged("meta row", space);
  Sight seen{.meta = *std::move(parsed), .mark = {}, .ident = ident_, .now = reading.now};
  seen.kept_meta = std::move(meta);
  if (!slot || !reading.kept[1]) return seen;
  seen.mark = parse_mark(*slot, reading.kept[1]->value);
  if (!seen.mark) return damaged("mark", space);
  seen.kept_mark = std::move(reading.kept[1]);
  return seen;
}

Outcome<bool> KeyValueStore::change(std::string_view space, const Sight& seen,
                                    const SpaceMeta* meta, const Mark* mark, BootInstant deadline) {
  std::vector<Condition> conditions{{meta_key(space), seen.kept_meta}};
  std::vector<Change> changes;
  if (meta != nullptr) changes.push_back({meta_key(space), meta_text(*meta)});
  if (mark != nullptr) {
    conditions.push_back({mark_key(space, mark->slot), seen.kept_mark});
    changes.push_back({mark_key(space, mark->slot), mark_text(*mark)});
  }
  return engine_->write(conditions, changes, deadline);
}

Outcome<std::vector<Mark>> KeyValueStore::marks_of(std::string_view space, BootInstant deadline) {
  MINTMARK_TRY(rows, engine_->list(marks_folder(space), deadline));
  std::vector<Mark> marks;
  marks.reserve(rows.size());
  for (const auto& [name, value] : rows) {
    std::uint64_t slot = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, slot);
    const auto mark = parse_mark(slot, value);
    if (error != std::errc{} || stop != end || !mark) return damaged("mark", space);
    marks.push_back(*mark);
  }
  std::ranges::sort(marks, {}, &Mark::slot);
  return marks;
}

Outcome<std::vector<Mark>> KeyValueStore::scan(std::string_view space, BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  MINTMARK_TRY(marks, marks_of(space, until));
  if (!marks.empty()) return marks;
  return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
}

Outcome<bool> KeyValueStore::put_new(std::string_view key, std::string_view value,
                                     BootInstant deadline) {
  if (auto checked = check_item(key, value); !checked) return std::unexpected(checked.error());
  MINTMARK_TRY(until, enter(deadline));
  const Key item{"items", escape_name(key)};
  const std::array conditions{Condition{item, {}}};
  const std::array changes{Change{item, std::string{value}}};
  return engine_->write(conditions, changes, until);
}

Outcome<Identity> KeyValueStore::identity(BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  return engine_->identity(until);
}

}  // namespace

Outcome<std::unique_ptr<Store>> open_key_value(std::unique_ptr<KeyValue> engine,
                                               const Environment& environment,
                                               BootInstant deadline) {
  MINTMARK_TRY(identity, engine->identity(deadline));
  return std::make_unique<KeyValueStore>(std::move(engine), environment, std::move(identity));
}

}  // namespace mintmark::store
