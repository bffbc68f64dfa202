// An open mint: one space over its store, for a caller that may wait. Handles of C and C++ hold one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "c/patience.h"
#include "c/space_choice.h"
#include "io/failure.h"
#include "mint/mint.h"

namespace mintmark::c {

struct MintChoice {
  SpaceChoice space;
  std::string_view store;  ///< URL; empty for that of the configuration
  Waiting waiting = Waiting::as_the_space_allows;
};

/// Thread-safe. REQUIRES: no call is under way when it is destroyed.
class OpenMint {
 public:
  /// Errors: those of choose_space, store::check_url and mint::Mint::open.
  [[nodiscard]] static Outcome<std::unique_ptr<OpenMint>> open(const MintChoice& choice);

  [[nodiscard]] const mint::Space& space() const { return *space_; }

  /// Waits until an ID would be given, up to `timeout`, unless the trouble is one that lasts.
  [[nodiscard]] Outcome<void> wait_ready(Duration timeout) const;

  /// Fills `out`; `made` is the number of IDs at its front, also after an error.
  /// REQUIRES: out.size() is a multiple of the width.
  [[nodiscard]] Result<void> fill(std::span<std::byte> out, std::size_t& made);

  /// As mint::Space::take.
  [[nodiscard]] Result<mint::Run> take(std::uint64_t count);

  /// The error with what the space knows about it.
  [[nodiscard]] Failure explained(const Error& error) const;

 private:
  OpenMint(std::unique_ptr<mint::Mint> mint, Waiting waiting)
      : mint_(std::move(mint)), space_(mint_->spaces().front().get()), waiting_(waiting) {}

  std::unique_ptr<mint::Mint> mint_;
  mint::Space* space_;
  const Waiting waiting_;
};

}  // namespace mintmark::c
