// The tally of verify: what is known about a stream of IDs once all of them have been seen.
//
// IDs are compared by their binary value, so that one UUID in two spellings is a duplicate. Values of
// different kinds are never compared: a ULID and a UUID of the same bits are two IDs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/text_sorter.h"
#include "cli/verify_sort.h"
#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"
#include "mintmark/scheme/catalogue.h"
#include "mintmark/scheme/snowflake.h"

namespace mintmark::cli {

enum class IdKind : std::uint8_t { decimal, uuid, ulid };
inline constexpr std::size_t kIdKinds = 3;
[[nodiscard]] std::string_view name(IdKind kind);

struct AnyId {
  IdKind kind = IdKind::decimal;
  U128 value = 0;
  friend bool operator==(const AnyId&, const AnyId&) = default;
};

/// Reads a decimal number of 64 bits, a UUID in any of its spellings, or a ULID, told apart by length.
/// Errors: those of the scheme of that length.
[[nodiscard]] Result<AnyId> parse_any(std::string_view text);
/// The one spelling.
[[nodiscard]] std::string text_of(const AnyId& id);

/// An ID of any other kind, which is compared by its one spelling.
struct OtherId {
  const CatalogueRow* row = nullptr;
  CatalogueId id;
};
[[nodiscard]] std::optional<OtherId> parse_other(std::string_view text);

/// The order of the IDs of one file.
struct FileTally {
  std::string name;
  std::uint64_t ids = 0;
  std::uint64_t descents = 0;  ///< IDs below the one before
  std::uint64_t repeats = 0;   ///< IDs equal to the one before
  [[nodiscard]] bool rises() const { return descents == 0 && repeats == 0; }
};

/// A value that came more than once.
struct Duplicate {
  std::optional<AnyId> id;  ///< nothing for another kind, of which the text is all
  std::string text;
  std::uint64_t times = 0;
  std::vector<std::string>
      places;  ///< file:line of the first two; empty if the input cannot be read again
};

/// A line that is no ID.
struct BadLine {
  std::string place;
  std::string words;
};

/// Counts everything. One thread at a time.
class Tally {
 public:
  static constexpr std::size_t kShown = 10;

  struct Options {
    std::size_t memory = 0;  ///< for the search of duplicates, in bytes
    SnowflakeLayout layout = layouts::twitter;
    bool layout_given = false;  ///< then a number that it never gives is no ID
  };
  explicit Tally(const Options& options);

  void start_file(std::string name);
  /// False once the disk has failed; failure() says why.
  bool add(const AnyId& id);
  bool add(const OtherId& other);
  void add_bad(std::string place, std::string words);

  /// Whether the given layout could have made this number.
  [[nodiscard]] bool fits(const AnyId& id) const {
    return !options_.layout_given || id.kind != IdKind::decimal ||
           id.value <= options_.layout.largest();
  }

  /// Ends the counting and finds the duplicates. False as add().
  [[nodiscard]] bool finish();
  [[nodiscard]] std::string failure() const;

  [[nodiscard]] std::uint64_t ids() const;
  [[nodiscard]] std::uint64_t ids(IdKind kind) const {
    return counts_[static_cast<std::size_t>(kind)];
  }
  /// IDs of the other kinds, by the names of their schemes.
  [[nodiscard]] const std::map<std::string_view, std::uint64_t>& others() const { return others_; }
  [[nodiscard]] std::uint64_t bad() const { return bad_; }
  /// IDs beyond the first of each value.
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
  /// Values that came more than once.
  [[nodiscard]] std::uint64_t duplicated() const { return duplicated_; }
  [[nodiscard]] const std::vector<FileTally>& files() const { return files_; }
  [[nodiscard]] const std::vector<BadLine>& bad_lines() const { return bad_lines_; }
  [[nodiscard]] std::vector<Duplicate>& shown() { return shown_; }
  /// Numbers by worker: (worker, count), those that occur. Empty for layouts of more than 2^20 workers.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> workers() const;

 private:
  void note_order(const AnyId& id);
  void note_order(const OtherId& other);
  [[nodiscard]] bool find_in_others();
  [[nodiscard]] std::size_t share_of_memory();
  template <class Key>
  bool keep(std::unique_ptr<DuplicateFinder<Key>>& finder, Key key);
  template <class Key>
  bool find_in(std::unique_ptr<DuplicateFinder<Key>>& finder, IdKind kind);

  Options options_;
  bool first_share_ = true;
  std::array<std::uint64_t, kIdKinds> counts_{};
  std::array<std::optional<U128>, kIdKinds> last_{};
  std::uint64_t bad_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t duplicated_ = 0;
  std::vector<FileTally> files_;
  std::vector<BadLine> bad_lines_;
  std::vector<Duplicate> shown_;
  std::vector<std::uint64_t> workers_;
  std::unique_ptr<DuplicateFinder<std::uint64_t>> decimals_;
  std::array<std::unique_ptr<DuplicateFinder<U128>>, kIdKinds> wide_;
  std::map<std::string_view, std::uint64_t> others_;
  std::optional<OtherId> last_other_;
  std::unique_ptr<TextSorter> texts_;
};

}  // namespace mintmark::cli
