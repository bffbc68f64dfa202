// The end of a check: sort, then compare neighbours.
#include "bench/load/value_check.h"

#include <algorithm>

namespace mintmark::bench {

Findings ValueCheck::finish() {
  std::sort(values_.begin(), values_.end());
  for (std::size_t i = 1; i < values_.size(); ++i) {
    if (values_[i - 1] == values_[i]) ++findings_.duplicates;
  }
  findings_.checked = values_.size();
  return findings_;
}

}  // namespace mintmark::bench
