#include "cli/unguarded.h"

#include <array>
#include <utility>

namespace mintmark::cli {

UnguardedSpace::UnguardedSpace(mint::SpaceConfig config, SnowflakeSlot slot)
    : Space(std::move(config)),
      generator_(snowflake().layout, slot, TickWindow::whole(snowflake().layout),
                 snowflake().policy) {}

std::size_t UnguardedSpace::write(std::span<const std::byte> id, std::span<char> out) const {
  return Snowflake{load_be<std::uint64_t>(id)}.write(out);
}

Result<std::size_t> UnguardedSpace::fill(std::span<std::byte> out, Instant now) {
  std::array<Snowflake, 256> batch;
  const std::size_t wanted = out.size() / Snowflake::kBytes;
  std::size_t made = 0;
  while (made < wanted) {
    const std::size_t size = std::min(batch.size(), wanted - made);
    const auto taken = generator_.fill(std::span{batch}.first(size), now);
    if (!taken && made != 0) break;
    if (!taken) return fail(taken.error());
    for (std::size_t i = 0; i < *taken; ++i) {
      store_be(out.subspan((made + i) * Snowflake::kBytes), batch[i].value());
    }
    made += *taken;
  }
  return made;
}

Duration UnguardedSpace::patience(const Error& error) const {
  if (error.fault() == Fault::sequence_exhausted) return snowflake().wait_full;
  return error.fault() == Fault::clock_behind ? snowflake().wait_clock_back : Duration::zero();
}

}  // namespace mintmark::cli
