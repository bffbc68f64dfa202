// The ZooKeeper engine against a real server: the contract, and what is its own.

#include "store/zookeeper.h"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "store/zookeeper_session.h"
#include "tests/store/key_value_contract.h"
#include "tests/zookeeper_server.h"

namespace mintmark::store {
namespace {

/// tcpmux, which nobody serves.
constexpr std::uint16_t kNobodysPort = 1;

BootInstant within(Duration length) { return io::os_clock().boot() + length; }
BootInstant soon() { return within(std::chrono::seconds{60}); }

io::ServiceUrl url_of(const ZookeeperServer& server, std::string root) {
  io::ServiceUrl url;
  url.scheme = "zookeeper";
  url.hosts = {{"127.0.0.1", static_cast<std::uint16_t>(server.port())}};
  url.path = std::move(root);
  return url;
}

std::string fresh_root() {
  static std::atomic<int> count{0};
  return "tests/store-" + std::to_string(++count);
}

class ZookeeperEngine {
 public:
  Outcome<std::unique_ptr<KeyValue>> open(BootInstant deadline) {
    return connect_zookeeper(url_of(server_, root_), Unsafe::refuse, deadline);
  }
  void pause() { server_.pause(); }
  void resume() { server_.resume(); }

 private:
  ZookeeperServer& server_ = ZookeeperServer::shared();
  std::string root_ = fresh_root();
};

}  // namespace

INSTANTIATE_TYPED_TEST_SUITE_P(Zookeeper, KeyValueContract, ZookeeperEngine);

namespace {

/// A store of its own for each test, and a second hand on the server's nodes.
class ZookeeperStore : public ::testing::Test {
 protected:
  std::unique_ptr<KeyValue> open() { return open(url()); }
  static std::unique_ptr<KeyValue> open(const io::ServiceUrl& url) {
    auto opened = connect_zookeeper(url, Unsafe::refuse, soon());
    if (!opened) {
      ADD_FAILURE() << opened.error().detail;
      return nullptr;
    }
    return std::move(*opened);
  }
  [[nodiscard]] io::ServiceUrl url() const { return url_of(server_, root_); }

  Outcome<bool> put(KeyValue& store, std::string value, BootInstant deadline = soon()) {
    const std::vector<Change> changes{{key_, std::move(value)}};
    return store.write({}, changes, deadline);
  }
  std::string value(KeyValue& store) {
    const auto reading = store.read(std::vector{key_}, soon());
    if (!reading) ADD_FAILURE() << reading.error().detail;
    return reading && reading->kept[0] ? reading->kept[0]->value : "";
  }
  template <class T>
  static void expect_fault(const Outcome<T>& outcome, Fault fault, std::string_view words = "") {
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().error.row().name, row_of(fault).name) << outcome.error().detail;
    EXPECT_TRUE(outcome.error().detail.contains(words)) << outcome.error().detail;
  }

  void remove_root() {
    auto session =
        ZookeeperSession::open("127.0.0.1:" + std::to_string(server_.port()), {}, "raw", soon());
    ASSERT_TRUE(session.has_value()) << session.error().detail;
    remove(**session, "/" + root_);
  }
  static void remove(ZookeeperSession& session, const std::string& path) {
    ZookeeperRequests look{session};
    look.children(path);
    const std::vector<ZookeeperReply> found = look.wait(soon());
    for (const std::string& name : found.front().children) {
      remove(session, path + "/" + name);
    }
    zoo_op_t operation;
    zookeeper_library().delete_op(&operation, path.c_str(), -1);
    ZookeeperRequests removal{session};
    removal.multi({&operation, 1});
    EXPECT_EQ(removal.wait(soon()).front().code, ZOK) << path;
  }

  ZookeeperServer& server_ = ZookeeperServer::shared();
  const std::string root_ = fresh_root();
  const Key key_{"folder", "name"};
};

TEST(ZookeeperUrl, ChecksItsParts) {
  io::ServiceUrl good;
  good.scheme = "zookeeper";
  good.hosts = {{"one", 2181}, {"two", std::nullopt}};
  const auto refused = [&](auto change) {
    io::ServiceUrl url = good;
    change(url);
    const auto checked = check_zookeeper_url(url);
    return !checked && checked.error().error.fault() == Fault::invalid_argument &&
           !checked.error().detail.contains("secret");
  };
  using Url = io::ServiceUrl;
  EXPECT_FALSE(refused([](Url&) {}));
  EXPECT_FALSE(refused([](Url& url) { url.path = "ids/mint-1"; }));
  EXPECT_FALSE(refused([](Url& url) { url.user = "u", url.password = "secret:"; }));
  EXPECT_TRUE(refused([](Url& url) { url.hosts.clear(); }));
  EXPECT_TRUE(refused([](Url& url) { url.hosts[0].host = "a,b"; }));
  EXPECT_TRUE(refused([](Url& url) { url.hosts[0].host = "a/b"; }));
  EXPECT_TRUE(refused([](Url& url) { url.parameters = {{"tls", "secret"}}; }));
  EXPECT_TRUE(refused([](Url& url) { url.user = "u"; }));
  EXPECT_TRUE(refused([](Url& url) { url.password = "secret"; }));
  EXPECT_TRUE(refused([](Url& url) { url.user = "u:v", url.password = "secret"; }));
  for (const std::string path :
       {"/a", "a/", "a//b", ".", "a/..", "a b", "a\n", "\xc3\xa4", "zookeeper", "zookeeper/a"}) {
    EXPECT_TRUE(refused([&](Url& url) { url.path = path; })) << path;
  }
  EXPECT_TRUE(refused([](Url& url) { url.path.assign(256, 'a'); }));
  EXPECT_FALSE(refused([](Url& url) { url.path.assign(255, 'a'); }));
}

TEST_F(ZookeeperStore, SaysWhereNobodyListens) {
  io::ServiceUrl nowhere = url();
  nowhere.hosts[0].port = kNobodysPort;
  expect_fault(connect_zookeeper(nowhere, Unsafe::refuse, within(std::chrono::milliseconds{300})),
               Fault::store_unavailable, "127.0.0.1:");
  nowhere.hosts[0].host = "nowhere.invalid";
  expect_fault(connect_zookeeper(nowhere, Unsafe::refuse, within(std::chrono::milliseconds{300})),
               Fault::store_unavailable, "nowhere.invalid");
}

TEST_F(ZookeeperStore, FindsTheServerThatIsThere) {
  io::ServiceUrl both = url();
  both.hosts.insert(both.hosts.begin(), {"127.0.0.1", kNobodysPort});
  auto store = open(both);
  EXPECT_TRUE(put(*store, "a").has_value());
  io::ServiceUrl wide = url();
  wide.hosts[0].host = "::ffff:127.0.0.1";
  EXPECT_EQ(value(*open(wide)), "a");
}

// Nobody can tell when the server stands still within a write; so it stands still at some time of many.
TEST_F(ZookeeperStore, LeavesAnOutcomeOpen) {
  auto store = open();
  ASSERT_TRUE(put(*store, "0").has_value());
  std::string last = "0";
  for (int round = 0, next = 1; round < 50; ++round) {
    std::jthread stopper{[&] {
      fleet::rest(std::chrono::milliseconds{5 + round});
      server_.signal(SIGSTOP);
    }};
    Outcome<bool> written = true;
    for (; written; ++next) {
      written = put(*store, std::to_string(next), within(std::chrono::milliseconds{200}));
      if (written) last = std::to_string(next);
    }
    stopper.join();
    server_.signal(SIGCONT);
    const std::string tried = std::to_string(next - 1);
    const std::string now = value(*store);
    if (written.error().error.fault() == Fault::outcome_unknown) {
      EXPECT_TRUE(now == last || now == tried) << now;
      return;
    }
    expect_fault(written, Fault::store_unavailable);
    EXPECT_EQ(now, last);
  }
  FAIL() << "no write was under way when the server stood still";
}

TEST_F(ZookeeperStore, GoesOnWithTheDataAfterAKill) {
  auto store = open();
  ASSERT_TRUE(put(*store, "a").has_value());
  const auto before = store->identity(soon());
  ASSERT_TRUE(before.has_value());
  server_.kill();
  expect_fault(put(*store, "b", within(std::chrono::milliseconds{300})), Fault::store_unavailable);
  expect_fault(store->list("folder", within(std::chrono::milliseconds{300})),
               Fault::store_unavailable);
  server_.start();
  EXPECT_EQ(value(*store), "a");
  const auto after = store->identity(soon());
  ASSERT_TRUE(after.has_value());
  EXPECT_EQ(after->ident, before->ident);
  EXPECT_GT(after->progress, before->progress);
}

TEST_F(ZookeeperStore, TakesANewSessionAfterARestartThatItSlept) {
  auto store = open();
  ASSERT_TRUE(put(*store, "a").has_value());
  server_.stop();
  server_.start();
  EXPECT_TRUE(put(*store, "b").has_value());
  EXPECT_EQ(value(*store), "b");
}

TEST_F(ZookeeperStore, RefusesAServerThatHasForgotten) {
  auto store = open();
  ASSERT_TRUE(put(*store, "a").has_value());
  server_.stop();
  const std::string copy = server_.folder() / "copy";
  std::filesystem::copy(server_.data(), copy, std::filesystem::copy_options::recursive);
  server_.start();
  ASSERT_TRUE(put(*store, "b").has_value());
  EXPECT_EQ(value(*store), "b");
  server_.kill();
  const auto restore = [](const std::string& from, const std::string& to) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{to}) {
      if (entry.is_regular_file()) std::filesystem::remove(entry.path());
    }
    std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  };
  restore(copy, server_.data());
  server_.start();
  expect_fault(store->read(std::vector{key_}, soon()), Fault::store_regressed, "zxid");
  expect_fault(put(*store, "c"), Fault::store_regressed, "zxid");
  EXPECT_EQ(value(*open()), "a");
  std::filesystem::remove_all(copy);
}

TEST_F(ZookeeperStore, RefusesARootThatIsAnotherOne) {
  auto store = open();
  auto writer = open();
  ASSERT_TRUE(put(*store, "a").has_value());
  const auto before = store->identity(soon());
  remove_root();
  expect_fault(store->read(std::vector{key_}, soon()), Fault::incarnation_changed, "removed");
  auto other = open();
  ASSERT_NE(other, nullptr);
  ASSERT_TRUE(put(*other, "a").has_value());
  expect_fault(put(*writer, "b"), Fault::incarnation_changed, "made anew");
  for (int again = 0; again < 2; ++again) {  // on the connection that saw it, then on a new one
    expect_fault(store->list("folder", soon()), Fault::incarnation_changed, "made anew");
    expect_fault(writer->identity(soon()), Fault::incarnation_changed, "made anew");
  }
  EXPECT_EQ(value(*other), "a");
  EXPECT_NE(other->identity(soon())->ident, before->ident);
}

TEST_F(ZookeeperStore, LetsNobodyElseInWithAUser) {
  io::ServiceUrl mine = url();
  mine.user = "mint";
  mine.password = "secret";
  auto store = open(mine);
  ASSERT_TRUE(put(*store, "a").has_value());
  EXPECT_EQ(value(*open(mine)), "a");
  io::ServiceUrl wrong = mine;
  wrong.password = "secreT";
  for (const io::ServiceUrl& other : {wrong, url()}) {
    expect_fault(connect_zookeeper(other, Unsafe::refuse, soon()), Fault::store_unavailable,
                 "not authenticated");
  }
}

TEST_F(ZookeeperStore, ListsManyKeys) {
  constexpr std::size_t kMany = 5'000;
  auto store = open();
  for (std::size_t made = 0; made < kMany;) {
    std::vector<Change> changes;
    for (; changes.size() < store->most_changes(); ++made) {
      changes.push_back({{"many", "mark-" + std::to_string(made)}, std::to_string(made)});
    }
    ASSERT_TRUE(store->write({}, changes, soon()).has_value());
  }
  const auto listed = store->list("many", soon());
  ASSERT_TRUE(listed.has_value()) << listed.error().detail;
  EXPECT_EQ(listed->size(), kMany);
  for (const auto& [name, value] : *listed) ASSERT_EQ(name, "mark-" + value);
}

TEST_F(ZookeeperStore, RefusesMoreThanAServerTakes) {
  auto store = open();
  ASSERT_TRUE(put(*store, "a").has_value());
  expect_fault(put(*store, std::string(1'000'001, 'v')), Fault::invalid_argument, "bytes");
  EXPECT_EQ(value(*store), "a");
  const std::string large(990'000, 'v');
  EXPECT_TRUE(put(*store, large).has_value());
  EXPECT_EQ(value(*store), large);
}

TEST_F(ZookeeperStore, MakesItsClockAgain) {
  auto store = open();
  ASSERT_TRUE(put(*store, "a").has_value());
  auto session =
      ZookeeperSession::open("127.0.0.1:" + std::to_string(server_.port()), {}, "raw", soon());
  ASSERT_TRUE(session.has_value());
  remove(**session, "/" + root_ + "/:clock");
  expect_fault(store->read(std::vector{key_}, soon()), Fault::store_unavailable, "clock");
  EXPECT_EQ(value(*store), "a");
}

TEST(ZookeeperReadOnly, IsNoStore) {
  const ZookeeperServer server{ZookeeperServer::Kind::readable};
  const auto opened =
      connect_zookeeper(url_of(server, "ids"), Unsafe::allow, within(std::chrono::seconds{1}));
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().error.fault(), Fault::store_unavailable) << opened.error().detail;
  EXPECT_TRUE(server.status().contains("Mode: read-only"));
}

}  // namespace
}  // namespace mintmark::store
