// The SQLite engine between processes: who makes the file, who holds the locks, who was killed.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/os_clock.h"
#include "store/sqlite.h"
#include "tests/child_process.h"
#include "tests/store/sqlite_engine.h"

namespace mintmark::store {
namespace {

constexpr Instant kEpoch = from_unix_ms(1'700'000'000'000);

BootInstant soon() { return io::os_clock().boot() + std::chrono::seconds{60}; }

Outcome<std::unique_ptr<Store>> open_here(const std::string& path) {
  return open_sqlite(path, Environment{io::os_clock()}, soon());
}

SpaceSetup slots(std::uint64_t count) {
  return {.name = "slots",
          .definition = "d",
          .marks = Marks::slots,
          .slot_count = count,
          .epoch = kEpoch,
          .unit = std::chrono::milliseconds{1}};
}
SpaceSetup counter() {
  return {.name = "counter", .definition = "d", .marks = Marks::counter, .first_value = 1};
}

Claim window(const SpaceMeta& meta, std::uint64_t slot) {
  Claim claim{.space = "slots", .marks = Marks::slots, .slot = slot};
  claim.floor_time = io::wall_now();
  claim.floor =
      static_cast<std::uint64_t>((claim.floor_time - kEpoch) / std::chrono::milliseconds{1});
  claim.end = claim.floor + 10'000;
  claim.incarnation = meta.incarnation;
  return claim;
}
Claim range(const SpaceMeta& meta, std::uint64_t length) {
  Claim claim{.space = "counter", .marks = Marks::counter};
  claim.length = length;
  claim.limit = ~std::uint64_t{0};
  claim.incarnation = meta.incarnation;
  return claim;
}

/// Claims ranges of one number until something goes wrong, and says each before the next claim.
int claim_and_say(const std::string& path, int pipe, int claims) {
  auto store = open_here(path);
  if (!store) return 1;
  const auto meta = (*store)->open_space(counter(), soon());
  if (!meta) return 2;
  for (int i = 0; i < claims; ++i) {
    const auto answer = (*store)->advance(range(*meta, 1), soon());
    const auto* grant = std::get_if<Grant>(&answer);
    if (grant == nullptr) return 3;
    say(pipe, {reinterpret_cast<const char*>(&grant->start), sizeof grant->start});
  }
  return 0;
}

std::vector<std::uint64_t> numbers_in(const std::string& words) {
  std::vector<std::uint64_t> numbers(words.size() / sizeof(std::uint64_t));
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), words.data(), numbers.size() * sizeof(std::uint64_t));
  }
  return numbers;
}

TEST(SqliteProcesses, OneOfManyMakesTheStoreAndNobodyWaits) {
  constexpr std::uint64_t kProcesses = 16;
  SqliteEngine engine;
  int gate[2];
  ASSERT_EQ(::pipe(gate), 0);
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (std::uint64_t i = 0; i < kProcesses; ++i) {
    children.push_back(std::make_unique<ChildProcess>([&, i](int pipe) {
      ::close(gate[1]);
      char byte = 0;
      static_cast<void>(::read(gate[0], &byte, 1));  // ends when the parent closes the gate
      auto store = open_here(engine.path());
      if (!store) {
        say(pipe, store.error().detail);
        return 1;
      }
      const auto meta = (*store)->open_space(slots(kProcesses), soon());
      if (!meta) return 2;
      const auto more = (*store)->open_space(counter(), soon());
      if (!more) return 3;
      if (!std::holds_alternative<Grant>((*store)->advance(window(*meta, i), soon()))) return 4;
      if (!std::holds_alternative<Grant>((*store)->advance(range(*more, 1), soon()))) return 5;
      say(pipe,
          {reinterpret_cast<const char*>(meta->incarnation.data()), meta->incarnation.size()});
      return 0;
    }));
  }
  ::close(gate[0]);
  ::close(gate[1]);
  std::set<std::string> incarnations;
  for (auto& child : children) {
    const auto words = child->words();
    EXPECT_EQ(child->status(), 0) << words;
    incarnations.insert(words);
  }
  EXPECT_EQ(incarnations.size(), 1U);
  for (const auto& entry : std::filesystem::directory_iterator{engine.folder().path()}) {
    EXPECT_EQ(entry.path().filename(), "state");
  }
}

TEST(SqliteProcesses, ShareACounter) {
  SqliteEngine engine;
  std::vector<std::unique_ptr<ChildProcess>> children;
  for (int i = 0; i < 8; ++i) {
    children.push_back(std::make_unique<ChildProcess>(
        [&](int pipe) { return claim_and_say(engine.path(), pipe, 40); }));
  }
  std::set<std::uint64_t> seen;
  for (auto& child : children) {
    for (const auto number : numbers_in(child->words())) EXPECT_TRUE(seen.insert(number).second);
    EXPECT_EQ(child->status(), 0);
  }
  EXPECT_EQ(seen.size(), 320U);
  EXPECT_EQ(*seen.rbegin(), 320U);
}

TEST(SqliteProcesses, GrantNothingTwiceWhenKilled) {
  SqliteEngine engine;
  std::set<std::uint64_t> seen;
  for (int life = 0; life < 20; ++life) {
    ChildProcess child{[&](int pipe) { return claim_and_say(engine.path(), pipe, 1'000'000); }};
    std::string first(sizeof(std::uint64_t), '\0');
    for (char& byte : first) {
      ASSERT_EQ(::read(child.pipe(), &byte, 1), 1);
    }
    ::kill(child.pid(), SIGKILL);
    const auto words = first + child.words();
    EXPECT_EQ(child.status(), 1000 + SIGKILL);
    for (const auto number : numbers_in(words)) {
      EXPECT_TRUE(seen.insert(number).second) << number;
      EXPECT_EQ(number, *seen.rbegin());
    }
  }
  EXPECT_EQ(RawDatabase{engine.path()}.ask("PRAGMA integrity_check"), "ok");
}

TEST(SqliteProcesses, LeaveNoHalfStoreWhenKilledWhileMakingIt) {
  for (int life = 0; life < 20; ++life) {
    SqliteEngine engine;
    ChildProcess child{[&](int pipe) {
      say(pipe, "x");
      return open_here(engine.path()) ? 0 : 1;
    }};
    EXPECT_TRUE(child.heard());
    io::pause_for(std::chrono::microseconds{life * 300});
    ::kill(child.pid(), SIGKILL);
    child.status();
    // Whatever was left behind, the next one makes or finds a whole store.
    auto store = open_here(engine.path());
    ASSERT_TRUE(store.has_value()) << store.error().detail;
    const auto meta = (*store)->open_space(slots(1), soon());
    ASSERT_TRUE(meta.has_value());
    EXPECT_EQ(meta->not_before, 0U);
  }
}

TEST(SqliteProcesses, AChildThatOpensTheStoreAgainHoldsItsOwnLocks) {
  SqliteEngine engine;
  auto parents = open_here(engine.path()).value();
  const auto meta = parents->open_space(counter(), soon()).value();
  ASSERT_TRUE(std::holds_alternative<Grant>(parents->advance(range(meta, 1), soon())));
  int gate[2];
  ASSERT_EQ(::pipe(gate), 0);
  ChildProcess child{[&](int pipe) {
    ::close(gate[1]);
    auto store = open_here(engine.path());
    if (!store) return 1;
    const auto mine = (*store)->open_space(counter(), soon());
    if (!mine) return 2;
    say(pipe, "x");
    char byte = 0;
    static_cast<void>(::read(gate[0], &byte, 1));
    for (int i = 0; i < 10; ++i) {
      if (!std::holds_alternative<Grant>((*store)->advance(range(*mine, 1), soon()))) return 3;
    }
    say(pipe, "y");
    return 0;
  }};
  ::close(gate[0]);
  ASSERT_TRUE(child.heard());
  // The parent's last connection goes, which would remove the log from under a child without locks.
  parents.reset();
  EXPECT_TRUE(std::filesystem::exists(engine.path() + "-wal"));
  // And a newcomer would take the shared memory for left over, and begin it anew.
  auto newcomer = open_here(engine.path()).value();
  ASSERT_TRUE(std::holds_alternative<Grant>(newcomer->advance(range(meta, 1), soon())));
  ::close(gate[1]);
  EXPECT_TRUE(child.heard());
  EXPECT_EQ(child.status(), 0);
  const auto answer = newcomer->advance(range(meta, 1), soon());
  ASSERT_TRUE(std::holds_alternative<Grant>(answer));
  EXPECT_EQ(std::get<Grant>(answer).start, 13U);
  EXPECT_EQ(RawDatabase{engine.path()}.ask("PRAGMA integrity_check"), "ok");
}

}  // namespace
}  // namespace mintmark::store
