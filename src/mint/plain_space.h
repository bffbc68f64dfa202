// Spaces that need no store: their uniqueness rests on random bits alone.
#pragma once

#include <concepts>
#include <mutex>

#include "io/fork_guard.h"
#include "io/text_kernels.h"
#include "mint/fill_bytes.h"
#include "mint/space.h"
#include "mintmark/scheme/type_id.h"
#include "mintmark/scheme/ulid.h"
#include "mintmark/scheme/uuid_v7.h"

namespace mintmark::mint {

/// One generator, shared by all threads of the process under a short lock, so that its IDs rise strictly
/// over all of them. Thread-safe. In a forked child it refuses: its counter belongs to the parent (R11).
template <class S>
class PlainSpace : public Space {
 public:
  /// `arguments` are those of the generator.
  template <class... Arguments>
  explicit PlainSpace(SpaceConfig config, Arguments&&... arguments)
      : Space(std::move(config)), generator_(std::forward<Arguments>(arguments)...) {}

  [[nodiscard]] std::size_t width() const override { return S::facts.bytes; }
  [[nodiscard]] std::size_t text_size() const override { return S::facts.text_size; }

  std::size_t write(std::span<const std::byte> id, std::span<char> out) const override {
    const auto value = S::from_bytes(id);
    MINTMARK_CHECK(value.has_value());  // made by fill
    return value->write(out);
  }

  std::size_t write_all(std::span<const std::byte> ids, char after,
                        std::span<char> out) const override {
    if constexpr (std::convertible_to<S, Uuid>) {
      return io::TextKernel::best().uuid.write_all(ids, after, out);
    } else if constexpr (std::same_as<S, Ulid>) {
      return io::TextKernel::best().ulid.write_all(ids, after, out);
    } else {
      return Space::write_all(ids, after, out);
    }
  }

  [[nodiscard]] Result<std::size_t> fill(std::span<std::byte> out, Instant now) override {
    if (!fork_guard_.same_process()) return fail(Fault::forked);
    const std::lock_guard lock{mutex_};
    return fill_bytes<S, 64>(generator_, S::facts.bytes, out, now);
  }

  [[nodiscard]] SpaceHealth health(Instant) const override {
    return fork_guard_.same_process() ? SpaceHealth{} : forked_health();
  }

  [[nodiscard]] Duration patience(const Error& error) const override {
    // The counter of a tick is used up, 100 ns to a second long: the next one is near.
    return error.fault() == Fault::sequence_exhausted ? std::chrono::seconds{1} : Duration::zero();
  }

 private:
  const io::ForkGuard fork_guard_;
  std::mutex mutex_;
  typename S::Generator generator_;  // under mutex_
};

/// UUIDv7s that are written with a prefix, which is the space's: their bytes are those of the UUID.
class TypeIdSpace final : public PlainSpace<UuidV7> {
 public:
  TypeIdSpace(SpaceConfig config, Entropy& entropy, const TypePrefix& prefix)
      : PlainSpace(std::move(config), entropy), prefix_(prefix) {}

  [[nodiscard]] std::size_t text_size() const override { return TypeId::facts.text_size; }

  std::size_t write(std::span<const std::byte> id, std::span<char> out) const override {
    const auto uuid = Uuid::from_bytes(id);
    MINTMARK_CHECK(uuid.has_value());  // made by fill
    return TypeId{prefix_, *uuid}.write(out);
  }

  std::size_t write_all(std::span<const std::byte> ids, char after,
                        std::span<char> out) const override {
    return Space::write_all(ids, after, out);
  }

 private:
  const TypePrefix prefix_;
};

}  // namespace mintmark::mint
