// Fork guard: one word that says whether this memory is still in the process that made it.
//
// Why a page and not getpid() or pthread_atfork: a page with MADV_WIPEONFORK (Linux 4.14) reads 0 in the
// child after fork() and after the raw system call alike, and the check costs a load (protocol R11, 3.2).
#pragma once

#include <cstdint>

namespace mintmark::io {

/// The generation of this process: never 0, the same until a fork, another one in each child.
/// Thread-safe. About 1 ns.
[[nodiscard]] std::uint64_t generation();

/// Remembers the generation it was made in. Thread-safe.
class ForkGuard {
 public:
  ForkGuard() : made_in_(generation()) {}
  /// False in a forked child: grants, pools and connections made before belong to the parent.
  [[nodiscard]] bool same_process() const { return generation() == made_in_; }

 private:
  std::uint64_t made_in_;
};

}  // namespace mintmark::io
