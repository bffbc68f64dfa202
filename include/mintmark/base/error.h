// Errors: one closed list of faults, and a Result that carries either a value or one of them.
//
// Why so small: an Error is 8 bytes and is returned on paths that run in nanoseconds. It says which
// fault and where (or until when); the long words live in one table, and `explain` of the scheme reads
// the input again when a person wants to know more. Nothing in mintmark throws across a floor.
//
// A fault earns its place only if a caller would act on it differently. The names of the minting
// faults are those of the protocol (docs/internals/protocol.md, section 2.5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <limits>
#include <string_view>

namespace mintmark {

/// What a caller can do about a fault. Protocols and exit codes map the kind, never the single fault.
enum class Kind : std::uint8_t {
  bad_input,        ///< the request or the text is wrong; sending it again cannot help
  not_found,        ///< no such space, verb or scheme
  denied,           ///< the caller may not do this
  limited,          ///< the caller asks too often; later it may ask again
  refused,          ///< no ID can be proven unique right now; definite: none was made
  busy,             ///< the store or the service cannot serve now; definite: none was made
  outcome_unknown,  ///< it may or may not have happened; a retry costs an ID, nothing else
  broken,           ///< an operator has to act
};

enum class Fault : std::uint8_t {
  // Text and values.
  wrong_length,
  bad_character,
  value_overflow,
  wrong_version,
  not_canonical,
  unknown_key,
  not_sealed,
  bad_layout,
  invalid_argument,
  // Minting (protocol 2.5).
  not_ready,
  window_exhausted,
  no_free_slot,
  slot_taken,
  sequence_exhausted,
  clock_behind,
  clock_ahead,
  clock_unverified,
  clock_before_epoch,
  timestamp_overflow,
  range_exhausted,
  key_space_exhausted,
  store_unavailable,
  store_regressed,
  incarnation_changed,
  epoch_mismatch,
  unsafe_store_config,
  layout_mismatch,
  fenced,
  forked,
  entropy_unavailable,
  closed,
  // Requests.
  unknown_space,
  unknown_verb,
  wrong_type,
  not_allowed,
  too_many,
  outcome_unknown,
};

/// One row per fault, in the order of the enumeration.
struct FaultRow {
  Fault fault;
  std::string_view name;  ///< as protocols print it
  Kind kind;
  bool retryable;             ///< the same request may succeed later without anybody acting
  std::string_view sentence;  ///< what is wrong
  std::string_view remedy;    ///< what to do
};

inline constexpr std::array kFaults{
    FaultRow{Fault::wrong_length, "WrongLength", Kind::bad_input, false,
             "the text has the wrong length", "check that the ID was copied whole"},
    FaultRow{Fault::bad_character, "BadCharacter", Kind::bad_input, false,
             "a character is not in the alphabet", "look at the named position"},
    FaultRow{Fault::value_overflow, "ValueOverflow", Kind::bad_input, false,
             "the value does not fit its field", "use a smaller value or a wider field"},
    FaultRow{Fault::wrong_version, "WrongVersion", Kind::bad_input, false,
             "the UUID has another version or variant", "read it with the scheme of its version"},
    FaultRow{Fault::not_canonical, "NotCanonical", Kind::bad_input, false,
             "the text is not the one spelling of its value", "use the canonical spelling"},
    FaultRow{Fault::unknown_key, "UnknownKey", Kind::bad_input, false,
             "the public ID names a key version that is not here",
             "keep the keys of public IDs that still live"},
    FaultRow{Fault::not_sealed, "NotSealed", Kind::bad_input, false,
             "the public ID was not sealed with this key and these options",
             "treat it as not found: it is mistyped, made up, or of another space"},
    FaultRow{Fault::bad_layout, "BadLayout", Kind::bad_input, false,
             "the layout does not describe a 64-bit ID", "check widths, unit and epoch"},
    FaultRow{Fault::invalid_argument, "InvalidArgument", Kind::bad_input, false,
             "the request itself is wrong", "correct the argument"},
    FaultRow{Fault::not_ready, "NotReady", Kind::refused, true,
             "no grant was obtained from the store yet", "try again in a moment"},
    FaultRow{Fault::window_exhausted, "WindowExhausted", Kind::refused, true,
             "the granted window is used up and the store gave no new one", "check the store"},
    FaultRow{Fault::no_free_slot, "NoFreeSlot", Kind::refused, true,
             "every worker ID of the space is in use", "wait, or give the space more worker IDs"},
    FaultRow{Fault::slot_taken, "SlotTaken", Kind::refused, true, "the pinned worker ID is in use",
             "pin another one, or let the store choose"},
    FaultRow{Fault::sequence_exhausted, "SequenceExhausted", Kind::refused, true,
             "IDs were asked for faster than the layout allows",
             "wait for the named time, use more workers or more sequence bits"},
    FaultRow{Fault::clock_behind, "ClockBehind", Kind::refused, true,
             "the clock is behind the IDs already issued or the time the store knows",
             "check time synchronisation; minting goes on when the clock has caught up"},
    FaultRow{Fault::clock_ahead, "ClockAhead", Kind::refused, true,
             "the clock is further ahead of the store's time than two clocks may differ",
             "check time synchronisation; nothing was written"},
    FaultRow{Fault::clock_unverified, "ClockUnverified", Kind::refused, false,
             "nothing confirms the clock, and the store was last used too long ago",
             "check the clock, then run: mintmark store accept-time"},
    FaultRow{Fault::clock_before_epoch, "ClockBeforeEpoch", Kind::refused, true,
             "the clock is before the layout's epoch", "set the clock, or use another epoch"},
    FaultRow{Fault::timestamp_overflow, "TimestampOverflow", Kind::refused, false,
             "the time does not fit the layout's time field any more", "move to another layout"},
    FaultRow{Fault::range_exhausted, "RangeExhausted", Kind::refused, true,
             "the leased blocks are used up and the store gave no new one", "check the store"},
    FaultRow{Fault::key_space_exhausted, "KeySpaceExhausted", Kind::refused, false,
             "the counter has reached its end", "use another space with a wider type"},
    FaultRow{Fault::store_unavailable, "StoreUnavailable", Kind::busy, true,
             "the store cannot be reached or cannot write",
             "check the store, its disk and its rights"},
    FaultRow{Fault::store_regressed, "StoreRegressed", Kind::broken, false,
             "the store is behind what it granted before",
             "find out what restored or removed it; fence it before it grants again"},
    FaultRow{Fault::incarnation_changed, "IncarnationChanged", Kind::broken, false,
             "the store is not the one that was opened",
             "find out what replaced it; fence it before it grants again"},
    FaultRow{Fault::epoch_mismatch, "EpochMismatch", Kind::refused, false,
             "the store was fenced since this process last looked", "open it again"},
    FaultRow{Fault::unsafe_store_config, "UnsafeStoreConfig", Kind::broken, false,
             "a setting of the store that safety needs is off", "change the named setting"},
    FaultRow{Fault::layout_mismatch, "LayoutMismatch", Kind::broken, false,
             "the space in the store has another definition",
             "use the definition the store has, or a new space name"},
    FaultRow{Fault::fenced, "Fenced", Kind::refused, true,
             "another process holds this worker ID now", "none: another one is being taken"},
    FaultRow{Fault::forked, "Forked", Kind::refused, false,
             "this process is a fork; its parent holds the grants",
             "open the mint again in the child"},
    FaultRow{Fault::entropy_unavailable, "EntropyUnavailable", Kind::broken, true,
             "the system gives no random bytes", "check getrandom(2) and its seccomp filter"},
    FaultRow{Fault::closed, "Closed", Kind::busy, true, "the mint is stopping",
             "ask another instance"},
    FaultRow{Fault::unknown_space, "UnknownSpace", Kind::not_found, false,
             "there is no space of that name", "list the spaces, or add it to the configuration"},
    FaultRow{Fault::unknown_verb, "UnknownVerb", Kind::not_found, false,
             "there is no such command or route", "see the reference of the protocol"},
    FaultRow{Fault::wrong_type, "WrongType", Kind::bad_input, false,
             "the space does not give contiguous numbers", "use MINT for this space"},
    FaultRow{Fault::not_allowed, "NotAllowed", Kind::denied, false,
             "the request may not be made this way", "see the reference of the protocol"},
    FaultRow{Fault::too_many, "TooMany", Kind::bad_input, false,
             "more was asked for than one request may", "ask for less at a time"},
    FaultRow{Fault::outcome_unknown, "OutcomeUnknown", Kind::outcome_unknown, true,
             "it is not known whether this happened", "try again: at worst an ID is burnt"},
};

[[nodiscard]] constexpr const FaultRow& row_of(Fault fault) {
  return kFaults[static_cast<std::size_t>(fault)];
}

namespace error_checks {
constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (static_cast<std::size_t>(kFaults[i].fault) != i) return false;
  }
  return kFaults.size() == static_cast<std::size_t>(Fault::outcome_unknown) + 1;
}
static_assert(rows_are_in_order());
}  // namespace error_checks

/// A fault and one number about it. 8 bytes, trivially copyable.
class Error {
 public:
  /// A fault about which there is nothing more to say.
  constexpr explicit Error(Fault fault) : fault_(fault) {}

  /// Bad input: `position` is the byte offset of the first offending character.
  [[nodiscard]] static constexpr Error at(Fault fault, std::size_t position) {
    return Error{fault, saturate(position)};
  }

  /// A refusal that may end by itself: in `micros` microseconds it is worth trying again.
  [[nodiscard]] static constexpr Error retry(Fault fault, std::uint64_t micros) {
    return Error{fault, saturate(micros)};
  }

  [[nodiscard]] constexpr Fault fault() const { return fault_; }
  [[nodiscard]] constexpr Kind kind() const { return row_of(fault_).kind; }
  [[nodiscard]] constexpr const FaultRow& row() const { return row_of(fault_); }

  /// Byte offset in the input. Only for faults of kind bad_input.
  [[nodiscard]] constexpr std::uint32_t position() const { return number_; }

  /// Microseconds until a retry makes sense; 0 when unknown, capped at 71 minutes. Only for faults
  /// that are not of kind bad_input.
  [[nodiscard]] constexpr std::uint32_t retry_after_us() const {
    return kind() == Kind::bad_input ? 0 : number_;
  }

  friend constexpr bool operator==(const Error&, const Error&) = default;

 private:
  constexpr Error(Fault fault, std::uint32_t number) : fault_(fault), number_(number) {}

  static constexpr std::uint32_t saturate(std::uint64_t value) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(value < kMost ? value : kMost);
  }

  Fault fault_;
  std::uint32_t number_ = 0;
};
static_assert(sizeof(Error) == 8);

template <class T>
using Result = std::expected<T, Error>;

/// Short form for `return std::unexpected(Error{fault})`.
[[nodiscard]] constexpr std::unexpected<Error> fail(Fault fault) {
  return std::unexpected(Error{fault});
}
[[nodiscard]] constexpr std::unexpected<Error> fail(Error error) { return std::unexpected(error); }

[[noreturn]] inline void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "mintmark: %s:%d: invariant broken: %s\n", file, line, condition);
  std::abort();
}

}  // namespace mintmark

/// An invariant. On in release builds: a mint that cannot prove that it is alone must stop.
#define MINTMARK_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::mintmark::check_failed(#condition, __FILE__, __LINE__))

/// Declares `name` as the value of a Result, or returns its error from the enclosing function.
#define MINTMARK_TRY(name, expression)               \
  auto name##_or_error = (expression);               \
  if (!name##_or_error) {                            \
    return std::unexpected(name##_or_error.error()); \
  }                                                  \
  [[maybe_unused]] auto& name = *name##_or_error
