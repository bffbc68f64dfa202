#include "mint/mint.h"

#include <filesystem>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "database_server.h"
#include "fake_clock.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/range_space.h"
#include "mintmark/scheme/snowflake.h"
#include "store/store.h"
#include "temp_folder.h"

namespace mintmark::mint {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// A store in a folder that is not there yet.
class Place {
 public:
  [[nodiscard]] std::string url() const { return "sqlite:" + (folder_ / "store/mintmark.db"); }

 private:
  TempFolder folder_;
};

/// One process of the fleet: a mint over a store, with the clock of its host.
class Process {
 public:
  Process(const std::string& url, const Clock& clock,
          std::vector<SpaceConfig> spaces = default_spaces())
      : clock_(clock) {
    auto opened = Mint::open(
        {.spaces = std::move(spaces),
         .open_store =
             [url, &clock](BootInstant deadline) { return store::open(url, {clock}, deadline); },
         .observer = {}},
        clock, io::os_entropy());
    if (opened) {
      mint_ = std::move(*opened);
    } else {
      failure_ = opened.error();
    }
  }

  [[nodiscard]] const std::optional<store::Failure>& failure() const { return failure_; }
  [[nodiscard]] Mint& mint() { return *mint_; }

  /// Up to `count` IDs of a space with 64-bit IDs. Waits, in real time, for the keeper to come to an
  /// answer that is not about to change; the error is that answer.
  Result<std::vector<std::uint64_t>> make(std::string_view space_name, std::size_t count) {
    Space& space = *mint_->find(space_name);
    Batch batch;
    batch.start(space, count);
    Result<void> made;
    for (int tries = 0; tries < 3'000; ++tries) {
      made = mint_->mint(batch, clock_.wall());
      if (made || !is_passing(made.error())) break;
      std::this_thread::sleep_for(milliseconds{1});
    }
    if (!made && batch.made == 0) return fail(made.error());
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < batch.made; ++i) ids.push_back(load_be<std::uint64_t>(batch.id(i)));
    return ids;
  }

  /// As make, but waits through every refusal, up to half a minute of real time.
  Result<std::vector<std::uint64_t>> make_at_last(std::string_view space_name, std::size_t count) {
    Result<std::vector<std::uint64_t>> made = fail(Fault::not_ready);
    for (int tries = 0; tries < 600 && !made; ++tries) {
      made = make(space_name, count);
      if (!made) std::this_thread::sleep_for(milliseconds{50});
    }
    return made;
  }

 private:
  static bool is_passing(const Error& error) {
    return error.fault() == Fault::not_ready || error.fault() == Fault::window_exhausted ||
           error.fault() == Fault::range_exhausted;
  }

  const Clock& clock_;
  std::unique_ptr<Mint> mint_;
  std::optional<store::Failure> failure_;
};

/// Every ID of a test. A second copy of one fails the test.
class Ledger {
 public:
  void add(const Result<std::vector<std::uint64_t>>& ids) {
    if (!ids) return;
    for (const std::uint64_t id : *ids) EXPECT_TRUE(ids_.insert(id).second) << "twice: " << id;
  }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }

 private:
  std::set<std::uint64_t> ids_;
};

std::uint64_t newest_mark(const std::string& url, const Clock& clock) {
  auto store = store::open(url, {clock}, clock.boot() + seconds{5});
  const auto marks = (*store)->scan("snowflake", clock.boot() + seconds{5});
  std::uint64_t newest = 0;
  for (const store::Mark& mark : *marks) newest = std::max(newest, mark.high_water);
  return newest;
}

class MintClock : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] std::string url() const { return place_.url(); }
  /// Runs on in the same process, or in a new one, as the parameter says.
  void maybe_restart(std::unique_ptr<Process>& process) {
    if (!GetParam()) return;
    process.reset();
    process = std::make_unique<Process>(url(), clock_);
    ASSERT_FALSE(process->failure().has_value());
  }

  Place place_;
  FakeClock clock_;
};

TEST_P(MintClock, SmallStepsBackRepeatNothing) {
  Ledger ledger;
  auto process = std::make_unique<Process>(url(), clock_);
  ASSERT_FALSE(process->failure().has_value()) << process->failure()->detail;
  for (const Duration step :
       {Duration{milliseconds{-1}}, Duration{seconds{-1}}, Duration{milliseconds{1'001}},
        Duration{seconds{-1}}, Duration{milliseconds{-1}}}) {
    const auto before = process->make("snowflake", 4'000);
    ASSERT_TRUE(before.has_value()) << before.error().row().name;
    ledger.add(before);
    clock_.step_wall(step);
    maybe_restart(process);
    const auto after = process->make("snowflake", 4'000);
    ASSERT_TRUE(after.has_value()) << after.error().row().name;
    ledger.add(after);
  }
  EXPECT_EQ(ledger.size(), 40'000u);
}

TEST_P(MintClock, AnHourBackIsClockBehindUntilTheClockIsRight) {
  Ledger ledger;
  auto process = std::make_unique<Process>(url(), clock_);
  ledger.add(process->make("snowflake", 5'000));
  clock_.step_wall(-hours{1});
  maybe_restart(process);
  const auto refused = process->make("snowflake", 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().fault(), Fault::clock_behind);
  EXPECT_GT(refused.error().retry_after_us(), 3'000'000'000u);
  clock_.step_wall(hours{1});
  const auto again = process->make_at_last("snowflake", 5'000);
  ASSERT_TRUE(again.has_value()) << again.error().row().name;
  ledger.add(again);
  EXPECT_EQ(ledger.size(), 10'000u);
}

TEST_P(MintClock, AYearAheadIsRefusedBeforeTheMarkMoves) {
  Ledger ledger;
  auto process = std::make_unique<Process>(url(), clock_);
  ledger.add(process->make("snowflake", 5'000));
  const std::uint64_t mark = newest_mark(url(), clock_);
  clock_.step_wall(hours{24 * 365});
  maybe_restart(process);
  const auto refused = process->make("snowflake", 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().fault(), Fault::clock_ahead);
  EXPECT_EQ(newest_mark(url(), clock_), mark);
  clock_.step_wall(-hours{24 * 365});
  const auto again = process->make_at_last("snowflake", 5'000);
  ASSERT_TRUE(again.has_value()) << again.error().row().name;
  ledger.add(again);
  EXPECT_EQ(ledger.size(), 10'000u);
}

TEST_P(MintClock, TwentyWindowsInARowRepeatNothing) {
  Ledger ledger;
  auto process = std::make_unique<Process>(url(), clock_);
  for (int i = 0; i < 20; ++i) {
    const auto made = process->make("snowflake", 2'000);
    ASSERT_TRUE(made.has_value()) << made.error().row().name;
    ledger.add(made);
    clock_.advance(seconds{i % 3 == 0 ? 4 : 11});
    if (i % 5 == 4) maybe_restart(process);
  }
  EXPECT_EQ(ledger.size(), 40'000u);
}

INSTANTIATE_TEST_SUITE_P(Running, MintClock, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Restarted, MintClock, testing::Values(true));

TEST(Mint, TheDefaultSpacesGiveIds) {
  const Place place;
  Process process{place.url(), io::os_clock()};
  ASSERT_FALSE(process.failure().has_value()) << process.failure()->detail;
  for (const auto& space : process.mint().spaces()) {
    Batch batch;
    batch.start(*space, 3);
    for (int i = 0; i < 20'000 && !space->health(io::os_clock().wall()).ready; ++i) {
      std::this_thread::sleep_for(milliseconds{1});
    }
    ASSERT_TRUE(process.mint().mint(batch, io::os_clock().wall()).has_value()) << space->name();
    std::array<char, 64> first{};
    std::array<char, 64> second{};
    const std::size_t size = space->write(batch.id(0), first);
    EXPECT_LE(size, space->text_size());
    EXPECT_NE(std::string_view(first.data(), size),
              std::string_view(second.data(), space->write(batch.id(1), second)));
  }
}

TEST(Mint, BlockNumbersStartAtOneAndRunsAreContiguous) {
  const Place place;
  Process process{place.url(), io::os_clock()};
  const auto first = process.make("block", 3);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(*first, (std::vector<std::uint64_t>{1, 2, 3}));
  Space& space = *process.mint().find("block");
  Result<mint::Run> run = fail(Fault::not_ready);
  for (int tries = 0; tries < 3'000 && !run;
       ++tries) {  // larger than a block: one is leased for it
    run = space.take(5'000, io::os_clock().wall());
    if (!run) std::this_thread::sleep_for(milliseconds{1});
  }
  ASSERT_TRUE(run.has_value()) << run.error().row().name;
  EXPECT_GT(run->first, 3u);
  EXPECT_EQ(run->last - run->first, 4'999u);
  EXPECT_GT(space.take(1, io::os_clock().wall())->first, run->last);
  EXPECT_EQ(space.take(100'000'000, io::os_clock().wall()).error().fault(),
            Fault::invalid_argument);
  EXPECT_EQ(process.mint().find("uuid7")->take(1, io::os_clock().wall()).error().fault(),
            Fault::wrong_type);
}

TEST(Mint, ACounterGivesItsLastNumberWhateverRunsWereAskedFor) {
  const Place place;
  SpaceConfig small{.name = "small", .kind = BlockConfig{.last = 2'500}};
  Process process{place.url(), io::os_clock(), {small}};
  ASSERT_FALSE(process.failure().has_value()) << process.failure()->detail;
  Space& space = *process.mint().find("small");
  Result<mint::Run> run = fail(Fault::not_ready);
  for (int tries = 0; tries < 3'000 && !run; ++tries) {
    run = space.take(500'000, io::os_clock().wall());
    if (!run && run.error().fault() == Fault::key_space_exhausted) break;
    std::this_thread::sleep_for(milliseconds{1});
  }
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().fault(), Fault::key_space_exhausted);
  const auto all = process.make("small", 2'500);
  ASSERT_TRUE(all.has_value()) << all.error().row().name;
  EXPECT_EQ(all->size(), 2'500u);
  EXPECT_EQ(all->back(), 2'500u);
  Result<std::vector<std::uint64_t>> after = fail(Fault::not_ready);
  for (int tries = 0; tries < 300; ++tries) {
    after = process.make("small", 1);
    if (after || after.error().fault() == Fault::key_space_exhausted) break;
  }
  EXPECT_EQ(after.error().fault(), Fault::key_space_exhausted);
}

TEST(Mint, ThreadsAndProcessesShareACounterWithoutRepeats) {
  const Place place;
  Process one{place.url(), io::os_clock()};
  Process two{place.url(), io::os_clock()};
  constexpr std::size_t kEach = 20'000;
  std::vector<std::vector<std::uint64_t>> made(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < made.size(); ++i) {
      threads.emplace_back([&, i] {
        Process& process = i % 2 == 0 ? one : two;
        while (made[i].size() < kEach) {
          const auto ids = process.make("block", 1 + made[i].size() % 97);
          ASSERT_TRUE(ids.has_value()) << ids.error().row().name;
          made[i].insert(made[i].end(), ids->begin(), ids->end());
        }
      });
    }
  }
  Ledger ledger;
  for (auto& ids : made) ledger.add(std::move(ids));
  EXPECT_GE(ledger.size(), 4 * kEach);
}

TEST(Mint, AnotherDefinitionOfASpaceIsRefusedWithBothTexts) {
  const Place place;
  { const Process first{place.url(), io::os_clock()}; }
  SpaceConfig other{.name = "snowflake", .kind = SnowflakeConfig{}};
  std::get<SnowflakeConfig>(other.kind).layout = layouts::discord;
  const Process second{place.url(), io::os_clock(), {other}};
  ASSERT_TRUE(second.failure().has_value());
  EXPECT_EQ(second.failure()->error.fault(), Fault::layout_mismatch);
  EXPECT_NE(second.failure()->detail.find("time:42"), std::string::npos);
  EXPECT_NE(second.failure()->detail.find("time:41"), std::string::npos);
}

TEST(Mint, RefusesAWorkerOrAHorizonThatTheStoreDoesNotAllow) {
  const Place place;
  SnowflakeConfig wide;
  wide.layout = layouts::instagram;  // 8,192 shards; a store has rows for 1,024
  wide.worker = 1'024;
  const Process outside{place.url(), io::os_clock(), {{.name = "wide", .kind = wide}}};
  ASSERT_TRUE(outside.failure().has_value());
  EXPECT_EQ(outside.failure()->error.fault(), Fault::invalid_argument);
  EXPECT_NE(outside.failure()->detail.find("0 to 1023"), std::string::npos);

  SnowflakeConfig patient;
  patient.horizon = seconds{30};
  const Process first{place.url(), io::os_clock(), {{.name = "patient", .kind = patient}}};
  EXPECT_FALSE(first.failure().has_value());
  patient.horizon = seconds{31};
  const Process longer{place.url(), io::os_clock(), {{.name = "patient", .kind = patient}}};
  ASSERT_TRUE(longer.failure().has_value());
  EXPECT_EQ(longer.failure()->error.fault(), Fault::invalid_argument);
  EXPECT_NE(longer.failure()->detail.find("30000 ms"), std::string::npos);
}

TEST(Mint, APinnedSlotIsTakenOnlyOnce) {
  const Place place;
  SpaceConfig pinned{.name = "snowflake", .kind = SnowflakeConfig{}};
  std::get<SnowflakeConfig>(pinned.kind).worker = 77;
  Process first{place.url(), io::os_clock(), {pinned}};
  const auto ids = first.make("snowflake", 1);
  ASSERT_TRUE(ids.has_value());
  EXPECT_EQ(layouts::twitter.slot_of(ids->front()), 77u);
  Process second{place.url(), io::os_clock(), {pinned}};
  const auto refused = second.make("snowflake", 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().fault(), Fault::slot_taken);
}

TEST(Mint, ARaceForTheClockIsNoStepBack) {
  const Place place;
  Process process{place.url(), io::os_clock()};
  const Space& space = *process.mint().find("snowflake");  // on_clock_back = refuse
  EXPECT_GT(space.patience(Error::retry(Fault::clock_behind, 500)), Duration::zero());
  EXPECT_EQ(space.patience(Error::retry(Fault::clock_behind, 5'000'000)), Duration::zero());
}

TEST(Mint, AForkedChildMintsNothingAndTheParentGoesOn) {
  const Place place;
  Process process{place.url(), io::os_clock()};
  ASSERT_TRUE(process.make("snowflake", 10).has_value());
  ASSERT_TRUE(process.make("block", 10).has_value());
  const pid_t child = ::fork();
  if (child == 0) {
    int wrong = 0;
    for (const auto& space : process.mint().spaces()) {
      Batch batch;
      batch.start(*space, 1);
      const auto made = process.mint().mint(batch, io::os_clock().wall());
      if (made || made.error().fault() != Fault::forked) ++wrong;
    }
    ::_exit(wrong);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(process.make("snowflake", 10).has_value());
  EXPECT_TRUE(process.make("block", 10).has_value());
}

TEST(Mint, RefusesEverythingOnceClosed) {
  const Place place;
  Process process{place.url(), io::os_clock()};
  process.mint().close();
  EXPECT_EQ(process.make("uuid7", 1).error().fault(), Fault::closed);
  EXPECT_EQ(
      process.mint().take(*process.mint().find("block"), 1, io::os_clock().wall()).error().fault(),
      Fault::closed);
}

TEST(Mint, ASpaceThatNeedsAStoreSaysSoWithoutOne) {
  auto opened = Mint::open({.spaces = default_spaces(), .open_store = {}, .observer = {}},
                           io::os_clock(), io::os_entropy());
  ASSERT_FALSE(opened.has_value());
  EXPECT_NE(opened.error().detail.find("needs a store"), std::string::npos);
}

TEST(BlockQueue, BurnsAShorterRestOnlyForARunThatFits) {
  BlockQueue queue;
  queue.add(1, 11);
  queue.add(21, 121);
  std::uint64_t first = 0;
  EXPECT_FALSE(queue.take_run(101, first));
  EXPECT_EQ(queue.left(), 110u);
  ASSERT_TRUE(queue.take_run(50, first));
  EXPECT_EQ(first, 21u);
  EXPECT_EQ(queue.burnt(), 10u);
  ASSERT_TRUE(queue.take_one(first));
  EXPECT_EQ(first, 71u);
  EXPECT_EQ(queue.take_some(1'000, first), 49u);
  EXPECT_EQ(first, 72u);
  EXPECT_FALSE(queue.take_one(first));
}

TEST(BlockQueue, BurnsTheOldestBlockWhenTooManyWait) {
  BlockQueue queue;
  for (std::uint64_t start = 1; start < 1'000; start += 100) queue.add(start, start + 10);
  EXPECT_EQ(queue.left(), 40u);
  EXPECT_EQ(queue.burnt(), 60u);
  std::uint64_t first = 0;
  ASSERT_TRUE(queue.take_one(first));
  EXPECT_EQ(first, 601u);
}

TEST(BlockQueue, JoinsBlocksThatTouch) {
  BlockQueue queue;
  queue.add(1, 11);
  queue.add(11, 21);
  std::uint64_t first = 0;
  ASSERT_TRUE(queue.take_run(20, first));
  EXPECT_EQ(first, 1u);
}

TEST(Mint, GoesOnByItselfAfterAFence) {
  const Place place;
  FakeClock clock;
  Process process{place.url(), clock};
  Ledger ledger;
  ledger.add(process.make("block", 10));
  auto store = store::open(place.url(), {clock}, clock.boot() + seconds{5}).value();
  const auto deadline = clock.boot() + seconds{5};
  ASSERT_TRUE(store->set_suspect("block", "a backup was restored", deadline).has_value());
  const auto fenced = store->fence("block", {}, deadline);
  ASSERT_TRUE(fenced.has_value()) << fenced.error().detail;
  // What is held is used up, and then the numbers are those above the fence.
  bool above = false;
  for (int tries = 0; tries < 200 && !above; ++tries) {
    const auto ids = process.make("block", 500);
    ledger.add(ids);
    above = ids && ids->back() >= fenced->range_floor;
    if (!ids) std::this_thread::sleep_for(milliseconds{50});
    clock.advance(milliseconds{100});
  }
  EXPECT_TRUE(above);
}

TEST(Mint, SaysThatItsStoreIsUnsafe) {
  const PostgresServer server{Listen::socket, {"fsync=off"}};
  SpaceConfig block;
  for (const SpaceConfig& space : default_spaces()) {
    if (space.name == "block") block = space;
  }
  const auto open = [&](store::Unsafe unsafe, std::vector<std::string>& said) {
    return Mint::open({.spaces = {block},
                       .open_store =
                           [&server, unsafe](BootInstant deadline) {
                             return store::open(server.url(),
                                                {.clock = io::os_clock(), .unsafe = unsafe},
                                                deadline);
                           },
                       .observer = [&said](std::string_view,
                                           std::string_view words) { said.emplace_back(words); }},
                      io::os_clock(), io::os_entropy());
  };
  std::vector<std::string> said;
  const auto refused = open(store::Unsafe::refuse, said);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().error.fault(), Fault::unsafe_store_config);
  const auto allowed = open(store::Unsafe::allow, said);
  ASSERT_TRUE(allowed.has_value()) << allowed.error().detail;
  EXPECT_EQ(said, std::vector<std::string>{"UNSAFE store: fsync: found off, wanted on"});
  EXPECT_EQ((*allowed)->find("block")->health({}).unsafe_store,
            std::vector<std::string>{"fsync: found off, wanted on"});
}

}  // namespace
}  // namespace mintmark::mint
