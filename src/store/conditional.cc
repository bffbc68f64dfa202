#include "store/conditional.h"

#include <utility>

#include <fmt/format.h>

#include "io/os_clock.h"
#include "store/decide.h"

namespace mintmark::store {

namespace {

Failure outrun(std::string_view space) {
  return {Error{Fault::store_unavailable},
          fmt::format("space \"{}\": others were faster each time, until the deadline", space)};
}

bool is_over(BootInstant deadline) { return io::os_clock().boot() >= deadline; }

/// Why the engine is not the one that the space was made on, or last fenced.
std::optional<Failure> doubt(std::string_view space, const Sight& seen) {
  if (seen.ident == seen.meta.engine_ident) return {};
  return Failure{Error{Fault::incarnation_changed},
                 fmt::format("space \"{}\" was granted by {}, this is {}", space,
                             seen.meta.engine_ident, seen.ident)};
}

}  // namespace

Outcome<BootInstant> ConditionalStore::enter(BootInstant deadline) const {
  if (!guard_.same_process()) {
    return failure(Fault::forked, "this handle was opened by the parent process");
  }
  const Duration left = deadline - clock_.boot();
  if (left <= Duration::zero()) {
    return failure(Fault::store_unavailable, "the deadline had passed before the call");
  }
  return io::os_clock().boot() + left;
}

Outcome<void> ConditionalStore::accept_time(BootInstant deadline) {
  if (auto entered = enter(deadline); !entered) return std::unexpected(entered.error());
  return {};
}

Answer ConditionalStore::advance(const Claim& claim, BootInstant deadline) {
  const auto refused = [](Failure failure) {
    return Refused{.failure = std::move(failure), .store_now = {}};
  };
  const auto until = enter(deadline);
  if (!until) return refused(until.error());
  // A slot that no engine can name has no mark.
  const auto slot = claim.slot <= kMostValue ? std::optional{claim.slot} : std::nullopt;
  for (;;) {
    auto found = see(claim.space, slot, *until);
    if (!found) return refused(found.error());
    if (!*found) {
      return refused({Error{Fault::store_regressed},
                      fmt::format("space \"{}\" has no meta row", claim.space)});
    }
    const Sight& seen = **found;
    const Answer answer = decide(claim, {.meta = seen.meta,
                                         .mark = seen.mark,
                                         .engine = doubt(claim.space, seen),
                                         .now = seen.now});
    if (const auto* refusal = std::get_if<Refused>(&answer)) {
      if (refusal->failure.error.fault() == Fault::store_regressed) {
        make_suspect(claim.space, seen, refusal->failure.detail, *until);
      }
      return answer;
    }
    const auto* grant = std::get_if<Grant>(&answer);
    if (grant == nullptr) return answer;
    const Mark next{
        .slot = claim.slot, .high_water = grant->end, .grants = grant->grants, .owner = claim.life};
    auto written = change(claim.space, seen, nullptr, &next, *until);
    if (!written) return refused(written.error());
    if (*written) return answer;
    if (is_over(*until)) return refused(outrun(claim.space));
  }
}

void ConditionalStore::make_suspect(std::string_view space, const Sight& seen,
                                    std::string_view reason, BootInstant deadline) {
  if (seen.meta.suspect) return;
  SpaceMeta meta = seen.meta;
  meta.suspect = reason;
  // The caller stops in any case; what cannot be written is written by the next who sees it.
  static_cast<void>(change(space, seen, &meta, nullptr, deadline));
}

Outcome<Sight> ConditionalStore::see_space(std::string_view space,
                                           std::optional<std::uint64_t> slot,
                                           BootInstant deadline) {
  MINTMARK_TRY(seen, see(space, slot, deadline));
  if (seen) return *std::move(seen);
  return failure(Fault::unknown_space, fmt::format("there is no space \"{}\"", space));
}

Outcome<void> ConditionalStore::set_suspect(std::string_view space, std::string_view reason,
                                            BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  for (;;) {
    MINTMARK_TRY(seen, see_space(space, std::nullopt, until));
    if (seen.meta.suspect) return {};
    SpaceMeta meta = seen.meta;
    meta.suspect = reason;
    MINTMARK_TRY(written, change(space, seen, &meta, nullptr, until));
    if (written) return {};
    if (is_over(until)) return std::unexpected(outrun(space));
  }
}

Outcome<SpaceMeta> ConditionalStore::fence(std::string_view space, const FenceOrder& order,
                                           BootInstant deadline) {
  MINTMARK_TRY(until, enter(deadline));
  for (;;) {
    MINTMARK_TRY(seen, see_space(space, 0, until));
    const bool counter = seen.meta.marks == Marks::counter;
    MINTMARK_TRY(fence, fenced(space, seen.meta, counter ? seen.mark : std::nullopt, order,
                               seen.now.value_or(clock_.wall()) + kClockGrain, seen.ident));
    MINTMARK_TRY(written, change(space, seen, &fence.meta,
                                 fence.counter ? &*fence.counter : nullptr, until));
    if (written) return std::move(fence.meta);
    if (is_over(until)) return std::unexpected(outrun(space));
  }
}

}  // namespace mintmark::store
