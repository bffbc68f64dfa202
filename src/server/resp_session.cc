// The commands of a RESP conversation about the connection itself, in Redis's words.
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "server/printable.h"
#include "server/resp.h"

namespace mintmark::server {
namespace {

bool is_word(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  });
}

std::optional<int> small_number(std::string_view text) {
  int value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void RespConversation::ping(Words words) {
  if (words.size() > 2) {
    reply().error("ERR wrong number of arguments for 'ping' command");
  } else if (words.size() == 2) {
    reply().bulk(words[1]);
  } else {
    reply().simple("PONG");
  }
}

void RespConversation::echo(Words words) { reply().bulk(words[1]); }

void RespConversation::hello(Words words) {
  io::RespVersion wanted = version_;
  if (words.size() > 1) {
    const auto number = small_number(words[1]);
    if (!number) {
      reply().error("ERR Protocol version is not an integer or out of range");
      return;
    }
    if (*number != 2 && *number != 3) {
      reply().error("NOPROTO unsupported protocol version");
      return;
    }
    wanted = *number == 3 ? io::RespVersion::three : io::RespVersion::two;
  }
  for (std::size_t i = 2; i < words.size();) {
    if (is_word(words[i], "auth") && i + 2 < words.size()) {
      if (!authenticate(words[i + 1])) return;
      i += 3;
    } else if (is_word(words[i], "setname") && i + 1 < words.size()) {
      if (!set_name(words[i + 1])) return;
      i += 2;
    } else {
      reply().error(fmt::format("ERR Syntax error in HELLO option '{}'", printable(words[i])));
      return;
    }
  }
  version_ = wanted;
  io::RespWriter writer = reply();
  writer.map(7);
  writer.bulk("server");
  writer.bulk("mintmark");
  writer.bulk("version");
  writer.bulk(around_.tallies.version());
  writer.bulk("proto");
  writer.integer(static_cast<int>(version_));
  writer.bulk("id");
  writer.integer(static_cast<std::int64_t>(peer_.number));
  writer.bulk("mode");
  writer.bulk("standalone");
  writer.bulk("role");
  writer.bulk("master");
  writer.bulk("modules");
  writer.array(0);
}

void RespConversation::auth(Words words) {
  if (words.size() > 3) {
    reply().error("ERR syntax error");
  } else if (words.size() == 2) {
    reply().error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  } else if (authenticate(words[1])) {
    reply().simple("OK");
  }
}

bool RespConversation::authenticate(std::string_view user) {
  // As Redis without a password: the default user is let in with any.
  if (user == "default") return true;
  reply().error("WRONGPASS invalid username-password pair or user is disabled.");
  return false;
}

void RespConversation::select(Words words) {
  const auto number = small_number(words[1]);
  if (!number) {
    reply().error("ERR value is not an integer or out of range");
  } else if (*number != 0) {
    reply().error("ERR DB index is out of range");
  } else {
    reply().simple("OK");
  }
}

bool RespConversation::set_name(std::string_view name) {
  if (name.size() > 128 || std::ranges::any_of(name, [](char c) { return c < '!' || c > '~'; })) {
    reply().error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
  name_ = name;
  return true;
}

std::string RespConversation::client_line() const {
  return fmt::format("id={} addr={} laddr={} name={} db=0 resp={}\n", peer_.number, peer_.address,
                     peer_.local, name_, static_cast<int>(version_));
}

void RespConversation::client(Words words) {
  const std::string_view what = words[1];
  const std::size_t count = words.size();
  if (is_word(what, "id") && count == 2) {
    reply().integer(static_cast<std::int64_t>(peer_.number));
  } else if (is_word(what, "getname") && count == 2) {
    if (name_.empty()) {
      reply().null();
    } else {
      reply().bulk(name_);
    }
  } else if (is_word(what, "setname") && count == 3) {
    if (set_name(words[2])) reply().simple("OK");
  } else if (is_word(what, "setinfo") && count == 4) {
    reply().simple("OK");
  } else if (is_word(what, "info") && count == 2) {
    reply().bulk(client_line());
  } else if (is_word(what, "list")) {
    // Only this connection: the others belong to other threads, and nobody needs them.
    reply().bulk(client_line());
  } else if ((is_word(what, "no-evict") || is_word(what, "no-touch")) && count == 3 &&
             (is_word(words[2], "on") || is_word(words[2], "off"))) {
    reply().simple("OK");
  } else if (is_word(what, "reply") && count == 3 && is_word(words[2], "on")) {
    reply().simple("OK");
  } else {
    unknown_subcommand(words);
  }
}

void RespConversation::quit(Words) {
  reply().simple("OK");
  closing_ = true;
}

void RespConversation::reset(Words) {
  version_ = io::RespVersion::two;
  name_.clear();
  reply().simple("RESET");
}

}  // namespace mintmark::server
