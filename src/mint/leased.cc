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

void LeaseLine::set_suspect() {
  const auto told = supply_.store->set_suspect(space_, detail_, deadline());
  if (!told) say("could not mark the space as suspect: " + told.error().detail);
}

}  // namespace mintmark::mint
