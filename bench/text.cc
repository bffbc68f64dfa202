// What text costs: writing and strict parsing of every scheme, beside the packaged libraries.
//
// Write and Parse are the headers', for what this program is compiled for; the label says which kernel that
// is. The ones with Kernel are those that src/io chooses by the CPU, through a pointer or in a batch.
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
#include "io/text_kernels.h"
#include "mintmark/scheme/snowflake.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/text/kernel.h"
#include "mintmark/text/radix.h"

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

template <>
std::vector<Uuid> some_ids() {
  const auto ids = some_ids<UuidV4>();
  return {ids.begin(), ids.end()};
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
  state.SetLabel(std::string{kernel::kName});
  for (auto _ : state) {
    benchmark::DoNotOptimize(ids[i++ % kCount].write(out));
    benchmark::DoNotOptimize(out);
  }
}
template <class S>
void Parse(benchmark::State& state) {
  const auto texts = some_texts<S>();
  std::size_t i = 0;
  state.SetLabel(std::string{kernel::kName});
  for (auto _ : state) benchmark::DoNotOptimize(S::parse(texts[i++ % kCount]));
}
BENCHMARK(Write<Uuid>);
BENCHMARK(Parse<Uuid>);
BENCHMARK(Write<UuidV4>);
BENCHMARK(Parse<UuidV4>);
BENCHMARK(Write<UuidV7>);
BENCHMARK(Parse<UuidV7>);
BENCHMARK(Write<Ulid>);
BENCHMARK(Parse<Ulid>);
BENCHMARK(Write<Snowflake>);
BENCHMARK(Parse<Snowflake>);

/// What src/io has for a scheme.
const auto& codec(const UuidV7& /*id*/) { return io::TextKernel::best().uuid; }
const auto& codec(const Ulid& /*id*/) { return io::TextKernel::best().ulid; }

template <class S>
std::vector<std::byte> some_bytes() {
  std::vector<std::byte> bytes(kCount * S::facts.bytes);
  std::span<std::byte> rest{bytes};
  for (const S& id : some_ids<S>()) {
    id.to_bytes(rest);
    rest = rest.subspan(S::facts.bytes);
  }
  return bytes;
}

template <class S>
void KernelWrite(benchmark::State& state) {
  const auto bytes = some_bytes<S>();
  std::array<char, S::facts.text_size> out;
  const auto& kernel = codec(S{});
  std::size_t i = 0;
  for (auto _ : state) {
    kernel.write(std::span{bytes}.subspan(i++ % kCount * 16).template first<16>(), out);
    benchmark::DoNotOptimize(out);
  }
}
template <class S>
void KernelParse(benchmark::State& state) {
  const auto texts = some_texts<S>();
  std::array<std::byte, 16> id;
  const auto& kernel = codec(S{});
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(kernel.read(texts[i++ % kCount], id));
    benchmark::DoNotOptimize(id);
  }
}
template <class S>
void KernelWriteAll(benchmark::State& state) {
  const auto bytes = some_bytes<S>();
  std::vector<char> out(kCount * (S::facts.text_size + 1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(codec(S{}).write_all(bytes, '\n', out));
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
template <class S>
void KernelParseAll(benchmark::State& state) {
  std::string text;
  for (const std::string& each : some_texts<S>()) text += each + '\n';
  std::vector<std::byte> ids(kCount * S::facts.bytes);
  for (auto _ : state) {
    benchmark::DoNotOptimize(codec(S{}).read_all(text, '\n', ids));
    benchmark::DoNotOptimize(ids.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kCount));
}
BENCHMARK(KernelWrite<UuidV7>);
BENCHMARK(KernelParse<UuidV7>);
BENCHMARK(KernelWriteAll<UuidV7>);
BENCHMARK(KernelParseAll<UuidV7>);
BENCHMARK(KernelWrite<Ulid>);
BENCHMARK(KernelParse<Ulid>);
BENCHMARK(KernelWriteAll<Ulid>);
BENCHMARK(KernelParseAll<Ulid>);

/// 128 bits as 22 characters of base62, in the order that sorts.
void WriteBase62(benchmark::State& state) {
  const auto ids = some_ids<UuidV4>();
  std::array<char, 64> out;
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        write_fixed<kBase62DigitUpperLower>(ids[i++ % kCount].uuid().integer(), out));
    benchmark::DoNotOptimize(out);
  }
}
BENCHMARK(WriteBase62);

void ParseBase62(benchmark::State& state) {
  std::vector<std::string> texts;
  std::array<char, 64> out;
  for (const UuidV4& id : some_ids<UuidV4>()) {
    texts.emplace_back(out.data(), write_fixed<kBase62DigitUpperLower>(id.uuid().integer(), out));
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parse_fixed<kBase62DigitUpperLower, U128>(texts[i++ % kCount]));
  }
}
BENCHMARK(ParseBase62);

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
