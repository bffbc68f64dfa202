#include "mint/window_space.h"

#include <string>

#include "mint/fill_bytes.h"
#include "mintmark/scheme/tsid.h"

namespace mintmark::mint {
namespace {

lease::WindowConfig machine_config(const SnowflakeConfig& config, const LeaseSupply& supply) {
  const store::SpaceMeta& meta = supply.meta;
  return {.scale = {config.layout.epoch(), config.layout.unit()},
          .horizon = std::min(std::max(config.horizon, config.layout.unit()), meta.horizon_max),
          .bounds = {.skew = meta.skew},
          .slot_base = meta.slot_base,
          .slot_count = meta.slot_count,
          .pinned = config.worker,
          .last_tick = config.layout.last_tick(),
          .not_before = meta.not_before,
          .seed = supply.seed};
}

/// A trouble that says by itself why there is no ID, rather than that the store did not answer.
bool explains_refusal(Fault fault) {
  switch (fault) {
    case Fault::store_unavailable:
    case Fault::outcome_unknown:
    case Fault::entropy_unavailable:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::size_t write_window_id(WindowText text, std::uint64_t value, std::span<char> out) {
  return text == WindowText::tsid ? Tsid{value}.write(out) : Snowflake{value}.write(out);
}

WindowSpace::WindowSpace(SpaceConfig config, LeaseSupply supply)
    : Space(std::move(config)),
      machine_(machine_config(snowflake(), supply)),
      line_(name(), std::move(supply)),
      keeper_([this] { return turn(); }) {}

std::size_t WindowSpace::write(std::span<const std::byte> id, std::span<char> out) const {
  return write_window_id(snowflake().text, load_be<std::uint64_t>(id), out);
}

Result<std::size_t> WindowSpace::fill(std::span<std::byte> out, Instant now) {
  if (!keeper_.same_process()) return fail(Fault::forked);
  SnowflakeGenerator* const generator = current_.load(std::memory_order_acquire);
  if (generator == nullptr) return fail(why_not());
  auto made = fill_bytes<Snowflake>(*generator, Snowflake::kBytes, out, now);
  if (made || made.error().fault() != Fault::window_exhausted) return made;
  keeper_.nudge();
  return fail(why_not());
}

Error WindowSpace::why_not() const {
  constexpr std::uint64_t kLookAgainUs = 20'000;
  const auto trouble = trouble_.error();
  if (trouble && explains_refusal(trouble->fault())) return *trouble;
  const bool never = current_.load(std::memory_order_relaxed) == nullptr;
  return Error::retry(never && !trouble ? Fault::not_ready : Fault::window_exhausted, kLookAgainUs);
}

Duration WindowSpace::patience(const Error& error) const {
  switch (error.fault()) {
    case Fault::sequence_exhausted:
      return snowflake().wait_full;
    case Fault::clock_behind: {
      // Another thread with a newer reading of the clock was first: by the next reading it is over.
      constexpr Duration kRace = std::chrono::milliseconds{2};
      const bool race = std::chrono::microseconds{error.retry_after_us()} <= kRace;
      return race ? std::max(kRace, snowflake().wait_clock_back) : snowflake().wait_clock_back;
    }
    case Fault::not_ready:
    case Fault::window_exhausted:
      // The keeper is on its way to the store. Once it has failed there, waiting is no use.
      return trouble_.error() ? Duration::zero() : kStoreDeadline;
    default:
      return Duration::zero();
  }
}

SpaceHealth WindowSpace::health(Instant now) const {
  if (!keeper_.same_process()) return forked_health();
  SpaceHealth health;
  health.unsafe_store = line_.unsafe();
  health.state = lease::name(state_.load(std::memory_order_relaxed));
  health.trouble = trouble_.error();
  health.detail = trouble_.detail();
  const SnowflakeGenerator* const generator = current_.load(std::memory_order_acquire);
  health.ready = false;
  if (generator != nullptr) {
    const TickWindow window = generator->window();
    health.slot = generator->slot().number();
    health.window_end = generator->layout().instant_of(window.end);
    health.ready = now < *health.window_end;
  }
  return health;
}

Duration WindowSpace::turn() {
  keeper_.begin_turn();
  if (machine_.stopped()) readmit();
  carry_out(machine_.step(lease::Wake{}, line_.clock().wall()));
  const Instant wake = machine_.wake_at();
  const Instant now = line_.clock().wall();
  if (wake <= now) return Duration::zero();
  return wake == Instant::max() ? Duration::max() : wake - now;
}

void WindowSpace::readmit() {
  const auto readmission = line_.readmit(*machine_.trouble());
  if (readmission == LeaseLine::Readmission::none) return;
  lease::Readmitted event;
  if (readmission == LeaseLine::Readmission::fenced) event.not_before = line_.meta().not_before;
  carry_out(machine_.step(event, line_.clock().wall()));
}

void WindowSpace::carry_out(lease::WindowActions actions) {
  for (;;) {
    if (actions.extend) current_.load(std::memory_order_relaxed)->extend(*actions.extend);
    if (actions.install) {
      const auto slot = snowflake().layout.slot(actions.install->slot);
      MINTMARK_CHECK(slot.has_value());  // the layout's fingerprint equals the store's
      generators_.push_back(std::make_unique<SnowflakeGenerator>(
          snowflake().layout, *slot, TickWindow{actions.install->start, actions.install->end},
          snowflake().policy));
      current_.store(generators_.back().get(), std::memory_order_release);
    }
    note(actions, line_.clock().wall());
    if (actions.set_suspect) line_.set_suspect();
    if (!actions.scan && !actions.claim) return;
    // First the answer, then the time: the machine plans from when it has the answer.
    const lease::WindowEvent answer = actions.scan ? read_marks() : send(*actions.claim);
    actions = machine_.step(answer, line_.clock().wall());
  }
}

void WindowSpace::note(const lease::WindowActions& actions, Instant now) {
  if (const auto& trouble = machine_.trouble()) {
    trouble_.set(*trouble, line_.detail());
  } else {
    trouble_.clear();
  }
  state_.store(machine_.state(), std::memory_order_relaxed);
  if (!actions.entered) return;
  // Renewing and back is the daily round of a healthy space, not news.
  if (*actions.entered == lease::WindowState::renewing || *actions.entered == reported_) return;
  reported_ = *actions.entered;
  std::string words{lease::name(*actions.entered)};
  if (const auto& grant = machine_.grant()) {
    words += " slot=" + std::to_string(grant->slot) + " end=";
    words += TimeText{snowflake().layout.instant_of(grant->end)}.view();
  }
  words += " now=";
  words += TimeText{now}.view();
  if (const auto& trouble = machine_.trouble()) {
    words += " trouble=";
    words += trouble->row().name;
    if (!line_.detail().empty()) words += " (" + line_.detail() + ")";
  }
  line_.say(words);
}

lease::WindowEvent WindowSpace::read_marks() {
  const auto identity = line_.identity();
  if (!identity) return lease::Refused{0, identity.error()};
  const auto marks = line_.scan();
  if (!marks) return lease::Refused{0, marks.error()};
  marks_.clear();
  std::uint64_t newest = 0;
  for (const store::Mark& mark : *marks) {
    marks_.push_back({mark.slot, mark.high_water});
    newest = std::max(newest, mark.high_water);
  }
  lease::TimeEvidence evidence;
  evidence.store_now = identity->now;
  evidence.synchronized = line_.clock().synchronized();
  evidence.created_at = line_.meta().created_at;
  if (newest != 0) evidence.newest_mark = snowflake().layout.instant_of(newest);
  if (trusted_) evidence.own_line = trusted_->first + (line_.clock().boot() - trusted_->second);
  return lease::Scanned{marks_, evidence};
}

lease::WindowEvent WindowSpace::send(const lease::WindowClaim& claim) {
  store::Claim request;
  request.marks = store::Marks::slots;
  request.slot = claim.slot;
  request.floor = claim.floor;
  request.end = claim.end;
  request.floor_time = claim.floor_time;
  request.my_end = claim.my_end;
  const BootInstant sent = line_.clock().boot();
  const auto answer = line_.advance(request);
  if (const auto* grant = std::get_if<store::Grant>(&answer)) {
    trusted_ = {claim.floor_time, sent};
    return lease::Granted{claim.request, grant->start, grant->end};
  }
  if (const auto* not_yet = std::get_if<store::NotYet>(&answer)) {
    return lease::NotYet{claim.request, not_yet->high_water};
  }
  const Error error = std::get<Error>(answer);
  if (error.fault() == Fault::outcome_unknown) return lease::Unknown{claim.request};
  return lease::Refused{claim.request, error};
}

}  // namespace mintmark::mint
