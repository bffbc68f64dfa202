// Key stream: AES-128 in counter mode as a source of bytes (NIST SP 800-38A, 6.5), for the pools of
// os_entropy.h.
//
// Why not only OpenSSL: where the CPU has AES instructions, 4 KiB of stream take 0.3 us by themselves, and
// 0.9 us with OpenSSL's two changes of key around them; and OpenSSL needs 2 ms for its start. Which way is
// taken is decided once, by the CPU; each gives the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

using EVP_CIPHER_CTX = struct evp_cipher_ctx_st;

namespace mintmark::io {

/// Makes streams, and keeps no key between them. One thread at a time.
class KeyStream {
 public:
  /// Key and first counter block.
  struct Seed {
    std::array<std::byte, 16> key;
    std::array<std::byte, 16> counter;
  };

  enum class Kernel : std::uint8_t {
    openssl,
    aes_ni,  ///< a block an instruction
    vaes,    ///< two blocks an instruction; needs AVX2 as well
  };
  /// Whether this CPU has what the kernel needs.
  [[nodiscard]] static bool runs(Kernel kernel);
  /// The fastest that runs.
  [[nodiscard]] static Kernel best();

  /// REQUIRES: runs(kernel).
  explicit KeyStream(Kernel kernel = best()) : kernel_(kernel) {}
  KeyStream(const KeyStream&) = delete;
  KeyStream& operator=(const KeyStream&) = delete;
  ~KeyStream();

  /// The stream of `seed`: its first 32 bytes become the next seed, what follows fills `out` (fast key
  /// erasure, D. J. Bernstein, 2017). Nothing of the old key is left. False if OpenSSL fails; then the
  /// seed and `out` are of no use.
  [[nodiscard]] bool make(Seed& seed, std::span<std::byte> out);

 private:
  bool make_by_openssl(Seed& seed, std::span<std::byte> out);
  bool set_key(const Seed& seed);
  bool give(std::span<std::byte> out);

  Kernel kernel_;
  EVP_CIPHER_CTX* context_ = nullptr;
};

}  // namespace mintmark::io
