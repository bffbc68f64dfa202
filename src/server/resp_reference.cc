// The commands of a RESP conversation that describe the server, in the shapes of Redis 7.
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>
#include <unistd.h>

#include "server/printable.h"
#include "server/resp.h"

namespace mintmark::server {
namespace {

std::string lower(std::string_view text) {
  std::string result{text};
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  }
  return result;
}

/// Settings that stock clients ask for, as a Redis that keeps nothing in files would answer.
struct Setting {
  std::string_view name;
  std::string_view value;
};
constexpr std::array kSettings{
    Setting{"appendonly", "no"}, Setting{"databases", "1"}, Setting{"maxmemory", "0"},
    Setting{"requirepass", ""},  Setting{"save", ""},       Setting{"timeout", "0"},
};

/// `*` and `?` as in a shell; linear in the text for each star.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

using Command = RespConversation::Command;

/// The first six elements of Redis's description: name, arity, flags, first key, last key, step.
void describe(io::RespWriter& writer, const Command& command) {
  const bool keyed = command.name == "incr" || command.name == "incrby" || command.name == "mint";
  writer.array(6);
  writer.bulk(command.name);
  writer.integer(command.arity);
  writer.array(keyed ? 2 : 1);
  if (keyed) writer.simple("write");
  writer.simple("fast");
  // The space is the "key": clients of a cluster or a proxy route by it.
  for (int i = 0; i < 3; ++i) writer.integer(keyed ? 1 : 0);
}

void document(io::RespWriter& writer, const Command& command) {
  writer.bulk(command.name);
  writer.map(3);
  writer.bulk("summary");
  writer.bulk(command.summary);
  writer.bulk("since");
  writer.bulk("0.1.0");
  writer.bulk("group");
  writer.bulk(command.group);
}

const Command* find_command(std::string_view name) {
  const std::string wanted = lower(name);
  const auto all = RespConversation::commands();
  const auto found = std::ranges::find(all, wanted, &Command::name);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

void RespConversation::command(Words words) {
  io::RespWriter writer = reply();
  const auto all = commands();
  const std::string what = words.size() > 1 ? lower(words[1]) : std::string{};
  if (words.size() == 1 || (what == "info" && words.size() == 2)) {
    writer.array(all.size());
    for (const Command& each : all) describe(writer, each);
  } else if (what == "count" && words.size() == 2) {
    writer.integer(static_cast<std::int64_t>(all.size()));
  } else if (what == "list" && words.size() == 2) {
    writer.array(all.size());
    for (const Command& each : all) writer.bulk(each.name);
  } else if (what == "info") {
    writer.array(words.size() - 2);
    for (const std::string_view name : words.subspan(2)) {
      if (const Command* const found = find_command(name)) {
        describe(writer, *found);
      } else {
        writer.null();
      }
    }
  } else if (what == "docs") {
    std::vector<const Command*> found;
    if (words.size() == 2) {
      for (const Command& each : all) found.push_back(&each);
    }
    for (const std::string_view name : words.subspan(2)) {
      if (const Command* const each = find_command(name)) found.push_back(each);
    }
    writer.map(found.size());
    for (const Command* const each : found) document(writer, *each);
  } else {
    unknown_subcommand(words);
  }
}

void RespConversation::config(Words words) {
  if (lower(words[1]) != "get" || words.size() < 3) {
    unknown_subcommand(words);
    return;
  }
  std::vector<Setting> found;
  for (const Setting& setting : kSettings) {
    if (std::ranges::any_of(words.subspan(2), [&](std::string_view pattern) {
          return matches(lower(pattern), setting.name);
        })) {
      found.push_back(setting);
    }
  }
  io::RespWriter writer = reply();
  writer.map(found.size());
  for (const Setting& setting : found) {
    writer.bulk(setting.name);
    writer.bulk(setting.value);
  }
}

void RespConversation::unknown_subcommand(Words words) {
  reply().error(fmt::format("ERR unknown subcommand or wrong number of arguments for '{}' of '{}'",
                            printable(words[1]), lower(printable(words[0]))));
}

void RespConversation::info(Words words) {
  const auto wants = [&](std::string_view section) {
    return words.size() == 1 || std::ranges::any_of(words.subspan(1), [&](std::string_view word) {
             const std::string name = lower(word);
             return name == section || name == "all" || name == "default" || name == "everything";
           });
  };
  const Tallies& tallies = around_.tallies;
  std::string text;
  if (wants("server")) {
    const auto uptime =
        std::chrono::floor<std::chrono::seconds>(moment_.wall - tallies.started()).count();
    // Clients choose features by redis_version; 7.0 is the one whose handshakes are spoken here.
    text += fmt::format(
        "# Server\r\nredis_version:7.0.0\r\nredis_mode:standalone\r\nmintmark_version:{}\r\n"
        "process_id:{}\r\nio_threads_active:{}\r\nuptime_in_seconds:{}\r\n\r\n",
        tallies.version(), ::getpid(), tallies.threads(), uptime < 0 ? 0 : uptime);
  }
  if (wants("clients")) {
    text += fmt::format("# Clients\r\nconnected_clients:{}\r\n\r\n", tallies.sum(&Tally::open));
  }
  if (wants("stats")) {
    text += fmt::format(
        "# Stats\r\ntotal_connections_received:{}\r\ntotal_commands_processed:{}\r\n\r\n",
        tallies.sum(&Tally::accepted), tallies.sum(&Tally::requests));
  }
  if (wants("replication")) text += "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n\r\n";
  if (wants("mintmark")) {
    text += fmt::format("# Mintmark\r\nids_made:{}\r\nrefusals:{}\r\n", tallies.sum(&Tally::ids),
                        tallies.sum(&Tally::refusals));
    for (const auto& space : around_.mint.spaces()) {
      const mint::SpaceHealth health = space->health(moment_.wall);
      text += fmt::format("space_{}:scheme={},ready={},state={}", space->name(),
                          space->config().scheme(), health.ready ? 1 : 0, health.state);
      for (const std::string& setting : health.unsafe_store) {
        text += fmt::format(",unsafe_store={}", setting.substr(0, setting.find(':')));
      }
      if (health.slot) text += fmt::format(",slot={}", *health.slot);
      if (health.left) text += fmt::format(",left={}", *health.left);
      if (health.trouble) text += fmt::format(",trouble={}", health.trouble->row().name);
      text += "\r\n";
    }
    text += "\r\n";
  }
  reply().bulk(text);
}

}  // namespace mintmark::server
