// The memory engine: the contract, and what is its own.

#include "store/memory.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/child_process.h"
#include "tests/store/contract.h"

namespace mintmark::store {
namespace {

std::string next_name() {
  static int count = 0;
  return "test " + std::to_string(++count);
}

class MemoryEngine {
 public:
  static constexpr Clocks kClocks = Clocks::of_this_host;

  Outcome<std::unique_ptr<Store>> open(const Clock& clock, BootInstant) {
    auto opened = open_memory(name_, Environment{clock});
    if (!door_) door_.emplace(name_);
    return opened;
  }
  void set_mark(std::string_view space, std::uint64_t slot, std::uint64_t high_water) {
    door_->set_mark(space, slot, high_water);
  }
  void remove_mark(std::string_view space, std::uint64_t slot) { door_->remove_mark(space, slot); }
  void remove_meta(std::string_view space) { door_->remove_meta(space); }
  void fence(std::string_view space) { door_->fence(space); }
  void age(std::string_view) {}  // no store of this name was lost
  void lock() { door_->lock(); }
  void unlock() { door_->unlock(); }

 private:
  std::string name_ = next_name();
  std::optional<MemoryBackDoor> door_;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreContract, MemoryEngine);

TEST(MemoryStore, LivesAsLongAsTheProcess) {
  const FakeClock clock;
  const auto name = next_name();
  const auto deadline = clock.boot() + std::chrono::seconds{1};
  ASSERT_TRUE(open_memory(name, {clock}).value()->put_new("key", "x", deadline).value());
  EXPECT_FALSE(open_memory(name, {clock}).value()->put_new("key", "x", deadline).value());
  EXPECT_TRUE(open_memory(next_name(), {clock}).value()->put_new("key", "x", deadline).value());
}

TEST(MemoryStore, NeedsNoWaitBeforeItsFirstWindow) {
  const FakeClock clock;
  auto store = open_memory(next_name(), {clock}).value();
  const SpaceSetup setup{.name = "s", .slot_count = 1, .unit = std::chrono::milliseconds{1}};
  EXPECT_EQ(store->open_space(setup, clock.boot() + std::chrono::seconds{1})->not_before, 0U);
}

TEST(MemoryStore, IsAnotherOneInAForkedChild) {
  const FakeClock clock;
  const auto name = next_name();
  const auto deadline = clock.boot() + std::chrono::seconds{1};
  auto mine = open_memory(name, {clock}).value();
  const auto ident = mine->identity(deadline)->ident;
  ASSERT_TRUE(mine->put_new("key", "x", deadline).value());
  ChildProcess child{[&](int) {
    auto store = open_memory(name, {clock});
    if (!store) return 1;
    if ((*store)->identity(deadline)->ident == ident) return 2;
    return (*store)->put_new("key", "x", deadline).value_or(false) ? 0 : 3;
  }};
  EXPECT_EQ(child.status(), 0);
}

}  // namespace
}  // namespace mintmark::store
