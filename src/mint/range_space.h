// A space of numbers from leased blocks.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include "lease/range.h"
#include "mint/keeper.h"
#include "mint/leased.h"
#include "mint/space.h"

namespace mintmark::mint {

/// The blocks that are leased and not used up, oldest first. Not thread-safe.
class BlockQueue {
 public:
  /// REQUIRES: start < end, start at or above the end of what was added before.
  void add(std::uint64_t start, std::uint64_t end);

  /// One number; false if nothing is left. The hot path.
  [[nodiscard]] bool take_one(std::uint64_t& number) {
    if (first_.next == first_.end && !shift()) return false;
    number = first_.next++;
    return true;
  }
  /// `count` consecutive numbers; what stands before them in shorter blocks is burnt, but only if a
  /// block has room for all of them. Returns false, with nothing taken, if none has.
  [[nodiscard]] bool take_run(std::uint64_t count, std::uint64_t& first);
  /// Up to `most` consecutive numbers, at least one if any is left; returns how many.
  [[nodiscard]] std::uint64_t take_some(std::uint64_t most, std::uint64_t& first);

  [[nodiscard]] std::uint64_t left() const;
  [[nodiscard]] std::uint64_t burnt() const { return burnt_; }

 private:
  struct Block {
    std::uint64_t next = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t left() const { return end - next; }
  };
  static constexpr std::size_t kMostWaiting = 3;

  /// Goes on to the next waiting block; false if there is none.
  bool shift();

  Block first_;
  std::array<Block, kMostWaiting> waiting_{};
  std::size_t waiting_count_ = 0;
  std::uint64_t burnt_ = 0;
};

/// Requests take numbers under a short lock; the keeper adds blocks. Thread-safe.
class RangeSpace final : public Space {
 public:
  /// REQUIRES: config holds a BlockConfig. Starts the keeper.
  RangeSpace(SpaceConfig config, LeaseSupply supply);

  [[nodiscard]] std::size_t width() const override { return sizeof(std::uint64_t); }
  [[nodiscard]] bool is_number() const override { return true; }
  [[nodiscard]] std::size_t text_size() const override { return 20; }
  std::size_t write(std::span<const std::byte> id, std::span<char> out) const override;
  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out, Instant now) override;
  [[nodiscard]] Result<Run> take(std::uint64_t count, Instant now) override;
  /// Dressed numbers are scattered: INCRBY would give a run of nothing.
  [[nodiscard]] bool contiguous() const override { return dress_ == nullptr; }
  [[nodiscard]] Duration patience(const Error& error) const override;
  [[nodiscard]] SpaceHealth health(Instant now) const override;

 private:
  Duration turn();
  lease::RangeEvent send(const lease::RangeClaim& claim);
  /// Goes on with a store that was fenced, or is itself again.
  void readmit();
  void note();
  [[nodiscard]] Error why_not(std::uint64_t wanted);
  [[nodiscard]] const BlockConfig& block() const { return std::get<BlockConfig>(config().kind); }

  /// What an ID is made of its number; null for the number itself.
  using Dress = std::uint64_t (*)(std::uint64_t number);
  const Dress dress_;

  // The keeper's own.
  lease::RangeMachine machine_;
  LeaseLine line_;
  // Shared with requests.
  mutable std::mutex mutex_;
  BlockQueue blocks_;               // under mutex_
  std::uint64_t left_ = 0;          // under mutex_; of all blocks
  std::uint64_t refill_below_ = 0;  // under mutex_
  std::uint64_t wanted_run_ = 0;    // under mutex_
  // Under mutex_: the shortest run that the rest of the counter is known to have no room for.
  std::uint64_t refused_run_ = ~std::uint64_t{0};
  Trouble trouble_;
  ForkAwareKeeper keeper_;  // last: its thread uses the others
};

}  // namespace mintmark::mint
