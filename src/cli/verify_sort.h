// Finding duplicates among more keys than fit the memory: runs are sorted in memory, kept in a scratch
// file, and merged once.
//
// Why not a hash table or a filter: a table of 10^9 keys does not fit, and a filter only says "perhaps".
// This is exact, its memory is fixed beforehand, and it reads and writes the disk in long strides. What
// it refuses: nothing; if the disk is full it says so.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "io/scratch_file.h"

namespace mintmark::cli {

/// Ascending. Radix sort, a byte a pass, without passes over bytes that are equal in all keys; keys that
/// are sorted already are only looked at. REQUIRES: scratch.size() >= keys.size().
template <class Key>
void sort_keys(std::span<Key> keys, std::span<Key> scratch) {
  if (std::ranges::is_sorted(keys)) return;
  std::vector<std::array<std::size_t, 256>> counts(sizeof(Key));
  for (const Key key : keys) {
    for (std::size_t byte = 0; byte < sizeof(Key); ++byte) {
      ++counts[byte][static_cast<std::size_t>(key >> (8 * byte) & 0xff)];
    }
  }
  std::span<Key> from = keys;
  std::span<Key> to = scratch.first(keys.size());
  for (std::size_t byte = 0; byte < sizeof(Key); ++byte) {
    auto& places = counts[byte];
    if (std::ranges::find(places, keys.size()) != places.end()) continue;
    std::size_t sum = 0;
    for (std::size_t& place : places) sum += std::exchange(place, sum);
    for (const Key key : from) {
      to[places[static_cast<std::size_t>(key >> (8 * byte) & 0xff)]++] = key;
    }
    std::swap(from, to);
  }
  if (from.data() != keys.data()) std::ranges::copy(from, keys.begin());
}

/// Takes keys in any order, then tells which came more than once. One thread at a time.
template <class Key>
class DuplicateFinder {
 public:
  /// Uses about so many bytes, however many keys come.
  explicit DuplicateFinder(std::size_t memory)
      : memory_(memory),
        capacity_(std::max<std::size_t>(memory / (2 * sizeof(Key)), 1)),
        keys_(std::make_unique_for_overwrite<Key[]>(capacity_)),
        spare_(std::make_unique_for_overwrite<Key[]>(capacity_)) {}

  /// False once the disk has failed; failure() says why.
  bool add(Key key) {
    keys_[size_++] = key;
    return size_ < capacity_ || spill();
  }

  /// Calls found(key, times) for each key that came more than once, ascending. False as add().
  template <class Found>
  [[nodiscard]] bool finish(Found&& found) {
    Runs tally{found};
    if (!file_) {
      sort_keys<Key>({keys_.get(), size_}, {spare_.get(), capacity_});
      for (const Key key : std::span{keys_.get(), size_}) tally.next(key);
    } else {
      if (size_ > 0 && !spill()) return false;
      keys_.reset();
      spare_.reset();
      if (!merge(tally)) return false;
    }
    tally.end();
    return true;
  }

  [[nodiscard]] const io::FileFailure& failure() const { return failure_; }

 private:
  /// Equal neighbours of an ascending sequence.
  template <class Found>
  struct Runs {
    Found& found;
    Key last{};
    std::uint64_t times = 0;

    explicit Runs(Found& to) : found(to) {}
    void next(Key key) {
      if (times > 0 && key == last) {
        ++times;
        return;
      }
      end();
      last = key;
      times = 1;
    }
    void end() {
      if (times > 1) found(last, times);
      times = 0;
    }
  };

  /// A sorted run on the disk, read through a window.
  struct Run {
    std::uint64_t offset = 0;
    std::uint64_t left = 0;  ///< keys not yet in the window
    std::vector<Key> window;
    std::size_t at = 0;

    [[nodiscard]] Key head() const { return window[at]; }
  };

  bool fail(io::FileFailure failure) {
    failure_ = std::move(failure);
    size_ = 0;
    return false;
  }

  bool spill() {
    if (!file_) {
      auto made = io::ScratchFile::make();
      if (!made) return fail(made.error());
      file_.emplace(std::move(*made));
    }
    const std::span<Key> keys{keys_.get(), size_};
    sort_keys<Key>(keys, {spare_.get(), capacity_});
    runs_.push_back({.offset = file_->size(), .left = size_, .window = {}, .at = 0});
    size_ = 0;
    if (auto appended = file_->append(std::as_bytes(keys)); !appended)
      return fail(appended.error());
    return true;
  }

  /// Fills the window of a run; leaves it empty at the run's end.
  bool refill(Run& run, std::size_t window) {
    run.window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(window, run.left)));
    run.at = 0;
    const auto bytes = std::as_writable_bytes(std::span{run.window});
    if (auto read = file_->read(run.offset, bytes); !read) return fail(read.error());
    run.offset += bytes.size();
    run.left -= run.window.size();
    return true;
  }

  template <class Tally>
  bool merge(Tally& tally) {
    const std::size_t window = std::max<std::size_t>(memory_ / runs_.size() / sizeof(Key), 4'096);
    std::vector<Run*> heap;
    for (Run& run : runs_) {
      if (!refill(run, window)) return false;
      heap.push_back(&run);
    }
    const auto later = [](const Run* a, const Run* b) { return a->head() > b->head(); };
    std::ranges::make_heap(heap, later);
    while (!heap.empty()) {
      Run& first = *heap.front();
      tally.next(first.head());
      if (++first.at == first.window.size() && !refill(first, window)) return false;
      if (first.window.empty()) {  // the run has ended
        std::swap(heap.front(), heap.back());
        heap.pop_back();
      }
      if (!heap.empty()) sift_down(heap);
    }
    return true;
  }

  /// Puts the changed front of the heap in its place.
  static void sift_down(std::vector<Run*>& heap) {
    Run* const moved = heap.front();
    const Key key = moved->head();
    std::size_t at = 0;
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= heap.size()) break;
      if (child + 1 < heap.size() && heap[child + 1]->head() < heap[child]->head()) ++child;
      if (heap[child]->head() >= key) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  }

  std::size_t memory_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::unique_ptr<Key[]> keys_;
  std::unique_ptr<Key[]> spare_;
  std::optional<io::ScratchFile> file_;
  std::vector<Run> runs_;
  io::FileFailure failure_;
};

}  // namespace mintmark::cli
