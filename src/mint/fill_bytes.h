// From a generator's IDs to the bytes of a batch.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::mint {

/// Fills the front of `out` with big-endian IDs, `width` bytes each, as long as the generator gives some;
/// returns how many. Its error only if there is none. REQUIRES: out.size() is a multiple of width.
template <class Id, std::size_t kAtOnce = 256>
[[nodiscard]] Result<std::size_t> fill_bytes(auto& generator, std::size_t width,
                                             std::span<std::byte> out, Instant now) {
  std::array<Id, kAtOnce> batch;
  const std::size_t wanted = out.size() / width;
  std::size_t made = 0;
  while (made < wanted) {
    const std::size_t size = std::min(batch.size(), wanted - made);
    const auto taken = generator.fill(std::span{batch}.first(size), now);
    if (!taken) {
      if (made != 0) break;
      return fail(taken.error());
    }
    for (std::size_t i = 0; i < *taken; ++i) batch[i].to_bytes(out.subspan((made + i) * width));
    made += *taken;
  }
  return made;
}

}  // namespace mintmark::mint
