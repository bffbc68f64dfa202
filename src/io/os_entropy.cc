// The pools behind os_entropy().
//
// All that a pool knows lies in one mapping with MADV_WIPEONFORK: its bytes, how many are left, the next
// key. Zero in each field means empty, so that a forked child finds an empty pool without asking
// whether it is one (protocol R11). Only the cipher's context lies outside; it holds a key just while
// bytes are made.

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
#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/random.h>

namespace mintmark::io {

namespace {

constexpr std::size_t kPoolBytes = 4096;
/// What a refill takes while bytes still come from getrandom: 16 UUIDs, and one call without a
/// signal in between (getrandom(2): up to 256 bytes are given whole).
constexpr std::size_t kSmallBytes = 256;
/// So much of a process comes from getrandom itself; a command that needs no more never starts OpenSSL.
constexpr std::size_t kDirectBytes = 4096;
/// So much comes from one seed.
constexpr std::uint64_t kSeedBytes = std::uint64_t{1} << 20;
/// EVP counts in int.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Key and first counter block of AES-128-CTR (NIST SP 800-38A, 6.5).
struct Seed {
  std::array<std::byte, 16> key;
  std::array<std::byte, 16> counter;
};

/// The wiped memory. Whatever is added here must mean "empty" when it is zero.
struct Wiped {
  std::atomic<std::uint32_t> alive;  ///< set by a refill, cleared by a fork
  std::uint32_t left;                ///< unused bytes, at the end of `bytes`
  std::uint64_t seed_left;           ///< bytes that `seed` may still give
  Seed seed;
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
    EVP_CIPHER_CTX_free(context_);
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

  Result<void> fill(std::span<std::byte> out) {
    while (!out.empty()) {
      if (wiped_->left == 0) {
        if (out.size() >= kSmallBytes && take_direct(out.size())) return ask_kernel(out);
        if (out.size() >= kPoolBytes) return generate(out);
        if (auto filled = refill(); !filled) return filled;
      }
      const std::size_t size = std::min<std::size_t>(out.size(), wiped_->left);
      std::byte* from = wiped_->bytes.data() + (kPoolBytes - wiped_->left);
      wiped_->left -= static_cast<std::uint32_t>(size);
      std::memcpy(out.data(), from, size);
      std::memset(from, 0, size);
      // A signal handler that forks in the middle of this would leave its child with zeros.
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (wiped_->alive.load(std::memory_order_relaxed) == 0) continue;
      out = out.subspan(size);
    }
    return {};
  }

 private:
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
    wiped_->alive.store(1, std::memory_order_relaxed);
    wiped_->left = static_cast<std::uint32_t>(size);
    return {};
  }

  /// Fast key erasure (D. J. Bernstein, 2017): the first bytes of each stream are the seed of the next.
  Result<void> generate(std::span<std::byte> out) {
    Wiped& w = *wiped_;
    if (w.seed_left == 0) {
      auto asked = ask_kernel(std::as_writable_bytes(std::span{&w.seed, 1}));
      if (!asked) return asked;
      w.seed_left = kSeedBytes;
    }
    if (!key(w.seed)) return fail(Fault::entropy_unavailable);
    bool made = stream(std::as_writable_bytes(std::span{&w.seed, 1}));
    for (auto rest = out; made && !rest.empty();) {
      const auto piece = rest.first(std::min(rest.size(), kPieceBytes));
      made = stream(piece);
      rest = rest.subspan(piece.size());
    }
    w.seed_left -= std::min<std::uint64_t>(w.seed_left, out.size());
    // The context would give everything again that it just made.
    if (!key(Seed{}) || !made) return fail(Fault::entropy_unavailable);
    return {};
  }

  bool key(const Seed& seed) {
    const EVP_CIPHER* cipher = nullptr;
    if (context_ == nullptr) {
      context_ = EVP_CIPHER_CTX_new();
      if (context_ == nullptr) return false;
      cipher = EVP_aes_128_ctr();
    }
    const auto* key = reinterpret_cast<const unsigned char*>(seed.key.data());
    const auto* counter = reinterpret_cast<const unsigned char*>(seed.counter.data());
    if (EVP_EncryptInit_ex(context_, cipher, nullptr, key, counter) == 1) return true;
    EVP_CIPHER_CTX_free(context_);
    context_ = nullptr;
    return false;
  }

  bool stream(std::span<std::byte> out) {
    std::memset(out.data(), 0, out.size());
    auto* bytes = reinterpret_cast<unsigned char*>(out.data());
    int written = 0;
    return EVP_EncryptUpdate(context_, bytes, &written, bytes, static_cast<int>(out.size())) == 1;
  }

  Wiped* wiped_ = nullptr;
  EVP_CIPHER_CTX* context_ = nullptr;
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
    if (pool == nullptr) pool = make_pool();
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
