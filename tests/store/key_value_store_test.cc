// The store on engines of keys and values: the contract on each of them, by real servers.

#include "store/key_value_store.h"

#include <array>
#include <atomic>
#include <string>

#include "io/net/service_url.h"
#include "store/etcd.h"
#include "store/redis.h"
#include "store/row_text.h"
#include "store/zookeeper.h"
#include "tests/etcd_server.h"
#include "tests/redis_server.h"
#include "tests/store/contract.h"
#include "tests/zookeeper_server.h"

namespace mintmark::store {
namespace {

BootInstant in_a_minute() { return io::os_clock().boot() + std::chrono::minutes{1}; }

std::string fresh_name() {
  static std::atomic<int> count{0};
  return "contract" + std::to_string(++count);
}

struct Redis {
  static void pause() { server().signal(SIGSTOP); }
  static void resume() { server().signal(SIGCONT); }
  static RedisServer& server() {
    static RedisServer one;
    return one;
  }
  static Outcome<std::unique_ptr<KeyValue>> open(const std::string& name) {
    const auto url = io::parse_service_url(server().url("prefix=" + name)).value();
    return connect_redis(url, Unsafe::refuse, in_a_minute());
  }
};

struct Etcd {
  static void pause() { server().signal(SIGSTOP); }
  static void resume() { server().signal(SIGCONT); }
  static EtcdServer& server() {
    static EtcdServer one;
    return one;
  }
  static Outcome<std::unique_ptr<KeyValue>> open(const std::string& name) {
    return connect_etcd(server().url(name), Unsafe::refuse, in_a_minute());
  }
};

struct Zookeeper {
  static void pause() { server().pause(); }
  static void resume() { server().resume(); }
  static ZookeeperServer& server() { return ZookeeperServer::shared(); }
  static Outcome<std::unique_ptr<KeyValue>> open(const std::string& name) {
    io::ServiceUrl url;
    url.scheme = "zookeeper";
    url.path = name;
    url.hosts = {{"127.0.0.1", static_cast<std::uint16_t>(server().port())}};
    return connect_zookeeper(url, Unsafe::refuse, in_a_minute());
  }
};

/// A store of its own on the server, and a second hand on its keys.
template <class Server>
class KeyValueEngine {
 public:
  static constexpr Clocks kClocks = Clocks::of_the_engine;
  static constexpr bool kMutant = is_mutant<Server>();

  Outcome<std::unique_ptr<Store>> open(const Clock& clock, BootInstant deadline) {
    MINTMARK_TRY(engine, Server::open(name_));
    // The deadline of a clock that stands still, for those who look at the real one.
    const BootInstant until = io::os_clock().boot() + (deadline - clock.boot());
    return open_key_value(std::move(engine), {.clock = clock}, until);
  }

  void set_mark(std::string_view space, std::uint64_t slot, std::uint64_t high_water) {
    change(mark_key(space, slot), [&](const std::string& text) {
      Mark mark = parse_mark(slot, text).value();
      mark.high_water = high_water;
      return mark_text(mark);
    });
  }
  void remove_mark(std::string_view space, std::uint64_t slot) { remove(mark_key(space, slot)); }
  void remove_meta(std::string_view space) { remove(meta_key(space)); }
  void fence(std::string_view space) {
    change_meta(space, [](SpaceMeta& meta) {
      ++meta.epoch;
      meta.incarnation[0] ^= std::byte{1};
    });
  }
  void age(std::string_view space) {
    change_meta(space, [](SpaceMeta& meta) { meta.not_before = 0; });
  }
  void lock() { Server::pause(); }
  void unlock() { Server::resume(); }

 private:
  static std::string folder(std::string_view space) { return "spaces/" + escape_name(space); }
  static Key meta_key(std::string_view space) { return {folder(space), "meta"}; }
  static Key mark_key(std::string_view space, std::uint64_t slot) {
    std::string name = std::to_string(slot);
    name.insert(0, 5 - name.size(), '0');
    return {folder(space) + "/marks", name};
  }

  std::unique_ptr<KeyValue> hand() {
    auto opened = Server::open(name_);
    EXPECT_TRUE(opened.has_value()) << opened.error().detail;
    return std::move(*opened);
  }
  void put(const Change& change) {
    const auto written = hand()->write({}, std::array{change}, in_a_minute());
    EXPECT_TRUE(written.has_value()) << written.error().detail;
  }
  void remove(const Key& key) { put({key, std::nullopt}); }
  template <class Edit>
  void change(const Key& key, Edit edit) {
    const auto reading = hand()->read(std::array{key}, in_a_minute());
    ASSERT_TRUE(reading.has_value() && reading->kept.front().has_value());
    put({key, edit(reading->kept.front()->value)});
  }
  template <class Edit>
  void change_meta(std::string_view space, Edit edit) {
    change(meta_key(space), [&](const std::string& text) {
      SpaceMeta meta = parse_meta(text).value();
      edit(meta);
      return meta_text(meta);
    });
  }

  std::string name_ = fresh_name();
};

/// Writes without looking whether the conditions hold.
class BlindKeyValue final : public KeyValue {
 public:
  explicit BlindKeyValue(std::unique_ptr<KeyValue> engine) : engine_(std::move(engine)) {}

  [[nodiscard]] std::size_t most_changes() const override { return engine_->most_changes(); }
  Outcome<Reading> read(std::span<const Key> keys, BootInstant deadline) override {
    return engine_->read(keys, deadline);
  }
  Outcome<std::vector<std::pair<std::string, std::string>>> list(std::string_view folder,
                                                                 BootInstant deadline) override {
    return engine_->list(folder, deadline);
  }
  Outcome<bool> write(std::span<const Condition>, std::span<const Change> changes,
                      BootInstant deadline) override {
    return engine_->write({}, changes, deadline);
  }
  Outcome<Identity> identity(BootInstant deadline) override { return engine_->identity(deadline); }

 private:
  std::unique_ptr<KeyValue> engine_;
};

struct BlindRedis {
  static constexpr bool kMutant = true;
  static void pause() { Redis::pause(); }
  static void resume() { Redis::resume(); }
  static Outcome<std::unique_ptr<KeyValue>> open(const std::string& name) {
    MINTMARK_TRY(engine, Redis::open(name));
    return std::make_unique<BlindKeyValue>(std::move(engine));
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(BlindRedis, StoreContract, KeyValueEngine<BlindRedis>);

TEST(RedisContract, NoticesAWriteWithoutItsConditions) {
  const std::string failures = failures_of(
      "BlindRedis/*ToManyAtOnce:BlindRedis/*OneOfMany*:BlindRedis/*ForManyAtOnce:"
      "BlindRedis/*InsertsAnItemOnce");
  for (const std::string test :
       {"GrantsRangesToManyAtOnce", "GrantsASlotToOneOfManyAtOnce", "InsertsAnItemOnce"}) {
    EXPECT_TRUE(failures.contains("StoreContract/0." + test)) << failures;
  }
}

INSTANTIATE_TYPED_TEST_SUITE_P(Redis, StoreContract, KeyValueEngine<Redis>);
INSTANTIATE_TYPED_TEST_SUITE_P(Etcd, StoreContract, KeyValueEngine<Etcd>);
INSTANTIATE_TYPED_TEST_SUITE_P(Zookeeper, StoreContract, KeyValueEngine<Zookeeper>);

}  // namespace
}  // namespace mintmark::store
