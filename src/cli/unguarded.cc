#include "cli/unguarded.h"

#include <utility>

#include "mint/fill_bytes.h"
#include "mint/window_space.h"

namespace mintmark::cli {

UnguardedSpace::UnguardedSpace(mint::SpaceConfig config, SnowflakeSlot slot)
    : Space(std::move(config)),
      generator_(snowflake().layout, slot, TickWindow::whole(snowflake().layout),
                 snowflake().policy) {}

std::size_t UnguardedSpace::write(std::span<const std::byte> id, std::span<char> out) const {
  return mint::write_window_id(snowflake().text, load_be<std::uint64_t>(id), out);
}

Result<std::size_t> UnguardedSpace::fill(std::span<std::byte> out, Instant now) {
  return mint::fill_bytes<Snowflake>(generator_, Snowflake::kBytes, out, now);
}

Duration UnguardedSpace::patience(const Error& error) const {
  if (error.fault() == Fault::sequence_exhausted) return snowflake().wait_full;
  return error.fault() == Fault::clock_behind ? snowflake().wait_clock_back : Duration::zero();
}

}  // namespace mintmark::cli
