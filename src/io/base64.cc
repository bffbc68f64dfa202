#include "io/base64.h"

#include <openssl/evp.h>

namespace mintmark::io {
namespace {

const unsigned char* octets(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* octets(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL writes a NUL behind it
  text.resize(static_cast<std::size_t>(
      ::EVP_EncodeBlock(octets(text), octets(bytes), static_cast<int>(bytes.size()))));
  return text;
}

std::optional<std::string> parse_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  // OpenSSL forgives blanks around the text, and gives zeros for the padding.
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  if (text.substr(0, text.size() - padding).find_first_not_of(kAlphabet) != text.npos) {
    return std::nullopt;
  }
  std::string bytes(text.size() / 4 * 3, '\0');
  if (::EVP_DecodeBlock(octets(bytes), octets(text), static_cast<int>(text.size())) < 0) {
    return std::nullopt;
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace mintmark::io
