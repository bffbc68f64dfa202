// Spaces of IDs that are text and nothing else: their bytes are their characters.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>

#include "io/fork_guard.h"
#include "mint/space.h"

namespace mintmark::mint {

/// IDs of one size, a call each. Thread-safe. In a forked child it refuses, as PlainSpace does.
class TextSpace final : public Space {
 public:
  /// Fills all of `out` with the characters of one ID. Called by one thread at a time.
  using Writer = std::function<Result<void>(std::span<char> out, Instant now)>;

  /// REQUIRES: size > 0.
  TextSpace(SpaceConfig config, std::size_t size, Writer writer)
      : Space(std::move(config)), size_(size), writer_(std::move(writer)) {}

  [[nodiscard]] std::size_t width() const override { return size_; }
  [[nodiscard]] std::size_t text_size() const override { return size_; }

  std::size_t write(std::span<const std::byte> id, std::span<char> out) const override {
    std::ranges::transform(id, out.begin(), [](std::byte each) { return static_cast<char>(each); });
    return size_;
  }

  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out, Instant now) override {
    if (!fork_guard_.same_process()) return fail(Fault::forked);
    const std::lock_guard lock{mutex_};
    std::size_t made = 0;
    for (; (made + 1) * size_ <= out.size(); ++made) {
      char* const to = reinterpret_cast<char*>(out.data()) + made * size_;
      if (const auto written = writer_({to, size_}, now); !written) {
        if (made == 0) return fail(written.error());
        break;
      }
    }
    return made;
  }

  [[nodiscard]] SpaceHealth health(Instant) const override {
    return fork_guard_.same_process() ? SpaceHealth{} : forked_health();
  }

 private:
  const io::ForkGuard fork_guard_;
  const std::size_t size_;
  std::mutex mutex_;
  Writer writer_;  // under mutex_
};

}  // namespace mintmark::mint
