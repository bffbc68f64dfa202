// Whatever command writes JSON, JavaScript reads the same numbers from it.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "shell.h"

namespace mintmark::cli {
namespace {

/// The whole numbers in a JSON text, outside of its strings, that a double may not hold: 16 digits and more.
std::vector<std::string> long_numbers(std::string_view json) {
  std::vector<std::string> found;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (quoted && json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && json[i] >= '0' && json[i] <= '9') {
      const std::size_t end = std::min(json.find_first_not_of("0123456789.eE+-", i), json.size());
      const std::string_view number = json.substr(i, end - i);
      const bool whole = number.find_first_not_of("0123456789") == std::string_view::npos;
      if (whole && number.size() >= 16) found.emplace_back(number);
      i = end - 1;
    }
  }
  return found;
}

// oceanbase/powercontext#91, and the same in many clients of Twitter: 653247040368672768 became ...672800.
TEST(JsonNumbers, NoneIsRoundedByJavascript) {
  const Shell shell;
  ASSERT_EQ(shell.run("mintmark new snowflake -n 3 >ids && mintmark new block").code, 0);
  const std::string id = "653247040368672768";
  const std::vector<std::string> commands{
      "inspect --json " + id,
      "inspect --json --all 18446744073709551615",
      "validate --json " + id,
      "convert --json --to decimal " + id,
      "verify --json ids",
      "leak --json " + id + " 653247040368672799",
      "layout --json twitter",
      "headroom --json bigint",
      "headroom --json snowflake",
      "range --json --from 2026-12-01 --to 2026-12-02 snowflake",
      "collide --json uuid4 --ids 1e18",
      "keysize --json bigint --rows 1e15",
      "store show --json",
      "config show --json",
      "choose --json"};
  for (const std::string& command : commands) {
    const Ran ran = shell.run("mintmark " + command);
    EXPECT_TRUE(ran.out.starts_with("{") || ran.out.starts_with("["))
        << command << ran.out << ran.err;
    EXPECT_EQ(long_numbers(ran.out), std::vector<std::string>{}) << command;
  }
  EXPECT_TRUE(has(shell.run("mintmark inspect --json " + id).out, "\"canonical\":\"" + id + "\""));
}

TEST(JsonNumbers, NewIdsOf64BitsAreStrings) {
  const Shell shell;
  for (const std::string scheme :
       {"snowflake", "discord", "instagram", "sonyflake", "sonyflake2", "mastodon", "leaf", "js53",
        "rowid", "block", "bitreversed", "shardfirst"}) {
    const Ran ran = shell.run("mintmark new " + scheme + " -n 2 --json");
    EXPECT_EQ(ran.code, 0) << scheme << ran.err;
    EXPECT_TRUE(ran.out.starts_with("[{\"id\":\"")) << scheme << ran.out;
    EXPECT_EQ(long_numbers(ran.out), std::vector<std::string>{}) << scheme;
  }
}

TEST(JsonNumbers, ALongOneWouldBeSeen) {
  EXPECT_EQ(
      long_numbers(R"([1,{"a":653247040368672768,"b":"653247040368672768\\\"1"},9e999,-1.5])"),
      std::vector<std::string>{"653247040368672768"});
  EXPECT_EQ(long_numbers(R"({"a":9007199254740993})"),
            std::vector<std::string>{"9007199254740993"});
  EXPECT_TRUE(long_numbers(R"({"a":999999999999999,"b":0.12345678901234567})").empty());
}

}  // namespace
}  // namespace mintmark::cli
