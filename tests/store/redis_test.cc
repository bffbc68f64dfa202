#include "store/redis.h"

#include <atomic>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <signal.h>

#include "io/os_clock.h"
#include "redis_server.h"
#include "server_files.h"
#include "tests/store/key_value_contract.h"

namespace mintmark::store {
namespace {

using Opened = std::unique_ptr<KeyValue>;

BootInstant in(std::chrono::milliseconds time) { return io::os_clock().boot() + time; }
BootInstant ample() { return in(std::chrono::minutes{1}); }

Outcome<Opened> connected(const std::string& url, Unsafe unsafe = Unsafe::refuse,
                          BootInstant deadline = ample()) {
  const auto parsed = io::parse_service_url(url);
  if (!parsed) return failure(Fault::invalid_argument, parsed.error());
  return connect_redis(*parsed, unsafe, deadline);
}

Opened opened(const std::string& url, Unsafe unsafe = Unsafe::refuse) {
  auto store = connected(url, unsafe);
  if (!store) ADD_FAILURE() << store.error().detail;
  return store ? std::move(*store) : nullptr;
}

/// "<fault>: <detail>", or "none".
template <class T>
std::string words_of(const Outcome<T>& outcome) {
  if (outcome) return "none";
  return std::string{outcome.error().error.row().name} + ": " + outcome.error().detail;
}

const Key kKey{"marks", "a"};

Outcome<bool> put(KeyValue& store, std::string value, BootInstant deadline = ample()) {
  const std::vector<Change> changes{{kKey, std::move(value)}};
  return store.write({}, changes, deadline);
}
std::string get(KeyValue& store) {
  const auto reading = store.read({&kKey, 1}, ample());
  if (!reading) return words_of(reading);
  return reading->kept.front() ? reading->kept.front()->value : "nothing";
}

struct RedisEngine {
  static RedisServer& server() {
    static RedisServer one;
    return one;
  }
  Outcome<Opened> open(BootInstant deadline) const {
    return connected(server().url("prefix=" + prefix_), Unsafe::refuse, deadline);
  }
  void pause() const { server().signal(SIGSTOP); }
  void resume() const { server().signal(SIGCONT); }

 private:
  static std::string next_prefix() {
    static std::atomic<int> count = 0;
    return "test:" + std::to_string(++count);
  }
  std::string prefix_ = next_prefix();
};
INSTANTIATE_TYPED_TEST_SUITE_P(Redis, KeyValueContract, RedisEngine);

TEST(Redis, RefusesEachUnsafeSettingByName) {
  const RedisServer server;
  const auto words_with = [&](const std::string& name, const std::string& value,
                              const std::string& back) {
    EXPECT_EQ(server.ask({"CONFIG", "SET", name, value}), "OK");
    const std::string words = words_of(connected(server.url()));
    EXPECT_EQ(server.ask({"CONFIG", "SET", name, back}), "OK");
    return words;
  };
  const std::string where = "UnsafeStoreConfig: redis:" + server.socket() + ": ";
  EXPECT_EQ(words_with("appendonly", "no", "yes"), where + "appendonly: found no, wanted yes");
  EXPECT_EQ(words_with("appendfsync", "everysec", "always"),
            where + "appendfsync: found everysec, wanted always");
  EXPECT_EQ(words_with("no-appendfsync-on-rewrite", "yes", "no"),
            where + "no-appendfsync-on-rewrite: found yes, wanted no");
  EXPECT_EQ(words_with("maxmemory-policy", "allkeys-lru", "noeviction"),
            where + "maxmemory-policy: found allkeys-lru, wanted noeviction");
  EXPECT_TRUE(connected(server.url()));
}

TEST(Redis, RefusesDebiansDefaultsUnlessTheyAreAllowed) {
  const RedisServer server{{}};
  EXPECT_EQ(words_of(connected(server.url())),
            "UnsafeStoreConfig: redis:" + server.socket() +
                ": appendonly: found no, wanted yes; appendfsync: found everysec, wanted always");
  const Opened store = opened(server.url(), Unsafe::allow);
  ASSERT_TRUE(store);
  const auto identity = store->identity(ample());
  ASSERT_TRUE(identity) << words_of(identity);
  EXPECT_EQ(identity->unsafe,
            (std::vector<std::string>{"appendonly: found no, wanted yes",
                                      "appendfsync: found everysec, wanted always"}));
  EXPECT_EQ(words_of(put(*store, "1")), "none");
}

TEST(Redis, CountsASettingThatItMayNotReadAsOff) {
  const RedisServer server;
  EXPECT_EQ(server.ask({"ACL", "SETUSER", "app", "on", ">p", "~*", "+@all", "-config"}), "OK");
  const std::string words = words_of(connected("redis://app:p@/0?host=" + server.socket()));
  EXPECT_TRUE(words.starts_with("UnsafeStoreConfig: ")) << words;
  EXPECT_TRUE(words.contains("appendfsync: it cannot be read (NOPERM ")) << words;
  EXPECT_TRUE(words.contains("wanted always")) << words;
}

TEST(Redis, RefusesACluster) {
  auto settings = RedisServer::safe();
  settings.emplace_back("cluster-enabled yes");
  settings.push_back("cluster-port " + std::to_string(free_port()));
  const RedisServer server{settings, RedisListen::tcp};
  const std::string url = "redis://127.0.0.1:" + std::to_string(server.port());
  for (const Unsafe unsafe : {Unsafe::refuse, Unsafe::allow}) {
    const std::string words = words_of(connected(url, unsafe));
    EXPECT_TRUE(words.starts_with("UnsafeStoreConfig: " + url + ": cluster_enabled: found 1"))
        << words;
  }
}

TEST(Redis, WaitsForAllReplicas) {
  const RedisServer server{RedisServer::safe(), RedisListen::tcp};
  const std::string words = "replicaof 127.0.0.1 " + std::to_string(server.port());
  RedisServer replica{{words}};
  for (int tries = 0; !server.ask({"INFO", "replication"}).contains("state=online"); ++tries) {
    ASSERT_LT(tries, 600);
    fleet::rest(std::chrono::milliseconds{100});
  }
  EXPECT_TRUE(
      words_of(connected(server.url()))
          .ends_with(": min-replicas-to-write: found 0, wanted 1 or more, for it has replicas"));
  EXPECT_EQ(server.ask({"CONFIG", "SET", "min-replicas-to-write", "1"}), "OK");
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(replica.ask({"HGET", "mintmark:marks", "a"}), "1");
  EXPECT_TRUE(words_of(connected(replica.url(), Unsafe::allow)).starts_with("IncarnationChanged: "))
      << words_of(connected(replica.url(), Unsafe::allow));

  replica.signal(SIGSTOP);
  const std::string late = words_of(put(*store, "2", in(std::chrono::milliseconds{300})));
  EXPECT_TRUE(late.starts_with("OutcomeUnknown: ")) << late;
  replica.signal(SIGCONT);
  EXPECT_EQ(words_of(put(*store, "3")), "none");
  EXPECT_EQ(replica.ask({"HGET", "mintmark:marks", "a"}), "3");

  // Too few of them: Redis refuses before it writes.
  replica.kill();
  std::string refused;
  for (int tries = 0; tries < 100 && !refused.starts_with("StoreUnavailable: "); ++tries) {
    refused = words_of(put(*store, "4"));
    fleet::rest(std::chrono::milliseconds{50});
  }
  EXPECT_TRUE(refused.contains("NOREPLICAS")) << refused;
}

TEST(Redis, DoesNotKnowWhatBecameOfALateWrite) {
  RedisServer server;
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  server.signal(SIGSTOP);
  const std::string late = words_of(put(*store, "2", in(std::chrono::milliseconds{300})));
  EXPECT_TRUE(late.starts_with("OutcomeUnknown: redis:" + server.socket() + ": EVALSHA: ")) << late;
  EXPECT_TRUE(late.contains("no answer in time")) << late;
  // No connection: definite.
  const std::string none = words_of(put(*store, "3", in(std::chrono::milliseconds{300})));
  EXPECT_TRUE(none.starts_with("StoreUnavailable: ")) << none;
  server.signal(SIGCONT);
  EXPECT_EQ(get(*store), "2");
  EXPECT_EQ(words_of(put(*store, "4")), "none");

  server.kill();
  EXPECT_TRUE(words_of(put(*store, "5")).starts_with("OutcomeUnknown: "));
  EXPECT_TRUE(words_of(put(*store, "5")).starts_with("StoreUnavailable: "));
}

TEST(Redis, KnowsAnotherIncarnationAndItsOwnWritesAgain) {
  RedisServer server;
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  server.kill();
  server.start();
  EXPECT_TRUE(get(*store).starts_with("StoreUnavailable: "));
  const std::string changed = words_of(put(*store, "2"));
  EXPECT_TRUE(changed.starts_with("IncarnationChanged: ")) << changed;
  EXPECT_TRUE(changed.contains("run_id/master_replid: found ")) << changed;
  EXPECT_TRUE(words_of(store->identity(ample())).starts_with("IncarnationChanged: "));
  // The AOF has it, and whoever opens the store anew finds it.
  const Opened again = opened(server.url());
  ASSERT_TRUE(again);
  EXPECT_EQ(get(*again), "1");
  EXPECT_EQ(again->identity(ample())->progress, 1U);
}

TEST(Redis, NoticesThatTheServerHasForgotten) {
  const RedisServer server;
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(words_of(put(*store, "2")), "none");
  EXPECT_EQ(server.ask({"FLUSHALL"}), "OK");
  const std::string words = words_of(put(*store, "3"));
  EXPECT_TRUE(words.starts_with("StoreRegressed: ")) << words;
  EXPECT_TRUE(words.ends_with("it counts 0 writes, and had counted 2")) << words;
  EXPECT_EQ(server.ask({"DBSIZE"}), "0");
  EXPECT_TRUE(words_of(store->identity(ample())).starts_with("StoreRegressed: "));
}

TEST(Redis, NoticesThatTheServerFollowsAnotherNow) {
  const RedisServer other{RedisServer::safe(), RedisListen::tcp};
  const RedisServer server;
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(server.ask({"REPLICAOF", "127.0.0.1", std::to_string(other.port())}), "OK");
  EXPECT_TRUE(words_of(put(*store, "2")).starts_with("IncarnationChanged: "));
  // What it holds afterwards is the other's.
  for (int tries = 0; !server.ask({"INFO", "replication"}).contains("link_status:up"); ++tries) {
    ASSERT_LT(tries, 600);
    fleet::rest(std::chrono::milliseconds{100});
  }
  EXPECT_EQ(server.ask({"REPLICAOF", "NO", "ONE"}), "OK");
  EXPECT_TRUE(words_of(put(*store, "3")).starts_with("IncarnationChanged: "));
}

TEST(Redis, RefusesKeysThatExpireOrAreNotItsOwn) {
  const RedisServer server;
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(server.ask({"EXPIRE", "mintmark:marks", "1000"}), "1");
  const std::string words = words_of(put(*store, "2"));
  EXPECT_TRUE(words.starts_with("UnsafeStoreConfig: ")) << words;
  EXPECT_TRUE(words.contains("mintmark:marks has a time to live")) << words;
  EXPECT_EQ(get(*store), "1");
  EXPECT_EQ(server.ask({"PERSIST", "mintmark:marks"}), "1");
  EXPECT_EQ(words_of(put(*store, "2")), "none");

  EXPECT_EQ(server.ask({"SET", "mintmark:elsewhere", "x"}), "OK");
  const std::vector<Change> changes{{kKey, "3"}, {{"elsewhere", "a"}, "3"}};
  const std::string kind = words_of(store->write({}, changes, ample()));
  EXPECT_TRUE(kind.starts_with("StoreUnavailable: ")) << kind;
  EXPECT_TRUE(kind.contains("mintmark:elsewhere is not one of this store: it is string")) << kind;
  EXPECT_EQ(get(*store), "2");
}

TEST(Redis, GivesTheScriptAgainToAServerThatHasForgottenIt) {
  const RedisServer server;
  const Opened store = opened(server.url());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(server.ask({"SCRIPT", "FLUSH"}), "OK");
  EXPECT_EQ(words_of(put(*store, "2")), "none");
  EXPECT_EQ(get(*store), "2");
  // The counter beside the folders counts them.
  EXPECT_EQ(server.ask({"GET", "mintmark:.writes"}), "2");
}

TEST(Redis, TellsErrorsThatProveNothingWasWritten) {
  const RedisServer server;
  EXPECT_EQ(server.ask({"ACL", "SETUSER", "app", "on", ">p", "~*", "+@all"}), "OK");
  const Opened store = opened("redis://app:p@/0?host=" + server.socket());
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(server.ask({"CONFIG", "SET", "maxmemory", "1"}), "OK");
  const std::string full = words_of(put(*store, "2"));
  EXPECT_TRUE(full.starts_with("StoreUnavailable: ")) << full;
  EXPECT_TRUE(full.contains("OOM ")) << full;
  EXPECT_EQ(server.ask({"CONFIG", "SET", "maxmemory", "0"}), "OK");
  EXPECT_EQ(server.ask({"GET", "mintmark:.writes"}), "1");

  EXPECT_EQ(server.ask({"ACL", "SETUSER", "app", "-evalsha"}), "OK");
  EXPECT_TRUE(words_of(put(*store, "2")).starts_with("StoreUnavailable: "));
  // Inside the script it may come behind the first change.
  EXPECT_EQ(server.ask({"ACL", "SETUSER", "app", "+evalsha", "-hset"}), "OK");
  const std::string inside = words_of(put(*store, "2"));
  EXPECT_TRUE(inside.starts_with("OutcomeUnknown: ")) << inside;
  EXPECT_EQ(get(*store), "1");
}

TEST(Redis, ComesAsTheUserOfItsUrlOrEnvironment) {
  auto settings = RedisServer::safe();
  settings.emplace_back("requirepass top:secret");
  settings.emplace_back("databases 4");
  const RedisServer server{settings, RedisListen::tcp};
  const std::string place = "127.0.0.1:" + std::to_string(server.port());
  EXPECT_TRUE(opened("redis://:top%3Asecret@" + place));
  EXPECT_TRUE(opened("redis://default:top%3Asecret@" + place + "/3"));
  for (const std::string who : {":wrong-one@", "nobody:wrong-one@"}) {
    const std::string words = words_of(connected("redis://" + who + place));
    EXPECT_TRUE(words.starts_with("StoreUnavailable: redis://" + place + ": AUTH: WRONGPASS "))
        << words;
    EXPECT_FALSE(words.contains("wrong-one")) << words;
  }
  EXPECT_TRUE(words_of(connected("redis://" + place)).contains(": SELECT: NOAUTH "));
  ::setenv("REDISCLI_AUTH", "top:secret", 1);
  EXPECT_TRUE(opened("redis://" + place));
  ::unsetenv("REDISCLI_AUTH");
  const std::string words = words_of(connected("redis://:top%3Asecret@" + place + "/4"));
  EXPECT_TRUE(words.contains("/4: SELECT: ERR DB index is out of range")) << words;
}

TEST(Redis, KeepsDatabasesAndPrefixesApart) {
  const RedisServer server;
  const std::string socket = "host=" + server.socket();
  const Opened first = opened("redis:///0?" + socket);
  const Opened second = opened("redis:///1?" + socket);
  const Opened third = opened("redis:///1?" + socket + "&prefix=shop:ids");
  ASSERT_TRUE(first && second && third);
  EXPECT_EQ(words_of(put(*first, "1")), "none");
  EXPECT_EQ(words_of(put(*second, "2")), "none");
  EXPECT_EQ(words_of(put(*third, "3")), "none");
  EXPECT_EQ(get(*first) + get(*second) + get(*third), "123");
  EXPECT_EQ(server.ask({"-n", "1", "HGET", "shop:ids:marks", "a"}), "3");
}

TEST(Redis, SpeaksTls) {
  ServerFiles files{"root"};
  files.make_certificate();
  auto settings = RedisServer::safe();
  for (const std::string& line :
       {"tls-cert-file " + files.certificate(), "tls-key-file " + files.key(),
        "tls-ca-cert-file " + files.certificate()}) {
    settings.push_back(line);
  }
  const RedisServer server{settings, RedisListen::tls};
  const std::string url = "rediss://127.0.0.1:" + std::to_string(server.port()) + "/0";
  const std::string own = "sslcert=" + files.certificate() + "&sslkey=" + files.key();
  const std::string root = "sslrootcert=" + files.certificate();
  const Opened store = opened(url + "?" + own + "&" + root);
  ASSERT_TRUE(store);
  EXPECT_EQ(words_of(put(*store, "1")), "none");
  EXPECT_EQ(get(*store), "1");
  EXPECT_TRUE(opened(url + "?sslmode=require&" + own));
  const std::string unproven = words_of(connected(url + "?" + own));
  EXPECT_TRUE(unproven.starts_with("StoreUnavailable: ")) << unproven;
  EXPECT_TRUE(unproven.contains("certificate verify failed")) << unproven;
  const std::string nobody = words_of(connected(url + "?" + root));
  // Its reason is lost if it closes the connection before it has read what came behind the handshake.
  EXPECT_TRUE(nobody.contains("certificate required") || nobody.contains("has ended")) << nobody;
}

TEST(Redis, TakesNothingElseForARedis) {
  const TempFolder folder;
  const int port = free_port();
  const fleet::Process server{{"openssl", "s_server", "-nocert", "-accept", std::to_string(port)},
                              folder / "log"};
  std::string words;
  for (int tries = 0; tries < 200; ++tries) {
    words = words_of(connected("redis://127.0.0.1:" + std::to_string(port)));
    if (!words.contains("refused")) break;
    fleet::rest(std::chrono::milliseconds{20});
  }
  EXPECT_TRUE(words.starts_with("StoreUnavailable: ")) << words;
  EXPECT_TRUE(words.contains("the answer is not RESP") || words.contains("has ended")) << words;
}

}  // namespace
}  // namespace mintmark::store
