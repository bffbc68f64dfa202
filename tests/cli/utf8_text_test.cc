#include "cli/utf8_text.h"

#include <string>

#include <gtest/gtest.h>

namespace mintmark::cli {
namespace {

TEST(Utf8Text, KnowsItsForm) {
  for (const std::string text : {"", "a", "a\xc3\xb1o", "\xe2\x82\xac", "\xf0\x9f\xa6\x8a",
                                 "\xed\x9f\xbf", "\xee\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  // Alone, too long, cut, a surrogate, above U+10FFFF.
  for (const std::string text : {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf",
                                 "\xc3", "\xe2\x82", "\xf0\x9f\xa6", "a\xc3 ", "\xed\xa0\x80",
                                 "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Utf8Text, CannotSteerATerminal) {
  EXPECT_EQ(for_terminal("a\xc3\xb1o"), "a\xc3\xb1o");
  EXPECT_EQ(for_terminal("a\x1b[2J\r\n\x7f"), "a?[2J???");
  EXPECT_EQ(for_terminal("a\xc2\x9b"
                         "2J"),
            "a?2J");  // CSI as one character of C1
  EXPECT_EQ(for_terminal("\x9b"
                         "2J\xff"),
            "?2J?");
}

TEST(Utf8Text, IsAStringOfJson) {
  EXPECT_EQ(json_utf8("a\"\\\xc3\xb1\n"), "\"a\\\"\\\\\xc3\xb1\\u000a\"");
  EXPECT_EQ(json_utf8("\xf1o"), "\"\\u00f1o\"");
}

}  // namespace
}  // namespace mintmark::cli
