#include "io/net/resp_reply.h"

#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "seed.h"

namespace mintmark::io {
namespace {

using Status = RespReplyParser::Status;
using Type = RespReply::Type;

/// A reply as a person would note it: bulks in quotes, arrays in brackets.
std::string words_of(const RespReply& reply) {
  std::string text;
  switch (reply.type) {
    case Type::simple:
      return "+" + reply.text;
    case Type::error:
      return "-" + reply.text;
    case Type::integer:
      return std::to_string(reply.number);
    case Type::bulk:
      return "'" + reply.text + "'";
    case Type::null:
      return "null";
    case Type::array:
      for (const RespReply& item : reply.items) text += (text.empty() ? "" : " ") + words_of(item);
      return "[" + text + "]";
  }
  return "?";
}

/// Gives the bytes to a parser in pieces and notes the replies; a problem ends them.
std::vector<std::string> parsed(std::string_view bytes, std::size_t piece,
                                RespReplyLimits limits = {}) {
  RespReplyParser parser{limits};
  std::vector<std::string> replies;
  std::string buffer;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    buffer += bytes.substr(at, piece);
    for (;;) {
      const Status status = parser.parse(buffer);
      if (status == Status::broken) {
        replies.push_back("broken: " + std::string{parser.problem()});
        return replies;
      }
      buffer.erase(0, parser.consumed());
      if (status == Status::incomplete) break;
      replies.push_back(words_of(parser.reply()));
    }
  }
  if (!buffer.empty()) replies.push_back("rest: " + std::to_string(buffer.size()));
  return replies;
}

using Words = std::vector<std::string>;

TEST(RespReplyParser, ReadsEveryTypeInPiecesOfEverySize) {
  const std::string bytes =
      "+OK\r\n-ERR no such "
      "thing\r\n:42\r\n:-9223372036854775808\r\n$5\r\na\r\nb!\r\n$0\r\n\r\n$-1\r\n"
      "*-1\r\n*0\r\n*3\r\n$1\r\nx\r\n*2\r\n:1\r\n*1\r\n$-1\r\n+y\r\n+\r\n*1\r\n*0\r\n";
  const Words expected{"+OK",       "-ERR no such thing",
                       "42",        "-9223372036854775808",
                       "'a\r\nb!'", "''",
                       "null",      "null",
                       "[]",        "['x' [1 [null]] +y]",
                       "+",         "[[]]"};
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    EXPECT_EQ(parsed(bytes, piece), expected) << "in pieces of " << piece;
  }
}

TEST(RespReplyParser, RefusesWhatIsNotResp) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"HTTP/1.1 400 Bad Request\r\n", "a value of an unknown type"},
      {"%1\r\n+a\r\n+b\r\n", "a value of an unknown type"},
      {std::string{"\0", 1}, "a value of an unknown type"},
      {"+a\nb\r\n", "a line without CRLF"},
      {"+a\rb", "a line without CRLF"},
      {":\r\n", "an integer that is none"},
      {":1 \r\n", "an integer that is none"},
      {":9223372036854775808\r\n", "an integer that is none"},
      {"$\r\n", "a length that is no number"},
      {"$5x\r\n", "a length that is no number"},
      {"$99999999999\r\n", "a length that is no number"},
      {"$-2\r\n", "a negative length"},
      {"*-10\r\n", "a negative length"},
      {"$1\r\nab\r\n", "a bulk string without CRLF"},
      {"*1\r\nx", "a value of an unknown type"},
  };
  for (const auto& [bytes, problem] : cases) {
    EXPECT_EQ(parsed("+before\r\n" + bytes, 1000), (Words{"+before", "broken: " + problem}))
        << bytes;
  }
}

TEST(RespReplyParser, KeepsItsLimits) {
  const RespReplyLimits limits{.line = 4, .bytes = 10, .items = 5, .depth = 2};
  const auto words = [&](const std::string& bytes) { return parsed(bytes, 3, limits); };
  EXPECT_EQ(words("+abcd\r\n"), Words{"+abcd"});
  EXPECT_EQ(words("+abcde\r\n"), Words{"broken: a line that is too long"});
  EXPECT_EQ(words("+abcdefgh"), Words{"broken: a line that is too long"});
  EXPECT_EQ(words("$10\r\n0123456789\r\n"), Words{"'0123456789'"});
  EXPECT_EQ(words("$11\r\n"), Words{"broken: a reply with too many bytes"});
  // Each reply has its own limits.
  EXPECT_EQ(words("$6\r\n012345\r\n$6\r\n012345\r\n"), (Words{"'012345'", "'012345'"}));
  EXPECT_EQ(words("*2\r\n$6\r\n012345\r\n$6\r\n"), Words{"broken: a reply with too many bytes"});
  EXPECT_EQ(words("*5\r\n:1\r\n:2\r\n:3\r\n:4\r\n:5\r\n"), Words{"[1 2 3 4 5]"});
  EXPECT_EQ(words("*6\r\n"), Words{"broken: a reply with too many items"});
  EXPECT_EQ(words("*3\r\n*3\r\n"), Words{"broken: a reply with too many items"});
  EXPECT_EQ(words("*1\r\n*1\r\n:1\r\n"), Words{"[[1]]"});
  EXPECT_EQ(words("*1\r\n*1\r\n*1\r\n"), Words{"broken: arrays that are too deep in each other"});
  // An announced size takes no memory before it comes.
  EXPECT_EQ(parsed("*4000000\r\n", 100), Words{});
}

TEST(RespReplyParser, ReadsRandomBytesTheSameInPiecesOfAnySize) {
  std::mt19937_64 random{test_seed()};
  const std::string alphabet = "+-:$*01239\r\r\n\nax";
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    const auto size = random() % 40;
    for (std::size_t i = 0; i < size; ++i) bytes += alphabet[random() % alphabet.size()];
    Words whole = parsed(bytes, bytes.size() + 1);
    Words pieces = parsed(bytes, 1 + random() % 5);
    ASSERT_EQ(whole, pieces) << bytes;
  }
}

}  // namespace
}  // namespace mintmark::io
