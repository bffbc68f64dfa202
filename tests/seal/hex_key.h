// Keys of tests: bytes from hex, and AES under them.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/aes.h"
#include "mintmark/text/slice.h"

namespace mintmark {

inline std::vector<std::byte> from_hex(std::string_view hex) {
  std::vector<std::byte> bytes(hex.size() / 2);
  EXPECT_TRUE(parse_hex(hex, bytes)) << hex;
  return bytes;
}

/// The key of NIST's FF1 samples; the first 16, 24 or 32 bytes.
inline constexpr std::string_view kNistKey =
    "2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94";

inline std::unique_ptr<io::Aes> aes(std::string_view hex = kNistKey.substr(0, 32)) {
  auto made = io::Aes::make(from_hex(hex));
  EXPECT_TRUE(made);
  return std::move(*made);
}

}  // namespace mintmark
