#include "mint/leased.h"

namespace mintmark::mint {

std::variant<store::Grant, store::NotYet, Error> LeaseLine::advance(store::Claim claim) {
  detail_.clear();
  if (const auto drawn = supply_.entropy.fill(claim.request); !drawn) return drawn.error();
  claim.space = space_;
  claim.epoch = supply_.meta.epoch;
  claim.incarnation = supply_.meta.incarnation;
  claim.life = supply_.life;
  store::Answer answer = supply_.store->advance(claim, deadline());
  if (const auto* grant = std::get_if<store::Grant>(&answer)) {
    if (grant->request != claim.request) return Error{Fault::outcome_unknown};
    return *grant;
  }
  if (const auto* not_yet = std::get_if<store::NotYet>(&answer)) return *not_yet;
  Failure& failure = std::get<store::Refused>(answer).failure;
  detail_ = std::move(failure.detail);
  return failure.error;
}

Result<store::Identity> LeaseLine::identity() {
  detail_.clear();
  auto identity = supply_.store->identity(deadline());
  if (identity) return std::move(*identity);
  detail_ = std::move(identity.error().detail);
  return fail(identity.error().error);
}

Result<std::vector<store::Mark>> LeaseLine::scan() {
  detail_.clear();
  auto marks = supply_.store->scan(space_, deadline());
  if (marks) return std::move(*marks);
  detail_ = std::move(marks.error().detail);
  // The meta row was there when the mint was opened.
  const bool gone = marks.error().error.fault() == Fault::unknown_space;
  return fail(gone ? Error{Fault::store_regressed} : marks.error().error);
}

namespace {

/// What an operator, or the engine itself, may have put right since.
bool may_pass(Fault fault) {
  switch (fault) {
    case Fault::store_regressed:
    case Fault::incarnation_changed:
    case Fault::epoch_mismatch:
    case Fault::layout_mismatch:
    case Fault::unsafe_store_config:
      return true;
    default:
      return false;
  }
}

}  // namespace

LeaseLine::Readmission LeaseLine::readmit(const Error& stopped) {
  if (!may_pass(stopped.fault())) return Readmission::none;
  constexpr Duration kPace = std::chrono::seconds{2};
  const BootInstant now = supply_.clock.boot();
  if (now < next_look_) return Readmission::none;
  next_look_ = now + kPace;
  auto opened = supply_.open_store(deadline());
  if (!opened) return Readmission::none;
  auto meta = (*opened)->open_space(supply_.setup, deadline());
  if (!meta || meta->suspect || meta->definition != supply_.setup.definition) {
    return Readmission::none;
  }
  // Where the engine's identity counts, the space must be of this very engine.
  const auto identity = (*opened)->identity(deadline());
  const bool same_engine =
      identity && (meta->engine_ident.empty() || meta->engine_ident == identity->ident);
  if (!same_engine) return Readmission::none;
  const bool fenced = meta->incarnation != supply_.meta.incarnation;
  // A mark that went back goes on being one until somebody has fenced it.
  if (!fenced && stopped.fault() == Fault::store_regressed) return Readmission::none;
  supply_.store = std::move(*opened);
  supply_.meta = std::move(*meta);
  say(fenced ? "the store was fenced: epoch " + std::to_string(supply_.meta.epoch)
             : std::string{"the store is the one that it was"});
  return fenced ? Readmission::fenced : Readmission::same;
}

void LeaseLine::set_suspect() {
  const auto told = supply_.store->set_suspect(space_, detail_, deadline());
  if (!told) say("could not mark the space as suspect: " + told.error().detail);
}

}  // namespace mintmark::mint
