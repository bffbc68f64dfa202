#include "store/etcd_checks.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "io/one_line.h"

namespace mintmark::store::etcd {
namespace {

using Version = std::array<unsigned, 3>;

/// Before it, the only member of a cluster answered before its disk had the write (etcd issue 14370).
constexpr Version kOldest{3, 4, 21};

/// The numbers of `3.4.23` or `3.6.0-rc.1`; nothing if it has no three.
std::optional<Version> numbers_of(std::string_view text) {
  Version version{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < version.size(); ++i) {
    if (i > 0 && (at == end || *at++ != '.')) return std::nullopt;
    const auto [stop, error] = std::from_chars(at, end, version[i]);
    if (error != std::errc{}) return std::nullopt;
    at = stop;
  }
  return version;
}

}  // namespace

Outcome<void> check_role(std::string_view where, const Status& status) {
  const auto refused = [&](Fault fault, std::string_view why) {
    return failure(fault, fmt::format("{}: {}", where, why));
  };
  for (const std::string& error : status.errors) {
    if (error.contains("CORRUPT")) {
      return refused(Fault::incarnation_changed,
                     io::one_line(error) + ": members of the cluster have different data");
    }
  }
  if (!status.has_leader) return refused(Fault::store_unavailable, "the member sees no leader");
  if (status.learner) {
    return refused(Fault::store_unavailable, "the member is a learner, which serves nobody");
  }
  // An alarm, and whatever a later etcd may find worth one.
  if (!status.errors.empty()) {
    return refused(Fault::store_unavailable, io::one_line(status.errors.front()));
  }
  return {};
}

std::optional<std::uint64_t> fsync_count(std::string_view metrics) {
  // etcd documentation, "Metrics"; the line is Prometheus's text format.
  constexpr std::string_view kLine = "\netcd_disk_wal_fsync_duration_seconds_count ";
  const std::size_t at = metrics.find(kLine);
  if (at == std::string_view::npos) return std::nullopt;
  const char* const first = metrics.data() + at + kLine.size();
  std::uint64_t count = 0;
  const auto [stop, error] = std::from_chars(first, metrics.data() + metrics.size(), count);
  if (error != std::errc{}) return std::nullopt;
  return count;
}

std::vector<std::string> unsafe_settings(const Status& status, const Fsyncs& fsyncs) {
  std::vector<std::string> unsafe;
  const auto version = numbers_of(status.version);
  if (!version || *version < kOldest) {
    unsafe.push_back(
        fmt::format("version: found {}, wanted 3.4.21 or newer", io::one_line(status.version)));
  }
  if (!fsyncs.before || !fsyncs.after) {
    unsafe.emplace_back("fsync: found no count of it in /metrics, wanted one that rises");
  } else if (*fsyncs.after <= *fsyncs.before) {
    unsafe.emplace_back(
        "--unsafe-no-fsync: found on (writes are answered without an fsync), wanted off");
  }
  return unsafe;
}

}  // namespace mintmark::store::etcd
