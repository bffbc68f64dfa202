// FF1 a second time, as algorithm 7 of NIST SP 800-38G is written: on big numbers of OpenSSL, with every
// string built anew in each round. Slow, and nothing in it is shared with mintmark/seal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <openssl/bn.h>
#include <openssl/evp.h>

namespace mintmark::reference {

using Numerals = std::vector<std::uint16_t>;
using Bytes = std::vector<unsigned char>;
using Big = std::unique_ptr<BIGNUM, void (*)(BIGNUM*)>;

inline Big big(std::uint64_t value = 0) {
  Big number{BN_new(), BN_free};
  BN_set_word(number.get(), value);
  return number;
}

inline Big num(std::span<const std::uint16_t> numerals, std::uint32_t radix) {
  Big number = big();
  for (const std::uint16_t numeral : numerals) {
    BN_mul_word(number.get(), radix);
    BN_add_word(number.get(), numeral);
  }
  return number;
}

inline Bytes encrypt(std::span<const std::byte> key, Bytes block) {
  const EVP_CIPHER* cipher = key.size() == 16   ? EVP_aes_128_ecb()
                             : key.size() == 24 ? EVP_aes_192_ecb()
                                                : EVP_aes_256_ecb();
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, cipher, nullptr, reinterpret_cast<const unsigned char*>(key.data()),
                     nullptr);
  EVP_CIPHER_CTX_set_padding(context, 0);
  int size = 0;
  EVP_EncryptUpdate(context, block.data(), &size, block.data(), 16);
  EVP_CIPHER_CTX_free(context);
  return block;
}

inline Bytes be4(std::size_t value) {
  return {static_cast<unsigned char>(value >> 24), static_cast<unsigned char>(value >> 16),
          static_cast<unsigned char>(value >> 8), static_cast<unsigned char>(value)};
}

/// FF1.Encrypt(K, T, X).
inline Numerals ff1(std::span<const std::byte> key, std::span<const std::byte> tweak,
                    std::uint32_t radix, const Numerals& x) {
  const std::size_t n = x.size();
  const std::size_t u = n / 2;
  const std::size_t v = n - u;
  Numerals a(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(u));
  Numerals b(x.begin() + static_cast<std::ptrdiff_t>(u), x.end());
  const Big most = num(Numerals(v, static_cast<std::uint16_t>(radix - 1)), radix);
  const auto b_bytes = static_cast<std::size_t>((BN_num_bits(most.get()) + 7) / 8);
  const std::size_t d = 4 * ((b_bytes + 3) / 4) + 4;
  Bytes p{1,
          2,
          1,
          static_cast<unsigned char>(radix >> 16),
          static_cast<unsigned char>(radix >> 8),
          static_cast<unsigned char>(radix),
          10,
          static_cast<unsigned char>(u % 256)};
  for (const std::size_t field : {n, tweak.size()}) {
    for (const unsigned char byte : be4(field)) p.push_back(byte);
  }
  for (unsigned i = 0; i < 10; ++i) {
    Bytes pq = p;
    for (const std::byte byte : tweak) pq.push_back(static_cast<unsigned char>(byte));
    while ((pq.size() + 1 + b_bytes) % 16 != 0) pq.push_back(0);
    pq.push_back(static_cast<unsigned char>(i));
    Bytes half(b_bytes);
    BN_bn2binpad(num(b, radix).get(), half.data(), static_cast<int>(b_bytes));
    pq.insert(pq.end(), half.begin(), half.end());
    Bytes r(16);
    for (std::size_t at = 0; at < pq.size(); at += 16) {
      for (std::size_t j = 0; j < 16; ++j) r[j] = static_cast<unsigned char>(r[j] ^ pq[at + j]);
      r = encrypt(key, r);
    }
    Bytes s = r;
    for (std::size_t j = 1; s.size() < d; ++j) {
      Bytes block = r;
      const Bytes number = be4(j);
      for (std::size_t k = 0; k < 4; ++k) {
        block[12 + k] = static_cast<unsigned char>(block[12 + k] ^ number[k]);
      }
      block = encrypt(key, block);
      s.insert(s.end(), block.begin(), block.end());
    }
    const std::size_t m = i % 2 == 0 ? u : v;
    const Big c{BN_bin2bn(s.data(), static_cast<int>(d), nullptr), BN_free};
    BN_add(c.get(), c.get(), num(a, radix).get());
    Numerals next(m);
    for (std::size_t k = m; k-- > 0;) {
      next[k] = static_cast<std::uint16_t>(BN_div_word(c.get(), radix));
    }
    a = b;
    b = next;
  }
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace mintmark::reference
