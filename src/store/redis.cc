#include "store/redis.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/fork_guard.h"
#include "io/net/resp_client.h"
#include "io/one_line.h"
#include "io/os_clock.h"
#include "store/redis_place.h"
#include "store/redis_server.h"
#include "store/redis_write.h"

namespace mintmark::store {
namespace {

using Type = io::RespReply::Type;
using Replies = std::vector<io::RespReply>;

class Redis final : public KeyValue {
 public:
  Redis(RedisPlace place, Unsafe unsafe)
      : place_(std::move(place)), unsafe_(unsafe), writes_key_(place_.prefix + ":.writes") {}

  [[nodiscard]] std::size_t most_changes() const override { return 1000; }

  Outcome<Reading> read(std::span<const Key> keys, BootInstant deadline) override {
    if (const auto ready = be_ready(deadline); !ready) return std::unexpected(ready.error());
    for (const Key& key : keys) client_->add({"HGET", key_of(key.folder), key.name});
    client_->add({"TIME"});
    MINTMARK_TRY(replies, exchange("HGET", Fault::store_unavailable, deadline));
    Reading reading;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      auto& kept = reading.kept.emplace_back();
      if (replies[i].is(Type::null)) continue;
      if (!replies[i].is(Type::bulk)) return refused("HGET", replies[i]);
      kept.emplace(std::move(replies[i].text));
    }
    reading.now = redis_time(replies.back());
    return reading;
  }

  Outcome<std::vector<std::pair<std::string, std::string>>> list(std::string_view folder,
                                                                 BootInstant deadline) override {
    if (const auto ready = be_ready(deadline); !ready) return std::unexpected(ready.error());
    client_->add({"HGETALL", key_of(folder)});
    MINTMARK_TRY(replies, exchange("HGETALL", Fault::store_unavailable, deadline));
    Replies& items = replies.front().items;
    if (!replies.front().is(Type::array) || items.size() % 2 != 0) {
      return refused("HGETALL", replies.front());
    }
    std::vector<std::pair<std::string, std::string>> all;
    for (std::size_t i = 0; i < items.size(); i += 2) {
      all.emplace_back(std::move(items[i].text), std::move(items[i + 1].text));
    }
    return all;
  }

  Outcome<bool> write(std::span<const Condition> conditions, std::span<const Change> changes,
                      BootInstant deadline) override {
    if (std::max(conditions.size(), changes.size()) > most_changes()) {
      return failed(Fault::invalid_argument, "EVALSHA", "more than 1000 conditions or changes");
    }
    if (const auto ready = be_ready(deadline); !ready) return std::unexpected(ready.error());
    MINTMARK_TRY(reply, run_script(conditions, changes, deadline));
    const auto written = redis_written(reply);
    if (!written) {
      // What is another server now, or has lost something, is looked at as such by the next call.
      if (written.error().error.kind() == Kind::broken) client_.reset();
      return failed(written.error().error.fault(), "EVALSHA", written.error().detail);
    }
    if (!written->written) return false;
    writes_ = std::max(writes_, written->writes);
    if (const auto followed = await_replicas(written->replicas, deadline); !followed)
      return std::unexpected(followed.error());
    return true;
  }

  Outcome<Identity> identity(BootInstant deadline) override {
    if (const auto ready = be_ready(deadline); !ready) return std::unexpected(ready.error());
    add_look(*client_, writes_key_);
    MINTMARK_TRY(replies, exchange("INFO", Fault::store_unavailable, deadline));
    MINTMARK_TRY(server, take_look(std::span{replies}.last<kLookReplies>()));
    return Identity{.engine = "redis",
                    .ident = ident_,
                    .progress = server.writes,
                    .now = server.now,
                    .unsafe = std::move(server.unsafe)};
  }

  /// Connects where there is no connection, and looks at the server before anything else is asked of it.
  Outcome<void> be_ready(BootInstant deadline) {
    if (!guard_.same_process()) {
      return failed(Fault::forked, "connecting", "the connection is the parent's");
    }
    if (io::os_clock().boot() >= deadline) {
      return failed(Fault::store_unavailable, "connecting", "the deadline was over before");
    }
    if (client_) return {};
    auto stream = io::connect_stream(place_.host, place_.port, place_.tls, deadline);
    if (!stream) return failed(Fault::store_unavailable, "connecting", stream.error().detail);
    client_ = std::make_unique<io::RespClient>(std::move(*stream), place_.words);
    const std::vector<std::string_view> greetings = add_greetings();
    add_look(*client_, writes_key_);
    MINTMARK_TRY(replies, exchange("connecting", Fault::store_unavailable, deadline));
    for (std::size_t i = 0; i < greetings.size(); ++i) {
      if (replies[i].is(Type::simple)) continue;
      const auto refusal = refused(greetings[i], replies[i]);
      client_.reset();
      return refusal;
    }
    const auto server = take_look(std::span{replies}.last<kLookReplies>());
    if (!server) return std::unexpected(server.error());
    return {};
  }

 private:
  [[nodiscard]] std::string key_of(std::string_view folder) const {
    return fmt::format("{}:{}", place_.prefix, folder);
  }

  std::unexpected<Failure> failed(Fault fault, std::string_view command,
                                  std::string_view why) const {
    return failure(fault, fmt::format("{}: {}: {}", place_.words, command, why));
  }
  std::unexpected<Failure> refused(std::string_view command, const io::RespReply& reply) const {
    return failed(Fault::store_unavailable, command,
                  reply.is(Type::error) ? io::one_line(reply.text)
                                        : "an answer of another form than Redis gives");
  }

  /// The replies to what waits in the client; a connection that failed is dropped.
  Outcome<Replies> exchange(std::string_view command, Fault on_failure, BootInstant deadline) {
    auto replies = client_->exchange(deadline);
    if (replies) return std::move(*replies);
    client_.reset();
    return failed(on_failure, command, replies.error().detail);
  }

  /// Who this side is, and in which database: the names of the commands, in their order.
  std::vector<std::string_view> add_greetings() {
    std::vector<std::string_view> names;
    if (place_.user || place_.password) {
      const std::string password = place_.password.value_or("");
      if (place_.user) {
        client_->add({"AUTH", *place_.user, password});
      } else {
        client_->add({"AUTH", password});
      }
      names.emplace_back("AUTH");
    }
    client_->add({"SELECT", place_.database});
    names.emplace_back("SELECT");
    return names;
  }

  /// Whether this is the server of before, no less far, and safe. Otherwise the connection is dropped.
  Outcome<RedisServer> take_look(std::span<const io::RespReply, kLookReplies> replies) {
    auto server = judge(look_of(replies));
    if (!server) {
      client_.reset();
      return failure(server.error().error.fault(),
                     fmt::format("{}: {}", place_.words, server.error().detail));
    }
    ident_ = ident_of(*server);
    replication_id_ = server->replication_id;
    writes_ = std::max(writes_, server->writes);
    replicas_ = server->replicas;
    return server;
  }

  static std::string ident_of(const RedisServer& server) {
    return fmt::format("{}/{}", server.run_id, server.replication_id);
  }

  [[nodiscard]] Outcome<RedisServer> judge(Outcome<RedisServer> server) const {
    if (!server) return server;
    if (unsafe_ == Unsafe::refuse && !server->unsafe.empty()) {
      return failure(Fault::unsafe_store_config,
                     fmt::format("{}", fmt::join(server->unsafe, "; ")));
    }
    if (!ident_.empty() && ident_ != ident_of(*server)) {
      return failure(
          Fault::incarnation_changed,
          fmt::format("run_id/master_replid: found {}, wanted {}", ident_of(*server), ident_));
    }
    if (server->writes < writes_) {
      return failure(Fault::store_regressed, fmt::format("it counts {} writes, and had counted {}",
                                                         server->writes, writes_));
    }
    return server;
  }

  Outcome<io::RespReply> run_script(std::span<const Condition> conditions,
                                    std::span<const Change> changes, BootInstant deadline) {
    const RedisGround ground{
        .replication_id = replication_id_, .writes = writes_, .writes_key = writes_key_};
    const auto arguments = redis_write_arguments(
        ground, conditions, changes, [this](std::string_view folder) { return key_of(folder); });
    std::vector<std::string_view> words{"EVALSHA", redis_write_digest()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    client_->add(words);
    MINTMARK_TRY(replies, exchange("EVALSHA", Fault::outcome_unknown, deadline));
    if (!replies.front().is(Type::error) || !replies.front().text.starts_with("NOSCRIPT")) {
      return std::move(replies.front());
    }
    // The server does not have the script: it has done nothing, and gets it now.
    words[0] = "EVAL";
    words[1] = redis_write_script();
    client_->add(words);
    MINTMARK_TRY(second, exchange("EVAL", Fault::outcome_unknown, deadline));
    return std::move(second.front());
  }

  /// Until each replica has what was written, `online` of them now. Not a consensus: a failover may choose
  /// one that has since lost it.
  Outcome<void> await_replicas(std::size_t online, BootInstant deadline) {
    const std::size_t before = std::exchange(replicas_, online);
    if (online < before) {
      return failed(Fault::outcome_unknown, "WAIT",
                    fmt::format("{} replicas, and there were {}", online, before));
    }
    if (online == 0) return {};
    using std::chrono::milliseconds;
    const auto left = std::chrono::floor<milliseconds>(deadline - io::os_clock().boot());
    // 0 would be for ever.
    const std::string most = std::to_string(std::max(left, milliseconds{1}).count());
    client_->add({"WAIT", std::to_string(online), most});
    MINTMARK_TRY(replies, exchange("WAIT", Fault::outcome_unknown, deadline));
    const io::RespReply& reply = replies.front();
    if (reply.is(Type::integer) && reply.number >= static_cast<std::int64_t>(online)) return {};
    return failed(Fault::outcome_unknown, "WAIT",
                  reply.is(Type::integer)
                      ? fmt::format("{} of {} replicas have it", reply.number, online)
                      : io::one_line(reply.text));
  }

  RedisPlace place_;
  Unsafe unsafe_;
  std::string writes_key_;
  io::ForkGuard guard_;
  std::unique_ptr<io::RespClient> client_;
  // Of the first look; empty before.
  std::string ident_;
  std::string replication_id_;
  std::uint64_t writes_ = 0;  ///< the highest count of writes that was seen
  std::size_t replicas_ = 0;
};

}  // namespace

Outcome<void> check_redis_url(const io::ServiceUrl& url) {
  const auto place = redis_place(url);
  if (!place) return std::unexpected(place.error());
  return {};
}

Outcome<std::unique_ptr<KeyValue>> connect_redis(const io::ServiceUrl& url, Unsafe unsafe,
                                                 BootInstant deadline) {
  MINTMARK_TRY(place, redis_place(url));
  auto redis = std::make_unique<Redis>(std::move(place), unsafe);
  if (const auto ready = redis->be_ready(deadline); !ready) return std::unexpected(ready.error());
  return redis;
}

}  // namespace mintmark::store
