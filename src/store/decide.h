// The steps of advance (protocol 2.3) as one function without effects, for every engine that reads,
// decides and writes inside its own transaction; and what all engines ask of a setup.
//
// Why shared: the steps are the safety of the whole. Engines differ in how they make reading and writing
// one act, and in nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace mintmark::store {

/// The largest value of a mark: the signed integers of the SQL engines end there.
inline constexpr std::uint64_t kMostValue = (std::uint64_t{1} << 63) - 1;
inline constexpr std::uint64_t kMostSlots = 65'536;
inline constexpr std::size_t kMostNameBytes = 255;
inline constexpr std::size_t kMostDefinitionBytes = 65'536;
inline constexpr std::size_t kMostKeyBytes = 1024;
inline constexpr std::size_t kMostItemBytes = 65'536;

/// What an engine read in its transaction.
struct Standing {
  const SpaceMeta& meta;
  std::optional<Mark> mark;       ///< nothing: the row is missing
  std::optional<Failure> engine;  ///< why the engine is not the one that was opened
  std::optional<Instant> now;     ///< the store's clock
};

/// Steps 1 to 5. A Grant is to be written: high_water = end, grants as given, owner = the claim's life.
/// A refusal with StoreRegressed is to be written as suspect; nothing else changes the store.
[[nodiscard]] Answer decide(const Claim& claim, const Standing& standing);

/// Errors: InvalidArgument.
[[nodiscard]] Outcome<void> check_setup(const SpaceSetup& setup);
[[nodiscard]] Outcome<void> check_item(std::string_view key, std::string_view value);

/// What a store that is being made knows about grants that an earlier one of its name may have given.
enum class Past : std::uint8_t {
  none,      ///< there was no earlier one
  possible,  ///< one may have been lost: nothing starts before its grants have ended
};

/// A fence (protocol R10): the meta row of the new incarnation, and the counter's mark if there is one. `now`
/// is the store's time, `ident` who the engine is now. Errors: InvalidArgument, KeySpaceExhausted.
struct Fenced {
  SpaceMeta meta;
  std::optional<Mark> counter;
};
[[nodiscard]] Outcome<Fenced> fenced(std::string_view space, SpaceMeta meta,
                                     const std::optional<Mark>& counter, const FenceOrder& order,
                                     Instant now, std::string ident);

/// The meta row of a space that is made at `now`. Errors: InvalidArgument, EntropyUnavailable.
[[nodiscard]] Outcome<SpaceMeta> new_meta(const SpaceSetup& setup, const Nonce& store_id,
                                          Instant now, Duration skew, Past past, std::string ident);

/// 128 bits from the system. Errors: EntropyUnavailable.
[[nodiscard]] Outcome<Nonce> draw_nonce();

[[nodiscard]] std::string hex(const Nonce& nonce);

}  // namespace mintmark::store
