#include "mintmark/base/sha3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

std::array<std::byte, 64> openssl_digest(const std::vector<std::byte>& message) {
  std::array<std::byte, 64> digest{};
  unsigned size = 0;
  EXPECT_EQ(
      EVP_Digest(message.data(), message.size(), reinterpret_cast<unsigned char*>(digest.data()),
                 &size, EVP_sha3_512(), nullptr),
      1);
  EXPECT_EQ(size, digest.size());
  return digest;
}

TEST(Sha3, AgreesWithOpenSslAtEachLength) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t size = 0; size <= 300; ++size) {
    for (int round = 0; round < 4; ++round) {
      std::vector<std::byte> message(size);
      ASSERT_TRUE(entropy.fill(message));
      ASSERT_EQ(sha3_512(message), openssl_digest(message)) << size;
    }
  }
}

TEST(Sha3, EveryBitOfAMessageChangesTheDigest) {
  std::vector<std::byte> message(80);
  const auto before = sha3_512(message);
  for (std::size_t bit = 0; bit < message.size() * 8; ++bit) {
    message[bit / 8] ^= std::byte{1} << (bit % 8);
    ASSERT_NE(sha3_512(message), before) << bit;
    message[bit / 8] ^= std::byte{1} << (bit % 8);
  }
  EXPECT_EQ(sha3_512(message), before);
}

TEST(Sha3, IsTheSameAtCompileTime) {
  static constexpr std::array kMessage{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
  static constexpr auto kDigest = sha3_512(kMessage);
  EXPECT_EQ(kDigest, sha3_512(kMessage));
  EXPECT_EQ(kDigest, openssl_digest({kMessage.begin(), kMessage.end()}));
}

}  // namespace
}  // namespace mintmark
