#include "mint/range_space.h"

#include <algorithm>

#include "mintmark/base/bytes.h"
#include "mintmark/scheme/bit_reversed.h"
#include "mintmark/scheme/shard_first.h"
#include "mintmark/text/radix.h"

namespace mintmark::mint {

void BlockQueue::add(std::uint64_t start, std::uint64_t end) {
  MINTMARK_CHECK(start < end);
  Block& newest = waiting_count_ == 0 ? first_ : waiting_[waiting_count_ - 1];
  MINTMARK_CHECK(start >= newest.end);
  if (newest.end == start && newest.end != 0) {
    newest.end = end;
  } else if (waiting_count_ == 0 && first_.left() == 0) {
    first_ = {start, end};
  } else {
    if (waiting_count_ == kMostWaiting) {
      // Runs that were asked for and given up again leave blocks that nobody uses up.
      burnt_ += first_.left();
      shift();
    }
    waiting_[waiting_count_++] = {start, end};
  }
}

bool BlockQueue::shift() {
  if (waiting_count_ == 0) return false;
  first_ = waiting_[0];
  std::copy(waiting_.begin() + 1, waiting_.end(), waiting_.begin());
  --waiting_count_;
  return true;
}

bool BlockQueue::take_run(std::uint64_t count, std::uint64_t& first) {
  bool fits = first_.left() >= count;
  for (std::size_t i = 0; i < waiting_count_; ++i) fits |= waiting_[i].left() >= count;
  if (!fits) return false;
  while (first_.left() < count) {
    burnt_ += first_.left();
    shift();
  }
  first = first_.next;
  first_.next += count;
  return true;
}

std::uint64_t BlockQueue::take_some(std::uint64_t most, std::uint64_t& first) {
  if (first_.left() == 0 && !shift()) return 0;
  const std::uint64_t count = std::min(most, first_.left());
  first = first_.next;
  first_.next += count;
  return count;
}

std::uint64_t BlockQueue::left() const {
  std::uint64_t sum = first_.left();
  for (std::size_t i = 0; i < waiting_count_; ++i) sum += waiting_[i].left();
  return sum;
}

namespace {

// The last number of such a space is no larger than its dress has room for: neither can fail.
std::uint64_t bit_reversed(std::uint64_t number) {
  const auto id = BitReversed::pack({.sequence = number});
  MINTMARK_CHECK(id.has_value());
  return id->value();
}
std::uint64_t shard_first(std::uint64_t number) {
  const auto id = ShardFirst::of_counter(number);
  MINTMARK_CHECK(id.has_value());
  return id->value();
}

auto dress_of(std::string_view scheme) -> std::uint64_t (*)(std::uint64_t) {
  if (scheme == BitReversed::facts.name) return bit_reversed;
  return scheme == ShardFirst::facts.name ? shard_first : nullptr;
}

}  // namespace

RangeSpace::RangeSpace(SpaceConfig config, LeaseSupply supply)
    : Space(std::move(config)),
      dress_(dress_of(block().scheme)),
      machine_({.block_min = block().block_min,
                .block_max = block().block_max,
                .store_deadline = kStoreDeadline}),
      line_(name(), std::move(supply)),
      keeper_([this] { return turn(); }) {}

std::size_t RangeSpace::write(std::span<const std::byte> id, std::span<char> out) const {
  return write_decimal(load_be<std::uint64_t>(id), out);
}

Result<std::size_t> RangeSpace::fill(std::span<std::byte> out, Instant) {
  if (!keeper_.same_process()) return fail(Fault::forked);
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  {
    const std::lock_guard lock{mutex_};
    count = blocks_.take_some(out.size() / sizeof first, first);
    left_ -= count;
    if (left_ <= refill_below_) keeper_.nudge();
  }
  if (count == 0) return fail(why_not(0));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t number = first + i;
    store_be(out.subspan(i * sizeof first), dress_ == nullptr ? number : dress_(number));
  }
  return static_cast<std::size_t>(count);
}

Result<Run> RangeSpace::take(std::uint64_t count, Instant) {
  if (!keeper_.same_process()) return fail(Fault::forked);
  if (!contiguous()) return fail(Fault::wrong_type);
  if (count > block().block_max) return fail(Fault::invalid_argument);
  std::uint64_t first = 0;
  bool taken = false;
  {
    const std::lock_guard lock{mutex_};
    if (count == 1) {
      taken = blocks_.take_one(first);
      left_ -= taken ? 1 : 0;
    } else {
      taken = blocks_.take_run(count, first);
      left_ = blocks_.left();
    }
    if (left_ <= refill_below_) keeper_.nudge();
  }
  if (!taken) return fail(why_not(count));
  return Run{first, first + count - 1};
}

Error RangeSpace::why_not(std::uint64_t wanted) {
  constexpr std::uint64_t kLookAgainUs = 500;
  if (wanted > 1) {
    const std::lock_guard lock{mutex_};
    if (wanted >= refused_run_) return Error{Fault::key_space_exhausted};
    wanted_run_ = std::max(wanted_run_, wanted);
  }
  keeper_.nudge();
  const auto trouble = trouble_.error();
  if (trouble && !trouble->row().retryable) return *trouble;
  return Error::retry(Fault::range_exhausted, kLookAgainUs);
}

Duration RangeSpace::patience(const Error& error) const {
  if (error.fault() != Fault::range_exhausted || trouble_.error()) return Duration::zero();
  return kStoreDeadline;
}

SpaceHealth RangeSpace::health(Instant) const {
  if (!keeper_.same_process()) return forked_health();
  SpaceHealth health;
  health.unsafe_store = line_.unsafe();
  {
    const std::lock_guard lock{mutex_};
    health.left = left_;
  }
  health.ready = *health.left > 0;
  health.trouble = trouble_.error();
  health.detail = trouble_.detail();
  health.state = health.ready ? (health.trouble ? "store away" : "ready") : "exhausted";
  return health;
}

Duration RangeSpace::turn() {
  keeper_.begin_turn();
  if (machine_.stopped()) readmit();
  lease::RangeLevel level;
  {
    const std::lock_guard lock{mutex_};
    level.left = left_;
    level.wanted_run = wanted_run_;
  }
  auto actions = machine_.step(level, line_.clock().boot());
  const bool claimed = actions.claim.has_value();
  if (claimed) {
    const lease::RangeEvent answer = send(*actions.claim);
    actions = machine_.step(answer, line_.clock().boot());
  }
  if (actions.set_suspect) line_.set_suspect();
  {
    const std::lock_guard lock{mutex_};
    // While the store is away the machine's own pace of retries counts, not that of requests.
    refill_below_ = machine_.trouble() ? 0 : machine_.refill_below();
    if (actions.run_refused) {
      refused_run_ = std::min(refused_run_, level.wanted_run);
      wanted_run_ = 0;
    }
    if (actions.deliver) {
      blocks_.add(actions.deliver->start, actions.deliver->end);
      left_ = blocks_.left();
      wanted_run_ = 0;
    }
  }
  if (claimed) note();
  // The level may have fallen again meanwhile, or a smaller claim may do.
  if (actions.deliver || (claimed && machine_.wake_at() <= line_.clock().boot()))
    return Duration::zero();
  const BootInstant now = line_.clock().boot();
  const BootInstant wake = machine_.wake_at();
  return wake > now && wake != BootInstant::max() ? wake - now : Duration::max();
}

void RangeSpace::readmit() {
  const auto readmission = line_.readmit(*machine_.trouble());
  if (readmission == LeaseLine::Readmission::none) return;
  using Incarnation = lease::RangeReadmitted::Incarnation;
  const bool fenced = readmission == LeaseLine::Readmission::fenced;
  static_cast<void>(
      machine_.step(lease::RangeReadmitted{fenced ? Incarnation::fenced : Incarnation::same},
                    line_.clock().boot()));
  note();
}

void RangeSpace::note() {
  const auto& trouble = machine_.trouble();
  if (!trouble) {
    trouble_.clear();
    return;
  }
  if (!trouble_.error()) line_.say(std::string{trouble->row().name} + " (" + line_.detail() + ")");
  trouble_.set(*trouble, line_.detail());
}

lease::RangeEvent RangeSpace::send(const lease::RangeClaim& claim) {
  store::Claim request;
  request.marks = store::Marks::counter;
  request.length = claim.length;
  request.limit = block().last + 1;
  request.my_end = claim.my_end;
  const auto answer = line_.advance(request);
  if (const auto* grant = std::get_if<store::Grant>(&answer)) {
    return lease::RangeGranted{claim.request, grant->start, grant->end};
  }
  const auto* error = std::get_if<Error>(&answer);
  const Error refused = error == nullptr ? Error{Fault::store_unavailable} : *error;
  if (refused.fault() == Fault::outcome_unknown) return lease::RangeUnknown{claim.request};
  return lease::RangeRefused{claim.request, refused};
}

}  // namespace mintmark::mint
