#include "lease/range.h"

#include <algorithm>

namespace mintmark::lease {

RangeMachine::RangeMachine(const RangeConfig& config)
    : config_(config), length_(config.block_min), backoff_(config.backoff_min) {
  MINTMARK_CHECK(0 < config.block_min && config.block_min <= config.block_max);
}

RangeActions RangeMachine::step(const RangeEvent& event, BootInstant now) {
  RangeActions actions;
  std::visit([&](const auto& happened) { on(happened, now, actions); }, event);
  return actions;
}

void RangeMachine::on(const RangeLevel& level, BootInstant now, RangeActions& actions) {
  if (stopped_ || outstanding_ != 0 || now < wake_at_) return;
  if (level.left > refill_below_ && level.wanted_run == 0) return;
  if (fresh_) adapt(now);
  fresh_ = false;
  outstanding_ = ++last_request_;
  const std::uint64_t wanted = std::min(level.wanted_run, config_.block_max);
  for_run_ = wanted > length_;
  actions.claim = RangeClaim{
      .request = outstanding_, .length = std::max(length_, wanted), .my_end = newest_end_};
}

/// Doubles or halves the length, by how long the block before lasted.
void RangeMachine::adapt(BootInstant now) {
  if (last_claim_) {
    const Duration lasted = now - *last_claim_;
    if (lasted < config_.target / 2) {
      length_ = std::min(length_ > config_.block_max / 2 ? config_.block_max : 2 * length_,
                         config_.block_max);
    } else if (lasted > 2 * config_.target) {
      length_ = std::max(length_ / 2, config_.block_min);
    }
    // At this pace a block lasts `lasted`: the next is due when the rest would last for less than three
    // deadlines of the store, or at one fifth, whichever is more; at most a whole block ahead.
    const auto time = static_cast<double>(std::max<std::int64_t>(lasted.count(), 1));
    const double pace = static_cast<double>(length_) / time;
    const double three = pace * static_cast<double>((3 * config_.store_deadline).count());
    const double most = static_cast<double>(length_);
    refill_below_ = std::max(length_ / 5, static_cast<std::uint64_t>(std::min(three, most)));
  } else {
    refill_below_ = length_ / 5;
  }
  last_claim_ = now;
}

void RangeMachine::on(const RangeGranted& granted, BootInstant now, RangeActions& actions) {
  if (!answers(granted.request)) return;
  if (granted.start < highest_end_) {
    // These numbers were granted here before: the store has forgotten it, or was fenced too low (protocol
    // 2.7, rule 4).
    actions.set_suspect = true;
    trouble_ = Error{Fault::store_regressed};
    stopped_ = true;
    wake_at_ = BootInstant::max();
    return;
  }
  trouble_.reset();
  backoff_ = config_.backoff_min;
  newest_end_ = granted.end;
  highest_end_ = granted.end;
  fresh_ = true;
  wake_at_ = now;
  actions.deliver = RangeGrant{granted.start, granted.end};
}

void RangeMachine::on(const RangeRefused& refused, BootInstant now, RangeActions& actions) {
  if (!answers(refused.request)) return;
  switch (refused.error.fault()) {
    case Fault::store_regressed:
      actions.set_suspect = true;
      [[fallthrough]];
    case Fault::incarnation_changed:
    case Fault::epoch_mismatch:
    case Fault::layout_mismatch:
    case Fault::unsafe_store_config:
    case Fault::forked:
      trouble_ = refused.error;
      stopped_ = true;
      wake_at_ = BootInstant::max();
      return;
    case Fault::key_space_exhausted:
      on_end(refused.error, now, actions);
      return;
    default:
      back_off(refused.error, now);
  }
}

/// The counter has not enough left for this claim: perhaps for a smaller one.
void RangeMachine::on_end(Error error, BootInstant now, RangeActions& actions) {
  if (for_run_) {
    actions.run_refused = true;
    wake_at_ = now;
  } else if (length_ > 1) {
    length_ /= 2;
    refill_below_ = std::min(refill_below_, length_ / 5);
    wake_at_ = now;
  } else {
    trouble_ = error;
    stopped_ = true;
    wake_at_ = BootInstant::max();
  }
}

void RangeMachine::on(const RangeReadmitted& readmitted, BootInstant now, RangeActions&) {
  if (!stopped_) return;
  stopped_ = false;
  trouble_.reset();
  backoff_ = config_.backoff_min;
  wake_at_ = now;
  // The mark of a new incarnation is not known to be above what the old one granted here.
  if (readmitted.incarnation == RangeReadmitted::Incarnation::fenced) newest_end_.reset();
}

void RangeMachine::on(const RangeUnknown& unknown, BootInstant now, RangeActions&) {
  if (answers(unknown.request)) back_off(Error{Fault::outcome_unknown}, now);
}

bool RangeMachine::answers(std::uint64_t request) {
  if (request == 0 || request != outstanding_) return false;
  outstanding_ = 0;
  return true;
}

void RangeMachine::back_off(Error error, BootInstant now) {
  trouble_ = error;
  wake_at_ = now + backoff_;
  backoff_ = std::min(2 * backoff_, config_.backoff_max);
}

}  // namespace mintmark::lease
