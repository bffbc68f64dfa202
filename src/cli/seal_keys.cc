#include "cli/seal_keys.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "cli/words.h"
#include "io/file.h"
#include "mintmark/base/erase.h"
#include "mintmark/text/radix.h"
#include "mintmark/text/slice.h"

namespace mintmark::cli {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{64} * 1024;
constexpr std::string_view kBlanks = " \t\r";
constexpr std::string_view kFileVariable = "MINTMARK_SEAL_KEY_FILE";
constexpr std::string_view kKeyVariable = "MINTMARK_SEAL_KEY";

/// A text that held keys, erased when it is done with.
class Secret {
 public:
  explicit Secret(std::string text) : text_(std::move(text)) {}
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret() { erase(std::as_writable_bytes(std::span{text_})); }
  [[nodiscard]] std::string& text() { return text_; }

 private:
  std::string text_;
};

std::string_view environment(std::string_view name) {
  const char* value = std::getenv(std::string{name}.c_str());
  return value == nullptr ? std::string_view{} : std::string_view{value};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The bytes of base64 with either of its two alphabets, padded or not; false if it is none.
bool read_base64(std::string_view text, std::span<std::byte> bytes) {
  Secret url{std::string{text}};
  std::string& chars = url.text();
  // Padding fills groups of four.
  while (chars.ends_with('=') && text.size() % 4 == 0) chars.pop_back();
  std::ranges::replace(chars, '+', '-');
  std::ranges::replace(chars, '/', '_');
  return parse_stream<kBase64Url>(chars, bytes).has_value();
}

/// What a key's text says, or what is wrong with it. No two forms of it have the same length.
std::expected<SealKey, std::string_view> read_key(unsigned version, std::string_view text) {
  std::array<std::byte, SealKey::kMostBytes> bytes{};
  const EraseAtExit erasing{bytes};
  const bool is_long = text.size() > 32;
  const auto used = std::span{bytes}.first(is_long ? 32 : 16);
  bool read = false;
  switch (text.size()) {
    case 32:
    case 64:
      read = parse_hex(text, used).has_value();
      break;
    case 22:
    case 24:
    case 43:
    case 44:
      read = read_base64(text, used);
      break;
    default:
      return std::unexpected("a key has 16 or 32 bytes, as hex or base64");
  }
  if (!read) return std::unexpected("the key is neither hex nor base64");
  const bool is_filler =
      std::ranges::all_of(used, [&used](std::byte byte) { return byte == used[0]; });
  if (is_filler) return std::unexpected("one byte repeated is no key");
  return SealKey{version, used};
}

/// Reads `VERSION:KEY` or nothing, and says what is wrong with the line.
std::expected<std::optional<SealKey>, std::string> read_line(std::string_view line) {
  line = trimmed(line.substr(0, line.find('#')));
  if (line.empty()) return std::nullopt;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::unexpected("a line is VERSION:KEY");
  const auto version = parse_decimal(trimmed(line.substr(0, colon)));
  if (!version || *version < 1 || *version > public_id::kMostVersion) {
    return std::unexpected(
        fmt::format("a version is a number from 1 to {}", public_id::kMostVersion));
  }
  auto key = read_key(static_cast<unsigned>(*version), trimmed(line.substr(colon + 1)));
  if (!key) return std::unexpected(std::string{key.error()});
  return std::optional{*key};
}

}  // namespace

SealKey::SealKey(unsigned version, std::span<const std::byte> bytes)
    : version_(version), size_(bytes.size()) {
  std::ranges::copy(bytes, bytes_.begin());
}

SealKey::~SealKey() { erase(bytes_); }

std::expected<std::vector<SealKey>, std::string> parse_seal_keys(std::string_view text,
                                                                 std::string_view origin) {
  std::vector<SealKey> keys;
  std::size_t number = 0;
  const auto wrong = [&](std::string_view what) {
    return std::unexpected(fmt::format("{}:{}: {}", origin, number, what));
  };
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    const auto key = read_line(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    if (!key) return wrong(key.error());
    if (!*key) continue;
    for (const SealKey& other : keys) {
      if (other.version() == (*key)->version()) {
        return wrong(fmt::format("version {} is there already", other.version()));
      }
      if (std::ranges::equal(other.bytes(), (*key)->bytes())) {
        return wrong(fmt::format("it is the key of version {}; a new version needs a new key",
                                 other.version()));
      }
    }
    keys.push_back(**key);
  }
  return keys;
}

std::expected<std::vector<SealKey>, int> load_seal_keys(const Arguments& arguments,
                                                        NoKeys no_keys) {
  std::string file = arguments.value("keys").value_or("");
  std::string origin{kKeyVariable};
  Secret secret{std::string{}};
  if (file.empty()) {
    file = environment(kFileVariable);
    secret.text() = environment(kKeyVariable);
    if (!file.empty() && !secret.text().empty()) {
      return std::unexpected(usage_error(
          fmt::format("{} and {} are both set; which keys?", kFileVariable, kKeyVariable)));
    }
  }
  if (!file.empty()) {
    origin = file;
    auto read = io::read_private_file(file, kMostFileBytes);
    if (!read) {
      if (read.error().code == ENOENT && no_keys == NoKeys::accept) return std::vector<SealKey>{};
      return std::unexpected(usage_error(read.error().detail));
    }
    secret.text().swap(*read);
  }
  auto keys = parse_seal_keys(secret.text(), origin);
  if (!keys) return std::unexpected(usage_error(keys.error()));
  if (keys->empty() && no_keys == NoKeys::refuse) {
    return std::unexpected(
        usage_error(file.empty() ? fmt::format("there are no keys: --keys FILE, {} or {}; "
                                               "mintmark seal --help shows how to make one",
                                               kFileVariable, kKeyVariable)
                                 : fmt::format("{}: there is no key in it", file)));
  }
  return std::move(*keys);
}

std::expected<unsigned, std::string> next_version(std::span<const SealKey> keys) {
  const auto in_use = [keys](unsigned version) {
    return std::ranges::any_of(keys,
                               [version](const SealKey& key) { return key.version() == version; });
  };
  unsigned version = 1;
  for (const SealKey& key : keys) version = std::max(version, key.version() + 1);
  if (version <= public_id::kMostVersion) return version;
  for (version = 1; version <= public_id::kMostVersion; ++version) {
    if (!in_use(version)) return version;
  }
  return std::unexpected(
      fmt::format("all {} versions are in use; drop the keys whose public IDs may end",
                  public_id::kMostVersion));
}

Result<std::string> new_key_line(unsigned version, Entropy& entropy) {
  std::array<std::byte, SealKey::kMostBytes> bytes{};
  const EraseAtExit erasing{bytes};
  if (const auto filled = entropy.fill(bytes); !filled) return fail(filled.error());
  std::array<char, 2 * SealKey::kMostBytes> hex{};
  const EraseAtExit erasing_hex{std::as_writable_bytes(std::span{hex})};
  write_hex(bytes, hex);
  return fmt::format("{}:{}\n", version, std::string_view{hex.data(), hex.size()});
}

std::expected<SealCiphers, std::string> SealCiphers::make(std::span<const SealKey> keys) {
  SealCiphers made;
  for (const SealKey& key : keys) {
    auto cipher = io::Aes::make(key.bytes());
    if (!cipher) return std::unexpected(cipher.error().detail);
    made.keys_.push_back({key.version(), cipher->get()});
    made.ciphers_.push_back(std::move(*cipher));
  }
  return made;
}

}  // namespace mintmark::cli
