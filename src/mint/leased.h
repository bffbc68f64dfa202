// What the two kinds of leased spaces share: the line to the store, with a name for this life of the
// process, and the trouble that requests are told about.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/fork_guard.h"
#include "mint/keeper.h"
#include "mint/mint.h"
#include "store/store.h"

namespace mintmark::mint {

/// One call to the store ends after this (protocol R7).
inline constexpr Duration kStoreDeadline = std::chrono::seconds{1};

/// What Mint::open hands to a leased space. `clock` and `entropy` outlive it.
struct LeaseSupply {
  StoreOpener open_store;
  store::SpaceSetup setup;
  std::unique_ptr<store::Store> store;
  store::SpaceMeta meta;
  std::vector<std::string> unsafe{};  ///< Identity::unsafe when it was opened
  store::Nonce life{};
  std::uint64_t seed = 0;
  const Clock& clock;
  Entropy& entropy;
  Observer observer;
};

/// The last failure of a claim, for requests to read without a lock. Thread-safe.
class Trouble {
 public:
  void set(const Error& error, std::string detail) {
    const std::lock_guard lock{mutex_};
    detail_ = std::move(detail);
    error_.store(error, std::memory_order_relaxed);
    present_.store(true, std::memory_order_release);
  }
  void clear() {
    if (!present_.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock{mutex_};
    present_.store(false, std::memory_order_release);
    detail_.clear();
  }
  [[nodiscard]] std::optional<Error> error() const {
    if (!present_.load(std::memory_order_acquire)) return std::nullopt;
    return error_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::string detail() const {
    const std::lock_guard lock{mutex_};
    return detail_;
  }

 private:
  std::atomic<bool> present_{false};
  std::atomic<Error> error_{Error{Fault::not_ready}};
  mutable std::mutex mutex_;
  std::string detail_;
};

/// A space's connection to its marks in the store. Used by the keeper of the space alone.
class LeaseLine {
 public:
  LeaseLine(std::string_view space, LeaseSupply supply)
      : space_(space), supply_(std::move(supply)) {}

  /// Sends a claim, of which the caller fills in what is its own, and answers with a grant that is the
  /// answer to this very claim (protocol R2), with NotYet, or with the error; the detail is kept.
  [[nodiscard]] std::variant<store::Grant, store::NotYet, Error> advance(store::Claim claim);

  /// The store's identity and the marks of the space.
  [[nodiscard]] Result<store::Identity> identity();
  [[nodiscard]] Result<std::vector<store::Mark>> scan();

  /// Tells the store that the space is suspect. If that fails, the next process that sees it does.
  void set_suspect();

  /// Opens the store again, at its own pace, once claims have stopped for `stopped`, and says whether the
  /// space may be claimed of again: it was fenced, or is the one it was (protocol R9, R10).
  enum class Readmission : std::uint8_t { none, same, fenced };
  [[nodiscard]] Readmission readmit(const Error& stopped);

  /// Tells whoever watches; nobody may.
  void say(std::string_view words) const {
    if (supply_.observer) supply_.observer(space_, words);
  }

  /// The words of the store about the last error.
  [[nodiscard]] const std::string& detail() const { return detail_; }
  [[nodiscard]] const store::SpaceMeta& meta() const { return supply_.meta; }
  /// Settings of the store that safety needs and that were off when it was opened. Any thread may look.
  [[nodiscard]] const std::vector<std::string>& unsafe() const { return supply_.unsafe; }
  [[nodiscard]] const Clock& clock() const { return supply_.clock; }

 private:
  [[nodiscard]] BootInstant deadline() const { return supply_.clock.boot() + kStoreDeadline; }

  const std::string space_;
  LeaseSupply supply_;
  std::string detail_;
  BootInstant next_look_ = BootInstant::min();
};

/// A keeper that a forked child leaves alone: its thread does not exist there, and joining it would
/// never end.
class ForkAwareKeeper {
 public:
  explicit ForkAwareKeeper(Keeper::Turn turn)
      : keeper_(std::make_unique<Keeper>(std::move(turn))) {}
  ~ForkAwareKeeper() {
    if (!fork_guard_.same_process()) static_cast<void>(keeper_.release());
  }
  ForkAwareKeeper(const ForkAwareKeeper&) = delete;
  ForkAwareKeeper& operator=(const ForkAwareKeeper&) = delete;

  /// False in a forked child, where nothing of the space may be used (protocol R11).
  [[nodiscard]] bool same_process() const { return fork_guard_.same_process(); }

  /// Wakes the keeper, once until its next turn begins.
  void nudge() {
    if (!nudged_.exchange(true, std::memory_order_relaxed)) keeper_->nudge();
  }
  /// The keeper's turn begins.
  void begin_turn() { nudged_.store(false, std::memory_order_relaxed); }

 private:
  const io::ForkGuard fork_guard_;
  std::atomic<bool> nudged_{false};
  std::unique_ptr<Keeper> keeper_;
};

}  // namespace mintmark::mint
