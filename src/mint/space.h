// A space: a named ID namespace that can be asked for IDs.
//
// A batch of IDs is bytes: `width()` of them an ID, big-endian, in the order made. Protocols copy them
// out or turn them into text; they need not know the scheme.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mint/space_config.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/base/time.h"

namespace mintmark::mint {

/// Consecutive numbers first, first + 1, ..., last.
struct Run {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// How a space is doing; for display, never for decisions.
struct SpaceHealth {
  bool ready = true;                 ///< it would give an ID now
  std::string_view state = "ready";  ///< of the lease (protocol 2.5)
  std::optional<std::uint64_t> slot;
  std::optional<Instant> window_end;
  std::optional<std::uint64_t> left;        ///< numbers left in the leased blocks
  std::optional<Error> trouble;             ///< why claims fail
  std::string detail;                       ///< the store's own words
  std::vector<std::string> unsafe_store{};  ///< settings that safety needs and that are off
};

/// What a space says of itself in a forked child, where no lock of it may be taken.
[[nodiscard]] inline SpaceHealth forked_health() {
  SpaceHealth health;
  health.ready = false;
  health.state = "forked";
  health.trouble = Error{Fault::forked};
  return health;
}

/// Thread-safe. No call blocks on the store; a refusal is definite: no ID was made.
class Space {
 public:
  explicit Space(SpaceConfig config) : config_(std::move(config)) {}
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;
  virtual ~Space() = default;

  [[nodiscard]] const SpaceConfig& config() const { return config_; }
  [[nodiscard]] std::string_view name() const { return config_.name; }

  /// Bytes of the binary form, above 0: 8 of a number, 16 of a UUID, the characters of what is only text.
  [[nodiscard]] virtual std::size_t width() const = 0;
  /// Characters of the longest text.
  [[nodiscard]] virtual std::size_t text_size() const = 0;
  /// Writes the text of one ID; returns its size. REQUIRES: id.size() == width().
  virtual std::size_t write(std::span<const std::byte> id, std::span<char> out) const = 0;

  /// Writes the text of each ID and `after` behind it; returns the characters written. REQUIRES: ids.size()
  /// is a multiple of width(); room for text_size() + 1 characters an ID.
  virtual std::size_t write_all(std::span<const std::byte> ids, char after,
                                std::span<char> out) const {
    std::size_t written = 0;
    for (; !ids.empty(); ids = ids.subspan(width())) {
      written += write(ids.first(width()), out.subspan(written));
      out[written++] = after;
    }
    return written;
  }

  /// Fills the front of `out` with as many IDs as the limits allow at `now`, at least one; returns how
  /// many. REQUIRES: out.size() is a multiple of width(), above 0. Errors: those of the protocol, 2.5.
  [[nodiscard]] virtual Result<std::size_t> fill(std::span<std::byte> out, Instant now) = 0;

  /// `count` consecutive numbers of one grant; a shorter rest of the block is burnt. Only block spaces;
  /// others fail with WrongType. REQUIRES: count > 0. Errors: InvalidArgument above the largest block,
  /// RangeExhausted, KeySpaceExhausted, Forked.
  [[nodiscard]] virtual Result<Run> take(std::uint64_t count, Instant now) {
    static_cast<void>(count);
    static_cast<void>(now);
    return fail(Fault::wrong_type);
  }
  [[nodiscard]] virtual bool contiguous() const { return false; }
  /// Its IDs are 64-bit numbers; text of eight characters is none.
  [[nodiscard]] virtual bool is_number() const { return false; }

  /// How long the space's policy lets a caller wait after this error before it is an answer; zero for
  /// an error that is final. The caller waits, up to its own deadline, and then calls again.
  [[nodiscard]] virtual Duration patience(const Error& error) const {
    static_cast<void>(error);
    return Duration::zero();
  }

  [[nodiscard]] virtual SpaceHealth health(Instant now) const {
    static_cast<void>(now);
    return {};
  }

 private:
  SpaceConfig config_;
};

}  // namespace mintmark::mint
