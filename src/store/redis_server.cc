#include "store/redis_server.h"

#include <charconv>

#include <fmt/format.h>

#include "io/one_line.h"

namespace mintmark::store {
namespace {

using Type = io::RespReply::Type;

/// The value of a line `name:value` of INFO; empty if there is none.
std::string_view field_of(std::string_view info, std::string_view name) {
  for (std::size_t at = info.find(name); at != info.npos; at = info.find(name, at + 1)) {
    const bool begins = at == 0 || info[at - 1] == '\n';
    std::string_view rest = info.substr(at + name.size());
    if (!begins || !rest.starts_with(':')) continue;
    rest.remove_prefix(1);
    return rest.substr(0, rest.find_first_of("\r\n"));
  }
  return {};
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::string not_as_wanted(std::string_view setting, std::string_view found,
                          std::string_view wanted) {
  return fmt::format("{}: found {}, wanted {}", setting, found.empty() ? "nothing" : found, wanted);
}

/// Of `CONFIG GET setting`.
void check_config(const io::RespReply& reply, std::string_view setting, std::string_view wanted,
                  std::vector<std::string>& unsafe) {
  const bool told = reply.is(Type::array) && reply.items.size() == 2;
  if (told && reply.items[1].text == wanted) return;
  if (told) return unsafe.push_back(not_as_wanted(setting, reply.items[1].text, wanted));
  const std::string why = reply.is(Type::error) ? io::one_line(reply.text) : "it is not known";
  unsafe.push_back(fmt::format("{}: it cannot be read ({}), wanted {}", setting, why, wanted));
}

std::vector<std::string> unsafe_settings(std::string_view info, const io::RespReply& fsync,
                                         const io::RespReply& no_fsync) {
  std::vector<std::string> unsafe;
  if (field_of(info, "aof_enabled") != "1") {
    unsafe.push_back(not_as_wanted("appendonly", "no", "yes"));
  }
  check_config(fsync, "appendfsync", "always", unsafe);
  // redis.conf: while a child rewrites the AOF it makes `always` as good as `no`.
  check_config(no_fsync, "no-appendfsync-on-rewrite", "no", unsafe);
  if (const auto policy = field_of(info, "maxmemory_policy"); policy != "noeviction") {
    unsafe.push_back(not_as_wanted("maxmemory-policy", policy, "noeviction"));
  }
  // INFO has the second field only where min-replicas-to-write and min-replicas-max-lag are above 0.
  if (field_of(info, "connected_slaves") != "0" &&
      field_of(info, "min_slaves_good_slaves").empty()) {
    unsafe.push_back(not_as_wanted("min-replicas-to-write", "0", "1 or more, for it has replicas"));
  }
  return unsafe;
}

std::size_t count_of(std::string_view words, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++count;
  return count;
}

std::unexpected<Failure> not_understood(std::string_view command, const io::RespReply& reply) {
  return failure(Fault::store_unavailable,
                 fmt::format("{}: {}", command,
                             reply.is(Type::error) ? io::one_line(reply.text)
                                                   : "an answer of another form than Redis gives"));
}

}  // namespace

void add_look(io::RespClient& client, std::string_view writes_key) {
  client.add({"INFO"});
  client.add({"CONFIG", "GET", "appendfsync"});
  client.add({"CONFIG", "GET", "no-appendfsync-on-rewrite"});
  client.add({"GET", writes_key});
  client.add({"TIME"});
}

Outcome<RedisServer> look_of(std::span<const io::RespReply, kLookReplies> replies) {
  if (!replies[0].is(Type::bulk)) return not_understood("INFO", replies[0]);
  const std::string_view info = replies[0].text;
  const io::RespReply& writes = replies[3];
  if (const auto role = field_of(info, "role"); role != "master") {
    return failure(Fault::incarnation_changed, not_as_wanted("role", role, "master"));
  }
  if (field_of(info, "cluster_enabled") == "1") {
    return failure(Fault::unsafe_store_config,
                   not_as_wanted("cluster_enabled", "1", "0: Redis Cluster is not supported"));
  }
  const auto written = field_of(info, "aof_last_write_status");
  if (!written.empty() && written != "ok") {
    return failure(Fault::store_unavailable, not_as_wanted("aof_last_write_status", written, "ok"));
  }
  RedisServer server{.run_id = std::string{field_of(info, "run_id")},
                     .replication_id = std::string{field_of(info, "master_replid")},
                     .replicas = count_of("state=online", info),
                     .unsafe = unsafe_settings(info, replies[1], replies[2])};
  if (server.run_id.empty() || server.replication_id.empty()) {
    return failure(Fault::store_unavailable, "INFO: it says neither run_id nor master_replid");
  }
  if (!writes.is(Type::null)) {
    const auto count = number_of<std::uint64_t>(writes.text);
    if (!writes.is(Type::bulk) || !count) return not_understood("GET", writes);
    server.writes = *count;
  }
  const auto now = redis_time(replies[4]);
  if (!now) return not_understood("TIME", replies[4]);
  server.now = *now;
  return server;
}

std::optional<Instant> redis_time(const io::RespReply& reply) {
  if (!reply.is(Type::array) || reply.items.size() != 2) return std::nullopt;
  const auto seconds = number_of<std::uint32_t>(reply.items[0].text);
  const auto micros = number_of<std::uint32_t>(reply.items[1].text);
  if (!seconds || !micros) return std::nullopt;
  return Instant{std::chrono::seconds{*seconds} + std::chrono::microseconds{*micros}};
}

}  // namespace mintmark::store
