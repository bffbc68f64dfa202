// A space of IDs with a worker field, stamped inside windows that the store granted.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "lease/window.h"
#include "mint/keeper.h"
#include "mint/leased.h"
#include "mint/space.h"

namespace mintmark::mint {

/// Writes an ID with a worker field in the spelling of its space; returns its size.
/// REQUIRES: out.size() >= Snowflake::kMostText.
std::size_t write_window_id(WindowText text, std::uint64_t value, std::span<char> out);

/// Requests run the generator in use, lock-free; the keeper replaces or extends it. Thread-safe.
class WindowSpace final : public Space {
 public:
  /// REQUIRES: config holds a SnowflakeConfig. Starts the keeper.
  WindowSpace(SpaceConfig config, LeaseSupply supply);

  [[nodiscard]] std::size_t width() const override { return Snowflake::kBytes; }
  [[nodiscard]] bool is_number() const override { return true; }
  [[nodiscard]] std::size_t text_size() const override { return Snowflake::kMostText; }
  std::size_t write(std::span<const std::byte> id, std::span<char> out) const override;
  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out, Instant now) override;
  [[nodiscard]] Duration patience(const Error& error) const override;
  [[nodiscard]] SpaceHealth health(Instant now) const override;

 private:
  Duration turn();
  /// Goes on with a store that was fenced, or is itself again.
  void readmit();
  void carry_out(lease::WindowActions actions);
  lease::WindowEvent read_marks();
  lease::WindowEvent send(const lease::WindowClaim& claim);
  void note(const lease::WindowActions& actions, Instant now);
  [[nodiscard]] Error why_not() const;
  [[nodiscard]] const SnowflakeConfig& snowflake() const {
    return std::get<SnowflakeConfig>(config().kind);
  }

  // The keeper's own.
  lease::WindowMachine machine_;
  LeaseLine line_;
  std::vector<lease::SlotMark> marks_;
  std::optional<std::pair<Instant, BootInstant>> trusted_;
  lease::WindowState reported_ = lease::WindowState::init;
  // Every generator ever installed: a thread may still be inside an old one, and stays inside its grant.
  // A new one comes only after a gap or a change of slot, so that the list stays short.
  std::vector<std::unique_ptr<SnowflakeGenerator>> generators_;
  // Shared with requests.
  std::atomic<SnowflakeGenerator*> current_{nullptr};
  std::atomic<lease::WindowState> state_{lease::WindowState::init};
  Trouble trouble_;
  ForkAwareKeeper keeper_;  // last: its thread uses the others
};

}  // namespace mintmark::mint
