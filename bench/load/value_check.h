// Holds the IDs that a server gave and proves afterwards that none came twice.
//
// A benchmark of an ID server that does not look at the IDs measures how fast it can be wrong.
// Memory is bounded: values beyond the bound are counted as unchecked and said to be so.
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace mintmark::bench {

/// What is required of the values.
enum class Rule : std::uint8_t {
  unique,  ///< no value twice, over all connections
  rising,  ///< the same, and each connection sees its values rise
};

/// What was found. All zero except `checked` when all is well.
struct Findings {
  std::uint64_t checked = 0;
  std::uint64_t unchecked = 0;  ///< arrived after the memory bound was reached
  std::uint64_t duplicates = 0;
  std::uint64_t not_rising = 0;
  std::uint64_t not_integers = 0;  ///< nulls, and text that is not a decimal 64-bit number

  [[nodiscard]] bool are_clean() const {
    return checked > 0 && duplicates == 0 && not_rising == 0 && not_integers == 0;
  }
};

/// Collects values as they arrive. One thread at a time.
class ValueCheck {
 public:
  /// REQUIRES: `most` values of 8 bytes fit into memory.
  ValueCheck(Rule rule, std::size_t connections, std::size_t most)
      : rule_(rule), most_(most), newest_(connections, std::numeric_limits<std::int64_t>::min()) {
    values_.reserve(most_);
  }

  void add(std::size_t connection, std::int64_t value) {
    if (rule_ == Rule::rising && value <= newest_[connection]) ++findings_.not_rising;
    newest_[connection] = value;
    if (values_.size() == most_) {
      ++findings_.unchecked;
    } else {
      values_.push_back(value);
    }
  }

  void add_text(std::size_t connection, std::string_view text) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size()) return add_other();
    add(connection, value);
  }

  void add_other() { ++findings_.not_integers; }

  /// Sorts everything that was collected and looks for equal neighbours. Call it once, at the end.
  [[nodiscard]] Findings finish();

 private:
  Rule rule_;
  std::size_t most_;
  std::vector<std::int64_t> newest_;  // by connection
  std::vector<std::int64_t> values_;
  Findings findings_;
};

}  // namespace mintmark::bench
