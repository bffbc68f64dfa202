// The memory engine: the twin that proves the interface, and the store of a process that needs none.
//
// A name means one store for the whole process, whoever opens it; nothing survives the process. A forked
// child finds no store of its parent under any name: a copy of the marks would grant the same again.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "store/store.h"

namespace mintmark::store {

/// `name` may be empty: also a name.
[[nodiscard]] Outcome<std::unique_ptr<Store>> open_memory(std::string_view name,
                                                          const Environment& environment);

/// What happens to a store behind the back of its users, for tests. REQUIRES: the store is open.
class MemoryBackDoor {
 public:
  explicit MemoryBackDoor(std::string_view name);
  MemoryBackDoor(const MemoryBackDoor&) = delete;
  MemoryBackDoor& operator=(const MemoryBackDoor&) = delete;
  ~MemoryBackDoor();

  void set_mark(std::string_view space, std::uint64_t slot, std::uint64_t high_water);
  void remove_mark(std::string_view space, std::uint64_t slot);
  void remove_meta(std::string_view space);
  /// The next epoch and another incarnation, as a fence gives them.
  void fence(std::string_view space);

  /// No call gets through until the lock is opened again.
  void lock();
  void unlock();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mintmark::store
