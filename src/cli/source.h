// A source of IDs for one command: the space that the user named, set up for as many IDs as are wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/settings.h"
#include "mint/mint.h"
#include "mint/space.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::cli {

inline constexpr Option kSeedOption{"seed", "", "N", "the same IDs each time; not for production"};
inline constexpr Option kNowOption{"now", "", "T", "as if it were this time; not for production"};

/// Owns what its space needs. One thread at a time.
class Source {
 public:
  /// The space or scheme of that name with the options of space_options.h, --store, --seed and --now
  /// applied. Claims little more of the store than `count` IDs need, and waits until the first can be made.
  /// What is wrong was said when this gives an exit code.
  [[nodiscard]] static OrExit<Source> open(const std::string& name, const Arguments& arguments,
                                           std::uint64_t count);

  [[nodiscard]] mint::Space& space() const { return *space_; }

  /// Fills the front of `out` as Space::fill, waiting as long as the space's policy lets a caller wait.
  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out);

  /// An error of fill with what the space knows about it; returns its exit code.
  int report(const Error& error) const;

 private:
  /// IDs that come out the same whenever the seed and the time are: without a store, of worker 0.
  [[nodiscard]] OrExit<void> open_reproducible(mint::SpaceConfig space, const Arguments& arguments);
  [[nodiscard]] Result<std::size_t> fill_at_moment(std::span<std::byte> out);

  std::unique_ptr<SeededEntropy> entropy_;  ///< before the mint, which uses it
  std::optional<Instant> moment_;           ///< the time, if it is not the clock's
  std::unique_ptr<mint::Mint> mint_;
  std::unique_ptr<mint::Space> unguarded_;
  mint::Space* space_ = nullptr;
};

}  // namespace mintmark::cli
