#include <chrono>

#include <gtest/gtest.h>

#include "io/os_clock.h"
#include "mintmark/base/time.h"
#include "shell.h"

namespace mintmark::cli {
namespace {

/// Starts a server on free ports, waits until it says that it is ready, runs the line with $http, $host
/// and $port set, ends the server by SIGTERM and gives its exit code if the line went well.
std::string with_server(const std::string& options, const std::string& line) {
  return "mintmark serve --http 127.0.0.1:0 --resp 127.0.0.1:0 " + options +
         " 2>serve.log & server=$!\n"
         "for i in $(seq 300); do grep -q 'is ready' serve.log && break; "
         "kill -0 $server 2>/dev/null || break; sleep 0.1; done\n"
         "http=$(sed -n 's/.*ready: http \\([^,]*\\),.*/\\1/p' serve.log)\n"
         "port=$(sed -n 's/.* resp [^:]*:\\([0-9]*\\),.*/\\1/p' serve.log)\n"
         "(" +
         line +
         "); code=$?\n"
         "kill -TERM $server; wait $server; ended=$?; cat serve.log >&2; exit $((code + ended))";
}

TEST(Serve, ServesBothProtocolsAndEndsCleanly) {
  const Shell shell;
  const Ran ran = shell.run(
      with_server("",
                  "curl -sf -X POST \"http://$http/v1/spaces/uuid7/ids?count=3&format=text\" && "
                  "redis-cli -p $port INCR block && redis-cli -p $port MINT snowflake COUNT 2"));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_EQ(lines(ran.out), 6U) << ran.out;
  EXPECT_TRUE(has(ran.err, "stopped")) << ran.err;
}

TEST(Serve, InvitesWithCommandsThatRun) {
  const Shell shell;
  const Ran ran = shell.run(
      with_server("", "sed -n 's/^  //p' serve.log >try.sh; wc -l <try.sh; bash -e try.sh"));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(ran.out.starts_with("3\n")) << ran.out;
}

TEST(Serve, SharesItsStoreWithTheCommandLine) {
  const Shell shell;
  const Ran ran =
      shell.run(with_server("",
                            "mintmark new snowflake -n 100 >a; mintmark new block -n 100 >b; "
                            "redis-cli -p $port MINT snowflake COUNT 100 >>a; "
                            "redis-cli -p $port MINT block COUNT 100 >>b; "
                            "mintmark verify a && mintmark verify b"));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

TEST(Serve, AnswersAndStopsWhileItsSpacesAreNotReadyYet) {
  // A store that is made in a folder that was there grants no window for 10 s (protocol 2.2).
  const Shell shell;
  const Ran ran = shell.run(
      "mintmark serve --http unix:h.sock --resp off --store sqlite:ids.db 2>serve.log & server=$!\n"
      "for i in $(seq 300); do test -S h.sock && break; sleep 0.1; done\n"
      "for route in livez readyz; do curl -s -o answer --unix-socket h.sock -w '%{http_code}\\n' "
      "http://localhost/$route; done\n"
      "kill -TERM $server; wait $server; echo $?; cat serve.log >&2");
  EXPECT_EQ(ran.out, "200\n503\n0\n") << ran.err;
  EXPECT_TRUE(has(ran.err, "stopped")) << ran.err;
  EXPECT_FALSE(has(ran.err, "Try:")) << ran.err;
}

// baidu/uid-generator#100.
TEST(Serve, WarnsOfALayoutThatEndsWithinAYear) {
  const Shell shell;
  // 2^28 seconds that are over in half a year.
  const Instant begin = std::chrono::floor<std::chrono::seconds>(io::wall_now()) +
                        std::chrono::hours{24 * 180} - std::chrono::seconds{1 << 28};
  shell.write("m.toml",
              "[space.old]\nscheme = \"snowflake\"\nlayout = \"time:28 worker:10 seq:20 "
              "unit=1s epoch=" +
                  std::string{TimeText{begin}.view()} +
                  "\"\n[space.new]\nscheme = \"snowflake\"\n");
  const Ran ran = shell.run(
      with_server("--config m.toml", "curl -sf -X POST \"http://$http/v1/spaces/old/ids\""));
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "\"space\":\"old\"")) << ran.out;
  EXPECT_TRUE(has(ran.err, "mintmark: space 'old': the time field of its layout ends on "))
      << ran.err;
  EXPECT_FALSE(has(ran.err, "space 'new': the time field")) << ran.err;
  const Ran check = shell.run("mintmark config check m.toml");
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_TRUE(has(check.err, "mintmark: space 'old': the time field of its layout ends on "))
      << check.err;
}

TEST(Serve, SaysThatAPortIsTaken) {
  const Shell shell;
  const Ran ran =
      shell.run(with_server("",
                            "mintmark serve --http $http --resp off --store sqlite:other.db; "
                            "echo $? >code; true"));
  EXPECT_NE(shell.read("code"), "0\n");
  EXPECT_TRUE(has(ran.err, "127.0.0.1:")) << ran.err;
  EXPECT_EQ(shell.run("mintmark serve --http nonsense --resp off").code, 2);
  EXPECT_EQ(shell.run("mintmark serve --threads many").code, 2);
  EXPECT_EQ(shell.run("mintmark serve --store nosuch:thing --http off --resp off").code, 2);
}

}  // namespace
}  // namespace mintmark::cli
