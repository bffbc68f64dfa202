// The mint: all spaces of a process over one store. The service object that every face calls.
//
// It owns no socket and reads no clock on the path of a request: time is an argument. Windows and blocks
// are fetched ahead by keepers on threads of their own, so that no request waits for the store.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mint/request.h"
#include "mint/space.h"
#include "store/store.h"

namespace mintmark::mint {

/// Opens one more connection to the store.
using StoreOpener =
    std::function<store::Outcome<std::unique_ptr<store::Store>>(BootInstant deadline)>;

/// A space as a store has to keep it. REQUIRES: it needs one.
[[nodiscard]] store::SpaceSetup store_setup(const SpaceConfig& config);

/// Words about what happened, for logs and a terminal. Called from keeper threads, one at a time.
using Observer = std::function<void(std::string_view space, std::string_view words)>;

struct MintOptions {
  std::vector<SpaceConfig> spaces;
  StoreOpener open_store;  ///< may be empty if no space needs a store
  Observer observer;       ///< may be empty
};

/// Thread-safe after open. REQUIRES: no call is under way when it is destroyed.
class Mint {
 public:
  /// Sets the spaces up in the store and starts their keepers; does not wait for the first grants.
  /// Errors: StoreUnavailable, LayoutMismatch (detail: both definitions),
  /// InvalidArgument (two spaces of one name, no store for a space that needs one, a worker or a horizon
  /// that the store does not allow), EntropyUnavailable, and those of Store::open_space.
  static store::Outcome<std::unique_ptr<Mint>> open(MintOptions options, const Clock& clock,
                                                    Entropy& entropy);
  ~Mint();
  Mint(const Mint&) = delete;
  Mint& operator=(const Mint&) = delete;

  /// The space of that name, or null. The pointer lives as long as the mint.
  [[nodiscard]] Space* find(std::string_view name) const;
  /// In the order of the configuration.
  [[nodiscard]] const std::vector<std::unique_ptr<Space>>& spaces() const;

  /// Makes the rest of the batch at `now`; call Batch::start first. Errors: those of Space::fill. After
  /// an error with patience the batch keeps what was made, and the same call later goes on; otherwise
  /// what was made is burnt and must not be given out. Closed after close().
  [[nodiscard]] Result<void> mint(Batch& batch, Instant now);

  /// As Space::take, and Closed after close().
  [[nodiscard]] Result<Run> take(Space& space, std::uint64_t count, Instant now);

  /// From now on every request is refused with Closed. Keepers go on until the mint is destroyed; nothing
  /// more is written to the store than they would have written anyway.
  void close();

 private:
  struct Inside;
  explicit Mint(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace mintmark::mint
