// What text costs: writing and strict parsing of every scheme, beside the packaged libraries.
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <boost/lexical_cast.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"

namespace mintmark {
namespace {

constexpr std::size_t kCount = 1'024;  // many IDs, so that no branch is learnt by heart

template <class S>
std::vector<S> some_ids() {
  typename S::Generator generator{io::os_entropy()};
  std::vector<S> ids(kCount);
  MINTMARK_CHECK(generator.fill(ids, io::wall_now()) == kCount);
  return ids;
}

template <>
std::vector<Snowflake> some_ids() {
  const SnowflakeLayout& layout = layouts::twitter;
  SnowflakeGenerator generator{layout, *layout.slot(77), TickWindow::whole(layout)};
  std::vector<Snowflake> ids(kCount);
  MINTMARK_CHECK(generator.fill(ids, io::wall_now()) == kCount);
  return ids;
}

template <class S>
std::vector<std::string> some_texts() {
  std::vector<std::string> texts;
  std::array<char, 64> out;
  for (const S& id : some_ids<S>()) texts.emplace_back(out.data(), id.write(out));
  return texts;
}

template <class S>
void Write(benchmark::State& state) {
  const auto ids = some_ids<S>();
  std::array<char, 64> out;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(ids[i++ % kCount].write(out));
    benchmark::DoNotOptimize(out);
  }
}
template <class S>
void Parse(benchmark::State& state) {
  const auto texts = some_texts<S>();
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(S::parse(texts[i++ % kCount]));
}
BENCHMARK(Write<UuidV4>);
BENCHMARK(Parse<UuidV4>);
BENCHMARK(Write<UuidV7>);
BENCHMARK(Parse<UuidV7>);
BENCHMARK(Write<Ulid>);
BENCHMARK(Parse<Ulid>);
BENCHMARK(Write<Snowflake>);
BENCHMARK(Parse<Snowflake>);

void RivalBoostUuidWrite(benchmark::State& state) {
  std::vector<boost::uuids::uuid> ids;
  boost::uuids::string_generator read;
  for (const auto& text : some_texts<UuidV4>()) ids.push_back(read(text));
  std::array<char, 64> out;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(boost::uuids::to_chars(ids[i++ % kCount], out.begin(), out.end()));
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(RivalBoostUuidWrite);

void RivalBoostUuidParse(benchmark::State& state) {
  const auto texts = some_texts<UuidV4>();
  boost::uuids::string_generator read;
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(read(texts[i++ % kCount]));
}
BENCHMARK(RivalBoostUuidParse);

void RivalToChars(benchmark::State& state) {
  const auto ids = some_ids<Snowflake>();
  std::array<char, 64> out;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::to_chars(out.begin(), out.end(), ids[i++ % kCount].value()));
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(RivalToChars);

void RivalFromChars(benchmark::State& state) {
  const auto texts = some_texts<Snowflake>();
  std::size_t i = 0;
  for (auto _ : state) {
    const std::string& text = texts[i++ % kCount];
    std::uint64_t value = 0;
    benchmark::DoNotOptimize(std::from_chars(text.data(), text.data() + text.size(), value));
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(RivalFromChars);

}  // namespace
}  // namespace mintmark

BENCHMARK_MAIN();
