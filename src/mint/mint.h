// The mint: all spaces of a process over one store. The service object that every face calls.
//
// It owns no socket and reads no clock on the path of a request: time is an argument. Windows and blocks
// are fetched ahead by keepers on threads of their own, so that no request waits for the store.
#pragma once

#include <functional>
#include <map>
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

/// Words about what happened, for logs and a terminal. Called from keeper threads, one at a time.
using Observer = std::function<void(std::string_view space, std::string_view words)>;

struct MintOptions {
  std::vector<SpaceConfig> spaces;
  StoreOpener open_store;  ///< may be empty if no space needs a store
  Observer observer;       ///< may be empty
};

/// Thread-safe after open. Outlives no thread that still calls it.
class Mint {
 public:
  /// Sets the spaces up in the store and starts their keepers; does not wait for the first grants.
  /// Errors: StoreUnavailable, LayoutMismatch (detail: both definitions), and those of Store::open_space.
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

  /// Waits until the space would give an ID or its trouble is final, at most until `deadline`.
  /// For start-up only.
  [[nodiscard]] Result<void> wait_ready(const Space& space, BootInstant deadline);

  /// From now on every request is refused with Closed; keepers stop. Nothing is written to the store.
  void close();

 private:
  struct Inside;
  explicit Mint(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace mintmark::mint
