#include "store/etcd.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "io/fork_guard.h"
#include "io/os_clock.h"
#include "store/etcd_checks.h"
#include "store/etcd_connection.h"
#include "store/etcd_messages.h"

namespace mintmark::store {
namespace {

using etcd::Header;
using Written = etcd::Trouble::Written;

/// etcd documentation, "Configuration options", --max-txn-ops: comparisons and operations, each counted
/// apart.
constexpr std::size_t kMostOperations = 128;
/// A condition is two comparisons.
constexpr std::size_t kMostChanges = kMostOperations / 2;
/// Rows of a list in one answer.
constexpr std::size_t kPageRows = 1'000;

constexpr std::string_view kRange = "kv/range";
constexpr std::string_view kTxn = "kv/txn";
constexpr std::string_view kDelete = "kv/deleterange";
constexpr std::string_view kStatus = "maintenance/status";

class EtcdKeyValue final : public KeyValue {
 public:
  EtcdKeyValue(etcd::Place place, Unsafe unsafe) : place_(std::move(place)), unsafe_(unsafe) {}

  std::size_t most_changes() const override { return kMostChanges; }
  Outcome<Reading> read(std::span<const Key> keys, BootInstant deadline) override;
  Outcome<std::vector<std::pair<std::string, std::string>>> list(std::string_view folder,
                                                                 BootInstant deadline) override;
  Outcome<bool> write(std::span<const Condition> conditions, std::span<const Change> changes,
                      BootInstant deadline) override;
  Outcome<Identity> identity(BootInstant deadline) override;

  /// Begins a call: there is a connection, and it was checked.
  Outcome<void> enter(BootInstant deadline);

 private:
  Outcome<void> connect(BootInstant deadline);
  Outcome<void> connect_to(const etcd::Member& member, BootInstant deadline);
  Outcome<void> check(BootInstant deadline);
  Outcome<etcd::Fsyncs> see_fsyncs(BootInstant deadline);

  /// A linearizable read, read again if it shows the past.
  template <class Parsed>
  Outcome<std::pair<Parsed, std::optional<Instant>>> look(
      std::string_view path, const std::string& message,
      std::optional<Parsed> (*parse)(std::string_view), BootInstant deadline);
  Outcome<void> check_cluster(const Header& header) const;
  /// That of an answer that was not from the past: the cluster is the same, and has not gone back.
  Outcome<void> check_header(const Header& header);
  /// The connection is of no use any more.
  std::unexpected<Failure> given_up(Fault fault, std::string detail);
  std::string no_answer(std::string_view path) const {
    return fmt::format("{}: {}: not an answer of etcd", connection_->words(), path);
  }

  etcd::Place place_;
  Unsafe unsafe_;
  io::ForkGuard guard_;
  std::unique_ptr<etcd::Connection> connection_;
  std::size_t next_member_ = 0;              ///< to be tried when there is none
  std::vector<std::string> unsafe_found_{};  ///< of this connection
  std::optional<Header> seen_;               ///< the first cluster, and its highest revision
};

Outcome<void> EtcdKeyValue::enter(BootInstant deadline) {
  if (!guard_.same_process()) {
    return failure(Fault::forked, "this connection to etcd is the parent's");
  }
  if (io::os_clock().boot() >= deadline) {
    return failure(Fault::store_unavailable, "the deadline was over before etcd was asked");
  }
  if (connection_ && connection_->usable()) return {};
  return connect(deadline);
}

/// Each member gets its share of the time that is left: one that hangs must not take it all.
Outcome<void> EtcdKeyValue::connect(BootInstant deadline) {
  std::vector<std::string> details;
  for (std::size_t left = place_.members.size(); left > 0; --left) {
    const BootInstant now = io::os_clock().boot();
    const auto share = (deadline - now) / static_cast<std::int64_t>(left);
    const etcd::Member& member = place_.members[next_member_];
    next_member_ = (next_member_ + 1) % place_.members.size();
    const auto connected = connect_to(member, now + share);
    if (connected) return {};
    connection_.reset();
    if (connected.error().error.fault() != Fault::store_unavailable) return connected;
    details.push_back(connected.error().detail);
  }
  return failure(Fault::store_unavailable, fmt::format("{}", fmt::join(details, "; ")));
}

Outcome<void> EtcdKeyValue::connect_to(const etcd::Member& member, BootInstant deadline) {
  auto opened = etcd::Connection::open(place_, member, deadline);
  if (!opened) return failure(Fault::store_unavailable, std::move(opened.error().detail));
  connection_ = std::move(*opened);
  return check(deadline);
}

Outcome<void> EtcdKeyValue::check(BootInstant deadline) {
  const auto answer = connection_->ask(kStatus, "{}", deadline);
  if (!answer) return failure(Fault::store_unavailable, answer.error().detail);
  const auto status = etcd::parse_status(answer->text);
  if (!status) return failure(Fault::store_unavailable, no_answer(kStatus));
  if (auto same = check_cluster(status->header); !same) return same;
  if (auto role = etcd::check_role(connection_->words(), *status); !role) return role;
  MINTMARK_TRY(fsyncs, see_fsyncs(deadline));
  unsafe_found_ = etcd::unsafe_settings(*status, fsyncs);
  if (unsafe_found_.empty() || unsafe_ == Unsafe::allow) return {};
  return failure(Fault::unsafe_store_config,
                 fmt::format("{}: {}", connection_->words(), fmt::join(unsafe_found_, "; ")));
}

/// The writes go through the cluster's log and change nothing. They are two, because a member that follows
/// may answer while its disk is still busy with the first; it takes the second only after that.
Outcome<etcd::Fsyncs> EtcdKeyValue::see_fsyncs(BootInstant deadline) {
  const auto count = [&]() -> Outcome<std::optional<std::uint64_t>> {
    const auto page = connection_->page("/metrics", deadline);
    if (!page) return failure(Fault::store_unavailable, page.error().detail);
    return *page ? etcd::fsync_count(**page) : std::nullopt;
  };
  MINTMARK_TRY(before, count());
  const std::string message = etcd::delete_text(etcd::nobodys_key(place_.prefix));
  for (int writes = 0; writes < 2; ++writes) {
    MINTMARK_TRY(deleted, look(kDelete, message, etcd::parse_page, deadline));
  }
  MINTMARK_TRY(after, count());
  return etcd::Fsyncs{before, after};
}

std::unexpected<Failure> EtcdKeyValue::given_up(Fault fault, std::string detail) {
  connection_.reset();
  return failure(fault, std::move(detail));
}

Outcome<void> EtcdKeyValue::check_cluster(const Header& header) const {
  if (!seen_ || header.cluster == seen_->cluster) return {};
  return failure(Fault::incarnation_changed,
                 fmt::format("{}: cluster {:x}, where {:x} was before", connection_->words(),
                             header.cluster, seen_->cluster));
}

Outcome<void> EtcdKeyValue::check_header(const Header& header) {
  if (auto same = check_cluster(header); !same) return same;
  if (seen_ && header.revision < seen_->revision) {
    return failure(Fault::store_regressed,
                   fmt::format("{}: revision {}, where {} was seen before", connection_->words(),
                               header.revision, seen_->revision));
  }
  seen_ = header;
  return {};
}

template <class Parsed>
Outcome<std::pair<Parsed, std::optional<Instant>>> EtcdKeyValue::look(
    std::string_view path, const std::string& message,
    std::optional<Parsed> (*parse)(std::string_view), BootInstant deadline) {
  Outcome<void> fresh;
  // A member that was paused may answer one read from before its pause (etcd issue 20418).
  for (int tries = 0; tries < 2; ++tries) {
    auto answer = connection_->ask(path, message, deadline);
    if (!answer) {
      std::string detail = std::move(answer.error().detail);
      if (answer.error().written == Written::nothing && connection_->usable()) {
        return failure(Fault::store_unavailable, std::move(detail));
      }
      return given_up(Fault::store_unavailable, std::move(detail));
    }
    auto parsed = parse(answer->text);
    if (!parsed) return given_up(Fault::store_unavailable, no_answer(path));
    fresh = check_header(parsed->header);
    if (fresh) return std::pair{std::move(*parsed), answer->now};
    if (fresh.error().error.fault() != Fault::store_regressed) break;
  }
  return given_up(fresh.error().error.fault(), std::move(fresh.error().detail));
}

Outcome<KeyValue::Reading> EtcdKeyValue::read(std::span<const Key> keys, BootInstant deadline) {
  if (const auto entered = enter(deadline); !entered) return std::unexpected(entered.error());
  Reading reading;
  do {
    const auto some = keys.first(std::min(keys.size(), kMostOperations));
    keys = keys.subspan(some.size());
    MINTMARK_TRY(seen,
                 look(kTxn, etcd::read_text(place_.prefix, some), etcd::parse_done, deadline));
    auto& [done, now] = seen;
    if (done.ranges.size() < some.size()) {
      return given_up(Fault::store_unavailable, no_answer(kTxn));
    }
    done.ranges.resize(some.size());
    for (auto& row : done.ranges) {
      reading.kept.push_back(row ? std::optional{std::move(row->kept)} : std::nullopt);
    }
    reading.now = now;
  } while (!keys.empty());
  return reading;
}

Outcome<std::vector<std::pair<std::string, std::string>>> EtcdKeyValue::list(
    std::string_view folder, BootInstant deadline) {
  if (const auto entered = enter(deadline); !entered) return std::unexpected(entered.error());
  const std::string start = etcd::folder_start(place_.prefix, folder);
  std::string end = start;
  end.back() = '/' + 1;
  std::vector<std::pair<std::string, std::string>> all;
  for (std::string first = start;;) {
    MINTMARK_TRY(seen,
                 look(kRange, etcd::page_text(first, end, kPageRows), etcd::parse_page, deadline));
    etcd::Page& page = seen.first;
    if (page.rows.empty()) return all;
    first = page.rows.back().key + '\0';
    for (etcd::Row& row : page.rows) {
      std::string name = row.key.substr(std::min(start.size(), row.key.size()));
      // Folders in this folder are others.
      if (!name.contains('/')) all.emplace_back(std::move(name), std::move(row.kept.value));
    }
    if (!page.more) return all;
  }
}

Outcome<bool> EtcdKeyValue::write(std::span<const Condition> conditions,
                                  std::span<const Change> changes, BootInstant deadline) {
  if (const auto entered = enter(deadline); !entered) return std::unexpected(entered.error());
  const auto answer =
      connection_->ask(kTxn, etcd::write_text(place_.prefix, conditions, changes), deadline);
  if (!answer) {
    if (answer.error().written == Written::perhaps) {
      return given_up(Fault::outcome_unknown, answer.error().detail);
    }
    if (!connection_->usable()) connection_.reset();
    return failure(Fault::store_unavailable, answer.error().detail);
  }
  const auto done = etcd::parse_done(answer->text);
  if (!done) return given_up(Fault::outcome_unknown, no_answer(kTxn));
  if (auto same = check_header(done->header); !same) {
    // Written, but to what is not this store any more.
    const Fault fault = done->succeeded ? Fault::outcome_unknown : same.error().error.fault();
    return given_up(fault, std::move(same.error().detail));
  }
  return done->succeeded;
}

Outcome<Identity> EtcdKeyValue::identity(BootInstant deadline) {
  if (const auto entered = enter(deadline); !entered) return std::unexpected(entered.error());
  MINTMARK_TRY(seen, look(kTxn, etcd::read_text(place_.prefix, {}), etcd::parse_done, deadline));
  const auto& [done, now] = seen;
  return Identity{.engine = "etcd",
                  .ident = fmt::format("{:x}", done.header.cluster),
                  .progress = static_cast<std::uint64_t>(done.header.revision),
                  .now = now,
                  .unsafe = unsafe_found_};
}

Outcome<etcd::Place> place_from(const io::ServiceUrl& url) {
  auto place = etcd::place_of(url);
  if (place) return std::move(*place);
  return failure(Fault::invalid_argument, fmt::format("{}: {}", url.words(), place.error()));
}

}  // namespace

Outcome<void> check_etcd_url(const io::ServiceUrl& url) {
  if (const auto place = place_from(url); !place) return std::unexpected(place.error());
  return {};
}

Outcome<std::unique_ptr<KeyValue>> connect_etcd(const io::ServiceUrl& url, Unsafe unsafe,
                                                BootInstant deadline) {
  MINTMARK_TRY(place, place_from(url));
  if (!place.user.empty() && !url.password) {
    const char* password = std::getenv("ETCD_PASSWORD");
    if (password == nullptr) {
      return failure(Fault::invalid_argument,
                     url.words() + ": a user without a password, in the URL or in ETCD_PASSWORD");
    }
    place.password = password;
  }
  auto handle = std::make_unique<EtcdKeyValue>(std::move(place), unsafe);
  if (const auto entered = handle->enter(deadline); !entered) {
    return std::unexpected(entered.error());
  }
  return handle;
}

}  // namespace mintmark::store
