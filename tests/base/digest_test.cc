#include "mintmark/base/digest.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "mintmark/base/entropy.h"
#include "tests/seed.h"

namespace mintmark {
namespace {

/// The same digest in OpenSSL.
template <class Digest>
struct Reference;
template <>
struct Reference<Md5> {
  static const EVP_MD* method() { return EVP_md5(); }
};
template <>
struct Reference<Sha1> {
  static const EVP_MD* method() { return EVP_sha1(); }
};
template <>
struct Reference<Sha256> {
  static const EVP_MD* method() { return EVP_sha256(); }
};

std::string hex(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 0xf];
  }
  return text;
}

template <class Digest>
class DigestTest : public testing::Test {
 protected:
  static typename Digest::Value openssl(std::span<const std::byte> bytes) {
    typename Digest::Value value{};
    unsigned size = 0;
    EXPECT_EQ(EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(value.data()),
                         &size, Reference<Digest>::method(), nullptr),
              1);
    EXPECT_EQ(size, value.size());
    return value;
  }

  static std::vector<std::byte> random_bytes(Entropy& entropy, std::size_t size) {
    std::vector<std::byte> bytes(size);
    EXPECT_TRUE(entropy.fill(bytes));
    return bytes;
  }
};

struct Names {
  template <class Digest>
  static std::string GetName(int /*index*/) {
    return Digest::kSize == 16 ? "Md5" : Digest::kSize == 20 ? "Sha1" : "Sha256";
  }
};
using Digests = testing::Types<Md5, Sha1, Sha256>;
TYPED_TEST_SUITE(DigestTest, Digests, Names);

TYPED_TEST(DigestTest, AgreesWithOpenSslAtEachLength) {
  SeededEntropy entropy{test_seed()};
  for (std::size_t size = 0; size <= 300; ++size) {
    for (int round = 0; round < 4; ++round) {
      const auto bytes = this->random_bytes(entropy, size);
      ASSERT_EQ(hex(TypeParam::of(bytes)), hex(this->openssl(bytes))) << size;
    }
  }
}

TYPED_TEST(DigestTest, CutIntoPiecesItIsTheSame) {
  SeededEntropy entropy{test_seed()};
  for (int round = 0; round < 500; ++round) {
    const auto bytes = this->random_bytes(entropy, *entropy.word() % 400);
    TypeParam digest;
    for (std::span<const std::byte> rest{bytes}; !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(*entropy.word() % 130, rest.size());
      digest.update(rest.first(size));
      rest = rest.subspan(size);
    }
    ASSERT_EQ(hex(digest.finish()), hex(this->openssl(bytes))) << bytes.size();
  }
}

TYPED_TEST(DigestTest, GoesOnAfterItWasAsked) {
  SeededEntropy entropy{test_seed()};
  const auto bytes = this->random_bytes(entropy, 200);
  TypeParam digest;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::span<const std::byte> beginning = std::span{bytes}.first(size);
    ASSERT_EQ(hex(digest.finish()), hex(this->openssl(beginning))) << size;
    TypeParam copy = digest;
    copy.update("more");
    digest.update(std::span{bytes}.subspan(size, 1));
  }
}

TYPED_TEST(DigestTest, TextIsItsBytes) {
  std::string text;
  for (int c = 0; c < 256; ++c) text += static_cast<char>(c);
  EXPECT_EQ(TypeParam::of(text), TypeParam::of(std::as_bytes(std::span{text})));
  EXPECT_EQ(hex(TypeParam::of(text)), hex(this->openssl(std::as_bytes(std::span{text}))));
}

// RFC 1321 appendix A.5.
TEST(Md5, GivesThePublishedAnswers) {
  EXPECT_EQ(hex(Md5::of("")), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(hex(Md5::of("abc")), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(hex(Md5::of("message digest")), "f96b697d7cb7938d525a2f31aaf161d0");
}

// FIPS 180-2 appendices A and B.
constexpr std::string_view kTwoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

TEST(Sha1, GivesThePublishedAnswers) {
  EXPECT_EQ(hex(Sha1::of("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex(Sha1::of(kTwoBlocks)), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

TEST(Sha256, GivesThePublishedAnswers) {
  EXPECT_EQ(hex(Sha256::of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(Sha256::of(kTwoBlocks)),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Digest, TheCompilerCountsAsTheMachineDoes) {
  constexpr auto kMd5 = Md5::of(kTwoBlocks);
  constexpr auto kSha1 = Sha1::of(kTwoBlocks);
  constexpr auto kSha256 = Sha256::of(kTwoBlocks);
  const std::string text{kTwoBlocks};
  EXPECT_EQ(Md5::of(text), kMd5);
  EXPECT_EQ(Sha1::of(text), kSha1);
  EXPECT_EQ(Sha256::of(text), kSha256);
}

}  // namespace
}  // namespace mintmark
