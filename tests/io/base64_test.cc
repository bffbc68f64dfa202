#include "io/base64.h"

#include <string>

#include <gtest/gtest.h>

namespace mintmark::io {
namespace {

TEST(Base64, WritesTheVectorsOfTheRfc) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, ReadsWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(parse_base64(base64(bytes)), bytes) << i;
    bytes.push_back(static_cast<char>(i * 37));
  }
}

TEST(Base64, RefusesOtherTexts) {
  for (const std::string text : {"Zg", "Zg=", "Zg= ", " Zg=", "Z===", "====", "Zm9v\n", "Zm9v\nZm9",
                                 "Zg==Zg==", "Zm-v", "\n\n\n\n"}) {
    EXPECT_FALSE(parse_base64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace mintmark::io
