#include "cli/text_sorter.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mintmark/base/error.h"

namespace mintmark::cli {
namespace {

// A record: size of the key, size of the text (both 16 bits), key, text.
constexpr std::size_t kHead = 2 * sizeof(std::uint16_t);
constexpr std::size_t kLeastWindow = std::size_t{4} << 10;
constexpr std::size_t kBlock = std::size_t{64} << 10;
constexpr std::size_t kMostField = 65'535;

std::size_t number_at(const char* from) {
  std::uint16_t value = 0;
  std::memcpy(&value, from, sizeof value);
  return value;
}
std::size_t size_of(const char* record) {
  return kHead + number_at(record) + number_at(record + sizeof(std::uint16_t));
}
std::string_view key_of(const char* record) { return {record + kHead, number_at(record)}; }
std::string_view text_of(const char* record) {
  const std::size_t key = number_at(record);
  return {record + kHead + key, number_at(record + sizeof(std::uint16_t))};
}

}  // namespace

/// A sorted run on the disk, read through a window.
struct TextSorter::Run {
  std::uint64_t offset = 0;  ///< of what is not yet in the window
  std::uint64_t end = 0;
  std::size_t number = 0;  ///< earlier runs hold earlier lines
  std::vector<char> window;
  std::size_t at = 0;
  std::size_t filled = 0;

  [[nodiscard]] const char* head() const { return window.data() + at; }
  [[nodiscard]] bool ended() const { return at == filled && offset == end; }

  /// Makes the next record whole in the window.
  [[nodiscard]] io::FileResult<void> prepare(const io::ScratchFile& file) {
    const std::size_t left = filled - at;
    if (left >= kHead && left >= size_of(head())) return {};
    std::memmove(window.data(), window.data() + at, left);
    at = 0;
    const auto more =
        static_cast<std::size_t>(std::min<std::uint64_t>(window.size() - left, end - offset));
    auto read = file.read(offset, std::as_writable_bytes(std::span{window}.subspan(left, more)));
    offset += more;
    filled = left + more;
    return read;
  }
};

/// Hands texts on, without repeats if those are dropped.
class TextSorter::Output {
 public:
  Output(Repeats repeats, const std::function<bool(std::string_view)>& on)
      : repeats_(repeats), on_(on) {}

  bool put(const char* record) {
    if (repeats_ == Repeats::dropped) {
      const std::string_view key = key_of(record);
      if (any_ && key == last_) return true;
      any_ = true;
      last_ = key;
    }
    return on_(text_of(record));
  }

 private:
  Repeats repeats_;
  const std::function<bool(std::string_view)>& on_;
  bool any_ = false;
  std::string last_;
};

bool TextSorter::comes_before(std::string_view a, std::string_view b) const {
  return options_.direction == Direction::ascending ? a < b : b < a;
}

bool TextSorter::add(std::span<const std::byte> key, std::string_view text) {
  MINTMARK_CHECK(key.size() <= kMostField && text.size() <= kMostField);
  const std::size_t size = kHead + key.size() + text.size();
  largest_ = std::max(largest_, size);
  const std::size_t used = held_.size() + records_.size() * sizeof(std::size_t);
  if (!records_.empty() && used + size > options_.memory / 2 && !spill()) return false;
  const std::size_t at = held_.size();
  records_.push_back(at);
  held_.resize(at + size);
  char* to = held_.data() + at;
  const auto key_size = static_cast<std::uint16_t>(key.size());
  const auto text_size = static_cast<std::uint16_t>(text.size());
  std::memcpy(to, &key_size, sizeof key_size);
  std::memcpy(to + sizeof key_size, &text_size, sizeof text_size);
  if (!key.empty()) std::memcpy(to + kHead, key.data(), key.size());
  if (!text.empty()) std::memcpy(to + kHead + key.size(), text.data(), text.size());
  return true;
}

void TextSorter::sort_held() {
  // Of equal keys the one that came first, which is the one that lies in front.
  std::ranges::sort(records_, [this](std::size_t a, std::size_t b) {
    const std::string_view first = key_of(held_.data() + a);
    const std::string_view second = key_of(held_.data() + b);
    return first == second ? a < b : comes_before(first, second);
  });
}

bool TextSorter::spill() {
  if (!file_) {
    auto made = io::ScratchFile::make();
    if (!made) return fail(made.error());
    file_.emplace(std::move(*made));
  }
  sort_held();
  std::vector<char> block;
  block.reserve(kBlock + largest_);
  const auto write = [&] {
    auto appended = file_->append(std::as_bytes(std::span{block}));
    block.clear();
    return appended;
  };
  for (const std::size_t at : records_) {
    const char* record = held_.data() + at;
    block.insert(block.end(), record, record + size_of(record));
    if (block.size() < kBlock) continue;
    if (auto written = write(); !written) return fail(written.error());
  }
  if (auto written = write(); !written) return fail(written.error());
  run_ends_.push_back(file_->size());
  held_.clear();
  records_.clear();
  return true;
}

bool TextSorter::merge(Output& output) {
  const std::size_t window = std::max(options_.memory / run_ends_.size(), kLeastWindow + largest_);
  std::vector<Run> runs(run_ends_.size());
  std::vector<Run*> heap;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].offset = i == 0 ? 0 : run_ends_[i - 1];
    runs[i].end = run_ends_[i];
    runs[i].number = i;
    runs[i].window.resize(
        static_cast<std::size_t>(std::min<std::uint64_t>(window, runs[i].end - runs[i].offset)));
    if (auto read = runs[i].prepare(*file_); !read) return fail(read.error());
    heap.push_back(&runs[i]);
  }
  const auto later = [this](const Run* a, const Run* b) {
    const std::string_view first = key_of(a->head());
    const std::string_view second = key_of(b->head());
    return comes_before(second, first) || (first == second && a->number > b->number);
  };
  std::ranges::make_heap(heap, later);
  while (!heap.empty()) {
    std::ranges::pop_heap(heap, later);
    Run& run = *heap.back();
    if (!output.put(run.head())) return true;
    run.at += size_of(run.head());
    if (run.ended()) {
      heap.pop_back();
      continue;
    }
    if (auto read = run.prepare(*file_); !read) return fail(read.error());
    std::ranges::push_heap(heap, later);
  }
  return true;
}

bool TextSorter::finish(const std::function<bool(std::string_view text)>& on) {
  Output output{options_.repeats, on};
  if (file_) {
    if (!records_.empty() && !spill()) return false;
    held_ = {};
    records_ = {};
    return merge(output);
  }
  sort_held();
  for (const std::size_t at : records_) {
    if (!output.put(held_.data() + at)) break;
  }
  return true;
}

}  // namespace mintmark::cli
