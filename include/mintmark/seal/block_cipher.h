// Block cipher: what the keyed permutations take as an argument, so that these headers depend on no
// cryptographic library. FF1 needs one direction only.
//
// The program's cipher is AES of OpenSSL (io::Aes in src/io/aes.h). Another one has to be a cipher of 128-bit
// blocks that nobody has broken: everything that a public ID hides rests on it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mintmark/base/bytes.h"

namespace mintmark {

using CipherBlock = std::array<std::byte, 16>;

/// Encrypts a block in place under the key that it was made with. Permutations are as safe to share between
/// threads as their cipher's encrypt_block is.
template <class C>
concept BlockCipher = requires(const C& cipher, CipherBlock& block) {
  { cipher.encrypt_block(block) } -> std::same_as<void>;
};

/// A number that tells two keys apart and says nothing else about them: the first 32 bits of the encrypted
/// zero block. Keep it where a process must find out that it was given another key.
template <BlockCipher Cipher>
[[nodiscard]] std::uint32_t key_check_value(const Cipher& cipher) {
  CipherBlock block{};
  cipher.encrypt_block(block);
  return load_be<std::uint32_t>(block);
}

}  // namespace mintmark
