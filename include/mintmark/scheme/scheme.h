// The shape of a scheme: what every kind of ID offers, as concepts that the compiler checks.
//
// A scheme is one header with one value type. It is pure: it reads no clock and no random source, it
// never allocates and never throws. uuid_v4.h is the shortest complete example, ulid.h the shortest one with
// a time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark {

enum class TimeOrder : std::uint8_t {
  none,       ///< the text and the bytes say nothing about time
  by_tick,    ///< IDs of an earlier tick of the unit sort first
  monotonic,  ///< by_tick, and one generator's IDs rise strictly
};

/// What is fixed about a scheme. One constant a scheme; for programs and the reference pages.
struct Facts {
  std::string_view name;   ///< as typed on the command line
  std::string_view title;  ///< as written in prose
  unsigned bits;           ///< of the value
  std::size_t bytes;       ///< of the binary form, big-endian
  std::size_t text_size;   ///< characters of the longest canonical text
  TimeOrder order;
  Instant epoch;         ///< zero of the time field; 1970 where there is none
  Duration unit;         ///< of the time field; zero where there is none
  unsigned random_bits;  ///< how many bits of a new ID an observer cannot know, at the least
  std::string_view specification;
};

/// A regular, ordered, trivially copyable value with a strict text form and a big-endian binary form.
template <class S>
concept Scheme = std::regular<S> && std::totally_ordered<S> && std::is_trivially_copyable_v<S> &&
    requires(const S id, const typename S::Fields fields, std::string_view text,
             std::span<char> out, std::span<std::byte> to, std::span<const std::byte> from) {
  { S::facts } -> std::convertible_to<const Facts&>;
  { S::pack(fields) } -> std::same_as<Result<S>>;  // refuses what does not fit; never masks
  { id.unpack() } -> std::same_as<typename S::Fields>;
  { S::parse(text) } -> std::same_as<Result<S>>;       // strict; a lenient reader has a longer name
  { id.write(out) } -> std::same_as<std::size_t>;      // REQUIRES: out.size() >= facts.text_size
  { S::from_bytes(from) } -> std::same_as<Result<S>>;  // exactly facts.bytes, big-endian
  id.to_bytes(to);                                     // REQUIRES: to.size() >= facts.bytes
};

/// A Scheme whose IDs carry their time: the smallest and the largest ID of an instant, so that a range
/// over the key answers a range over time.
template <class S>
concept TimeOrdered = Scheme<S> && requires(const S id, Instant time) {
  { id.time() } -> std::same_as<Instant>;
  { S::floor(time) } -> std::same_as<Result<S>>;
  { S::ceil(time) } -> std::same_as<Result<S>>;
};

/// A Scheme with a generator. A generator is pinned: two copies would mint the same IDs.
/// A time-ordered generator takes the time as an argument; a random one ignores it.
template <class S>
concept Mintable = Scheme<S> && !std::copy_constructible<typename S::Generator> &&
                   !std::move_constructible<typename S::Generator> &&
                   requires(typename S::Generator generator, std::span<S> out, Instant now) {
  { generator.next(now) } -> std::same_as<Result<S>>;
  { generator.fill(out, now) } -> std::same_as<Result<std::size_t>>;
};

}  // namespace mintmark
