// The store: the one durable thing that makes IDs of several processes distinct.
//
// It has one atomic operation, advance (docs/internals/protocol.md, section 2.3): it moves the mark of a
// key up and answers with the interval that it passed over. A claim is durable before it is answered, so
// a lost reply only leaves a gap. Nothing expires; no mark is ever lowered; there is no release.
//
// One engine is one .cc file behind this interface. A handle is one connection: one thread at a time may
// use it, several handles of one store work side by side. Every call ends by its deadline. After fork()
// the child must drop its handles without closing them; the engines see to that.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/failure.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::store {

/// 128 random bits: the name of a store, an incarnation, a life of a process or a request.
using Nonce = std::array<std::byte, 16>;

/// What kind of marks a space has.
enum class Marks : std::uint8_t {
  slots,    ///< one mark for each worker slot; values are ticks of the space's layout
  counter,  ///< one mark; values are the numbers given out
};

using mintmark::Failure;
using mintmark::Outcome;

/// A space as its configuration wants it. `definition` is the text of everything that decides values
/// (scheme, layout, step, ...): a space with another definition is refused (protocol R12).
struct SpaceSetup {
  std::string name{};
  std::string definition{};
  Marks marks = Marks::slots;
  std::uint64_t slot_count = 0;   ///< slots only: 1 to 65,536 rows are made
  std::uint64_t first_value = 1;  ///< counter only: the first number ever given
  Instant epoch{};                ///< slots only: of the layout, to turn ticks into time
  Duration unit{};                ///< slots only
  Duration horizon_max = std::chrono::seconds{10};  ///< H_max
  Duration skew = std::chrono::seconds{5};          ///< E, never below 1.5 s
};

/// The meta row of a space (protocol 2.2).
struct SpaceMeta {
  Nonce store_id{};
  Nonce incarnation{};
  std::uint32_t epoch = 0;
  Instant created_at{};
  std::string definition;
  Marks marks = Marks::slots;
  std::uint64_t slot_base = 0;
  std::uint64_t slot_count = 0;
  Instant layout_epoch{};  ///< slots only
  Duration unit{};         ///< of a tick; slots only
  Duration horizon_max{};
  Duration skew{};
  std::string engine_ident{};          ///< Identity::ident when the space was made, or last fenced
  std::uint64_t not_before = 0;        ///< no window starts below this tick
  std::uint64_t range_floor = 0;       ///< no counter starts below it
  std::optional<std::string> suspect;  ///< why advance refuses, if it does
};

/// One mark: everything below `high_water` was granted at some time.
struct Mark {
  std::uint64_t slot = 0;  ///< 0 for a counter
  std::uint64_t high_water = 0;
  std::uint64_t grants = 0;  ///< gseq
  Nonce owner{};             ///< life nonce of the last holder; advisory
};

/// One request for a grant (protocol 2.3).
struct Claim {
  std::string_view space{};
  Marks marks = Marks::slots;
  std::uint64_t slot = 0;
  std::uint64_t floor = 0;   ///< windows: the caller's trusted now, as a tick
  std::uint64_t end = 0;     ///< windows: floor + H
  Instant floor_time{};      ///< windows: the same now as an instant, for the store's clock check
  std::uint64_t length = 0;  ///< ranges: how many numbers
  std::uint64_t limit = 0;   ///< ranges: the grant may not reach past it
  std::optional<std::uint64_t>
      my_end{};  ///< end of the newest grant that the caller holds of this key
  std::uint32_t epoch = 0;
  Nonce incarnation{};
  Nonce request{};  ///< names this claim
  Nonce life{};     ///< names this life of the process; written as owner on acquisition
};

struct Grant {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t grants = 0;  ///< gseq
  Nonce request{};           ///< echo of the claim's
};
/// There is nothing to grant: no value below `high_water` can be, it is the start that a grant would have.
struct NotYet {
  std::uint64_t high_water = 0;
};
/// The claim was refused, or failed; the outcome is unknown only for Fault::outcome_unknown.
struct Refused {
  Failure failure;
  std::optional<Instant> store_now{};  ///< with ClockAhead
};
using Answer = std::variant<Grant, NotYet, Refused>;

/// Who the store is, how far it has got, and what time it believes it is.
struct Identity {
  std::string engine;                 ///< "sqlite", "memory", ...
  std::string ident;                  ///< changes when the engine was replaced
  std::uint64_t progress = 0;         ///< never falls in one incarnation
  std::optional<Instant> now{};       ///< the store's clock, where it has one
  std::vector<std::string> unsafe{};  ///< settings that safety needs and that are off
};

/// What an operator says with a fence (protocol R10).
struct FenceOrder {
  /// Counters: the next number given is not below this. Without it the mark rises by as many numbers as the
  /// space may have given since it was made.
  std::optional<std::uint64_t> at_least{};
};

/// Whether settings that safety needs may be off, as an operator has spelled out.
enum class Unsafe : std::uint8_t { refuse, allow };

class Store {
 public:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  /// Makes the space unless it is there, and gives its meta row as the store has it. The caller compares
  /// the definition. Errors: StoreUnavailable, StoreRegressed (rows without meta row, or rows missing),
  /// IncarnationChanged, UnsafeStoreConfig, InvalidArgument.
  virtual Outcome<SpaceMeta> open_space(const SpaceSetup& setup, BootInstant deadline) = 0;

  /// The atomic operation. A grant is durable when it is returned.
  virtual Answer advance(const Claim& claim, BootInstant deadline) = 0;

  /// Inserts unless present: true if this call inserted. Errors: StoreUnavailable, OutcomeUnknown.
  virtual Outcome<bool> put_new(std::string_view key, std::string_view value,
                                BootInstant deadline) = 0;

  /// All marks of a space, by slot. Only a hint: advance decides.
  virtual Outcome<std::vector<Mark>> scan(std::string_view space, BootInstant deadline) = 0;

  virtual Outcome<Identity> identity(BootInstant deadline) = 0;

  /// Marks a space as suspect, unless it is already, so that every process stops claiming (R9).
  virtual Outcome<void> set_suspect(std::string_view space, std::string_view reason,
                                    BootInstant deadline) = 0;

  /// Begins a new incarnation of a space, after a restore or a failover: grants of the old one and of the new
  /// one never meet. The caller has made sure that the old one is dead. Gives the new meta row. Errors:
  /// UnknownSpace, StoreUnavailable, OutcomeUnknown (a second fence does no harm), InvalidArgument
  /// (`at_least` is below the mark), KeySpaceExhausted (the counter has given more than a fence can skip:
  /// say `at_least`).
  virtual Outcome<SpaceMeta> fence(std::string_view space, const FenceOrder& order,
                                   BootInstant deadline) = 0;

  /// An operator says that the wall clock of this host is right: from now on it is the store's time
  /// line (R8). Engines with a clock of their own have nothing to do.
  virtual Outcome<void> accept_time(BootInstant deadline) = 0;
};

/// What to do where there is no store yet.
enum class Absent : std::uint8_t { make, refuse };

/// What an engine needs from its surroundings. `clock` outlives the store.
struct Environment {
  const Clock& clock;
  Unsafe unsafe = Unsafe::refuse;
  Absent absent = Absent::make;
};

/// Whether somebody may keep IDs distinct with the store of this URL: a known engine that outlives its
/// process, and a rest in its form. Opens nothing. Errors: InvalidArgument.
Outcome<void> check_url(std::string_view url);

/// The SQL that makes the tables of a store, for a DBA to apply. Errors: InvalidArgument (the engine needs
/// none).
Outcome<std::string> schema(std::string_view url);

/// Opens a store by URL: `sqlite:PATH`, or `memory:NAME` (of this process only, nothing survives it), or a
/// server's: postgres://, mariadb://, mysql:// with a database in which the tables mintmark_* are made.
/// A missing SQLite file is made, with its folder. Errors: InvalidArgument with what is wrong in `url`,
/// StoreUnavailable, UnsafeStoreConfig, IncarnationChanged (another host's file, a server that is no
/// primary).
Outcome<std::unique_ptr<Store>> open(std::string_view url, const Environment& environment,
                                     BootInstant deadline);

}  // namespace mintmark::store
