// AES, one block at a time: the cipher that keyed permutations take as an argument (mintmark/seal), from
// OpenSSL, which uses the CPU's own instructions where there are any.
//
// Why EVP and not the old AES_encrypt: that one is deprecated, and its tables make the time depend on the
// key. An EVP context may not be shared between threads, so that a block borrows one of a few, each with the
// key in it: two atomic exchanges, and no thread waits for another. The first use of OpenSSL in a process
// costs about 2 ms.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "io/failure.h"

// Of OpenSSL; its headers stay in the .cc.
struct evp_cipher_ctx_st;

namespace mintmark::io {

/// AES-128, AES-192 or AES-256 under one key, which is erased with the object. Pinned. Thread-safe.
class Aes {
 public:
  /// 16, 24 or 32 bytes of key. Errors: InvalidArgument, with OpenSSL's words if it has no AES.
  [[nodiscard]] static Outcome<std::unique_ptr<Aes>> make(std::span<const std::byte> key);

  Aes(const Aes&) = delete;
  Aes& operator=(const Aes&) = delete;
  ~Aes();

  /// Encrypts in place. Ends the process if there is no memory for another thread's context.
  void encrypt_block(std::array<std::byte, 16>& block) const;

 private:
  using Context = evp_cipher_ctx_st;
  static constexpr std::size_t kSpares = 8;

  /// On a cache line of its own: two threads that use two of them do not slow each other down.
  struct alignas(64) Spare {
    std::atomic<Context*> context{nullptr};
  };

  explicit Aes(Context* first) : first_(first) {}

  /// A context that nobody else uses until it is given back.
  [[nodiscard]] Context* borrow() const;
  void give_back(Context* context) const;

  Context* first_;  ///< only ever copied
  mutable std::array<Spare, kSpares> spares_{};
};

}  // namespace mintmark::io
