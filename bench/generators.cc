// What one ID costs: every generator, one by one and in batches, alone and with two threads, with the
// clock as it is used for real. Rivals of the packaged libraries run in the same program.
//
// A snowflake of the twitter layout is bounded by its format: 4,096 IDs a millisecond, 244.1 ns each. The
// wide layout shows what the code costs; the cap is measured by TwitterAtItsCap, in IDs a second.
#include <array>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/uuid/random_generator.hpp>

#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"

namespace mintmark {
namespace {

constexpr std::size_t kBatch = 1'024;

/// 40 bits of ms, 3 of worker, 20 of sequence: a million IDs a millisecond.
constexpr SnowflakeLayout kWide =
    *SnowflakeLayout::make({.fields = {{"time", 40}, {"worker", 3}, {"seq", 20}},
                            .unit = std::chrono::milliseconds{1},
                            .epoch = from_unix_ms(1'577'836'800'000)});

void ClockRead(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(io::wall_now());
}
BENCHMARK(ClockRead);

void SnowflakeNext(benchmark::State& state) {
  SnowflakeGenerator generator{kWide, *kWide.slot(0), TickWindow::whole(kWide)};
  for (auto _ : state) benchmark::DoNotOptimize(generator.next(io::wall_now()));
}
BENCHMARK(SnowflakeNext);

SnowflakeGenerator& shared_generator() {
  static SnowflakeGenerator generator{kWide, *kWide.slot(1), TickWindow::whole(kWide)};
  return generator;
}
void SnowflakeNextShared(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(shared_generator().next(io::wall_now()));
}
BENCHMARK(SnowflakeNextShared)->Threads(2)->UseRealTime();

void SnowflakeFill(benchmark::State& state) {
  SnowflakeGenerator generator{
      kWide,
      *kWide.slot(2),
      TickWindow::whole(kWide),
      {.max_lead = std::chrono::hours{1}, .max_borrow = std::chrono::hours{1}}};
  std::array<Snowflake, kBatch> ids;
  std::int64_t made = 0;
  for (auto _ : state) {
    const auto count = generator.fill(ids, io::wall_now());
    if (!count) state.SkipWithError("the limits were reached");
    made += static_cast<std::int64_t>(count.value_or(0));
    benchmark::DoNotOptimize(ids);
  }
  state.SetItemsProcessed(made);
}
BENCHMARK(SnowflakeFill);

/// items_per_second against 4,096,000 is the share of the cap that one worker sustains.
void TwitterAtItsCap(benchmark::State& state) {
  const SnowflakeLayout& layout = layouts::twitter;
  SnowflakeGenerator generator{layout, *layout.slot(0), TickWindow::whole(layout)};
  std::array<Snowflake, 256> ids;
  std::int64_t made = 0;
  for (auto _ : state) {
    const auto count = generator.fill(ids, io::wall_now());
    if (count) {
      made += static_cast<std::int64_t>(*count);
    } else {
      io::pause_for(std::chrono::microseconds{count.error().retry_after_us()});
    }
  }
  state.SetItemsProcessed(made);
  state.counters["share_of_cap"] =
      benchmark::Counter(static_cast<double>(made) / 4'096'000.0, benchmark::Counter::kIsRate);
}
BENCHMARK(TwitterAtItsCap)->UseRealTime()->MinTime(2.0);

template <class S>
void Next(benchmark::State& state) {
  typename S::Generator generator{io::os_entropy()};
  for (auto _ : state) benchmark::DoNotOptimize(generator.next(io::wall_now()));
}
/// UUIDv4 does not look at the time, so that no clock has to be read for it.
void NextUuidV4WithoutClock(benchmark::State& state) {
  UuidV4::Generator generator{io::os_entropy()};
  for (auto _ : state) benchmark::DoNotOptimize(generator.next());
}
BENCHMARK(NextUuidV4WithoutClock)->Threads(1)->Threads(2)->UseRealTime();

template <class S>
void NextWithText(benchmark::State& state) {
  typename S::Generator generator{io::os_entropy()};
  std::array<char, S::facts.text_size> text;
  for (auto _ : state) {
    benchmark::DoNotOptimize(generator.next(io::wall_now())->write(text));
    benchmark::DoNotOptimize(text);
  }
}
template <class S>
void Fill(benchmark::State& state) {
  typename S::Generator generator{io::os_entropy()};
  std::vector<S> ids(kBatch);
  for (auto _ : state) {
    benchmark::DoNotOptimize(generator.fill(ids, io::wall_now()));
    benchmark::DoNotOptimize(ids.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}
BENCHMARK(Next<UuidV4>)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(NextWithText<UuidV4>);
BENCHMARK(Fill<UuidV4>)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(Next<UuidV7>)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(NextWithText<UuidV7>);
BENCHMARK(Fill<UuidV7>)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(Next<Ulid>)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(NextWithText<Ulid>);
BENCHMARK(Fill<Ulid>)->Threads(1)->Threads(2)->UseRealTime();

void RivalBoostUuidV4(benchmark::State& state) {
  boost::uuids::random_generator generator;
  for (auto _ : state) benchmark::DoNotOptimize(generator());
}
BENCHMARK(RivalBoostUuidV4)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace
}  // namespace mintmark

BENCHMARK_MAIN();
