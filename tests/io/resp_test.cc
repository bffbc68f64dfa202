#include "io/net/resp.h"

#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "seed.h"

namespace mintmark::io {
namespace {

using Status = RespParser::Status;
using Words = std::vector<std::string>;

std::string encode(const Words& words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    text += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return text;
}

/// All commands of a stream that comes in the given pieces, as a connection would see them.
struct Heard {
  std::vector<Words> commands;
  std::string problem;
  std::string rest;
};
Heard hear(const std::vector<std::string>& pieces, RespLimits limits = {}) {
  RespParser parser{limits};
  Heard heard;
  for (const std::string& piece : pieces) {
    heard.rest += piece;
    while (true) {
      const Status status = parser.parse(heard.rest);
      if (status == Status::incomplete) break;
      if (status == Status::broken) {
        heard.problem = parser.problem();
        return heard;
      }
      heard.commands.emplace_back(parser.arguments().begin(), parser.arguments().end());
      heard.rest.erase(0, parser.consumed());
    }
  }
  return heard;
}

TEST(RespParser, ReadsArraysOfBulkStrings) {
  const Heard heard = hear({encode({"INCR", "orders"}) + encode({"ECHO", ""}) + encode({"PING"})});
  EXPECT_EQ(heard.commands, (std::vector<Words>{{"INCR", "orders"}, {"ECHO", ""}, {"PING"}}));
  EXPECT_EQ(heard.rest, "");
}

TEST(RespParser, ReadsAnyBytesInBulkStrings) {
  const Words words{"ECHO", std::string{"\0\r\n*1$ \xff", 9}};
  EXPECT_EQ(hear({encode(words)}).commands, std::vector<Words>{words});
}

TEST(RespParser, ReadsInlineCommands) {
  const Heard heard = hear({"PING\r\nINCR  orders \n\tECHO 'a b' \"c\" ''\r\n\r\n"});
  EXPECT_EQ(heard.commands,
            (std::vector<Words>{{"PING"}, {"INCR", "orders"}, {"ECHO", "a b", "c", ""}, {}}));
}

TEST(RespParser, AnEmptyArrayIsNoCommand) {
  EXPECT_EQ(hear({"*0\r\n"}).commands, std::vector<Words>{{}});
}

TEST(RespParser, GivesViewsIntoTheBuffer) {
  const std::string buffer = encode({"ECHO", "hello"});
  RespParser parser;
  ASSERT_EQ(parser.parse(buffer), Status::complete);
  const std::string_view word = parser.arguments()[1];
  EXPECT_EQ(static_cast<const void*>(word.data()), buffer.data() + buffer.find("hello"));
}

TEST(RespParser, ReadsTheSameHoweverTheStreamIsCut) {
  const std::vector<Words> commands{
      {"MINT", "orders", "COUNT", "10"}, {"PING"}, {"ECHO", "\r\n"}, {"x"}};
  std::string stream;
  for (const Words& words : commands) stream += words[0] == "x" ? "x\r\n" : encode(words);
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    for (std::size_t j = i; j <= stream.size(); ++j) {
      const Heard heard = hear({stream.substr(0, i), stream.substr(i, j - i), stream.substr(j)});
      ASSERT_EQ(heard.commands, commands) << "cut at " << i << " and " << j;
      ASSERT_EQ(heard.rest, "");
    }
  }
}

TEST(RespParser, RefusesWrongLengths) {
  const struct {
    std::string stream;
    std::string problem;
  } cases[] = {
      {"*-1\r\n", "invalid multibulk length"},
      {"*\r\n", "invalid multibulk length"},
      {"*abc\r\n", "invalid multibulk length"},
      {"*+1\r\n", "invalid multibulk length"},
      {"* 1\r\n", "invalid multibulk length"},
      {"*1\n", "invalid multibulk length"},
      {"*1\rx", "invalid multibulk length"},
      {"*18446744073709551617\r\n", "invalid multibulk length"},
      {"*65\r\n", "too many arguments, at most 64"},
      {"*1\r\n:1\r\n", "expected '$', got ':'"},
      {"*1\r\n\r\n", "expected '$', got '?'"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$x\r\n", "invalid bulk length"},
      {"*1\r\n$65537\r\n", "invalid bulk length, at most 65536"},
      {"*1\r\n$99999999999999999999\r\n", "invalid bulk length"},
      {"*1\r\n$4\r\nPINGx", "expected CRLF after a bulk string"},
      {"*1\r\n$4\r\nPING\rx", "expected CRLF after a bulk string"},
      {"*1\r\n$3\r\nPING\r\n", "expected CRLF after a bulk string"},
      {"ECHO 'a\r\n", "unbalanced quotes in request"},
      {"ECHO \"a\"b\r\n", "unbalanced quotes in request"},
      {"ECHO a\"b\"\r\n", "unbalanced quotes in request"},
      {"ECHO \"a\\n\"\r\n", "escapes in an inline request are not supported"},
  };
  for (const auto& [stream, problem] : cases) {
    EXPECT_EQ(hear({stream}).problem, problem) << stream;
    std::vector<std::string> bytes;
    for (const char c : stream) bytes.emplace_back(1, c);
    EXPECT_EQ(hear(bytes).problem, problem) << "byte by byte: " << stream;
  }
}

TEST(RespParser, RefusesWhatIsBeyondItsLimits) {
  const RespLimits limits{.arguments = 2, .bulk = 3, .inline_line = 8};
  EXPECT_EQ(hear({encode({"abc", "def"})}, limits).commands.size(), 1U);
  EXPECT_NE(hear({encode({"a", "b", "c"})}, limits).problem, "");
  EXPECT_NE(hear({encode({"abcd"})}, limits).problem, "");
  EXPECT_NE(hear({"a b c\r\n"}, limits).problem, "");
  EXPECT_NE(hear({"abcdefghi"}, limits).problem, "") << "a line without end";
  EXPECT_NE(hear({"abcdefghi\n"}, limits).problem, "");
}

TEST(RespParser, NeverReadsBeyondRandomBytes) {
  std::mt19937_64 random{test_seed()};
  const std::string_view alphabet = "*$012 9\r\n\r\nPING'\"-";
  for (int round = 0; round < 20'000; ++round) {
    // An own allocation of the exact size, so that a read beyond it is seen by the sanitizer.
    std::vector<char> bytes(random() % 40);
    for (char& c : bytes) c = alphabet[random() % alphabet.size()];
    RespParser parser;
    if (parser.parse({bytes.data(), bytes.size()}) == Status::complete) {
      ASSERT_LE(parser.consumed(), bytes.size());
      ASSERT_GT(parser.consumed(), 0U);
    }
  }
}

TEST(RespWriter, WritesVersionTwo) {
  OutBuffer out;
  RespWriter writer{out, RespVersion::two};
  writer.simple("OK");
  writer.error("ERR no");
  writer.integer(std::numeric_limits<std::int64_t>::min());
  writer.integer(std::numeric_limits<std::int64_t>::max());
  writer.bulk("");
  writer.bulk("a\r\nb");
  writer.null();
  writer.array(2);
  writer.map(3);
  EXPECT_EQ(out.view(),
            "+OK\r\n-ERR no\r\n:-9223372036854775808\r\n:9223372036854775807\r\n$0\r\n\r\n"
            "$4\r\na\r\nb\r\n$-1\r\n*2\r\n*6\r\n");
}

TEST(RespWriter, WritesVersionThree) {
  OutBuffer out;
  RespWriter writer{out, RespVersion::three};
  writer.null();
  writer.map(3);
  EXPECT_EQ(out.view(), "_\r\n%3\r\n");
}

TEST(OutBuffer, KeepsItsBytesWhenItGrows) {
  OutBuffer out;
  std::string expected;
  for (int i = 0; i < 10'000; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 37), static_cast<char>('a' + i % 26));
    out.append(piece);
    expected += piece;
  }
  EXPECT_EQ(out.view(), expected);
  out.clear_to(16);
  EXPECT_TRUE(out.empty());
  out.append("x");
  EXPECT_EQ(out.view(), "x");
}

}  // namespace
}  // namespace mintmark::io
