// Sorts more lines than fit the memory: sorted runs go to a scratch file and are merged once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "io/scratch_file.h"

namespace mintmark::cli {

enum class Direction : std::uint8_t { ascending, descending };
enum class Repeats : std::uint8_t { kept, dropped };

/// Takes texts with their keys in any order and gives them back by key; texts of equal keys stay in the order
/// in which they came. It uses about `memory` bytes, and 4 KiB more for each half `memory` of texts beyond
/// memory^2 / 8 KiB: with 256 MiB that is beyond 8 TiB. One thread at a time.
class TextSorter {
 public:
  struct Options {
    std::size_t memory = std::size_t{256} << 20;  ///< bytes
    Direction direction = Direction::ascending;
    Repeats repeats = Repeats::kept;
  };
  explicit TextSorter(Options options) : options_(options) {}

  /// False once the disk has failed; failure() says why. REQUIRES: key and text below 2^16 bytes each.
  [[nodiscard]] bool add(std::span<const std::byte> key, std::string_view text);

  /// Calls on(text) for each in order until it gives false. False if the disk failed.
  [[nodiscard]] bool finish(const std::function<bool(std::string_view text)>& on);

  [[nodiscard]] const io::FileFailure& failure() const { return failure_; }

 private:
  struct Run;
  class Output;

  bool fail(io::FileFailure failure) {
    failure_ = std::move(failure);
    return false;
  }
  void sort_held();
  bool spill();
  bool merge(Output& output);
  [[nodiscard]] bool comes_before(std::string_view a, std::string_view b) const;

  Options options_;
  std::vector<char> held_;            ///< records, one behind the other
  std::vector<std::size_t> records_;  ///< where each begins in held_
  std::optional<io::ScratchFile> file_;
  std::size_t largest_ = 0;  ///< of all records
  std::vector<std::uint64_t> run_ends_;
  io::FileFailure failure_;
};

}  // namespace mintmark::cli
