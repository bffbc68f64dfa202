#include "c/process_mint.h"

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "c/patience.h"
#include "c/space_choice.h"
#include "io/fork_guard.h"
#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "mint/did_you_mean.h"
#include "mint/mint.h"
#include "mintmark/scheme/catalogue.h"

namespace mintmark::c {
namespace {

struct ProcessMint {
  std::uint64_t generation;
  std::unique_ptr<mint::Mint> mint;
};

/// Never freed: threads may still ask while the process ends, and a child must leave its parent's alone,
/// whose locks may be held by threads that it does not have.
constinit std::atomic<const ProcessMint*> g_mint{nullptr};

Outcome<const ProcessMint*> make(std::uint64_t generation) {
  mint::MintOptions options;
  for (mint::SpaceConfig& space : mint::default_spaces()) {
    if (!needs_store(space.kind)) options.spaces.push_back(std::move(space));
  }
  auto opened = mint::Mint::open(std::move(options), io::os_clock(), io::os_entropy());
  if (!opened) return std::unexpected(std::move(opened.error()));
  return new ProcessMint{generation, std::move(*opened)};
}

/// No lock and no guarded static: either could be left held in a child.
Outcome<const ProcessMint*> process_mint() {
  const std::uint64_t generation = io::generation();
  const ProcessMint* current = g_mint.load(std::memory_order_acquire);
  if (current != nullptr && current->generation == generation) return current;
  auto made = make(generation);
  if (!made) return made;
  if (g_mint.compare_exchange_strong(current, *made, std::memory_order_acq_rel)) return made;
  // Another thread of this process was first.
  delete *made;
  return current;
}

std::unexpected<Failure> not_made(std::string_view scheme) {
  if (mint::kind_of(scheme) || layouts::find(scheme) != nullptr) {
    return failure(Fault::invalid_argument,
                   fmt::format("{} needs a store, which makes its IDs distinct", scheme));
  }
  if (find_scheme(scheme) != nullptr) {
    return failure(Fault::invalid_argument, fmt::format("{} is read, not made", scheme));
  }
  return failure(Fault::unknown_space,
                 fmt::format("there is no scheme '{}'{}", scheme,
                             mint::did_you_mean(scheme, mint::mintable_schemes())));
}

}  // namespace

Outcome<mint::Space*> process_space(std::string_view scheme) {
  const auto mint = process_mint();
  if (!mint) return std::unexpected(mint.error());
  if (mint::Space* space = (*mint)->mint->find(scheme)) return space;
  return not_made(scheme);
}

Result<void> fill_all(mint::Space& space, std::span<std::byte> out) {
  while (!out.empty()) {
    MINTMARK_TRY(made, with_patience(space, Waiting::as_the_space_allows,
                                     [&](Instant now) { return space.fill(out, now); }));
    out = out.subspan(made * space.width());
  }
  return {};
}

}  // namespace mintmark::c
