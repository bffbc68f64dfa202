// One call each: IDs with the system's clock and the system's random bytes. Declared here, in libmintmark.
//
// The other headers take time and entropy as arguments and need no library. This one is for a program that
// wants an ID and nothing to think about: link mintmark::mintmark or mintmark::static.
//
// One maker in the process serves all threads and the C interface, so that time-ordered IDs rise strictly
// over all of them. A forked child gets one of its own. Every call is thread-safe.
//
// What crosses the library's boundary here are types of C++: build with a compiler and a standard library
// that fit those of the library. Everybody else takes c.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"
#include "mintmark/scheme/cuid2.h"
#include "mintmark/scheme/ksuid.h"
#include "mintmark/scheme/nanoid.h"
#include "mintmark/scheme/object_id.h"
#include "mintmark/scheme/push_id.h"
#include "mintmark/scheme/type_id.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v1.h"
#include "mintmark/scheme/uuid_v4.h"
#include "mintmark/scheme/uuid_v6.h"
#include "mintmark/scheme/uuid_v7.h"
#include "mintmark/scheme/xid.h"

namespace mintmark {

/// The system's random bytes, pooled per thread; the pool does not survive a fork. Thread-safe.
[[nodiscard]] Entropy& os_entropy();
/// The system's clocks. Thread-safe.
[[nodiscard]] const Clock& os_clock();
/// The wall clock, without a virtual call.
[[nodiscard]] Instant wall_now();

// A new ID of each kind that needs no store. Where a millisecond has no ID left, they wait for the next one.
// Errors: EntropyUnavailable, and those of the scheme for a clock that its time field does not reach.
[[nodiscard]] Result<UuidV1> uuid1();
[[nodiscard]] Result<UuidV4> uuid4();
[[nodiscard]] Result<UuidV6> uuid6();
[[nodiscard]] Result<UuidV7> uuid7();
[[nodiscard]] Result<Ulid> ulid();
[[nodiscard]] Result<Ksuid> ksuid();
[[nodiscard]] Result<Xid> xid();
[[nodiscard]] Result<ObjectId> object_id();
[[nodiscard]] Result<PushId> push_id();
[[nodiscard]] Result<TypeId> type_id(const TypePrefix& prefix);
/// Not nanoid() and cuid2(): these are names of namespaces, with what their formats fix.
[[nodiscard]] Result<Nanoid> new_nanoid();
[[nodiscard]] Result<Cuid2> new_cuid2();

/// IDs of one space: a named ID namespace, of which a store grants this process worker numbers and times, or
/// blocks of numbers. A thread in the background renews the grants. Thread-safe, but for moving and the end.
/// In a forked child every call fails with Forked; open a mint there.
class Mint {
 public:
  /// What calls do that find no ID: wait as long as the policy of the space allows, or fail at once.
  enum class Waiting : std::uint8_t { as_the_space_allows, never };

  /// What is empty keeps its default.
  struct Options {
    std::string_view store{};   ///< URL, as sqlite:/var/lib/app/ids.db; or that of `config`
    std::string_view space{};   ///< of `config`, or a scheme; or its only space, or `snowflake`
    std::string_view config{};  ///< text of a configuration file (TOML)
    std::string_view layout{};  ///< of a Snowflake: a preset's name, or spelled out
    std::optional<std::uint64_t> worker{};  ///< pins a worker number
    std::optional<Duration> horizon{};      ///< the longest window, 20 ms to 60 s
    Waiting waiting = Waiting::as_the_space_allows;
  };

  /// An error with words for a person; they may be empty.
  struct Failure {
    Error error;
    std::string detail;
  };

  /// Consecutive numbers first, first + 1, ..., last.
  struct Run {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  /// Snowflakes from the store of this URL, which is made if it is missing. Does not wait for the first
  /// grant. Errors: InvalidArgument, StoreUnavailable, LayoutMismatch, UnsafeStoreConfig, IncarnationChanged,
  /// StoreRegressed, EntropyUnavailable.
  [[nodiscard]] static std::expected<Mint, Failure> open(std::string_view store);
  /// The space that the options choose. Errors: the same, and UnknownSpace.
  [[nodiscard]] static std::expected<Mint, Failure> open(const Options& options);

  Mint(Mint&&) noexcept;
  Mint& operator=(Mint&&) noexcept;
  /// Ends the thread. In a forked child it leaves the parent's mint as it is.
  ~Mint();

  /// Waits until an ID would be given, or for `timeout`; less where waiting cannot help.
  [[nodiscard]] std::expected<void, Failure> wait_until_ready(Duration timeout) const;

  /// An ID that is a number. Errors: InvalidArgument for a space of others, and those of the protocol:
  /// NotReady, WindowExhausted, SequenceExhausted, ClockBehind, ... Each is definite: no ID was made.
  [[nodiscard]] Result<std::uint64_t> next();

  /// Fills the front of `out` and returns with how many: all of them, unless something got in the way behind
  /// the first. Errors: as next. REQUIRES: out is not empty.
  [[nodiscard]] Result<std::size_t> fill(std::span<std::uint64_t> out);

  /// Writes the text of one ID, without a zero; returns its size. Errors: as next, but for InvalidArgument.
  /// REQUIRES: out.size() >= text_size().
  [[nodiscard]] Result<std::size_t> next_text(std::span<char> out);

  /// `count` consecutive numbers of a space of blocks. Errors: WrongType for another space, InvalidArgument
  /// for 0 and above its largest block, RangeExhausted, KeySpaceExhausted.
  [[nodiscard]] Result<Run> take(std::uint64_t count);

  /// Characters of the longest text.
  [[nodiscard]] std::size_t text_size() const;

  /// What is known about the last trouble of the space, for a person; may be empty.
  [[nodiscard]] std::string trouble() const;

 private:
  struct Inside;
  explicit Mint(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace mintmark
