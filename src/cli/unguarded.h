// Unguarded: Snowflakes of a worker number that no store has granted (`--store none --worker N`).
//
// Nothing but the caller's word keeps two processes from using one number, and nothing remembers across
// runs which times were used: for tests, measurements and data that is thrown away.
#pragma once

#include "mint/space.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::cli {

/// Thread-safe, as the generator is.
class UnguardedSpace final : public mint::Space {
 public:
  /// REQUIRES: config holds a SnowflakeConfig, whose layout has given the slot.
  UnguardedSpace(mint::SpaceConfig config, SnowflakeSlot slot);

  [[nodiscard]] std::size_t width() const override { return Snowflake::kBytes; }
  [[nodiscard]] bool is_number() const override { return true; }
  [[nodiscard]] std::size_t text_size() const override { return Snowflake::kMostText; }
  std::size_t write(std::span<const std::byte> id, std::span<char> out) const override;
  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out, Instant now) override;
  [[nodiscard]] Duration patience(const Error& error) const override;

 private:
  [[nodiscard]] const mint::SnowflakeConfig& snowflake() const {
    return std::get<mint::SnowflakeConfig>(config().kind);
  }
  SnowflakeGenerator generator_;
};

}  // namespace mintmark::cli
