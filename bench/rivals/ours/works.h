// Our side of the comparison: a file a family, each of which checks itself and adds its works.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/rivals/cpp/measure.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/scheme.h"

namespace rivals {

void add_uuid(Program& program);
void add_ulid(Program& program);
void add_snowflake(Program& program);
void add_ksuid(Program& program);

/// The lines of an answers file for `count` IDs, always the same ones: what the rivals are timed with, and
/// proven to read and write as we do. False for a family that has none.
bool print_answers(const std::string& family, std::size_t count);

template <class S>
std::string text_of(const S& id) {
  std::array<char, S::facts.text_size> text;
  return {text.data(), id.write(text)};
}

template <class S>
std::string hex_of(const S& id) {
  std::array<std::byte, S::facts.bytes> bytes;
  id.to_bytes(bytes);
  return hex(bytes);
}

template <class S>
Codec<S> codec() {
  return {[](const std::string& text) {
            const auto id = S::parse(text);
            return id ? std::optional<S>{*id} : std::nullopt;
          },
          text_of<S>, hex_of<S>};
}

/// NAME_write and NAME_parse, with the texts of the answers.
template <class S>
void add_text_works(Program& program, const std::string& name) {
  auto [ids, texts] = program.checked<S>(name, codec<S>());
  program.add(name + "_write", over(ids, [](const S& id) {
                std::array<char, S::facts.text_size> text;
                keep(id.write(text));
                keep(text);
              }));
  program.add(name + "_parse", over(texts, [](const std::string& text) { keep(S::parse(text)); }));
}

/// NAME and NAME_text: one ID a call, at the time that `now` says, and the same with its text.
template <class Generator, class Now>
void add_next_works(Program& program, const std::string& name, Generator& generator, Now now) {
  program.add(name, repeat([&generator, now] {
                const auto id = generator.next(now());
                if (!id) [[unlikely]]
                  wrong("next refused");
                keep(*id);
              }));
  program.add(name + "_text", repeat([&generator, now] {
                const auto id = generator.next(now());
                if (!id) [[unlikely]]
                  wrong("next refused");
                std::array<char, std::remove_cvref_t<decltype(*id)>::facts.text_size> text;
                keep(id->write(text));
                keep(text);
              }));
}

/// Texts of kMade new IDs.
template <class Generator>
std::vector<std::string> made_by(Generator& generator) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < kMade; ++i) {
    const auto id = generator.next(mintmark::io::wall_now());
    require(id.has_value(), "next refused");
    texts.push_back(text_of(*id));
  }
  return texts;
}

/// IDs of a generator that is fed known bytes at a known time.
template <class S>
void print_answers_of(std::size_t count) {
  mintmark::SeededEntropy entropy{count};
  typename S::Generator generator{entropy};
  for (std::size_t i = 0; i < count; ++i) {
    // A prime number of ms apart, over some thirty years, so that no part of the text stands still.
    const auto ms = static_cast<std::int64_t>(1'500'000'000'000 + i * 899'999'981);
    const auto id = generator.next(mintmark::from_unix_ms(ms));
    require(id.has_value(), "next refused");
    std::printf("both\t%s\t%s\n", text_of(*id).c_str(), hex_of(*id).c_str());
  }
}

}  // namespace rivals
