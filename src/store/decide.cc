#include "store/decide.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/os_entropy.h"

namespace mintmark::store {

namespace {

/// A counter gives fewer than 2^24 numbers a second over its life (protocol R10).
constexpr unsigned kMostRateBits = 24;

/// E below this would not outlast a smeared leap second (protocol 3.1).
constexpr Duration kLeastSkew = std::chrono::milliseconds{1500};

Refused refused(Fault fault, std::string detail) {
  return {.failure = {Error{fault}, std::move(detail)}, .store_now = {}};
}

std::string key_of(const Claim& claim) {
  return claim.marks == Marks::slots
             ? fmt::format("slot {} of space \"{}\"", claim.slot, claim.space)
             : fmt::format("the counter of space \"{}\"", claim.space);
}

/// Step 1: is it the same store?
std::optional<Refused> doubt(const Claim& claim, const Standing& standing) {
  const SpaceMeta& meta = standing.meta;
  if (claim.epoch != meta.epoch || claim.incarnation != meta.incarnation) {
    return refused(
        Fault::epoch_mismatch,
        fmt::format("space \"{}\": the claim is of epoch {} ({}), the store of epoch {} ({})",
                    claim.space, claim.epoch, hex(claim.incarnation), meta.epoch,
                    hex(meta.incarnation)));
  }
  if (meta.suspect) {
    return refused(Fault::store_regressed,
                   fmt::format("space \"{}\" is suspect: {}", claim.space, *meta.suspect));
  }
  if (standing.engine) return Refused{.failure = *standing.engine, .store_now = {}};
  return {};
}

/// A claim that no state of the store could grant.
std::optional<Refused> nonsense(const Claim& claim, const Standing& standing) {
  const auto wrong = [&](std::string_view what) {
    return refused(Fault::invalid_argument, fmt::format("{}: {}", key_of(claim), what));
  };
  if (claim.marks != standing.meta.marks) return wrong("the space has marks of the other kind");
  if (claim.marks == Marks::counter) {
    if (claim.slot != 0) return wrong("a counter has no slots");
    if (claim.length == 0) return wrong("a range has at least one number");
    return {};
  }
  const std::uint64_t base = standing.meta.slot_base;
  if (claim.slot < base || claim.slot - base >= standing.meta.slot_count) {
    return wrong(
        fmt::format("the space has slots {} to {}", base, base + standing.meta.slot_count - 1));
  }
  if (claim.end > kMostValue) return wrong("the window ends above 2^63 - 1");
  // A longer window would outlive the fence (protocol, clarification 2).
  const auto most =
      (standing.meta.horizon_max + standing.meta.unit - Duration{1}) / standing.meta.unit;
  if (claim.end > claim.floor && claim.end - claim.floor > static_cast<std::uint64_t>(most)) {
    return wrong(fmt::format("the window has {} ticks, at most {} are allowed",
                             claim.end - claim.floor, most));
  }
  return {};
}

/// The rest of step 1: is this key where the claimant knows it to be?
std::optional<Refused> regression(const Claim& claim, const Standing& standing) {
  if (!standing.mark) {
    return refused(Fault::store_regressed, fmt::format("the row of {} is missing", key_of(claim)));
  }
  if (claim.my_end && standing.mark->high_water < *claim.my_end) {
    return refused(Fault::store_regressed,
                   fmt::format("{}: granted up to {}, but the store is at {}", key_of(claim),
                               *claim.my_end, standing.mark->high_water));
  }
  return {};
}

Answer decide_window(const Claim& claim, const Standing& standing) {
  const Mark& mark = *standing.mark;
  const SpaceMeta& meta = standing.meta;
  const std::uint64_t start = std::max({mark.high_water, claim.floor, meta.not_before});
  if (standing.now && claim.floor_time > *standing.now + 2 * meta.skew) {
    auto answer = refused(Fault::clock_ahead, fmt::format("the clock says {}, the store's {}",
                                                          TimeText{claim.floor_time}.view(),
                                                          TimeText{*standing.now}.view()));
    answer.store_now = standing.now;
    return answer;
  }
  if (claim.my_end && mark.owner != claim.life) {
    return refused(Fault::fenced, fmt::format("{} has another owner", key_of(claim)));
  }
  const bool held = !claim.my_end && mark.high_water > claim.floor;
  if (start >= claim.end || held) return NotYet{std::max(mark.high_water, meta.not_before)};
  return Grant{start, claim.end, mark.grants + 1, claim.request};
}

Answer decide_range(const Claim& claim, const Standing& standing) {
  const Mark& mark = *standing.mark;
  const std::uint64_t start = std::max(mark.high_water, standing.meta.range_floor);
  const std::uint64_t limit = std::min(claim.limit, kMostValue);
  if (start > limit || claim.length > limit - start) {
    return refused(Fault::key_space_exhausted,
                   fmt::format("{} is at {} and ends at {}: no {} numbers are left", key_of(claim),
                               start, limit, claim.length));
  }
  return Grant{start, start + claim.length, mark.grants + 1, claim.request};
}

/// No window that was granted before `now` ends after this tick.
std::uint64_t first_tick(const SpaceMeta& meta, Instant now, Duration skew) {
  const Duration since = now + meta.horizon_max + 2 * skew - meta.layout_epoch;
  if (since <= Duration::zero()) return 0;
  return static_cast<std::uint64_t>((since + meta.unit - Duration{1}) / meta.unit);
}

}  // namespace

Answer decide(const Claim& claim, const Standing& standing) {
  if (auto answer = doubt(claim, standing)) return *answer;
  if (auto answer = nonsense(claim, standing)) return *answer;
  if (auto answer = regression(claim, standing)) return *answer;
  return claim.marks == Marks::slots ? decide_window(claim, standing)
                                     : decide_range(claim, standing);
}

Outcome<void> check_setup(const SpaceSetup& setup) {
  const auto wrong = [&](std::string_view what) {
    return failure(Fault::invalid_argument, fmt::format("space \"{}\": {}", setup.name, what));
  };
  if (setup.name.empty()) return wrong("it has no name");
  if (setup.name.size() > kMostNameBytes) return wrong("the name has more than 255 bytes");
  if (setup.name.contains('\0')) return wrong("the name contains a zero byte");
  if (setup.definition.size() > kMostDefinitionBytes) {
    return wrong("the definition has more than 65,536 bytes");
  }
  if (setup.marks == Marks::counter) {
    if (setup.first_value > kMostValue) return wrong("the first number is above 2^63 - 1");
    return {};
  }
  if (setup.slot_count == 0 || setup.slot_count > kMostSlots) {
    return wrong(fmt::format("it has 1 to {} slots, not {}", kMostSlots, setup.slot_count));
  }
  if (setup.unit <= Duration::zero()) return wrong("a tick is longer than nothing");
  if (setup.horizon_max <= Duration::zero()) return wrong("a window is longer than nothing");
  if (setup.skew < kLeastSkew) return wrong("the skew bound is at least 1.5 s");
  return {};
}

Outcome<void> check_item(std::string_view key, std::string_view value) {
  if (key.empty() || key.size() > kMostKeyBytes) {
    return failure(Fault::invalid_argument,
                   fmt::format("a key has 1 to {} bytes, not {}", kMostKeyBytes, key.size()));
  }
  if (value.size() > kMostItemBytes) {
    return failure(Fault::invalid_argument, fmt::format("an item has at most {} bytes, not {}",
                                                        kMostItemBytes, value.size()));
  }
  return {};
}

Outcome<SpaceMeta> new_meta(const SpaceSetup& setup, const Nonce& store_id, Instant now,
                            Duration skew, Past past, std::string ident) {
  MINTMARK_TRY(incarnation, draw_nonce());
  const bool slots = setup.marks == Marks::slots;
  SpaceMeta meta;
  meta.store_id = store_id;
  meta.incarnation = incarnation;
  meta.created_at = now;
  meta.definition = setup.definition;
  meta.marks = setup.marks;
  meta.slot_count = slots ? setup.slot_count : 0;
  meta.layout_epoch = slots ? setup.epoch : Instant{};
  meta.unit = slots ? setup.unit : Duration{};
  meta.horizon_max = setup.horizon_max;
  meta.skew = setup.skew;
  meta.engine_ident = std::move(ident);
  if (slots && past == Past::possible) meta.not_before = first_tick(meta, now, skew);
  if (meta.not_before <= kMostValue) return meta;
  return failure(Fault::invalid_argument,
                 fmt::format("space \"{}\": its ticks are too short", setup.name));
}

Outcome<Fenced> fenced(std::string_view space, SpaceMeta meta, const std::optional<Mark>& counter,
                       const FenceOrder& order, Instant now, std::string ident) {
  MINTMARK_TRY(incarnation, draw_nonce());
  const std::uint64_t floor = meta.range_floor;
  ++meta.epoch;
  meta.incarnation = incarnation;
  meta.suspect.reset();
  meta.engine_ident = std::move(ident);
  if (meta.marks == Marks::slots) {
    meta.not_before = std::max(meta.not_before, first_tick(meta, now, meta.skew));
    return Fenced{std::move(meta), {}};
  }
  if (!counter) {
    return failure(Fault::store_regressed,
                   fmt::format("space \"{}\" has no mark: it cannot be fenced", space));
  }
  const std::uint64_t mark = std::max(counter->high_water, floor);
  Mark raised = *counter;
  if (order.at_least) {
    if (*order.at_least < mark || *order.at_least > kMostValue) {
      return failure(Fault::invalid_argument,
                     fmt::format("space \"{}\": the next number is from {} to {}, not {}", space,
                                 mark, kMostValue, *order.at_least));
    }
    raised.high_water = *order.at_least;
  } else {
    // What the lost part of its history may have given, at the most (protocol R10).
    const Duration life = std::max(now - meta.created_at, Duration::zero()) + 2 * meta.skew;
    const auto seconds =
        static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(life).count());
    const bool counts = seconds <= kMostValue >> kMostRateBits;
    const std::uint64_t most = counts ? seconds << kMostRateBits : 0;
    if (mark > most || most > kMostValue - mark) {
      return failure(
          Fault::key_space_exhausted,
          fmt::format("space \"{}\" is at {}: no skip is sure to be above what it gave; say the "
                      "next number, from the application's data (--at-least N)",
                      space, mark));
    }
    raised.high_water = mark + most;
  }
  meta.range_floor = raised.high_water;
  return Fenced{std::move(meta), raised};
}

Outcome<Nonce> draw_nonce() {
  Nonce nonce{};
  if (auto filled = io::os_entropy().fill(nonce); !filled) {
    return std::unexpected(Failure{filled.error(), "getrandom gives no bytes"});
  }
  return nonce;
}

std::string hex(const Nonce& nonce) {
  std::string text;
  for (const std::byte byte : nonce) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

}  // namespace mintmark::store
