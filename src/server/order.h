// An order: one request for IDs or numbers, and how long it may wait for them.
//
// The waiting rule of every protocol: an error that the space has patience with is no answer yet. The
// caller comes back after wait(), and gets the error only once the patience is used up without progress:
// a batch that grows is no trouble, however long it takes. What was made of a batch is kept over a wait;
// after a refusal it is burnt and never given out.
#pragma once

#include <cstdint>
#include <string_view>

#include "mint/mint.h"
#include "server/conversation.h"

namespace mintmark::server {

/// A count of IDs: decimal digits, 1 to mint::kMostIds. Errors: InvalidArgument, TooMany.
[[nodiscard]] Result<std::uint64_t> parse_count(std::string_view text);

/// Reused from request to request. One thread at a time.
class Order {
 public:
  enum class State : std::uint8_t { idle, waiting, done, refused };

  /// `count` IDs. REQUIRES: count > 0; the state is not waiting.
  State mint(mint::Mint& mint, mint::Space& space, std::uint64_t count, const Moment& moment);
  /// `count` consecutive numbers. REQUIRES: the same.
  State take(mint::Mint& mint, mint::Space& space, std::uint64_t count, const Moment& moment);
  /// Tries again. REQUIRES: waiting.
  State resume(mint::Mint& mint, const Moment& moment);

  [[nodiscard]] State state() const { return state_; }
  /// While waiting: when to come back. At least 200 us, so that a wait is not a spin.
  [[nodiscard]] Duration wait() const { return wait_; }
  /// Of the last error; while waiting or refused.
  [[nodiscard]] const Error& error() const { return error_; }
  [[nodiscard]] const mint::Space& space() const { return *space_; }
  [[nodiscard]] const mint::Batch& batch() const { return batch_; }  ///< of mint(), when done
  [[nodiscard]] const mint::Run& run() const { return run_; }        ///< of take(), when done
  [[nodiscard]] bool is_run() const { return wanted_ == Wanted::run; }

  /// Ready for the next one; gives the memory of a large batch back.
  void finish();

 private:
  enum class Wanted : std::uint8_t { batch, run };

  State attempt(mint::Mint& mint, const Moment& moment);
  State settle(Error error);

  State state_ = State::idle;
  mint::Batch batch_;
  mint::Run run_;
  mint::Space* space_ = nullptr;
  Wanted wanted_ = Wanted::batch;
  std::uint64_t count_ = 0;  ///< of a run
  Error error_{Fault::not_ready};
  Duration waited_{};  ///< since the start, or since the batch last grew
  Duration wait_{};
};

}  // namespace mintmark::server
