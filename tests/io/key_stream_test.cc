// Every way to AES-128-CTR gives what OpenSSL gives, at every size, and leaves no key behind.

#include "io/key_stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "mintmark/base/entropy.h"
#include "mintmark/text/slice.h"
#include "tests/seed.h"

namespace mintmark::io {
namespace {

using Seed = KeyStream::Seed;
using Kernel = KeyStream::Kernel;

std::vector<Kernel> running() {
  std::vector<Kernel> kernels;
  for (const auto kernel : {Kernel::openssl, Kernel::aes_ni, Kernel::vaes}) {
    if (KeyStream::runs(kernel)) kernels.push_back(kernel);
  }
  return kernels;
}

/// The stream of a seed, by OpenSSL alone.
std::vector<std::byte> stream_of(const Seed& seed, std::size_t size) {
  std::vector<std::byte> out(size);
  auto* context = EVP_CIPHER_CTX_new();
  const auto* key = reinterpret_cast<const unsigned char*>(seed.key.data());
  const auto* counter = reinterpret_cast<const unsigned char*>(seed.counter.data());
  EXPECT_EQ(EVP_EncryptInit_ex(context, EVP_aes_128_ctr(), nullptr, key, counter), 1);
  auto* bytes = reinterpret_cast<unsigned char*>(out.data());
  int written = 0;
  EXPECT_EQ(EVP_EncryptUpdate(context, bytes, &written, bytes, static_cast<int>(size)), 1);
  EVP_CIPHER_CTX_free(context);
  return out;
}

void expect_stream(const Seed& seed, std::size_t size) {
  const auto expected = stream_of(seed, sizeof(Seed) + size);
  for (const Kernel kernel : running()) {
    KeyStream stream{kernel};
    Seed next = seed;
    std::vector<std::byte> out(size + 1, std::byte{0xa5});
    ASSERT_TRUE(stream.make(next, std::span{out}.first(size)));
    ASSERT_EQ(std::memcmp(&next, expected.data(), sizeof next), 0) << static_cast<int>(kernel);
    ASSERT_EQ(std::memcmp(out.data(), expected.data() + sizeof next, size), 0)
        << static_cast<int>(kernel) << ' ' << size;
    ASSERT_EQ(out.back(), std::byte{0xa5});
  }
}

Seed random_seed(Entropy& entropy) {
  Seed seed{};
  EXPECT_TRUE(entropy.fill(std::as_writable_bytes(std::span{&seed, 1})));
  return seed;
}

TEST(KeyStream, GivesTheKnownAnswer) {
  // NIST SP 800-38A, F.5.1: the key, the counter, and what of the ciphertext is not the plaintext.
  Seed seed{};
  std::array<std::byte, 64> plain{};
  std::array<std::byte, 64> cipher{};
  ASSERT_TRUE(parse_hex("2b7e151628aed2a6abf7158809cf4f3c", seed.key));
  ASSERT_TRUE(parse_hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff", seed.counter));
  ASSERT_TRUE(
      parse_hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
                plain));
  ASSERT_TRUE(
      parse_hex("874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"
                "5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
                cipher));
  for (const Kernel kernel : running()) {
    KeyStream stream{kernel};
    Seed next = seed;
    std::array<std::byte, 64> out{};
    ASSERT_TRUE(stream.make(next, std::span{out}.subspan(sizeof next)));
    std::memcpy(out.data(), &next, sizeof next);
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i] ^ plain[i], cipher[i]) << i;
  }
}

TEST(KeyStream, IsTheSameByEveryKernelAtEverySize) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t size = 0; size <= 600; ++size) expect_stream(random_seed(entropy), size);
  for (const std::size_t size : {4095UL, 4096UL, 4097UL, 100'003UL, (1UL << 20) + 5, 3UL << 20}) {
    expect_stream(random_seed(entropy), size);
  }
}

TEST(KeyStream, CarriesItsCounterThroughAllBytes) {
  SeededEntropy entropy{test_seed()};
  for (std::uint8_t left = 0; left < 40; ++left) {
    // Two words of ones less a few: the carry comes inside the seed, inside a group of blocks, behind it.
    Seed seed = random_seed(entropy);
    seed.counter.fill(std::byte{0xff});
    seed.counter.back() = static_cast<std::byte>(0xff - left);
    expect_stream(seed, 1000);
    seed.counter.front() = std::byte{0x12};
    expect_stream(seed, 1000);
    seed.counter[7] = std::byte{0x34};
    expect_stream(seed, 1000);
  }
}

TEST(KeyStream, GoesOnFromSeedToSeed) {
  SeededEntropy entropy{test_seed()};
  const Seed first = random_seed(entropy);
  std::vector<std::vector<std::byte>> made;
  for (const Kernel kernel : running()) {
    KeyStream stream{kernel};
    Seed seed = first;
    auto& bytes = made.emplace_back(40 * 256);
    for (std::size_t i = 0; i < 40; ++i) {
      ASSERT_TRUE(stream.make(seed, std::span{bytes}.subspan(i * 256, 256)));
    }
    EXPECT_EQ(bytes, made.front());
  }
}

TEST(KeyStream, BestIsTheLastThatRuns) {
  EXPECT_TRUE(KeyStream::runs(Kernel::openssl));
  EXPECT_EQ(KeyStream::best(), running().back());
}

}  // namespace
}  // namespace mintmark::io
