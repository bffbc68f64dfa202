// How a write compares values, although a multi can only check a node's version:
//
//   1. It reads the nodes of all its keys, and compares: a value with the caller's, and mzxid with the
//      caller's version. An mzxid names one write of one history and never comes again; the node's version
//      begins at 0 each time that the node is made.
//   2. Its multi checks the versions that step 1 has seen. While a node lives, one version is one value. That
//      none went and came again in between is checked by the version of its folder's node, which every
//      removal raises. So the multi holds exactly if the values of step 1 are there still.
//   3. If a version is another one, nothing was written, and it begins again at 1 until the deadline.
//
// Not seen in between 1 and 2, about a millisecond, is only that the whole root was removed and made again.
#include "store/zookeeper.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "io/fork_guard.h"
#include "io/os_clock.h"
#include "store/zookeeper_multi.h"
#include "store/zookeeper_place.h"
#include "store/zookeeper_session.h"

namespace mintmark::store {
namespace {

/// Of reads in one pipeline: a server holds no more requests of its clients
/// (ZooKeeper Administrator's Guide, globalOutstandingLimit).
constexpr std::size_t kPipeline = 1'000;
constexpr std::size_t kMostChanges = 500;

/// Codes with which a server says that it has not carried out a request (zookeeper.h). All others leave it
/// open: the connection was lost, or the answer did not come.
bool says_not_done(int code) {
  constexpr std::array kNotDone{ZUNIMPLEMENTED, ZBADARGUMENTS, ZNONODE,
                                ZNOAUTH,        ZBADVERSION,   ZNOCHILDRENFOREPHEMERALS,
                                ZNODEEXISTS,    ZNOTEMPTY,     ZINVALIDACL,
                                ZSESSIONMOVED,  ZNOTREADONLY,  ZTHROTTLEDOP};
  return std::ranges::find(kNotDone, code) != kNotDone.end();
}

class Zookeeper final : public KeyValue {
 public:
  explicit Zookeeper(ZookeeperPlace place) : place_(std::move(place)) {}

  [[nodiscard]] std::size_t most_changes() const override { return kMostChanges; }
  Outcome<Reading> read(std::span<const Key> keys, BootInstant deadline) override;
  Outcome<std::vector<std::pair<std::string, std::string>>> list(std::string_view folder,
                                                                 BootInstant deadline) override;
  Outcome<bool> write(std::span<const Condition> conditions, std::span<const Change> changes,
                      BootInstant deadline) override;
  Outcome<Identity> identity(BootInstant deadline) override;

  /// Every call begins with it. Sees to a session whose server was checked.
  Outcome<void> ready(BootInstant deadline);

 private:
  using Replies = std::vector<ZookeeperReply>;

  template <class Fill>
  Outcome<Replies> ask(std::string_view command, BootInstant deadline, Fill fill);
  Outcome<Replies> make(const std::vector<std::string>& paths, BootInstant deadline);
  Outcome<Replies> look(const std::vector<std::string>& paths, BootInstant deadline);
  Outcome<int> carry_out(const ZookeeperMulti& multi, BootInstant deadline);

  Outcome<void> settle(BootInstant deadline);
  Outcome<void> check_root(const ZookeeperReply& root);
  Outcome<void> check_clock(const ZookeeperReply& clock);

  std::unexpected<Failure> lost(Fault fault, std::string_view command, std::string_view why);
  [[nodiscard]] const ACL_vector& acl() const {
    return place_.digest ? *zookeeper_library().creator_acl : *zookeeper_library().open_acl;
  }

  ZookeeperPlace place_;
  std::unique_ptr<ZookeeperSession> session_;
  std::optional<std::int64_t> root_;  ///< czxid of the root at the first connection
  std::int64_t progress_ = 0;         ///< the highest zxid seen
  std::optional<Failure> regressed_;  ///< the server knew less than that
  io::ForkGuard guard_;
};

Outcome<KeyValue::Reading> Zookeeper::read(std::span<const Key> keys, BootInstant deadline) {
  if (const auto up = ready(deadline); !up) return std::unexpected(up.error());
  Reading reading;
  for (std::size_t first = 0; first == 0 || first < keys.size(); first += kPipeline) {
    const auto some = keys.subspan(first, std::min(kPipeline, keys.size() - first));
    // A write of this session goes first: the server answers the reads behind it only when it has it.
    MINTMARK_TRY(replies, ask("getData", deadline, [&](ZookeeperRequests& requests) {
                   requests.set(place_.clock(), {});
                   for (const Key& key : some) requests.get(place_.node(key));
                 }));
    if (const auto good = check_clock(replies.front()); !good) return std::unexpected(good.error());
    reading.now = from_unix_ms(replies.front().stat.mtime);
    for (ZookeeperReply& reply : std::span{replies}.subspan(1)) {
      auto& kept = reading.kept.emplace_back();
      if (reply.code == ZOK) kept = Kept{std::move(reply.value), reply.stat.mzxid};
    }
  }
  return reading;
}

Outcome<std::vector<std::pair<std::string, std::string>>> Zookeeper::list(std::string_view folder,
                                                                          BootInstant deadline) {
  if (const auto up = ready(deadline); !up) return std::unexpected(up.error());
  const std::string path = place_.folder(folder);
  MINTMARK_TRY(listed, ask("getChildren", deadline, [&](ZookeeperRequests& requests) {
                 requests.sync(place_.root);
                 requests.children(path);
               }));
  std::vector<std::string>& names = listed.back().children;
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t first = 0; first < names.size(); first += kPipeline) {
    const auto some = std::span{names}.subspan(first, std::min(kPipeline, names.size() - first));
    MINTMARK_TRY(replies, ask("getData", deadline, [&](ZookeeperRequests& requests) {
                   for (const std::string& name : some) requests.get(path + '/' + name);
                 }));
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (replies[i].code != ZOK) continue;  // gone since
      all.emplace_back(std::move(some[i]), std::move(replies[i].value));
    }
  }
  return all;
}

Outcome<bool> Zookeeper::write(std::span<const Condition> conditions,
                               std::span<const Change> changes, BootInstant deadline) {
  for (;;) {
    if (const auto up = ready(deadline); !up) return std::unexpected(up.error());
    ZookeeperMulti multi{place_, conditions, changes};
    MINTMARK_TRY(seen, look(multi.paths(), deadline));
    multi.take(seen);
    if (!multi.holds(conditions)) return false;
    if (const auto missing = multi.missing_folders(); !missing.empty()) {
      MINTMARK_TRY(made, make(missing, deadline));
      continue;
    }
    MINTMARK_TRY(code, carry_out(multi, deadline));
    if (code == ZOK) return true;
  }
}

Outcome<Identity> Zookeeper::identity(BootInstant deadline) {
  if (const auto up = ready(deadline); !up) return std::unexpected(up.error());
  MINTMARK_TRY(replies, ask("setData", deadline, [&](ZookeeperRequests& requests) {
                 requests.set(place_.clock(), {});
               }));
  if (const auto good = check_clock(replies.front()); !good) return std::unexpected(good.error());
  const Stat& written = replies.front().stat;
  return Identity{.engine = "zookeeper",
                  .ident = fmt::format("{:x}", *root_),
                  .progress = static_cast<std::uint64_t>(written.mzxid),
                  .now = from_unix_ms(written.mtime)};
}

Outcome<void> Zookeeper::ready(BootInstant deadline) {
  if (!guard_.same_process()) {
    return failure(Fault::forked, fmt::format("{}: opened by the parent", place_.words));
  }
  if (io::os_clock().boot() >= deadline) {
    return failure(Fault::store_unavailable,
                   fmt::format("{}: the deadline was over before the call", place_.words));
  }
  if (regressed_) return std::unexpected(*regressed_);
  if (session_ && !session_->lost()) return {};
  ZookeeperSession::abandon(std::move(session_));
  MINTMARK_TRY(opened, ZookeeperSession::open(place_.hosts, place_.digest, place_.words, deadline));
  session_ = std::move(opened);
  return settle(deadline);
}

/// Sends what `fill` asks for behind a look at the root, and gives the answers to it: each is ZOK, ZNONODE
/// or ZNODEEXISTS. Errors: StoreUnavailable, IncarnationChanged.
template <class Fill>
Outcome<Zookeeper::Replies> Zookeeper::ask(std::string_view command, BootInstant deadline,
                                           Fill fill) {
  ZookeeperRequests requests{*session_};
  requests.exists(place_.root);
  fill(requests);
  Replies replies = requests.wait(deadline);
  for (const ZookeeperReply& reply : replies) {
    if (reply.code == ZOK || reply.code == ZNONODE || reply.code == ZNODEEXISTS) continue;
    return lost(Fault::store_unavailable, command, zookeeper_library().words(reply.code));
  }
  if (const auto same = check_root(replies.front()); !same) return std::unexpected(same.error());
  replies.erase(replies.begin());
  return replies;
}

/// Nodes without a value, in their order; those that are there stay.
Outcome<Zookeeper::Replies> Zookeeper::make(const std::vector<std::string>& paths,
                                            BootInstant deadline) {
  return ask("create", deadline, [&](ZookeeperRequests& requests) {
    for (const std::string& path : paths) requests.create(path, acl());
  });
}

/// The nodes as they are now, or a moment later.
Outcome<Zookeeper::Replies> Zookeeper::look(const std::vector<std::string>& paths,
                                            BootInstant deadline) {
  MINTMARK_TRY(replies, ask("getData", deadline, [&](ZookeeperRequests& requests) {
                 requests.sync(place_.root);
                 for (const std::string& path : paths) requests.get(path);
               }));
  replies.erase(replies.begin());
  // -1 would mean any version (zookeeper.h, zoo_set_op_init); it comes after 2^31 writes of a node.
  if (std::ranges::any_of(replies, [](const auto& reply) { return reply.stat.version < 0; })) {
    return failure(Fault::store_unavailable,
                   fmt::format("{}: the versions of a node are used up", place_.words));
  }
  return replies;
}

/// ZOK, or the code of a version that is another one, or of a node that came or went.
/// Errors: OutcomeUnknown; StoreUnavailable, InvalidArgument: nothing was written.
Outcome<int> Zookeeper::carry_out(const ZookeeperMulti& multi, BootInstant deadline) {
  const std::vector<zoo_op_t> operations = multi.operations(acl());
  if (operations.empty()) return ZOK;
  if (multi.size() > ZookeeperMulti::kMostBytes) {
    return failure(Fault::invalid_argument,
                   fmt::format("{}: {} bytes in one multi, of {} at most", place_.words,
                               multi.size(), ZookeeperMulti::kMostBytes));
  }
  ZookeeperRequests requests{*session_};
  requests.multi(operations);
  const ZookeeperReply reply = requests.wait(deadline).front();
  if (reply.code == ZOK || reply.code == ZBADVERSION || reply.code == ZNODEEXISTS ||
      reply.code == ZNONODE) {
    return reply.code;
  }
  const bool definite = !reply.sent || says_not_done(reply.code);
  return lost(definite ? Fault::store_unavailable : Fault::outcome_unknown, "multi",
              zookeeper_library().words(reply.code));
}

/// What a new connection is checked for: the root, its clock, and how far the server has got.
Outcome<void> Zookeeper::settle(BootInstant deadline) {
  const auto look_around = [&](ZookeeperRequests& requests) {
    requests.exists(place_.root);
    requests.set(place_.clock(), {});
  };
  MINTMARK_TRY(found, ask("setData", deadline, look_around));
  if (found.back().code != ZOK) {
    std::vector<std::string> nodes = place_.way_to_root();
    nodes.push_back(place_.clock());
    MINTMARK_TRY(made, make(nodes, deadline));
    MINTMARK_TRY(found_now, ask("setData", deadline, look_around));
    found = std::move(found_now);
  }
  const auto good = check_clock(found.back());
  if (good) root_ = found.front().stat.czxid;
  return good;
}

/// Of a handle that has seen the root once: is it that one still?
Outcome<void> Zookeeper::check_root(const ZookeeperReply& root) {
  if (!root_ || (root.code == ZOK && root.stat.czxid == *root_)) return {};
  return lost(Fault::incarnation_changed, "exists",
              root.code == ZOK ? fmt::format("the node was made anew: czxid {:x}, was {:x}",
                                             root.stat.czxid, *root_)
                               : "the node has been removed");
}

/// An answer to a write of the clock's node: was it there, and does the server know what it knew?
Outcome<void> Zookeeper::check_clock(const ZookeeperReply& clock) {
  if (clock.code != ZOK) {
    return lost(Fault::store_unavailable, "setData", "the clock's node has been removed");
  }
  if (clock.stat.mzxid < progress_) {
    // For good: what this handle and others write from now on lifts the count above what it was.
    auto failed = lost(Fault::store_regressed, "setData",
                       fmt::format("zxid {:x}, was {:x}", clock.stat.mzxid, progress_));
    regressed_ = failed.error();
    return failed;
  }
  progress_ = clock.stat.mzxid;
  return {};
}

/// The connection is of no use any more: what is late could come as the answer to something else.
std::unexpected<Failure> Zookeeper::lost(Fault fault, std::string_view command,
                                         std::string_view why) {
  ZookeeperSession::abandon(std::move(session_));
  return failure(fault, fmt::format("{}: {}: {}", place_.words, command, why));
}

}  // namespace

Outcome<void> check_zookeeper_url(const io::ServiceUrl& url) {
  MINTMARK_TRY(place, zookeeper_place(url));
  return {};
}

Outcome<std::unique_ptr<KeyValue>> connect_zookeeper(const io::ServiceUrl& url, Unsafe,
                                                     BootInstant deadline) {
  MINTMARK_TRY(place, zookeeper_place(url));
  auto store = std::make_unique<Zookeeper>(std::move(place));
  if (const auto up = store->ready(deadline); !up) return std::unexpected(up.error());
  return store;
}

}  // namespace mintmark::store
