// The pools behind os_entropy().
//
// All that a pool knows lies in one mapping with MADV_WIPEONFORK: its bytes, how many are left, the next
// key. Zero in each field means empty, so that a forked child finds an empty pool without asking
// whether it is one (protocol R11). Only the cipher lies outside; it holds a key just while bytes are made.

#include "io/os_entropy.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <openssl/crypto.h>
#include <sys/mman.h>
#include <sys/random.h>

#include "io/key_stream.h"

namespace mintmark::io {

namespace {

constexpr std::size_t kPoolBytes = 4096;
/// What a refill takes while bytes still come from getrandom: 16 UUIDs, and one call without a
/// signal in between (getrandom(2): up to 256 bytes are given whole).
constexpr std::size_t kSmallBytes = 256;
/// So much of a process comes from getrandom itself; a command that needs no more never starts a cipher.
constexpr std::size_t kDirectBytes = 4096;
/// UUIDs and ULIDs.
constexpr std::size_t kIdBytes = 16;
/// So much comes from one seed.
constexpr std::uint64_t kSeedBytes = std::uint64_t{1} << 20;
/// The wiped memory. Whatever is added here must mean "empty" when it is zero.
struct Wiped {
  std::atomic<std::uint32_t> alive;  ///< set before a refill, cleared by a fork
  std::uint32_t left;                ///< unused bytes, at the end of `bytes`
  std::uint64_t seed_left;           ///< bytes that `seed` may still give
  KeyStream::Seed seed;
  std::array<std::byte, kPoolBytes> bytes;
};

constinit std::atomic<std::size_t> g_direct{0};

/// Takes `size` from what the process may still draw from getrandom; false if that is too much.
bool take_direct(std::size_t size) {
  std::size_t used = g_direct.load(std::memory_order_relaxed);
  while (used + size <= kDirectBytes) {
    if (g_direct.compare_exchange_weak(used, used + size, std::memory_order_relaxed)) return true;
  }
  return false;
}

Result<void> ask_kernel(std::span<std::byte> out) {
  while (!out.empty()) {
    // Flags 0: waits until the kernel's generator is seeded, at an early boot.
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      return fail(Fault::entropy_unavailable);
    }
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

/// The pool of one thread.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    if (wiped_ == nullptr) return;
    OPENSSL_cleanse(wiped_, sizeof(Wiped));
    ::munmap(wiped_, sizeof(Wiped));
  }

  /// False if the system gives no memory that a fork wipes.
  bool map() {
    void* memory =
        ::mmap(nullptr, sizeof(Wiped), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    if (::madvise(memory, sizeof(Wiped), MADV_WIPEONFORK) != 0) {
      ::munmap(memory, sizeof(Wiped));
      return false;
    }
    // Only a wish: a core dump without the pool.
    ::madvise(memory, sizeof(Wiped), MADV_DONTDUMP);
    wiped_ = new (memory) Wiped{};
    return true;
  }

  /// Gives bytes that are there already; false if that are too few, or if a fork took them away.
  template <std::size_t kSize>
  bool take(std::span<std::byte, kSize> out) {
    Wiped& w = *wiped_;
    const std::uint32_t left = w.left;
    if (out.size() > left) return false;
    std::byte* from = w.bytes.data() + (kPoolBytes - left);
    w.left = left - static_cast<std::uint32_t>(out.size());
    std::memcpy(out.data(), from, out.size());
    std::memset(from, 0, out.size());
    // A signal handler that forks in the middle of this would leave its child with zeros.
    return is_alive();
  }

  /// The answer after take. Copied, not made: g++ 12 makes one by storing a byte and loading four with it,
  /// for which the CPU has to wait 4 ns.
  [[nodiscard]] const Result<void>& done() const { return done_; }

  /// The same as take for any size, from wherever it has to come.
  Result<void> fill(std::span<std::byte> out) {
    Wiped& w = *wiped_;
    while (!out.empty()) {
      if (w.left == 0 || !is_alive()) {
        revive();
        if (out.size() >= kSmallBytes && take_direct(out.size())) return ask_kernel(out);
        const bool large = out.size() >= kPoolBytes;
        if (auto made = large ? generate(out) : refill(); !made) return made;
        if (large && is_alive()) return {};
        if (!is_alive()) continue;
      }
      const auto piece = out.first(std::min<std::size_t>(out.size(), w.left));
      if (take(piece)) out = out.subspan(piece.size());
    }
    return {};
  }

 private:
  /// Before anything is put into the pool: a fork from here on shows in `alive`, in whatever step a signal
  /// handler has it happen.
  void revive() {
    if (!is_alive()) {
      wiped_->left = 0;
      wiped_->seed_left = 0;
    }
    wiped_->alive.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  [[nodiscard]] bool is_alive() const {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return wiped_->alive.load(std::memory_order_relaxed) != 0;
  }

  Result<void> refill() {
    std::size_t size = kSmallBytes;
    if (take_direct(kSmallBytes)) {
      auto asked = ask_kernel(std::span{wiped_->bytes}.last(kSmallBytes));
      if (!asked) return asked;
    } else {
      auto generated = generate(wiped_->bytes);
      if (!generated) return generated;
      size = kPoolBytes;
    }
    wiped_->left = static_cast<std::uint32_t>(size);
    return {};
  }

  Result<void> generate(std::span<std::byte> out) {
    Wiped& w = *wiped_;
    if (w.seed_left == 0) {
      auto asked = ask_kernel(std::as_writable_bytes(std::span{&w.seed, 1}));
      if (!asked) return asked;
      w.seed_left = kSeedBytes;
    }
    w.seed_left -= std::min<std::uint64_t>(w.seed_left, out.size());
    if (!stream_.make(w.seed, out)) {
      w.seed_left = 0;
      return fail(Fault::entropy_unavailable);
    }
    return {};
  }

  Wiped* wiped_ = nullptr;
  KeyStream stream_;
  Result<void> done_;
};

enum class Life : std::uint8_t { open, over };

/// Two plain words instead of one object with a destructor: the destructors of other thread-local
/// objects may draw after this thread's pool is gone, and then get their bytes from the kernel.
constinit thread_local Pool* t_pool = nullptr;
constinit thread_local Life t_life = Life::open;

struct EndOfThread {
  EndOfThread() = default;
  EndOfThread(const EndOfThread&) = delete;
  EndOfThread& operator=(const EndOfThread&) = delete;
  ~EndOfThread() {
    delete t_pool;
    t_pool = nullptr;
    t_life = Life::over;
  }
  void expect() const {}
};

Pool* make_pool() {
  if (t_life == Life::over) return nullptr;
  auto* pool = new (std::nothrow) Pool;
  if (pool == nullptr) return nullptr;
  if (!pool->map()) {
    delete pool;
    return nullptr;
  }
  static thread_local const EndOfThread end;
  end.expect();
  t_pool = pool;
  return pool;
}

class OsEntropy final : public Entropy {
 public:
  [[nodiscard]] Result<void> fill(std::span<std::byte> out) override {
    Pool* pool = t_pool;
    // The size that nearly every single ID asks for, without what an unknown size costs.
    if (pool != nullptr && out.size() == kIdBytes && pool->take(out.first<kIdBytes>())) [[likely]]
      return pool->done();
    return fill_any(out);
  }

 private:
  [[gnu::noinline]] static Result<void> fill_any(std::span<std::byte> out) {
    Pool* pool = t_pool != nullptr ? t_pool : make_pool();
    // Slower, and as safe: bytes that nobody keeps cannot be given out twice.
    if (pool == nullptr) return ask_kernel(out);
    return pool->fill(out);
  }
};

}  // namespace

Entropy& os_entropy() {
  // Never destroyed: threads may still draw while the process ends.
  static Entropy& entropy = *new OsEntropy;
  return entropy;
}

}  // namespace mintmark::io
