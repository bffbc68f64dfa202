#include "store/etcd.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/etcd_server.h"
#include "tests/server_files.h"
#include "tests/store/etcd_handle.h"
#include "tests/store/key_value_contract.h"

namespace mintmark::store {
namespace {

/// One server for all tests of a program that do it no lasting harm.
EtcdServer& shared_server() {
  static EtcdServer server;
  return server;
}
std::string fresh_prefix() {
  static int count = 0;
  return "test/" + std::to_string(++count);
}
io::ServiceUrl fresh_url() { return shared_server().url(fresh_prefix()); }

class EtcdEngine {
 public:
  Outcome<std::unique_ptr<KeyValue>> open(BootInstant deadline) {
    return connect_etcd(url_, Unsafe::refuse, deadline);
  }
  void pause() { shared_server().signal(SIGSTOP); }
  void resume() { shared_server().signal(SIGCONT); }

 private:
  io::ServiceUrl url_ = fresh_url();
};

INSTANTIATE_TYPED_TEST_SUITE_P(Etcd, KeyValueContract, EtcdEngine);

TEST(Etcd, SaysTheClusterAsItsLogDoes) {
  const auto store = open_etcd(fresh_url());
  const auto identity = store->identity(soon());
  ASSERT_TRUE(identity.has_value());
  EXPECT_EQ(identity->engine, "etcd");
  // "cluster_id":1234 of JSON is decimal; members and logs write it in hexadecimal.
  const auto reply = shared_server().ctl({"endpoint", "status", "-w", "fields"});
  const auto number = std::stoull(identity->ident, nullptr, 16);
  EXPECT_TRUE(reply.out.contains("\"ClusterID\" : " + std::to_string(number))) << reply.out;
  ASSERT_TRUE(identity->now.has_value());
  EXPECT_EQ(identity->now->time_since_epoch() % std::chrono::seconds{1}, Duration{0});
  EXPECT_LE(*identity->now, io::os_clock().wall());
}

TEST(Etcd, KeepsKeysUnderItsPrefix) {
  const auto url = fresh_url();
  const auto store = open_etcd(url);
  EXPECT_TRUE(put(*store, {"slots", "7"}, "a"));
  const auto reply = shared_server().ctl({"get", url.path + "/slots/7", "--print-value-only"});
  EXPECT_EQ(reply.out, "a\n");
  EXPECT_EQ(value(*open_etcd(fresh_url()), {"slots", "7"}), "nothing");
}

TEST(Etcd, ListsAFolderOfThousandsInPages) {
  const auto store = open_etcd(fresh_url());
  std::map<std::string, std::string> all;
  constexpr std::size_t kNames = 65'536;
  const std::size_t most = store->most_changes();
  for (std::size_t first = 0; first < kNames; first += most) {
    std::vector<Change> changes;
    for (std::size_t i = first; i < std::min(first + most, kNames); ++i) {
      changes.push_back({{"slots", std::to_string(i)}, std::to_string(i * 7)});
      all.emplace(changes.back().key.name, *changes.back().value);
    }
    ASSERT_TRUE(store->write({}, changes, soon()).value_or(false));
  }
  const auto listed = store->list("slots", soon());
  ASSERT_TRUE(listed.has_value()) << listed.error().detail;
  EXPECT_EQ(listed->size(), kNames);
  EXPECT_TRUE((std::map<std::string, std::string>{listed->begin(), listed->end()}) == all);
}

TEST(Etcd, ListsAFolderOfLargeValues) {
  const auto store = open_etcd(fresh_url());
  const std::string large(500'000, 'x');
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(put(*store, {"large", std::to_string(i)}, large));
  const auto listed = store->list("large", soon());
  ASSERT_TRUE(listed.has_value()) << listed.error().detail;
  EXPECT_EQ(listed->size(), 20U);
}

TEST(Etcd, ReadsMoreKeysThanOneTxnTakes) {
  const auto store = open_etcd(fresh_url());
  std::vector<Key> keys;
  for (int i = 0; i < 300; ++i) keys.push_back({"slots", std::to_string(i)});
  EXPECT_TRUE(put(*store, keys[299], "last"));
  const auto reading = store->read(keys, soon());
  ASSERT_TRUE(reading.has_value()) << reading.error().detail;
  ASSERT_EQ(reading->kept.size(), 300U);
  EXPECT_EQ(reading->kept[299].value_or(Kept{}).value, "last");
  EXPECT_FALSE(reading->kept[298].has_value());
}

TEST(Etcd, TellsARemadeKeyWithTheSameValueFromTheOldOne) {
  const auto store = open_etcd(fresh_url());
  const Key key{"folder", "name"};
  EXPECT_TRUE(put(*store, key, "a"));
  const auto first = get(*store, key);
  EXPECT_TRUE(store->write({}, std::vector<Change>{{key, std::nullopt}}, soon()).value_or(false));
  EXPECT_TRUE(put(*store, key, "a"));
  const std::vector<Change> change{{key, "b"}};
  EXPECT_FALSE(store->write(std::vector<Condition>{{key, first}}, change, soon()).value_or(true));
  EXPECT_TRUE(store->write(std::vector<Condition>{{key, get(*store, key)}}, change, soon())
                  .value_or(false));
}

TEST(Etcd, GoesOnAfterARefusalThatProvesNothingWasWritten) {
  const auto store = open_etcd(fresh_url());
  const std::vector<Change> large{{{"folder", "name"}, std::string(2'000'000, 'x')}};
  expect_fault(store->write({}, large, soon()), Fault::store_unavailable, "too large");
  EXPECT_EQ(value(*store, {"folder", "name"}), "nothing");
}

/// Users root and mint; the one may write below mint/ alone.
void enable_users(const EtcdServer& server, const std::string& password) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"user", "add", "root:secret"},
           {"role", "add", "root"},
           {"user", "grant-role", "root", "root"},
           {"user", "add", "mint:" + password},
           {"role", "add", "writer"},
           {"role", "grant-permission", "writer", "readwrite", "mint/", "mint0"},
           {"user", "grant-role", "mint", "writer"},
           {"auth", "enable"}}) {
    const auto reply = server.ctl(words);
    EXPECT_EQ(reply.code, 0) << reply.out;
  }
}

TEST(EtcdUsers, LogsInAndAgainWhenTheLoginIsOver) {
  const EtcdServer server;
  const std::string password = "a \"b\"\\ä:@";
  enable_users(server, password);
  auto url = server.url("mint");
  expect_fault(connect_etcd(url, Unsafe::refuse, soon()), Fault::store_unavailable,
               "user name is empty");
  url.user = "mint";
  url.password = "wrong-word";
  const auto refused = connect_etcd(url, Unsafe::refuse, soon());
  expect_fault(refused, Fault::store_unavailable, "invalid user ID or password");
  EXPECT_FALSE(refused.error().detail.contains("wrong-word"));
  url.password = password;
  const auto store = open_etcd(url);
  EXPECT_TRUE(put(*store, {"slots", "0"}, "a"));
  // Without users there are no logins, and those from before do not come back.
  EXPECT_EQ(server.ctl({"--user=root:secret", "auth", "disable"}).code, 0);
  EXPECT_EQ(server.ctl({"auth", "enable"}).code, 0);
  EXPECT_TRUE(put(*store, {"slots", "0"}, "b"));
  EXPECT_EQ(value(*store, {"slots", "0"}), "b");
  url.path = "other";
  expect_fault(connect_etcd(url, Unsafe::refuse, soon()), Fault::store_unavailable,
               "permission denied");
  url.path = "mint";
  url.password.reset();
  expect_fault(connect_etcd(url, Unsafe::refuse, soon()), Fault::invalid_argument, "ETCD_PASSWORD");
  ::setenv("ETCD_PASSWORD", password.c_str(), 1);
  EXPECT_EQ(value(*open_etcd(url), {"slots", "0"}), "b");
  ::unsetenv("ETCD_PASSWORD");
}

TEST(EtcdTls, ComesOverTls) {
  ServerFiles files{"nobody"};
  files.make_certificate();
  const EtcdServer server{{.certificate = files.certificate(), .key = files.key()}};
  auto url = server.url();
  expect_fault(connect_etcd(url, Unsafe::refuse, soon()), Fault::store_unavailable, "certificate");
  url.parameters = {{"sslrootcert", files.certificate()}};
  const auto store = open_etcd(url);
  EXPECT_TRUE(put(*store, {"slots", "0"}, "a"));
  EXPECT_EQ(value(*store, {"slots", "0"}), "a");
  url.parameters = {{"sslmode", "require"}};
  EXPECT_EQ(value(*open_etcd(url), {"slots", "0"}), "a");
  url.scheme = "etcd";
  url.parameters.clear();
  expect_fault(connect_etcd(url, Unsafe::refuse, soon()), Fault::store_unavailable);
}

TEST(EtcdUrl, SaysWhatIsWrong) {
  io::ServiceUrl url;
  url.scheme = "etcd";
  EXPECT_TRUE(check_etcd_url(url).has_value());
  const auto wrong = [&](auto change, const std::string& words) {
    io::ServiceUrl other = url;
    change(other);
    expect_fault(check_etcd_url(other), Fault::invalid_argument, words);
  };
  wrong([](auto& u) { u.scheme = "http"; }, "etcd://");
  wrong([](auto& u) { u.path = "/a"; }, "path");
  wrong([](auto& u) { u.path = "a/"; }, "path");
  wrong([](auto& u) { u.path = "a//b"; }, "path");
  wrong([](auto& u) { u.password = "word"; }, "a user");
  wrong([](auto& u) { u.user = ""; }, "user");
  wrong([](auto& u) { u.hosts = {{"/run/etcd", {}}}; }, "name or address");
  wrong([](auto& u) { u.parameters = {{"sslmode", "require"}}; }, "etcds://");
  wrong([](auto& u) { u.parameters = {{"timeout", "1"}}; }, "timeout: no such parameter");
  url.scheme = "etcds";
  EXPECT_TRUE(check_etcd_url(url).has_value());
  wrong([](auto& u) { u.parameters = {{"sslmode", "prefer"}}; }, "verify-full or require");
  wrong([](auto& u) { u.parameters = {{"sslcert", "a"}}; }, "together");
}

}  // namespace
}  // namespace mintmark::store
