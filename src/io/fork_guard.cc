// The generation page. No lock: a child that was forked while another thread stood in here must still
// get its answer.

#include "io/fork_guard.h"

#include <atomic>
#include <cstddef>
#include <new>

#include <sys/mman.h>

#include "mintmark/base/error.h"

namespace mintmark::io {

namespace {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free);

constexpr std::size_t kPageBytes = 4096;

/// The word in the wiped page; null before the first use.
constinit std::atomic<Word*> g_word{nullptr};

/// The highest generation in the line of this process's parents. Ordinary memory, so that a child goes
/// on where its parent was: whatever a guard remembers, a later generation differs from it.
constinit Word g_last{0};

Word* map_word() {
  void* page =
      ::mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  MINTMARK_CHECK(page != MAP_FAILED);
  // Without a page that is wiped (before Linux 4.14) nobody could tell a child from its parent.
  MINTMARK_CHECK(::madvise(page, kPageBytes, MADV_WIPEONFORK) == 0);
  Word* mine = new (page) Word{0};
  Word* found = nullptr;
  if (g_word.compare_exchange_strong(found, mine, std::memory_order_acq_rel)) return mine;
  ::munmap(page, kPageBytes);
  return found;
}

}  // namespace

std::uint64_t generation() {
  Word* word = g_word.load(std::memory_order_acquire);
  if (word == nullptr) word = map_word();
  std::uint64_t value = word->load(std::memory_order_relaxed);
  if (value != 0) return value;
  const std::uint64_t next = g_last.fetch_add(1, std::memory_order_relaxed) + 1;
  return word->compare_exchange_strong(value, next, std::memory_order_relaxed) ? next : value;
}

}  // namespace mintmark::io
