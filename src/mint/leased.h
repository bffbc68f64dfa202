// What the two kinds of leased spaces share: a connection to the store, a name for this life of the
// process, and the trouble that requests are told about.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "io/fork_guard.h"
#include "mint/mint.h"
#include "store/store.h"

namespace mintmark::mint {

/// What Mint::open hands to a leased space. `clock` and `entropy` outlive it.
struct LeaseSupply {
  std::unique_ptr<store::Store> store;
  store::SpaceMeta meta;
  store::Nonce life{};
  std::uint64_t seed = 0;
  const Clock& clock;
  Entropy& entropy;
  Observer observer;
};

/// One call to the store ends after this (protocol R7).
inline constexpr Duration kStoreDeadline = std::chrono::seconds{1};

/// The last failure of a claim, for requests to read without a lock. Thread-safe.
class Trouble {
 public:
  /// Called by the keeper only.
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

/// A fresh request nonce; all zero if there are no random bytes, which never equals an echo by chance
/// of another claim because the machine's own request number is compared as well.
[[nodiscard]] inline store::Nonce fresh_nonce(Entropy& entropy) {
  store::Nonce nonce{};
  if (!entropy.fill(nonce)) nonce = {};
  return nonce;
}

}  // namespace mintmark::mint
