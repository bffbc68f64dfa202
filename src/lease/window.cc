#include "lease/window.h"

#include <algorithm>
#include <utility>

namespace mintmark::lease {

std::string_view name(WindowState state) {
  switch (state) {
    case WindowState::init:
      return "init";
    case WindowState::acquiring:
      return "acquiring";
    case WindowState::active:
      return "active";
    case WindowState::renewing:
      return "renewing";
    case WindowState::drained:
      return "drained";
    case WindowState::fenced:
      return "fenced";
    case WindowState::suspect:
      return "suspect";
    case WindowState::quarantined:
      return "quarantined";
    case WindowState::forked:
      return "forked";
    case WindowState::closed:
      return "closed";
  }
  return "unknown";
}

WindowMachine::WindowMachine(const WindowConfig& config)
    : config_(config),
      not_before_(config.not_before),
      backoff_(config.backoff_min),
      random_state_(config.seed) {
  MINTMARK_CHECK(config.horizon > Duration::zero() && config.slot_count > 0);
}

WindowActions WindowMachine::step(const WindowEvent& event, Instant now) {
  WindowActions actions;
  if (state_ == WindowState::closed || state_ == WindowState::forked) return actions;
  std::visit([&](const auto& happened) { on(happened, now, actions); }, event);
  return actions;
}

void WindowMachine::on(const Wake&, Instant now, WindowActions& actions) {
  if (scanning_ || outstanding_ != 0) return;
  if (grant_ && !in_window(now)) {
    enter(claims_stopped_ ? WindowState::quarantined : WindowState::drained, actions);
  }
  if (claims_stopped_) {
    wake_at_ = grant_ && in_window(now) ? config_.scale.time(grant_->end) : Instant::max();
    return;
  }
  // A wake-up further away than any that is ever set: the clock went back since it was set (R8).
  const bool plan_is_stale =
      now < wake_at_ && wake_at_ - now > config_.horizon + config_.backoff_max;
  if (now < wake_at_ && !plan_is_stale) return;
  if (pending_ && !in_window(now)) {
    install(*std::exchange(pending_, std::nullopt), now, actions);
    return;
  }
  if (!grant_) {
    enter(WindowState::acquiring, actions);
    look_for_slot(actions);
    return;
  }
  // The window ends more than two horizons from now: the clock went back by more than one since it was
  // granted. If the evidence confirms the new time, another slot serves sooner (R8).
  const bool went_back =
      grant_->end > config_.scale.tick(now) + 2 * config_.scale.ticks(config_.horizon) + 1;
  if ((leave_slot_ || went_back) && !config_.pinned) {
    look_for_slot(actions);
  } else {
    renew(now, actions);
  }
}

void WindowMachine::look_for_slot(WindowActions& actions) {
  scanning_ = true;
  actions.scan = true;
}

void WindowMachine::renew(Instant now, WindowActions& actions) {
  enter(WindowState::renewing, actions);
  send(grant_->slot, grant_->end, now, actions);
}

void WindowMachine::send(std::uint64_t slot, std::optional<std::uint64_t> my_end, Instant now,
                         WindowActions& actions) {
  const std::uint64_t floor = config_.scale.tick(now);
  const std::uint64_t horizon = std::max<std::uint64_t>(config_.scale.ticks(config_.horizon), 1);
  if (now < config_.scale.epoch) {
    back_off(Error::retry(Fault::clock_before_epoch, wait_us(config_.scale.epoch - now)), now);
    return;
  }
  if (floor > config_.last_tick) {
    back_off(Error{Fault::timestamp_overflow}, now);
    return;
  }
  outstanding_ = ++last_request_;
  claimed_slot_ = slot;
  actions.claim = WindowClaim{.request = outstanding_,
                              .slot = slot,
                              .floor = floor,
                              .end = floor + horizon,
                              .floor_time = now,
                              .my_end = my_end};
}

void WindowMachine::on(const Scanned& scanned, Instant now, WindowActions& actions) {
  if (!scanning_) return;
  scanning_ = false;
  if (scanned.marks.size() < config_.slot_count) {
    stop_claims(Error{Fault::store_regressed}, actions);
    return;
  }
  if (const auto checked = check_time(now, scanned.evidence, config_.bounds); !checked) {
    enter(WindowState::suspect, actions);
    back_off(checked.error(), now);
    return;
  }
  const std::uint64_t floor = config_.scale.tick(now);
  if (floor < not_before_) {
    const Duration wait = config_.scale.time(not_before_) - now;
    back_off(Error::retry(Fault::not_ready, wait_us(wait)), now);
    wake_at_ = std::min(wake_at_, now + wait);
    return;
  }
  std::optional<std::uint64_t> chosen;
  std::uint64_t soonest = ~std::uint64_t{0};
  std::uint64_t free_slots = 0;
  for (const SlotMark& mark : scanned.marks) {
    if (mark.slot < config_.slot_base || mark.slot - config_.slot_base >= config_.slot_count)
      continue;
    if (config_.pinned && mark.slot != *config_.pinned) continue;
    if (mark.high_water > floor) {
      soonest = std::min(soonest, mark.high_water);
      continue;
    }
    // One in n of the n free slots seen so far: each ends up chosen with the same probability.
    if (random() % ++free_slots == 0) chosen = mark.slot;
  }
  if (chosen) {
    send(*chosen, std::nullopt, now, actions);
    return;
  }
  if (soonest == ~std::uint64_t{0}) {  // the pinned slot is outside the range of the store
    stop_claims(Error{Fault::invalid_argument}, actions);
    return;
  }
  const Duration wait = config_.scale.time(soonest) - now;
  back_off(Error::retry(config_.pinned ? Fault::slot_taken : Fault::no_free_slot, wait_us(wait)),
           now);
  wake_at_ = std::min(wake_at_, now + wait);
}

void WindowMachine::on(const Granted& granted, Instant now, WindowActions& actions) {
  if (!answers(granted.request)) return;
  trouble_.reset();
  backoff_ = config_.backoff_min;
  misses_ = 0;
  const bool same_slot = grant_ && grant_->slot == claimed_slot_;
  if (same_slot && granted.start == grant_->end) {
    grant_->end = granted.end;
    actions.extend = granted.end;
    enter(WindowState::active, actions);
    wake_at_ = now + with_jitter(config_.horizon / 3);
    return;
  }
  const WindowGrant grant{claimed_slot_, granted.start, granted.end};
  const bool in_future = granted.start > config_.scale.tick(now);
  if (!same_slot || !in_future) {
    install(grant, now, actions);
  } else if (config_.pinned && in_window(now)) {
    // A lost claim of our own stands between the two windows, and there is no other slot: the one at hand
    // is used up first.
    pending_ = grant;
    enter(WindowState::active, actions);
    wake_at_ = config_.scale.time(grant_->end);
  } else if (config_.pinned) {
    install(grant, now, actions);
  } else {
    // Somebody's lost claim stands between the old window and this one (R2, R3). The slot would have to
    // wait for its start; another one can serve at once. What was granted here is burnt.
    leave_slot_ = true;
    wake_at_ = now;
  }
}

void WindowMachine::install(const WindowGrant& grant, Instant now, WindowActions& actions) {
  grant_ = grant;
  actions.install = grant;
  leave_slot_ = false;
  enter(WindowState::active, actions);
  wake_at_ = now + with_jitter(config_.horizon / 3);
}

void WindowMachine::on(const NotYet& not_yet, Instant now, WindowActions& actions) {
  if (!answers(not_yet.request)) return;
  const bool renewing = grant_ && grant_->slot == claimed_slot_ && !leave_slot_;
  if (renewing) {
    // The mark is already a window ahead of this clock: an own lost claim, or the clock went back.
    if (not_yet.high_water > grant_->end && !config_.pinned) leave_slot_ = true;
    trouble_.reset();
    if (in_window(now)) enter(WindowState::active, actions);
    // A claim ends at its floor + H: the first floor that reaches past the mark.
    const std::uint64_t horizon = std::max<std::uint64_t>(config_.scale.ticks(config_.horizon), 1);
    const std::uint64_t first_floor =
        not_yet.high_water + 1 - std::min(horizon, not_yet.high_water);
    const Instant next_turn = std::min(config_.scale.time(first_floor), now + config_.horizon);
    wake_at_ = std::max(now + config_.backoff_min, next_turn);
    return;
  }
  // Another process took the slot between the scan and the claim.
  if (config_.pinned) {
    const Duration wait = config_.scale.time(not_yet.high_water) - now;
    back_off(Error::retry(Fault::slot_taken, wait_us(wait)), now);
    return;
  }
  constexpr unsigned kMissesAtOnce = 8;
  wake_at_ = now;
  if (++misses_ > kMissesAtOnce) back_off(Error{Fault::no_free_slot}, now);
}

void WindowMachine::on(const Refused& refused, Instant now, WindowActions& actions) {
  if (refused.request == 0) {
    if (!scanning_) return;
    scanning_ = false;
  } else if (!answers(refused.request)) {
    return;
  }
  switch (refused.error.fault()) {
    case Fault::fenced:
      enter(WindowState::fenced, actions);
      grant_.reset();
      wake_at_ = now;
      return;
    case Fault::clock_ahead:
    case Fault::clock_behind:
    case Fault::clock_unverified:
      enter(WindowState::suspect, actions);
      back_off(refused.error, now);
      return;
    case Fault::store_regressed:
    case Fault::incarnation_changed:
    case Fault::epoch_mismatch:
    case Fault::layout_mismatch:
    case Fault::unsafe_store_config:
      stop_claims(refused.error, actions);
      return;
    case Fault::forked:
      on(Forked{}, now, actions);
      return;
    default:
      back_off(refused.error, now);
  }
}

void WindowMachine::on(const Unknown& unknown, Instant now, WindowActions&) {
  if (!answers(unknown.request)) return;
  // The claim may have moved the mark up to a window ahead of now: this slot cannot go on at once.
  if (grant_ && grant_->slot == claimed_slot_ && !config_.pinned) leave_slot_ = true;
  back_off(Error{Fault::outcome_unknown}, now);
}

void WindowMachine::on(const Readmitted& readmitted, Instant now, WindowActions& actions) {
  if (!claims_stopped_) return;
  claims_stopped_ = false;
  trouble_.reset();
  backoff_ = config_.backoff_min;
  wake_at_ = now;
  if (readmitted.not_before) {
    // The generator in use stays inside its window, which ends before a new one may begin (R10).
    not_before_ = *readmitted.not_before;
    grant_.reset();
    pending_.reset();
    leave_slot_ = false;
  }
  enter(grant_ ? WindowState::active : WindowState::acquiring, actions);
}

void WindowMachine::on(const Forked&, Instant, WindowActions& actions) {
  grant_.reset();
  trouble_ = Error{Fault::forked};
  wake_at_ = Instant::max();
  enter(WindowState::forked, actions);
}

void WindowMachine::on(const Close&, Instant, WindowActions& actions) {
  wake_at_ = Instant::max();
  enter(WindowState::closed, actions);
}

bool WindowMachine::answers(std::uint64_t request) {
  if (request == 0 || request != outstanding_) return false;
  outstanding_ = 0;
  return true;
}

void WindowMachine::back_off(Error error, Instant now) {
  trouble_ = error;
  wake_at_ = now + with_jitter(backoff_);
  backoff_ = std::min(2 * backoff_, config_.backoff_max);
}

void WindowMachine::stop_claims(Error error, WindowActions& actions) {
  claims_stopped_ = true;
  trouble_ = error;
  wake_at_ = Instant::min();
  actions.set_suspect = error.fault() == Fault::store_regressed;
  enter(grant_ ? WindowState::suspect : WindowState::quarantined, actions);
}

void WindowMachine::enter(WindowState state, WindowActions& actions) {
  if (state_ == state) return;
  state_ = state;
  actions.entered = state;
}

bool WindowMachine::in_window(Instant now) const {
  return grant_ && config_.scale.tick(now) < grant_->end;
}

Duration WindowMachine::with_jitter(Duration length) {
  // +-20 %, so that a fleet started together does not stay together (R7).
  const auto percent = static_cast<std::int64_t>(80 + random() % 41);
  return length * percent / 100;
}

std::uint64_t WindowMachine::random() {
  // SplitMix64: spreads, is no secret, and replays from a seed.
  std::uint64_t z = (random_state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace mintmark::lease
