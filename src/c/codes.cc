#include "c/codes.h"

#include <algorithm>
#include <array>

#include "mint/request.h"

namespace mintmark::c {
namespace {

/// A switch, so that a fault without a code does not compile.
constexpr int number_of(Fault fault) {
  switch (fault) {
    case Fault::wrong_length:
      return MINTMARK_WRONG_LENGTH;
    case Fault::bad_character:
      return MINTMARK_BAD_CHARACTER;
    case Fault::value_overflow:
      return MINTMARK_VALUE_OVERFLOW;
    case Fault::wrong_version:
      return MINTMARK_WRONG_VERSION;
    case Fault::not_canonical:
      return MINTMARK_NOT_CANONICAL;
    case Fault::unknown_key:
      return MINTMARK_UNKNOWN_KEY;
    case Fault::not_sealed:
      return MINTMARK_NOT_SEALED;
    case Fault::bad_layout:
      return MINTMARK_BAD_LAYOUT;
    case Fault::invalid_argument:
      return MINTMARK_INVALID_ARGUMENT;
    case Fault::not_ready:
      return MINTMARK_NOT_READY;
    case Fault::window_exhausted:
      return MINTMARK_WINDOW_EXHAUSTED;
    case Fault::no_free_slot:
      return MINTMARK_NO_FREE_SLOT;
    case Fault::slot_taken:
      return MINTMARK_SLOT_TAKEN;
    case Fault::sequence_exhausted:
      return MINTMARK_SEQUENCE_EXHAUSTED;
    case Fault::clock_behind:
      return MINTMARK_CLOCK_BEHIND;
    case Fault::clock_ahead:
      return MINTMARK_CLOCK_AHEAD;
    case Fault::clock_unverified:
      return MINTMARK_CLOCK_UNVERIFIED;
    case Fault::clock_before_epoch:
      return MINTMARK_CLOCK_BEFORE_EPOCH;
    case Fault::timestamp_overflow:
      return MINTMARK_TIMESTAMP_OVERFLOW;
    case Fault::range_exhausted:
      return MINTMARK_RANGE_EXHAUSTED;
    case Fault::key_space_exhausted:
      return MINTMARK_KEY_SPACE_EXHAUSTED;
    case Fault::store_unavailable:
      return MINTMARK_STORE_UNAVAILABLE;
    case Fault::store_regressed:
      return MINTMARK_STORE_REGRESSED;
    case Fault::incarnation_changed:
      return MINTMARK_INCARNATION_CHANGED;
    case Fault::epoch_mismatch:
      return MINTMARK_EPOCH_MISMATCH;
    case Fault::unsafe_store_config:
      return MINTMARK_UNSAFE_STORE_CONFIG;
    case Fault::layout_mismatch:
      return MINTMARK_LAYOUT_MISMATCH;
    case Fault::fenced:
      return MINTMARK_FENCED;
    case Fault::forked:
      return MINTMARK_FORKED;
    case Fault::entropy_unavailable:
      return MINTMARK_ENTROPY_UNAVAILABLE;
    case Fault::closed:
      return MINTMARK_CLOSED;
    case Fault::unknown_space:
      return MINTMARK_UNKNOWN_SPACE;
    case Fault::unknown_verb:
      return MINTMARK_UNKNOWN_VERB;
    case Fault::wrong_type:
      return MINTMARK_WRONG_TYPE;
    case Fault::not_allowed:
      return MINTMARK_NOT_ALLOWED;
    case Fault::too_many:
      return MINTMARK_TOO_MANY;
    case Fault::outcome_unknown:
      return MINTMARK_OUTCOME_UNKNOWN;
  }
  return MINTMARK_INTERNAL_ERROR;
}

struct OwnRow {
  int code;
  CodeRow row;
};
// What is no fault: only C has buffers that somebody else measured.
constexpr std::array kOwn{
    OwnRow{MINTMARK_OK, {"Ok", "all is well", "nothing", "ok", false}},
    OwnRow{MINTMARK_BUFFER_TOO_SMALL,
           {"BufferTooSmall", "the buffer is too small", "give as much room as is needed",
            "bad_input", false}},
    OwnRow{MINTMARK_OUT_OF_MEMORY,
           {"OutOfMemory", "the system gives no memory", "ask for less at a time", "broken", true}},
    OwnRow{MINTMARK_INTERNAL_ERROR,
           {"InternalError", "something happened that must not", "report it", "broken", false}},
};
constexpr CodeRow kNoCode{"Unknown", "there is no such code", "use a newer library", "broken",
                          false};

constexpr bool codes_are_distinct() {
  for (const FaultRow& row : kFaults) {
    const int code = number_of(row.fault);
    if (code <= MINTMARK_OK || code >= MINTMARK_BUFFER_TOO_SMALL) return false;
    for (const FaultRow& other : kFaults) {
      if (other.fault != row.fault && number_of(other.fault) == code) return false;
    }
  }
  return true;
}
static_assert(codes_are_distinct());

}  // namespace

int code_of(Fault fault) { return number_of(fault); }

CodeRow row_of(int code) {
  const auto own = std::ranges::find(kOwn, code, &OwnRow::code);
  if (own != kOwn.end()) return own->row;
  const auto fault =
      std::ranges::find(kFaults, code, [](const FaultRow& row) { return number_of(row.fault); });
  if (fault == kFaults.end()) return kNoCode;
  return {fault->name, fault->sentence, fault->remedy, mint::row_of(fault->kind).name,
          fault->retryable};
}

}  // namespace mintmark::c
