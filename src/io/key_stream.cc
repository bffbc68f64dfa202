// The three ways to AES-128. What the instructions do is described in S. Gueron, "Intel Advanced Encryption
// Standard (AES) New Instructions Set", 2012; the key schedule and the rounds are those of FIPS 197.

#include "io/key_stream.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "mintmark/base/bytes.h"
#include "mintmark/base/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace mintmark::io {

namespace {

/// EVP counts in int.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

#if defined(__x86_64__)

#define MINTMARK_AES gnu::target("aes,sse4.1")
#define MINTMARK_VAES gnu::target("vaes,avx2,aes")

constexpr std::size_t kRounds = 10;
constexpr std::size_t kBlock = 16;

struct RoundKeys {
  __m128i keys[kRounds + 1];
};

template <int kConstant>
[[MINTMARK_AES, gnu::always_inline]] inline __m128i next_key(__m128i key) {
  const __m128i word = _mm_shuffle_epi32(_mm_aeskeygenassist_si128(key, kConstant), 0xff);
  // Each word of the new key is the sum of all words of the old one up to it.
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, word);
}

[[MINTMARK_AES, gnu::always_inline]] inline void expand(const KeyStream::Seed& seed,
                                                        RoundKeys& round) {
  __m128i* k = round.keys;
  k[0] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(seed.key.data()));
  k[1] = next_key<0x01>(k[0]);
  k[2] = next_key<0x02>(k[1]);
  k[3] = next_key<0x04>(k[2]);
  k[4] = next_key<0x08>(k[3]);
  k[5] = next_key<0x10>(k[4]);
  k[6] = next_key<0x20>(k[5]);
  k[7] = next_key<0x40>(k[6]);
  k[8] = next_key<0x80>(k[7]);
  k[9] = next_key<0x1b>(k[8]);
  k[10] = next_key<0x36>(k[9]);
}

/// Counter blocks are big-endian numbers of 128 bits.
[[MINTMARK_AES, gnu::always_inline]] inline __m128i block_of(U128 counter) {
  return _mm_set_epi64x(
      static_cast<long long>(std::byteswap(static_cast<std::uint64_t>(counter))),
      static_cast<long long>(std::byteswap(static_cast<std::uint64_t>(counter >> 64))));
}

/// kLanes blocks at once, so that no round waits for the one before.
template <std::size_t kLanes>
[[MINTMARK_AES, gnu::always_inline]] inline void blocks(const RoundKeys& round, U128 counter,
                                                        std::byte* out) {
  __m128i state[kLanes];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) {
    state[i] = _mm_xor_si128(block_of(counter + i), round.keys[0]);
  }
#pragma GCC unroll 10
  for (std::size_t r = 1; r < kRounds; ++r) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) state[i] = _mm_aesenc_si128(state[i], round.keys[r]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kLanes; ++i) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * kBlock),
                     _mm_aesenclast_si128(state[i], round.keys[kRounds]));
  }
}

/// What is less than eight blocks.
[[MINTMARK_AES]] void write_rest(const RoundKeys& round, U128 counter, std::span<std::byte> out) {
  while (!out.empty()) {
    std::byte block[kBlock];
    blocks<1>(round, counter++, block);
    const std::size_t size = std::min(out.size(), kBlock);
    std::memcpy(out.data(), block, size);
    OPENSSL_cleanse(block, sizeof block);
    out = out.subspan(size);
  }
}

[[MINTMARK_AES]] void write_aes_ni(const RoundKeys& round, U128 counter, std::span<std::byte> out) {
  constexpr std::size_t kAtOnce = 8;
  for (; out.size() >= kAtOnce * kBlock; out = out.subspan(kAtOnce * kBlock)) {
    blocks<kAtOnce>(round, counter, out.data());
    counter += kAtOnce;
  }
  write_rest(round, counter, out);
}

[[MINTMARK_VAES]] void write_vaes(const RoundKeys& round, U128 counter, std::span<std::byte> out) {
  constexpr std::size_t kRegisters = 8;
  constexpr std::size_t kAtOnce = 2 * kRegisters;
  __m256i keys[kRounds + 1];
  for (std::size_t r = 0; r <= kRounds; ++r) keys[r] = _mm256_broadcastsi128_si256(round.keys[r]);
  const __m256i swap = _mm256_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6,
                                        5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
  while (out.size() >= kAtOnce * kBlock) {
    const auto high = static_cast<long long>(counter >> 64);
    const auto low = static_cast<std::uint64_t>(counter);
    if (low > ~std::uint64_t{0} - kAtOnce) [[unlikely]] {
      // Here the counter carries into its upper half, which the lanes below do not.
      write_aes_ni(round, counter, out.first(kAtOnce * kBlock));
    } else {
      const __m256i first = _mm256_set_epi64x(static_cast<long long>(low + 1), high,
                                              static_cast<long long>(low), high);
      __m256i state[kRegisters];
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRegisters; ++i) {
        const auto more = static_cast<long long>(2 * i);
        const __m256i counters = _mm256_add_epi64(first, _mm256_set_epi64x(more, 0, more, 0));
        state[i] = _mm256_xor_si256(_mm256_shuffle_epi8(counters, swap), keys[0]);
      }
#pragma GCC unroll 10
      for (std::size_t r = 1; r < kRounds; ++r) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < kRegisters; ++i) {
          state[i] = _mm256_aesenc_epi128(state[i], keys[r]);
        }
      }
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kRegisters; ++i) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.data() + 2 * i * kBlock),
                            _mm256_aesenclast_epi128(state[i], keys[kRounds]));
      }
    }
    counter += kAtOnce;
    out = out.subspan(kAtOnce * kBlock);
  }
  OPENSSL_cleanse(keys, sizeof keys);
  write_rest(round, counter, out);
}

[[MINTMARK_AES]] void make_by_cpu(KeyStream::Kernel kernel, KeyStream::Seed& seed,
                                  std::span<std::byte> out) {
  RoundKeys round;
  expand(seed, round);
  const auto counter = load_be<U128>(seed.counter);
  write_rest(round, counter, std::as_writable_bytes(std::span{&seed, 1}));
  constexpr std::size_t kSeedBlocks = sizeof seed / kBlock;
  if (kernel == KeyStream::Kernel::vaes) {
    write_vaes(round, counter + kSeedBlocks, out);
  } else {
    write_aes_ni(round, counter + kSeedBlocks, out);
  }
  OPENSSL_cleanse(&round, sizeof round);
}

#undef MINTMARK_AES
#undef MINTMARK_VAES

#endif

}  // namespace

bool KeyStream::runs(Kernel kernel) {
#if defined(__x86_64__)
  const bool aes = __builtin_cpu_supports("aes") && __builtin_cpu_supports("sse4.1");
  switch (kernel) {
    case Kernel::openssl:
      return true;
    case Kernel::aes_ni:
      return aes;
    case Kernel::vaes:
      return aes && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("vaes");
  }
  return false;
#else
  return kernel == Kernel::openssl;
#endif
}

KeyStream::Kernel KeyStream::best() {
  static const Kernel chosen = runs(Kernel::vaes)     ? Kernel::vaes
                               : runs(Kernel::aes_ni) ? Kernel::aes_ni
                                                      : Kernel::openssl;
  return chosen;
}

KeyStream::~KeyStream() { EVP_CIPHER_CTX_free(context_); }

bool KeyStream::make(Seed& seed, std::span<std::byte> out) {
#if defined(__x86_64__)
  if (kernel_ != Kernel::openssl) {
    make_by_cpu(kernel_, seed, out);
    return true;
  }
#endif
  return make_by_openssl(seed, out);
}

bool KeyStream::make_by_openssl(Seed& seed, std::span<std::byte> out) {
  if (!set_key(seed)) return false;
  bool made = give(std::as_writable_bytes(std::span{&seed, 1}));
  while (made && !out.empty()) {
    const auto piece = out.first(std::min(out.size(), kPieceBytes));
    made = give(piece);
    out = out.subspan(piece.size());
  }
  // The context would give everything again that it just made.
  return set_key(Seed{}) && made;
}

bool KeyStream::set_key(const Seed& seed) {
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

bool KeyStream::give(std::span<std::byte> out) {
  std::memset(out.data(), 0, out.size());
  auto* bytes = reinterpret_cast<unsigned char*>(out.data());
  int written = 0;
  return EVP_EncryptUpdate(context_, bytes, &written, bytes, static_cast<int>(out.size())) == 1;
}

}  // namespace mintmark::io
