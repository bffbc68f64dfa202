// A session with ZooKeeper, and requests of it that are waited for until a deadline.
//
// The library answers on a thread of its own, at any time, also after the caller has given up: answers go to
// a board that both sides hold, so that a late one touches nothing that is gone. The library also connects
// again by itself, perhaps to another server; a session that was ever cut off counts as lost, so that each
// connection is checked before it is used (key_value.h). A request that slips in between is safe: no server
// takes over a session that has seen more than itself.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/failure.h"
#include "io/fork_guard.h"
#include "mintmark/base/time.h"
#include "store/zookeeper_library.h"

namespace mintmark::store {

/// One thread at a time. In a forked child the destructor leaves the parent's session alone.
class ZookeeperSession {
 public:
  /// `hosts` as zookeeper_init takes them, `digest` is user:password, `where` names them in a failure.
  /// The deadline holds from the first packet on; before that, the system's resolver has its own limits of
  /// time (resolv.conf(5)). Errors: StoreUnavailable.
  [[nodiscard]] static Outcome<std::unique_ptr<ZookeeperSession>> open(
      const std::string& hosts, const std::optional<std::string>& digest, std::string_view where,
      BootInstant deadline);

  ZookeeperSession(const ZookeeperSession&) = delete;
  ZookeeperSession& operator=(const ZookeeperSession&) = delete;
  /// Waits for the server's answer to the end of the session, up to 5 s.
  ~ZookeeperSession();

  /// Ends it on a thread of its own, for a caller that has a deadline. Nothing is done of none.
  static void abandon(std::unique_ptr<ZookeeperSession> session);

  /// It was cut off since it was opened: the server is gone, or another one has taken over.
  [[nodiscard]] bool lost() const;
  [[nodiscard]] zhandle_t* handle() const { return handle_; }

 private:
  struct Link;

  ZookeeperSession();
  [[nodiscard]] bool wait_for_connection(BootInstant deadline);
  static void on_event(zhandle_t*, int type, int state, const char*, void*);

  std::unique_ptr<Link> link_;  ///< the library's thread knows it until the handle is closed
  zhandle_t* handle_ = nullptr;
  io::ForkGuard guard_;
};

/// What the server said to one request, or the library instead of it.
struct ZookeeperReply {
  int code = ZOPERATIONTIMEOUT;  ///< one of ZOO_ERRORS; that one also if no answer came in time
  bool sent = true;              ///< false: the library did not take it
  std::string value{};
  Stat stat{};
  std::vector<std::string> children{};
};

/// Requests in one pipeline: sent as they are made, answered in their order by the server, which carries
/// them out in that order too (ZooKeeper Programmer's Guide, chapter Consistency Guarantees). One thread at
/// a time. REQUIRES: the session outlives it.
class ZookeeperRequests {
 public:
  explicit ZookeeperRequests(const ZookeeperSession& session);

  /// The reads behind it see what was committed before it.
  void sync(const std::string& path);
  void exists(const std::string& path);
  void get(const std::string& path);
  void children(const std::string& path);
  /// A persistent node without a value.
  void create(const std::string& path, const ACL_vector& acl);
  /// Whatever version is there.
  void set(const std::string& path, std::string_view value);
  void multi(std::span<const zoo_op_t> operations);

  /// In the order of the requests. Of none there may be an answer that comes later.
  [[nodiscard]] std::vector<ZookeeperReply> wait(BootInstant deadline);

 private:
  struct Board;
  struct Ticket;

  template <class Send>
  void request(Send send);
  static void answer(const void* ticket, ZookeeperReply reply);
  static void on_stat(int code, const Stat* stat, const void* ticket);
  static void on_value(int code, const char* value, int size, const Stat* stat, const void* ticket);
  static void on_children(int code, const String_vector* names, const void* ticket);
  static void on_text(int code, const char*, const void* ticket);
  static void on_end(int code, const void* ticket);

  const ZookeeperLibrary& zoo_ = zookeeper_library();
  zhandle_t* handle_;
  std::shared_ptr<Board> board_;
};

}  // namespace mintmark::store
