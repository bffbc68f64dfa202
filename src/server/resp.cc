#include "server/resp.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "mint/inspect.h"
#include "server/directory.h"
#include "server/printable.h"

namespace mintmark::server {
namespace {

constexpr std::size_t kMostText = 128;  // characters of the longest ID of any space
static_assert(kMostText >= mint::kLongestNanoid && kMostText >= Token::kMostText &&
              kMostText >= TypeId::facts.text_size);

/// The first 8 letters in lower case as one word, so that finding a command is comparing words.
constexpr std::uint64_t key_of(std::string_view name) {
  if (name.empty() || name.size() > 8) return 0;
  std::uint64_t key = 0;
  for (const char c : name) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    key = key << 8 | static_cast<std::uint8_t>(lower);
  }
  return key;
}

/// A number as Redis reads it: an optional minus, no leading zeros, nothing else.
std::optional<std::int64_t> redis_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
  const std::size_t first = text.front() == '-' ? 1 : 0;
  if (text[first] == '0' && text.size() > 1) return std::nullopt;
  return value;
}

constexpr std::string_view kNotAnInteger = "ERR value is not an integer or out of range";

}  // namespace

/// The table, and the key of each row. Rows asked for often come first.
struct RespCommands {
  using Command = RespConversation::Command;
  using Self = RespConversation;
  static constexpr std::array kRows{
      Command{"incr", 2, &Self::incr, "Takes the next number of a block space.", "string"},
      Command{"incrby", 3, &Self::incrby,
              "Takes n consecutive numbers of a block space and answers the last.", "string"},
      Command{"mint", -2, &Self::mint, "Makes IDs: MINT space [COUNT n].", "generic"},
      Command{"inspect", 2, &Self::inspect, "Explains an ID, as JSON.", "generic"},
      Command{"spaces", 1, &Self::spaces, "Lists the spaces and how they are, as JSON.", "generic"},
      Command{"ping", -1, &Self::ping, "Answers as long as the process runs.", "connection"},
      Command{"echo", 2, &Self::echo, "Returns the given string.", "connection"},
      Command{"hello", -1, &Self::hello, "Greets, and chooses the protocol.", "connection"},
      Command{"auth", -2, &Self::auth, "Authenticates; no password is configured.", "connection"},
      Command{"select", 2, &Self::select, "Accepts database 0, the only one.", "connection"},
      Command{"client", -2, &Self::client, "Names and describes this connection.", "connection"},
      Command{"quit", -1, &Self::quit, "Closes the connection.", "connection"},
      Command{"reset", 1, &Self::reset, "Resets the connection.", "connection"},
      Command{"command", -1, &Self::command, "Describes the commands.", "server"},
      Command{"config", -2, &Self::config, "Returns settings, as Redis names them.", "server"},
      Command{"info", -1, &Self::info, "Describes the server and its spaces.", "server"},
  };
  static constexpr auto kKeys = [] {
    std::array<std::uint64_t, kRows.size()> keys{};
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = key_of(kRows[i].name);
    return keys;
  }();
  static_assert(std::ranges::find(kKeys, 0) == kKeys.end());
};

std::span<const RespConversation::Command> RespConversation::commands() {
  return RespCommands::kRows;
}

Turn RespConversation::turn(std::string_view input, io::OutBuffer& out, const Moment& moment) {
  using Next = Turn::Next;
  out_ = &out;
  moment_ = moment;
  if (order_.state() == Order::State::waiting) {
    if (order_.resume(around_.mint, moment) == Order::State::waiting) {
      return {.next = Next::wait, .wait = order_.wait()};
    }
    answer_order();
  }
  moment_.waited = Duration::zero();
  std::size_t at = 0;
  std::uint64_t requests = 0;
  Turn turn;
  while (true) {
    if (out.size() > kOutputHighWater) {
      turn.next = Next::flush;
      break;
    }
    const auto status = parser_.parse(input.substr(at));
    if (status == io::RespParser::Status::incomplete) break;
    if (status == io::RespParser::Status::broken) {
      reply().error(fmt::format("ERR Protocol error: {}", parser_.problem()));
      turn.next = Next::close;
      break;
    }
    at += parser_.consumed();
    if (parser_.arguments().empty()) continue;
    ++requests;
    handle(parser_.arguments());
    if (order_.state() == Order::State::waiting) {
      turn.next = Next::wait;
      turn.wait = order_.wait();
      break;
    }
    if (closing_) {
      turn.next = Next::close;
      break;
    }
  }
  around_.tally.requests.add(requests);
  turn.consumed = at;
  return turn;
}

void RespConversation::handle(Words words) {
  const std::string_view name = words[0];
  const std::uint64_t key = key_of(name);
  const auto& keys = RespCommands::kKeys;
  if (const auto found = std::ranges::find(keys, key); found != keys.end()) {
    const Command& command = RespCommands::kRows[static_cast<std::size_t>(found - keys.begin())];
    const auto count = static_cast<int>(words.size());
    if (command.arity >= 0 ? count != command.arity : count < -command.arity) {
      reply().error(fmt::format("ERR wrong number of arguments for '{}' command", command.name));
      return;
    }
    (this->*command.handle)(words);
    return;
  }
  // A browser can be made to send HTTP here; as in Redis, nothing after its first line is a command.
  if (key == key_of("post") || key == key_of("host:")) {
    reply().error("ERR this is the RESP port, not HTTP");
    closing_ = true;
    return;
  }
  std::string beginning;
  for (const std::string_view word : words.subspan(1)) {
    if (beginning.size() > 128) break;
    beginning += fmt::format("'{}' ", printable(word));
  }
  reply().error(fmt::format("ERR unknown command '{}', with args beginning with: {}",
                            printable(name), beginning));
}

mint::Space* RespConversation::find(std::string_view name) {
  if (last_space_ != nullptr && last_space_->name() == name) return last_space_;
  mint::Space* const space = around_.mint.find(name);
  if (space == nullptr) {
    fail_with(Error{Fault::unknown_space}, fmt::format("'{}'", printable(name)));
  } else {
    last_space_ = space;
  }
  return space;
}

void RespConversation::mint(Words words) {
  std::uint64_t count = 1;
  batch_as_array_ = words.size() != 2;
  if (batch_as_array_) {
    if (words.size() != 4 || key_of(words[2]) != key_of("count")) {
      reply().error("ERR syntax error");
      return;
    }
    const auto parsed = parse_count(words[3]);
    if (!parsed) {
      if (!redis_integer(words[3])) {
        reply().error(kNotAnInteger);
        return;
      }
      fail_with(parsed.error(), fmt::format("COUNT is from 1 to {}", mint::kMostIds));
      return;
    }
    count = *parsed;
  }
  mint::Space* const space = find(words[1]);
  if (space == nullptr) return;
  if (order_.mint(around_.mint, *space, count, moment_) != Order::State::waiting) answer_order();
}

void RespConversation::incr(Words words) { take(words[1], 1); }

void RespConversation::incrby(Words words) {
  const auto number = redis_integer(words[2]);
  if (!number) {
    reply().error(kNotAnInteger);
    return;
  }
  if (*number < 1 || static_cast<std::uint64_t>(*number) > mint::kMostRun) {
    fail_with(Error{*number < 1 ? Fault::invalid_argument : Fault::too_many},
              fmt::format("the increment is from 1 to {}", mint::kMostRun));
    return;
  }
  take(words[1], static_cast<std::uint64_t>(*number));
}

void RespConversation::take(std::string_view name, std::uint64_t count) {
  mint::Space* const space = find(name);
  if (space == nullptr) return;
  if (order_.take(around_.mint, *space, count, moment_) != Order::State::waiting) answer_order();
}

void RespConversation::answer_order() {
  io::RespWriter writer = reply();
  if (order_.state() == Order::State::refused) {
    around_.tally.refusals.add(1);
    const mint::Space& space = order_.space();
    std::string detail = fmt::format("space '{}'", space.name());
    const Kind kind = order_.error().kind();
    if (kind != Kind::bad_input) {
      if (const auto health = space.health(moment_.wall); !health.detail.empty()) {
        detail += ": " + printable(health.detail);
      }
    }
    fail_with(order_.error(), detail);
  } else if (order_.is_run()) {
    const mint::Run& run = order_.run();
    around_.tally.ids.add(run.last - run.first + 1);
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (run.last > kMost) {
      fail_with(Error{Fault::value_overflow}, "RESP integers end at 2^63-1; use MINT");
    } else {
      writer.integer(static_cast<std::int64_t>(run.last));
    }
  } else {
    const mint::Batch& batch = order_.batch();
    const mint::Space& space = order_.space();
    MINTMARK_CHECK(space.text_size() <= kMostText);
    if (batch_as_array_) writer.array(batch.made);
    std::array<char, kMostText> text;
    for (std::size_t i = 0; i < batch.made; ++i) {
      writer.bulk({text.data(), space.write(batch.id(i), text)});
    }
    around_.tally.ids.add(batch.made);
  }
  order_.finish();
}

void RespConversation::fail_with(const Error& error, std::string_view detail) {
  const FaultRow& row = error.row();
  const std::string_view prefix = error.fault() == Fault::wrong_type
                                      ? std::string_view{"WRONGTYPE"}  // the word clients look for
                                      : mint::row_of(error.kind()).resp_prefix;
  std::string words = fmt::format("{} {}: {}", prefix, row.name, row.sentence);
  std::string more{detail};
  if (error.retry_after_us() > 0) {
    constexpr std::uint64_t kUsInMs = 1000;
    more += fmt::format("{}retry in {} ms", more.empty() ? "" : "; ",
                        (error.retry_after_us() + kUsInMs - 1) / kUsInMs);
  }
  if (!more.empty()) words += fmt::format(" ({})", more);
  reply().error(words);
}

void RespConversation::inspect(Words words) {
  const auto readings = mint::inspect(words[1], moment_.wall);
  if (!readings) {
    fail_with(readings.error(), printable(mint::explain(words[1], readings.error())));
    return;
  }
  reply().bulk(mint::to_json(words[1], *readings));
}

void RespConversation::spaces(Words) { reply().bulk(spaces_json(around_.mint, moment_.wall)); }

}  // namespace mintmark::server
