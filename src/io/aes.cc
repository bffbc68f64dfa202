#include "io/aes.h"

#include <string>

#include <openssl/err.h>
#include <openssl/evp.h>

namespace mintmark::io {
namespace {

const EVP_CIPHER* cipher_of(std::size_t key_bytes) {
  switch (key_bytes) {
    case 16:
      return EVP_aes_128_ecb();
    case 24:
      return EVP_aes_192_ecb();
    case 32:
      return EVP_aes_256_ecb();
    default:
      return nullptr;
  }
}

/// Where a thread begins to look for a context: mostly where nobody else does.
std::size_t first_place() {
  static constinit std::atomic<std::size_t> threads{0};
  static thread_local const std::size_t place = threads.fetch_add(1, std::memory_order_relaxed);
  return place;
}

}  // namespace

Outcome<std::unique_ptr<Aes>> Aes::make(std::span<const std::byte> key) {
  const EVP_CIPHER* cipher = cipher_of(key.size());
  if (cipher == nullptr) {
    return failure(Fault::invalid_argument,
                   "a key of AES has 16, 24 or 32 bytes, not " + std::to_string(key.size()));
  }
  Context* context = EVP_CIPHER_CTX_new();
  const auto* bytes = reinterpret_cast<const unsigned char*>(key.data());
  if (context == nullptr || EVP_EncryptInit_ex(context, cipher, nullptr, bytes, nullptr) != 1 ||
      EVP_CIPHER_CTX_set_padding(context, 0) != 1) {
    EVP_CIPHER_CTX_free(context);
    std::array<char, 160> words{};
    ERR_error_string_n(ERR_get_error(), words.data(), words.size());
    return failure(Fault::invalid_argument, std::string{"OpenSSL has no AES: "} + words.data());
  }
  return std::unique_ptr<Aes>{new Aes{context}};
}

Aes::~Aes() {
  // The library erases what it frees.
  EVP_CIPHER_CTX_free(first_);
  for (Spare& spare : spares_) {
    EVP_CIPHER_CTX_free(spare.context.load(std::memory_order_acquire));
  }
}

void Aes::encrypt_block(std::array<std::byte, 16>& block) const {
  Context* context = borrow();
  auto* bytes = reinterpret_cast<unsigned char*>(block.data());
  int written = 0;
  MINTMARK_CHECK(EVP_EncryptUpdate(context, bytes, &written, bytes, 16) == 1 && written == 16);
  give_back(context);
}

Aes::Context* Aes::borrow() const {
  const std::size_t first = first_place();
  for (std::size_t i = 0; i < kSpares; ++i) {
    auto& place = spares_[(first + i) % kSpares].context;
    // A look first: an exchange would take the cache line from its owner for nothing.
    if (place.load(std::memory_order_relaxed) == nullptr) continue;
    Context* context = place.exchange(nullptr, std::memory_order_acquire);
    if (context != nullptr) return context;
  }
  Context* context = EVP_CIPHER_CTX_new();
  MINTMARK_CHECK(context != nullptr && EVP_CIPHER_CTX_copy(context, first_) == 1);
  return context;
}

void Aes::give_back(Context* context) const {
  const std::size_t first = first_place();
  for (std::size_t i = 0; i < kSpares; ++i) {
    auto& place = spares_[(first + i) % kSpares].context;
    Context* none = nullptr;
    if (place.compare_exchange_strong(none, context, std::memory_order_release,
                                      std::memory_order_relaxed)) {
      return;
    }
  }
  EVP_CIPHER_CTX_free(context);
}

}  // namespace mintmark::io
