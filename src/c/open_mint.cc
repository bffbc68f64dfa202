#include "c/open_mint.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "io/os_clock.h"
#include "io/os_entropy.h"
#include "store/store.h"

namespace mintmark::c {

Outcome<std::unique_ptr<OpenMint>> OpenMint::open(const MintChoice& choice) {
  auto chosen = choose_space(choice.space);
  if (!chosen) return std::unexpected(std::move(chosen.error()));
  std::string url{choice.store.empty() ? std::string_view{chosen->store} : choice.store};
  mint::MintOptions options;
  if (needs_store(chosen->space.kind)) {
    if (url.empty()) {
      return failure(Fault::invalid_argument,
                     fmt::format("'{}' needs a store: sqlite:PATH", chosen->space.name));
    }
    if (auto checked = store::check_url(url); !checked)
      return std::unexpected(std::move(checked.error()));
    options.open_store = [url = std::move(url)](BootInstant deadline) {
      return store::open(url, {.clock = io::os_clock()}, deadline);
    };
  }
  options.spaces.push_back(std::move(chosen->space));
  auto opened = mint::Mint::open(std::move(options), io::os_clock(), io::os_entropy());
  if (!opened) return std::unexpected(std::move(opened.error()));
  return std::unique_ptr<OpenMint>(new OpenMint(std::move(*opened), choice.waiting));
}

Outcome<void> OpenMint::wait_ready(Duration timeout) const {
  constexpr Duration kLookAgain = std::chrono::milliseconds{1};
  const Clock& clock = io::os_clock();
  const BootInstant start = clock.boot();
  for (;;) {
    mint::SpaceHealth health = space_->health(clock.wall());
    if (health.ready) return {};
    const Error error = health.trouble.value_or(Error{Fault::not_ready});
    const Duration left = timeout - (clock.boot() - start);
    if (!error.row().retryable || left <= Duration::zero()) {
      return std::unexpected(Failure{error, std::move(health.detail)});
    }
    io::pause_for(std::min(kLookAgain, left));
  }
}

Result<void> OpenMint::fill(std::span<std::byte> out, std::size_t& made) {
  made = 0;
  while (!out.empty()) {
    MINTMARK_TRY(count, with_patience(*space_, waiting_,
                                      [&](Instant now) { return space_->fill(out, now); }));
    made += count;
    out = out.subspan(count * space_->width());
  }
  return {};
}

Result<mint::Run> OpenMint::take(std::uint64_t count) {
  if (count == 0) return fail(Fault::invalid_argument);
  return with_patience(*space_, waiting_, [&](Instant now) { return space_->take(count, now); });
}

Failure OpenMint::explained(const Error& error) const {
  return {error, space_->health(io::wall_now()).detail};
}

}  // namespace mintmark::c
