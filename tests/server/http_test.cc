#include "server/http.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "mint/request.h"
#include "running_server.h"
#include "server/http_reply.h"
#include "server/http_target.h"

namespace mintmark::server {
namespace {

/// A conversation without a socket.
class HttpTalk : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<RunningServer>(); }
  static void TearDownTestSuite() { server_.reset(); }

  std::string talk(const std::vector<std::string>& pieces) {
    Tallies tallies{1, io::wall_now(), "1.2.3"};
    Surroundings around{server_->mint(), tallies.of(0), tallies};
    const auto conversation = make_http_conversation(around);
    io::OutBuffer out;
    std::string input;
    closed_ = false;
    taken_ = 0;
    for (const std::string& piece : pieces) {
      if (closed_) break;
      input += piece;
      taken_ += piece.size();
      Moment moment{.wall = wall_, .waited = {}};
      while (!closed_) {
        const Turn turn = conversation->turn(input, out, moment);
        input.erase(0, turn.consumed);
        closed_ = turn.next == Turn::Next::close;
        if (turn.next == Turn::Next::read) break;
        moment.waited = turn.wait;
      }
    }
    return std::string{out.view()};
  }
  std::string ask(const std::string& line, const std::string& headers = {}) {
    return talk({line + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n"});
  }
  static std::string body(const std::string& reply) {
    return reply.substr(reply.find("\r\n\r\n") + 4);
  }
  static std::string status(const std::string& reply) { return reply.substr(9, 3); }

  bool closed_ = false;
  std::size_t taken_ = 0;  ///< bytes of the pieces before it closed
  Instant wall_ =
      io::wall_now();  // the same in a test, so that replies can be compared with their date
  static inline std::unique_ptr<RunningServer> server_;
};

TEST_F(HttpTalk, MintsAsJsonTextAndBytes) {
  const std::string json = ask("POST /v1/spaces/uuid7/ids?count=2");
  EXPECT_EQ(status(json), "200");
  EXPECT_TRUE(contains(json, "Content-Type: application/json\r\n"));
  EXPECT_TRUE(contains(json, "Cache-Control: no-store\r\n"));
  EXPECT_TRUE(body(json).starts_with(R"({"space":"uuid7","scheme":"uuid7","ids":[")"));
  EXPECT_TRUE(body(json).ends_with("\"]}\n"));
  EXPECT_TRUE(contains(json, "Content-Length: " + std::to_string(body(json).size()) + "\r\n"));

  const std::string text = ask("GET /v1/spaces/ulid/ids?count=3&format=text");
  EXPECT_TRUE(contains(text, "Content-Type: text/plain\r\n"));
  EXPECT_EQ(body(text).size(), 3U * 27);
  EXPECT_EQ(std::ranges::count(body(text), '\n'), 3);

  const std::string bytes =
      ask("GET /v1/spaces/snowflake/ids?count=3", "Accept: application/octet-stream\r\n");
  EXPECT_TRUE(contains(bytes, "Content-Type: application/octet-stream\r\n"));
  EXPECT_EQ(body(bytes).size(), 24U);
}

/// Every number that stands in the JSON as such, outside of the texts.
std::vector<std::string> bare_numbers(const std::string& json) {
  std::vector<std::string> numbers;
  bool quoted = false;
  bool in_number = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (quoted && json[i] == '\\')
      ++i;
    else if (json[i] == '"')
      quoted = !quoted;
    const bool digit = !quoted && json[i] >= '0' && json[i] <= '9';
    if (digit && !in_number) numbers.emplace_back();
    if (digit) numbers.back() += json[i];
    in_number = digit;
  }
  return numbers;
}

// oceanbase/powercontext#91: JavaScript reads 653247040368672768 as another number.
TEST_F(HttpTalk, NumbersOf64BitsAreStrings) {
  EXPECT_EQ(bare_numbers(R"({"a":12,"b":"3","c":[45,"\"6"]})"),
            (std::vector<std::string>{"12", "45"}));
  for (const std::string space : {"snowflake", "block", "slow"}) {
    const std::string reply = body(ask("POST /v1/spaces/" + space + "/ids?count=3"));
    EXPECT_TRUE(contains(reply, R"("ids":[")")) << reply;
    EXPECT_EQ(bare_numbers(reply), std::vector<std::string>{}) << reply;
  }
  for (const std::string target :
       {"inspect/653247040368672768", "inspect/18446744073709551615", "inspect/9007199254740993",
        "spaces", "spaces/snowflake", "spaces/block"}) {
    const std::string reply = body(ask("GET /v1/" + target));
    for (const std::string& number : bare_numbers(reply)) {
      EXPECT_LT(number.size(), 16U) << target << ": " << reply;
    }
  }
  EXPECT_TRUE(
      contains(ask("GET /v1/inspect/653247040368672768"), R"("canonical":"653247040368672768")"));
}

TEST_F(HttpTalk, RefusesWrongCounts) {
  for (const std::string count : {"0", "-1", "abc", "1e18", "", "+1", "%20", "1,5"}) {
    const std::string reply = ask("POST /v1/spaces/ulid/ids?count=" + count);
    EXPECT_EQ(status(reply), "400") << count;
    EXPECT_TRUE(contains(reply, R"("code":"InvalidArgument")")) << reply;
    EXPECT_TRUE(contains(reply, "Content-Type: application/problem+json\r\n"));
  }
  for (const std::string count : {"100001", "1000000000000000000", "99999999999999999999999"}) {
    const std::string reply = ask("POST /v1/spaces/ulid/ids?count=" + count);
    EXPECT_EQ(status(reply), "400") << count;
    EXPECT_TRUE(contains(reply, R"("code":"TooMany")"));
  }
  EXPECT_EQ(status(ask("POST /v1/spaces/ulid/ids?count=1&count=2")), "400");
  EXPECT_EQ(status(ask("POST /v1/spaces/ulid/ids?cuont=1")), "400");
  EXPECT_EQ(status(ask("POST /v1/spaces/ulid/ids?format=xml")), "400");
}

TEST_F(HttpTalk, RefusesWhatIsNotThere) {
  const std::string space = ask("POST /v1/spaces/nothing/ids");
  EXPECT_EQ(status(space), "404");
  EXPECT_TRUE(contains(space, R"("code":"UnknownSpace")"));
  EXPECT_EQ(status(ask("GET /v1/spaces/nothing")), "404");
  EXPECT_EQ(status(ask("GET /")), "404");
  EXPECT_EQ(status(ask("GET /v1/spaces/ulid/ids/1")), "404");
  EXPECT_EQ(status(ask("GET /v1/inspect")), "404");
  const std::string strange = ask("POST /v1/spaces/%ff%0d%0a%22/ids");
  EXPECT_EQ(status(strange), "404");
  EXPECT_TRUE(contains(strange, "???"));
  const std::string method = ask("DELETE /v1/spaces/ulid/ids");
  EXPECT_EQ(status(method), "405");
  EXPECT_TRUE(contains(method, "Allow: POST, GET\r\n"));
  EXPECT_TRUE(contains(ask("POST /v1/spaces"), "Allow: GET, HEAD\r\n"));
  EXPECT_EQ(status(ask("GET /v1/spaces/ulid/ids", "Accept: image/png\r\n")), "406");
  EXPECT_EQ(status(ask("GET /v1/inspect/%zz")), "400");
}

TEST_F(HttpTalk, HeadSendsNoBodyAndMakesNoId) {
  const std::string head = ask("HEAD /v1/spaces");
  EXPECT_EQ(status(head), "200");
  EXPECT_EQ(body(head), "");
  EXPECT_FALSE(contains(head, "Content-Length: 0\r\n"));
  EXPECT_EQ(status(ask("HEAD /v1/spaces/ulid/ids")), "405");
}

TEST_F(HttpTalk, MakesNoIdsForPagesOfOtherSites) {
  const std::string path = "/v1/spaces/ulid/ids";
  EXPECT_EQ(status(ask("GET " + path, "Origin: http://evil.example\r\n")), "403");
  EXPECT_EQ(status(ask("GET " + path, "Origin: http://h\r\n")), "403");
  EXPECT_EQ(status(ask("GET " + path, "Sec-Fetch-Site: cross-site\r\n")), "403");
  EXPECT_EQ(status(ask("GET " + path, "Sec-Fetch-Site: none\r\n")), "200");
  EXPECT_EQ(status(ask("POST " + path, "Origin: http://evil.example\r\n")), "403");
  EXPECT_EQ(status(ask("POST " + path, "Origin: null\r\n")), "403");
  EXPECT_EQ(status(ask("POST " + path, "Origin: http://h\r\n")), "200");
  EXPECT_TRUE(contains(ask("GET " + path, "Origin: http://h\r\n"), R"("code":"NotAllowed")"));
}

TEST_F(HttpTalk, DescribesSpacesAndIds) {
  EXPECT_TRUE(contains(ask("GET /v1/spaces"), R"("name":"slow")"));
  EXPECT_TRUE(contains(ask("GET /v1/spaces/block"), R"("scheme":"block")"));
  EXPECT_TRUE(contains(ask("GET /livez"), R"({"live":true})"));
  EXPECT_EQ(status(ask("GET /readyz")), "200");
  EXPECT_TRUE(contains(ask("GET /v1/inspect/01ARZ3NDEKTSV4RRFFQ69G5FAV"), "ulid"));
  EXPECT_EQ(ask("GET /v1/inspect/%301ARZ3NDEKTSV4RRFFQ69G5FAV"),
            ask("GET /v1/inspect/01ARZ3NDEKTSV4RRFFQ69G5FAV"));
  EXPECT_EQ(status(ask("GET /v1/inspect/%3F")), "400");
}

TEST_F(HttpTalk, RefusalsSayWhenToComeBack) {
  const std::string reply = ask("POST /v1/spaces/strict/ids?count=100000");
  EXPECT_EQ(status(reply), "503") << reply;
  EXPECT_TRUE(contains(reply, "Retry-After: ")) << reply;
}

TEST_F(HttpTalk, RefusesWhatIsNotHttp) {
  EXPECT_EQ(status(talk({"hello\r\n\r\n"})), "400");
  EXPECT_TRUE(closed_);
  EXPECT_EQ(status(talk({std::string(20'000, 'x')})), "431");
  EXPECT_TRUE(closed_);
  EXPECT_EQ(status(talk({"GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(20'000, 'x')})), "431");
  EXPECT_EQ(status(talk({"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 70000\r\n\r\n"})), "413");
  EXPECT_EQ(status(talk({"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"})), "400");
  EXPECT_EQ(
      status(talk({"POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"})),
      "400");
  EXPECT_EQ(status(talk({"GET /livez HTTP/1.1\r\n\r\n"})), "400") << "no Host";
  EXPECT_EQ(status(talk({"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"})), "400");
  EXPECT_TRUE(closed_);
}

TEST_F(HttpTalk, RefusesTransferCodingsThatItDoesNotDecode) {
  const std::string smuggled = "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n";
  const struct {
    std::string_view headers;
    std::string_view status;
  } cases[] = {
      {"Transfer-Encoding: gzip\r\n", "501"},
      {"Transfer-Encoding: identity\r\n", "501"},
      {"Transfer-Encoding: xchunked\r\n", "501"},
      {"Transfer-Encoding: chunkedx\r\n", "501"},
      {"Transfer-Encoding: chunked;q=1\r\n", "501"},
      {"Transfer-Encoding: \"chunked\"\r\n", "501"},
      {"Transfer-Encoding: gzip, chunked\r\n", "501"},
      {"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "501"},
      {"Transfer-Encoding: chunked, chunked\r\n", "400"},
      {"Transfer-Encoding: chunked, gzip\r\n", "400"},
      {"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "400"},
      {"Transfer-Encoding: chunked,\r\n", "400"},
      {"Transfer-Encoding: , chunked\r\n", "400"},
      {"Transfer-Encoding:\r\n", "400"},
      {"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "400"},
      {"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "400"},
      {"Transfer-Encoding : chunked\r\n", "400"},
  };
  for (const auto& [headers, expected] : cases) {
    const std::string head = "POST /livez HTTP/1.1\r\nHost: h\r\n" + std::string{headers} + "\r\n";
    for (const std::string& body : {smuggled, "0\r\n\r\n" + smuggled, "zz\r\n" + smuggled}) {
      const std::string whole = talk({head + body});
      EXPECT_EQ(status(whole), expected) << headers << whole;
      EXPECT_TRUE(closed_) << headers;
      EXPECT_FALSE(contains(whole, "live")) << headers << whole;
      EXPECT_EQ(talk({head, body}), whole) << headers;
    }
  }
  EXPECT_EQ(status(talk({"POST /livez HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"})),
            "400");
  EXPECT_TRUE(closed_);
  for (const std::string_view chunked : {"chunked", "CHUNKED", "  chunked\t "}) {
    const std::string reply =
        talk({"POST /nothing HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: " + std::string{chunked} +
              "\r\n\r\n3\r\nabc\r\n0\r\n\r\n" + smuggled});
    EXPECT_EQ(status(reply), "404") << chunked;
    EXPECT_TRUE(contains(reply, R"({"live":true})")) << chunked;
    EXPECT_FALSE(closed_) << chunked;
  }
}

TEST_F(HttpTalk, RefusesFramingThatDoesNotEnd) {
  const std::string head = "POST /livez HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  const struct {
    std::string_view name;
    std::string start;
    std::string again;
  } cases[] = {
      {"an extension", "1;", "a=" + std::string(1021, 'x') + ";"},
      {"an extension a chunk", "", "1;a=" + std::string(1000, 'x') + "\r\nb\r\n"},
      {"a trailer", "0\r\nX: ", std::string(1024, 'x')},
      {"trailers", "0\r\n", "X: " + std::string(1019, 'x') + "\r\n"},
      {"a length", "", std::string(1024, '0')},
  };
  for (const auto& [name, start, again] : cases) {
    std::vector<std::string> pieces{head + start};
    for (int i = 0; i < 1024; ++i) pieces.push_back(again);
    const std::string reply = talk(pieces);
    EXPECT_TRUE(status(reply) == "413" || status(reply) == "431" || status(reply) == "400")
        << name << reply;
    EXPECT_TRUE(closed_) << name;
    EXPECT_LT(taken_, 128U * 1024) << name;
  }
}

TEST_F(HttpTalk, ReadsExtensionsAndTrailersOfAUsualSize) {
  const std::string chunk = "1000;name=value\r\n" + std::string(0x1000, 'b') + "\r\n";
  std::string request = "POST /nothing HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 16; ++i) request += chunk;
  request += "0\r\nX-Sum: " + std::string(1000, '1') + "\r\n\r\n";
  EXPECT_EQ(status(talk({request})), "404");
  EXPECT_FALSE(closed_);
}

TEST_F(HttpTalk, IgnoresAFewEmptyLinesBeforeARequest) {
  const std::string livez = "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string stream = "\r\n" + livez + "\r\n\r\n\r\n\r\n" + livez + "\r\n";
  const std::string expected = talk({livez + livez});
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    ASSERT_EQ(talk({stream.substr(0, i), stream.substr(i)}), expected) << "cut at " << i;
    ASSERT_FALSE(closed_) << "cut at " << i;
  }
  EXPECT_EQ(status(talk({"\r\n\r\n\r\n\r\n\r\n" + livez})), "400") << "no end of them";
  EXPECT_EQ(status(talk({"\r" + livez})), "400");
  EXPECT_EQ(status(talk({"\n" + livez})), "400");
}

TEST_F(HttpTalk, KeepsOrEndsTheConnectionAsAsked) {
  ask("GET /livez");
  EXPECT_FALSE(closed_);
  EXPECT_TRUE(contains(ask("GET /livez", "Connection: close\r\n"), "Connection: close\r\n"));
  EXPECT_TRUE(closed_);
  talk({"GET /livez HTTP/1.0\r\n\r\n"});
  EXPECT_TRUE(closed_);
  EXPECT_TRUE(contains(talk({"GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"}),
                       "Connection: keep-alive\r\n"));
  EXPECT_FALSE(closed_);
}

TEST_F(HttpTalk, AnswersPipelinesTheSameHoweverTheyAreCut) {
  const std::string stream =
      "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n"
      "POST /nothing HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
      "GET /v1/spaces/nothing HTTP/1.1\r\nHost: h\r\n\r\n"
      "POST /livez HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
      "GET /livez HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string expected = talk({stream});
  std::size_t replies = 0;
  std::size_t at = 0;
  for (; (at = expected.find("HTTP/1.1 ", at)) != std::string::npos; ++at) ++replies;
  ASSERT_EQ(replies, 5U) << expected;
  for (std::size_t i = 0; i <= stream.size(); ++i) {
    ASSERT_EQ(talk({stream.substr(0, i), stream.substr(i)}), expected) << "cut at " << i;
  }
}

TEST_F(HttpTalk, WelcomesABodyThatAsks) {
  const std::string reply =
      talk({"POST /v1/spaces/ulid/ids HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n"
            "Expect: 100-continue\r\n\r\n",
            "x"});
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n")) << reply;
}

TEST(HttpTarget, ReadsAcceptHeaders) {
  EXPECT_EQ(format_of_accept(""), IdFormat::json);
  EXPECT_EQ(format_of_accept("*/*"), IdFormat::json);
  EXPECT_EQ(format_of_accept("text/*"), IdFormat::text);
  EXPECT_EQ(format_of_accept("text/plain;q=0.5, application/octet-stream"), IdFormat::binary);
  EXPECT_EQ(format_of_accept("application/json;q=0, */*;q=0.1"), IdFormat::text);
  EXPECT_EQ(format_of_accept("text/html, Application/JSON;q=0.9"), IdFormat::json);
  EXPECT_EQ(format_of_accept("image/png"), std::nullopt);
  EXPECT_EQ(format_of_accept("*/*;q=0.0"), std::nullopt);
}

TEST(HttpTarget, ReadsPathAndQuery) {
  const auto target = parse_target("/a%2Fb/c?x=1&y=%41&z");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, (std::vector<std::string>{"a/b", "c"}));
  ASSERT_EQ(target->query.size(), 3U);
  EXPECT_EQ(target->query[1].value, "A");
  EXPECT_EQ(parse_target("http://h:1/a/b")->path, (std::vector<std::string>{"a", "b"}));
  for (const std::string_view wrong : {"", "*", "a", "/%", "/%4", "/%4g", "/?a=1&a=2"}) {
    EXPECT_FALSE(parse_target(wrong)) << wrong;
  }
}

TEST(HttpReply, WritesDatesOfTheSpecification) {
  // RFC 9110 section 5.6.7.
  EXPECT_EQ(http_date(from_unix_ms(784'111'777'000)), "Sun, 06 Nov 1994 08:49:37 GMT");
}

TEST(Http, ServesCurl) {
  RunningServer server;
  const std::string base = " http://127.0.0.1:" + server.http_port();
  EXPECT_EQ(run("curl -sS -d ''" + base + "/v1/spaces/uuid4/ids?format=text").output.size(), 37U);
  const Ran both = run("curl -sS" + base + "/livez" + base + "/v1/spaces -w '%{num_connects}'");
  EXPECT_EQ(both.code, 0);
  EXPECT_TRUE(both.output.ends_with("0")) << "the connection is used again: " << both.output;
  EXPECT_EQ(run("curl -sS -I -o /dev/null -w '%{http_code}'" + base + "/livez").output, "200");
  EXPECT_EQ(run("curl -sS -o /dev/null -w '%{http_code}'" + base + "/nothing").output, "404");
}

TEST(Http, ServesTheMostIds) {
  RunningServer server;
  const Ran ran = run("curl -sS 'http://127.0.0.1:" + server.http_port() +
                      "/v1/spaces/uuid4/ids?count=100000&format=text' | sort -u | wc -l");
  EXPECT_EQ(ran.output, std::to_string(mint::kMostIds) + "\n");
}

TEST(Http, WaitsForASlowSpace) {
  RunningServer server{{.threads = 1}};
  const Ran ran = run("curl -sS 'http://127.0.0.1:" + server.http_port() +
                      "/v1/spaces/slow/ids?count=2048&format=text' | sort -u | wc -l");
  EXPECT_EQ(ran.output, "2048\n");
}

// RobThree/IdGen#53, ppn-systems/nalix#310: who waited for a full sequence held up everybody. Here the one
// thread of the server answers others meanwhile.
TEST(Http, AWaitForASlowSpaceHoldsUpNobodyElse) {
  RunningServer server{{.threads = 1}};
  const Wire waiting{server.http_port()};
  // 256 IDs in 10 ms: four seconds.
  waiting.send("POST /v1/spaces/slow/ids?count=100000 HTTP/1.1\r\nHost: h\r\n\r\n");
  for (int i = 0; i < 20; ++i) {
    const Wire other{server.http_port()};
    other.send("POST /v1/spaces/ulid/ids HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_TRUE(other.read_all().starts_with("HTTP/1.1 200 ")) << i;
  }
  EXPECT_FALSE(waiting.has_answer()) << "it did not have to wait";
  EXPECT_TRUE(waiting.read(13).starts_with("HTTP/1.1 200 "));
}

TEST(Http, RefusesAnEndlessExtensionOverASocket) {
  RunningServer server;
  const Wire wire{server.http_port()};
  wire.send("POST /livez HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;a=" +
            std::string(1024UL * 1024, 'x'));
  EXPECT_TRUE(wire.read_all().starts_with("HTTP/1.1 413 Content Too Large\r\n"));
}

TEST(Http, ClosesConnectionsThatRest) {
  RunningServer server{{.idle = std::chrono::milliseconds{600}}};
  const Wire wire{server.http_port()};
  wire.send("GET /livez HT");
  EXPECT_TRUE(wire.at_end());
}

}  // namespace
}  // namespace mintmark::server
