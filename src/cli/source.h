// A source of IDs for one command: the space that the user named, set up for as many IDs as are wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/settings.h"
#include "mint/mint.h"
#include "mint/space.h"
#include "mintmark/base/error.h"

namespace mintmark::cli {

/// Owns what its space needs. One thread at a time.
class Source {
 public:
  /// The space or scheme of that name with the options --layout, --worker and --store applied. Claims no
  /// more of the store than `count` IDs need, and waits until the first can be made. What is wrong was
  /// said when this gives an exit code.
  [[nodiscard]] static OrExit<Source> open(const std::string& name, const Arguments& arguments,
                                           std::uint64_t count);

  [[nodiscard]] mint::Space& space() const { return *space_; }

  /// Fills the front of `out` as Space::fill, waiting as long as the space's policy lets a caller wait.
  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out) const;

  /// An error of fill with what the space knows about it; returns its exit code.
  int report(const Error& error) const;

 private:
  std::unique_ptr<mint::Mint> mint_;
  std::unique_ptr<mint::Space> unguarded_;
  mint::Space* space_ = nullptr;
};

}  // namespace mintmark::cli
