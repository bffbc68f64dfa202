// The keys of public IDs, as the commands seal and open get them: from a file or from the environment, never
// from the command line, which every process of the machine may read.
//
//   # seal.keys, mode 0600: VERSION:KEY, the first line seals, all lines open
//   2:8d1f...      32 or 64 hex digits, or base64 of 16 or 32 bytes: AES-128 or AES-256
//   1:K7gNU3s...
//
// What it refuses: a file that others can read, a version twice, the same key twice, a key of another size or
// of one byte repeated. No message shows a part of a key.
#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "io/aes.h"
#include "mintmark/base/entropy.h"
#include "mintmark/base/error.h"
#include "mintmark/seal/public_id.h"

namespace mintmark::cli {

/// A key as it was read. Erased with the object.
class SealKey {
 public:
  static constexpr std::size_t kMostBytes = 32;

  /// REQUIRES: bytes.size() <= kMostBytes.
  SealKey(unsigned version, std::span<const std::byte> bytes);
  SealKey(const SealKey&) = default;
  SealKey& operator=(const SealKey&) = default;
  ~SealKey();

  [[nodiscard]] unsigned version() const { return version_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return std::span{bytes_}.first(size_); }

 private:
  unsigned version_;
  std::size_t size_;
  std::array<std::byte, kMostBytes> bytes_{};
};

/// Reads lines of keys. `origin` names them in the error, which is a sentence for the user.
[[nodiscard]] std::expected<std::vector<SealKey>, std::string> parse_seal_keys(
    std::string_view text, std::string_view origin);

/// The keys of --keys FILE, else of MINTMARK_SEAL_KEY_FILE or MINTMARK_SEAL_KEY, of which only one may be
/// set. Error: the exit code; what is wrong was said.
enum class NoKeys : std::uint8_t {
  refuse,  ///< it is an error that there are none
  accept,  ///< an empty list, also for a file that does not exist yet
};
[[nodiscard]] std::expected<std::vector<SealKey>, int> load_seal_keys(const Arguments& arguments,
                                                                      NoKeys no_keys);

/// A version for one more key: behind the highest in use, and the lowest free one once 31 is in use. Error:
/// all are in use.
[[nodiscard]] std::expected<unsigned, std::string> next_version(std::span<const SealKey> keys);

/// A line for a file of keys: a new key of 256 bits. Errors: EntropyUnavailable.
[[nodiscard]] Result<std::string> new_key_line(unsigned version, Entropy& entropy);

/// The ciphers of some keys, in their order, for PublicIds. Thread-safe, as the ciphers are.
class SealCiphers {
 public:
  /// Error: a sentence for the user.
  [[nodiscard]] static std::expected<SealCiphers, std::string> make(std::span<const SealKey> keys);

  [[nodiscard]] std::span<const PublicIds<io::Aes>::Key> keys() const { return keys_; }

 private:
  SealCiphers() = default;

  std::vector<std::unique_ptr<io::Aes>> ciphers_;
  std::vector<PublicIds<io::Aes>::Key> keys_;
};

inline constexpr Option kKeysOption{"keys", "k", "FILE",
                                    "the keys; MINTMARK_SEAL_KEY_FILE, MINTMARK_SEAL_KEY"};

}  // namespace mintmark::cli
