#include "store/memory.h"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "io/fork_guard.h"
#include "io/os_clock.h"
#include "store/decide.h"
#include "store/time_line.h"

namespace mintmark::store {

namespace {

/// The line of a memory store never outlives the machine's start; any name but the empty one will do.
constexpr std::string_view kThisStart = "this process";

struct Rows {
  std::optional<SpaceMeta> meta;
  std::map<std::uint64_t, Mark> marks;
};

/// One store. All members but the mutex are guarded by it.
struct Shared {
  std::mutex mutex;
  Nonce store_id{};
  TimeLine line;
  std::map<std::string, Rows, std::less<>> spaces;
  std::map<std::string, std::string, std::less<>> items;
};

struct Registry {
  io::ForkGuard guard;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Shared>, std::less<>> stores;
};

/// The registry of this process; a child makes its own and never touches the lock of its parent's.
Registry& registry() {
  constinit static std::atomic<Registry*> current{nullptr};
  Registry* found = current.load(std::memory_order_acquire);
  while (found == nullptr || !found->guard.same_process()) {
    auto mine = std::make_unique<Registry>();
    if (current.compare_exchange_strong(found, mine.get(), std::memory_order_acq_rel)) {
      return *mine.release();
    }
  }
  return *found;
}

class MemoryStore final : public Store {
 public:
  MemoryStore(std::shared_ptr<Shared> shared, const Clock& clock)
      : shared_(std::move(shared)), clock_(clock) {}

  Outcome<SpaceMeta> open_space(const SpaceSetup& setup, BootInstant deadline) override {
    if (auto checked = check_setup(setup); !checked) return std::unexpected(checked.error());
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    Rows& rows = shared_->spaces[setup.name];
    if (rows.meta) {
      const std::uint64_t wanted = rows.meta->marks == Marks::slots ? rows.meta->slot_count : 1;
      if (rows.marks.size() == wanted) return *rows.meta;
      return failure(Fault::store_regressed, fmt::format("space \"{}\" has {} rows of {}",
                                                         setup.name, rows.marks.size(), wanted));
    }
    if (!rows.marks.empty()) {
      return failure(Fault::store_regressed,
                     fmt::format("space \"{}\" has rows and no meta row", setup.name));
    }
    return make_space(setup, rows);
  }

  Answer advance(const Claim& claim, BootInstant deadline) override {
    auto lock = enter(deadline);
    if (!lock) return Refused{.failure = lock.error(), .store_now = {}};
    const auto found = shared_->spaces.find(claim.space);
    if (found == shared_->spaces.end() || !found->second.meta) {
      return Refused{.failure = {Error{Fault::store_regressed},
                                 fmt::format("space \"{}\" has no meta row", claim.space)},
                     .store_now = {}};
    }
    Rows& rows = found->second;
    const auto mark = rows.marks.find(claim.slot);
    Standing standing{.meta = *rows.meta, .mark = {}, .engine = {}, .now = {}};
    if (mark != rows.marks.end()) standing.mark = mark->second;
    standing.now = now_by(shared_->line, here(), rows.meta->skew);
    auto answer = decide(claim, standing);
    if (const auto* grant = std::get_if<Grant>(&answer)) {
      mark->second = {.slot = claim.slot,
                      .high_water = grant->end,
                      .grants = grant->grants,
                      .owner = claim.life};
    } else if (const auto* refusal = std::get_if<Refused>(&answer)) {
      const bool regressed = refusal->failure.error.fault() == Fault::store_regressed;
      if (regressed && !rows.meta->suspect) rows.meta->suspect = refusal->failure.detail;
    }
    return answer;
  }

  Outcome<bool> put_new(std::string_view key, std::string_view value,
                        BootInstant deadline) override {
    if (auto checked = check_item(key, value); !checked) return std::unexpected(checked.error());
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    return shared_->items.try_emplace(std::string{key}, value).second;
  }

  Outcome<std::vector<Mark>> scan(std::string_view space, BootInstant deadline) override {
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    MINTMARK_TRY(rows, rows_of(space));
    std::vector<Mark> marks;
    marks.reserve(rows->marks.size());
    for (const auto& [slot, mark] : rows->marks) marks.push_back(mark);
    return marks;
  }

  Outcome<Identity> identity(BootInstant deadline) override {
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    Identity identity{
        .engine = "memory", .ident = hex(shared_->store_id), .progress = 0, .now = {}};
    for (const auto& [name, rows] : shared_->spaces) {
      for (const auto& [slot, mark] : rows.marks) identity.progress += mark.grants;
    }
    identity.now = now_by(shared_->line, here(), SpaceSetup{}.skew);
    return identity;
  }

  Outcome<void> set_suspect(std::string_view space, std::string_view reason,
                            BootInstant deadline) override {
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    MINTMARK_TRY(rows, rows_of(space));
    if (!rows->meta->suspect) rows->meta->suspect = reason;
    return {};
  }

  Outcome<SpaceMeta> fence(std::string_view space, const FenceOrder& order,
                           BootInstant deadline) override {
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    MINTMARK_TRY(rows, rows_of(space));
    std::optional<Mark> counter;
    const auto mark = rows->marks.find(0);
    if (rows->meta->marks == Marks::counter && mark != rows->marks.end()) counter = mark->second;
    MINTMARK_TRY(fence,
                 fenced(space, *rows->meta, counter, order, clock_.wall(), hex(shared_->store_id)));
    if (fence.counter) mark->second = *fence.counter;
    rows->meta = fence.meta;
    return fence.meta;
  }

  Outcome<void> accept_time(BootInstant deadline) override {
    const auto lock = enter(deadline);
    if (!lock) return std::unexpected(lock.error());
    shared_->line = here();
    return {};
  }

 private:
  using Lock = std::unique_lock<std::mutex>;

  [[nodiscard]] TimeLine here() const { return read_line(clock_, std::string{kThisStart}); }

  Outcome<Lock> enter(BootInstant deadline) {
    if (!guard_.same_process()) {
      return failure(Fault::forked, "this handle was opened by the parent process");
    }
    Lock lock{shared_->mutex, std::try_to_lock};
    while (!lock.owns_lock()) {
      if (clock_.boot() >= deadline) {
        return failure(Fault::store_unavailable, "the store was locked until the deadline");
      }
      io::pause_for(std::chrono::microseconds{200});
      static_cast<void>(lock.try_lock());
    }
    return lock;
  }

  Outcome<Rows*> rows_of(std::string_view space) {
    const auto found = shared_->spaces.find(space);
    if (found == shared_->spaces.end() || !found->second.meta) {
      return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
    }
    return &found->second;
  }

  Outcome<SpaceMeta> make_space(const SpaceSetup& setup, Rows& rows) {
    MINTMARK_TRY(meta, new_meta(setup, shared_->store_id, clock_.wall(), setup.skew, Past::none,
                                hex(shared_->store_id)));
    if (setup.marks == Marks::counter) {
      rows.marks.try_emplace(0, Mark{.slot = 0, .high_water = setup.first_value});
    }
    for (std::uint64_t slot = 0; slot < meta.slot_count; ++slot) {
      rows.marks.try_emplace(slot, Mark{.slot = slot});
    }
    rows.meta = meta;
    return meta;
  }

  std::shared_ptr<Shared> shared_;
  const Clock& clock_;
  io::ForkGuard guard_;
};

}  // namespace

Outcome<std::unique_ptr<Store>> open_memory(std::string_view name, const Environment& environment) {
  Registry& all = registry();
  const std::lock_guard lock{all.mutex};
  auto& shared = all.stores[std::string{name}];
  if (!shared) {
    MINTMARK_TRY(store_id, draw_nonce());
    shared = std::make_shared<Shared>();
    shared->store_id = store_id;
    shared->line = read_line(environment.clock, std::string{kThisStart});
  }
  return std::make_unique<MemoryStore>(shared, environment.clock);
}

struct MemoryBackDoor::Impl {
  std::shared_ptr<Shared> shared;
};

MemoryBackDoor::MemoryBackDoor(std::string_view name) : impl_(std::make_unique<Impl>()) {
  Registry& all = registry();
  const std::lock_guard lock{all.mutex};
  impl_->shared = all.stores.find(name)->second;
}

MemoryBackDoor::~MemoryBackDoor() = default;

void MemoryBackDoor::set_mark(std::string_view space, std::uint64_t slot,
                              std::uint64_t high_water) {
  const std::lock_guard lock{impl_->shared->mutex};
  impl_->shared->spaces.find(space)->second.marks.at(slot).high_water = high_water;
}

void MemoryBackDoor::remove_mark(std::string_view space, std::uint64_t slot) {
  const std::lock_guard lock{impl_->shared->mutex};
  impl_->shared->spaces.find(space)->second.marks.erase(slot);
}

void MemoryBackDoor::remove_meta(std::string_view space) {
  const std::lock_guard lock{impl_->shared->mutex};
  impl_->shared->spaces.find(space)->second.meta.reset();
}

void MemoryBackDoor::fence(std::string_view space) {
  const std::lock_guard lock{impl_->shared->mutex};
  SpaceMeta& meta = *impl_->shared->spaces.find(space)->second.meta;
  ++meta.epoch;
  meta.incarnation[0] ^= std::byte{1};
}

void MemoryBackDoor::lock() { impl_->shared->mutex.lock(); }
void MemoryBackDoor::unlock() { impl_->shared->mutex.unlock(); }

}  // namespace mintmark::store
